"""Every finding by a small grammar that has it, and its twin that is right."""

from typing import NamedTuple

import pytest

from app.grammar.analysis.study import Study
from tests.grammar.studies import study

HEAD = 'name = "urn:ex:" rest\n'


class Pair(NamedTuple):
    """A grammar with a finding, where it is found, and its twin."""

    code: str
    wrong: str
    line: int
    column: int
    right: str
    says: str = ""


PROBLEMS = (
    Pair(
        "odd-character",
        HEAD + "rest\u00a0= ALPHA",
        2,
        5,
        HEAD + "rest = ALPHA",
        "U+00A0 (NO-BREAK SPACE). Use a space",
    ),
    Pair(
        "odd-character",
        HEAD + "rest = my\u2011part\nmy-part = ALPHA",
        2,
        10,
        HEAD + "rest = my-part\nmy-part = ALPHA",
        "U+2011 (NON-BREAKING HYPHEN). Use `-`",
    ),
    Pair(
        "mark",
        HEAD + "rest = ALPHA \u00ad DIGIT",
        2,
        14,
        HEAD + "rest = ALPHA DIGIT",
        "U+00AD (SOFT HYPHEN)",
    ),
    Pair("undefined", HEAD, 1, 18, HEAD + "rest = ALPHA", "`rest` is used but not defined"),
    Pair(
        "undefined",
        HEAD + "rest = item-number\nitem-number-short = DIGIT",
        2,
        8,
        HEAD + "rest = item-number\nitem-number = DIGIT",
        "Did you mean `item-number-short`?",
    ),
    Pair(
        "defined-twice",
        HEAD + "rest = ALPHA\nREST = DIGIT",
        3,
        1,
        HEAD + "rest = ALPHA\nREST =/ DIGIT",
        "`REST` is defined twice",
    ),
    Pair("empty", HEAD + "rest =", 2, 1, HEAD + 'rest = "a"', "has no definition"),
    Pair(
        "matches-nothing",
        HEAD + 'rest = "a" rest',
        2,
        1,
        HEAD + 'rest = "a" [ rest ]',
        "refers back to itself",
    ),
    Pair("range-upside-down", HEAD + "rest = %x39-30", 2, 8, HEAD + "rest = %x30-39", "%x30-39"),
    Pair("matches-nothing", HEAD + "rest = %x39-30", 2, 1, HEAD + "rest = %x30-39", "its range"),
    Pair("repetition-bounds", HEAD + "rest = 5*3DIGIT", 2, 8, HEAD + "rest = 3*5DIGIT", "`3*5`"),
    Pair(
        "rule-name",
        'name = "urn:ex:" a_b\na_b = ALPHA',
        2,
        1,
        'name = "urn:ex:" a-b\na-b = ALPHA',
        "`a-b`",
    ),
    Pair("rule-name", 'name = "urn:ex:" 2nd\n2nd = "x"', 2, 1, 'name = "urn:ex:" nd\nnd = "x"'),
    Pair("bracket", HEAD + "rest = (ALPHA / DIGIT", 2, 8, HEAD + "rest = (ALPHA / DIGIT)"),
    Pair("bracket", HEAD + "rest = ALPHA [ 1*(ALPHA ]", 2, 18, HEAD + "rest = ALPHA [ 1*(ALPHA) ]"),
    Pair("bracket", HEAD + "rest = ALPHA)", 2, 13, HEAD + "rest = (ALPHA)"),
    Pair(
        "empty-alternative", HEAD + "rest = ALPHA / / DIGIT", 2, 16, HEAD + "rest = ALPHA / DIGIT"
    ),
    Pair("empty-group", HEAD + "rest = ALPHA ()", 2, 14, HEAD + "rest = ALPHA"),
    Pair("quote-open", HEAD + 'rest = "abc', 2, 8, HEAD + 'rest = "abc"'),
    Pair("unquoted", HEAD + "rest = ALPHA : DIGIT", 2, 14, HEAD + 'rest = ALPHA ":" DIGIT', '":"'),
    Pair("equals", 'name ::= "urn:ex:" ALPHA', 1, 6, 'name = "urn:ex:" ALPHA', "Replace `::=`"),
    Pair("brackets", '<name> = "urn:ex:" ALPHA', 1, 1, 'name = "urn:ex:" ALPHA', "no angle"),
    Pair("alternative", HEAD + "rest = ALPHA | DIGIT", 2, 14, HEAD + "rest = ALPHA / DIGIT", "`/`"),
    Pair("alternative", HEAD + 'rest = "a" or "b"', 2, 12, HEAD + 'rest = "a" / "b"', "not `or`"),
    Pair("set", HEAD + "rest = 1*[a-z]", 2, 10, HEAD + "rest = 1*%x61-7A", "`%x61-7A`"),
    Pair("set", HEAD + "rest = A-Z 0-9", 2, 8, HEAD + "rest = %x41-5A %x30-39", "`%x41-5A`"),
    Pair("range", HEAD + 'rest = "a".."f"', 2, 8, HEAD + "rest = %x61-66", "`%x61-66`"),
    Pair("dash", HEAD + "rest = %x61–66", 2, 8, HEAD + "rest = %x61-66", "en dash"),
    Pair("number", HEAD + "rest = 0x41", 2, 8, HEAD + "rest = %x41", "`%x41`"),
    Pair("number", HEAD + "rest = %d4F", 2, 8, HEAD + "rest = %x4F", "decimal digits"),
    Pair(
        "number", HEAD + "rest = %x110000", 2, 8, HEAD + "rest = %x41", "highest Unicode character"
    ),
    Pair("quotes", HEAD + "rest = 'abc'", 2, 8, HEAD + 'rest = "abc"', '`"abc"`'),
    Pair("quotes", HEAD + "rest = “abc”", 2, 8, HEAD + 'rest = "abc"', "Typographic"),
    Pair("literal", HEAD + 'rest = "é"', 2, 8, HEAD + 'rest = "e"', "`%xE9`"),
    Pair("repetition-after", HEAD + "rest = ALPHA*", 2, 13, HEAD + "rest = *ALPHA ALPHA", "`*`"),
    Pair("repetition-after", HEAD + "rest = ALPHA+", 2, 13, HEAD + "rest = 1*ALPHA", "`1*`"),
    Pair("repetition-after", HEAD + "rest = ALPHA{2,4}", 2, 13, HEAD + "rest = 2*4ALPHA", "`2*4`"),
    Pair("repetition-space", HEAD + "rest = 1* ALPHA", 2, 8, HEAD + "rest = 1*ALPHA", "space"),
    Pair("repetition", HEAD + "rest = ALPHA 3*", 2, 14, HEAD + "rest = 3*ALPHA", "nothing"),
    Pair("repetition", HEAD + "rest = 1,8ALPHA", 2, 8, HEAD + "rest = 1*8ALPHA", "`1*8`"),
    Pair("option", HEAD + "rest = ALPHA DIGIT?", 2, 19, HEAD + "rest = ALPHA [DIGIT]"),
    Pair(
        "braces", HEAD + "rest = ALPHA {DIGIT}", 2, 14, HEAD + "rest = ALPHA *DIGIT", "`*( ... )`"
    ),
    Pair("comma", HEAD + "rest = ALPHA, DIGIT", 2, 13, HEAD + "rest = ALPHA DIGIT"),
    Pair("stop", HEAD + "rest = ALPHA.", 2, 13, HEAD + "rest = ALPHA"),
    Pair("comment", HEAD + "rest = ALPHA -- note", 2, 14, HEAD + "rest = ALPHA ; note"),
    Pair("comment", HEAD + "rest = ALPHA // note", 2, 14, HEAD + "rest = ALPHA ; note"),
    Pair(
        "comment-wrapped",
        HEAD + "rest = ALPHA ; a comment that\ngoes on",
        3,
        1,
        HEAD + "rest = ALPHA ; a comment that\n; goes on",
    ),
    Pair(
        "indent",
        HEAD + "rest = ALPHA\n[ DIGIT ]\n\n",
        3,
        1,
        HEAD + "rest = ALPHA\n  [ DIGIT ]\n\n",
    ),
    Pair("not-a-urn", HEAD + 'rest = 1*(ALPHA / " ")', 2, 19, HEAD + "rest = 1*ALPHA", "a space"),
    Pair(
        "not-a-urn",
        HEAD + "rest = *ALPHA",
        1,
        1,
        HEAD + "rest = 1*ALPHA",
        "after the NID is missing",
    ),
    Pair("not-a-urn", HEAD + 'rest = "/" ALPHA', 2, 8, HEAD + 'rest = ALPHA "/"', "start with `/`"),
    Pair("not-a-urn", HEAD + 'rest = "%" ALPHA', 2, 8, HEAD + "rest = pct-encoded", "`%25`"),
    Pair("not-a-urn", HEAD + "rest = 1*%x21-25", 2, 10, HEAD + "rest = 1*%x26-2A", "`#`"),
    Pair("not-a-urn", 'n = "urn-ex:" ALPHA', 1, 5, 'n = "urn:ex:" ALPHA', "starts with `urn:`"),
    Pair("not-ascii", HEAD + "rest = 1*%x61-FF", 2, 10, HEAD + "rest = 1*%x61-7A", "U+0080"),
    Pair(
        "example",
        HEAD + "rest = DIGIT\n\nAs in urn:ex:12.",
        4,
        7,
        HEAD + "rest = 2DIGIT\n\nurn:ex:12",
    ),
)
LOOKS = (
    Pair(
        "redefined",
        HEAD + "rest = ALPHA\nALPHA = %x61-7A",
        3,
        1,
        HEAD + "rest = ALPHA\nALPHA = %x41-5A / %x61-7A",
        "Rename it",
    ),
    Pair("unused", HEAD + "rest = ALPHA\nmore = DIGIT", 3, 1, HEAD + "rest = more\nmore = DIGIT"),
    Pair("left-recursive", HEAD + "rest = [ rest ] ALPHA", 2, 1, HEAD + "rest = ALPHA [ rest ]"),
    Pair("empty", HEAD + 'rest = ALPHA none\nnone = ""', 3, 1, HEAD + "rest = ALPHA"),
    Pair("defined-twice", HEAD + "rest = ALPHA\nrest = ALPHA", 3, 1, HEAD + "rest = ALPHA"),
    Pair("in-words", HEAD + "rest = <any word>", 2, 8, HEAD + "rest = 1*ALPHA"),
    Pair("in-words", HEAD + "\nrest: a word of letters", 1, 18, HEAD + "rest = 1*ALPHA"),
    Pair(
        "case",
        HEAD + 'rest = 7DIGIT "X"\n\nThe check digit “X” must be upper-case.',
        2,
        15,
        HEAD + 'rest = 7DIGIT %s"X"\n\nThe check digit “X” must be upper-case.',
        'Use `%s"X"`',
    ),
    Pair(
        "other-source",
        HEAD + 'rest = ALPHA [ "#" f-component ]\n\nHere "f-component" is defined in [RFC3986].',
        4,
        7,
        HEAD + 'rest = ALPHA [ "#" f-component ]\n\nHere "f-component" is defined in [RFC8141].',
        "is defined in RFC 8141 section 2, not in RFC 3986",
    ),
    Pair(
        "placeholder",
        HEAD + "rest = ALPHA\n\nurn:ex:{centre}:{local-id-number}, the local-id-numbers of it",
        4,
        18,
        HEAD + "rest = ALPHA\n\nurn:ex:{centre}:{local-id-number}, the local-id-number of it",
        "explains `local-id-numbers`",
    ),
    Pair(
        "placeholder",
        HEAD + "rest = ALPHA\n\nurn:ex:{year}:{num}\n\nyear: the year\nnumber: its number",
        4,
        16,
        HEAD + "rest = ALPHA\n\nurn:ex:{year}:{num}\n\nyear: the year\nnum: its number",
        "explains `number`",
    ),
    Pair(
        "placeholder",
        HEAD + "rest = ALPHA\n\nurn:ex:{org}:{no}, where {org} is one and {serial} is another.",
        4,
        15,
        HEAD + "rest = ALPHA\n\nurn:ex:{org}:{no}, where {org} is one and {no} is another.",
        "explains `serial`",
    ),
    Pair(
        "placeholder",
        HEAD + "rest = ALPHA\n\nurn:ex:<id>\n\nThe identifier is a word.",
        4,
        9,
        HEAD + "rest = ALPHA\n\nurn:ex:<id>\n\nThe id is a word.",
        "explains `identifier`",
    ),
    Pair("fragile-names", HEAD + 'rest = ALPHA *"/"', 2, 15, HEAD + 'rest = ALPHA ["/"]', "`//`"),
    Pair(
        "fragile-names",
        HEAD + 'rest = ALPHA *( "/" 1*(ALPHA / ".") )',
        2,
        32,
        HEAD + 'rest = ALPHA *( "/" ALPHA *(ALPHA / ".") )',
    ),
    Pair(
        "fragile-names", HEAD + 'rest = "%8" DIGIT', 2, 13, HEAD + 'rest = "%C3%8" DIGIT', "UTF-8"
    ),
    Pair("fragile-names", HEAD + 'rest = "%4" DIGIT', 2, 13, HEAD + 'rest = "%2" %x30-33'),
    Pair(
        "untried",
        HEAD + 'rest = ALPHA [ more ]\nmore = ":" DIGIT\n\nurn:ex:a urn:ex:b',
        3,
        1,
        HEAD + 'rest = ALPHA [ more ]\nmore = ":" DIGIT\n\nurn:ex:a urn:ex:b:1',
    ),
)


