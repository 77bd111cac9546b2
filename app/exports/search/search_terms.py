"""What a record is found by, counted by and sorted by: plain words, the same on any database.

Both databases are given words that were folded and cut here, so that neither's own idea of
a word, of case or of an accent decides what is found.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from app.exports.content.name_presentation import presentation_of, whole_name
from app.exports.content.registry_rows import record_row
from app.exports.content.selection import people_named, xrefs_in
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import (
    Person,
    Registration,
    RichText,
    Status,
    SubRegistry,
    Xref,
    XrefType,
    plain_words,
)

NO_YEAR = "none"
SAY_NOTHING = frozenset({"and", "for", "from", "not", "of", "the", "urn", "with"})
IN_USE = (Status.REGISTERED, Status.DEPRECATED)

_NO_DATE = "date not recorded"
_LONGEST_WORD = 60
_LONGEST_KEY = 200
_MOST_TEXT = 400_000  # octets of different words: PostgreSQL indexes no more than a megabyte
_SHORTEST_ENDING = 2
_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"\d+|[^\W\d_]+")
_URN = re.compile(r"urn:([a-z0-9-]*)(:?)", re.ASCII)
_YEAR = re.compile("[0-9]{4}", re.ASCII)
_NUMBER = re.compile("([0-9]+)", re.ASCII)


class ReferenceKind(StrEnum):
    """What the first reference of a record is to: where its words are to be looked for."""

    RFC = "rfc"
    DRAFT = "draft"
    ORGANIZATION = "organization"
    PERSON = "person"
    NONE = "none"


_REFERENCE_KINDS = {
    XrefType.RFC: ReferenceKind.RFC,
    XrefType.ERRATA: ReferenceKind.RFC,
    XrefType.DRAFT: ReferenceKind.DRAFT,
    XrefType.URI: ReferenceKind.ORGANIZATION,
    XrefType.PERSON: ReferenceKind.PERSON,
}


class FacetValues(NamedTuple):
    """All that records are counted by; ``year`` is that of registration, or ``none``.

    ``facts`` are the values of the facets that the registry declares, with the ids of these.
    """

    registry: str
    status: Status
    reference: ReferenceKind
    year: str
    facts: tuple[tuple[str, str], ...] = ()


class SortKeys(NamedTuple):
    """What rows are sorted by, as texts that any database compares alike; empty for nothing."""

    name: str
    template: str
    reference: str
    date: str


class SearchTerm(NamedTuple):
    """A word that a record must have, or the beginning of one."""

    text: str
    is_prefix: bool = False


def facet_values(registry: str, record: Registration) -> FacetValues:
    """Where a record is counted."""
    xrefs = record.references if record.contact is None else xrefs_in(record.contact)
    kinds = [_REFERENCE_KINDS[xref.type] for xref in xrefs if xref.type in _REFERENCE_KINDS]
    year = (record.date or "")[:4]
    return FacetValues(
        registry,
        record.status,
        kinds[0] if kinds else ReferenceKind.NONE,
        year if _YEAR.fullmatch(year) else NO_YEAR,
        _facts(registry, record),
    )


def _facts(registry: str, record: Registration) -> tuple[tuple[str, str], ...]:
    declared, fields = REGISTRIES.get(registry), dict(record.fields)
    told = declared.facets if declared else ()
    return tuple((facet.id, value) for facet in told for value in facet.values(fields))


def keys_of(record: Registration, registry: str = "") -> SortKeys:
    """What a record is sorted by: ``3gpp2`` before ``3gpp10``, case aside."""
    _, template, references = record_row(record, registry)
    return SortKeys(
        name=natural_sort_key(record.folded),
        template=natural_sort_key(plain_words(template)),
        reference=natural_sort_key(plain_words(references)),
        date=record.date or "",
    )


def natural_sort_key(text: str) -> str:
    """A text whose order by characters is that of its words and numbers; cut where it is long."""
    parts = _NUMBER.split(_storable(text.casefold()))
    return "".join(_measured(part) if n % 2 else part for n, part in enumerate(parts))[
        :_LONGEST_KEY
    ]


def _measured(digits: str) -> str:
    digits = digits.lstrip("0") or "0"
    return f"{min(len(digits), 999):03d}{digits}"


def _storable(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def fold_text(text: str) -> str:
    """A text without case and accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in apart if not unicodedata.category(c).startswith("M"))


