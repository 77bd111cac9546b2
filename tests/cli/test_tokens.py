"""The command that looks for mailed tokens in what is kept."""

import pytest

from app.commands.shell import DONE, FOUND, MISUSED
from app.config import Settings
from app.factory import create_app
from app.services.accounts import sign_in
from app.services.operations import database_binding
from app.store.accounts import account_rows
from app.store.database import transaction
from tests.cli.conftest import Run
from tests.conftest import START

SECRET = "0123456789abcdef" * 2


@pytest.fixture
def registry(run: Run, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("URN_REGISTRY_DATABASE_URL", database_url)
    monkeypatch.setenv("URN_REGISTRY_SECRET_KEY", SECRET)
    return run


def test_where_nothing_stands_there_is_nothing_to_do(registry: Run) -> None:
    code, out, words = registry("tokens", "published")
    assert (code, out) == (DONE, "")
    assert "No secret links" in words


def test_it_tells_where_they_stand_and_never_what_they_are(
    registry: Run, database_url: str
) -> None:
    token = sign_in.token_of("of a test", SECRET)
    with create_app(Settings(database_url=database_url, secret_key="x")).app_context():
        with transaction():
            name = f"See http://127.0.0.1:8000/sign-in/{token}"
            account = account_rows.get_or_add_account("who@new.example", START, name).id
        database_binding.close_connections()
    code, out, words = registry("tokens", "published")
    assert (code, words.split(",")[0]) == (FOUND, "found: 1")
    assert out == f"account {account}, name: sign-in link (expired)\n"
    code, again, words = registry("tokens", "published", "--revoke")
    assert (code, again) == (DONE, out)
    assert "revoked:" in words
    assert token not in out + again + words


def test_without_a_database_it_says_what_to_do(run: Run) -> None:
    code, out, words = run("tokens", "published")
    assert (code, out) == (MISUSED, "")
    assert "init" in words
