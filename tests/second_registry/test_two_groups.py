"""Two groups of registries on one site: each has its own editions, files and pages."""

import asyncio
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from app.bundles.edition_files import accept_choices, registry_files
from app.bundles.layout import current_files, current_manifest
from app.bundles.mirror import Fetch, MirrorSourceError, mirror_registry
from app.bundles.scrub import scrub_of
from app.exports.editions.atom import SUFFIX as ATOM
from app.exports.formats.exporters import name_forms
from app.exports.manifests.bundle_paths import blob_path, copies_path
from app.front.admission import Admission
from app.front.asgi import AsgiFront
from app.identifiers.errors import spell_list
from app.published.plane import PublishedPlane
from app.registration.declarations.group_paths import GroupPaths, group_at_path
from app.registration.declarations.name_addresses import published_stems_of
from app.registration.declarations.registries import (
    FORMAL,
    INFORMAL,
    REGISTRIES,
    DerivedFormat,
    Format,
)
from app.registration.declarations.registry_groups import (
    GROUPS,
    NAAN_GROUP,
    URN_GROUP,
    RegistryGroup,
)
from app.registration.records.registry_records import Registration, SubRegistry, Xref, XrefType
from app.services.editions import edition_build, publication
from app.services.editions.edition_build import export_files
from app.services.editions.version_history import history
from app.services.operations.edition_verification import verify_database, verify_folder
from app.services.refusals import NotFound
from app.services.registry.import_plans import ImportPlan
from app.services.registry.naan_import import import_naans, read_naan_file
from app.services.registry.record_import import RecordImport, import_records
from app.services.registry.snapshots import bundled_snapshot, current_snapshot, key_of
from app.services.stored_editions.stored_files import files_of
from app.store.database import read_transaction
from app.store.editions import edition_rows
from tests import factories
from tests.conftest import Clock
from tests.front.asgi_client import ask as ask_front
from tests.published.bundles import ask, pack, restless
from tests.published.test_switching import held_back
from tests.registration.naans.made_records import LIBRARY as NAAN
from tests.registration.naans.made_records import entry_of, file_of
from tests.second_registry.library_group import DRAWERS, LENT, LIBRARY
from tests.second_registry.test_one_engine import given_name, registered
from tests.services.test_verifying import silent

EACH = pytest.mark.parametrize("group", [URN_GROUP, LIBRARY], ids=lambda one: one.id)
SHELF = Xref(XrefType.URI, "https://library.example/7", "The library")


@dataclass(frozen=True)
class OwnPaths:
    """What a group has at its own paths, for tests that hold of each."""

    group: RegistryGroup
    name: str
    otherwise: str
    space: str

    @property
    def page(self) -> str:
        """The page of the name."""
        return f"/{self.space}/{self.name}"

    @property
    def home(self) -> str:
        """The page of the registry."""
        return f"/assignments/{self.group.id}/"

    @property
    def xml(self) -> str:
        """The registry as XML."""
        return f"{self.home}{self.group.id}.xml"

    @property
    def feeds(self) -> tuple[str, ...]:
        """The feed of the name, where its registry declares one for each name."""
        return () if self.group == NAAN_GROUP else (f"{self.page}.atom",)

    def edition(self, number: int, file: str = "") -> str:
        """An edition, or a file of it."""
        return f"{self.group.editions}{number}/{file}"


def own(group: RegistryGroup) -> OwnPaths:
    """The paths of a group, with a name of it and another spelling of that."""
    if group == LIBRARY:
        return OwnPaths(group, "s7", "S.7", "shelves")
    if group == NAAN_GROUP:
        return OwnPaths(group, "b7280", "B7280", "naans")
    return OwnPaths(group, "isbn", "ISBN", "namespaces")


def shelves(*marks: str, contents: str = "Maps of the sea.", day: str = "") -> RecordImport:
    """Shelf marks to take over, as a list of whole records."""
    fields = (("title", "Atlases"), ("contents", contents))
    records = [
        Registration(name=mark, date="2020-02-02", fields=fields, references=(SHELF,))
        for mark in marks
    ]
    return RecordImport(records={LENT.id: records}, day=day)