def terms_of(registry: str, record: Registration, people: Mapping[str, Person]) -> str:
    """Every word by which a record is found, each once, with one space between them.

    PostgreSQL takes no empty word. A name from an older import may have blanks.
    """
    found = _terms_of(registry, record, people)
    terms = dict.fromkeys(word for term in found for word in term.split())
    kept, room = [], _MOST_TEXT
    for term in terms:
        room -= len(term.encode()) + 1
        if room < 0:
            break
        kept.append(term)
    return " ".join(kept)


def person_term(ident: str) -> str:
    """The word that the records which name a person share, and that nobody can ask for."""
    return f"person:{sha256(ident.encode('utf-8', 'replace')).hexdigest()[:16]}"


def fact_term(facet: str, value: str) -> str:
    """The word that the records share which have a value of a declared facet."""
    return f"fact:{sha256(f'{facet}={value}'.encode('utf-8', 'replace')).hexdigest()[:16]}"


def _terms_of(registry: str, record: Registration, people: Mapping[str, Person]) -> Iterator[str]:
    whole = whole_name(presentation_of(SubRegistry(id=registry, title="")), record)
    yield whole or record.folded
    yield from (person_term(ident) for ident in sorted(people_named(record)))
    yield from (fact_term(facet, value) for facet, value in _facts(registry, record))
    yield from _endings(record.folded)
    for text in (whole, *_texts_of(record, people)):
        yield from _terms(text)


def _endings(name: str) -> Iterator[str]:
    for word in _WORD.findall(name):
        yield from (word[at:] for at in range(len(word) - _SHORTEST_ENDING + 1))


def _texts_of(record: Registration, people: Mapping[str, Person]) -> Iterator[str]:
    changed = f"changed {record.updated}" if record.updated else ""
    yield from (str(record.status), record.date or _NO_DATE, changed)
    _, template, references = record_row(record)
    yield from _texts_in(template, people)
    yield from _texts_in(references, people)
    profile = record.profile
    yield from (profile.title, profile.names, profile.holder, profile.description)
    yield from (text for _, text in record.fields)
    yield record.text


def _texts_in(text: RichText, people: Mapping[str, Person]) -> Iterator[str]:
    yield plain_words(text)
    for xref in xrefs_in(text):
        yield from (xref.label, xref.title)
        yield from _of_person(xref, people)


def _of_person(xref: Xref, people: Mapping[str, Person]) -> Iterator[str]:
    person = people.get(xref.data) if xref.type is XrefType.PERSON else None
    if person:
        yield from (person.name or "", person.org or "")


def _terms(text: str) -> Iterator[str]:
    for word in words_of(text):
        yield word
        parts = _PART.findall(word)
        if len(parts) > 1:
            yield from parts


def words_of(text: str) -> Iterable[str]:
    """The words of a text, without case and accents, long ones cut."""
    return (word[:_LONGEST_WORD] for word in _WORD.findall(fold_text(text)))


def asked_terms(query: str) -> tuple[SearchTerm, ...]:
    """The words of a query, of which the last may be the beginning of one.

    Of a URN only the namespace counts: ``urn:isbn:0451450523`` asks for ``urn:isbn:``.
    """
    found = tuple(term for word in query.split() for term in _asked(word))
    return (
        (*found[:-1], SearchTerm(found[-1].text, not found[-1].text.endswith(":"))) if found else ()
    )


def _asked(word: str) -> Iterator[SearchTerm]:
    urn = _URN.match(word.lower())
    if urn and urn[1]:
        whole = f"urn:{urn[1][:_LONGEST_WORD]}{urn[2]}"
        yield SearchTerm(whole, is_prefix=not urn[2])
        return
    yield from (SearchTerm(found) for found in words_of(word))
