"""Corrections: by an operator, with a reason, in a new edition; nothing published is lost."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app.config import NOTICES
from app.exports.editions.changes import NameChangeKind, registry_changes
from app.exports.formats.xml import xml_bytes
from app.identifiers.errors import NidKind
from app.identifiers.nid import check_nid
from app.published.plane import PublishedPlane
from app.registration.declarations.registries import FORMAL, INFORMAL, URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration, Status, Xref, XrefType
from app.services.accounts.actors import Actor
from app.services.editions import edition_build, publication
from app.services.names.availability import availability_of
from app.services.names.name_search import final_successor
from app.services.refusals import (
    EditConflict,
    IdempotencyConflict,
    InvalidInput,
    NameUnavailable,
    NotAllowed,
    NotFound,
)
from app.services.registrations.corrections import (
    Correction,
    InvalidFact,
    correct,
    find_entry,
    history_of,
    look,
    reasons_of,
    unchanged_correction,
)
from app.services.registrations.head_corrections import (
    HeadCorrection,
    PersonCorrection,
    add_person,
    correct_head,
    correct_person,
    find_person,
    head_in_words,
    look_at_head,
    look_at_new_person,
    look_at_person,
    standing_head,
)
from app.services.registry.snapshots import current_snapshot, import_xml, snapshot_of, taken_index
from app.services.stored_editions import stored_files
from app.services.use_cases import Command
from app.store.database import db, read_transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import name_rows
from app.store.tables import Event
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.published.bundles import ask
from tests.store.at_once import Meeting, at_once
from tests.store.schema import dump


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


WHY = "It was misspelt."


def order(actor: Actor, clock: Clock, seen: int, key: str = "") -> Command:
    return factories.command(actor, clock(), seen=seen, key=key)


def official(people: Cast, clock: Clock, seen: int) -> Command:
    """An operator's order where the experts are typed, since they are not the panel."""
    return factories.command(people.operator, clock(), seen=seen, authority="official")


def seen(name: str) -> int:
    with read_transaction():
        return find_entry(name, URN_SPACE).n


def corrected(people: Cast, clock: Clock, name: str, /, **facts: Any) -> int:
    return correct(
        order(people.operator, clock, seen(name)),
        name,
        Correction(**facts),
        reason=WHY,
        space=URN_SPACE,
    )


def record(name: str) -> Registration:
    with read_transaction():
        return find_entry(name, URN_SPACE).record


def newest_event() -> Event:
    """The newest that tells what somebody did."""
    found = db.session.query(Event).filter(Event.kind != edition_build.BUILT)
    return found.order_by(Event.n.desc()).limit(1).one()


def in_xml(edition: int, name: str) -> bool:
    with read_transaction():
        return f"<name>{name}</name>".encode() in xml_bytes(snapshot_of(edition))


def test_a_draft_that_became_an_rfc_is_corrected_in_a_new_edition(
    people: Cast, clock: Clock
) -> None:
    number = factories.registered(people, clock())
    before = record("quokka")
    edition = corrected(people, clock, "quokka", references="RFC 8141")
    with read_transaction():
        entry, row = find_entry("quokka", URN_SPACE), edition_rows.get_edition(edition)
        assert (entry.n, entry.edition, entry.cause) == (2, edition, Cause.CORRECTION)
        assert (row.cause, row.origin, row.notice) == (
            Cause.CORRECTION,
            "local",
            NOTICES["private"],
        )
        assert snapshot_of(edition - 1).registries[0].records != ()
        (old,) = (r for r in snapshot_of(edition - 1).records() if r.name == "quokka")
        event = newest_event()
        assert (event.subject, event.about, event.kind) == (
            EventSubject.NAME,
            "quokka",
            "corrected",
        )
        assert (event.reason, event.edition) == ("It was misspelt.", edition)
        assert "RFC 8141" in event.body
        assert event.actor == people.operator.id
    (reference,) = entry.record.references
    assert (reference.type, reference.data) == (XrefType.RFC, "rfc8141")
    assert "URN" in reference.title or "Uniform" in reference.title
    assert old == before
    assert (entry.record.version, entry.record.fields) == (before.version, before.fields)
    assert (entry.record.request, entry.record.updated) == (number, before.updated)
    assert edition_build.build_pending(clock(), factories.PLACE)[-1] == edition


