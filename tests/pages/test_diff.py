"""Two texts compared: in one, side by side, and as text."""

from hypothesis import given
from hypothesis import strategies as st

from app.pages.text.template_diff import DiffKind, DiffSegment, difference, unified
from app.registration.templates.template_writer import format_template

texts = st.text(st.sampled_from("ab \n."), max_size=60)


def joined(pieces: tuple[DiffSegment, ...]) -> str:
    return "".join(piece.text for piece in pieces)


@given(texts, texts)
def test_side_by_side_holds_every_word_of_both_on_its_side(old: str, new: str) -> None:
    for field in difference({"purpose": old}, {"purpose": new}).changed:
        left = [piece for side, _ in field.rows for piece in side]
        right = [piece for _, side in field.rows for piece in side]
        assert (joined(tuple(left)), joined(tuple(right))) == (old, new)
        assert DiffKind.ADDED not in {piece.kind for piece in left}
        assert DiffKind.REMOVED not in {piece.kind for piece in right}


def test_lines_that_belong_together_stand_side_by_side() -> None:
    (field,) = difference({"purpose": "one\ntwo\nsix"}, {"purpose": "one\n2\nsix"}).changed
    assert [(joined(a), joined(b)) for a, b in field.rows] == [
        ("one\n", "one\n"),
        ("two\n", "2\n"),
        ("six", "six"),
    ]


def test_the_text_shows_the_lines_of_the_templates() -> None:
    old, new = {"purpose": "Boxes.", "syntax": "a"}, {"purpose": "Crates.", "syntax": "a"}
    assert unified(old, new, ("then", "now")) == (
        "--- then\n+++ now\n@@ -1,6 +1,6 @@\n Purpose:\n \n-Boxes.\n+Crates.\n \n Syntax:\n \n"
    )
    assert unified(old, old, ("then", "now")) == ""


@given(texts, texts)
def test_the_text_tells_all_that_changed(old: str, new: str) -> None:
    before, after = {"purpose": old}, {"purpose": new}
    told = unified(before, after, ("a", "b")).splitlines()[2:]
    for sign, fields in (("-", before), ("+", after)):
        lines = format_template(fields).splitlines()
        assert {line[1:] for line in told if line.startswith(sign)} <= set(lines)
    assert bool(told) == (format_template(before) != format_template(after))
