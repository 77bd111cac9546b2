"""Import, request, version, page and forms of a second registry, by the engine of the first."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from app.exports.formats.exporters import FORMATS, name_forms
from app.published.plane import PublishedPlane
from app.registration.declarations.registries import (
    FORMAL,
    INFORMAL,
    URN_SPACE,
    Format,
    IdentifierSpace,
    Registry,
)
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration, SubRegistry, Xref, XrefType
from app.services.delegates import claims, delegate_scopes, delegation, transfers
from app.services.editions import edition_build, publication
from app.services.refusals import IdempotencyConflict, InvalidInput
from app.services.registrations import corrections
from app.services.registrations.corrections import Correction
from app.services.registry.snapshots import current_snapshot, import_xml, snapshot_of, taken_index
from app.services.requests import drafts
from app.services.stored_editions import stored_files
from app.store.accounts import delegate_rows
from app.store.database import Base, db, read_transaction, transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.requests import draft_rows, request_rows
from app.store.tables import Outbox
from app.store.tables.delegates import DelegateOrigin
from app.store.tables.registry import Cause
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.published.bundles import ask
from tests.second_registry.shelf_marks import SHELF_SPACE, SHELVES, PrivateField
from tests.store.schema import rows_of

MARKER = "Ms Marker of the cellar"
SHELF = Xref(XrefType.URI, "https://library.example/7", "The library")
EACH = pytest.mark.parametrize("registry", [FORMAL, INFORMAL, SHELVES], ids=lambda one: one.kind)


def import_shelves(clock: Clock, *marks: str) -> None:
    """Take over a file that has a table of shelf marks beside those of URN namespaces."""
    with read_transaction():
        here = current_snapshot(URN_GROUP)
    shelves = tuple(
        Registration(name=mark, date="2020-02-02", references=(SHELF,), contact=(SHELF,))
        for mark in marks
    )
    table = SubRegistry(id=SHELVES.id, title="Shelf Marks", references=(SHELF,), records=shelves)
    whole = replace(here, registries=(*here.registries, table), updated="2026-08-01", edition=0)
    ((_, data),) = FORMATS[Format.XML].files(whole)
    import_xml(data, clock(), notice=here.notice)


def registered(registry: Registry, people: Cast, clock: Clock) -> int:
    """A request of this registry that is registered, by whatever its table asks for."""
    if registry.id != SHELVES.id:
        return factories.registered(people, clock(), informal=registry is INFORMAL)
    number = shelf_draft(people, clock)
    factories.act(number, Action.SUBMIT, people.registrant, clock())
    factories.act(number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE)
    return number


def shelf_draft(people: Cast, clock: Clock) -> int:
    number = drafts.start(factories.command(people.registrant, clock()), SHELVES.id)
    saving = drafts.DraftInput(
        fields={"title": "Atlases", "contents": "Maps of the sea."},
        private={PrivateField.KEEPER: MARKER},
        organization="The library",
    )
    drafts.save(factories.command(people.registrant, clock(), seen=1), number, saving)
    return number


def published(clock: Clock) -> Mapping[str, bytes]:
    """Every file of the newest edition, by its path."""
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert edition_rows.failures(10) == []
        latest = edition_rows.latest_edition(URN_GROUP)
        assert latest is not None
        files = stored_files.files_of(latest.n)
        return {file.path: edition_rows.content(file.sha256) or b"" for file in files}


def marked_tables() -> set[str]:
    """The tables of the database that hold the private text."""
    return {table for table in Base.metadata.tables if MARKER in str(rows_of(table))}


def given_name(number: int) -> str:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None and request.assigned_name
        return request.assigned_name


def test_names_are_imported_and_folded_by_their_own_space(library: Flask, clock: Clock) -> None:
    import_shelves(clock, "S.0007", "S.12")
    with read_transaction():
        table = {t.id: t for t in current_snapshot(URN_GROUP).registries}[SHELVES.id]
        assert [(r.name, r.folded) for r in table.records] == [("S.0007", "s0007"), ("S.12", "s12")]
        taken = taken_index(SHELF_SPACE)
        assert taken.find_registered("s.1.2") == "s12"
        assert taken.find_registered("isbn") is None
        assert taken_index(FORMAL.space).find_registered("s12") is None


@EACH
def test_a_request_is_written_and_registered_and_its_version_kept(
    library: Flask, clock: Clock, registry: Registry
) -> None:
    import_shelves(clock, "S.0007")
    number = registered(registry, factories.cast(clock()), clock)
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None and request.state == State.ASSIGNED
        kept = names.versions_of(registry.space.id, given_name(number))
        assert [(one.registry, one.n, one.record.version) for one in kept] == [(registry.id, 1, 1)]
        record = kept[0].record
        assert record.space is registry.space
        assert record.fields == registry.public_texts(dict(record.fields)) != ()


def test_the_registry_numbers_its_names_from_what_it_took_over(
    library: Flask, clock: Clock
) -> None:
    import_shelves(clock, "S.0007")
    people = factories.cast(clock())
    numbers = [registered(SHELVES, people, clock) for _ in range(2)]
    assert [given_name(number) for number in numbers] == ["s8", "s9"]


@EACH
def test_a_name_is_published_in_the_forms_of_its_registry_and_in_no_other(
    library: Flask, clock: Clock, registry: Registry
) -> None:
    import_shelves(clock, "S.0007")
    name = given_name(registered(registry, factories.cast(clock()), clock))
    files = published(clock)
    page = registry.space.page.format(name)
    suffixes = {path.removeprefix(f"{page}.") for path in files if path.startswith(f"{page}.")}
    assert suffixes - {"atom"} == set(registry.exports)
    assert registry.template_page.format(name) in files
    assert (f"/assignments/urn-namespaces/{registry.id}.csv" in files) is (
        Format.CSV in registry.exports
    )
    for form in (Format.XML, Format.JSON, Format.TXT):
        whole = files[f"/assignments/urn-namespaces/urn-namespaces.{form}"]
        assert name in FORMATS[form].names_in(whole)
    csv = files["/assignments/urn-namespaces/urn-namespaces.csv"]
    assert (name in FORMATS[Format.CSV].names_in(csv)) is (Format.CSV in registry.exports)


def test_what_only_programs_of_urns_ask_for_has_no_other_names(
    library: Flask, clock: Clock
) -> None:
    import_shelves(clock, "S.0007")
    files = published(clock)
    derived = [body for path, body in files.items() if "urn-namespaces-" in path]
    assert any(b"isbn" in body for body in derived)
    assert not any(b"s0007" in body for body in derived)


@EACH
def test_a_name_has_a_page_at_the_path_of_its_space(
    library: Flask, clock: Clock, registry: Registry
) -> None:
    import_shelves(clock, "S.0007")
    name = given_name(registered(registry, factories.cast(clock()), clock))
    making = factories.making()
    with read_transaction():
        latest = edition_rows.latest_edition(URN_GROUP)
        assert latest is not None
        snapshot = snapshot_of(latest.n)
        pages = dict(making.site.pages(snapshot, making.chrome))
    page = pages[registry.space.page.format(name)]
    assert registry.space.whole(name) in page
    table = {t.id: t for t in snapshot.registries}[registry.id]
    for form in name_forms(table):
        assert f"{registry.space.page.format(name)}.{form}" in page
    assert MARKER not in "".join(pages.values())


@EACH
def test_a_page_is_served_where_its_space_says_in_whatever_way_the_name_is_written(
    library: Flask, clock: Clock, registry: Registry, tmp_path: Path
) -> None:
    import_shelves(clock, "S.0007")
    name = given_name(registered(registry, factories.cast(clock()), clock))
    path, otherwise = (registry.space.page.format(one) for one in (name, name.upper()))
    published(clock)
    publication.lay_out_newest(tmp_path, factories.making(), URN_GROUP)
    plane = PublishedPlane(tmp_path)
    shown = registry.space.whole(name).encode()
    assert shown in ask(plane, path).body
    assert ask(plane, f"{path}.json").status == 200
    assert ask(plane, otherwise).headers["Location"] == path
    client = library.test_client()
    assert shown in client.get(path).data
    assert client.get(otherwise).headers["Location"] == path
    assert client.get(registry.space.page.format("s999999")).status_code == 404


def test_a_private_field_is_in_no_file_and_no_record_and_can_be_erased(
    library: Flask, clock: Clock
) -> None:
    import_shelves(clock, "S.0007")
    people = factories.cast(clock())
    number = registered(SHELVES, people, clock)
    assert not [path for path, body in published(clock).items() if MARKER.encode() in body]
    assert marked_tables() == {"private_value"}
    with transaction():
        draft_rows.set_private_values(number, {PrivateField.KEEPER: ""})
    assert marked_tables() == set()


def test_a_record_with_a_private_text_is_never_written(library: Flask, clock: Clock) -> None:
    record = Registration(name="S.9", fields=((PrivateField.KEEPER, MARKER),), space=SHELF_SPACE)
    change = names.RecordChange(edition=1, cause=Cause.IMPORT)
    with pytest.raises(ValueError, match="keeper"), transaction():
        names.add_record(record, SHELVES.id, "s9", change)


def test_a_private_field_is_refused_among_the_public_ones(library: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    number = drafts.start(factories.command(people.registrant, clock()), SHELVES.id)
    mixed = drafts.DraftInput(fields={PrivateField.KEEPER: MARKER}, private={})
    with pytest.raises(InvalidInput, match="has no field"):
        drafts.save(factories.command(people.registrant, clock(), seen=1), number, mixed)


def test_a_name_is_corrected_in_whatever_way_it_is_written(library: Flask, clock: Clock) -> None:
    import_shelves(clock, "S.0007")
    people = factories.cast(clock())
    with read_transaction():
        seen = corrections.find_entry("s.00.07", SHELF_SPACE).n
    corrections.correct(
        factories.command(people.operator, clock(), seen=seen),
        "S0007",
        Correction(date="2019-01-01"),
        reason="It was older.",
        space=SHELF_SPACE,
    )
    with read_transaction():
        kept = names.versions_of(SHELF_SPACE.id, "s0007")
        assert [one.record.date for one in kept] == ["2020-02-02", "2019-01-01"]
        assert names.find_latest(FORMAL.space.id, "s0007") is None


@pytest.mark.parametrize(
    ("space", "name", "about"),
    [(SHELF_SPACE, "S.7", "shelf:s7"), (FORMAL.space, "ISBN", "isbn")],
)
def test_the_record_tells_a_name_with_its_space(
    library: Flask, clock: Clock, space: IdentifierSpace, name: str, about: str
) -> None:
    import_shelves(clock, "S.7")
    who = factories.cast(clock())
    with read_transaction():
        seen = corrections.find_entry(name, space).n
    corrections.correct(
        factories.command(who.operator, clock(), seen=seen),
        name,
        Correction(date="2019-01-01"),
        reason="It was older.",
        space=space,
    )
    with transaction():
        held = delegate_scopes.delegate_scope(name, space=space)
        delegate_rows.add(held, who.registrant.id, DelegateOrigin.EVIDENCE, clock())
    delegation.leave(factories.command(who.registrant, clock()), name, knowing=True, space=space)
    with read_transaction():
        told = {event.kind for event in delegate_rows.events_of(held, 9)}
        assert {event.kind for event in event_rows.of_name(about, told)} == told
        assert len(told) == 2


@pytest.mark.parametrize(("space", "name"), [(SHELF_SPACE, "S.7"), (FORMAL.space, "ISBN")])
def test_a_name_is_claimed_and_acted_for_in_its_own_space(
    library: Flask, clock: Clock, space: IdentifierSpace, name: str
) -> None:
    import_shelves(clock, "S.7")
    people = factories.cast(clock())
    asking, deciding = (
        factories.command(who, clock()) for who in (people.registrant, people.operator)
    )
    claims.ask_operator(asking, name, "I am on their board.", space=space)
    with read_transaction():
        (claim,) = claims.to_decide()
    claims.decide(deciding, claim.number, claims.ClaimDecision.GRANT, "Shown.")
    with read_transaction():
        told = delegation.people(people.registrant, name, space=space)
        assert (told.acts, told.named) == (True, space.whole(space.fold(name)))
        letters = db.session.scalars(select(Outbox)).all()
    page = space.page.format(space.fold(name))
    assert any(f"{page}/people" in str(letter.arguments) for letter in letters)


@pytest.mark.parametrize(("space", "name"), [(SHELF_SPACE, "S.7"), (FORMAL.space, "ISBN")])
def test_those_who_act_for_a_name_invite_transfer_and_leave_in_its_own_space(
    library: Flask, clock: Clock, space: IdentifierSpace, name: str
) -> None:
    import_shelves(clock, "S.7")
    who = factories.cast(clock()).registrant
    with transaction():
        held = delegate_scopes.delegate_scope(name, space=space)
        delegate_rows.add(held, who.id, DelegateOrigin.EVIDENCE, clock())
    asked = partial(factories.command, who, clock())
    delegation.invite(asked(), "jo@org.example", name, space=space)
    transfers.ask(asked(), name, "Wombats", "w@wombat.example", "They merged.", space=space)
    with read_transaction():
        told = delegation.people(who, name, space=space)
        assert [one.address for one in told.invited] == ["jo@org.example"]
        under_way = delegation.transfer_of(held, who)
        assert under_way is not None
        assert under_way.organization == "Wombats"
    transfers.stop(asked(), name, "They did not.", space=space)
    delegation.call_off(asked(), told.invited[0].number, name, space=space)
    delegation.leave(asked(), name, knowing=True, space=space)
    with read_transaction():
        assert not delegate_scopes.acts_for(who, held)


def test_one_key_is_not_for_two_names_that_are_written_the_same_in_two_spaces(
    library: Flask, clock: Clock
) -> None:
    import_shelves(clock, "S.7")
    who, key = factories.cast(clock()).registrant, factories.key()
    asked = partial(factories.command, who, clock(), key=key)
    claims.ask_operator(asked(), "s7", "I am on their board.", space=SHELF_SPACE)
    claims.ask_operator(asked(), "s7", "I am on their board.", space=SHELF_SPACE)  # sent again
    with pytest.raises(IdempotencyConflict):
        claims.ask_operator(asked(), "s7", "I am on their board.", space=URN_SPACE)


@EACH
def test_pages_of_a_request_are_of_its_registry_and_tell_nothing_private(
    library: Flask, clock: Clock, registry: Registry
) -> None:
    import_shelves(clock, "S.7")
    number = registered(registry, factories.cast(clock()), clock)
    shown = registry.space.whole(given_name(number))
    pages = {
        path: library.test_client().get(f"/requests/{path}").get_data(as_text=True)
        for path in ("", f"{number}", f"{number}/iterations/1", f"{number}/record.txt")
    }
    assert [path for path, page in pages.items() if shown not in unescape(page)] == []
    text = library.test_client().get(f"/requests/{number}/iterations/1.txt").text
    said = [one.label for one in registry.public_fields if f"{one.label}:" in text]
    assert len(said) >= 2
    assert not any(MARKER in page for page in (*pages.values(), text))