@pytest.mark.parametrize(
    ("name", "facts", "expected"),
    [
        ("isbn", {"date": "2001-01"}, {"date": "2001-01"}),
        ("isbn", {"updated": "2026-08-31"}, {"updated": "2026-08-31"}),
        ("isbn", {"updated": "2026-09-02"}, {"updated": "2026-09-02"}),
        ("isbn", {"date": "2026-09"}, {"date": "2026-09"}),
        ("eidr", {"updated": ""}, {"updated": None}),
        ("isbn", {"status": Status.DEPRECATED}, {"status": Status.DEPRECATED}),
        (
            "isbn",
            {"status": Status.DEPRECATED, "successor": "ISSN"},
            {"status": Status.DEPRECATED, "successor": "issn"},
        ),
        ("isbn", {"references": ""}, {"references": ()}),
        (
            "isbn",
            {"template": "https://isbn.example/t isbn-template"},
            {"template": (Xref(XrefType.URI, "https://isbn.example/t", "isbn-template"),)},
        ),
        (
            "urn-1",
            {"contact": "person:Juha_Hakala\nhttps://one.example/ One"},
            {
                "contact": (
                    Xref(XrefType.PERSON, "Juha_Hakala"),
                    Xref(XrefType.URI, "https://one.example/", "One"),
                )
            },
        ),
    ],
)
def test_every_fact_can_be_corrected(
    people: Cast, clock: Clock, name: str, facts: dict[str, Any], expected: dict[str, Any]
) -> None:
    edition = corrected(people, clock, name, **facts)
    after = record(name)
    assert {fact: getattr(after, fact) for fact in expected} == expected
    assert edition_build.build_pending(clock(), factories.PLACE)[-1] == edition


def test_the_form_of_every_record_changes_nothing_when_it_is_sent_as_it_is(
    people: Cast, clock: Clock
) -> None:
    before = dump()
    with read_transaction():
        records = list(current_snapshot(URN_GROUP).records())
    for given in records:
        with pytest.raises(InvalidInput, match="Nothing has changed"):
            corrected(people, clock, given.name, **_facts(unchanged_correction(given)))
    assert dump() == before


def _facts(correction: Correction) -> dict[str, Any]:
    return {fact: getattr(correction, fact) for fact in correction.__slots__}


def test_references_that_stay_keep_what_no_line_can_say(people: Cast, clock: Clock) -> None:
    before = record("isbn")
    lines = unchanged_correction(before).references or ""
    corrected(people, clock, "isbn", references=f"RFC 8254\n{lines}")
    assert record("isbn").references[1:] == before.references


@pytest.mark.parametrize(
    ("name", "facts", "fact", "said"),
    [
        ("isbn", {"references": "see the web"}, "references", "not a reference"),
        ("isbn", {"references": 'RFC 8141\n"and more"'}, "references", "text between"),
        ("isbn", {"references": "person:Nobody_Here"}, "references", "with the ID"),
        ("isbn", {"references": "https://[x/ X"}, "references", "of type uri"),
        ("isbn", {"template": '"\x9f"'}, "template", "allowed in XML"),
        ("isbn", {"contact": "RFC 8141"}, "contact", "formal namespace has no contact"),
        ("urn-1", {"contact": ""}, "contact", "informal namespace has a contact"),
        ("isbn", {"date": "yesterday"}, "date", "isn't a date"),
        ("isbn", {"updated": "2026-02-30"}, "updated", "isn't a date"),
        ("isbn", {"updated": "2026-09-03"}, "updated", "in the future"),
        ("isbn", {"date": "2999-01"}, "date", "in the future"),
        ("isbn", {"successor": "issn"}, "successor", "have a successor"),
        ("isbn", {"status": Status.FORMER, "successor": "isbn"}, "successor", "its own successor"),
        ("isbn", {"status": Status.FORMER, "successor": "numbat"}, "successor", "is not in"),
        ("isbn", {"name": "x-isbn"}, "name", "prefix of `x-isbn`"),
        ("isbn", {"name": "not a name"}, "name", "letters"),
        ("urn-1", {"name": "urn-77"}, "name", "numbers these identifiers itself"),
        ("ad-id", {"name": "adid2"}, "name", "entry is former"),
        ("isbn", {"name": "isbns", "status": Status.FORMER}, "name", "entry is former"),
    ],
)
def test_what_no_record_can_hold_is_refused_at_its_fact(
    people: Cast, clock: Clock, name: str, facts: dict[str, Any], fact: str, said: str
) -> None:
    before = dump()
    with pytest.raises(InvalidFact, match=said) as refused:
        corrected(people, clock, name, **facts)
    assert refused.value.fact == fact
    with read_transaction(), pytest.raises(InvalidFact, match=said):
        look(name, Correction(**facts), clock(), URN_SPACE)
    assert dump() == before


