"""The versions of a template, what each changed, and the requests that led there."""

from dataclasses import replace

import pytest

from app.factory import asset_dir
from app.pages.site.published_site import Site
from app.registration.declarations.registries import REGISTRIES, URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions.version_history import name_histories, past_of
from app.services.registry.snapshots import snapshot_of
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.registry import record_versions as names
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from app.web.middleware.site_chrome import public_shell
from tests.conftest import START
from tests.web.conftest import World
from tests.web.wellmade import faults


def change(world: World, version: int, day: str = "2026-10-02", **fields: str) -> None:
    """Register another version of a template."""
    with world.app.app_context(), transaction():
        found = names.find_record("nid", "quokka")
        assert found is not None
        registry, record = found
        edition = edition_rows.add_edition(
            URN_GROUP,
            as_of=START,
            updated=day,
            origin=EditionOrigin.LOCAL,
            cause=Cause.REGISTRATION,
            notice="",
        )
        changed = replace(
            record,
            version=version,
            updated=day,
            fields=tuple((dict(record.fields) | {"version": str(version)} | fields).items()),
        )
        key = REGISTRIES[registry].sort_key("quokka")
        names.add_version(
            changed, registry, key, names.RecordChange(edition=edition, cause=Cause.REGISTRATION)
        )


def test_each_version_has_a_page_and_what_it_changed(fresh: World) -> None:
    change(fresh, 2, purpose="To name marsupials.")
    change(fresh, 2, purpose="To name small marsupials.")
    visitor = fresh.visitor()
    page = visitor.get("/namespaces/quokka")
    assert "To name small marsupials." in page.words
    assert {"/namespaces/quokka/versions/1", "/namespaces/quokka/versions/2/diff"} <= set(
        page.values("href", "a")
    )
    first = visitor.get("/namespaces/QUOKKA/versions/1")
    assert first.status == 200
    assert "A newer version has replaced it." in first.words
    assert "marsupials" not in first.words
    assert "/assignments/urn-formal/quokka" not in first.values("href")  # it is the newest one's
    assert visitor.get("/namespaces/quokka/versions/2").location == "/namespaces/quokka"
    changes = visitor.get("/namespaces/quokka/versions/2/diff")
    assert changes.location == "/namespaces/quokka/diff?from=1&to=2"
    compared = visitor.get(changes.location)
    assert "added: To name small marsupials." in compared.words
    assert "Unchanged: Namespace Identifier" in compared.words
    last = visitor.get("/namespaces/quokka/diff")
    assert "added: To name small marsupials." in last.words
    assert visitor.get("/namespaces/quokka/diff.txt").html.startswith("--- quokka/version-1\n+++")
    back = visitor.get("/namespaces/quokka/diff?from=2&to=1")
    assert "removed: To name small marsupials." in back.words
    sides = visitor.get("/namespaces/quokka/diff?from=1&to=2&view=sides")
    assert [th.text_content() for th in sides.each("//thead//th")][:2] == ["Version 1", "Version 2"]
    text = visitor.get("/namespaces/quokka/diff.txt?from=1&to=2").html
    assert text.startswith("--- quokka/version-1\n+++ quokka/version-2\n@@")
    assert "\n+To name small marsupials.\n" in text
    for shown in (page, first, compared, back, sides):
        assert faults(shown) == []


def test_published_pages_list_the_versions_as_the_working_ones_do(fresh: World) -> None:
    change(fresh, 2, purpose="To name marsupials.")
    own = fresh.visitor().get("/namespaces/quokka")
    with fresh.app.app_context(), read_transaction():
        edition = edition_rows.latest_edition(URN_GROUP)
        assert edition is not None
        pages = Site(asset_dir("templates")).pages(
            snapshot_of(edition.n),
            public_shell(fresh.app.extensions["settings"]),
            name_histories(edition.n),
        )
        published = dict(pages)["/namespaces/quokka"]
    assert published == own.html


def test_a_version_is_as_old_as_the_first_record_that_has_it(fresh: World) -> None:
    change(fresh, 2, purpose="To name marsupials.")
    change(fresh, 2, "2026-11-20", purpose="To name small marsupials.")  # only a correction
    change(fresh, 3, "2026-11-23", purpose="To name all marsupials.")
    with fresh.app.app_context(), read_transaction():
        edition = edition_rows.latest_edition(URN_GROUP)
        assert edition is not None
        told = [name_histories(edition.n)["quokka"], past_of("quokka", URN_SPACE)]
    days = [[(one.number, one.date) for one in past.versions] for past in told]
    first = days[0][-1]
    assert days == [[(3, "2026-11-23"), (2, "2026-10-02"), first]] * 2
    corrected = fresh.visitor().get("/namespaces/quokka/versions/2")
    assert "To name small marsupials." in corrected.words, "of a version the newest words are shown"


WRONG = {
    "/namespaces/quokka/versions/7": "has no version 7.",
    "/namespaces/isbn/versions/1": "in this registry: none",
    "/namespaces/quokka/versions/1/diff": "is the first one",
    "/namespaces/quokka/diff": "number of a version, such as ?from=1&to=2",
    "/namespaces/quokka/diff?from=1": "number of a version, such as ?from=1&to=2",
    "/namespaces/quokka/diff?from=1&to=99999999999999": "number of a version, such as ?from=1&to=2",
    "/namespaces/quokka/diff?from=1&to=2": "has no version 2",
    "/namespaces/quokka/versions/99999999999999999999": "has no version",
    "/namespaces/nobody/versions/1": "Check the spelling",
    "/namespaces/a_b/diff?from=1&to=2": "Check the spelling",
    "/namespaces/nobody/requests": "Check the spelling",
}


@pytest.mark.parametrize("path", WRONG)
def test_a_version_that_is_not_there_says_what_is(world: World, path: str) -> None:
    page = world.visitor().get(path)
    assert page.status == 404
    assert WRONG[path] in page.words.replace("`", "")
    assert faults(page) == []


def test_a_name_leads_to_every_public_request_for_it(world: World) -> None:
    page = world.visitor().get("/namespaces/quokka/requests")
    assert page.status == 200
    assert f"/requests/{world.numbers['registered']}" in page.values("href", "a")
    assert "No requests for this namespace." in (
        world.visitor().get("/namespaces/isbn/requests").words
    )
    assert faults(page) == []
