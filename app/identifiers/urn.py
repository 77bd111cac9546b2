"""URNs: parsing, normal form, URN-equivalence."""

import re
from collections.abc import Callable
from functools import lru_cache, total_ordering
from typing import final

from app.identifiers.urn_faults import explain_refusal
from app.identifiers.urn_grammar import NAMESTRING, PCT_ENCODED

from .errors import InvalidURN

__all__ = [
    "URN",
    "InvalidURN",
    "match_namestring",
    "normal_nss",
    "parse_urn",
    "urn_equivalent",
    "urn_of_match",
]

match_namestring = re.compile(NAMESTRING, re.ASCII).fullmatch
_PCT_ENCODED = re.compile(f"(?:{PCT_ENCODED})+")
_NOT_IN_RFC2141 = re.compile("[/~&]|%00")


def _uppercase(match: re.Match[str]) -> str:
    return match[0].upper()


@lru_cache(maxsize=8)  # a name is asked for it again and again, and may be long
def normal_nss(nss: str) -> str:
    """Source: RFC 8141 section 3.1."""
    return _PCT_ENCODED.sub(_uppercase, nss)


@final
@total_ordering
class URN:
    """A URN, read and not changed: ``str()`` gives back the text that was parsed.

    ``==`` and ``hash()`` go by that text; ``urn_equivalent`` compares by RFC 8141 section 3.1. An
    absent component is None, an f-component may be empty. ``URN(text)`` is ``parse_urn(text)``.
    """

    # The match alone holds the text and where its parts stand, and costs the parser one store.
    __slots__ = ("_match",)
    _match: re.Match[str]

    def __new__(cls, text: str) -> "URN":
        return parse_urn(text)

    @property
    def nid(self) -> str:
        return self._match["nid"]

    @property
    def nss(self) -> str:
        return self._match["nss"]

    @property
    def nid_and_nss(self) -> tuple[str, str]:
        match = self._match
        return match[1], match[2]

    @property
    def r_component(self) -> str | None:
        return self._match["r_component"]

    @property
    def q_component(self) -> str | None:
        return self._match["q_component"]

    @property
    def f_component(self) -> str | None:
        return self._match["f_component"]

    @property
    def assigned_name(self) -> str:
        return self._match[0][: self._match.end("nss")]

    @property
    def normal_form(self) -> str:
        """Source: RFC 8141 section 3.1."""
        nid, nss = self.nid_and_nss
        if "%" in nss:
            nss = normal_nss(nss)
        return f"urn:{nid.lower()}:{nss}"

    @property
    def rfc2141_valid(self) -> bool:
        """Source: RFC 2141 section 2."""
        if self._match.end() > self._match.end("nss") or self.nid.lower() == "urn":
            return False
        return _NOT_IN_RFC2141.search(self.nss) is None

    def __str__(self) -> str:
        return self._match[0]

    def __repr__(self) -> str:
        return f"URN({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, URN) else NotImplemented

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, URN):
            return NotImplemented
        return (self.normal_form, str(self)) < (other.normal_form, str(other))

    def __hash__(self) -> int:
        return hash(self._match[0])

    def __reduce__(self) -> tuple[Callable[[str], "URN"], tuple[str]]:
        return parse_urn, (str(self),)


_new = object.__new__


def parse_urn(text: str) -> URN:
    """Split a namestring without changing a character of it.

    ``urn:example:a/b?=page=2#top`` gives nid ``example``, nss ``a/b``, q_component ``page=2``,
    f_component ``top``; an absent component is None. Raises InvalidURN for anything outside the
    grammar: non-ASCII, white space and line ends included.

    Source: RFC 8141 section 2.
    """
    match = match_namestring(text)
    if match is None:
        raise explain_refusal(text)
    urn = _new(URN)
    urn._match = match
    return urn


def urn_of_match(match: re.Match[str]) -> URN:
    """The URN in which ``match_namestring`` found the parts, for who reads now and asks later.

    Source: RFC 8141 section 2.
    """
    urn = _new(URN)
    urn._match = match
    return urn


def urn_equivalent(a: URN | str, b: URN | str) -> bool:
    """Raises InvalidURN for a text that is no URN.

    Source: RFC 8141 section 3.1.
    """
    return _parsed(a).normal_form == _parsed(b).normal_form


def _parsed(urn: URN | str) -> URN:
    return urn if isinstance(urn, URN) else parse_urn(urn)
