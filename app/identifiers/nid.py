"""NIDs: whether one may be registered, and what a person should look at before it is."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from .findings import Finding, NidKind, NidReport
from .nid_advisories import find_advisories
from .nid_index import NidIndex, fold_nid
from .nid_rules import find_problems

__all__ = [
    "Finding",
    "NidIndex",
    "NidKind",
    "NidReport",
    "check_nid",
    "fold_nid",
    "nid_typed",
    "suggest_nids",
]

_NOT_IN_NID = re.compile("[^a-z0-9]+")
_AS_IN_NAMES = re.compile(r"(?:urn:(?=[^:]))?([^:]+):|urn:([^:]+)(?::.*)?", re.IGNORECASE)
_REFUSED_BEGINNING = re.compile("^(?:urn|x|[a-z]{2})-+")


def nid_typed(text: str) -> str:
    """Return the NID in a text that someone typed or pasted, without blanks around it.
    ``urn:acme``, ``acme:``, ``urn:acme:`` and ``urn:acme:a/b`` give ``acme``.

    Source: RFC 8141 section 2.
    """
    typed = text.strip()
    found = _AS_IN_NAMES.fullmatch(typed)
    return (found[1] or found[2]).strip() if found else typed


def check_nid(
    text: str, kind: NidKind, registered: NidIndex | Iterable[str] = frozenset()
) -> NidReport:
    """List all that forbids registering a NID and, if nothing does, what experts would ask.

    ``registered`` holds the names already given; a NidIndex, built once, answers at once, while
    plain names are indexed anew by each call.

    Source: RFC 8141 sections 2, 5.1 and 5.2; RFC 2141 section 2.1 for ``urn``.
    """
    index = _indexed(registered)
    problems = tuple(find_problems(text, kind, index))
    asked = kind is NidKind.FORMAL and not problems
    return NidReport(text, kind, problems, tuple(find_advisories(text, index)) if asked else ())


def suggest_nids(text: str, registered: NidIndex | Iterable[str] = frozenset()) -> tuple[str, ...]:
    """Propose free formal NIDs, three at most, that keep the letters of a refused one."""
    index = _indexed(registered)
    if check_nid(text, NidKind.FORMAL, index).valid:
        return ()
    rewritten = dict.fromkeys(_rewritings(text))
    reports = [check_nid(name, NidKind.FORMAL, index) for name in rewritten]
    free = sorted((r for r in reports if r.valid), key=lambda r: len(r.advisories))
    return tuple(report.text for report in free)


def _indexed(registered: NidIndex | Iterable[str]) -> NidIndex:
    return registered if isinstance(registered, NidIndex) else NidIndex(registered)


def _rewritings(text: str) -> Iterator[str]:
    unaccented = unicodedata.normalize("NFKD", text)
    ascii_only = unaccented.encode("ascii", "ignore").decode()
    cleaned = _NOT_IN_NID.sub("-", fold_nid(ascii_only)).strip("-")
    yield _REFUSED_BEGINNING.sub("", cleaned, count=1)
    yield cleaned.replace("-", "")
    yield cleaned
