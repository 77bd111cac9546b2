"""The registry's entries as documents for full-text search."""

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from app.exports.content.selection import xrefs_in
from app.exports.search.search_terms import SAY_NOTHING, words_of
from app.exports.search.word_index import SearchDocument, SearchField
from app.registration.records.registry_records import Person, Registration, XrefType

IDENTIFIER = "Identifier"  # the label of an entry's NID or NAAN
_MOST_TEXT = 20_000  # characters of a field
_LONGEST_CODE = 30
_ABOVE, _BELOW = 1.0, 0.8  # an organization's NAAN counts more than the shoulders under it

# Fields of NAANs and shoulders, with their labels and weights.
_NAAN_FIELDS = {
    "organization": ("Organization", 4.0),
    "native_name": ("Name in the local language", 4.0),
    "acronym": ("Abbreviation", 4.0),
    "naan_name": ("Name", 2.0),
}


def document_of(table: str, record: Registration, people: Mapping[str, Person]) -> SearchDocument:
    """Return what a search looks at in an entry."""
    weight = _BELOW if record.space.under else _ABOVE
    fields = (
        SearchField(label, text[:_MOST_TEXT], value * weight)
        for label, text, value in _fields_of(record, people)
        if text
    )
    return SearchDocument(table, record.folded, tuple(fields))


def _fields_of(
    record: Registration, people: Mapping[str, Person]
) -> Iterator[tuple[str, str, float]]:
    profile, fields = record.profile, dict(record.fields)
    yield IDENTIFIER, record.folded, 6.0
    yield "Title", profile.title, 4.0
    yield "Identifies", profile.names, 4.0
    yield "Abbreviation", initials_of(profile.title), 3.0
    for name, (label, weight) in _NAAN_FIELDS.items():
        yield label, fields.pop(name, ""), weight
    yield "Abbreviation", initials_of(dict(record.fields).get("organization", "")), 3.0
    yield "Registrant", profile.holder, 3.0
    yield "Description", profile.description, 2.0
    yield "Reference", "; ".join(dict.fromkeys(_reference_texts(record, people))), 1.5
    yield "Remarks", profile.remarks, 0.8
    yield "Examples", " ".join(example.urn for example in profile.examples), 0.5
    address = fields.pop("web_address", "") or profile.homepage
    yield "Website", _host_of(address), 1.0
    yield "Template", " ".join((record.text, *filter(_is_sentence, fields.values()))), 0.8


def _is_sentence(answer: str) -> bool:
    return len(answer) > _LONGEST_CODE and " " in answer


def _reference_texts(record: Registration, people: Mapping[str, Person]) -> Iterator[str]:
    for xref in (*record.references, *xrefs_in(record.contact or ()), *xrefs_in(record.template)):
        person = people.get(xref.data) if xref.type is XrefType.PERSON else None
        texts = (person.name, person.org) if person else (xref.label, xref.data, xref.title)
        yield from (text for text in texts if text and "://" not in text)


def _host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or address
    except ValueError:
        return ""


def initials_of(name: str) -> str:
    """Return the abbreviations that people make of a name: ``LOC LC`` for Library of Congress.

    Empty for names of fewer than 3 words.
    """
    words = list(words_of(name.partition("(")[0]))
    if not 3 <= len(words) <= 8:
        return ""
    every = "".join(word[0] for word in words)
    said = "".join(word[0] for word in words if word not in SAY_NOTHING)
    return " ".join(dict.fromkeys(one.upper() for one in (every, said) if len(one) > 1))
