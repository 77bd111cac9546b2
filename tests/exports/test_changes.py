"""What differs between two states."""

from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exports.content.reference_text import reference_words, rich_text_words
from app.exports.editions import field_changes
from app.exports.editions.changes import Changes, NameChangeKind, registry_changes
from app.exports.formats.xml_reader import read_xml
from app.registration.declarations.fields import ENDING, VOIDED
from app.registration.declarations.naan_registries import NAANS
from app.registration.profiles.profile_records import NO_PROFILE
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    Status,
    SubRegistry,
    TemplateStyle,
    Xref,
    XrefFragment,
    XrefType,
)
from tests.exports.snapshots import EMPTY, FULL, GENERATED, LETTERS, snapshots

DRAFT = Xref(XrefType.DRAFT, "RFC-adid-urn-03")
RFC = Xref(XrefType.RFC, "rfc8107")
OLD = Registration(name="ad-id", date="2017-01-20", references=(DRAFT,))


def registry(*records: Registration, **given: Any) -> RegistrySnapshot:
    """A small registry of one table."""
    table = SubRegistry(id="things-1", title="Things", records=records)
    return replace(EMPTY, registries=(replace(table, **given),))


def sentences(before: RegistrySnapshot | None, after: RegistrySnapshot) -> list[str]:
    """All that is said of a difference."""
    return list(registry_changes(before, after).sentences())


def test_two_equal_states_differ_in_nothing() -> None:
    newer = replace(FULL, edition=8, updated="2026-05-05")
    assert not registry_changes(FULL, newer)
    assert registry_changes(FULL, newer) == Changes(before=7, after=8)
    assert registry_changes(FULL, newer).summary == "No entries changed."


def test_a_new_name_is_added() -> None:
    [change] = registry_changes(registry(), registry(OLD)).names
    assert (change.kind, change.table) == (NameChangeKind.REGISTERED, "things-1")
    assert change.record == OLD
    assert change.sentence == "`ad-id` added."


def test_the_first_state_adds_every_name_and_says_no_more() -> None:
    first = registry_changes(None, FULL)
    assert first.before is None
    assert [(c.name, c.kind) for c in first.names] == [
        ("Alpha", NameChangeKind.REGISTERED),
        ("alfa", NameChangeKind.FORMER),
        ("omega", NameChangeKind.REGISTERED),
        ("draft", NameChangeKind.REGISTERED),
        ("urn-1", NameChangeKind.REGISTERED),
    ]
    assert "replaced by `alpha`" in first.of(NameChangeKind.FORMER)[0].sentence
    assert not (first.head or first.people)
    assert first.summary == "Entries: 4 registered, 1 former."


def test_a_draft_that_became_an_rfc_is_told_as_one_change() -> None:
    before, after = registry(OLD), registry(replace(OLD, references=(RFC,)))
    [change] = registry_changes(before, after).names
    [fact] = change.facts
    assert change.sentence == "`ad-id`: reference draft-adid-urn-03 (approved) became RFC 8107."
    assert (fact.name, fact.before, fact.after) == (
        "references",
        "draft-adid-urn-03 (approved)",
        "RFC 8107",
    )


def test_a_correction_that_renames_is_one_change_with_what_else_it_corrects() -> None:
    new = replace(OLD, name="adid", references=(RFC,))
    former = replace(OLD, status=Status.FORMER, successor="adid")
    [change] = registry_changes(registry(OLD), registry(former, new)).names
    assert (change.kind, change.name, change.successor) == (NameChangeKind.RENAMED, "ad-id", "adid")
    assert change.record == new
    assert change.sentence == (
        "`ad-id` renamed to `adid`; reference draft-adid-urn-03 (approved) became RFC 8107."
    )


