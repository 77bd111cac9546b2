"""The tool for URNs: the parts of each, and where a text that is none goes wrong."""

from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.urn import parse_urn
from app.pages.tools.urn_tool import (
    LONGEST_SHOWN,
    MOST,
    MOST_CHARACTERS,
    SHOWN,
    describe_urns,
    join_urn_list,
    pieces_of,
    read_urn_list,
)
from app.resolution.namespace_rules import NamespaceRules, book_of
from app.resolution.outcome_documents import check_urns
from tests.identifiers.strategies import AWKWARD, Spelled, spelled_urns

BOOK = book_of([NamespaceRules(name="example")])


@given(spelled_urns())
def test_the_pieces_of_a_urn_make_it_up(urn: Spelled) -> None:
    assert "".join(piece.text for piece in pieces_of(parse_urn(urn.text))) == urn.text


def test_the_parts_have_their_names() -> None:
    ((row,), _) = describe_urns(check_urns(["urn:example:a?+r?=q#f"], BOOK))
    assert [(label, piece.text) for label, piece in row.labelled] == [
        ("NID", "example"),
        ("NSS", "a"),
        ("r-component", "r"),
        ("q-component", "q"),
        ("f-component", "f"),
    ]


def refused(text: str) -> list[tuple[str, str]]:
    ((row,), _) = describe_urns(check_urns([text], BOOK))
    return [(piece.kind, piece.text) for piece in row.pieces]


def test_the_first_fault_is_marked() -> None:
    assert refused("urn:example:a b") == [
        ("text", "urn:example:a"),
        ("fault", " "),
        ("text", "b"),
    ]
    assert refused("urn:example:")[-1] == ("fault", "▁")
    assert refused("urn:example:\u202eb")[1] == ("fault", "[U+202E]")


def test_of_a_long_text_the_part_round_the_fault_is_shown() -> None:
    pieces = refused("urn:example:" + "a" * 5000 + "<" + "b" * 5000)
    assert [kind for kind, _ in pieces] == ["cut", "text", "fault", "text", "cut"]
    assert sum(len(text) for _, text in pieces) < 500


def test_all_are_counted_and_the_first_are_shown() -> None:
    texts = ["urn:example:a", "urn:example:a", "urn:other:a", "no"] * SHOWN
    rows, count = describe_urns(check_urns(texts, BOOK))
    assert len(rows) == SHOWN
    assert count == (4 * SHOWN, 2 * SHOWN, 3 * SHOWN, 3 * SHOWN - 2)


def test_a_list_is_read_line_by_line_as_far_as_is_checked_at_once() -> None:
    assert read_urn_list(" a \n\n\tb\r\n \n") == (("a", "b"), 0)
    assert read_urn_list("a\n" * MOST + "\n \n") == (("a",) * MOST, 0)
    assert read_urn_list("a\n" * (MOST + 2)) == (("a",) * MOST, 2)
    long = "b" * (MOST_CHARACTERS - 1)
    assert read_urn_list(f"{long}\nc") == ((long,), 1)
    assert read_urn_list(f"{long}bb\nc") == ((), 2)


def test_a_list_is_made_of_no_more_than_is_checked_at_once() -> None:
    assert join_urn_list(["a", "b"]) == "a\nb\n"
    assert join_urn_list(["a", "b" * MOST_CHARACTERS, "c"]) == "a\n"


def test_of_a_long_urn_the_beginning_of_each_part_is_shown() -> None:
    ((row,), _) = describe_urns(check_urns(["URN:example:" + "a" * 5000], BOOK))
    assert row.labelled[1][1].text == "a" * LONGEST_SHOWN + "…"
    assert row.normal_form == "urn:example:" + "a" * 5000


@given(st.lists(st.text(AWKWARD, max_size=30), max_size=5))
def test_any_text_is_shown(texts: list[str]) -> None:
    rows, count = describe_urns(check_urns(texts, BOOK))
    assert count.all == len(rows) == len(texts)