def opened(group: RegistryGroup, clock: Clock, words: str) -> None:
    """Open the next edition of a group, which changes the name that ``own`` says."""
    clock.on(minutes=1)
    if group == LIBRARY:
        import_records(shelves("S.7", contents=words), clock())
        return
    if group == NAAN_GROUP:
        told = {"what": "b7280", "purpose": words}
        import_naans(read_naan_file(file_of(entry_of(NAAN, **told), entry_of(NAAN))), clock())
        return
    isbn = Registration(name="ISBN", date="2001-01-01", fields=(("purpose", words),))
    import_records(RecordImport(records={FORMAL.id: [isbn]}), clock())


def lay_out(folder: Path, clock: Clock, *groups: RegistryGroup) -> None:
    """Build all editions, and lay those of some groups out, or of all."""
    edition_build.build_pending(clock(), factories.PLACE)
    for group in groups or GROUPS.values():
        publication.lay_out_newest(folder, factories.making(), group)


@pytest.fixture
def folder(libraries: Flask, clock: Clock, tmp_path: Path) -> Path:
    """Two editions of each group, laid out."""
    published = tmp_path / "published"
    import_records(shelves("S.7", "s12"), clock())
    opened(URN_GROUP, clock, "Books.")
    opened(LIBRARY, clock, "Maps of the land.")
    lay_out(published, clock)
    return published


@pytest.fixture
def plane(folder: Path) -> PublishedPlane:
    """What is published, without anybody behind."""
    return PublishedPlane(folder, clock=restless())


@EACH
def test_a_copy_answers_at_the_paths_of_each_group(
    plane: PublishedPlane, group: RegistryGroup
) -> None:
    at = own(group)
    for path in (
        *(at.home, at.xml, f"{at.home}{group.id}.json", f"{at.home}{group.id}.atom"),
        *(at.page, f"{at.page}.json", *at.feeds),
        *(group.editions, f"{group.editions}index.json", f"{group.editions}1..2.json"),
        *(at.edition(1), at.edition(2), at.edition(1, f"{group.id}.xml")),
        f"/schemas/{group.id}.json",
        f"{copies_path(group)}manifest.json",
        *(f"{copies_path(group)}editions/1.json", f"{copies_path(group)}shell.html"),
    ):
        assert ask(plane, path).status == 200, path
    assert ask(plane, f"/{at.space}/{at.otherwise}").headers["Location"] == at.page
    assert ask(plane, f"/{at.space}/{at.otherwise}.JSON").headers["Location"] == f"{at.page}.json"
    assert ask(plane, at.home.rstrip("/")).headers["Location"] == at.home
    as_json = ask(plane, at.page, accept="application/json")
    assert json.loads(as_json.body)["record"]["folded"] == at.name
    listed = json.loads(ask(plane, f"{group.editions}index.json").body)
    assert [one["edition"] for one in listed["editions"]] == [2, 1]
    assert json.loads(ask(plane, f"{copies_path(group)}editions.json").body)["editions"] == [1, 2]
    for missing in (f"/{at.space}/s999", at.edition(3), f"{at.home}other.xml"):
        assert ask(plane, missing).status == 404


@EACH
def test_what_each_group_says_of_its_other_forms_leads_to_its_own_paths(
    plane: PublishedPlane, group: RegistryGroup
) -> None:
    at, other = own(group), own(LIBRARY if group == URN_GROUP else URN_GROUP)
    links = ask(plane, at.xml).headers["Link"]
    assert f'<{at.edition(1, f"{group.id}.xml")}>; rel="predecessor-version"' in links
    kept = ask(plane, at.edition(2, f"{group.id}.xml")).headers["Link"]
    assert f'<{at.xml}>; rel="latest-version"' in kept
    assert f'<{group.editions}>; rel="collection"' in kept
    assert other.home not in links + kept
    for path, there in ((at.xml, f"{group.id}.xml"), (group.editions, "")):
        led = ask(plane, path, query="as-of=2026-12-31")
        assert (led.status, led.headers["Location"]) == (302, at.edition(2, there))
    led = ask(plane, at.page, query="as-of=2026-12-31")
    assert led.headers["Location"] == at.edition(2, at.page[1:])
    assert ask(plane, at.page, query="as-of=1999-01-01").status == 404
    chosen = ask(plane, at.edition(1), accept="application/xml")
    assert chosen.headers["Content-Location"] == at.edition(1, f"{group.id}.xml")


