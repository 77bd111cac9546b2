"""A real site and a real browser."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.browser.people import Company, Person
from tests.waiting import DEADLINE, wait_until

expect.set_options(timeout=DEADLINE * 1000)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class PeopleTogether(LoadFileScheduling):  # type: ignore[misc]  # it has no types
    """Files go to one process or another, and those that need the cast to one.

    To bring its people and their requests about takes half a minute of CPU.
    """

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "cast" if file in _files_with_cast() else file


@cache
def _files_with_cast() -> frozenset[str]:
    here = Path(__file__).parent
    files = (file for file in here.glob("test_*.py") if "cast: Cast" in file.read_text())
    return frozenset(f"tests/browser/{file.name}" for file in files)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> PeopleTogether | None:
    """Where files are shared out whole, as `make test` does it."""
    return PeopleTogether(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def console(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the site prints, links to sign in among it."""
    return tmp_path_factory.mktemp("console") / "printed"


COMMAND = [sys.executable, "-m", "app.cli"]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The settings of the site."""
    return settings_in(tmp_path_factory.mktemp("site"))


@contextmanager
def served(environment: dict[str, str], console: Path, *begun: str) -> Iterator[str]:
    """A demonstration with such settings, as ``init`` with these options begins it; its address."""
    address = environment["URN_REGISTRY_BASE_URL"]
    subprocess.run([*COMMAND, "init", *begun], env=environment, check=True)
    with console.open("w") as printed:
        server = subprocess.Popen(
            [*COMMAND, "serve", "--demo", "--port", address.rpartition(":")[2]],
            env=environment,
            stdout=printed,
            start_new_session=True,
        )
    try:
        wait_for(f"{address}/readyz")
        yield address
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(DEADLINE)


def settings_in(folder: Path) -> dict[str, str]:
    """The settings of a site whose data lies in a folder."""
    return dict(os.environ) | {
        "URN_REGISTRY_DATA_DIR": str(folder),
        "URN_REGISTRY_BASE_URL": f"http://127.0.0.1:{_free_port()}",
    }


@pytest.fixture(scope="session")
def site(environment: dict[str, str], console: Path) -> Iterator[str]:
    """The demonstration, started as a newcomer would; gives its address."""
    with served(environment, console) as address:
        yield address


@pytest.fixture(autouse=True)
def an_hour_later(request: pytest.FixtureRequest) -> None:
    """Each test begins with nothing counted: all of them are one person at one site."""
    if "site" in request.fixturenames:
        request.getfixturevalue("site")
        folder = request.getfixturevalue("environment")["URN_REGISTRY_DATA_DIR"]
        with closing(sqlite3.connect(f"{folder}/registry.sqlite3", timeout=DEADLINE)) as store:
            store.execute("DELETE FROM attempt")
            store.commit()


def wait_for(address: str) -> None:
    """Wait until an address answers with success."""

    def is_answered() -> bool:
        try:
            with urllib.request.urlopen(address, timeout=DEADLINE):
                return True
        except OSError:
            return False

    wait_until(is_answered)


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody of the demonstration, and the requests they brought about."""

    browsers: dict[str, BrowserContext]
    numbers: dict[str, int]


@pytest.fixture(scope="session")
def cast(browser: Browser, site: str) -> Iterator[Cast]:
    """People signed in, each with a browser of their own, and a request in each state."""
    names = ("Robin", "Ellis", "Emery", "Odell")
    browsers = {name: browser.new_context(base_url=site) for name in ("", *names)}
    company = Company(*(Person(browsers[name], name) for name in names))
    yield Cast(browsers, company.bring_about())
    for context in browsers.values():
        context.close()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Opens a page as somebody: "" for a stranger, or a first name of the demonstration."""
    contexts = []
    errors: list[str] = []

    def open_(path: str, who: str = "", *, width: int = 1280, dark: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if dark else "light",
            base_url=site,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("response", lambda r: errors.append(r.url) if r.status >= 500 else None)
        if who:
            page.goto(f"/sign-in?next={path}")
            page.get_by_role("button", name=who).click()
            page.wait_for_url(lambda address: "/sign-in" not in address)
        else:
            page.goto(path)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures go: the folder named by SHOTS, to look at them."""
    return Path(os.environ.get("SHOTS") or tmp_path_factory.mktemp("shots"))
