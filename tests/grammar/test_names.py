"""What is said of the names of a grammar: counterexamples, examples, generated ones."""

import pytest

from app.grammar.abnf.parser import known_rules
from app.grammar.analysis.study import Study
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from tests.grammar.studies import study

CORE = """\
ALPHA = %x41-5A / %x61-7A
CHAR = %x01-7F
CR = %x0D
CRLF = CR LF
DIGIT = %x30-39
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB = %x09
LF = %x0A
LWSP = *(WSP / CRLF WSP)
OCTET = %x00-FF
SP = %x20
WSP = SP / HTAB
"""
URN = """\
   namestring    = assigned-name
                   [ rq-components ]
                   [ "#" f-component ]
   assigned-name = "urn" ":" NID ":" NSS
   NID           = (alphanum) 0*30(ldh) (alphanum)
   ldh           = alphanum / "-"
   NSS           = pchar *(pchar / "/")
   rq-components = [ "?+" r-component ]
                   [ "?=" q-component ]
   r-component   = pchar *( pchar / "/" / "?" )
   q-component   = pchar *( pchar / "/" / "?" )
   f-component   = fragment
"""


def answers(found: Study) -> dict[str, str]:
    return {one.code: one.answer for one in found.decisions}


def test_the_core_rules_pass() -> None:
    assert not study(CORE).findings


def test_the_grammar_of_urns_passes() -> None:
    found = study(URN)
    assert not found.problems
    assert answers(found)["not-a-urn"] == "yes"
    assert found.start == "namestring"


@pytest.mark.parametrize("rule", ["namestring", "assigned-name"])
def test_known_rules_of_urns_are_of_urns(rule: str) -> None:
    assert answers(study(f"mine = {rule}"))["not-a-urn"] == "yes"


def test_every_known_rule_names_rules_that_are_known() -> None:
    text = "\n".join(f"x{place} = {key}" for place, key in enumerate(known_rules()))
    found = study(f"By RFC 3986:\n\n{text}")
    undefined = [one.message for one in found.findings if one.code == "undefined"]
    assert undefined == []


def test_an_everyday_word_is_no_known_rule_unless_the_specification_is_named() -> None:
    text = 'name = "urn:ex:" segment "a"\n'
    assert "undefined" in {one.code for one in study(text).findings}
    assert not study(f"As in RFC 3986.\n\n{text}").problems


def test_a_counterexample_is_told_in_words() -> None:
    (finding,) = study('name = "urn:example:" 1*( ALPHA / " " )').problems
    assert finding.message.startswith("`name` allows a space: `urn:example: `.")


def test_a_range_over_a_number_sign_means_no_component() -> None:
    messages = [one.message for one in study('name = "urn:ex:a" *%x23-26').problems]
    assert any("starts a component: `urn:ex:a#`" in one for one in messages)


def test_matching_stops_where_a_count_is_full() -> None:
    text = 'name = "urn:ex:" 4DIGIT ":" 1*ALPHA\n\nurn:ex:19990:ab'
    (example,) = study(text).examples
    assert (example.stops_at, example.expected) == (12, "`:` (`name`)")


def test_each_rule_that_lets_something_in_is_told() -> None:
    text = 'name = "urn:ex:" 1*( one / two )\none = %x20-21 / "a"\ntwo = "<" / ">" / %xE9\n'
    told = {(one.code, one.line): one.message for one in study(text).problems}
    assert set(told) == {("not-a-urn", 2), ("not-a-urn", 3), ("not-ascii", 3)}
    assert "`<` and `>`" in told["not-a-urn", 3]


@pytest.mark.parametrize(
    "grammar",
    [
        'a = "urn:ex:" ALPHA [ "#" [ "x" ] ]',
        'a = "urn:ex:" ALPHA [ "?=" ALPHA ]',
        'a = "urn:" 2*32ALPHA ":" ALPHA',
        'a = "urn:e" *30( ALPHA / "-" ) "x:" ALPHA',
        'a = "urn:ex:" ("x" / "(" a-list ")" )\na-list = "y" / "(" a-list ")"',
        'a = b\nb = "urn:ex:x" / b "y"',
    ],
)
def test_what_is_all_urns_is_decided(grammar: str) -> None:
    found = study(grammar)
    assert answers(found)["not-a-urn"] == "yes"
    assert not found.problems


