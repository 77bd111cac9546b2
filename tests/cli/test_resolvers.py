"""The command that asks services, with a server elsewhere that a test makes up."""

import pytest

from app.outside.service_probe import ServiceAnswer, ServiceProbe
from tests.cli.conftest import Run
from tests.conftest import few_names


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []

    def answer(_probe: ServiceProbe, url: str, _rest: object) -> ServiceAnswer:
        asked.append(url)
        if "issn" in url:
            return ServiceAnswer(False, "The server answered with an error.", 503)
        return ServiceAnswer(True, "The server answered.", 200)

    monkeypatch.setattr(ServiceProbe, "__call__", answer)
    monkeypatch.setattr("app.commands.resolver_commands._rest", lambda _seconds: True)
    return asked


def test_it_asks_the_services_that_are_named_or_all(run: Run, elsewhere: list[str]) -> None:
    with few_names():
        assert run("init")[0] == 0
    code, _, words = run("resolvers", "check", "ISSN")
    assert code == 1
    assert "urn:issn: I2" in words
    assert "The server answered with an error. (503)" in words
    some = len(elsewhere)
    assert some > 0
    code, _, words = run("resolvers", "check")
    assert code == 1
    assert len(elsewhere) > 2 * some
    assert "urn:isbn:" in words
    assert run("resolvers", "check", "adid")[0] == 0
    code, _, words = run("resolvers", "check", "isbn", "nobody")
    assert code == 1
    told = words.partition("No ")[2].partition(" is called `nobody`")[0]
    assert set(told.split(" or ")) == {"namespace", "NAAN", "shoulder"}


def test_a_demonstration_asks_nobody(
    run: Run, elsewhere: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("URN_REGISTRY_DEMO", "yes")
    code, _, words = run("resolvers", "check")
    assert code == 2
    assert "sends no requests" in words
    assert elsewhere == []
