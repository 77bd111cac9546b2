"""The registry as a whole: set up once, imported, told apart from IANA's."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from flask import Flask

from app.config import NOTICES
from app.exports.formats.xml import xml_bytes
from app.exports.formats.xml_reader import UnreadableRegistry
from app.factory import asset_dir
from app.registration.declarations.registries import FORMAL, INFORMAL, URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.record_documents import head_to
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    Status,
    Xref,
    XrefType,
)
from app.services.editions import edition_build
from app.services.operations import database_binding
from app.services.registry import snapshots
from app.services.registry.import_plans import ImportPlan
from app.services.registry.snapshots import WrongRegistry, current_snapshot, import_xml
from app.services.stored_editions import stored_files
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.registry import edition_snapshots, name_rows
from app.store.registry import record_versions as names
from app.store.tables.accounts import Grant
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from app.workflow.engine import ActionRefused
from app.workflow.states import Action
from tests import factories
from tests.conftest import START, Clock
from tests.exports.canonical import canonical
from tests.store.conftest import NewDatabase, opened
from tests.store.schema import dump

pytestmark = pytest.mark.all_names


@pytest.fixture
def real(shared: Path) -> bytes:
    """IANA's file."""
    return (shared / "data/iana/urn-namespaces/urn-namespaces.xml").read_bytes()


def records(**changes: Callable[[Registration], Registration | None]) -> bytes:
    """The bundled registry as a file, some of its records changed or, for None, left out."""
    shipped = snapshots.bundled_snapshot()
    tables = tuple(
        replace(
            table,
            records=tuple(
                changed
                for record in table.records
                if (changed := changes.get(record.name, replace)(record))
            ),
        )
        for table in shipped.registries
    )
    return xml_bytes(replace(shipped, registries=tables))


def give(record: Registration, at: datetime) -> None:
    """Let a name stand from a new edition on, by nobody's request."""
    edition = edition_rows.add_edition(
        URN_GROUP,
        as_of=at,
        updated="2026-09-01",
        origin=EditionOrigin.LOCAL,
        cause=Cause.CORRECTION,
        notice="",
    )
    change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
    names.add_record(record, FORMAL.id, record.folded, change)


def is_taken(name: str) -> bool:
    return snapshots.taken_index(URN_SPACE).find_registered(name) is not None


def is_same(written: bytes, read: bytes) -> bool:
    """Whether two files are one document; up to 2019 IANA named its schema in another way."""
    return body(written) == body(read)


def body(data: bytes) -> bytes:
    return canonical(data).partition(b"<registry")[2]


def standing() -> RegistrySnapshot:
    with read_transaction():
        return current_snapshot(URN_GROUP)


def test_a_registry_is_set_up_once(app: Flask, clock: Clock) -> None:
    before = dump()
    assert snapshots.initialize("", clock()) is None
    assert dump() == before
    shipped = snapshots.bundled_snapshot()
    assert list(standing().records()) == list(shipped.records())
    assert head_to(shipped) == edition_snapshots.head_document(1)


@pytest.mark.parametrize("taken", [499, 500, 700])
def test_of_many_names_none_is_given_where_one_is_taken(app: Flask, taken: int) -> None:
    records = [Registration(name=f"many-{n}") for n in range(800)]
    records[taken] = Registration(name="ISBN" if taken == 499 else "MANY-0")
    entries = [names.RecordEntry(record, FORMAL.id, record.folded) for record in records]
    before = dump()
    with pytest.raises(name_rows.NameTaken, match=records[taken].name), transaction():
        names.add_records(entries, names.RecordChange(edition=1, cause=Cause.IMPORT))
    assert dump() == before


def test_a_registry_can_begin_empty(new_database: NewDatabase, tmp_path: Path) -> None:
    with opened(new_database(), tmp_path):
        database_binding.migrate(asset_dir("migrations"))
        plan = snapshots.initialize("", START, empty=True)
        assert plan is not None
        assert plan.added == ()
        assert list(standing().records()) == []
        assert standing().people == ()


def test_the_real_file_says_what_it_changes_and_a_dry_run_changes_nothing(
    app: Flask, clock: Clock, real: bytes
) -> None:
    before = dump()
    plan = import_xml(real, clock(), dry_run=True)
    # the bundled facts leave out people's addresses, one of which is the label of a reference
    assert (plan.added, plan.changed, plan.kept) == ((), ("said",), ("ad-id",))
    assert (len(plan.same), len(plan.people_changed), plan.people_gone) == (104, 10, ())
    assert not plan.head_changed
    assert dump() == before