@EACH
def test_each_group_switches_when_its_own_edition_comes(
    plane: PublishedPlane, folder: Path, clock: Clock, group: RegistryGroup
) -> None:
    at, other = own(group), own(LIBRARY if group == URN_GROUP else URN_GROUP)
    before = ask(plane, other.xml)
    opened(group, clock, "Something else.")
    lay_out(folder, clock)
    assert b"Something else." in ask(plane, f"{at.page}.json").body
    assert ask(plane, at.edition(3)).status == 200
    assert ask(plane, other.xml) == before
    assert ask(plane, other.edition(3)).status == 404


@EACH
def test_a_broken_bundle_of_one_group_leaves_the_other_as_it_was(
    plane: PublishedPlane, folder: Path, clock: Clock, group: RegistryGroup
) -> None:
    at, other = own(group), own(LIBRARY if group == URN_GROUP else URN_GROUP)
    stood = ask(plane, at.xml)
    opened(group, clock, "Something else.")
    opened(other.group, clock, "Something else.")
    lay_out(folder, clock)
    (folder / group.folder / "current" / "manifest.json").write_bytes(b"{}")
    assert b"Something else." in ask(plane, f"{other.page}.json").body
    assert ask(plane, at.xml) == stood


@EACH
@pytest.mark.parametrize("is_front", [True, False])
def test_a_group_that_is_not_there_yet_is_awaited_and_the_other_answers(
    folder: Path, tmp_path: Path, clock: Clock, group: RegistryGroup, is_front: bool
) -> None:
    at, other = own(group), own(LIBRARY if group == URN_GROUP else URN_GROUP)
    alone = tmp_path / "alone"
    lay_out(alone, clock, other.group)
    plane = PublishedPlane(alone, falls_through=is_front, clock=restless())
    for path in (at.xml, f"{at.page}.json", at.edition(1, f"{group.id}.xml")):
        awaited = ask(plane, path)
        assert (awaited.status, awaited.headers["Retry-After"]) == (503, "5"), path
    assert ask(plane, other.xml).status == 200
    if not is_front:
        ready = ask(plane, "/readyz")
        told = json.loads(ready.body)
        assert ready.status == (503 if group == URN_GROUP else 200)
        assert told["groups"] == {LIBRARY.id: None if group == LIBRARY else 2}
    lay_out(alone, clock, group)
    assert ask(plane, at.xml).status == 200


@pytest.mark.usefixtures("declared_apart")
@EACH
def test_nobody_waits_for_an_edition_of_another_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: RegistryGroup
) -> None:
    at, other = own(group), own(LIBRARY if group == URN_GROUP else URN_GROUP)

    def publish(of: OwnPaths, number: int) -> None:
        made = pack({of.xml: ("application/xml", b"%d" % number)}, edition=number)
        made.lay_out(tmp_path / of.group.folder)

    async def run() -> None:
        front = AsgiFront(
            PublishedPlane(tmp_path, patience=60), Admission("http://127.0.0.1", demo=False)
        )
        begun, go_on, _ = held_back(monkeypatch)
        publish(at, 2)
        waiting = asyncio.create_task(ask_front(front, at.xml))
        assert await asyncio.to_thread(begun.wait, 60)
        assert (await asyncio.wait_for(ask_front(front, other.xml), 60)).body == b"1"
        assert not waiting.done()
        go_on.set()
        assert (await waiting).body == b"2"

    publish(at, 1)
    publish(other, 1)
    asyncio.run(run())


