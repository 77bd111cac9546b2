"""The site behind servers that people put in front, as `docs/proxies.md` says, and behind none."""

import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from app.factory import create_asgi_of_copy
from app.front.connections import ConnectionLimits
from app.services.accounts import sign_in
from tests.conftest import LEFT_OUT, ROOT
from tests.front.test_connections import serving as answering
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of
from tests.published.test_names import ask
from tests.running.proxies import Browser
from tests.running.sites import (
    REGISTRY,
    environment,
    free_port,
    get,
    serving,
    set_up,
    wait_for,
    wait_for_all,
)

SECRET = "of a test, and long enough for any"
JSON = f"{REGISTRY}urn-namespaces.json"
BARE_NGINX = "server { listen 127.0.0.1:8081; location / { proxy_pass http://127.0.0.1:8000; } }"
NGINX = """
master_process off; daemon off; pid {folder}/pid; error_log stderr;
events {{ worker_connections 64; }}
http {{
  access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  {lines}
}}
"""
CADDY = "{{\n admin off\n}}\n{lines}"


class Proxy(NamedTuple):
    """How a server is started with some lines of configuration."""

    program: str
    frame: str
    command: tuple[str, ...]


PROXIES = {
    "nginx": Proxy("nginx", NGINX, ("-p", "{folder}", "-c", "{file}", "-e", "stderr")),
    "caddy": Proxy("caddy", CADDY, ("run", "--adapter", "caddyfile", "--config", "{file}")),
    "haproxy": Proxy("haproxy", "{lines}\n", ("-db", "-f", "{file}")),
}


class Site(NamedTuple):
    """A running site: its port and its data folder."""

    port: int
    folder: Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with the bundled registry."""
    folder, port = tmp_path_factory.mktemp("behind"), free_port()
    env = environment(folder, port, SECRET_KEY=SECRET, TRUSTED_PROXIES="127.0.0.1")
    set_up(env=env, all_names=True)
    with serving(port, "--workers", "1", env=env):
        wait_for_all(port, JSON)
        yield Site(port, folder)


def documented(name: str) -> str:
    """The lines that the documentation has for a server."""
    text = (ROOT / "docs" / "proxies.md").read_text()
    (lines,) = re.findall(rf"```{name}\n(.*?)```", text, re.DOTALL)
    return str(lines)


@contextmanager
def in_front(name: str, lines: str, behind: int, folder: Path) -> Iterator[int]:
    """The port of a server of another kind that passes on what it is asked."""
    kind, port, file = PROXIES[name], free_port(), folder / "config"
    program = shutil.which(kind.program, path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if program is None:
        pytest.skip(f"{LEFT_OUT}{name}: not installed")  # in CI as well: few machines have it
    lines = lines.replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    lines = lines.replace("127.0.0.1:8081", f"127.0.0.1:{port}")
    file.write_text(kind.frame.format(folder=folder, lines=lines))
    words = [word.format(folder=folder, file=file) for word in kind.command]
    process = subprocess.Popen(
        [program, *words], env={"HOME": str(folder)}, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(port, "/healthz")
        yield port
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(params=["none", "bare nginx", *PROXIES])
def port(request: pytest.FixtureRequest, site: Site, tmp_path: Path) -> Iterator[int]:
    """Where people reach the site: by a server in front, or by itself."""
    if request.param == "none":
        yield site.port
        return
    name = request.param.removeprefix("bare ")
    lines = BARE_NGINX if name != request.param else documented(name)
    with in_front(name, lines, site.port, tmp_path) as port:
        yield port


def test_what_is_published_comes_as_it_is(port: int, site: Site) -> None:
    for path in ("/", JSON, "/namespaces/isbn", "/static/ui.css"):
        plain, status, headers, body = get(site.port, path), *get(port, path)
        assert (status, body, headers["ETag"]) == (200, plain[2], plain[1]["ETag"])
        assert get(port, path, If_None_Match=headers["ETag"])[::2] == (304, b"")
    status, headers, body = get(port, JSON, Range="bytes=2-11")
    assert (status, body) == (206, get(site.port, JSON)[2][2:12])
    assert headers["Content-Range"].startswith("bytes 2-11/")


def test_an_address_is_read_as_it_was_sent(port: int, site: Site) -> None:
    assert get(port, "/namespaces/%69sbn")[2] == get(site.port, "/namespaces/isbn")[2]
    assert get(port, f"{REGISTRY}%c3%a9?as-of=2099-01-01")[1]["Location"].endswith("/%C3%A9")
    for path in ("/namespaces/a%2Fb", "/nowhere%3Fx", "//x.example/"):
        assert get(port, path)[0] == get(site.port, path)[0] == 404, path
    for path in ("/%0a", "/%2e%2e/%2e%2e/etc/passwd"):  # some servers refuse it themselves
        assert 400 <= get(port, path)[0] < 500, path


NAMES = (
    "/urn:lead:a%2fb%23c%3Fd//e",
    "/urn:on:a%2Cb?+r?=q=1&c",
    "/urn:lead:a?=%20;x",
    "/urn:lead:a?fbclid=x",
    "/names/urn:lead:a%252Fb",
    f"/urn:lead:{'a' * 6_000}",
)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A copy that resolves names."""
    folder = tmp_path_factory.mktemp("names")
    bundle_of(RULES).lay_out(folder)
    with answering(ConnectionLimits(), create_asgi_of_copy(folder)) as port:
        yield port


@pytest.mark.parametrize("kind", ["bare nginx", *PROXIES])
def test_a_name_comes_as_it_was_sent(kind: str, names: int, tmp_path: Path) -> None:
    name = kind.removeprefix("bare ")
    lines = BARE_NGINX if name != kind else documented(name)
    with in_front(name, lines.replace("/readyz", "/healthz"), names, tmp_path) as port:
        for target in NAMES[: -1 if name != kind else None]:
            straight, passed = ask(names, target), ask(port, target)
            assert (passed.status, passed.body) == (straight.status, straight.body), target
            assert passed.headers.get("location") == straight.headers.get("location")


def test_people_sign_in_by_the_link_that_was_mailed(port: int, site: Site) -> None:
    browser, email = Browser(f"http://127.0.0.1:{port}"), f"p{port}@org.example"
    assert browser.send("/sign-in", email=email)[0] == 200
    with sqlite3.connect(site.folder / "registry.sqlite3") as connection:
        asked = "SELECT id FROM sign_in WHERE email = ?"
        (ident,) = connection.execute(asked, (email,)).fetchone()
    connection.close()
    assert browser.send(f"/sign-in/{sign_in.token_of(ident, SECRET)}")[0] == 303
    status, page = browser.get("/account")
    assert (status, email in page) == (200, True)