def test_a_name_renamed_twice_leads_to_the_last_name() -> None:
    former = [
        replace(OLD, status=Status.FORMER, successor="B"),
        Registration(name="b", status=Status.FORMER, successor="c"),
    ]
    told = sentences(registry(OLD), registry(*former, replace(OLD, name="c")))
    assert told == ["`ad-id` renamed to `c`.", "`b` no longer registered, replaced by `c`."]


def test_a_name_that_gives_way_to_one_that_was_there_is_renamed_too() -> None:
    other = Registration(name="other")
    former = replace(OLD, status=Status.FORMER, successor="other")
    told = sentences(registry(OLD, other), registry(former, other))
    assert told == ["`ad-id` renamed to `other`."]


def naans(*records: Registration) -> RegistrySnapshot:
    """A registry of NAANs."""
    return registry(*records, id=NAANS.id)


def test_what_changed_beside_an_end_is_told_with_it() -> None:
    old = Registration(name="OLD", fields=(("policy", "NR, OP"),), space=NAANS.space)
    told: dict[str, Any] = {"status": Status.FORMER, "fields": (("policy", "OP"),)}
    other = replace(old, name="12148")
    ends: tuple[tuple[dict[str, Any], str], ...] = (
        ({"successor": "12148"}, "`OLD` ceased, replaced by `12148`; Policy"),
        ({}, "`OLD` ceased; Policy"),
    )
    for more, words in ends:
        (change,) = registry_changes(
            naans(old, other), naans(replace(old, **told, **more), other)
        ).names
        assert change.kind is NameChangeKind.CEASED
        assert words in change.sentence, change.sentence
    voided = replace(old, status=Status.FORMER, fields=(*old.fields, (ENDING, VOIDED)))
    (change,) = registry_changes(naans(old), naans(voided)).names
    assert change.kind is NameChangeKind.VOIDED
    assert change.words == "Voided, because it was registered by mistake."


@pytest.mark.parametrize("successor", ["ad-id", "b"])
def test_names_that_succeed_each_other_in_a_circle_are_told_all_the_same(successor: str) -> None:
    former = replace(OLD, status=Status.FORMER, successor=successor)
    other = Registration(name="b", status=Status.FORMER, successor="ad-id")
    before = registry(OLD, Registration(name="b"))
    assert [c.kind for c in registry_changes(before, registry(former, other)).names] == [
        NameChangeKind.RENAMED
    ] * 2


def test_a_name_out_of_use_without_successor_and_one_gone_altogether_are_removed() -> None:
    for after in (registry(replace(OLD, status=Status.FORMER)), registry()):
        assert sentences(registry(OLD), after) == ["`ad-id` removed."]


def test_a_former_name_that_comes_back_into_use_is_changed() -> None:
    former = replace(OLD, status=Status.FORMER)
    assert sentences(registry(former), registry(OLD)) == [
        "`ad-id`: status former became registered."
    ]


CHANGED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"date": None}, "date 2017-01-20 removed."),
    ({"date": "2017-02"}, "date 2017-01-20 became 2017-02."),
    ({"updated": "2018-01-01"}, "last change 2018-01-01 added."),
    ({"name": "AD-ID"}, "name ad-id became AD-ID."),
    ({"status": Status.DEPRECATED}, "status registered became deprecated."),
    ({"template": (Xref(XrefType.URI, "https://a.example", "it"),)}, "template it added."),
    ({"references": ()}, "reference draft-adid-urn-03 (approved) removed."),
    (
        {"references": (RFC, replace(RFC, fragment=XrefFragment.SECTION, at="2"))},
        "(approved) removed; reference RFC 8107 added; reference RFC 8107, Section 2 added.",
    ),
    ({"references": (replace(DRAFT, title="A"),)}, "changed in detail."),
    ({"contact": ("Ask ", RFC)}, "contact “Ask RFC 8107” added."),
    ({"version": 2}, "template version 2 added."),
    ({"style": TemplateStyle.RFC8141}, "form of the template facts became rfc8141."),
    ({"fields": (("syntax", "a"), ("odd", "b"))}, "Syntax added; odd added."),
    ({"request": 9}, "by request 9."),
    ({"successor": "x"}, "successor x added."),
)