def codes(found: Study) -> set[str]:
    return {finding.code for finding in found.findings}


def _name(pair: Pair) -> str:
    return f"{pair.code}: {pair.wrong.splitlines()[-1]}"


@pytest.mark.parametrize("pair", [*PROBLEMS, *LOOKS], ids=_name)
def test_the_wrong_grammar_has_the_finding_at_its_place(pair: Pair) -> None:
    found = [one for one in study(pair.wrong).findings if one.code == pair.code]
    places = [(one.line, one.column) for one in found]
    assert (pair.line, pair.column) in places
    assert any(pair.says in one.message for one in found)
    assert {one.is_problem for one in found} == {pair in PROBLEMS}


@pytest.mark.parametrize("pair", [*PROBLEMS, *LOOKS], ids=_name)
def test_its_twin_is_right(pair: Pair) -> None:
    twin = study(pair.right)
    assert pair.code not in codes(twin)
    assert not twin.problems
    assert twin.rules


@pytest.mark.parametrize("pair", PROBLEMS, ids=_name)
def test_the_grammar_that_was_taken_can_be_studied_again(pair: Pair) -> None:
    taken = study(pair.wrong)
    again = study(taken.grammar, "ex", taken.start)
    assert again.grammar == taken.grammar
    notation = codes(again) - codes(taken) - {"other-beginning", "empty"}
    assert not notation