def test_a_path_is_of_a_group_by_its_first_segment(libraries: Flask) -> None:
    arks = RegistryGroup(id="lib", title="X", editions="/lib/editions/", schemes=("ark",))
    find = GroupPaths([URN_GROUP, LIBRARY, arks]).find
    for path in (
        *("/library/editions/", "/library/", "/shelves/s7", "/shelves/S.7.json", "/shelves/"),
        *("/assignments/library/library.xml", "/assignments/shelf-marks/s7"),
        *("/assignments/library", "/schemas/library.json", "/schemas/library-record.json"),
        "/.well-known/urn-registry/library/manifest.json",
    ):
        assert find(path) == LIBRARY.id, path
    for path in (
        *("/ark:/12345/x5", "/ARK:12345/x5", "/lib/editions/3/", "/schemas/lib.json"),
        *("/names/ark:12345/x5", "/names/ARK:/12345/x5"),
    ):
        assert find(path) == "lib", path
    for path in (
        *("/", "", "/urn:library:s7", "/editions/3/", "/editionsx", "/libraryx/", "/namespaces/s7"),
        *("/assignments/", "/assignments/library-x/", "/schemas/library-x.json", "/readyz"),
        *("/names/", "/names/ark", "/names/urn:ark:s7"),
        *("/.well-known/urn-registry/manifest.json", "/assignments/urn-namespaces/library"),
    ):
        assert find(path) is None, path
    assert group_at_path("/shelves/s7") == LIBRARY
    assert group_at_path("/namespaces/s7") == URN_GROUP


def test_two_groups_with_one_path_are_refused(libraries: Flask) -> None:
    twin = RegistryGroup(id="twin", title="Twin", editions="/library/editions/")
    with pytest.raises(ValueError, match="`library` is of library, and cannot be of twin too"):
        GroupPaths([URN_GROUP, LIBRARY, twin])
    with pytest.raises(ValueError, match="no address of editions"):
        RegistryGroup(id="x", title="X", editions="/blobs/editions/")


@pytest.fixture
def client(folder: Path, libraries: Flask) -> FlaskClient:
    """The registry behind, which makes its pages anew."""
    return libraries.test_client()


@EACH
def test_the_registry_has_the_pages_of_each_group(
    client: FlaskClient, group: RegistryGroup
) -> None:
    at = own(group)
    pages = {
        path: client.get(path)
        for path in (at.home, at.page, group.editions, at.edition(1), at.edition(2))
    }
    assert {path: page.status_code for path, page in pages.items()} == dict.fromkeys(pages, 200)
    for path, page in pages.items():
        if path != at.page:
            assert f'"{group.editions}' in page.text, path
    compared = client.get(f"{group.editions}compare?from=1&to=2")
    assert f'action="{group.editions}compare"' in compared.text
    assert at.name in compared.text or at.otherwise in compared.text
    assert f'href="{group.editions}1..2.json"' in compared.text
    assert client.get(f"{group.editions}compare?from=1&to=9").status_code == 404
    assert client.get(f"{group.editions}1..2.json").get_json()["registry"] == group.id
    then = client.get(at.edition(1, at.page[1:]))
    assert "This is edition 1 (" in then.text
    assert client.get(at.edition(1, f"{at.space}/{at.otherwise}")).location == then.request.path
    assert (
        client.get(at.edition(2, f"{at.page[1:]}.json")).get_json()["record"]["folded"] == at.name
    )
    for path, there in (
        (at.home, ""),
        (at.page, at.page[1:]),
        (f"{at.page}.json", f"{at.page[1:]}.json"),
    ):
        assert client.get(f"{path}?as-of=2026-12-31").location == at.edition(2, there)
    for missing in (f"/{at.space}/s999", at.edition(9), at.edition(2, f"{at.space}/s999")):
        assert client.get(missing).status_code == 404


