"""A book of rules is made fast, finds a name in any number of them, and tells what is near."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.registration.profiles.profile_records import (
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.resolution import namespace_rules as rule_books
from app.resolution.namespace_rules import (
    LineRuleBook,
    NamespaceRules,
    NssAutomaton,
    automaton_from,
    automaton_to,
    book_of,
    rule_lines,
    rules_from,
    rules_to,
)


def many(count: int) -> bytes:
    return b"".join(
        b'{"kind":"formal","name":"Ns-%d","names":"a \\"nid\\":\\"zz\\"","nid":"ns-%d"}\n'
        % (at, at)
        for at in range(count)
    )


def test_rules_are_found_by_their_folded_name_and_read_once() -> None:
    book = LineRuleBook(many(3))
    found = book.find("ns-1")
    assert found is not None
    assert (found.name, found.names) == ("Ns-1", 'a "nid":"zz"')
    assert book.find("ns-1") is found
    assert book.find("Ns-1") is book.find("zz") is book.find("") is None


def test_a_book_of_very_many_is_made_without_reading_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    monkeypatch.setattr("app.resolution.namespace_rules._document_of", read.append)
    monkeypatch.setattr(rule_books, "rules_from", lambda _: NamespaceRules(name="read"))
    book = LineRuleBook(many(20_000))
    assert "ns-19998" in book.nearest("ns-19998x")
    assert read == []
    assert book.find("ns-19999") == NamespaceRules(name="read")
    assert len(read) == 1


def test_no_more_are_held_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.resolution.namespace_rules._HELD", 10)
    book = LineRuleBook(many(50))
    first = book.find("ns-0")
    assert all(book.find(f"ns-{at}") for at in range(50))
    assert all(book.find(f"nobodys-{at}") is None for at in range(50))
    again = book.find("ns-0")
    assert again == first
    assert again is not first


def test_threads_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.resolution.namespace_rules._HELD", 5)
    book = LineRuleBook(many(40))
    with ThreadPoolExecutor(8) as pool:
        names = [f"ns-{at % 40}" for at in range(400)]
        found = list(pool.map(book.find, names))
    assert [one and one.name.lower() for one in found] == names


@pytest.mark.parametrize("lines", [b"nope\n", b'{"name":"a"}\n{"nid":"b"}\n', b'{"nid":"a"}'])
def test_lines_that_are_no_rules_are_refused(lines: bytes) -> None:
    with pytest.raises(ValueError, match="at octet"):
        LineRuleBook(lines)


NAMES = ("isbn", "issn", "isan", "doi", "example", "nbn")


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("isbn", "isbn"),
        ("d0i", "doi"),
        ("isbm", "isbn"),
        ("exmaple", "example"),
        ("exampel", "example"),
        ("exxmplee", "example"),
        ("i-s-b-n", "isbn"),
    ],
)
def test_the_nearest_names_come_first(asked: str, first: str) -> None:
    assert book_of(NamespaceRules(name=name) for name in NAMES).nearest(asked)[0] == first


@pytest.mark.parametrize("asked", ["", "x" * 33, "x" * 100_000, "qqqq", "q"])
def test_nothing_is_near_what_is_like_no_name(asked: str) -> None:
    assert book_of({name: NamespaceRules(name=name) for name in NAMES}).nearest(asked) == ()


def test_rules_come_back_from_their_lines() -> None:
    automaton = NssAutomaton(((), ((48, 57, 2),), ((48, 57, 2),)), frozenset({2}))
    rules = NamespaceRules(
        name="Ex",
        pattern=NssPattern(expression="[0-9]+", source="Syntax"),
        automaton=automaton,
        check="isbn",
        tells_check=True,
    )
    assert rules_from(rules_to(rules)) == rules
    assert LineRuleBook(rule_lines([("ex", rules)])).find("ex") == rules
    assert automaton_from(automaton_to(automaton)) == automaton


def test_lines_of_an_edition_that_older_software_built_are_read() -> None:
    older = LineRuleBook(
        b'{"kind":"formal","name":"Ex","nid":"ex","pattern":{"exact":true,"re":"[0-9]+","source":'
        b'"Syntax"},"resolution":{"resolvability":"resolved","services":[{"is_registrants":true,'
        b'"is_sure":false,"kind":"I2L","target":"https://a.example/{+nss}"}]}}\n'
    )
    service = ResolutionService(
        kind=ServiceKind.LOCATION,
        target="https://a.example/{+nss}",
        is_registrants=True,
        is_sure=False,
    )
    rules = NamespaceRules(
        name="Ex",
        pattern=NssPattern(expression="[0-9]+", is_exact=True, source="Syntax"),
        resolution=Resolution(resolvability=Resolvability.RESOLVED, services=(service,)),
    )
    assert older.find("ex") == rules
    written = rule_lines([("ex", rules)])
    assert b'"exact":true,"expression":"[0-9]+"' in written
    assert b'"registrant":true,"sure":false' in written


@pytest.mark.parametrize("moves", [(((0, 5, 9),),), (((5, 0, 0),),), (((0, 200, 0),),)])
def test_a_table_with_moves_to_nowhere_is_refused(
    moves: tuple[tuple[tuple[int, int, int], ...], ...],
) -> None:
    with pytest.raises(ValueError, match="no move"):
        NssAutomaton(moves, frozenset())


@pytest.mark.parametrize(
    "member",
    [
        b'"resolution":{"services":[{"kind":"I2L","target":"https://a.example/","new":1}]}',
        b'"resolution":{"services":[{"kind":"I2X","target":"https://a.example/"}]}',
        b'"pattern":{"grammar":"a"}',
        b'"equivalence":[{"do":"swap","clause":"c"}]',
    ],
)
def test_of_rules_that_newer_software_wrote_the_name_is_known_at_least(member: bytes) -> None:
    book = LineRuleBook(
        b'{"kind":"formal","name":"New","nid":"new","title":"Things",' + member + b"}\n"
    )
    found = book.find("new")
    assert found == NamespaceRules(name="New", title="Things")
    assert book.find("new") is found
