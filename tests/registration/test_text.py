"""Templates as text: what is written is read back, whatever the fields say."""

from collections.abc import Mapping
from textwrap import dedent

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.registration.declarations.registries import FORMAL, TEMPLATE_FIELDS
from app.registration.submissions.submission_rules import LONGEST_LINE, InvalidText, fit_text
from app.registration.templates.headings import LABELS
from app.registration.templates.template_reader import read_template
from app.registration.templates.template_writer import WIDTH, format_template
from tests import factories

FURNITURE = (
    "Smith                        Informational                     [Page 3]",
    "RFC 9999                  A Namespace                    January 2020",
    "(created 2001-01-01)",
    "[]",
    "> Syntax: quoted",
    "----------",
    "-- ",
    "_" * 47,
    "        Expires 5 March 2027        [Page 2]",
    "Internet-Draft       Wombats       March 2027",
    "o  Purpose: an item",
    "## Assignment",
    "4.1.  Resolution",
    "**Documentation**",
    "   Syntax: further in",
    "\tVersion: 2",
)


def words_of(fields: Mapping[str, str]) -> dict[str, list[str]]:
    return {name: text.split() for name, text in fields.items() if text.split()}


def test_what_was_written_is_read_back() -> None:
    fields = factories.template(version="3", date="2026-09-01", syntax='a = "b"\n  c = "d"')
    assert read_template(format_template(fields)).fields == fields


def heading_lines() -> st.SearchStrategy[str]:
    """Lines that read like headings, as people and hostile people write them."""
    manner = st.sampled_from(["{}:", "{}: x", "{}", " {}:", "   {}: y", "# {}", "1. {}:", "- {}:"])
    case = st.sampled_from([str.title, str.upper, str.lower, str.capitalize])
    words = st.sampled_from(sorted(LABELS))
    return st.builds(lambda m, c, w: m.format(c(w)), manner, case, words)


def texts() -> st.SearchStrategy[str]:
    lines = st.one_of(
        heading_lines(), st.sampled_from(FURNITURE), st.text(max_size=90), st.just("")
    )
    return st.lists(lines, min_size=1, max_size=8).map("\n".join)


def one_line() -> st.SearchStrategy[str]:
    return st.one_of(heading_lines(), st.text(max_size=LONGEST_LINE))


@st.composite
def accepted_fields(draw: st.DrawFn) -> dict[str, str]:
    """Any fields that the forms accept."""
    names = draw(st.sets(st.sampled_from([field.name for field in TEMPLATE_FIELDS]), min_size=1))
    fields = {}
    for name in names:
        text = draw(texts() if FORMAL.named[name].is_long else one_line())
        try:
            fields[name] = fit_text(FORMAL.named[name], text)
        except InvalidText:
            continue
    return fields


@given(accepted_fields())
@example({"purpose": "Purpose:\n\nSyntax: x\n\nDate: y", "registrant": "Name: A\n\nOverview: B"})
@example({"syntax": "\n".join(FURNITURE)})
@example({"date": "Purpose: x", "revision_information": "(created 2001-01-01)"})
def test_no_text_that_the_forms_accept_is_read_back_as_another(fields: dict[str, str]) -> None:
    read = read_template(format_template(fields))
    assert words_of(read.fields) == words_of(fields)
    assert read.unplaced == ()


@given(accepted_fields())
@example({"syntax": "- one " + "word " * 20 + "\nurn:example:" + "a" * 80 + " goes on\n\n- two"})
@example({"purpose": "Syntax: x\n" + "word " * 40})
def test_what_was_written_and_read_is_written_and_read_the_same(fields: dict[str, str]) -> None:
    read = read_template(format_template(fields)).fields
    assert read_template(format_template(read)).fields == read


def names_and_addresses() -> st.SearchStrategy[str]:
    begun = st.sampled_from(["urn:example:", "https://a.example/b-c/", "<http://a.example/?q="])
    return st.builds("".join, st.tuples(begun, st.text("ab-/:.?=&", min_size=1, max_size=90)))


