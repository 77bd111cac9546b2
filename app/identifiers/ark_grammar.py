"""The grammar of ARKs, said once: sets of characters, and the patterns built of them."""

import re

from app.identifiers.urn_grammar import ALPHANUM, run_pattern

from .noid import BETANUMERIC

NAAN_CHARACTERS = rf"{BETANUMERIC}{BETANUMERIC.upper()}\-"
# What a NAAN may hold encoded: a hyphen, a digit, a betanumeric letter of either case.
_NAAN_ENCODED = "%(?:2[Dd]|3[0-9]|[46][2346-8ABDEabde]|[57][0-46-8Aa])"

# Formatting characters that nobody sees: section 8.1 lets an application refuse them.
INVISIBLE = (
    "\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
# All of ucschar but those.
UCSCHAR = (
    "\u00a0-\u00ac\u00ae-\u061b\u061d-\u180d\u180f-\u200a\u2010-\u2027\u202f-\u205f\u2070-\ud7ff"
    "\uf900-\ufdcf\ufdf0-\ufefe\uff00-\uffef"
    "\U00010000-\U0001bc9f\U0001bca4-\U0001d172\U0001d17b-\U0001fffd"
) + "".join(
    f"{chr(plane << 16 | (0x1000 if plane == 14 else 0))}-{chr(plane << 16 | 0xFFFD)}"
    for plane in range(2, 15)
)
_IPRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"

UNRESERVED = rf"{ALPHANUM}=~*+@_$"  # ARK-unreserved
NAME_CHARACTERS = rf"{UNRESERVED}\-{UCSCHAR}"  # all of Name-char but pct-encoded; no full stop
FRAGMENT_CHARACTERS = rf"{ALPHANUM}\-._~!$&'()*+,;=:@/?{UCSCHAR}"
QUERY_CHARACTERS = FRAGMENT_CHARACTERS + _IPRIVATE

HYPHENS = "(?:-|%2[Dd])*+"  # which are nothing, so a part needs something else
NAAN_RUN = run_pattern(NAAN_CHARACTERS, _NAAN_ENCODED)
PART_RUN = run_pattern(NAME_CHARACTERS)  # of a Name, a component, a variant
QUERY_RUN, FRAGMENT_RUN = run_pattern(QUERY_CHARACTERS), run_pattern(FRAGMENT_CHARACTERS)
_NAAN = f"{HYPHENS}(?=[^/]){NAAN_RUN}"
_PART = f"{HYPHENS}(?=[^/.?#]){PART_RUN}"

_BASIC = (
    # a, r and k by themselves: IGNORECASE would let the Kelvin sign in for a k.
    rf"[Aa][Rr][Kk]:/?(?P<naan>{_NAAN})/(?P<name>{_PART})"
    rf"(?P<components>(?:/{_PART})*+)(?P<variants>(?:\.{_PART})*+)"
)
_QUERY_AND_FRAGMENT = rf"(?P<rest>(?:\?(?P<query>{QUERY_RUN})|)(?:\#(?P<fragment>{FRAGMENT_RUN})|))"
EXTENDED_ARK = _BASIC + _QUERY_AND_FRAGMENT
# The ARK Identifier Scheme leaves out structure with nothing after it.
TRIMMED_ARK = rf"{_BASIC}[/.]*+{_QUERY_AND_FRAGMENT}"

# Most ARKs are in normal form but for the slash after `ark:`, and this tells it at once. Its bounds
# keep it within the length that is read.
_PLAIN = f"[{UNRESERVED}]{{1,999}}+"
_PLAIN_BASIC = rf"[{BETANUMERIC}]{{1,99}}+/{_PLAIN}(?:/{_PLAIN}){{0,5}}+(?:\.{_PLAIN}|)"
PLAIN_BASIC_ARK = f"[Aa][Rr][Kk]:/?({_PLAIN_BASIC})"
PLAIN_ARK = rf"[Aa][Rr][Kk]:/?(?P<plain>{_PLAIN_BASIC}(?:\?[?A-Za-z0-9=&]{{0,999}}+|))"

_SEGMENT = run_pattern(rf"{ALPHANUM}\-._~!$&'()*+,;=:@{UCSCHAR}")
_AUTHORITY = run_pattern(rf"{ALPHANUM}\-._~!$&'()*+,;=:@\[\]{UCSCHAR}")
# What may stand before an embedded ARK; `ark:` begins a segment or follows the scheme.
PREFIX = (
    rf"[A-Za-z][A-Za-z0-9+\-.]*+:"
    rf"(?://(?=[^/]){_AUTHORITY}/(?:{_SEGMENT}/)*+|/(?=[^/])(?:{_SEGMENT}/)++|)"
)

# How long an ARK may be: nothing is refused that sections 4 and 7.1.1 protect.
PROTECTED = 255
# A character beyond the first plane takes four octets, each of them three characters when encoded.
_ENCODED_AT_MOST = 12
LONGEST = 8_192
PROTECTED_INFLECTIONS = (None, "", "?", "info")


def is_too_long(match: re.Match[str]) -> bool:
    basic_fits = match.end("variants") <= PROTECTED * _ENCODED_AT_MOST
    return not (basic_fits and match["query"] in PROTECTED_INFLECTIONS)
