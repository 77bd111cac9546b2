"""Rules of other specifications, which a grammar may use where its text refers to them."""

import pytest

from app.grammar.abnf.rule_extraction import every_known_rule
from tests.grammar.studies import study

NAME = 'name = "urn:ex:" 1*( {} )\n'


def undefined(text: str) -> list[str]:
    return [one.message.split("`")[1] for one in study(text).findings if one.code == "undefined"]


@pytest.mark.parametrize(
    ("used", "text", "origin"),
    [
        ("upper / lower / hex", "By the syntax of [RFC2141].", "RFC 2141 section 2"),
        ("trans / number / other", "See RFC 2141.", "RFC 2141 section 2"),
        ("let-num", "See RFC 2141.", "RFC 2141 section 2"),
        ("number", "<number> is defined in [RFC2141].", "RFC 2141 section 2"),
        ("tchar", "See section 3.2.6 of RFC 7230.", "RFC 7230 appendix B"),
        ("token", "As in [RFC9110].", "RFC 7230 appendix B"),
        ("ldh", "Here ldh is that of RFC 8141.", "RFC 8141 section 2"),
        ("segment-nz", "", "RFC 3986 appendix A"),
        ("reserved", "See RFC 2141 and RFC 3986.", "RFC 3986 appendix A"),
    ],
)
def test_a_rule_of_a_specification_that_the_text_refers_to_is_known(
    used: str, text: str, origin: str
) -> None:
    found = study(f"{NAME.format(used)}\n{text}\n")
    assert [one for one in found.findings if one.code == "undefined"] == []
    assert all(one.endswith(f"({origin})") for one in found.known)
    assert len(found.known) == used.count("/") + 1


@pytest.mark.parametrize(
    ("used", "text"),
    [
        ("upper", ""),
        ("tchar", "See RFC 2141."),
        ("number", "It conforms to RFC 2141.\n\nA number is written last."),
        ("number", "It conforms to RFC 8141.\n\nA number is written last."),
    ],
)
def test_without_the_reference_the_rule_is_not_defined(used: str, text: str) -> None:
    assert undefined(f"{NAME.format(used)}\n{text}\n") == [used]


def test_the_characters_of_rfc_2141_are_those_that_its_section_2_3_leaves() -> None:
    found = study('<name> ::= "urn:ex:" 1*<URN chars>\n\n<URN chars> is defined in [RFC2141].')
    answers = {one.code: one.answer for one in found.decisions}
    assert answers["not-a-urn"] == "yes"
    assert answers["empty-segment"] == "no"


def test_what_a_rule_of_the_older_syntax_is_made_of_is_a_rule_too() -> None:
    text = 'name ::= "urn:ex:" check\ncheck ::= upper | lower | number\n\nSee RFC 2141.\n'
    assert [rule.name for rule in study(f"It is so:\n\n{text}").rules] == ["name", "check"]


def test_a_rule_that_two_specifications_define_may_be_said_to_be_of_either() -> None:
    text = 'name = "urn:ex:" NSS\n\nHere "NSS" is defined in [RFC{}].'
    told = [
        rfc
        for rfc in ("2141", "8141", "3986")
        if any(one.code == "other-source" for one in study(text.format(rfc)).findings)
    ]
    assert told == ["3986"]


def test_every_rule_that_can_be_referred_to_is_made_of_rules_that_are_known() -> None:
    text = "\n".join(f"x{place} = {key}" for place, key in enumerate(every_known_rule()))
    assert undefined(f"By RFC 2141, RFC 3986 and RFC 7230:\n\n{text}") == []
