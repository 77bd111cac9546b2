"""What people ask of a text is placed at the field and the line that it speaks of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.registration.declarations.registries import FORMAL
from app.registration.submission_findings import SubmissionFinding
from app.registration.submissions.text_points import (
    MOST_POINTS,
    TextPlaces,
    point_fields,
    points_in,
)

TEXTS = {
    "purpose": "To name boxes.",
    "syntax": "nss = box\nbox = 1*DIGT\nA box has a number on its side.",
    "assignment": "The agency assigns them.",
    "profile": "homepage: https://boxes.example/\nexamples: urn:boxes:1",
}
SYNTAX, PURPOSE = ("syntax", 2), ("purpose", 0)
WHOLE, LOOKED_UP, SAME = ("", 0), ("profile", 0), ("equivalence", 0)


PARTS = {"Homepage": "profile", "Examples": "profile", "Services": "profile"}


def _placed(said: str, field: str = "") -> list[tuple[tuple[str, int], str]]:
    found = points_in(said, TextPlaces(point_fields(FORMAL), TEXTS, PARTS), field)
    return [((one.field, one.line), one.words) for one in found]


@pytest.mark.parametrize(
    ("said", "places"),
    [
        ("Please say more.", [WHOLE]),
        ("> Syntax, line 2: box = 1*DIGT\n\n`DIGT` is not defined.", [SYNTAX]),
        ("> 2: box = 1*DIGT\n\nnot defined", [SYNTAX]),  # as older reviews quote
        ("> A box has a number on its side.\n\nWhere?", [("syntax", 3)]),
        ("> it is written elsewhere\n\nWhere?", [WHOLE]),
        ("Purpose: say for whom.\n\nWhy now?", [PURPOSE]),
        ("In Syntax, line 2, a rule is missing.", [SYNTAX]),
        ("Syntax, line 999: there is none.", [("syntax", 0)]),
        ("Who is it that the Purpose speaks of?", [PURPOSE]),
        ("Purpose and Syntax differ, says Assignment.", [PURPOSE]),
        ("The words of Purpose and of Syntax differ.", [WHOLE]),
        ("Syntaxes are many, and a purpose is one.", [WHOLE]),
        (
            "Hello.\n\n- Purpose: for whom?\n- Syntax, line 2: a rule is missing.",
            [WHOLE, PURPOSE, SYNTAX],
        ),
        ("> Syntax, line 2: x\n\nAs Purpose says.\n\nPurpose: why?", [SYNTAX, PURPOSE]),
        ("> Syntax, line 2: x\nNo.\n> Syntax, line 2: x\nAgain.", [SYNTAX, SYNTAX]),
        ("> Homepage\n\nIt is not there.\n\nExamples: three?", [LOOKED_UP]),
        ("> What people look up, line 2\n\nWhy?\n\n> Same names\n\nWhich?", [LOOKED_UP, SAME]),
        ("> Key facts, line 2\n\nWhy?\n\n> Equivalent spellings\n\nWhich?", [LOOKED_UP, SAME]),
        ("> homepage: https://boxes.example/\n\nIt is not there.", [LOOKED_UP]),
        ("Examples are missing, and Services of Syntax.", [("syntax", 0)]),  # no headings
        ("", []),
        (" \n\n", []),
    ],
)
def test_each_thing_stands_where_it_speaks_of(said: str, places: list[tuple[str, int]]) -> None:
    assert [place for place, _ in _placed(said)] == places


def test_what_a_quote_is_followed_by_belongs_to_it() -> None:
    (point,) = _placed("> Syntax, line 2: box = 1*DIGT\n\nNot defined.\n\nWhat is meant?")
    assert point[1] == "> Syntax, line 2: box = 1*DIGT\n\nNot defined.\n\nWhat is meant?"


def test_a_comment_on_a_section_is_about_it_unless_it_says_otherwise() -> None:
    assert [place for place, _ in _placed("Why?\n\nPurpose: for whom?", "syntax")] == [
        ("syntax", 0),
        PURPOSE,
    ]
    assert [place for place, _ in _placed("Line 2 is wrong.", "syntax")] == [SYNTAX]


@pytest.mark.parametrize("line", [0, 2])
def test_a_finding_is_quoted_so_that_it_stands_at_its_field(line: int) -> None:
    finding = SubmissionFinding(
        field="syntax", code="x", message="Mend it.", source="RFC 5234", line=line, quoted="box = 1"
    )
    assert [place for place, _ in _placed(f"Well.\n\n{finding.quote}")] == [WHOLE, ("syntax", line)]


@given(
    st.lists(
        st.sampled_from(("> ", "- ", "\n", "\n\n", "Syntax", "Purpose: ", ", line 2", "a", " ")),
        max_size=60,
    ).map("".join)
)
def test_nothing_that_was_said_is_left_out(said: str) -> None:
    found = points_in(said, TextPlaces(FORMAL.public_fields, TEXTS))
    assert "".join("".join(one.words for one in found).split()) == "".join(said.split())
    assert len(found) <= MOST_POINTS
