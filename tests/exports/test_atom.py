"""The feed."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from lxml import etree

from app.exports.content.publication_site import PublicationSite
from app.exports.editions.atom import (
    MEDIA_TYPE,
    NAMESPACE,
    PAGING,
    atom_archive,
    atom_bytes,
    atom_file,
    name_feeds,
)
from app.exports.editions.changes import registry_changes
from app.exports.editions.edition_list import EditionRow
from app.exports.formats.xml_reader import read_xml
from app.exports.serialization.xml_values import XmlValueError
from app.registration.records.registry_records import Person, Registration, RegistrySnapshot, Status
from tests.exports.snapshots import EMPTY, FULL, GENERATED, snapshots

PLACE = PublicationSite("https://urn.example")
EDITION = "https://urn.example/editions"
FEED = "https://urn.example/assignments/urn-namespaces/urn-namespaces.atom"
SPACES = {"a": NAMESPACE}

FORMAL, INFORMAL = FULL.registries
ALPHA, ALFA, OMEGA, DRAFT = FORMAL.records


def with_records(*records: Registration) -> RegistrySnapshot:
    """The registry with these formal names."""
    return replace(FULL, registries=(replace(FORMAL, records=records), INFORMAL))


def rows(*states: RegistrySnapshot) -> list[EditionRow]:
    """The history of these states, one a day."""
    return [
        EditionRow(
            number=n,
            as_of=datetime(2026, 1, n, 12, tzinfo=UTC),
            origin="local",
            cause="registration",
            changes=registry_changes(before, after),
        )
        for n, (before, after) in enumerate(zip((None, *states), states, strict=False), 1)
    ]


def feed(states: list[RegistrySnapshot], newest: int = 50) -> etree._Element:
    """The feed of a history, read again and held against RFC 4287."""
    root = etree.fromstring(atom_bytes(states[-1], rows(*states), PLACE, newest))
    check(root)
    return root


def texts(root: etree._Element, path: str) -> list[str]:
    """The texts and attributes at a path, `a:` before each element."""
    found = root.xpath(path, namespaces=SPACES)
    assert isinstance(found, list)
    return [str(getattr(item, "text", item) or "") for item in found]


def check(root: etree._Element) -> None:
    """What RFC 4287 asks of a feed and its entries (sections 4.1.1 and 4.1.2)."""
    for holder in (root, *root.iterfind("a:entry", SPACES)):
        for once in ("id", "title", "updated"):
            assert len(holder.findall(f"a:{once}", SPACES)) == 1
        assert len(holder.findall("a:link[@rel='alternate']", SPACES)) == 1
        assert datetime.fromisoformat(holder.findtext("a:updated", "", SPACES)).tzinfo is not None
    assert len(root.findall("a:author/a:name", SPACES)) == 1
    ids = texts(root, "//a:id")
    assert len(ids) == len(set(ids))
    assert all(text.startswith("https://urn.example/") for text in ids)


def test_the_head_says_what_the_feed_is_and_where() -> None:
    root = feed([FULL])
    assert texts(root, "a:id | a:title | a:subtitle | a:updated | a:author/a:name") == [
        FEED,
        "Names & <Numbers> – what changed",
        FULL.notice,
        "2026-01-01T12:00:00Z",
        "Registry operator",
    ]
    assert texts(root, "a:link/@rel | a:link/@type | a:link/@href") == [
        *("self", MEDIA_TYPE, FEED),
        *("alternate", "https://urn.example/assignments/urn-namespaces/"),
    ]
    assert atom_file(FULL) == "urn-namespaces.atom"
    assert texts(feed([replace(FULL, notice="")]), "a:subtitle") == []


def test_new_and_changed_names_are_told_apart_and_lead_to_their_pages() -> None:
    new = Registration(name="New")
    changed = replace(OMEGA, status=Status.REGISTERED)
    root = feed([FULL, with_records(ALPHA, ALFA, changed, DRAFT, new)], newest=2)
    assert texts(root, "a:entry/a:category/@term") == ["changed", "registered"]
    assert texts(root, "a:entry/a:title") == ["omega changed", "New added"]
    assert texts(root, "a:entry/a:id") == [f"{EDITION}/2/#names/omega", f"{EDITION}/2/#names/New"]
    assert texts(root, "a:entry/a:link/@href") == [
        "https://urn.example/namespaces/omega",
        "https://urn.example/namespaces/new",
    ]
    assert texts(root, "a:entry/a:content") == [
        "omega: status deprecated became registered.",
        "New added.",
    ]
    assert set(texts(root, "a:entry/a:updated")) == {"2026-01-02T12:00:00Z"}


def test_a_renaming_leads_to_the_new_name_and_a_name_that_is_gone_to_the_edition() -> None:
    former = replace(OMEGA, status=Status.FORMER, successor="psi")
    after = with_records(ALPHA, ALFA, former, replace(OMEGA, name="psi"))
    root = feed([FULL, after], newest=2)
    assert texts(root, "a:entry/a:category/@term") == ["renamed", "removed"]
    assert texts(root, "a:entry/a:title") == ["omega renamed to psi", "draft removed"]
    assert texts(root, "a:entry/a:link/@href") == [
        "https://urn.example/namespaces/psi",
        f"{EDITION}/2/",
    ]


def test_what_changed_of_the_registry_itself_and_of_people_is_one_entry() -> None:
    after = replace(FULL, title="T", people=(*FULL.people, Person(id="New")))
    root = feed([FULL, after], newest=1)
    assert texts(root, "a:entry/a:category/@term") == ["registry"]
    assert texts(root, "a:entry/a:id") == [f"{EDITION}/2/#registry"]
    assert texts(root, "a:entry/a:content") == [
        "Title “Names & <Numbers>” became “T”. Contact New added."
    ]


def test_the_newest_come_first_and_no_more_than_asked_for() -> None:
    states = [with_records(*FORMAL.records[:n]) for n in range(5)]
    assert texts(feed(states, newest=3), "a:entry/a:id") == [
        f"{EDITION}/5/#names/draft",
        f"{EDITION}/4/#names/omega",
        f"{EDITION}/3/#names/alfa",
    ]


def test_an_entry_keeps_its_bytes_while_others_come() -> None:
    states = [with_records(*FORMAL.records[:n]) for n in range(5)]
    before, after = (feed(states[:n]) for n in (4, 5))
    old = [etree.tostring(entry) for entry in before.iterfind("a:entry", SPACES)]
    new = [etree.tostring(entry) for entry in after.iterfind("a:entry", SPACES)]
    assert new[1:] == old
    assert after.findtext("a:updated", "", SPACES) == "2026-01-05T12:00:00Z"


def test_an_edition_without_changes_moves_the_date_alone() -> None:
    root = feed([EMPTY, EMPTY])
    assert texts(root, "a:entry") == []
    assert texts(root, "a:updated") == ["2026-01-02T12:00:00Z"]


def test_all_entries_are_reached_by_paging_back_and_a_page_never_changes() -> None:
    """As RFC 5005 section 4 has readers do it: newer documents first, an entry is taken once."""
    states = [with_records(*FORMAL.records[:n]) for n in range(5)]
    states += [replace(states[-1], title=f"Title {n}") for n in range(5)]
    kept: dict[str, bytes] = {}
    for newest in range(1, len(states) + 1):
        history = rows(*states[:newest])
        made = dict(atom_archive(states[newest - 1], history, PLACE, kept, size=3))
        again = dict(atom_archive(states[newest - 1], history, PLACE, size=3))
        assert not set(made) & set(kept)
        assert all(entries_in(again[file]) == entries_in(kept[file]) for file in kept)
        kept |= made
        told = entries_in(atom_bytes(states[newest - 1], history, PLACE, 1000))
        assert walked(atom_bytes(states[newest - 1], history, PLACE, 3), kept) == told
    assert len(kept) == 3


def entries_in(document: bytes) -> list[str]:
    return texts(etree.fromstring(document), "a:entry/a:id")


def walked(document: bytes, archive: dict[str, bytes]) -> list[str]:
    """The entries of a feed and of the pages before it, newest first."""
    found: dict[str, None] = {}
    while True:
        root = etree.fromstring(document)
        check(root)
        assert texts(root, "a:id") == [FEED]
        found |= dict.fromkeys(texts(root, "a:entry/a:id"))
        earlier = texts(root, "a:link[@rel='prev-archive']/@href")
        if not earlier:
            return list(found)
        folder, _, file = earlier[0].rpartition("/")
        document = archive[file]
        page = etree.fromstring(document)
        assert folder == FEED.rpartition("/")[0]
        assert texts(page, "a:link[@rel='self']/@href") == earlier
        assert texts(page, "a:link[@rel='current']/@href") == [FEED]
        assert len(page.findall(f"{{{PAGING}}}archive")) == 1
        assert len(page.findall("a:entry", SPACES)) == 3, "an archived page is full"


def test_the_order_of_the_history_does_not_count() -> None:
    states = [with_records(*FORMAL.records[:n]) for n in range(5)]
    history = rows(*states)
    assert atom_bytes(FULL, history[::-1], PLACE) == atom_bytes(FULL, iter(history), PLACE)


def test_a_history_of_no_edition_and_a_character_without_place_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one edition"):
        atom_bytes(FULL, [], PLACE)
    with pytest.raises(XmlValueError):
        atom_bytes(replace(FULL, title="a\0"), rows(FULL), PLACE)


@GENERATED
@given(snapshots(), snapshots())
def test_whatever_changed_the_feed_is_well_formed(
    first: RegistrySnapshot, second: RegistrySnapshot
) -> None:
    states = [first, replace(second, id=first.id)]
    root = feed(states)
    said = sum(len(row.changes.names) for row in rows(*states))
    other = any(row.changes.head or row.changes.people for row in rows(*states))
    assert len(root.findall("a:entry", SPACES)) == said + other


def test_the_feed_of_ianas_history_begins_with_the_newest_name(shared: Path) -> None:
    files = sorted((shared / "data" / "iana" / "history").glob("*.xml"))[-30:]
    states = [read_xml(file.read_bytes()) for file in files]
    root = feed(states)
    assert texts(root, "a:entry/a:title")[0] == "gs1 added"
    assert len(root.findall("a:entry", SPACES)) == 50


def feeds_of_names(
    states: list[RegistrySnapshot], history: list[EditionRow]
) -> dict[str, etree._Element]:
    """The feed of each name, read again and held against RFC 4287."""
    found = {name: etree.fromstring(c) for name, c in name_feeds(states[-1], history, PLACE)}
    for root in found.values():
        check(root)
    return found


def test_the_feed_of_a_name_tells_what_each_edition_did_to_it_and_nothing_else() -> None:
    changed = replace(OMEGA, status=Status.REGISTERED)
    states = [with_records(ALPHA), with_records(ALPHA, OMEGA), with_records(ALPHA, changed)]
    history = rows(*states)
    history[2] = replace(history[2], cause="correction", reason="It was mistyped.")
    root = feeds_of_names(states, history)["omega.atom"]
    assert texts(root, "a:title") == ["urn:omega: – what changed"]
    assert texts(root, "a:id") == ["https://urn.example/namespaces/omega.atom"]
    assert texts(root, "a:link[@rel='self']/@href") == texts(root, "a:id")
    assert texts(root, "a:link[@rel='alternate']/@href") == ["https://urn.example/namespaces/omega"]
    assert texts(root, "a:subtitle") == [FULL.notice]
    assert texts(root, "a:updated") == ["2026-01-03T12:00:00Z"]
    assert texts(root, "a:entry/a:id") == [f"{EDITION}/3/#names/omega", f"{EDITION}/2/#names/omega"]
    assert texts(root, "a:entry/a:link/@href") == [f"{EDITION}/3/", f"{EDITION}/2/"]
    assert texts(root, "a:entry/a:category/@term") == ["corrected", "registered"]
    newest, _ = texts(root, "a:entry/a:content")
    assert "It was mistyped." in newest


def test_the_feed_of_a_name_stays_to_the_byte_until_an_edition_touches_it() -> None:
    states = [with_records(ALPHA), with_records(ALPHA, OMEGA)]
    first = dict(name_feeds(states[0], rows(*states[:1]), PLACE))
    later = replace(states[1], edition=2, updated="2027-01-01")
    second = dict(name_feeds(later, rows(states[0], later), PLACE))
    assert second["alpha.atom"] == first["alpha.atom"]
    assert set(second) == {"alpha.atom", "omega.atom", "urn-1.atom"}


def test_a_renaming_stands_in_the_feeds_of_both_names() -> None:
    beta = replace(ALPHA, name="beta")
    former = Registration(name="alpha", status=Status.FORMER, successor="beta")
    states = [with_records(ALPHA), with_records(former, beta)]
    found = feeds_of_names(states, rows(*states))
    for name, terms in (("alpha", ["renamed", "registered"]), ("beta", ["renamed"])):
        assert texts(found[f"{name}.atom"], "a:entry/a:category/@term") == terms
        assert "alpha renamed to beta" in texts(found[f"{name}.atom"], "a:entry/a:title")[0]


def test_a_name_without_a_page_or_a_history_has_no_feed() -> None:
    undeclared = replace(EMPTY.registries[0], records=(Registration(name="thing"),))
    state = replace(EMPTY, registries=(undeclared,))
    assert dict(name_feeds(state, rows(state), PLACE)) == {}
    assert dict(name_feeds(FULL, [], PLACE)) == {}