def test_the_real_file_is_taken_over_once(app: Flask, clock: Clock, real: bytes) -> None:
    planned = import_xml(real, clock(), dry_run=True)
    assert import_xml(real, clock()) == planned
    with read_transaction():
        latest = edition_rows.latest_edition(URN_GROUP)
        assert latest is not None
        assert (latest.n, latest.origin, latest.updated) == (
            2,
            EditionOrigin.IMPORTED,
            "2026-07-28",
        )
    before = dump()
    assert import_xml(real, clock()).is_empty
    assert dump() == before


@pytest.mark.parametrize("authority", NOTICES)
@pytest.mark.slow
def test_an_imported_edition_is_written_as_it_was_read(
    app: Flask, clock: Clock, real: bytes, authority: str
) -> None:
    import_xml(real, clock(), notice=NOTICES[authority])
    assert standing().notice == ""
    assert is_same(xml_bytes(standing()), real)
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        path = "/assignments/urn-namespaces/urn-namespaces.xml"
        file = next(file for file in stored_files.files_of(2) if file.path == path)
        assert is_same(edition_rows.content(file.sha256), real)


def test_old_editions_one_after_the_other_are_written_as_they_were_read(
    new_database: NewDatabase, tmp_path: Path, shared: Path
) -> None:
    files = sorted((shared / "data/iana/history").glob("*.xml"))[16::12]
    with opened(new_database(), tmp_path):
        database_binding.migrate(asset_dir("migrations"))
        snapshots.initialize(NOTICES["private"], START, empty=True)
        for file in files:
            import_xml(file.read_bytes(), START)
            assert is_same(xml_bytes(standing()), file.read_bytes()), file.name
    assert len(files) > 4


def test_a_local_edition_says_that_it_is_not_ianas(app: Flask, clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock())
    snapshot = standing()
    assert (snapshot.edition, snapshot.notice, snapshot.notes) == (2, NOTICES["private"], ())
    assert snapshot.updated == clock().date().isoformat()
    assert NOTICES["private"].encode() in xml_bytes(snapshot)


def test_an_official_edition_has_the_registrys_own_note(
    new_database: NewDatabase, tmp_path: Path
) -> None:
    with opened(new_database(), tmp_path):
        database_binding.migrate(asset_dir("migrations"))
        snapshots.initialize("", START)
        snapshot = standing()
        assert (snapshot.notice, snapshot.notes) == ("", snapshots.bundled_snapshot().notes)


def test_an_import_into_a_registry_with_names_of_its_own_still_says_what_it_is(
    app: Flask, clock: Clock
) -> None:
    clock.on(days=100)
    factories.registered(factories.cast(clock()), clock())
    newer = records(isbn=lambda record: replace(record, date="1999-01-01"))
    plan = import_xml(newer, clock(), notice=NOTICES["private"])
    assert (plan.changed, plan.kept) == (("isbn",), ("ad-id", "quokka"))
    snapshot = standing()
    assert snapshot.notice == NOTICES["private"]
    assert snapshot.updated == clock().date().isoformat()
    assert "quokka" in {record.name for record in snapshot.records()}
    assert import_xml(newer, clock()).is_empty


def test_a_file_changes_facts_and_leaves_what_no_file_holds(app: Flask, clock: Clock) -> None:
    factories.registered(factories.cast(clock()), clock())
    given = next(record for record in standing().records() if record.name == "quokka")
    rfc = Xref(XrefType.RFC, "rfc8141")
    taken_over = replace(given, name="QUOKKA", references=(rfc,), fields=(), request=None)
    shipped = snapshots.bundled_snapshot()
    formal, informal = shipped.registries
    placed = tuple(sorted((*formal.records, taken_over), key=lambda record: record.folded))
    data = xml_bytes(replace(shipped, registries=(replace(formal, records=placed), informal)))
    assert "quokka" in import_xml(data, clock()).changed
    after = next(record for record in standing().records() if record.folded == "quokka")
    (reference,) = after.references
    assert (after.name, reference.data) == ("QUOKKA", rfc.data)
    assert (after.fields, after.request, after.version) == (given.fields, given.request, 1)


def test_names_stand_in_the_order_of_the_file_imported_last(app: Flask, clock: Clock) -> None:
    shipped = snapshots.bundled_snapshot()
    formal, informal = shipped.registries
    order = (*formal.records[10:20], *formal.records[:10], *formal.records[20:])
    shuffled = replace(shipped, registries=(replace(formal, records=order), informal))
    data = xml_bytes(shuffled)
    assert import_xml(data, clock()).changed
    current = [record.name for record in order if record.status is not Status.FORMER]
    stands = [
        record.name
        for record in standing().registries[0].records
        if record.status is not Status.FORMER
    ]
    assert stands == current
    assert import_xml(data, clock()).is_empty


