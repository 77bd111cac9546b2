"""Imports keep the registry's rules, and no record stops publication for good."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from flask import Flask

from app.bundles.edition_checks import EditionRefused
from app.exports.formats.xml import xml_bytes
from app.registration.declarations.registries import FORMAL, INFORMAL, URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.registry_records import Registration, Status, Xref, XrefType
from app.services.delegates import delegate_scopes
from app.services.editions import edition_build
from app.services.operations.edition_verification import verify_database
from app.services.refusals import InvalidInput, NameUnregistered, Refusal
from app.services.registrations.corrections import Correction, correct
from app.services.registrations.namespace_profiles import import_profiles
from app.services.registry import snapshots, withheld_records
from app.services.registry.bundled_profiles import ProfileEntry
from app.services.registry.import_plans import UnfitNames
from app.services.registry.record_import import RecordImport, import_records
from app.services.registry.snapshots import current_snapshot, import_xml, snapshot_of
from app.services.registry.template_files import import_templates
from app.services.registry.withheld_records import RecordPublished, release_record, withhold_record
from app.store.database import db, read_transaction, transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows, search_index
from app.store.registry import record_versions as names
from app.store.tables import Event
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject
from tests import factories
from tests.conftest import Clock
from tests.store.schema import dump

pytestmark = pytest.mark.all_names

RFC = Xref(XrefType.RFC, "rfc8141")
NEVER = ["urn", "a", "a/b", "foo_bar", "x" * 33, "-abc", "abc-", "  abcd  ", "f\u00fcr"]
LEGACY = ["xn--abc", "x-foo", "ad-foo", "urn-77", "fr"]
WHY = "No edition can be built with it."


def file_with(*formal: str, informal: str = "") -> bytes:
    """The bundled registry as a file, with more names."""
    first, second = snapshots.bundled_snapshot().registries
    more = tuple(Registration(name=name, references=(RFC,)) for name in formal)
    number = (Registration(name=informal, contact=(RFC,)),) if informal else ()
    tables = (
        replace(first, records=(*first.records, *more)),
        replace(second, records=(*second.records, *number)),
    )
    return xml_bytes(replace(snapshots.bundled_snapshot(), registries=tables))


def listed() -> set[str]:
    with read_transaction():
        return {record.name for record in current_snapshot(URN_GROUP).records()}


def last_event() -> Event:
    found = db.session.query(Event).order_by(Event.n.desc()).first()
    assert found is not None
    return found


def built() -> list[int]:
    return edition_build.build_pending(None, factories.PLACE)


def problems() -> list[str]:
    """What `urn-registry verify` reports of the database."""
    return list(verify_database(lambda *_: lambda _done: None))


def informal_number(clock: Clock) -> str:
    number = factories.registered(factories.cast(clock()), clock(), informal=True)
    return factories.assigned(number)


@pytest.mark.parametrize("dry_run", [True, False], ids=["dry", "real"])
@pytest.mark.parametrize("name", [*NEVER, *LEGACY])
def test_an_import_refuses_a_new_name_as_the_form_does(
    app: Flask, clock: Clock, name: str, dry_run: bool
) -> None:
    before = dump()
    with pytest.raises(UnfitNames) as refused:
        import_xml(file_with(name), clock(), dry_run=dry_run)
    for problem in FORMAL.space.check(name, FORMAL.kind, URN_SPACE.index((), ())).problems:
        assert problem.message in str(refused.value)
    assert ("--allow-legacy" in str(refused.value)) is (name in LEGACY)
    assert dump() == before


@pytest.mark.parametrize("name", NEVER)
def test_no_option_imports_a_name_that_no_urn_begins_with(
    app: Flask, clock: Clock, name: str
) -> None:
    with pytest.raises(UnfitNames):
        import_xml(file_with(name), clock(), allow_legacy=True)
    with pytest.raises(Refusal):
        import_records(RecordImport(records={FORMAL.id: [Registration(name=name)]}), clock())


def test_an_informal_number_that_the_counter_cannot_reach_is_refused(
    app: Flask, clock: Clock
) -> None:
    with pytest.raises(UnfitNames, match="at most 9 digits"):
        import_xml(file_with(informal=f"urn-{10**20}"), clock(), allow_legacy=True)


def test_a_formal_table_does_not_hide_a_number_that_the_counter_cannot_reach(
    app: Flask, clock: Clock
) -> None:
    with pytest.raises(UnfitNames, match="9 digits"):
        import_xml(file_with(f"urn-{10**11}"), clock(), allow_legacy=True)


def test_a_legacy_name_is_imported_on_request_and_marked_in_the_event_log(
    app: Flask, clock: Clock
) -> None:
    plan = import_xml(file_with(*LEGACY), clock(), allow_legacy=True)
    assert set(LEGACY) <= listed()
    assert len(plan.legacy) == len(LEGACY)
    with read_transaction():
        assert last_event().body.count("Legacy name: ") == len(LEGACY)
    assert built() == [1, 2]
    again = import_xml(file_with(*LEGACY), clock())  # they are in the registry now
    assert again.is_empty


def test_informal_numbers_step_past_a_number_taken_by_a_formal_namespace(
    app: Flask, clock: Clock
) -> None:
    import_xml(file_with("urn-9", "urn-10", "urn-12"), clock(), allow_legacy=True)
    assert [informal_number(clock) for _ in range(3)] == ["urn-11", "urn-13", "urn-14"]
    built()
    assert problems() == []


def test_a_dry_run_meets_the_constraints_of_the_database(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "check_new_names", lambda *_, **__: ())
    before = dump()
    for dry_run in (True, False):
        with pytest.raises(Exception, match=r"(?i)check constraint"):
            import_xml(file_with("f\u00fcr"), clock(), dry_run=dry_run)
        assert dump() == before


def _correct(clock: Clock) -> None:
    people = factories.cast(clock())
    command = replace(factories.command(people.operator, clock()), seen=1)
    correct(command, "isbn", Correction(date="1999-01-01"), reason=WHY, space=URN_SPACE)


def _profiles(clock: Clock) -> None:
    profile = NamespaceProfile(names="things")
    with transaction():
        give(Registration(name="wombat", references=(RFC,)), clock())
    import_profiles(clock(), notice="", entries={"wombat": ProfileEntry(profile)})


ENTRANCES: dict[str, Callable[[Clock], object]] = {
    "import": lambda clock: import_xml(file_with("wombat"), clock()),
    "records": lambda clock: import_records(
        RecordImport(records={FORMAL.id: [Registration(name="wombat")]}), clock()
    ),
    "templates": lambda clock: import_templates(
        {"isbn": ("isbn.txt", "Words.")}, clock(), notice="", force=True
    ),
    "profiles": _profiles,
    "correction": _correct,
    "registration": lambda clock: factories.registered(factories.cast(clock()), clock()),
}


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_an_edition_that_cannot_be_built_is_refused_before_the_commit(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch, entrance: str
) -> None:
    def refuse(*_given: object) -> None:
        raise EditionRefused("The csv file doesn't match the names of the registry.")

    with read_transaction():
        latest = edition_rows.latest_edition(URN_GROUP)
    monkeypatch.setattr(snapshots, "check_files", refuse)
    with pytest.raises(InvalidInput, match="can’t be published"):
        ENTRANCES[entrance](clock)
    with read_transaction():
        made = 1 if entrance == "profiles" else 0  # its name came by an edition of its own
        assert latest is not None
        now = edition_rows.latest_edition(URN_GROUP)
        assert now is not None
        assert now.n == latest.n + made


# ---- withholding


def give(record: Registration, at: datetime) -> int:
    """Write a record as an entrance without any check would, in an edition of its own."""
    edition = edition_rows.add_edition(
        URN_GROUP,
        as_of=at,
        updated="2026-09-01",
        origin=EditionOrigin.LOCAL,
        cause=Cause.IMPORT,
        notice="",
    )
    change = names.RecordChange(edition=edition, cause=Cause.IMPORT)
    if names.find_latest(URN_SPACE.id, record.folded) is None:
        names.add_record(record, FORMAL.id, record.folded, change)
    else:
        names.add_version(record, FORMAL.id, record.folded, change)
    return edition


@pytest.mark.parametrize("name", ["-abc", "  abcd  "])
def test_publication_continues_without_a_withheld_record(
    app: Flask, clock: Clock, name: str
) -> None:
    assert built() == [1]
    with transaction():
        give(Registration(name=name, references=(RFC,)), clock())
    factories.registered(factories.cast(clock()), clock())
    assert built() == []
    assert [each for each, _why in withheld_records.blocking_records()] == [name]
    done = withhold_record(name, WHY, clock())
    assert (done.editions, done.is_listed) == ((2, 3), False)
    assert built() == [2, 3]
    assert "quokka" in listed()
    assert name not in listed()
    assert withheld_records.blocking_records() == []
    with read_transaction():
        assert edition_rows.standing_failures(10) == []
        event = event_rows.last_of(EventSubject.NAME, name, withheld_records.WITHHELD)
        assert event is not None
        assert (event.reason, event.role) == (WHY, "operator")
        assert name_rows.is_taken(URN_SPACE.id, name)
        found = search_index.newest(500, (FORMAL.id, INFORMAL.id))
        assert name not in {hit.record.name for hit in found}
    assert problems() == []
    with pytest.raises(InvalidInput, match="can’t be published"):
        release_record(name, WHY, clock())
    assert built() == []


@pytest.mark.postgresql
def test_a_name_with_blanks_from_an_older_import_is_indexed(app: Flask, clock: Clock) -> None:
    with transaction():
        record = Registration(name="  ab  cd  ", date="2026-09-01", references=(RFC,))
        give(record, clock())
    with read_transaction():
        found = search_index.newest(500, (FORMAL.id,))
    assert "  ab  cd  " in {hit.record.name for hit in found}


def test_a_version_is_withheld_and_the_published_one_before_it_stays(
    app: Flask, clock: Clock
) -> None:
    assert built() == [1]
    with read_transaction():
        stood = names.find_latest(URN_SPACE.id, "isbn")
    assert stood is not None
    bad = Xref(XrefType.URI, "https://example.org/", "a\x01b")
    with transaction():
        give(replace(stood.record, references=(bad,)), clock())
    assert built() == []
    assert withhold_record("ISBN", WHY, clock()).is_listed
    assert built() == [2]
    with read_transaction():
        assert names.find_latest(URN_SPACE.id, "isbn") == stood
        (isbn,) = (one for one in snapshot_of(2).records() if one.name == "isbn")
        assert isbn == stood.record
    people = factories.cast(clock())
    command = replace(factories.command(people.operator, clock()), seen=stood.n)
    correct(command, "isbn", Correction(date="1999-01-01"), reason=WHY, space=URN_SPACE)
    assert built() == [3]
    assert problems() == []


def test_a_namespace_whose_end_was_withheld_stays_among_those_of_its_delegates(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    factories.registered(people, clock())
    built()
    with transaction():
        stood = names.find_latest(URN_SPACE.id, "quokka")
        assert stood is not None
        give(replace(stood.record, status=Status.FORMER), clock())
    withhold_record("quokka", WHY, clock())
    with read_transaction():
        assert delegate_scopes.names_of(people.registrant, URN_SPACE) == ["quokka"]


def test_a_withheld_record_is_released_into_the_next_edition(app: Flask, clock: Clock) -> None:
    built()
    with transaction():
        give(Registration(name="wombat", references=(RFC,)), clock())
    withhold_record("wombat", WHY, clock())
    assert built() == [2]
    assert "wombat" not in listed()
    with pytest.raises(UnfitNames, match="registry release"):
        import_xml(file_with("wombat"), clock())
    assert release_record("wombat", "It can be published now.", clock()) == 3
    assert built() == [3]
    assert "wombat" in listed()
    with pytest.raises(NameUnregistered):
        release_record("wombat", WHY, clock())
    with pytest.raises(RecordPublished):
        withhold_record("wombat", WHY, clock())
    assert problems() == []


def test_withholding_needs_a_reason_and_a_registered_name(app: Flask, clock: Clock) -> None:
    with pytest.raises(InvalidInput):
        withhold_record("isbn", " ", clock())
    with pytest.raises(NameUnregistered):
        withhold_record("wombat", WHY, clock())