@pytest.mark.parametrize("reason", ["", " \n\t", "x" * 8001])
def test_a_correction_without_a_reason_is_refused(people: Cast, clock: Clock, reason: str) -> None:
    before = dump()
    for work in works(people.operator, clock, reason=reason):
        with pytest.raises(InvalidFact, match="reason") as refused:
            work()
        assert refused.value.fact == "reason"
    assert dump() == before


def works(actor: Actor, clock: Clock, reason: str = WHY, key: str = "") -> list[Callable[[], int]]:
    """A correction of each kind."""
    with read_transaction():
        head, person = standing_head().edition, find_person("Juha_Hakala")[1]
    kinds: list[tuple[Callable[..., int], tuple[Any, ...], int]] = [
        (partial(correct, space=URN_SPACE), ("isbn", Correction(date="2001-01-01")), seen("isbn")),
        (correct_head, (HeadCorrection(title="Quokkas"),), head),
        (correct_person, ("Juha_Hakala", PersonCorrection(org="Quokkas")), person),
    ]
    return [
        partial(work, order(actor, clock, stood, key), *arguments, reason=reason)
        for work, arguments, stood in kinds
    ]


@pytest.mark.parametrize("who", ["registrant", "expert", "leader"])
def test_nobody_but_an_operator_corrects(people: Cast, clock: Clock, who: str) -> None:
    before = dump()
    for work in works(getattr(people, who), clock):
        with pytest.raises(NotAllowed, match="operators"):
            work()
    assert dump() == before


def test_the_second_of_two_operators_is_told_that_it_changed(people: Cast, clock: Clock) -> None:
    corrected(people, clock, "isbn", date="2000-01-01")  # the first edition here names the panel
    first, second = (works(actor, clock) for actor in (people.operator, people.second_operator))
    for work, late in zip(first, second, strict=True):
        work()
        before = dump()
        with pytest.raises(EditConflict, match="after you opened it"):
            late()
        assert dump() == before


@pytest.mark.parametrize("kind", [0, 1, 2], ids=["name", "head", "person"])
def test_of_two_operators_at_one_moment_one_corrects(
    app: Flask, people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch, kind: int
) -> None:
    monkeypatch.setattr(edition_rows, "add_edition", Meeting().before(edition_rows.add_edition))
    both = (works(actor, clock)[kind] for actor in (people.operator, people.second_operator))
    results = at_once(app, *both)
    assert [type(result) for result in results if result != 2] == [EditConflict]
    with read_transaction():
        assert current_snapshot(URN_GROUP).edition == 2
        assert db.session.query(Event).filter(Event.kind == "corrected").count() == 1


@pytest.mark.parametrize("kind", [0, 1, 2], ids=["name", "head", "person"])
def test_a_correction_that_fails_at_its_end_leaves_nothing(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch, kind: int
) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError

    before, work = dump(), works(people.operator, clock)[kind]
    with monkeypatch.context() as broken:
        broken.setattr(event_rows, "append", fail)
        with pytest.raises(ZeroDivisionError):
            work()
    assert dump() == before
    assert work() == 2  # the key was left free for another try