@pytest.mark.parametrize(("given", "said"), CHANGED)
def test_every_fact_of_a_record_is_told(given: dict[str, Any], said: str) -> None:
    changed = replace(OLD, **given)
    [told] = sentences(registry(OLD), registry(changed))
    assert told.startswith("`")
    assert told.endswith(said)


def test_the_history_of_a_name_leaves_out_what_follows_from_a_change() -> None:
    fields = (("version", "2"), ("date", "2026-01-01"), ("syntax", "a"))
    changed = replace(OLD, updated="2026-01-01", version=2, request=9, fields=fields)
    (change,) = registry_changes(registry(OLD), registry(changed)).names
    assert change.words == "Syntax added."
    (alone,) = registry_changes(registry(OLD), registry(replace(OLD, request=9))).names
    assert alone.words == "By request 9."


def link(address: str, label: str = "A") -> Xref:
    return Xref(XrefType.URI, address, label)


PLAIN, SECURE = link("http://a.example"), link("https://a.example")
OTHER = link("https://b.example")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"references": (PLAIN,)}, {"references": (SECURE,)}, "reference A: link went from http"),
        ({"references": (PLAIN,)}, {"references": (OTHER,)}, "reference A: link http://a.example"),
        ({"template": (PLAIN,)}, {"template": (SECURE,)}, "template: link went from http to https"),
        (
            {"template": ("See ", PLAIN)},
            {"template": ("See ", OTHER)},
            "template: link http://a.example became https://b.example",
        ),
        (
            {"contact": (PLAIN, " and ", PLAIN)},
            {"contact": (SECURE, " and ", OTHER)},
            "contact: 2 links changed",
        ),
    ],
)
def test_an_address_that_changed_under_one_label_is_told(
    before: dict[str, Any], after: dict[str, Any], said: str
) -> None:
    old, new = (registry(Registration(name="a", **given)) for given in (before, after))
    [told] = sentences(old, new)
    assert told.startswith(f"`a`: {said}")


def test_several_references_that_went_to_https_are_told_one_by_one() -> None:
    plain = (PLAIN, link("http://b.example", "B"), RFC)
    secure = (SECURE, link("https://b.example", "B"), RFC)
    before, after = (registry(Registration(name="a", references=x)) for x in (plain, secure))
    assert sentences(before, after) == [
        "`a`: reference A: link went from http to https; reference B: link went from http to https."
    ]


def test_an_address_within_a_text_is_in_the_fact() -> None:
    before, after = (registry(Registration(name="a", template=(x,))) for x in (PLAIN, SECURE))
    [change] = registry_changes(before, after).names
    assert change.facts[0].after == "A <https://a.example>"


def test_white_space_is_no_change() -> None:
    table = {"rule": ("See ", RFC, "."), "expert": "A, B"}
    record = Registration(name="a", references=(PLAIN,), contact=("Ask ", RFC), template=(PLAIN,))
    spaced = replace(
        record,
        references=(replace(PLAIN, label="A "),),
        contact=("Ask\n", RFC, "\n"),
        template=(replace(PLAIN, label=" A"),),
    )
    before = replace(registry(record, **table), notes=(("See it.",),), notice="N", title="T")
    after = replace(
        registry(spaced, rule=("See\n  ", RFC, ". "), expert="A,\n B "),
        notes=(("See it.\n  ",),),
        notice="N\n",
        title=" T",
    )
    assert not registry_changes(before, after)
    text = replace(record, text="a\n")
    assert registry_changes(registry(text), registry(replace(text, text="a\n\n"))).names


