"""What holds for every page: its headers, its links, its form, and that a test has seen it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from werkzeug.test import Client

from app.exports.manifests.manifest import SHELL
from app.factory import asset_dir
from app.pages.site.chrome import Chrome
from app.published.plane import PublishedPlane
from tests import factories
from tests.attack.tables.routes import ROWS, form_for, route_of
from tests.published.name_rules import RULES
from tests.published.rules import bundle_of
from tests.published.wsgi_site import PublishedWsgi
from tests.web.conftest import PEOPLE, World
from tests.web.visitor import Page
from tests.web.wellmade import faults

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The page templates that were used, whoever used them."""
    used: set[str] = set()
    get_template = Environment.get_template

    def noting(environment: Environment, name: str, *rest: Any, **given: Any) -> Any:
        used.add(name)
        return get_template(environment, name, *rest, **given)

    monkeypatch.setattr(Environment, "get_template", noting)
    return used


def answers(world: World) -> Iterator[Page]:
    """Each route of the table of permissions, with each status that somebody gets from it.

    What lets somebody in is seen by everybody, since it is not the same for all; a refusal by one.
    """
    refused = set()
    for who in PEOPLE:
        seen = set()
        for row in ROWS:
            if not row.is_here(world):
                continue
            kind = (row.method, route_of(world, row), row.of(who))
            if who in {"rival", "leader"} or kind in seen:
                continue  # they see what the registrant and the expert see
            seen.add(kind)
            if not row.of(who).startswith("2"):
                if kind in refused:
                    continue
                refused.add(kind)
            visitor, path = world.visitor(who), world.path(row.path)
            if row.method == "GET":
                yield visitor.get(path)
            else:
                yield visitor.post(path, form_for(world, row))
                yield visitor.post(path)


MORE = (
    "/?q=ark:/12345/x",
    "/?q=urn:not_this:x",
    "/?q=urn:unheard-of:x",
    "/assignments/urn-namespaces/?q=isbn&sort=date&order=desc",
    "/requests/{draft}/edit/purpose",
    "/requests/{draft}/edit/syntax?preview=yes",
)


NAMES = (
    *(
        "/names/urn:many:a?+r?=q",
        "/names/urn:old:a%252F",
        "/names/urn:quiet:a",
        "/names/urn:gone:a",
    ),
    *("/urn:nosuch:a", "/urn:lead:a?x=y", "/urn:lead:%e9\u202e", "/names/urn:typed:a"),
)


def pages_of_names(folder: Path) -> Iterator[Page]:
    """Pages of names, as the published plane makes them in the shell of an edition."""
    shell = factories.making().site.shell(Chrome()).encode()
    bundle_of(RULES, {SHELL: ("text/plain; charset=utf-8", shell)}).lay_out(folder)
    visitor = Client(PublishedWsgi(PublishedPlane(folder)))
    for path in NAMES:
        yield Page(visitor.get(path, headers={"Accept": "text/html"}))


@ONE_DATABASE
@pytest.mark.usefixtures("fleeting")
def test_every_page_is_well_made_and_every_template_is_drawn(
    world: World, drawn: set[str], tmp_path: Path
) -> None:
    wrong = {fault for page in answers(world) for fault in faults(page)}
    wrong |= {fault for page in pages_of_names(tmp_path) for fault in faults(page)}
    for path in MORE:
        wrong |= set(faults(world.visitor("registrant").get(world.path(path))))
    kept = {"kept": '[["purpose", "Names."], ["key", "abcdefgh"]]', "next": "/requests/new"}
    wrong |= set(faults(world.visitor().post("/demo/sign-in/0", kept)))
    assert sorted(wrong) == []
    folder = asset_dir("templates")
    files = {str(file.relative_to(folder)) for file in folder.rglob("*.*")}
    assert drawn == {file for file in files if not file.startswith("mail/")}


@ONE_DATABASE
def test_a_page_without_a_form_gives_nobody_a_cookie(world: World) -> None:
    client = world.app.test_client()
    for path in ("/", "/requests/", "/namespaces/isbn", "/nowhere"):
        assert "Set-Cookie" not in client.get(path, headers={"Accept": "text/html"}).headers


@ONE_DATABASE
def test_static_files_can_be_kept_but_are_asked_about(world: World) -> None:
    page = world.visitor().get("/static/ui.css")
    assert page.headers["Cache-Control"] == "no-cache"
    assert page.headers["ETag"]