def test_a_correction_sent_twice_is_made_once(people: Cast, clock: Clock) -> None:
    for work in works(people.operator, clock, key="k" * 20):
        with read_transaction():
            edition = current_snapshot(URN_GROUP).edition
        if edition > 1:
            with pytest.raises(IdempotencyConflict):  # the key belongs to the first
                work()
            continue
        assert work() == 2
        before = dump()
        assert work() == 2
        assert dump() == before


def test_an_unknown_name_or_person_cannot_be_corrected(people: Cast, clock: Clock) -> None:
    with pytest.raises(NotFound, match="numbat"):
        correct(
            order(people.operator, clock, 1),
            "numbat",
            Correction(date=""),
            reason=WHY,
            space=URN_SPACE,
        )
    with pytest.raises(NotFound, match="Nobody"):
        correct_person(
            order(people.operator, clock, 1), "Nobody", PersonCorrection(name="X"), reason=WHY
        )


@pytest.mark.usefixtures("quokka")
def test_a_renamed_name_stays_taken_and_leads_to_the_new_one(people: Cast, clock: Clock) -> None:
    before = record("quokka")
    edition = corrected(people, clock, "quokka", name="Quokka-ns")
    former, new = record("quokka"), record("quokka-ns")
    assert (former.status, former.successor) == (Status.FORMER, "quokka-ns")
    assert (new.name, new.status, new.version) == ("Quokka-ns", Status.REGISTERED, 1)
    assert new.fields == former.fields == before.fields  # the template's own words stay
    assert (in_xml(edition, "quokka"), in_xml(edition, "Quokka-ns")) == (False, True)
    assert in_xml(edition - 1, "quokka")
    assert edition_build.build_pending(clock(), factories.PLACE)[-1] == edition
    with read_transaction():
        (told,) = registry_changes(snapshot_of(edition - 1), snapshot_of(edition)).names
        assert (told.kind, told.name, told.successor) == (
            NameChangeKind.RENAMED,
            "quokka",
            "Quokka-ns",
        )
        assert newest_event().body == "`quokka` renamed to `Quokka-ns`."
    for taken in ("quokka", "QUOKKA-NS"):
        with pytest.raises(NameUnavailable, match="is taken"):
            corrected(people, clock, "isbn", name=taken)


@pytest.mark.parametrize("typed", ["urn:renamed", " renamed: ", "URN:renamed:a/b"])
@pytest.mark.usefixtures("quokka")
def test_a_new_name_and_a_successor_are_read_as_every_entrance_reads_a_nid(
    people: Cast, clock: Clock, typed: str
) -> None:
    preview = look("quokka", Correction(name=typed), clock(), URN_SPACE)
    assert preview == look("quokka", Correction(name="renamed"), clock(), URN_SPACE)
    (renamed,) = (fact for fact in preview.facts if fact.name == "name")
    assert (renamed.before, renamed.after) == ("quokka", "renamed")
    corrected(people, clock, "quokka", name=typed)
    assert record("quokka").successor == record("renamed").folded == "renamed"
    corrected(people, clock, "renamed", status=Status.DEPRECATED, successor="urn:quokka:a")
    assert record("renamed").successor == "quokka"


@pytest.mark.usefixtures("quokka")
def test_a_name_renamed_twice_leads_to_the_last(people: Cast, clock: Clock) -> None:
    corrected(people, clock, "quokka", name="wombat")
    edition = corrected(people, clock, "wombat", name="numbat")
    with read_transaction():
        (told,) = registry_changes(snapshot_of(2), snapshot_of(edition)).of(NameChangeKind.RENAMED)
        assert (told.name, told.successor) == ("quokka", "numbat")


def test_another_spelling_of_a_name_is_no_renaming(people: Cast, clock: Clock) -> None:
    edition = corrected(people, clock, "isbn", name="ISBN")
    assert record("isbn").name == "ISBN"
    assert in_xml(edition, "ISBN")