def test_the_order_of_references_and_of_fields_counts() -> None:
    first = replace(OLD, references=(RFC, DRAFT), fields=(("syntax", "a"), ("purpose", "b")))
    second = replace(first, references=(DRAFT, RFC), fields=first.fields[::-1])
    assert sentences(registry(first), registry(second)) == [
        "`ad-id`: order of the references changed; order of the fields changed."
    ]


def test_what_changed_of_a_profile_is_told_member_by_member() -> None:
    plain = replace(OLD, profile=NO_PROFILE)
    one = replace(LETTERS.resolution, services=LETTERS.resolution.services[:1])
    full = replace(OLD, profile=replace(LETTERS, resolution=one))
    assert sentences(registry(plain), registry(full)) == ["`ad-id`: profile added."]
    assert sentences(registry(full), registry(plain)) == ["`ad-id`: profile removed."]
    fewer = replace(LETTERS, title="", names="books", homepage_source="the registrant")
    other = replace(fewer, resolution=replace(LETTERS.resolution, services=()))
    [sentence] = sentences(registry(full), registry(replace(OLD, profile=other)))
    assert "title “Letters” removed; identified resources" in sentence
    assert "; services “Address: https://alphabet.example/{+nss}" in sentence
    [change] = registry_changes(registry(full), registry(replace(OLD, profile=other))).names
    told = {fact.label: (fact.before, fact.after) for fact in change.facts}
    assert told["identified resources"] == ('letters, "sounds"', "books")
    assert told["services"][0].startswith("Address: https://alphabet.example/{+nss}")


def test_the_rows_name_every_member_of_the_records() -> None:
    apart = {"id", "updated", "edition", "registries", "people", "records"}
    for rows, kind, left in (
        (field_changes.RECORD, Registration, {"space"}),
        (field_changes.PERSON, Person, {"id"}),
        (field_changes.TABLE, SubRegistry, apart),
        # what a file said beside its records is told by the import that took it over
        (field_changes.REGISTRY, RegistrySnapshot, apart | {"on_file"}),
    ):
        assert {row.name for row in rows} == {field.name for field in fields(kind)} - left


EXPERTS: tuple[tuple[str, str, list[str]], ...] = (
    ("", "Unassigned", ["experts “Unassigned” added."]),
    ("Unassigned ", "Unassigned", []),
    ("Unassigned", "A B, C (lead)", ["A B became an expert.", "C (lead) became an expert."]),
    ("A, van B", "A", ["van B is no longer an expert."]),
    ("A, B (lead)", "A (lead), B", ["A: role lead added.", "B: role lead removed."]),
    ("A (x, y), B", "A (x, y)", ["B is no longer an expert."]),
    ("A, B", "B, A", ["order of the experts changed."]),
    ("A, B", "A; B", ["list of experts changed."]),
)


@pytest.mark.parametrize(("before", "after", "said"), EXPERTS)
def test_experts_who_came_and_went_are_named(before: str, after: str, said: list[str]) -> None:
    told = sentences(registry(expert=before), registry(expert=after))
    assert told == [f"Things: {sentence}" for sentence in said]


def test_what_changed_alike_in_every_table_is_said_once() -> None:
    formal, informal = FULL.registries
    both = [replace(table, expert="Lars") for table in (formal, informal)]
    before = replace(FULL, registries=(replace(formal, expert=""), replace(informal, expert="")))
    assert sentences(before, replace(FULL, registries=tuple(both))) == ["Lars became an expert."]
    one = replace(FULL, registries=(both[0], before.registries[1]))
    assert sentences(before, one) == ["Formal: Lars became an expert."]


HEADS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"title": "T."}, "Title “Things” became “T.”"),
    ({"category": "C"}, "Category “C” added."),
    ({"notice": "N"}, "Notice “N” added."),
    ({"notes": (("See ", RFC),)}, "Note “See RFC 8107” added."),
    ({"registries": ()}, "Table `things-1` removed."),
    ({"people": (Person(id="J", org="O"),)}, "Contact `J` (O) added."),
)


