"""A host that runs while the secret of the registry is changed."""

import time

import pytest

from app.services.operations import database_binding
from app.web.middleware.session import signing_secret
from tests import factories
from tests.conftest import Clock, MakeApp

HTML = {"Accept": "text/html"}


def test_a_host_with_the_old_setting_answers_503_and_says_so(
    make_app: MakeApp, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(secret_key="old" * 20)
    factories.laid_out(app)
    client = app.test_client()
    assert client.get("/readyz").status_code == 200
    assert client.get("/sign-in", headers=HTML).status_code == 200
    with app.app_context():
        database_binding.change_secret("new" * 20, clock())
    monkeypatch.setattr(time, "monotonic", lambda: 1e12)
    ready = client.get("/readyz")
    assert (ready.status_code, "secret key on this host differs" in ready.text) == (503, True)
    page = client.get("/sign-in", headers=HTML)
    assert page.status_code == 503
    assert "newnew" not in page.text
    assert client.get("/healthz").status_code == 200


def test_a_session_of_before_the_change_is_signed_out_and_a_new_one_begins(
    make_app: MakeApp, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(secret_key="")
    client = app.test_client()
    with client.session_transaction() as session:
        session["mark"] = "of a browser"
    with app.app_context():
        before = signing_secret()
        database_binding.change_secret("", clock())
        monkeypatch.setattr(time, "monotonic", lambda: 1e12)
        assert signing_secret() != before
    with client.session_transaction() as session:
        assert dict(session) == {}
    assert client.get("/sign-in", headers=HTML).status_code == 200
