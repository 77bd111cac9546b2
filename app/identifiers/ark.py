"""ARKs: parsing, normal form, equivalence, containers, and ARKs within URLs."""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import cache, total_ordering
from typing import final

from app.identifiers.ark_normal_form import normal_basic, normal_form

from .ark_faults import explain_refusal
from .ark_grammar import EXTENDED_ARK, LONGEST, PLAIN_ARK, PREFIX, TRIMMED_ARK, is_too_long
from .errors import InvalidARK
from .noid import BETANUMERIC

__all__ = ["ARK", "ArkProfile", "InvalidARK", "ark_equivalent", "find_embedded_ark", "parse_ark"]

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

    ``SCHEME`` is The ARK URI scheme. ``ARKSPEC`` differs from it as The ARK Identifier Scheme does:
    slashes and full stops at the end of the Basic ARK are left out, variants keep their order, and
    query and fragment do not count.
    """

    SCHEME = "scheme"
    ARKSPEC = "arkspec"


_SCHEME = ArkProfile.SCHEME  # looked up once: a member of an enum is found slowly


@final
@total_ordering
class ARK:
    """An Extended ARK, read and not changed: ``str()`` gives back the text that was parsed.

    Its parts are as they were given, nothing decoded. ``==`` and ``hash()`` go by the text;
    ``ark_equivalent`` compares. ``ARK(text)`` is ``parse_ark(text)``.
    """

    # As in URN, the match alone holds the text and where its parts stand.
    __slots__ = ("_match",)
    _match: re.Match[str]

    def __new__(cls, text: str) -> "ARK":
        return parse_ark(text)

    @property
    def naan(self) -> str:
        return self._parts["naan"]

    @property
    def name(self) -> str:
        return self._parts["name"]

    @property
    def components(self) -> tuple[str, ...]:
        return tuple(self._parts["components"].split("/")[1:])

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(self._parts["variants"].split(".")[1:])

    @property
    def query(self) -> str | None:
        return self._parts["query"]

    @property
    def fragment(self) -> str | None:
        return self._parts["fragment"]

    @property
    def inflection(self) -> str:
        """Source: section 3.4."""
        return "" if self.query is None else f"?{self.query}"

    @property
    def basic_ark(self) -> str:
        return self._text_to("variants")

    @property
    def base_name(self) -> str:
        return self._text_to("name")

    @property
    def containers(self) -> tuple[str, ...]:
        """Source: section 3.2."""
        segments = (self.base_name, *self.components)
        return tuple("/".join(segments[:count]) for count in range(1, len(segments)))

    @property
    def shoulder(self) -> str | None:
        found = _SHOULDER.match(normal_basic(self._parts).split("/")[1])
        return found and found[0]

    @property
    def normal_form(self) -> str:
        """Source: section 6."""
        match = self._match
        return f"ark:{match[1]}" if match.lastindex == 1 else normal_form(match)

    @property
    def arkspec_form(self) -> str:
        """Source: The ARK Identifier Scheme."""
        return normal_basic(self._parts)

    def cite(self, resolver: str = RESOLVER) -> tuple[str, str]:
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


def parse_ark(text: str, profile: ArkProfile = _SCHEME) -> ARK:
    """Split an Extended ARK without changing a character of it.

    ``ark:12345/x5wf6789/c2/s4.pdf?info`` gives naan ``12345``, name ``x5wf6789``, components ``c2``
    and ``s4``, variant ``pdf``, inflection ``?info``. The scheme and the NAAN may have any case; a
    slash may follow ``ark:``; hyphens may stand anywhere after it. Raises InvalidARK for anything
    outside the grammar, for invisible formatting characters, and for a text too long that section
    7.1.1 does not protect.

    Source: The ARK URI scheme sections 4, 7.1.1 and 8.1.
    """
    match = _match_plain_ark(text) or _read_in_full(text, profile)
    ark = _new(ARK)
    ark._match = match
    return ark


def _read_in_full(text: str, profile: ArkProfile) -> re.Match[str]:
    grammar = _extended_ark() if profile is _SCHEME else _trimmed_ark()
    match = grammar.fullmatch(text)
    if match is None or (len(text) > LONGEST and is_too_long(match)):
        raise explain_refusal(text, trimmed=profile is not _SCHEME)
    return match


def ark_equivalent(a: ARK | str, b: ARK | str, profile: ArkProfile = _SCHEME) -> bool:
    """Raises InvalidARK for a text that is no ARK by the profile.

    Source: The ARK URI scheme section 6; for ``ArkProfile.ARKSPEC`` The ARK Identifier Scheme.
    """
    return _form(a, profile) == _form(b, profile)


def find_embedded_ark(text: str) -> ARK | None:
    """Read the ARK out of a URL or IRI such as ``https://n2t.net/ark:12345/x``.

    It begins at ``ark:`` after a slash of the path or after the scheme, and goes to the end of the
    text, query and fragment included; an ARK by itself is given back. Of several places the last
    one in the path is taken, the only one with no ``ark:`` in its Name. ``https://ark:12345/x`` is
    read as a host named ark. None where nothing is read: ``bark:12345/x`` is no ARK, nor is what a
    query or a fragment holds.

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
    return parsed.normal_form if profile is _SCHEME else parsed.arkspec_form
