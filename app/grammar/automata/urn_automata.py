"""What a grammar is held against: the syntax of URNs, and what in a URN asks for a look."""

from functools import cache

from app.grammar.automata.automaton import Automaton, automaton_of, product

_URN = """
whole = namestring
"""
_BEGUN = """
begun = "{start}" *any
any = %x00-10FFFF
"""
_PATH = """
empty-segment = *path "//" *any
dot-segment = *path "/" 1*2"." [ ( "/" / "?" / "#" ) *any ]
path = %x00-22 / %x24-3E / %x40-10FFFF
any = %x00-10FFFF
"""
_ENCODED = """
plain = *( other / pct-encoded ) [ rest ]
utf8 = *( other / one / two / three / four ) [ rest ]
needless = *( other / pct-encoded ) nothing-to-encode *( other / pct-encoded ) [ rest ]
other = %x00-22 / %x24 / %x26-3E / %x40-10FFFF
rest = ( "?" / "#" ) *%x00-10FFFF
one = "%" %x30-37 HEXDIG
two = "%" ( "C" ( %x32-39 / "A" / "B" / "C" / "D" / "E" / "F" ) / "D" HEXDIG ) next
three = "%E" ( "0" "%" ( "A" / "B" ) HEXDIG / ( %x31-39 / "A" / "B" / "C" / "E" / "F" ) next
 / "D" "%" %x38-39 HEXDIG ) next
four = "%F" ( "0" "%" ( "9" / "A" / "B" ) HEXDIG / %x31-33 next / "4" "%8" HEXDIG ) next next
next = "%" ( %x38-39 / "A" / "B" ) HEXDIG
nothing-to-encode = "%" ( "2" ( "D" / "E" ) / "3" DIGIT / ( "4" / "6" ) nonzero
 / ( "5" / "7" ) ( %x30-39 / "A" ) / "5F" / "7E" )
nonzero = %x31-39 / "A" / "B" / "C" / "D" / "E" / "F"
"""


@cache
def urn_syntax() -> Automaton:
    """Source: RFC 8141 section 2."""
    return automaton_of(_URN, "whole")


@cache
def beginning_automaton(start: str) -> Automaton:
    """Source: RFC 8141 section 2.1."""
    return automaton_of(_BEGUN.format(start=start), "begun")


@cache
def empty_segment() -> Automaton:
    """Source: RFC 8141 section 4.3."""
    return automaton_of(_PATH, "empty-segment")


@cache
def dot_segment() -> Automaton:
    """Source: RFC 8141 section 4.3; RFC 3986 section 5.2.4."""
    return automaton_of(_PATH, "dot-segment")


@cache
def invalid_utf8() -> Automaton:
    """Source: RFC 8141 section 2.2; RFC 3629 section 4."""
    plain, utf8 = automaton_of(_ENCODED, "plain"), automaton_of(_ENCODED, "utf8")
    return product(plain, utf8, lambda is_plain, is_utf8: is_plain and not is_utf8)


@cache
def needless_encoding() -> Automaton:
    """Source: RFC 3986 section 2.3."""
    return automaton_of(_ENCODED, "needless")
