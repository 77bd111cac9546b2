"""What is asked of the engine with the registry that tests make up, asked of it with NAANs."""

from functools import partial
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from app.exports.formats.exporters import FORMATS, name_forms
from app.published.plane import PublishedPlane
from app.registration.declarations.naan_registries import NAANS, PrivateNaanField
from app.registration.declarations.registries import FORMAL, URN_SPACE, Format
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.services.delegates import claims, delegate_scopes, delegation, transfers
from app.services.editions import edition_build, publication
from app.services.refusals import IdempotencyConflict, InvalidInput
from app.services.registrations import corrections
from app.services.registrations.corrections import Correction
from app.services.registry.snapshots import snapshot_of, taken_index
from app.services.requests import drafts
from app.services.stored_editions import stored_files
from app.store.accounts import delegate_rows
from app.store.database import Base, db, read_transaction, transaction
from app.store.editions import edition_rows
from app.store.registry import record_versions as names
from app.store.requests import draft_rows, request_rows
from app.store.tables import Outbox, Request
from app.store.tables.delegates import DelegateOrigin
from app.workflow.states import State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.published.bundles import ask
from tests.store.schema import rows_of

SPACE = NAANS.space
CONTACT = "Robin Registrant"


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    return factories.cast(clock())


@pytest.fixture
def naan(people: Cast, clock: Clock) -> str:
    """A NAAN that was asked for and registered."""
    return factories.registered_naan(people, clock())


def request_of(naan: str) -> int:
    with read_transaction():
        return db.session.scalars(select(Request.number).where(Request.assigned_name == naan)).one()


def published(clock: Clock) -> dict[str, bytes]:
    """Every file of the newest edition of NAANs, by its path."""
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert edition_rows.failures(10) == []
        latest = edition_rows.latest_edition(NAAN_GROUP)
        assert latest is not None
        files = stored_files.files_of(latest.n)
        return {file.path: edition_rows.content(file.sha256) or b"" for file in files}


def test_names_are_folded_by_their_own_space(naan: str) -> None:
    with read_transaction():
        taken = taken_index(SPACE)
        assert taken.find_registered(SPACE.fold(naan.upper())) == SPACE.fold(naan)
        assert taken.find_registered("isbn") is None
        assert taken_index(FORMAL.space).find_registered(naan) is None


def test_a_request_is_written_and_registered_and_its_version_kept(naan: str) -> None:
    with read_transaction():
        request = request_rows.find_request(request_of(naan))
        assert request is not None and request.state == State.ASSIGNED
        kept = names.versions_of(SPACE.id, naan)
        assert [(one.registry, one.n) for one in kept] == [(NAANS.id, 1)]
        record = kept[0].record
        assert record.space is SPACE
        assert record.fields == NAANS.public_texts(dict(record.fields)) != ()


def test_no_number_is_given_twice(naan: str, people: Cast, clock: Clock) -> None:
    more = [factories.registered_naan(people, clock()) for _ in range(2)]
    assert len({naan, *more}) == 3


def test_a_name_is_published_in_the_forms_of_its_registry_and_in_no_other(
    naan: str, clock: Clock
) -> None:
    files = published(clock)
    page = SPACE.page.format(naan)
    suffixes = {path.removeprefix(f"{page}.") for path in files if path.startswith(f"{page}.")}
    assert suffixes - {"atom"} == set(NAANS.name_exports or ())
    for form in set(NAANS.exports) - {Format.XHTML}:
        assert naan in FORMATS[form].names_in(files[f"/assignments/naans/naans.{form}"])


def test_what_only_programs_of_urns_ask_for_has_no_other_names(naan: str, clock: Clock) -> None:
    published(clock)
    with read_transaction():
        latest = edition_rows.newest_built(NAAN_GROUP)
        assert latest is not None
        assert not [file for file in stored_files.files_of(latest) if "urn-" in file.path]


def test_a_name_has_a_page_at_the_path_of_its_space(naan: str) -> None:
    making = factories.making()
    with read_transaction():
        latest = edition_rows.latest_edition(NAAN_GROUP)
        assert latest is not None
        snapshot = snapshot_of(latest.n)
        pages = dict(making.site.pages(snapshot, making.chrome))
    page = pages[SPACE.page.format(naan)]
    assert SPACE.whole(naan) in page
    table = {t.id: t for t in snapshot.registries}[NAANS.id]
    for form in name_forms(table):
        assert f"{SPACE.page.format(naan)}.{form}" in page
    assert CONTACT not in "".join(pages.values())


def test_a_page_is_served_where_its_space_says(
    naan: str, app: Flask, clock: Clock, tmp_path: Path
) -> None:
    path = SPACE.page.format(naan)
    published(clock)
    publication.lay_out_newest(tmp_path, factories.making(), NAAN_GROUP)
    plane = PublishedPlane(tmp_path)
    shown = SPACE.whole(naan).encode()
    assert shown in ask(plane, path).body
    assert ask(plane, f"{path}.json").status == 200
    client = app.test_client()
    assert shown in client.get(path).data
    assert client.get(SPACE.page.format("99998")).status_code == 404