@given(st.lists(st.one_of(names_and_addresses(), st.just("word")), min_size=1, max_size=40))
def test_a_name_or_an_address_is_never_split(words: list[str]) -> None:
    text = format_template({"purpose": " ".join(words)})
    assert text.split()[1:] == words
    assert all(len(line) <= WIDTH or " " not in line.strip() for line in text.split("\n"))


PROSE = """\
One line that is a good deal wider than the seventy-two columns of a template, and
goes on here.
A new sentence on a line of its own.
"""
FILLED = """\
One line that is a good deal wider than the seventy-two columns of a
template, and goes on here.
A new sentence on a line of its own.
"""
ITEMS = """\
In a list:
  - an item of it that is wider than the columns which there are, all in all, for it
    and its second line
  - another
"""
FILLED_ITEMS = """\
In a list:
  - an item of it that is wider than the columns which there are, all in
    all, for it and its second line
  - another
"""
ADDRESS = """\
Name: The Society for the Study of Small Animals that Hop Around at Night in the Woods
Address: 1 Street
The Other Society, which has a name that takes a good deal more than a whole line too
2 Street
"""
FILLED_ADDRESS = """\
Name: The Society for the Study of Small Animals that Hop Around at
Night in the Woods
Address: 1 Street
The Other Society, which has a name that takes a good deal more than a
whole line too
2 Street
"""
RULES = """\
name = "urn:example:" first-part ":" second-part ":" third-part ":" fourth-part
     / other
"""
TABLE = "Organization   A society with a long name\nAddress        " + "1 A Street " * 6 + "\n"
WIDE = (
    (PROSE, FILLED),
    (ITEMS, FILLED_ITEMS),
    (RULES, ""),
    (ADDRESS, FILLED_ADDRESS),
    (TABLE.replace(" \n", "\n"), ""),
    ("[RFC9999] Quoll, A., and others, " + "word " * 20, "[RFC9999] Quoll, A., and others, "),
    ("{number} is what " + "word " * 20, "{number} is what word"),
)


@pytest.mark.parametrize(("typed", "begins"), WIDE)
def test_paragraphs_are_filled_again_and_what_has_a_shape_keeps_it(typed: str, begins: str) -> None:
    text = format_template({"syntax": typed}).removeprefix("Syntax:\n\n")
    assert text.startswith(begins or typed)
    assert not begins or max(map(len, text.split("\n"))) <= WIDTH


def test_a_title_is_written_above_the_first_heading_and_read_back() -> None:
    title = (
        "Namespace Registration for the Society of Quolls and of Other Small Animals of the Wood"
    )
    text = format_template({"purpose": "None."}, title=title)
    assert text.startswith("Namespace Registration for the Society of Quolls and of Other Small")
    assert read_template(text).title == title


@given(st.lists(st.one_of(heading_lines(), st.text(max_size=60)), max_size=9).map("\n".join))
def test_short_lines_come_back_as_they_were(text: str) -> None:
    try:
        text = fit_text(FORMAL.named["syntax"], text)
    except InvalidText:
        return
    typed = dedent("\n".join(line.rstrip() for line in text.split("\n"))).strip("\n")
    read = read_template(format_template({"namespace_identifier": "x", "syntax": text}))
    assert read.fields.get("syntax", "") == typed


def test_a_text_is_72_columns_wide_where_it_is_not_indented() -> None:
    text = format_template({"purpose": "word " * 60 + "\n\nSyntax: is another matter " * 9})
    assert max(map(len, text.split("\n"))) <= WIDTH


def test_a_line_like_a_heading_is_told_from_one_by_its_indent() -> None:
    assert format_template({"purpose": "One.\nSyntax: two."}) == (
        "Purpose:\n\n   One.\n   Syntax: two.\n"
    )


@pytest.mark.parametrize("text", ["Name: A\nAddress: B", "A grammar.\n\n  a = b"])
def test_a_text_without_such_lines_stands_as_it_is(text: str) -> None:
    assert format_template({"registrant": text}) == f"Registrant:\n\n{text}\n"
