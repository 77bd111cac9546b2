"""What a page says of itself to search engines: schema.org as JSON-LD.

Source: schema.org; HTML, the script element; JSON-LD 1.1 section 7.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from app.exports.content.name_presentation import presentation_of, whole_name
from app.exports.content.publication_site import PublicationSite
from app.exports.content.reference_links import xref_url
from app.exports.content.reference_text import document_words, fold_space, rich_text_words
from app.exports.content.selection import current_records, xrefs_in
from app.exports.extracts.downloads import registry_downloads
from app.exports.serialization.json_text import Members
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
    Xref,
    XrefType,
)

CONTEXT = "https://schema.org"
LONGEST = 300  # characters of a description, which is shown as a line or two

# what could end the element or begin another, and what scripts once took for a line end
_UNSAFE = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def registry_members(
    snapshot: RegistrySnapshot, place: PublicationSite, counts: Mapping[str, int] | None = None
) -> Members:
    """A registry's page as a Dataset: its tables, and its files as downloads.

    ``counts`` tells how many names each table has where the snapshot holds only some.
    """
    page = place.registry_url(snapshot)
    return _known(
        {
            "@context": CONTEXT,
            "@type": "Dataset",
            "@id": page,
            "url": page,
            "identifier": snapshot.id,
            "name": snapshot.title,
            "description": _description(snapshot, counts or {}),
            "keywords": snapshot.category,
            "version": str(snapshot.edition),
            "dateModified": snapshot.updated,
            "isAccessibleForFree": True,
            "hasPart": [_set(snapshot, table, place) for table in snapshot.registries],
            "distribution": list(_distributions(snapshot, place)),
        }
    )


def name_members(
    snapshot: RegistrySnapshot, table: SubRegistry, record: Registration, place: PublicationSite
) -> Members:
    """A name's page as a DefinedTerm of its table, with the documents that define it."""
    page = place.name_url(snapshot, table, record.folded)
    former, fields = record.status is Status.FORMER, dict(record.fields)
    return _known(
        {
            "@context": CONTEXT,
            "@type": "DefinedTerm",
            "@id": place.concept(snapshot, table, record.folded),
            "url": page,
            "name": whole_name(presentation_of(table), record) or record.name,
            "termCode": record.name,
            "description": _short(record.profile.description or fields.get("purpose", "")),
            "disambiguatingDescription": "A former name, no longer in use." if former else "",
            "inDefinedTermSet": _set(snapshot, table, place),
            "subjectOf": list(_documents(record)),
        }
    )


def script_json(members: Members) -> str:
    """Members as JSON that can stand in a script element as it is, whatever they hold.

    Equal members give equal text. Raises ValueError for NaN.
    """
    text = json.dumps(members, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_UNSAFE)


def _set(snapshot: RegistrySnapshot, table: SubRegistry, place: PublicationSite) -> Members:
    url = place.anchor(snapshot, table.id)
    return _known({"@type": "DefinedTermSet", "@id": url, "url": url, "name": table.title})


def _distributions(snapshot: RegistrySnapshot, place: PublicationSite) -> Iterator[Members]:
    for download in registry_downloads(snapshot):
        yield {
            "@type": "DataDownload",
            "name": download.label,
            "encodingFormat": download.media_type,
            "contentUrl": place.registry_url(snapshot, download.file),
        }


def _documents(record: Registration) -> Iterator[Members]:
    xrefs = (*record.references, *xrefs_in(record.template))
    for xref in dict.fromkeys(xref for xref in xrefs if xref.type is not XrefType.PERSON):
        if url := xref_url(xref):
            yield {"@type": "CreativeWork", "name": _called(xref), "url": url}


def _called(xref: Xref) -> str:
    named = document_words(xref)
    return f"{named}: {xref.title}" if xref.title else named


def _description(snapshot: RegistrySnapshot, known: Mapping[str, int]) -> str:
    counts = ", ".join(
        f"{table.title}: {known.get(table.id, len(current_records(table))):,}"
        for table in snapshot.registries
    )
    words = (snapshot.notice, *map(rich_text_words, snapshot.notes), f"{counts}." if counts else "")
    return _short(" ".join(filter(None, dict.fromkeys(words))))


def _short(text: str) -> str:
    line = fold_space(text)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _known(members: dict[str, Any]) -> Members:
    return {name: value for name, value in members.items() if value not in ("", [])}
