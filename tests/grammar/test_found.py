"""Where rules are in a text with prose around them, and what only looks like one."""

import textwrap

import pytest

from app.grammar.analysis.study import Study, study_to
from tests.grammar.studies import study


def rules(text: str) -> list[str]:
    """The rules that were taken, in ABNF."""
    return [rule.abnf for rule in study(text).rules]


def lines(found: Study) -> list[tuple[str, int, int]]:
    return [(rule.name, rule.line, rule.last_line) for rule in found.rules]


PROSE = """\
The structure of the names is as follows:

    name   = "urn:ex:" year
             [ ":" number ]   ; the number may
                              ; be left out
    year   = 4DIGIT

    number = 1*3DIGIT

where DIGIT is defined in [RFC5234]. A year = 365 days in no rule.
"""


def test_rules_are_found_in_prose_with_their_lines() -> None:
    found = study(PROSE)
    assert lines(found) == [("name", 3, 5), ("year", 6, 6), ("number", 8, 8)]
    assert found.rules[0].abnf == 'name = "urn:ex:" year [ ":" number ]'
    assert not found.findings


def test_a_definition_goes_on_over_a_page_break() -> None:
    text = """\
       name  = "urn:ex:" year
               "-" number

    Quoll                     Informational                     [Page 7]
    \f
    RFC 9999                     Quolls                     October 2030


               [ "-" letter ]
       year  = 4DIGIT

    Quoll                     Informational                     [Page 8]
    \f
    RFC 9999                     Quolls                     October 2030

       number = DIGIT
       letter = ALPHA
    """
    found = study(textwrap.dedent(text))
    assert rules(textwrap.dedent(text)) == [
        'name = "urn:ex:" year "-" number [ "-" letter ]',
        "year = 4DIGIT",
        "number = DIGIT",
        "letter = ALPHA",
    ]
    assert not found.problems


def test_a_definition_goes_on_over_a_blank_line_where_it_cannot_end() -> None:
    assert rules('name = "urn:ex:" ( ALPHA /\n\n   DIGIT )\n\nWords follow.') == [
        'name = "urn:ex:" (ALPHA / DIGIT)'
    ]
    assert rules('name = "urn:ex:a"\n\n   / "urn:ex:b"\n') == ['name = "urn:ex:a" / "urn:ex:b"']


def test_the_name_may_stand_on_a_line_of_its_own() -> None:
    assert rules('   name\n      = "urn:ex:" ALPHA\n') == ['name = "urn:ex:" ALPHA']


def test_rules_that_were_run_together_are_told_apart() -> None:
    assert rules('name = "urn:ex:" rest rest = 1*more more = ALPHA / "="') == [
        'name = "urn:ex:" rest',
        "rest = 1*more",
        'more = ALPHA / "="',
    ]


def test_rules_are_found_in_a_text_that_lost_its_line_ends() -> None:
    text = 'As follows: name = "urn:ex:" year "/" rest year = 4DIGIT rest = 1*ALPHA Such a year is.'
    assert rules(text) == ['name = "urn:ex:" year "/" rest', "year = 4DIGIT", "rest = 1*ALPHA"]


@pytest.mark.parametrize(
    "text",
    [
        '```abnf\nname = "urn:ex:" ALPHA\n```\nAnd so on.',
        '> name = "urn:ex:" ALPHA',
        '   - name = "urn:ex:" ALPHA\n\n   - more of it',
        'In short:\n`name = "urn:ex:" ALPHA`\nand no more.',
        '\tname\t=\t"urn:ex:" ALPHA\r\n\r\nThat is all.\r\n',
        '1. name = "urn:ex:" ALPHA',
    ],
)
def test_marks_around_a_rule_are_no_part_of_it(text: str) -> None:
    assert rules(text) == ['name = "urn:ex:" ALPHA']


@pytest.mark.parametrize(
    "text",
    [
        "where n = 16 is the number of bits",
        "NSS = Namespace Specific String",
        "total = price / count",
        "Fee = 10 EUR (see below)",
        "Version = 1",
        '<item\n  class="x">',
        "if a == b => c",
        "The name is urn:ex:{year}:{number}, where year is a year.",
        "The syntax is that of RFC 8141.",
        "",
    ],
)
def test_what_only_looks_like_a_rule_is_left_alone(text: str) -> None:
    found = study(f"Some words before.\n\n{text}\n\nAnd some words after.\n")
    assert found.is_empty
    assert not found.findings


