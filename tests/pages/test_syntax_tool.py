"""What the syntax workbench shows of a text."""

from app.pages.tools.workbench_view import SyntaxLineView, lines_of, pictures_of
from tests.grammar.studies import study

TEXT = """\
Words first.
More words.

name = "urn:ex:" a_b
a_b = 1*( ALPHA / " " )

Words again, and so on.
More.
Such as urn:ex:17.
"""


def shown() -> list[SyntaxLineView | None]:
    return lines_of(TEXT, study(TEXT))


def test_lines_that_matter_are_shown_and_the_gaps_told() -> None:
    assert [line and line.number for line in shown()] == [None, 3, 4, 5, 6, None, 8, 9, 10]


def test_a_finding_stands_at_its_line_and_what_it_is_about_is_marked() -> None:
    lines = {line.number: line for line in shown() if line}
    assert (lines[5].before, lines[5].marked, lines[5].severity) == ("", "a_b", "should")
    assert [one.code for one in lines[5].findings] == ["rule-name", "not-a-urn"]
    assert (lines[9].before, lines[9].marked, lines[9].after) == ("Such as ", "urn:ex:17", ".")
    assert (lines[4].severity, lines[4].rule, lines[4].before) == ("", "name", TEXT.split("\n")[3])


def test_a_literal_is_marked_whole() -> None:
    text = 'name = "urn:ex:" ( "a b" / "c" )'
    (line,) = lines_of(text, study(text))
    assert line is not None
    assert line.marked == '"a b"'


def test_a_text_without_rules_shows_no_lines() -> None:
    assert lines_of("Words.", study("Words.")) == []


def test_each_rule_has_a_picture_and_words() -> None:
    first, second = pictures_of(study(TEXT))
    assert first.words == 'name is "urn:ex:", then a_b.'
    assert second.svg.startswith("<svg ")
