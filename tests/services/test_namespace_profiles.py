"""What namespaces say of themselves: there from the first, taken over once, corrected, found."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from flask import Flask

from app.config import NOTICES
from app.exports.editions.changes import registry_changes
from app.exports.formats.exporters import FORMATS
from app.exports.formats.json_reader import read_json
from app.exports.formats.xml import xml_bytes
from app.identifiers.equivalence import PLAIN, Equivalence, EquivalenceOperation, EquivalenceRule
from app.registration.declarations.registries import URN_SPACE, Format
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_documents import profile_to
from app.registration.profiles.profile_records import (
    NO_PROFILE,
    ExampleName,
    NamespaceProfile,
    NssPattern,
    Resolution,
    ResolutionService,
    ServiceKind,
)
from app.registration.records.registry_records import Registration, Status
from app.services.refusals import EditConflict, InvalidInput, NotAllowed, Refusal
from app.services.registrations.corrections import (
    Correction,
    correct,
    find_entry,
    history_of,
    look,
)
from app.services.registrations.namespace_profiles import (
    InvalidProfile,
    ProfileImport,
    import_profiles,
)
from app.services.registry.bundled_profiles import (
    BrokenProfiles,
    ProfileEntry,
    bundled_profiles,
    read_profiles,
    with_bundled_profile,
)
from app.services.registry.snapshots import current_snapshot, import_xml, snapshot_of
from app.services.use_cases import Command
from app.store.database import db, read_transaction, transaction
from app.store.editions import edition_rows
from app.store.registry import record_versions as names
from app.store.tables import Event
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.services.test_finding import names_in, view
from tests.store.schema import dump
from tests.web.visitor import Visitor

SERVICE = ResolutionService(kind=ServiceKind.LOCATION, target="https://www.example.org/{+nss}")
RULES = Equivalence((EquivalenceRule(EquivalenceOperation.DROP, "4.2", "-"),))


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def record(name: str) -> Registration:
    with read_transaction():
        return find_entry(name, URN_SPACE).record


def taken(clock: Clock, **given: Any) -> ProfileImport:
    return import_profiles(clock(), notice=NOTICES["private"], **given)


def changed(name: str, **facts: Any) -> Correction:
    """A correction of what a namespace says, the rest as it stands."""
    profile = replace(record(name).profile, **facts)
    return Correction(profile=profile)


WHY = "It is so."


def order(people: Cast, clock: Clock, name: str) -> Command:
    with read_transaction():
        seen = find_entry(name, URN_SPACE).n
    return factories.command(people.operator, clock(), seen=seen)


def as_before_profiles(clock: Clock, *but: str) -> None:
    """The names as software left them that knew no profiles, in an edition of its own."""
    with transaction():
        edition = edition_rows.add_edition(
            URN_GROUP,
            as_of=edition_rows.next_moment(clock()),
            updated="2026-09-01",
            origin=EditionOrigin.LOCAL,
            cause=Cause.CORRECTION,
            notice=NOTICES["private"],
        )
        change = names.RecordChange(edition=edition, cause=Cause.CORRECTION)
        for one in current_snapshot(URN_GROUP).records():
            version = names.find_latest("nid", one.folded)
            assert version
            if one.profile != NO_PROFILE and one.folded not in but:
                older = replace(version.record, profile=NO_PROFILE, equivalence=PLAIN)
                names.add_version(older, version.registry, version.sort_key, change)


def test_a_registry_has_the_profiles_that_are_shipped_from_its_first_edition_on(
    app: Flask,
) -> None:
    with read_transaction():
        records = list(snapshot_of(1).records())
    for one in records:
        entry = bundled_profiles().get(one.folded)
        assert (one.profile == NO_PROFILE) == (one.status is Status.FORMER)
        if entry:
            assert (one.profile, one.equivalence) == tuple(entry)


def test_an_import_keeps_profiles_and_gives_new_names_those_that_are_shipped(
    app: Flask, clock: Clock, people: Cast
) -> None:
    said = changed("isbn", title="Book numbers")
    correct(order(people, clock, "isbn"), "isbn", said, reason=WHY, space=URN_SPACE)
    with read_transaction():
        here = current_snapshot(URN_GROUP)
    formal, informal = here.registries
    dated = tuple(replace(one, updated="2026-08-02") for one in formal.records)
    more = (*dated, Registration(name="nbn"), Registration(name="quokka"))
    tables = (replace(formal, records=more), informal)
    import_xml(xml_bytes(replace(here, updated="2026-08-02", registries=tables)), clock())
    assert (record("isbn").profile, record("isbn").updated) == (said.profile, "2026-08-02")
    assert record("isbn").equivalence == bundled_profiles()["isbn"].equivalence
    assert record("nbn").profile == bundled_profiles()["nbn"].profile
    assert record("quokka").profile == NO_PROFILE


def test_names_without_a_profile_get_the_one_shipped_in_one_edition_and_once(
    app: Flask, clock: Clock
) -> None:
    as_before_profiles(clock, "issn")
    assert names_in(view(q="books")) == []
    before = dump()
    would = taken(clock, dry_run=True)
    assert dump() == before
    made = taken(clock)
    assert made == would
    assert set(made.added) == {"isbn", "ietf", "eidr", "adid", "urn-1", "urn-5", "urn-7", "urn-8"}
    assert (made.own, made.former, made.without) == (("issn",), (), ())
    assert record("isbn") == with_bundled_profile(replace(record("isbn"), profile=NO_PROFILE))
    with read_transaction():
        edition = edition_rows.latest_edition(URN_GROUP)
        assert edition and (edition.n, edition.cause) == (3, Cause.CORRECTION)
        (event,) = db.session.query(Event).filter(Event.edition == 3)
        assert (event.kind, event.body) == ("profiles imported", "8 added")
        assert history_of("nid", "isbn")[-1].reason.startswith("Profiles bundled")
        said = [
            change.sentence for change in registry_changes(snapshot_of(2), snapshot_of(3)).names
        ]
        assert "`isbn`: rules of equivalence added; profile added." in said
    assert names_in(view(q="books")) == ["isbn"]
    before = dump()
    assert taken(clock).added == ()
    assert dump() == before


def test_rules_that_were_declared_here_stay_where_a_profile_comes(
    app: Flask, clock: Clock, people: Cast
) -> None:
    as_before_profiles(clock)
    own = Correction(profile=NO_PROFILE, equivalence=RULES)
    correct(order(people, clock, "isbn"), "isbn", own, reason=WHY, space=URN_SPACE)
    entry = ProfileEntry(NamespaceProfile(names="books"), bundled_profiles()["isbn"].equivalence)
    made = taken(clock, entries={"isbn": entry, "quokka": entry})
    assert (made.added, made.unknown) == (("isbn",), ("quokka",))
    assert "issn" in made.without
    assert (record("isbn").profile.names, record("isbn").equivalence) == ("books", RULES)


def test_a_correction_is_an_edition_with_its_reason_told_in_words(
    app: Flask, clock: Clock, people: Cast
) -> None:
    services = (*record("isbn").profile.resolution.services, SERVICE)
    resolution = replace(record("isbn").profile.resolution, services=services)
    said = changed("isbn", names="books and maps", resolution=resolution)
    seen = look("isbn", said, clock(), URN_SPACE)
    edition = correct(order(people, clock, "isbn"), "isbn", said, reason=WHY, space=URN_SPACE)
    last = history_of("nid", "isbn")[-1]
    assert (last.edition, last.cause, last.reason) == (edition, Cause.CORRECTION, "It is so.")
    assert record("isbn").profile == said.profile
    with read_transaction():
        (change,) = registry_changes(snapshot_of(edition - 1), snapshot_of(edition)).names
    told = "`isbn`: identified resources “books” became “books and maps”; services changed."
    assert [change.sentence] == list(seen.changes.sentences()) == [told]
    assert "https://www.example.org/{+nss}" in change.facts[1].after
    assert names_in(view(q="maps")) == ["isbn"]
    page = Visitor(app).get(f"/editions/compare?from={edition - 1}&to={edition}")
    assert "identified resources “books” became “books and maps”; services changed." in page.words
    assert "It is so." in Visitor(app).get("/namespaces/isbn").words


def _refused(error: type[Refusal], call: Callable[[], object]) -> Refusal:
    before = dump()
    with pytest.raises(error) as raised:
        call()
    assert dump() == before
    return raised.value


def test_a_correction_that_cannot_stand_says_what_and_where_and_changes_nothing(
    app: Flask, clock: Clock, people: Cast
) -> None:
    plain = SERVICE.target.replace("https", "http")
    inside = replace(SERVICE, target="http://127.0.0.1/{+nss}")
    services = (replace(SERVICE, target=plain), inside)
    wrong = changed(
        "isbn",
        examples=(ExampleName(urn="urn:issn:1234-1231"),),
        pattern=NssPattern(expression="(a+)+"),
        resolution=Resolution(services=services),
    )
    found = _refused(
        InvalidProfile,
        lambda: correct(order(people, clock, "isbn"), "isbn", wrong, reason=WHY, space=URN_SPACE),
    )
    assert isinstance(found, InvalidProfile)
    fields = [finding.field for finding in found.findings]
    assert fields[:3] == ["pattern", "examples.1", "services.1.target"]
    assert fields.count("services.2.target") == 2
    same, fit = changed("isbn"), changed("isbn", title="Books")
    ours = order(people, clock, "isbn")
    for error, given, ordered, why in (
        (InvalidInput, same, ours, WHY),
        (NotAllowed, fit, replace(ours, actor=people.registrant), WHY),
        (EditConflict, fit, replace(ours, seen=9), WHY),
        (InvalidInput, fit, ours, " "),
    ):
        _refused(error, partial(correct, ordered, "isbn", given, reason=why, space=URN_SPACE))
    former = order(people, clock, "ad-id")
    _refused(InvalidInput, lambda: correct(former, "ad-id", fit, reason=WHY, space=URN_SPACE))


def test_http_is_for_services_that_stand_or_that_the_operator_lets_in(
    app: Flask, clock: Clock, people: Cast
) -> None:
    stands = record("isbn").profile.resolution
    assert any(service.target.startswith("http://") for service in stands.services)
    correct(
        order(people, clock, "isbn"),
        "isbn",
        changed("isbn", title="Books"),
        reason=WHY,
        space=URN_SPACE,
    )
    plain = replace(SERVICE, target=SERVICE.target.replace("https", "http"))
    more = changed("isbn", resolution=replace(stands, services=(*stands.services, plain)))
    with pytest.raises(InvalidProfile, match="http"):
        look("isbn", more, clock(), URN_SPACE)
    look("isbn", replace(more, takes_http=True), clock(), URN_SPACE)


def test_profiles_are_published_whole_in_json_and_in_none_of_ianas_forms(app: Flask) -> None:
    with read_transaction():
        snapshot = snapshot_of(1)
    ((_, data),) = FORMATS[Format.JSON].files(snapshot)
    assert [one.profile for one in read_json(data).records()] == [
        one.profile for one in snapshot.records()
    ]
    bare = replace(
        snapshot,
        registries=tuple(
            replace(
                table,
                records=tuple(replace(r, profile=NO_PROFILE) for r in table.records),
            )
            for table in snapshot.registries
        ),
    )
    for format_ in (Format.XML, Format.TXT, Format.XHTML):
        assert list(FORMATS[format_].files(snapshot)) == list(FORMATS[format_].files(bare))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xff", "Not valid JSON"),
        (b"[" * 100_000, "Not valid JSON"),
        (b"[]", "Provide a JSON object"),
        (b'{"isbn": 7}', "isbn: not a valid profile"),
        (b'{"isbn": {"profile": {"name": "x"}}}', "isbn: not a valid profile"),
        (b'{"isbn": {"profile": {"homepage": "ftp://a"}}}', "isbn: homepage: Enter an address"),
        (
            b'{"isbn": {"profile": {}, "equivalence": {"rules": [{"do": "drop"}]}}}',
            "isbn: not a valid profile",
        ),
        (b'{"isbn": {"profile": {"title": 7}}}', "isbn: not a valid profile"),
    ],
)
def test_a_file_without_profiles_is_refused_with_what_is_wrong(data: bytes, told: str) -> None:
    with pytest.raises(BrokenProfiles, match=told):
        read_profiles(data)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("since", 0),
        ("since", None),
        ("until", False),
        ("when", 0),
        ("when", None),
        ("sure", 0),
        ("sure", []),
        ("takes_r", "no"),
        ("takes_r", None),
    ],
)
def test_a_file_with_members_of_another_type_is_refused(member: str, value: object) -> None:
    service = {"kind": "I2L", "target": "https://www.example.org/{+nss}", member: value}
    profile = {"resolution": {"services": [service]}}
    with pytest.raises(BrokenProfiles, match=f"`{member}` is"):
        read_profiles(json.dumps({"isbn": {"profile": profile}}).encode())


def test_a_file_is_read_in_the_form_in_which_profiles_are_shipped() -> None:
    shipped = {name: entry for name, entry in bundled_profiles().items() if name in {"isbn", "doi"}}
    document = {name: {"profile": profile_to(one.profile)} for name, one in shipped.items()}
    read = read_profiles(json.dumps(document).encode())
    assert {name: one.profile for name, one in read.items()} == {
        name: one.profile for name, one in shipped.items()
    }