def test_a_former_name_is_in_no_form_of_ianas_and_in_json(people: Cast, clock: Clock) -> None:
    edition = corrected(people, clock, "isbn", status=Status.FORMER, cited="Order 7 of 2026")
    assert not in_xml(edition, "isbn")
    assert edition_build.build_pending(clock(), factories.PLACE)[-1] == edition
    with read_transaction():
        assert name_rows.is_taken("nid", "isbn")
        file = next(f for f in stored_files.files_of(edition) if f.path.endswith("namespaces.json"))
        assert b'"former"' in edition_rows.content(file.sha256)


def test_a_look_tells_what_would_change_and_changes_nothing(people: Cast, clock: Clock) -> None:
    before = dump()
    with read_transaction():
        seen_ = look("isbn", Correction(date="2001-01-01", name="isbns"), clock(), URN_SPACE)
        assert {one.name: one.after for one in seen_.facts} == {
            "name": "isbns",
            "date": "2001-01-01",
        }
        (sentence,) = seen_.changes.sentences()
        assert sentence.startswith("`isbn` renamed to `isbns`; ")
        assert not look("isbn", Correction(), clock(), URN_SPACE).changes
    assert dump() == before


@pytest.mark.all_names
def test_the_order_put_by_hand_outlives_a_correction(people: Cast, clock: Clock) -> None:
    with read_transaction():
        before = [r.name for r in current_snapshot(URN_GROUP).records()]
    for name in ("iso", "isni"):
        corrected(people, clock, name, date="2001-01-01")
    with read_transaction():
        assert [r.name for r in current_snapshot(URN_GROUP).records()] == before


@pytest.mark.usefixtures("quokka")
def test_a_history_tells_every_version_with_its_reason(people: Cast, clock: Clock) -> None:
    clock.on(days=1)
    corrected(people, clock, "quokka", references="RFC 8141")
    corrected(people, clock, "quokka", name="wombat")
    with read_transaction():
        old, new = history_of("nid", "quokka"), history_of("nid", "wombat")
        assert history_of("nid", "numbat") == ()
    told = [(v.n, v.edition, v.cause, v.template_version, v.reason) for v in (*old, *new)]
    assert told == [
        (1, 2, Cause.REGISTRATION, 1, ""),
        (2, 3, Cause.CORRECTION, 1, "It was misspelt."),
        (3, 4, Cause.CORRECTION, 1, "It was misspelt."),
        (1, 4, Cause.CORRECTION, 1, "It was misspelt."),
    ]
    with read_transaction():
        assert reasons_of([1, 2, 3, 4]) == dict.fromkeys([3, 4], "It was misspelt.")
    assert old[1].as_of == clock()
    assert old[2].record.status is Status.FORMER
    assert len({version.sha256 for version in old}) == 3


def test_an_import_of_the_file_after_a_correction_takes_its_facts_back(
    people: Cast, clock: Clock
) -> None:
    with read_transaction():
        file = xml_bytes(current_snapshot(URN_GROUP))
    corrected(people, clock, "isbn", date="2001-01-01")
    assert import_xml(file, clock()).changed == ("isbn",)
    with pytest.raises(EditConflict):
        correct(
            order(people.operator, clock, 2),
            "isbn",
            Correction(date=""),
            reason=WHY,
            space=URN_SPACE,
        )