def test_all_of_bnf_is_read_as_it_is_meant() -> None:
    text = """\
    <name>      ::= "urn:ex:" <first part> [ 1,8<letter> ]
    <first part> ::= <letter> | '0'..'9' | {"x"}
    <letter>    ::= [a-zA-Z] <tail>?
    <tail>      ::= "-"+
    """
    assert rules(textwrap.dedent(text)) == [
        'name = "urn:ex:" first-part [ 1*8letter ]',
        'first-part = letter / %x30-39 / *"x"',
        "letter = (%x41-5A / %x61-7A) [ tail ]",
        'tail = 1*"-"',
    ]


@pytest.mark.parametrize(
    "prose",
    ["where a number is: [0-9]{6}", "RFC 9999: name = part", "and so on (see below) to the end"],
)
def test_prose_right_below_a_rule_is_no_part_of_it(prose: str) -> None:
    assert rules(f'  name = "urn:ex:" 6DIGIT\n   {prose}\n')[0] == 'name = "urn:ex:" 6DIGIT'


def test_a_urn_with_placeholders_is_a_rule_where_they_are_rules() -> None:
    found = study("Names are urn:ex:{year}/<number>.\n\nyear = 4DIGIT\nnumber = 1*DIGIT\n")
    assert found.start == "ex-urn"
    assert found.rules[-1].abnf == 'ex-urn = "urn:ex:" year "/" number'
    assert rules("Names are urn:ex:{year}/<colour>.\n\nyear = 4DIGIT\n") == ["year = 4DIGIT"]


@pytest.mark.parametrize(
    ("text", "start", "judged_as"),
    [
        ('part = ALPHA\nwhole = "URN:ex:" part', "whole", "URN"),
        ('whole = "urn" ":" "ex" ":" part\npart = ALPHA', "whole", "URN"),
        ("quoll-nss = ALPHA part\npart = DIGIT", "quoll-nss", "NSS"),
        ('quoll-urn = %s"x" part\npart = DIGIT', "quoll-urn", "URN"),
        ("one = two\ntwo = ALPHA", "one", "NSS"),
        ('one = 1*( ALPHA / ":" )', "one", "NSS"),
    ],
)
def test_the_rule_of_names_is_guessed_and_told(text: str, start: str, judged_as: str) -> None:
    found = study(text)
    assert (found.start, found.judged_as) == (start, judged_as)
    assert found.start_why


def test_the_rule_of_names_can_be_chosen() -> None:
    text = 'whole = "urn:ex:" part\npart = ALPHA / " "'
    assert study(text, start="PART").judged_as == "NSS"
    missing = study(text, start="parts")
    assert missing.start is None
    assert [one.code for one in missing.problems] == ["no-start"]
    assert "`whole` and `part`" in missing.problems[0].message


@pytest.mark.parametrize(
    ("text", "nid"),
    [
        ("Namespace Identifier:  quoll\n", "quoll"),
        ("Namespace ID:\n\n  'quoll' requested\n", "quoll"),
        ('## Namespace ID\n\n"quoll" requested.\n', "quoll"),
        ("**Namespace ID:**\n\nquoll\n", "quoll"),
        ("Namespace ID:  QUOLL Requested of IANA.\n", "quoll"),
        ("Namespace Identifier:\n\nRequest is made for a formal name:\n\nquoll\n", None),
    ],
)
def test_the_nid_is_read_from_a_template(text: str, nid: str | None) -> None:
    assert study(f"{text}\nSyntax:\n\nNSS = 1*DIGIT\n").nid == nid


def test_only_names_of_another_namespace_are_a_problem() -> None:
    right = 'name = "URN:Quoll:" 1*ALPHA'
    assert not study(right, "quoll").findings
    (finding,) = study(right, "numbat").problems
    assert finding.code == "other-beginning"
    assert "start with `urn:numbat:`" in finding.message


def test_sensitive_and_insensitive_literals_are_told_apart() -> None:
    text = 'name = "urn:ex:" (%s"a" / %i"b")\n\nurn:ex:a urn:ex:A urn:ex:b urn:ex:B'
    verdicts = {one.text: one.verdict for one in study(text).examples}
    assert verdicts == {
        "urn:ex:a": "matches",
        "urn:ex:A": "stops",
        "urn:ex:b": "matches",
        "urn:ex:B": "matches",
    }


def test_a_study_is_plain_data() -> None:
    document = study_to(study(PROSE))
    assert document["rules"][1]["tree"] == ["repeat", 4, 4, ["rule", "DIGIT"]]
    assert list(document["known"]) == ["DIGIT (RFC 5234 appendix B.1)"]