@EACH
def test_a_list_is_of_one_group_alone(client: FlaskClient, group: RegistryGroup) -> None:
    at, other = own(group), own(LIBRARY if group == URN_GROUP else URN_GROUP)
    asked = client.get(f"{at.home}?q={at.name}").text
    assert f'href="{at.page}"' in asked
    assert client.get(f"{at.home}?sort=name&after={at.name}").status_code == 200
    assert client.get(f"{at.home}?sort=name&after=s999").status_code == 404
    listed, _, near = client.get(f"{at.home}?q={other.name}").text.partition('id="near_names"')
    assert f'href="{other.page}"' not in listed
    assert f'href="{other.page}"' in near, "an entry of another group is only suggested"
    assert group_words(group) in client.get(at.home).text


def group_words(group: RegistryGroup) -> str:
    """How the list of a group counts its names, which are those of no other."""
    with read_transaction():
        names = [
            record for record in current_snapshot(group).records() if record.status != "former"
        ]
    plurals = spell_list([space.plural for space in group.spaces])
    return f"Showing all {len(names)} {plurals}."


def fetched(plane: PublishedPlane) -> Fetch:
    """What a copy fetches, answered without a socket."""

    def fetch(url: str, take: Callable[[bytes], object], _most: int) -> int:
        path, _, query = url.removeprefix("https://registry.example").partition("?")
        answer = ask(plane, path, query=query)
        if answer.status == 200:
            take(answer.body)
        return answer.status

    return fetch


def test_a_mirror_follows_each_group_into_its_own_folder(
    plane: PublishedPlane, folder: Path, tmp_path: Path, clock: Clock
) -> None:
    copy = tmp_path / "copy"
    assert mirror_registry("https://registry.example", copy, fetched(plane)) == 2
    for group in GROUPS.values():
        assert list(verify_folder(copy / group.folder, silent)) == []
        at = own(group)
        for path in (at.page, at.xml, at.edition(1, f"{group.id}.xml"), group.editions):
            assert ask(PublishedPlane(copy), path).body == ask(plane, path).body
    opened(LIBRARY, clock, "Maps of the moon.")
    lay_out(folder, clock)
    assert mirror_registry("https://registry.example", copy, fetched(plane)) == 2
    assert b"Maps of the moon." in ask(PublishedPlane(copy), "/shelves/s7.json").body


@EACH
def test_a_mirror_whose_source_lacks_or_breaks_one_group_has_the_other(
    plane: PublishedPlane, folder: Path, tmp_path: Path, group: RegistryGroup
) -> None:
    copy, at = tmp_path / "copy", own(LIBRARY if group == URN_GROUP else URN_GROUP)
    blobs = folder / group.folder / "blobs"
    blobs.rename(blobs.with_name("gone"))
    with pytest.raises(MirrorSourceError):
        mirror_registry("https://registry.example", copy, fetched(plane))
    assert ask(PublishedPlane(copy), at.xml).status == 200
    if group == LIBRARY:  # as of a source that knows of no such group
        shutil.rmtree(folder / group.folder)
        alone = PublishedPlane(folder, clock=restless())
        assert mirror_registry("https://registry.example", tmp_path / "alone", fetched(alone)) == 2


@EACH
def test_what_is_damaged_of_a_group_is_found_and_mended(
    plane: PublishedPlane, folder: Path, clock: Clock, group: RegistryGroup
) -> None:
    assert [*verify_database(silent)] == []
    at, here = own(group), folder / group.folder
    stood = ask(plane, at.xml).body
    manifest = current_manifest(here)
    assert manifest is not None
    for digest in {file.sha256 for file in current_files(here, manifest)}:
        (here / blob_path(digest)).write_bytes(b"damaged")
    assert list(verify_folder(here, silent)) != []
    scrub_of.cache_clear()
    assert publication.mend(folder, factories.making(), clock(), group) > 0
    assert list(verify_folder(here, silent)) == []
    assert ask(PublishedPlane(folder), at.xml).body == stood


def test_every_page_of_each_group_is_in_a_sitemap_that_robots_are_told_of(
    plane: PublishedPlane,
) -> None:
    robots = ask(plane, "/robots.txt").body.decode()
    for group, path in ((URN_GROUP, "/sitemap.xml"), (LIBRARY, "/library/sitemap.xml")):
        assert f"Sitemap: {factories.PLACE.base_url}{path}\n" in robots
        listed = ask(plane, path).body.decode()
        at = own(group)
        for page in (at.home, at.page, group.editions, at.edition(1)):
            assert f"<loc>{factories.PLACE.base_url}{page}</loc>" in listed
        assert (f"<loc>{factories.PLACE.base_url}/</loc>" in listed) is (group == URN_GROUP)