@pytest.mark.parametrize(
    ("grammar", "example"),
    [
        ('a = "urn:ex:" ALPHA [ "#" [ "x#" ] ]', "urn:ex:a#x#"),
        ('a = "urn:ex:" ALPHA [ "?=" *ALPHA ]', "urn:ex:a?="),
        ('a = "urn:" 1*33ALPHA ":" ALPHA', "urn:a:a"),
        ('a = "urn:" 2*33ALPHA ":" ALPHA', "urn:" + "a" * 33 + ":a"),
        ('a = "urn:ex:" ( a-list )\na-list = "y" / "[" a-list "]"', "urn:ex:[y]"),
        ('a = "urn:ex:x" / a " y"', "urn:ex:x y"),
        ('a = "urn:ex:x" 70"x" *99999( 1000000"y" "^" )', ""),
        ('a = "urn:ex:" 2*2( ALPHA / %x0 )', "urn:ex:a\\u{0}"),
    ],
)
def test_the_shortest_counterexample_is_given(grammar: str, example: str) -> None:
    found = study(grammar)
    assert answers(found)["not-a-urn"] == "no"
    shown = [one.example for one in found.problems]
    assert example in shown or not example


def test_a_recursive_grammar_says_how_it_was_decided() -> None:
    found = study('a = "urn:ex:" b\nb = "x" / "(" b ")"')
    assert found.is_recursive
    assert {"including recursive rules" in one.how for one in found.decisions} == {True}


def test_what_is_said_in_words_is_left_out_and_told() -> None:
    found = study('a = "urn:ex:" b\nb = <a date>\n\nurn:ex:2030-01-01')
    assert all("in words" in one.how for one in found.decisions)
    (caveat,) = found.caveats
    assert "rules in words (`b`)" in caveat
    assert [one.verdict for one in found.examples] == ["matches"]


@pytest.mark.parametrize(
    ("grammar", "told"),
    [
        ('a = "urn:" nid ":" nss\nnid = "urn-" n\nn = given-by-IANA\nnss = 1*ALPHA', ()),
        ('a = "urn:" <a NID> ":" ALPHA', ()),
        ('a = "urn:ex:" 1*( b / "/" )\nb = <anything>', ("urn:ex:/",)),
        ("a = <all of it>", ()),
        ('a = "urn:ex:" b "#" b\nb = <anything>', ()),
        ('a = "urn:ex:" b " "\nb = <anything>', ("urn:ex:a ",)),
        ('a = "urn:" b ":" "a" 1*"^"\nb = <a NID>', ("urn:aa:a^",)),
        ('a = "urn:" b ":" 1*%x21-24\nb = <a NID>', ('urn:aa:"',)),
        ('a = "urn:" 32ALPHA n ":" ALPHA\nn = <a letter or more>', ()),
    ],
)
def test_what_words_stand_for_is_never_the_fault(grammar: str, told: tuple[str, ...]) -> None:
    found = study(grammar, start="a")
    assert tuple(one.example for one in found.problems if one.code != "undefined") == told
    assert answers(found)["not-a-urn"] == ("no" if told else "open")
    assert all(one.is_urn for one in found.generated)


def test_whether_names_have_two_slashes_is_open_where_words_were_left_out() -> None:
    text = 'a = "urn:ex:" ALPHA b\nb = <segments>\n'
    assert set(answers(study(text)).values()) == {"open"}
    found = study(f"{text}\nAs in urn:ex:a//b.")
    shown = {one.code: (one.answer, one.example, one.how) for one in found.decisions}
    how = "shown by an example in the text"
    assert shown["empty-segment"] == ("yes", "urn:ex:a//b", how)
    assert shown["dot-segment"][0] == "open"
    written_out = study('a = "urn:ex:" b "//" ALPHA\nb = <a segment>')
    assert answers(written_out)["empty-segment"] == "yes"


def test_a_name_of_another_namespace_is_none_where_words_may_be_this_one() -> None:
    text = 'a = "urn:" nid ":" ALPHA\nnid = <ours>'
    assert answers(study(text, "quoll"))["other-beginning"] == "open"
    assert answers(study(text.replace('"urn:"', '"urn:x-"'), "quoll"))["other-beginning"] == "no"
    behind = study('a = "urn:quoll:" b\nb = <any>', "quoll")
    assert answers(behind)["other-beginning"] == "yes"


@pytest.mark.parametrize(
    ("grammar", "said"),
    [
        (
            'a = "urn:ex:" 1*%x21-2F',
            ["`%` without two", '`"` and `#`, which', "start with `/`"],
        ),
        (
            'a = "urn:" 2*3( ALPHA / "." / "!" ) ":a"',
            ["`!` and `.`, which aren't allowed in the NID"],
        ),
        ('a = "urn:" 2*40( ALPHA / DIGIT ) ":a"', ["NID is too long"]),
        ('a = "urn:ex:a#" *%x5B-5F', ["`[` to `^`, which aren't allowed in the f-component"]),
        (
            'a = "urn:ex:a?=b" *( "[" / "]" )',
            ["`[` and `]`, which aren't allowed in the q-component"],
        ),
    ],
)
def test_a_character_is_told_by_the_part_that_has_it_nowhere(grammar: str, said: list[str]) -> None:
    messages = [one.message for one in study(grammar).problems]
    assert len(messages) == len(said)
    for message, words in zip(sorted(messages), sorted(said), strict=True):
        assert any(words in one for one in messages), (words, message)
    assert not any("`/`" in one and "aren't allowed in the NSS" in one for one in messages)


