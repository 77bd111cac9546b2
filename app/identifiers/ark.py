"""ARKs: parsing, normal form, equivalence, containers, and ARKs within URLs."""

import re
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache, total_ordering
from itertools import product
from string import ascii_letters, digits
from typing import NamedTuple, final

from app.identifiers.errors import InvalidARK, spell_character, spell_encoded
from app.identifiers.noid import BETANUMERIC
from app.identifiers.uri_schemes import find_scheme_look_alike, look_alike_sentence
from app.identifiers.urn import ALPHANUM, run_pattern

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


_HEX = "0123456789abcdefABCDEF"
_OCTETS = [chr(octet) if octet < 0x80 else f"%{octet:02X}" for octet in range(256)]


def _decoding(characters: str) -> dict[str, str]:
    written = {a + b: chr(int(a + b, 16)) for a, b in product(_HEX, repeat=2)}
    return {
        text: char if char in characters else f"%{text.upper()}" for text, char in written.items()
    }


# Octets of other scripts in upper case, the commonest of what is encoded, stay as they are.
_is_settled = re.compile("[^%]*+(?:%[89A-F][0-9A-F][^%]*+)*+").fullmatch
_UNRESERVED = _decoding(ascii_letters + digits + "-._~")  # RFC 3986 section 2.3
_ARK_BASIC = _decoding(ascii_letters + digits + "=~*+@_$") | {"2D": "", "2d": ""}


def normal_form(match: re.Match[str]) -> str:
    """Give the normal form of an Extended ARK."""
    basic, rest = normal_basic(match), match["rest"]
    if basic.count(".") > 1:
        parts = basic.split(".")
        parts[1:] = sorted({*parts[1:]})
        basic = ".".join(parts)
    return basic + normal_query(rest) if rest else basic


def normal_basic(match: re.Match[str]) -> str:
    return f"ark:{normal_path(match[0][match.start('naan') : match.end('variants')])}"


def normal_path(text: str) -> str:
    # Nothing that is decoded here is a slash or a full stop, so the structure stays as it was.
    naan, slash, named = _decoded(text.replace("-", ""), _ARK_BASIC).partition("/")
    return f"{naan.lower()}{slash}{named}"


def normal_query(text: str) -> str:
    """Source: The ARK URI scheme section 6, step 4."""
    return _decoded(text, _UNRESERVED)


def _decoded(text: str, decoding: dict[str, str]) -> str:
    if "%" in text and not _is_settled(text):
        first, *others = text.split("%")
        text = first + "".join([decoding[other[:2]] + other[2:] for other in others])
    return text if text.isascii() else text.encode().decode("latin-1").translate(_OCTETS)


_SCHEME = "ark:"
_DOCUMENT = "The ARK URI scheme section"
_SYNTAX = f"{_DOCUMENT} 4"


class _ArkFault(NamedTuple):
    code: str
    message: str
    position: int
    source: str = _SYNTAX


_LABELS = {
    "naan": "NAAN",
    "name": "Name",
    "component": "component",
    "variant": "variant",
    "query": "query",
    "fragment": "fragment",
}
_MISSING = {
    "naan": "The NAAN after `ark:` is missing. Add it, as in `ark:12345/x`.",
    "name": ("The Name after the NAAN is missing. Add a slash and a Name, as in `ark:12345/x`."),
    "component": "The component after the slash is missing. Add it, or remove the slash.",
    "variant": ("The variant after the full stop is missing. Add it, or remove the full stop."),
}
_NAAN_RUN = re.compile(NAAN_RUN)
_RUNS = {
    **dict.fromkeys(("name", "component", "variant"), PART_RUN),
    "query": QUERY_RUN,
    "fragment": FRAGMENT_RUN,
}
_HYPHENS = re.compile(HYPHENS)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_TO_STRUCTURE = re.compile("[^/.]*+")
_TO_QUERY = re.compile("[^?#]*+")
_TO_FRAGMENT = re.compile("[^#]*+")
_WHOLE_PERCENT = re.compile("%[0-9A-Fa-f]{2}")


@cache
def _run_of(part: str) -> re.Pattern[str]:
    return re.compile(_RUNS[part])


def explain_refusal(text: str, *, trimmed: bool = False) -> InvalidARK:
    """Source: The ARK URI scheme sections 4, 7.1.1 and 8.1."""
    return InvalidARK(text, *next(_faults(text, trimmed), _too_long()))


