"""The rules of other specifications that a grammar may use where its text refers to them."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from app.grammar.abnf.core_rules import COMMON_WORDS, known_rules, read_known
from app.grammar.abnf.elements import Rule

# Section 2.3 of RFC 2141 keeps the reserved characters out of names where its grammar lets them
# in; so `trans` and `URN chars` have none of them here.
_2141 = r"""
URN = "urn:" NID ":" NSS
NID = ( ALPHA / DIGIT ) 1*31( ALPHA / DIGIT / "-" )
let-num-hyp = ALPHA / DIGIT / "-"
let-num = ALPHA / DIGIT
upper = %x41-5A
lower = %x61-7A
number = DIGIT
NSS = 1*URN-chars
URN-chars = trans / "%" HEXDIG HEXDIG
trans = ALPHA / DIGIT / "(" / ")" / "+" / "," / "-" / "." / ":" / "=" / "@" / ";" / "$" / "_" / "!"
 / "*" / "'"
hex = HEXDIG
other = "(" / ")" / "+" / "," / "-" / "." / ":" / "=" / "@" / ";" / "$" / "_" / "!" / "*" / "'"
reserved = "%" / "/" / "?" / "#"
"""
_7230 = r"""
token = 1*tchar
tchar = "!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "." / "^" / "_" / "`" / "|" / "~"
 / DIGIT / ALPHA
OWS = *( SP / HTAB )
BWS = OWS
RWS = 1*( SP / HTAB )
quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE
qdtext = HTAB / SP / "!" / %x23-5B / %x5D-7E / obs-text
obs-text = %x80-FF
quoted-pair = "\" ( HTAB / SP / VCHAR / obs-text )
field-name = token
method = token
HTTP-name = %x48.54.54.50
HTTP-version = HTTP-name "/" DIGIT "." DIGIT
uri-host = host
absolute-path = 1*( "/" segment )
partial-URI = relative-part [ "?" query ]
origin-form = absolute-path [ "?" query ]
http-URI = "http://" authority path-abempty [ "?" query ] [ "#" fragment ]
https-URI = "https://" authority path-abempty [ "?" query ] [ "#" fragment ]
"""
_REFERRED = {
    "RFC 2141 section 2": (_2141, ("2141",)),
    "RFC 7230 appendix B": (_7230, ("7230", "9110")),
}
# Everyday words among them: they count where the text uses other names of the specification too,
# or names it in the paragraph that has the word.
_EVERYDAY = frozenset({"number", "other", "reserved", "method"})
_GENERIC = ("3986", "2396", "generic URI")
_LONGEST = 200_000
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_WORD = re.compile(r"[a-z][a-z0-9-]*")


def rules_known_to(text: str, used: Collection[str], own: Collection[str]) -> dict[str, Rule]:
    """The rules that a text may use without defining them, by name in lower case. ``used`` are the
    names that its rules use, ``own`` those that it defines, in lower case.

    Source: RFC 5234 appendix B.1; RFC 3986 appendix A; RFC 8141 section 2; RFC 2141 section 2; RFC
    7230 appendix B.
    """
    text = text[:_LONGEST]
    missing = set(used) - set(own)
    found: dict[str, Rule] = {}
    for origin, (_, marks) in _REFERRED.items():
        rules = referred_rules()[origin]
        if any(mark in text for mark in marks) and _is_meant(missing & set(rules), text, marks):
            found.update(rules)
    generic = any(mark in text for mark in _GENERIC)
    always = {key: rule for key, rule in known_rules().items() if key not in COMMON_WORDS}
    common = {
        key: known_rules()[key]
        for key in COMMON_WORDS & set(known_rules())
        if _is_common_known(key, text, own, is_generic=generic)
    }
    return {**found, **always, **common}


def names_known_to(text: str) -> frozenset[str]:
    """The names, in lower case, of every rule that a text may use without defining it."""
    text = text[:_LONGEST]
    referred = (
        referred_rules()[origin]
        for origin, (_, marks) in _REFERRED.items()
        if any(mark in text for mark in marks)
    )
    return frozenset(known_rules()).union(*referred)


def _is_meant(names: set[str], text: str, marks: Iterable[str]) -> bool:
    return bool(names - _EVERYDAY) or any(_is_ascribed(name, text, marks) for name in names)


def _is_ascribed(name: str, text: str, marks: Iterable[str]) -> bool:
    return any(
        name in _WORD.findall(paragraph.lower())
        for paragraph in _PARAGRAPH.split(text)
        if any(mark in paragraph for mark in marks)
    )


def _is_common_known(key: str, text: str, own: Collection[str], *, is_generic: bool) -> bool:
    origin = known_rules()[key].origin
    if origin.startswith("RFC 5234") or any(
        name in own for name in ("namestring", "assigned-name", "f-component", "rq-components")
    ):
        return True
    if origin.startswith("RFC 8141") and "8141" in text:
        return is_generic or key == "ldh" or _is_ascribed(key, text, ("8141",))
    return is_generic


@cache
def referred_rules() -> Mapping[str, Mapping[str, Rule]]:
    """Source: RFC 2141 section 2; RFC 7230 appendix B."""
    return {origin: read_known(text, origin) for origin, (text, _) in _REFERRED.items()}


@cache
def every_known_rule() -> Mapping[str, Rule]:
    referred = (rules for rules in referred_rules().values())
    return {key: rule for rules in [*referred, known_rules()] for key, rule in rules.items()}


def is_defined_in(name: str, rfc: str) -> bool:
    """Whether a specification, ``2141``, defines a rule of this name."""
    tables = [known_rules(), *referred_rules().values()]
    found = (rules[name.lower()] for rules in tables if name.lower() in rules)
    return any(rule.origin.startswith(f"RFC {rfc} ") for rule in found)
