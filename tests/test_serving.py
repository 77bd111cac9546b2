"""What is said of a site as it starts."""

from collections.abc import Iterator
from pathlib import Path
from socket import AF_INET, AF_INET6

import pytest

from app.cli import main
from app.config import Settings
from app.front.processes import listen
from app.server import way_to


@pytest.mark.parametrize(
    ("base_url", "port", "lines"),
    [
        ("http://127.0.0.1:8000", 8000, 1),
        ("http://127.0.0.1:8000", 8123, 2),
        ("https://registry.example", 8000, 1),  # behind a server that people reach
    ],
)
def test_a_site_on_loopback_says_where_its_links_do_not_lead(
    base_url: str, port: int, lines: int
) -> None:
    said = way_to(Settings(base_url=base_url), "127.0.0.1", port)
    assert said.startswith(f"The registry is at {base_url}\n")
    assert said.count("\n") == lines
    assert ("URN_REGISTRY_BASE_URL=http://127.0.0.1:8123 " in said) == (lines == 2)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with listen("127.0.0.1", 0) as listener:
        port: int = listener.getsockname()[1]
        yield port


def test_an_address_that_cannot_be_listened_at_is_said_in_words(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("URN_REGISTRY_DATA_DIR", str(tmp_path))
    assert main(["init", "--empty"]) == 0
    capsys.readouterr()
    for given, words in (
        (("--port", str(taken)), "Stop what listens there"),
        (("--port", "65536"), "up to 65535"),
        (("--port", "-1"), "up to 65535"),
        (("--host", "nowhere.invalid"), "--host"),
        (("--host", "192.0.2.1"), "another address"),
        (("--host", "é" * 80), "--host"),
    ):
        for what in ((), ("--published", str(tmp_path))):
            assert main(["serve", *given, *what]) == 2
            said = capsys.readouterr().err
            assert "Cannot listen at " in said
            assert words in said
            assert "Traceback" not in said


@pytest.mark.parametrize("count", ["0", "-1", "100", "two", "٣"])
def test_processes_are_counted_in_whole_numbers(
    count: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["serve", "--workers", count])
    assert caught.value.code == 2
    assert "from 1 to 99" in capsys.readouterr().err


def test_it_listens_by_ipv4_and_by_ipv6() -> None:
    for host, family in (("127.0.0.1", AF_INET), ("::1", AF_INET6)):
        with listen(host, 0) as listener:
            assert (listener.family, listener.getsockname()[0]) == (family, host)