def _faults(text: str, trimmed: bool) -> Iterator[_ArkFault]:
    yield from _scheme_faults(text)
    start = len(_SCHEME) + text.startswith("/", len(_SCHEME))
    name = _leading(_NAAN_RUN, text, start).end()
    yield from _naan_faults(text, start, name)
    basic_end = _leading(_TO_QUERY, text, name).end()
    yield from _path_faults(text, name + 1, _structured_end(text, name + 1, basic_end, trimmed))
    yield from _rest_faults(text, basic_end)


def _leading(
    pattern: re.Pattern[str], text: str, start: int, end: int = sys.maxsize
) -> re.Match[str]:
    return next(pattern.finditer(text, start, end))


def _scheme_faults(text: str) -> Iterator[_ArkFault]:
    if alike := find_scheme_look_alike(text, "ark"):
        message = look_alike_sentence(alike, "ark")
        yield _ArkFault("scheme", message, alike.position, f"{_DOCUMENT} 8.1")
    for position, expected in enumerate(_SCHEME):
        if text[position : position + 1] not in (expected, expected.upper()):
            message = "An ARK starts with `ark:`, as in `ark:12345/x`. Add it."
            yield _ArkFault("scheme", message, position)


def _naan_faults(text: str, start: int, end: int) -> Iterator[_ArkFault]:
    if text[end : end + 1] in ("", "/", "?", "#"):
        yield from _emptiness(text, "naan", start, end)
    if end == len(text) or text[end] in "?#":
        yield _ArkFault("name_missing", _MISSING["name"], end)
    elif text[end] == "%":
        yield _naan_percent(text, end)
    elif text[end] != "/":
        yield _naan_character(text[end], end)


def _naan_character(character: str, position: int) -> _ArkFault:
    message = (
        f"Character {position + 1} is {spell_character(character)}. A NAAN has digits and "
        "the letters b to z, except e, i, l, o, u and y. It ends with a slash."
    )
    return _ArkFault("naan_character", message, position)


def _naan_percent(text: str, position: int) -> _ArkFault:
    if _WHOLE_PERCENT.match(text, position) is None:
        return _percent("naan", position)
    message = (
        f"Characters {position + 1} to {position + 3} encode a character that isn't "
        "allowed in a NAAN. Use digits and the letters b to z, except e, i, l, o, u and "
        "y."
    )
    return _ArkFault("naan_encoded", message, position)


def _emptiness(text: str, part: str, start: int, end: int) -> Iterator[_ArkFault]:
    if start == end:
        yield _ArkFault(f"{part}_missing", _MISSING[part], start)
    elif _leading(_HYPHENS, text, start, end).end() == end:
        message = (
            f"The {_LABELS[part]} has only hyphens, which are ignored in an ARK. Add other "
            "characters."
        )
        yield _ArkFault(f"{part}_hyphens", message, start, f"{_DOCUMENT} 6")


def _structured_end(text: str, start: int, end: int, trimmed: bool) -> int:
    return start + len(text[start:end].rstrip("/.")) if trimmed else end


def _path_faults(text: str, start: int, end: int) -> Iterator[_ArkFault]:
    part = "name"
    while start <= end:
        part_end = _leading(_TO_STRUCTURE, text, start, end).end()
        yield from _emptiness(text, part, start, part_end)
        yield from _run_faults(text, part, start, part_end)
        mark = text[part_end] if part_end < end else ""
        if part == "variant" and mark == "/":
            message = (
                f"Character {part_end + 1} is `/`, but components come before variants. Move the "
                "variant to the end."
            )
            yield _ArkFault("variant_slash", message, part_end)
        part = "component" if mark == "/" else "variant"
        start = part_end + 1


def _rest_faults(text: str, start: int) -> Iterator[_ArkFault]:
    end = start
    if text.startswith("?", start):
        end = _leading(_TO_FRAGMENT, text, start + 1).end()
        yield from _run_faults(text, "query", start + 1, end)
    yield from _run_faults(text, "fragment", end + 1, len(text))


def _run_faults(text: str, part: str, start: int, end: int) -> Iterator[_ArkFault]:
    if start >= end:
        return
    stop = _leading(_run_of(part), text, start, end).end()
    if stop < end:
        yield _percent(part, stop) if text[stop] == "%" else _character(part, text[stop], stop)


def _percent(part: str, position: int) -> _ArkFault:
    message = (
        f"Character {position + 1} is `%` without two hexadecimal digits after it. Add "
        "them, or encode it as `%25`."
    )
    return _ArkFault(f"{part}_percent", message, position, "RFC 3986 section 2.1")