def test_rules_experts_and_notes_are_corrected_with_their_references(
    people: Cast, clock: Clock
) -> None:
    correction = HeadCorrection(
        title="Names of  quokkas",
        notes="One note [RFC 8141].\n\nAnother one.",
        rules={INFORMAL.id: "Expert Review, see [RFC 8126, Section 4.5] and [this]."},
        experts={FORMAL.id: " Jo  Doe "},
    )
    with read_transaction():
        head, shipped = standing_head(), standing_head().snapshot
        told = list(look_at_head(correction).sentences())
    edition = correct_head(official(people, clock, head.edition), correction, reason=WHY)
    with read_transaction():
        after, event = standing_head(), newest_event()
        assert head_in_words(after).notes == correction.notes
        titles = snapshot_of(1).title, current_snapshot(URN_GROUP).title
        assert titles == (shipped.title, "Names of quokkas")
        assert told[0].endswith("became “Names of quokkas”.")
        assert head_in_words(after).rules[INFORMAL.id] == correction.rules[INFORMAL.id]
        formal, informal = current_snapshot(URN_GROUP).registries
        assert (formal.expert, informal.expert) == ("Jo Doe", shipped.registries[1].expert)
        assert formal.rule == shipped.registries[0].rule
        assert [part.data for part in informal.rule if isinstance(part, Xref)] == ["rfc8126"]
        assert snapshot_of(1).registries[0].expert == shipped.registries[0].expert
        assert (event.subject, event.reason) == (EventSubject.REGISTRY, "It was misspelt.")
        assert event.body == "\n".join(told)
    assert edition_build.build_pending(clock(), factories.PLACE)[-1] == edition


@pytest.mark.parametrize(
    ("correction", "fact"),
    [
        (HeadCorrection(title=" "), "title"),
        (HeadCorrection(title="\x9f"), "title"),
        (HeadCorrection(notes="\x9f"), "notes"),
        (HeadCorrection(rules={FORMAL.id: "A\x07"}), f"rule-{FORMAL.id}"),
        (HeadCorrection(experts={INFORMAL.id: "\x9f"}), f"expert-{INFORMAL.id}"),
    ],
)
def test_a_head_that_cannot_be_written_is_refused_at_its_fact(
    people: Cast, clock: Clock, correction: HeadCorrection, fact: str
) -> None:
    before = dump()
    with pytest.raises(InvalidFact) as refused:
        correct_head(official(people, clock, 1), correction, reason=WHY)
    assert refused.value.fact == fact
    assert dump() == before


def test_a_head_sent_as_it_is_changes_nothing(people: Cast, clock: Clock) -> None:
    with read_transaction():
        as_is = head_in_words(standing_head())
    with pytest.raises(InvalidInput, match="Nothing has changed"):
        correct_head(official(people, clock, 1), as_is, reason=WHY)


def test_a_person_is_corrected_and_stays_in_older_editions_as_before(
    people: Cast, clock: Clock
) -> None:
    given = PersonCorrection(
        name="J. Hakala",
        org="",
        uris="mailto:j@x.example\nhttps://x.example/",
        updated="2026-09-01",
    )
    with read_transaction():
        told = list(look_at_person("Juha_Hakala", given, clock()).sentences())
        stood = find_person("Juha_Hakala")[1]
    edition = correct_person(order(people.operator, clock, stood), "Juha_Hakala", given, reason=WHY)
    with read_transaction():
        person, stands_from = find_person("Juha_Hakala")
        assert (person.name, person.org, stands_from) == ("J. Hakala", None, edition)
        assert person.uris == ("mailto:j@x.example", "https://x.example/")
        (old,) = (p for p in snapshot_of(1).people if p.id == "Juha_Hakala")
        assert old.name == "Juha Hakala"
        assert newest_event().body == "\n".join(told)
    assert edition_build.build_pending(clock(), factories.PLACE)[-1] == edition


def test_a_contact_is_added_and_an_entry_names_it(people: Cast, clock: Clock) -> None:
    given = PersonCorrection(name="Jane Doe", uris="mailto:jane@x.example")
    with read_transaction():
        told = list(look_at_new_person("Jane_Doe", given, clock()).sentences())
    edition = add_person(order(people.operator, clock, 0), "Jane_Doe", given, reason=WHY)
    with read_transaction():
        person, stands_from = find_person("Jane_Doe")
        assert (person.name, person.uris, stands_from) == (
            "Jane Doe",
            ("mailto:jane@x.example",),
            edition,
        )
        assert newest_event().body == "\n".join(told)
    named = correct(
        order(people.operator, clock, seen("urn-1")),
        "urn-1",
        Correction(contact="person:Jane_Doe"),
        reason=WHY,
        space=URN_SPACE,
    )
    assert edition_build.build_pending(clock(), factories.PLACE)[-1] == named
    with read_transaction():
        assert "Jane_Doe" not in {p.id for p in snapshot_of(1).people}