def test_a_former_name_stays_former_and_taken(app: Flask, clock: Clock) -> None:
    def former() -> Registration:
        with read_transaction():
            found = names.find_record("nid", "ad-id")
            assert name_rows.is_taken("nid", "ad-id")
        assert found is not None
        return found[1]

    assert (former().status, former().successor) == (Status.FORMER, "adid")
    import_xml(records(isbn=lambda _: None), clock())
    assert former().status is Status.FORMER
    number = factories.assignable(factories.cast(clock()).registrant, clock())
    factories.change_request(number, asked_name="ad-id")
    with pytest.raises(ActionRefused, match="Report collision"):
        factories.act(
            number,
            Action.REGISTER,
            factories.person("o@x.example", clock(), Grant.OPERATOR),
            clock(),
            reference=factories.REFERENCE,
        )


def test_informal_numbers_go_on_after_those_of_the_file(app: Flask, clock: Clock) -> None:
    def higher(record: Registration) -> Registration:
        return replace(record, name="urn-41")

    import_xml(records(**{"urn-8": higher}), clock())
    number = factories.registered(factories.cast(clock()), clock(), informal=True)
    assert number
    assert standing().registries[1].records[-1].name == "urn-42"
    import_xml(records(), clock())  # an older file takes no number back
    people = factories.cast(clock())
    factories.registered(people, clock(), informal=True)
    assert standing().registries[1].records[-1].name == "urn-43"


def test_people_whom_the_file_no_longer_lists_go_and_stay_in_older_editions(
    app: Flask, clock: Clock
) -> None:
    shipped = snapshots.bundled_snapshot()
    gone = shipped.people[0]
    changed = Person(id=shipped.people[1].id, name="Another name")
    plan = import_xml(xml_bytes(replace(shipped, people=(changed, *shipped.people[2:]))), clock())
    assert (plan.people_changed, plan.people_gone) == ((changed.id,), (gone.id,))
    assert standing().people[0] == changed
    with read_transaction():
        assert snapshots.snapshot_of(1).people == shipped.people
    assert import_xml(xml_bytes(shipped), clock()).people_changed == (gone.id, changed.id)
    assert standing().people == shipped.people


def test_people_whom_a_name_that_stays_refers_to_stay(app: Flask, clock: Clock) -> None:
    person = snapshots.bundled_snapshot().people[0]
    with transaction():
        give(Registration(name="wombat", references=(Xref(XrefType.PERSON, person.id),)), clock())
    shipped = snapshots.bundled_snapshot()
    assert import_xml(xml_bytes(replace(shipped, people=())), clock()).people_gone == tuple(
        sorted(other.id for other in shipped.people[1:])
    )


LAUGHS = b"".join(
    [
        b'<!DOCTYPE registry [<!ENTITY a0 "ha">',
        *(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 30)),
        b"]><registry>&a29;</registry>",
    ]
)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"junk",
        b"\x00\xff" * 100,
        b"<registry",
        b"<registry/>",
        LAUGHS,
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><registry>&x;</registry>',
        b'<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd"><registry/>',
        b"<a>" * 10_000,
        records().replace(b"<name>isbn</name>", b"<name>issn</name>"),
        records().replace(b"<name>isbn</name>", b"<name>isbn</name><script/>"),
        records()[:-200],
    ],
    ids=lambda data: repr(data[:30]),
)
def test_a_hostile_file_is_refused_and_nothing_is_stored(
    app: Flask, clock: Clock, data: bytes
) -> None:
    before = dump()
    with pytest.raises(UnreadableRegistry):
        import_xml(data, clock())
    assert dump() == before


def test_another_registry_is_refused(app: Flask, clock: Clock) -> None:
    data = records().replace(INFORMAL.id.encode(), b"urn-namespaces-3")
    with pytest.raises(WrongRegistry, match="tables of this file"):
        import_xml(data, clock())


def test_the_index_of_taken_names_follows_the_editions(app: Flask, clock: Clock) -> None:
    assert not is_taken("quokka")
    factories.registered(factories.cast(clock()), clock())
    assert is_taken("quokka")
    assert snapshots.taken_index(URN_SPACE) is snapshots.taken_index(URN_SPACE)


def test_a_number_that_was_rolled_back_leaves_no_index_behind(app: Flask, clock: Clock) -> None:
    with pytest.raises(ZeroDivisionError), transaction():
        give(Registration(name="wombat"), clock())
        assert is_taken("wombat")
        raise ZeroDivisionError
    with transaction():
        give(Registration(name="numbat"), clock.on(seconds=1))
    assert is_taken("numbat")
    assert not is_taken("wombat")


def test_a_plan_without_changes_is_empty() -> None:
    nothing = ImportPlan((), (), ("isbn",), ("ad-id",), False, (), (), False)
    assert nothing.is_empty
    assert not replace(nothing, is_newer=True).is_empty
    assert not replace(nothing, people_gone=("x",)).is_empty