def test_a_private_field_is_in_no_file_and_can_be_erased(naan: str, clock: Clock) -> None:
    number, marker = request_of(naan), "robin@wombat.example"
    assert not [path for path, body in published(clock).items() if marker.encode() in body]
    fields = [PrivateNaanField.CONTACT, PrivateNaanField.ADDRESS]
    with transaction():
        draft_rows.set_private_values(number, dict.fromkeys(fields, ""))
    tables = {table for table in Base.metadata.tables if marker in str(rows_of(table))}
    assert tables <= {"outbox", "naan_contact"}, "what was sent, and who is asked once a year"


def test_a_private_field_is_refused_among_the_public_ones(people: Cast, clock: Clock) -> None:
    number = drafts.start(factories.command(people.registrant, clock()), NAANS.id)
    mixed = drafts.DraftInput(fields={PrivateNaanField.CONTACT: CONTACT}, private={})
    with pytest.raises(InvalidInput, match="has no field"):
        drafts.save(factories.command(people.registrant, clock(), seen=1), number, mixed)


def test_a_name_is_corrected_in_whatever_way_it_is_written(
    naan: str, people: Cast, clock: Clock
) -> None:
    with read_transaction():
        seen = corrections.find_entry(naan.upper(), SPACE).n
    corrections.correct(
        factories.command(people.operator, clock(), seen=seen),
        naan.upper(),
        Correction(date="2019-01-01"),
        reason="It was older.",
        space=SPACE,
    )
    with read_transaction():
        kept = names.versions_of(SPACE.id, naan)
        assert [one.record.date for one in kept][1:] == ["2019-01-01"]
        assert names.find_latest(FORMAL.space.id, naan) is None


def test_a_name_is_claimed_and_acted_for_in_its_own_space(
    naan: str, people: Cast, clock: Clock
) -> None:
    asking, deciding = (factories.command(who, clock()) for who in (people.rival, people.operator))
    claims.ask_operator(asking, naan, "I am on their board.", space=SPACE)
    with read_transaction():
        (claim,) = claims.to_decide()
    claims.decide(deciding, claim.number, claims.ClaimDecision.GRANT, "Shown.")
    with read_transaction():
        told = delegation.people(people.rival, naan, space=SPACE)
        assert (told.acts, told.named) == (True, SPACE.whole(naan))
        letters = db.session.scalars(select(Outbox)).all()
    page = SPACE.page.format(naan)
    assert any(f"{page}/people" in str(letter.arguments) for letter in letters)


def test_those_who_act_for_a_name_invite_transfer_and_leave_in_its_own_space(
    naan: str, people: Cast, clock: Clock
) -> None:
    who = people.rival
    with transaction():
        held = delegate_scopes.delegate_scope(naan, space=SPACE)
        delegate_rows.add(held, who.id, DelegateOrigin.EVIDENCE, clock())
    asked = partial(factories.command, who, clock())
    delegation.invite(asked(), "jo@org.example", naan, space=SPACE)
    transfers.ask(asked(), naan, "Wombats", "w@wombat.example", "They merged.", space=SPACE)
    with read_transaction():
        told = delegation.people(who, naan, space=SPACE)
        assert [one.address for one in told.invited] == ["jo@org.example"]
        under_way = delegation.transfer_of(held, who)
        assert under_way is not None
        assert under_way.organization == "Wombats"
    transfers.stop(asked(), naan, "They did not.", space=SPACE)
    delegation.call_off(asked(), told.invited[0].number, naan, space=SPACE)
    delegation.leave(asked(), naan, knowing=True, space=SPACE)
    with read_transaction():
        assert not delegate_scopes.acts_for(who, held)


def test_one_key_is_not_for_two_names(naan: str, people: Cast, clock: Clock) -> None:
    asked = partial(factories.command, people.rival, clock(), key=factories.key())
    claims.ask_operator(asked(), naan, "I am on their board.", space=SPACE)
    claims.ask_operator(asked(), naan, "I am on their board.", space=SPACE)  # sent again
    with pytest.raises(IdempotencyConflict):
        claims.ask_operator(asked(), "isbn", "I am on their board.", space=URN_SPACE)


def test_pages_of_a_request_are_of_its_registry_and_tell_nothing_private(
    naan: str, app: Flask
) -> None:
    number, shown = request_of(naan), SPACE.whole(naan)
    pages = {
        path: app.test_client().get(f"/requests/{path}").get_data(as_text=True)
        for path in ("", f"{number}", f"{number}/iterations/1", f"{number}/record.txt")
    }
    assert [path for path, page in pages.items() if shown not in unescape(page)] == []
    text = app.test_client().get(f"/requests/{number}/iterations/1.txt").text
    said = [one.label for one in NAANS.public_fields if f"{one.label}:" in text]
    assert len(said) >= 2
    assert not any("robin@wombat.example" in page for page in (*pages.values(), text))