EXAMPLES = """\
name = "urn:ex:" year ":" 1*3letter
year = 4DIGIT
letter = ALPHA

Names are such as urn:ex:1999:ab, "URN:EX:2000:c" and (urn:ex:2001:xyz).
Those in urn:ex:1999 are old; urn:other:1 is none of ours.
Wrong: urn:ex:99:ab, urn:ex:1999:abcd.
A pattern is urn:ex:<year>:a or urn:ex:{year} or urn:ex:...; so is urn:ex:
"""


def test_examples_are_found_and_judged() -> None:
    found = study(EXAMPLES)
    assert [(one.text, one.verdict, one.stops_at) for one in found.examples] == [
        ("urn:ex:1999:ab", "matches", None),
        ("URN:EX:2000:c", "matches", None),
        ("urn:ex:2001:xyz", "matches", None),
        ("urn:ex:1999", "begins", 12),
        ("urn:ex:99:ab", "stops", 10),
        ("urn:ex:1999:abcd", "stops", 16),
    ]
    assert [(one.line, one.code) for one in found.problems] == [(7, "example"), (7, "example")]
    assert found.examples[4].expected == "`0` to `9` (`year`)"
    assert found.examples[5].expected == "the end"


def test_an_example_is_told_in_the_rules_it_is_read_as() -> None:
    parts = study(EXAMPLES).examples[0].parts
    assert parts == (("", "urn:ex:"), ("year", "1999"), ("", ":"), ("letter", "ab"))


def test_an_example_may_have_a_component_that_the_grammar_leaves_out() -> None:
    text = 'name = "urn:ex:" 1*ALPHA\n\nurn:ex:a?+b urn:ex:a?=b#c urn:ex:a#b urn:ex:1#b'
    verdicts = [one.verdict for one in study(text).examples]
    assert verdicts == ["matches", "matches", "matches", "stops"]


def test_examples_of_an_nss_are_held_against_it() -> None:
    found = study("quoll-nss = 1*DIGIT\n\nAs in urn:quoll:12 and urn:quoll:1x.", "quoll")
    assert [one.verdict for one in found.examples] == ["matches", "stops"]
    assert found.examples[1].stops_at == 12


def test_brackets_of_a_name_stay_and_those_around_it_go() -> None:
    text = 'name = "urn:ex:" 1*( ALPHA / "(" / ")" )\n\n(urn:ex:a(b)c), (urn:ex:d).'
    assert [one.text for one in study(text).examples] == ["urn:ex:a(b)c", "urn:ex:d"]


def test_of_an_nss_without_a_namespace_names_of_several_are_no_problem() -> None:
    text = "quoll-nss = 1*DIGIT\n\nAs in urn:quoll:12, not in urn:numbat:x."
    assert not study(text).problems


def test_the_first_wrong_examples_are_shown_and_the_rest_counted_with_their_lines() -> None:
    text = 'name = "urn:ex:" DIGIT\n\n' + "\n".join(f"urn:ex:x{place}" for place in range(9))
    found = study(text).problems
    assert len(found) == 4
    assert found[-1].message.startswith("6 more examples")
    assert found[-1].lines == (6, 7, 8, 9, 10, 11)
    assert found[-1].sentence.endswith("Also on lines 7, 8, 9, 10 and 11.")


def test_all_that_software_may_rewrite_in_names_is_one_note() -> None:
    found = study('name = "urn:ex:" ALPHA *( ALPHA / "/" / "." / "%" HEXDIG HEXDIG )')
    (note,) = [one for one in found.findings if not one.is_problem]
    assert (note.code, note.line) == ("fragile-names", 1)
    for feature in ("`//` (`urn:ex:a//`)", "between slashes", "UTF-8", "need no encoding"):
        assert feature in note.message
    assert sum(one.answer == "yes" for one in found.decisions) == 5


def test_an_example_in_a_rule_is_none_and_one_in_a_comment_is() -> None:
    text = 'name = "urn:ex:a" / "urn:ex:b" ; as urn:ex:b\n'
    assert [one.text for one in study(text).examples] == ["urn:ex:b"]


def test_generated_names_are_different_members() -> None:
    found = study('name = "urn:ex:" 1*( ALPHA / "-" ) [ "/" 1*DIGIT ]')
    texts = [one.text for one in found.generated]
    assert len(texts) == len(set(texts)) == 6
    assert texts[0] == "urn:ex:a"
    assert all(one.is_urn for one in found.generated)
    assert any("/" in text for text in texts)


def test_generated_names_that_are_no_urns_are_marked() -> None:
    found = study('name = "urn:ex:" [ " " ] ALPHA')
    assert {one.is_urn for one in found.generated} == {True, False}
    for one in found.generated:
        if one.is_urn:
            parse_urn(one.text)
        else:
            with pytest.raises(InvalidURN):
                parse_urn(one.text)
