"""The tool for URNs: the parts of each, and where a text that is none goes wrong."""

from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.nid import NidIndex
from app.identifiers.urn import parse_urn
from app.identifiers.urn_checks import check_urns
from app.pages.urn_tool import SHOWN, pieces_of, shown
from tests.identifiers.strategies import AWKWARD, Spelled, spelled_urns

INDEX = NidIndex(["example"])


@given(spelled_urns())
def test_the_pieces_of_a_urn_make_it_up(urn: Spelled) -> None:
    assert "".join(piece.text for piece in pieces_of(parse_urn(urn.text))) == urn.text


def test_the_parts_have_their_names() -> None:
    ((row,), _) = shown(check_urns(["urn:example:a?+r?=q#f"], INDEX))
    assert [(label, piece.text) for label, piece in row.labelled] == [
        ("NID", "example"),
        ("NSS", "a"),
        ("r-component", "r"),
        ("q-component", "q"),
        ("f-component", "f"),
    ]


def refused(text: str) -> list[tuple[str, str]]:
    ((row,), _) = shown(check_urns([text], INDEX))
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
    rows, count = shown(check_urns(texts, INDEX))
    assert len(rows) == SHOWN
    assert count == (4 * SHOWN, 2 * SHOWN, 3 * SHOWN, 3 * SHOWN - 2)


@given(st.lists(st.text(AWKWARD, max_size=30), max_size=5))
def test_any_text_is_shown(texts: list[str]) -> None:
    rows, count = shown(check_urns(texts, INDEX))
    assert count.all == len(rows) == len(texts)
