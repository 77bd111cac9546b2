"""Who came by TLS once comes by nothing else, and finds whom to tell of a hole."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client

from app.config import BadSetting, Settings, read_settings
from app.factory import create_app
from tests.conftest import Clock
from tests.published.wsgi_site import create_application

HSTS = "Strict-Transport-Security"
PUBLIC = "https://registry.example"
PATH = "/.well-known/security.txt"


def site(folder: Path, **given: Any) -> Flask:
    """A site without a database: what is asked of it here needs none."""
    return create_app(Settings(data_dir=folder, secret_key="of a test", **given))


PATHS = ("/", "/sign-in", "/static/ui.css", "/nowhere", "/requests/", "/healthz", "/%0A", PATH)


@pytest.mark.parametrize(("base_url", "said"), [(PUBLIC, ["max-age=31536000"]), ("", [])])
def test_every_answer_under_tls_says_so_and_no_other_does(
    tmp_path: Path, base_url: str, said: list[str]
) -> None:
    given: dict[str, Any] = {"base_url": base_url} if base_url else {}
    settings = Settings(data_dir=tmp_path, secret_key="of a test", **given)
    for application in (create_application(settings), create_app(settings)):
        client = Client(application)
        for path in PATHS:
            for method in ("GET", "HEAD", "POST", "BREW"):
                with client.open(path, method=method) as answer:
                    assert answer.headers.getlist(HSTS) == said, (method, path)


@pytest.mark.parametrize("base_url", ["http://registry.example", "http://192.0.2.1:8000"])
def test_people_are_not_asked_to_come_without_tls(base_url: str) -> None:
    with pytest.raises(BadSetting, match="https://"):
        read_settings({"URN_REGISTRY_BASE_URL": base_url})


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("security@registry.example", "mailto:security@registry.example"),
        ("mailto:security@registry.example", "mailto:security@registry.example"),
        ("https://registry.example/report", "https://registry.example/report"),
        ("tel:+1-201-555-0123", "tel:+1-201-555-0123"),
    ],
)
def test_whom_to_tell_of_a_hole_stands_where_everybody_looks(
    tmp_path: Path, clock: Clock, given: str, shown: str
) -> None:
    contact = read_settings({"URN_REGISTRY_SECURITY_CONTACT": given}).security_contact
    app = site(tmp_path, base_url=PUBLIC, security_contact=contact)
    app.extensions["now"] = clock
    answer = app.test_client().get(PATH)
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    expires = datetime.fromisoformat(fields.pop("Expires"))
    assert timedelta(days=30) < expires - clock() < timedelta(days=365)
    assert fields == {
        "Contact": shown,
        "Canonical": f"{PUBLIC}{PATH}",
        "Preferred-Languages": "en",
    }
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert "Set-Cookie" not in answer.headers


def test_without_a_contact_there_is_no_such_file(tmp_path: Path) -> None:
    assert site(tmp_path).test_client().get(PATH).status_code == 404


@pytest.mark.parametrize(
    "given",
    [
        "http://registry.example",
        "javascript:1",
        "nobody",
        "a@b\nContact: c@d",
        "mailto:",
        "é@b.example",
    ],
)
def test_a_contact_that_reaches_nobody_is_refused(given: str) -> None:
    with pytest.raises(BadSetting, match="SECURITY_CONTACT"):
        read_settings({"URN_REGISTRY_SECURITY_CONTACT": given})