def _character(part: str, character: str, position: int) -> _ArkFault:
    if _INVISIBLE.match(character):
        message = (
            f"Character {position + 1} is {spell_character(character)}, which is invisible. "
            "Remove it."
        )
        return _ArkFault(f"{part}_invisible", message, position, f"{_DOCUMENT} 8.1")
    printable = character.isprintable()
    advice = f"In the {_LABELS[part]}, encode it as {spell_encoded(character)}."
    message = f"Character {position + 1} is {spell_character(character)}. "
    message += advice if printable else "Remove it."
    return _ArkFault(f"{part}_character", message, position)


def _too_long() -> _ArkFault:
    message = f"The ARK has more than {LONGEST} characters. Shorten it."
    return _ArkFault("too_long", message, LONGEST, f"{_DOCUMENT} 7.1.1")


RESOLVER = "https://n2t.net/"

_match_plain_ark = re.compile(PLAIN_ARK).fullmatch
# No Name holds a colon, so an ARK can begin in the path at its last `ark:` and nowhere else.
_BEFORE_ARK = re.compile("(?:[^?#]*[/:]|)(?=[Aa][Rr][Kk]:)")
_SHOULDER = re.compile(f"[{BETANUMERIC[10:]}]+[0-9]")


# Each holds sets of letters of all scripts, which take longer to compile than all else that is
# imported here, and most ARKs are plain: it is compiled for the first that is not.
@cache
def _extended_ark() -> re.Pattern[str]:
    return re.compile(EXTENDED_ARK)


@cache
def _trimmed_ark() -> re.Pattern[str]:
    return re.compile(TRIMMED_ARK)


@cache
def _prefix() -> re.Pattern[str]:
    return re.compile(PREFIX)


class ArkProfile(StrEnum):
    """Whose rules an ARK is read and compared by.

    ``SCHEME`` is The ARK URI scheme. ``ARKSPEC`` differs from it as The ARK Identifier Scheme
    does: slashes and full stops at the end of the Basic ARK are left out, variants keep their
    order, and query and fragment do not count.
    """

    SCHEME = "scheme"
    ARKSPEC = "arkspec"


_ARK_SCHEME = ArkProfile.SCHEME  # looked up once: a member of an enum is found slowly


@final
@total_ordering
class ARK:
    """An Extended ARK, read and not changed: ``str()`` gives back the text that was parsed.

    Its parts are as they were given, nothing decoded. ``==`` and ``hash()`` go by the text;
    ``ark_equivalent`` compares. ``ARK(text)`` is ``parse_ark(text)``.

    ARKs sort by their normal form and then by their text, code point by code point. So equivalent
    ARKs stand together, and neither of two comes first only where they are equal.
    """

    # As in URN, the match alone holds the text and where its parts stand.
    __slots__ = ("_match",)
    _match: re.Match[str]

    def __new__(cls, text: str) -> "ARK":
        return parse_ark(text)

    @property
    def naan(self) -> str:
        """The Name Assigning Authority Number."""
        return self._parts["naan"]

    @property
    def name(self) -> str:
        """The Name that the authority assigned, without its qualifier."""
        return self._parts["name"]

    @property
    def components(self) -> tuple[str, ...]:
        """The segments of the ComponentPath, from the outermost."""
        return tuple(self._parts["components"].split("/")[1:])

    @property
    def variants(self) -> tuple[str, ...]:
        """The suffixes of the VariantPath. Their order has no meaning."""
        return tuple(self._parts["variants"].split(".")[1:])

    @property
    def query(self) -> str | None:
        """What stands after ``?``; None where there is no question mark."""
        return self._parts["query"]

    @property
    def fragment(self) -> str | None:
        """What stands after ``#``; None where there is none."""
        return self._parts["fragment"]

    @property
    def inflection(self) -> str:
        """The query with its question mark, empty without one. Source: section 3.4."""
        return "" if self.query is None else f"?{self.query}"

    @property
    def basic_ark(self) -> str:
        """The text without query and fragment."""
        return self._text_to("variants")

    @property
    def base_name(self) -> str:
        """The text up to the Name, without qualifier, query and fragment."""
        return self._text_to("name")

    @property
    def containers(self) -> tuple[str, ...]:
        """The ARKs that this one implies to contain it, the most general first.

        Those of ``ark:12345/ax20315/edition1/chapter5`` are ``ark:12345/ax20315`` and
        ``ark:12345/ax20315/edition1``. Variants take no part. Source: section 3.2.
        """
        segments = (self.base_name, *self.components)
        return tuple("/".join(segments[:count]) for count in range(1, len(segments)))

    @property
    def shoulder(self) -> str | None:
        """The shoulder by the first-digit convention: in ``x5wf6789`` it is ``x5``.

        It is the beginning of the normalized Name: betanumeric letters and one digit; None for a
        Name that begins otherwise. Nobody but the NAA knows whether it keeps to the convention.
        """
        found = _SHOULDER.match(normal_basic(self._parts).split("/")[1])
        return found and found[0]

    @property
    def normal_form(self) -> str:
        """The one ASCII spelling that all equivalent ARKs have. Source: section 6."""
        match = self._match
        return f"ark:{match[1]}" if match.lastindex == 1 else normal_form(match)

    @property
    def arkspec_form(self) -> str:
        """The ASCII spelling that all ARKs share which are equivalent by ``ArkProfile.ARKSPEC``.

        Source: The ARK Identifier Scheme.
        """
        return normal_basic(self._parts)

    def cite(self, resolver: str = RESOLVER) -> tuple[str, str]:
        """Give the URL to link to and the compact form to show, both normalized.

        ``resolver`` is the prefix of a resolver, its last slash included.
        """
        return resolver + self.normal_form, self.normal_form

    def _text_to(self, part: str) -> str:
        return self._match[0][: self._parts.end(part)]

    @property
    def _parts(self) -> re.Match[str]:
        if self._match.lastindex == 1:
            self._match = _extended_ark().fullmatch(self._match[0]) or self._match
        return self._match

    def __str__(self) -> str:
        return self._match[0]

    def __repr__(self) -> str:
        return f"ARK({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, ARK) else NotImplemented

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, ARK):
            return NotImplemented
        return (self.normal_form, str(self)) < (other.normal_form, str(other))

    def __hash__(self) -> int:
        return hash(self._match[0])

    def __reduce__(self) -> tuple[Callable[[str, ArkProfile], "ARK"], tuple[str, ArkProfile]]:
        return parse_ark, (str(self), ArkProfile.ARKSPEC)  # which reads what either profile does