@pytest.mark.parametrize(("given", "said"), HEADS)
def test_every_word_of_the_registry_itself_is_told(given: dict[str, Any], said: str) -> None:
    changed = replace(EMPTY, **given)
    assert sentences(EMPTY, changed) == [said]
    assert bool(registry_changes(EMPTY, changed).head) is ("Contact" not in said)


TABLES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"title": "All"}, "All: title “Things” became “All”."),
    ({"references": (RFC,)}, "Things: reference RFC 8107 added."),
    ({"rule": ("See ", RFC, ".")}, "Things: registration procedure “See RFC 8107.” added."),
)


@pytest.mark.parametrize(("given", "said"), TABLES)
def test_every_word_above_a_table_is_told(given: dict[str, Any], said: str) -> None:
    assert sentences(registry(), registry(**given)) == [said]


def test_people_who_came_went_and_changed_are_told() -> None:
    jane, other = FULL.people
    after = replace(FULL, people=(replace(jane, uris=("https://j.example",)), Person(id="New")))
    assert sentences(FULL, after) == [
        "Contact `Jane_Doe` (Jane Doe): contact mailto:jane&example.org became https://j.example.",
        "Contact `New` added.",
        f"Contact `{other.id}` (The Ørg) removed.",
    ]


def test_another_order_of_names_tables_or_people_is_told() -> None:
    formal, informal = FULL.registries
    turned = replace(formal, records=formal.records[::-1])
    after = replace(FULL, registries=(informal, turned), people=FULL.people[::-1])
    assert sentences(FULL, after) == [
        "Formal: order of the entries changed.",
        "Order of the tables changed.",
        "Order of the contacts changed.",
    ]


def test_a_name_that_moved_to_another_table_is_told() -> None:
    formal, informal = FULL.registries
    moved = informal.records[0]
    after = replace(
        FULL,
        registries=(
            replace(formal, records=(*formal.records, moved)),
            replace(informal, records=()),
        ),
    )
    assert sentences(FULL, after) == [
        "`urn-1`: moved from `urn-namespaces-2` to `urn-namespaces-1`."
    ]


def test_long_texts_are_cut_in_sentences_and_whole_in_facts() -> None:
    [told] = registry_changes(EMPTY, replace(EMPTY, notice="word " * 200)).head
    assert len(told.sentence) < 200
    assert told.sentence.endswith("…” added.")
    assert told.fact.after == "word " * 200


def test_two_registries_and_a_name_that_stands_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="different registries"):
        registry_changes(FULL, EMPTY)
    with pytest.raises(ValueError, match="`AD-ID` appears twice"):
        registry_changes(None, registry(OLD, replace(OLD, name="AD-ID")))
    with pytest.raises(ValueError, match="id appears twice"):
        registry_changes(EMPTY, replace(EMPTY, people=(Person(id="a"), Person(id="a"))))


REFERENCES = (
    (Xref(XrefType.RFC, "bcp66"), "BCP 66"),
    (Xref(XrefType.RFC, "odd"), "odd"),
    (Xref(XrefType.DRAFT, "draft-a-00", fragment=XrefFragment.PAGE, at="3"), "draft-a-00, Page 3"),
    (Xref(XrefType.DRAFT, "RFC-draft-a-00"), "draft-a-00 (approved)"),
    (Xref(XrefType.ERRATA, "3188"), "RFC Errata 3188"),
    (Xref(XrefType.URI, "https://a.example", "An\n A"), "An A"),
    (Xref(XrefType.URI, "https://a.example"), "https://a.example"),
    (Xref(XrefType.PERSON, "Jane_Doe", "jane@example.org"), "Jane Doe"),
    (Xref(XrefType.REGISTRY, "uri-schemes"), "uri-schemes"),
    (Xref(XrefType.NOTE, "1"), "note 1"),
    (Xref(XrefType.UNICODE, "ucd15.0.0"), "Unicode 15.0.0"),
    (Xref(XrefType.TEXT, label="a text"), "a text"),
)