def test_a_group_is_exported_in_the_forms_that_it_declares(libraries: Flask, clock: Clock) -> None:
    import_records(shelves("S.7"), clock())
    with read_transaction():
        for form in (*LENT.exports, ATOM):
            (name, body), *_ = export_files(LIBRARY, str(form), None, factories.PLACE)
            assert name == f"{LIBRARY.id}.{form}"
            assert b"s7" in body.lower().replace(b".", b""), form
        for form in (Format.CSV, DerivedFormat.PREFIXES):
            with pytest.raises(NotFound, match=f"`library` has no {form}"):
                export_files(LIBRARY, str(form), None, factories.PLACE)


def test_who_watches_is_told_of_each_group(client: FlaskClient) -> None:
    told = client.get("/readyz").get_json()
    assert told["groups"] == {LIBRARY.id: {"newest": 2, "here": 2}}


SLASHED = ["s7/x5", "s7/x5.caida", "s9/a-b/c.d"]


@pytest.fixture
def drawers(libraries: Flask, clock: Clock, tmp_path: Path) -> Path:
    """Names with slashes and full stops, laid out after a second edition that changes one."""
    published = tmp_path / "published"
    for words, names in (("Pens.", SLASHED), ("Ink.", SLASHED[:1])):
        records = [
            Registration(name=name.upper(), date="2020-02-02", fields=(("contents", words),))
            for name in names
        ]
        import_records(RecordImport(records={DRAWERS.id: records}), clock.on(minutes=1))
    lay_out(published, clock)
    return published


@pytest.mark.parametrize("name", SLASHED)
def test_a_name_may_hold_a_slash_and_a_full_stop(
    drawers: Path, libraries: Flask, name: str
) -> None:
    plane, client, page = PublishedPlane(drawers), libraries.test_client(), f"/library/{name}"
    document = json.loads(ask(plane, f"{page}.json").body)
    assert (document["record"]["folded"], document["record"]["links"]["page"]) == (
        name,
        page,
    )
    Draft202012Validator(json.loads(ask(plane, "/schemas/library-record.json").body)).validate(
        document
    )
    assert json.loads(ask(plane, page, accept="application/json").body) == document
    for form in (*name_forms(SubRegistry(id=DRAWERS.id, title="")), ATOM):
        assert ask(plane, f"{page}.{form}").status == 200, form
    assert page.encode() in ask(plane, page).body
    assert ask(plane, f"/library/{name.upper()}").headers["Location"] == page
    assert ask(plane, f"/assignments/drawers/{name}").status == 200
    assert client.get(f"/library/{name.upper()}").location == page
    assert client.get(page).status_code == 200
    then = client.get(f"{page}?as-of=2026-12-31").location
    assert then == f"/library/editions/2{page}"
    assert "This is edition 2 (" in client.get(then).text
    assert client.get(f"{then}.json").get_json()["record"]["folded"] == name
    assert f'href="{page}"' in client.get(f"/assignments/library/?q={name}").text
    assert client.get(f"/assignments/library/?sort=name&after={name}").status_code == 200
    assert ask(plane, "/library/editions/", accept="application/json").status == 200


def test_files_of_names_with_slashes_are_made_again_where_they_changed(
    drawers: Path, libraries: Flask
) -> None:
    with read_transaction():
        first, second = (
            {file.path: file.sha256 for file in files_of(key_of(LIBRARY, n))} for n in (1, 2)
        )
    assert first["/library/s7/x5.json"] != second["/library/s7/x5.json"]
    assert first["/library/s7/x5.caida.json"] == second["/library/s7/x5.caida.json"]
    assert not [path for path in second if path.startswith("/library/editions/1/")]
    assert [*verify_database(silent)] == []
    whole = Draft202012Validator(
        json.loads(ask(PublishedPlane(drawers), "/schemas/library.json").body)
    )
    whole.validate(
        json.loads(ask(PublishedPlane(drawers), "/assignments/library/library.json").body)
    )