def test_of_two_operators_who_add_one_contact_one_does(
    app: Flask, people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edition_rows, "add_edition", Meeting().before(edition_rows.add_edition))
    given = PersonCorrection(name="Jane Doe")
    both = (
        partial(add_person, order(actor, clock, 0), "Jane_Doe", given, reason=WHY)
        for actor in (people.operator, people.second_operator)
    )
    results = at_once(app, *both)
    assert [type(result) for result in results if result != 2] == [NameUnavailable]


@pytest.mark.parametrize(
    ("ident", "given", "fact"),
    [
        ("", PersonCorrection(name="Jane Doe"), "id"),
        ("Jane Doe", PersonCorrection(name="Jane Doe"), "id"),
        ("Jane_Doe", PersonCorrection(uris="mailto:jane@x.example"), "name"),
        ("Jane_Doe", PersonCorrection(name="Jane Doe", updated="soon"), "updated"),
        (FORMAL.id, PersonCorrection(name="Jane Doe"), "id"),
        ("urn-namespaces", PersonCorrection(name="Jane Doe"), "id"),
    ],
)
def test_a_contact_who_cannot_be_written_is_not_added(
    people: Cast, clock: Clock, ident: str, given: PersonCorrection, fact: str
) -> None:
    before = dump()
    with pytest.raises(InvalidFact) as refused:
        add_person(order(people.operator, clock, 0), ident, given, reason=WHY)
    assert refused.value.fact == fact
    assert dump() == before


@pytest.mark.parametrize(
    ("given", "fact"),
    [
        (PersonCorrection(uris="not a%uri"), "uris"),
        (PersonCorrection(updated="soon"), "updated"),
        (PersonCorrection(updated="2026-09-03"), "updated"),
        (PersonCorrection(name="\x9f"), "name"),
    ],
)
def test_a_person_who_cannot_be_written_is_refused_at_the_fact(
    people: Cast, clock: Clock, given: PersonCorrection, fact: str
) -> None:
    with pytest.raises(InvalidFact) as refused:
        correct_person(order(people.operator, clock, 1), "Juha_Hakala", given, reason=WHY)
    assert refused.value.fact == fact


def test_a_name_renamed_twice_leads_to_the_last_on_every_page(
    people: Cast, clock: Clock, tmp_path: Path
) -> None:
    for old, new in (("isbn", "isbn2"), ("isbn2", "isbn3")):
        corrected(people, clock, old, name=new)
        edition_build.build_pending(clock(), factories.PLACE)
        publication.lay_out_newest(tmp_path, factories.making(), URN_GROUP)
        page = ask(PublishedPlane(tmp_path), "/namespaces/isbn").body.decode()
        (told,) = re.findall('Use .*?href="/namespaces/([^"]+)".*? instead', page, re.DOTALL)
        assert told == new
    with read_transaction():
        entry = find_entry("isbn", URN_SPACE).record
        assert (entry.successor, final_successor(entry)) == ("isbn2", "isbn3")
        assert availability_of(["isbn"])[0].successor == "isbn3"


def test_advice_on_a_new_name_is_that_on_a_name_that_is_asked_for(
    people: Cast, clock: Clock
) -> None:
    with read_transaction():
        asked = look("isbn", Correction(name="i5bn"), clock(), URN_SPACE).advice
        assert "isbn" in " ".join(finding.message for finding in asked)
        assert asked == check_nid("i5bn", NidKind.FORMAL, taken_index(URN_SPACE)).advisories
        assert look("isbn", Correction(name="ISBN"), clock(), URN_SPACE).advice == ()
        assert look("isbn", Correction(date="2001-01-01"), clock(), URN_SPACE).advice == ()