@pytest.mark.parametrize(("xref", "words"), REFERENCES)
def test_a_reference_is_named_in_words(xref: Xref, words: str) -> None:
    assert reference_words(xref) == words
    text: RichText = ("see\n", xref)
    assert rich_text_words(text) == f"see {words}"


def alike(snapshot: RegistrySnapshot) -> dict[str, object]:
    """A state without what is no change: its number, its day, white space in what it says."""
    notes = [part for note in snapshot.notes for part in (*note, "\n")]
    return {
        **spoken(replace(snapshot, edition=0, updated="")),
        "notes": mixed(tuple(notes)),
        "people": [spoken(person) for person in snapshot.people],
        "registries": [
            spoken(table)
            | {"rule": mixed(table.rule), "records": list(map(alike_record, table.records))}
            for table in snapshot.registries
        ],
    }


def alike_record(record: Registration) -> dict[str, object]:
    texts = {name: mixed(getattr(record, name)) for name in ("template", "contact")}
    return spoken(record) | texts | {"text": record.text}


def spoken(one: RegistrySnapshot | SubRegistry | Registration | Person) -> dict[str, object]:
    """Each member as it is told: texts on one line, references without white space."""
    members = {field.name: getattr(one, field.name) for field in fields(one)}
    if "references" in members:
        members["references"] = field_changes.cited_in(members["references"])
    return {
        name: " ".join((value or "").split()) if value is None or isinstance(value, str) else value
        for name, value in members.items()
    }


def mixed(text: RichText | None) -> tuple[str, tuple[Xref, ...]]:
    return rich_text_words(text or ()), field_changes.cited_in(text or ())


@GENERATED
@given(snapshots(), snapshots(), st.booleans())
def test_something_is_said_exactly_where_something_differs(
    first: RegistrySnapshot, second: RegistrySnapshot, same: bool
) -> None:
    before, after = (
        first,
        replace(first if same else second, id=first.id, edition=first.edition + 1),
    )
    found = registry_changes(before, after)
    assert bool(found) is (alike(before) != alike(after))
    assert found == registry_changes(before, after)
    for sentence in found.sentences():
        assert sentence.endswith((".", "…", "”"))
        assert len(sentence.splitlines()) == 1


def history(shared: Path) -> list[RegistrySnapshot]:
    """IANA's editions, numbered."""
    files = sorted((shared / "data" / "iana" / "history").glob("*.xml"))
    read = (read_xml(file.read_bytes()) for file in files)
    return [replace(snapshot, edition=n) for n, snapshot in enumerate(read, 1)]


def test_ianas_history_reads_as_it_happened(shared: Path) -> None:
    editions = history(shared)
    by_day = {after.updated: sentences(before, after) for before, after in pairwise(editions)}
    assert by_day["2026-07-28"] == ["`gs1` added."]
    assert by_day["2017-03-10"] == [
        "`adid`: reference draft-adid-urn-03 (approved) became RFC 8107."
    ]
    assert by_day["2017-03-06"] == ["`adid` added.", "`ad-id` removed."]
    assert "Lars Svensson became an expert." in by_day["2017-05-03"]
    assert by_day["2018-06-12"] == ["John C Klensin is no longer an expert."]
    assert by_day["2018-06-29"] == ["Peter Saint-Andre: role team leader added."]
    assert by_day["2019-02-21"] == []
    secured = by_day["2022-01-28"]
    assert len(secured) == 19
    assert all(one.endswith(": link went from http to https.") for one in secured)
    assert by_day["2023-03-14"] == ["`doi` added."]  # the note has a line feed more
    assert by_day["2022-03-21"] == ["`eic`: last change 2022-03-21 added."]
    assert registry_changes(editions[0], editions[-1]).summary == (
        "Entries: 44 registered, 12 changed. The text about the registry changed."
    )
