"""Which documents describe a namespace, and which did before, as its record and profile cite."""

import re
from collections.abc import Iterator

from app.exports.content.selection import xrefs_in
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.records.registry_records import Registration, Xref, XrefType

_ORDER = (XrefType.RFC, XrefType.DRAFT)
_FORMER = re.compile(
    r"\b(?:replaces the registration in|obsoletes) RFC (\d{1,5})\b"
    r"|\bRFC (\d{1,5}), which this registration replaced\b",
    re.IGNORECASE | re.ASCII,
)


def documents_of(record: Registration) -> tuple[Xref, ...]:
    """The RFCs that a record refers to, then the drafts; where it has no reference, those that it
    names as its contact, as IANA does for a namespace that a working group registered."""
    cited = record.references or xrefs_in(record.contact or ())
    found = [xref for xref in cited if xref.type in _ORDER]
    return tuple(sorted(found, key=lambda xref: _ORDER.index(xref.type)))


def former_documents(profile: NamespaceProfile) -> tuple[Xref, ...]:
    """The RFCs of which a profile says that others took their place, the newest first."""
    numbers = {
        int(one or other) for text in _texts(profile) for one, other in _FORMER.findall(text)
    }
    return tuple(Xref(XrefType.RFC, f"rfc{number}") for number in sorted(numbers, reverse=True))


def _texts(profile: NamespaceProfile) -> Iterator[str]:
    yield profile.remarks
    yield from (example.source for example in profile.examples)