def test_names_of_two_spaces_that_are_folded_alike_are_two_names_of_one_edition(
    libraries: Flask, clock: Clock, tmp_path: Path
) -> None:
    def given(**words: str) -> ImportPlan:
        records = {
            each.id: [Registration(name="s7", date="2020-02-02", fields=(("contents", said),))]
            for each, said in ((LENT, words.get("shelf")), (DRAWERS, words.get("drawer")))
            if said
        }
        return import_records(RecordImport(records=records), clock.on(minutes=1))

    assert given(shelf="Maps.", drawer="Pens.").added == ("shelf:s7", "drawer:s7")
    assert given(shelf="Maps.", drawer="Pens.").is_empty
    lay_out(tmp_path, clock)
    assert given(drawer="Ink.").changed == ("drawer:s7",)
    lay_out(tmp_path, clock)
    with read_transaction():
        assert edition_rows.failures(9) == []
        second = current_snapshot(LIBRARY)
        assert [dict(one.fields)["contents"] for one in second.records()] == ["Maps.", "Ink."]
        assert [(one.key, one.kind) for one in history(LIBRARY)[-1].changes.names] == [
            ("drawer:s7", "changed")
        ]
        kept = [{file.path: file.sha256 for file in files_of(key_of(LIBRARY, n))} for n in (1, 2)]
    changed = {path for path, digest in kept[1].items() if kept[0].get(path) not in (digest, None)}
    assert "/library/s7.json" in changed
    assert "/shelves/s7.json" not in changed
    plane = PublishedPlane(tmp_path)
    for page, words in (("/shelves/s7", "Maps."), ("/library/s7", "Ink.")):
        assert words.encode() in ask(plane, f"{page}.json").body
        shown = ask(plane, page).body.decode()
        assert words in shown
        assert ("/library/editions/2/" in shown) is (words == "Ink.")
    assert b"drawer" not in ask(plane, "/shelves/s7.atom").body
    feed = ElementTree.fromstring(ask(plane, "/assignments/library/library.atom").body)
    ids = [found.text for found in feed.iterfind("{*}entry/{*}id")]
    assert len(ids) == len(set(ids)) == 3
    assert [*verify_database(silent)] == []
    for n in (1, 2):
        at_once = export_files(LIBRARY, "xml", n, factories.PLACE)[0][1]
        assert at_once.count(b"<name>s7</name>") == 2


@EACH
def test_a_request_that_is_registered_makes_an_edition_of_its_own_group(
    libraries: Flask, clock: Clock, tmp_path: Path, group: RegistryGroup
) -> None:
    import_records(shelves("S.7"), clock())
    other = LIBRARY if group == URN_GROUP else URN_GROUP
    with read_transaction():
        before = {each.id: len(history(each)) for each in GROUPS.values()}
    people = factories.cast(clock.on(minutes=1))
    registry = LENT if group == LIBRARY else INFORMAL
    name = given_name(registered(registry, people, clock))
    with read_transaction():
        assert len(history(group)) == before[group.id] + 1
        assert len(history(other)) == before[other.id]
        assert history(group)[-1].changes.names[0].folded == name
    lay_out(tmp_path, clock)
    plane, page = PublishedPlane(tmp_path), registry.space.page.format(name)
    assert registry.space.whole(name).encode() in ask(plane, page).body


def test_a_second_group_changes_no_file_of_the_first(
    declared_apart: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made() -> list[object]:
        files = registry_files(bundled_snapshot(), factories.PLACE)
        return [*files, accept_choices(URN_GROUP.id), published_stems_of(URN_GROUP)]

    beside = made()
    monkeypatch.delitem(GROUPS, LIBRARY.id)
    for registry in (LENT, DRAWERS):
        monkeypatch.delitem(REGISTRIES, registry.id)
    assert made() == beside