_new = object.__new__


def parse_ark(text: str, profile: ArkProfile = _ARK_SCHEME) -> ARK:
    """Split an Extended ARK without changing a character of it.

    ``ark:12345/x5wf6789/c2/s4.pdf?info`` gives naan ``12345``, name ``x5wf6789``, components
    ``c2`` and ``s4``, variant ``pdf``, inflection ``?info``. The scheme and the NAAN may have any
    case; a slash may follow ``ark:``; hyphens may stand anywhere after it.

    Raises InvalidARK for anything outside the grammar, for invisible formatting characters, and
    for a text too long that section 7.1.1 does not protect. Does not ask whether the NAAN is
    registered: 99999, which is for tests, is read like any other.

    Source: The ARK URI scheme sections 4, 7.1.1 and 8.1.
    """
    match = _match_plain_ark(text) or _read_in_full(text, profile)
    ark = _new(ARK)
    ark._match = match
    return ark


def _read_in_full(text: str, profile: ArkProfile) -> re.Match[str]:
    grammar = _extended_ark() if profile is _ARK_SCHEME else _trimmed_ark()
    match = grammar.fullmatch(text)
    if match is None or (len(text) > LONGEST and is_too_long(match)):
        raise explain_refusal(text, trimmed=profile is not _ARK_SCHEME)
    return match


def ark_equivalent(a: ARK | str, b: ARK | str, profile: ArkProfile = _ARK_SCHEME) -> bool:
    """Tell whether two ARKs have one normal form and so name one thing; a text is parsed first.

    Raises InvalidARK for a text that is no ARK by the profile.

    Source: The ARK URI scheme section 6; for ``ArkProfile.ARKSPEC`` The ARK Identifier Scheme.
    """
    return _form(a, profile) == _form(b, profile)


def find_embedded_ark(text: str) -> ARK | None:
    """Read the ARK out of a URL or IRI such as ``https://n2t.net/ark:12345/x``.

    It begins at ``ark:`` after a slash of the path or after the scheme, and goes to the end of
    the text, query and fragment included; an ARK by itself is given back. Of several places the
    last one in the path is taken, the only one with no ``ark:`` in its Name. ``https://ark:12345/x``
    is read as a host named ark. None where nothing is read: ``bark:12345/x`` is no ARK, nor is
    what a query or a fragment holds.

    Source: The ARK URI scheme section 4.1.
    """
    before = _BEFORE_ARK.match(text)
    if before is None or (before[0] and _prefix().fullmatch(before[0]) is None):
        return None
    try:
        return parse_ark(text[before.end() :])
    except InvalidARK:
        return None


def _form(ark: ARK | str, profile: ArkProfile) -> str:
    parsed = ark if isinstance(ark, ARK) else parse_ark(ark, profile)
    return parsed.normal_form if profile is _ARK_SCHEME else parsed.arkspec_form
