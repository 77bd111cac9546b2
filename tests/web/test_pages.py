"""What holds for every page: its headers, its links, its form, and that a test has seen it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from werkzeug.test import Client
from werkzeug.wrappers import Response

from app.exports.content.file_names import ARK_RULES_PATH
from app.exports.manifests.bundle_files import CONTENT_SECURITY_POLICY
from app.exports.manifests.bundle_paths import SHELL, shell_path
from app.factory import asset_dir
from app.pages.site.chrome import Chrome
from app.published.plane import PublishedPlane
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.resolution.ark_rules import ark_rule_lines
from tests import factories
from tests.attack.tables.routes import ROWS, form_for, route_of
from tests.pages.test_naan_pages import snapshot_of
from tests.published.arks import REGISTRY
from tests.published.bundles import pack
from tests.published.name_rules import RULES
from tests.published.rules import JSON_LINES, bundle_of
from tests.published.wsgi_site import PublishedWsgi
from tests.registration.naans.made_records import LIBRARY, SHOULDER
from tests.resolution.arks.naans import RULES as ARK_RULES
from tests.web.conftest import PEOPLE, World
from tests.web.visitor import Page
from tests.web.wellmade import faults

PLAIN = "text/plain; charset=utf-8"
EXPECTED = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "same-origin",
}
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
    "/?q=book+numbers",
    "/?q=xyzzyq",
    "/?q=urn:unheard-of:x",
    "/assignments/urn-namespaces/?q=isbn&sort=date&order=desc",
    "/help/checking",
    "/help/downloading",
    "/help/minting",
    "/help/reviewing",
    "/requests/?q=quokka",
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
    *(
        "/names/ark:12345%2Fx5a",
        "/names/ark:12345",
        "/names/ark:00000%2Fa",
        "/names/ark:12345%2F%25",
    ),
    *("/urn:nosuch:a", "/urn:lead:a?x=y", "/urn:lead:%e9\u202e", "/names/urn:typed:a"),
    *("/names/under/", "/names/under/urn:lead:", "/names/under/urn:nosuch:", "/names/under/a"),
    "/copy/nowhere",
)


def pages_of_names(folder: Path) -> Iterator[Page]:
    """Pages of names, as the published plane makes them in the shell of an edition."""
    shell = factories.making().site.shell(Chrome()).encode()
    bundle_of(RULES, {SHELL: (PLAIN, shell)}).lay_out(folder)
    arks = {
        ARK_RULES_PATH: (JSON_LINES, ark_rule_lines(ARK_RULES)),
        shell_path(NAAN_GROUP.id): (PLAIN, shell),
    }
    pack(arks, registry=REGISTRY).lay_out(folder / NAAN_GROUP.folder)
    visitor = Client(PublishedWsgi(PublishedPlane(folder)))
    for path in NAMES:
        yield Page(visitor.get(path, headers={"Accept": "text/html"}))


def pages_of_naans() -> Iterator[Page]:
    """Pages of a NAAN, of a shoulder under it, and of one whose fields are those of none."""
    odd = replace(LIBRARY, naan="13579")
    for row in (LIBRARY, SHOULDER, odd):
        snapshot = snapshot_of([row] if row is not LIBRARY else [LIBRARY, SHOULDER])
        if row is odd:
            table, *rest = snapshot.registries
            record = replace(table.records[0], fields=(("target_status", "none"),))
            tables = (replace(table, records=(record,)), *rest)
            snapshot = replace(snapshot, registries=tables)
        pages = dict(factories.making().site.pages(snapshot, Chrome()))
        path = f"/naans/{row.name}"
        answer = Response(pages[path], headers=EXPECTED, mimetype="text/html")
        yield Page(Client(answer).get(path))


# In this world nobody gives names or holds a NAAN: these pages are looked at where somebody does,
# in test_prefix_pages, test_bound_names and test_yearly_question.
DRAWN_ELSEWHERE = (
    "prefixes/",
    "published/_bound_name.html",
    "delegates/answer.html",
    "review/saved.html",
)


@ONE_DATABASE
@pytest.mark.usefixtures("fleeting")
def test_every_page_is_well_made_and_every_template_is_drawn(
    world: World, drawn: set[str], tmp_path: Path
) -> None:
    wrong = {fault for page in answers(world) for fault in faults(page)}
    wrong |= {fault for page in pages_of_names(tmp_path) for fault in faults(page)}
    wrong |= {fault for page in pages_of_naans() for fault in faults(page)}
    for path in MORE:
        wrong |= set(faults(world.visitor("registrant").get(world.path(path))))
    kept = {"kept": '[["purpose", "Names."], ["key", "abcdefgh"]]', "next": "/requests/new"}
    wrong |= set(faults(world.visitor().post("/demo/sign-in/0", kept)))
    assert sorted(wrong) == []
    folder = asset_dir("templates")
    files = {str(file.relative_to(folder)) for file in folder.rglob("*.*")}
    elsewhere = {file for file in files if file.startswith(DRAWN_ELSEWHERE)}
    assert drawn | elsewhere == {file for file in files if not file.startswith("mail/")}


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