def test_a_finding_is_quoted_with_its_line_and_the_rule_it_is_by() -> None:
    found = study(HEAD + "rest = 5*3DIGIT").problems
    finding = next(one for one in found if one.code == "repetition-bounds")
    assert finding.quote.startswith("> 2: rest = 5*3DIGIT\n\nThe minimum 5")
    assert finding.quote.endswith("(RFC 5234 section 3.6)")


def test_the_same_wrong_notation_is_told_once_with_all_its_lines() -> None:
    found = study("name ::= \"urn:ex:\" a | b\na ::= 'x' | 'y'\nb ::= DIGIT")
    told = {one.code: one.lines for one in found.findings}
    assert told["equals"] == (1, 2, 3)
    assert told["alternative"] == (1, 2)


def test_all_that_is_undefined_is_told_up_to_a_number_and_the_rest_counted() -> None:
    found = study(HEAD + "rest = ALPHA " + " ".join(f"n{place}" for place in range(40)))
    undefined = [one for one in found.findings if one.code == "undefined"]
    assert len(undefined) == 31
    assert undefined[-1].message.startswith("10 more names")


def test_a_grammar_without_names_leaves_every_question_about_its_names_open() -> None:
    found = study('name = "urn:ex:a" one\none = (%x20-2F two)\ntwo = one\n', start="name")
    assert [one.code for one in found.problems] == ["matches-nothing"]
    assert {one.answer for one in found.decisions} == {"open"}
    assert {one.how for one in found.decisions} == {"not checked, because no text matches `name`"}


def test_a_list_that_explains_words_by_themselves_holds_no_rules() -> None:
    text = HEAD + 'rest = "guide" / "data"\n\nWhat they mean:\n\n  guide = Guide\n\n  data = Data\n'
    found = study(text)
    assert [one.name for one in found.rules] == ["name", "rest"]
    assert not found.problems


def test_a_rule_that_a_sentence_defines_is_in_words() -> None:
    text = HEAD + 'rest = part "/" DIGIT\n\n<part> has the same syntax as a NID.\n'
    assert codes(study(text)) >= {"in-words"}
    assert "undefined" not in codes(study(text))


def test_a_wrong_example_is_told_with_the_name_of_its_character() -> None:
    (found,) = study(HEAD + "rest = 1*DIGIT\n\nAs in urn:ex:1\u00ad2.\n").problems
    assert "character 9, U+00AD (SOFT HYPHEN)." in found.message


def test_the_section_of_the_syntax_needs_less_to_prove_its_rules_than_prose() -> None:
    text = "Purpose: we count.\n\nSyntax:\n\nname = 1*DIGT\n\nAssignment: we assign.\n"
    assert not study(text).rules
    assert [one.code for one in study(text, section=(5, 5)).problems] == ["undefined"]
