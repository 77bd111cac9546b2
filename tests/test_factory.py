"""The rooms put together: keys, cookies, and a site that stands without its database."""

import json
from pathlib import Path

import pytest
from werkzeug.test import Client

from app.config import BadSetting, Settings
from app.factory import (
    asset_dir,
    create_app,
    page_fingerprint,
    require_loopback,
    session_cookie,
)
from tests.published.wsgi_site import create_application

HTML = {"Accept": "text/html"}


def test_a_secret_that_is_a_setting_is_kept_in_no_file(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path, secret_key="of a test"))
    with app.app_context():
        assert app.secret_key == "of a test"
    assert not (tmp_path / "secret-key").exists()


def test_without_the_database_that_keeps_the_secret_nobody_signs_in_and_nothing_breaks(
    tmp_path: Path,
) -> None:
    client = Client(create_application(Settings(data_dir=tmp_path)))
    assert client.get("/healthz").status_code == 200
    for path in ("/", "/sign-in", "/requests/"):
        assert client.get(path, headers=HTML).status_code == 503, path
    assert client.post("/sign-in", data={"email": "a@b.example"}).status_code in {400, 403, 503}


@pytest.mark.parametrize(
    ("base_url", "name"),
    [("http://127.0.0.1:8000", "session"), ("https://registry.example", "__Host-session")],
)
def test_over_tls_the_cookie_is_bound_to_its_host(tmp_path: Path, base_url: str, name: str) -> None:
    settings = Settings(data_dir=tmp_path, base_url=base_url)
    app = create_app(settings)
    assert session_cookie(settings) == app.config["SESSION_COOKIE_NAME"] == name
    assert app.config["SESSION_COOKIE_SECURE"] == base_url.startswith("https")
    assert app.config["SESSION_COOKIE_HTTPONLY"]
    assert app.config["SESSION_COOKIE_SAMESITE"] == "Lax"
    assert app.config["SESSION_COOKIE_DOMAIN"] is None


def test_what_pages_are_made_from_leaves_its_mark(tmp_path: Path) -> None:
    here = Settings(data_dir=tmp_path)
    assert page_fingerprint(here) == page_fingerprint(Settings(data_dir=tmp_path / "elsewhere"))
    for other in (
        Settings(base_url="https://registry.example"),
        Settings(authority="official"),
        Settings(demo=True),
        Settings(operator="The Example Library"),
        Settings(contact="mailto:registry@example.org"),
        Settings(privacy="https://example.org/privacy"),
        Settings(imprint="https://example.org/imprint"),
        Settings(naan_prefix="y"),
    ):
        assert page_fingerprint(other) != page_fingerprint(here)


def test_the_demonstration_stays_on_this_machine() -> None:
    demo = Settings(demo=True)
    for host in ("127.0.0.1", "::1", "localhost"):
        require_loopback(demo, host)
    for host in ("0.0.0.0", "::", "", "192.0.2.1", "registry.example", "127.0.0.1.example"):
        with pytest.raises(BadSetting, match="only on this computer"):
            require_loopback(demo, host)
        require_loopback(Settings(), host)


def test_a_folder_that_was_not_installed_is_named() -> None:
    assert (asset_dir("templates") / "base.html").is_file()
    with pytest.raises(RuntimeError, match="nowhere"):
        asset_dir("nowhere")


@pytest.mark.parametrize(
    "url", ["", "sqlite:////nowhere/at/all.sqlite3", "postgresql://nobody@/none?host=/nowhere"]
)
def test_a_site_without_its_database_is_alive_says_so_and_keeps_its_manners(
    tmp_path: Path, url: str
) -> None:
    settings = Settings(data_dir=tmp_path, database_url=url, secret_key="of a test")
    client = Client(create_application(settings))
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 503
    assert client.get("/sign-in", headers=HTML).status_code == 200
    for path in ("/", "/requests/", "/namespaces/isbn", "/assignments/urn-namespaces/"):
        page = client.get(path, headers=HTML)
        assert page.status_code == 503, path
        assert page.headers["Retry-After"] == "60"
        assert "The database is temporarily unavailable." in page.text
        assert 'href="/"' in page.text
        problem = json.loads(client.get(path, headers={"Accept": "*/*"}).text)
        assert problem["status"] == 503
    assert client.get("/nowhere", headers=HTML).status_code == 404


def test_who_comes_with_a_session_is_not_asked_for_while_the_database_is_away(
    tmp_path: Path,
) -> None:
    app = create_app(Settings(data_dir=tmp_path, secret_key="of a test"))
    client = app.test_client()
    with client.session_transaction() as session:
        session["token"] = "of somebody"
    for path in ("/account", "/nowhere", "/sign-in"):
        page = client.get(path, headers=HTML)
        assert page.status_code == (404 if path == "/nowhere" else 503)
        assert 'href="/"' in page.text
