"""What a namespace's own template says, found in its words: examples and components."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.identifiers.errors import InvalidURN
from app.identifiers.nid import fold_nid
from app.identifiers.urn import parse_urn
from app.registration.declarations.registries import find_field
from app.registration.records.registry_records import Registration
from app.registration.templates.template_reader import read_template

_URN = re.compile(r"urn:[a-z0-9-]{2,32}:[^\s<>\"'`|\\^{}\[\]]{1,200}", re.IGNORECASE | re.ASCII)
_AFTER = ".,;:)!?"  # ends a sentence oftener than a name
_MOST_EXAMPLES = 5
TEXT = "text"  # in place of a field, for a template that came as a whole
_LOOKED_IN = ("syntax", "resolution", TEXT)
_COMPONENTS = ("r", "q", "f")
_SECTIONS = frozenset({"registrant", "purpose", "syntax", "assignment"})
_CALLED = re.compile(r"\b(?:examples?|e\.g\.|for instance|such as|as in)(?!\w)", re.IGNORECASE)
# What is said before a text in its sentence, or right behind it, where it is no example.
_DENIED = re.compile(
    r"\b(?:not|nor|invalid|illegal|malformed|incorrect|(?:sub-?)?name ?spaces?|prefix(?:es)?"
    r"|under|begins?|beginning)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.:;]\s")
_OF_MANY = re.compile(r"[\"'”’]?\s+(?:name ?space|prefix|branch|tree)\b", re.IGNORECASE)
_BEFORE = 80  # characters of its sentence
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_GOES_ON = tuple(":-/<{[*=_")  # a beginning of names, or a form that they have, is no example
_SHORT = 8  # words of a heading


@dataclass(frozen=True, slots=True)
class UrnComponent:
    """A component of a URN, and the field that speaks of it; empty where none does.

    Source: RFC 8141 section 2.3.
    """

    letter: str
    field: str
    label: str


def with_template_fields(record: Registration) -> Registration:
    """The record with what its template says by field, where that came as a whole text.

    A text in which no section is found stays a text. No word of it is lost on the way but
    those that are no part of a template, such as a greeting.
    """
    if record.fields or not record.text:
        return record
    fields = read_template(record.text).fields
    if not fields.keys() & _SECTIONS:
        return record
    return replace(record, fields=tuple(fields.items()), text="")


def examples_in(record: Registration) -> tuple[str, ...]:
    """URNs of the namespace that its template calls examples, each once, in their order."""
    found = dict.fromkeys(_examples(record))
    return tuple(found)[:_MOST_EXAMPLES]


def _examples(record: Registration) -> Iterator[str]:
    for _, text in sorted(_texts(record), key=lambda pair: pair[0] not in _LOOKED_IN):
        for name in _called(text):
            if _belongs(name, record.folded):
                yield name


def _called(text: str) -> Iterator[str]:
    goes_on = False
    for paragraph in _PARAGRAPHS.split(text):
        said = _CALLED.search(paragraph)
        start = 0 if goes_on else said.start() if said else len(paragraph)
        names = list(_whole_names(paragraph, start))
        yield from names
        announces = paragraph.rstrip().endswith(":") or len(paragraph.split()) <= _SHORT
        goes_on = bool(said and announces) or (goes_on and bool(names))


def _whole_names(text: str, start: int) -> Iterator[str]:
    for match in _URN.finditer(text, start):
        name = match[0].rstrip(_AFTER)
        behind = match[0][len(name) :] + text[match.end() : match.end() + 1]
        begins = name.endswith(_GOES_ON) or behind.startswith(_GOES_ON)
        if not (begins or _is_denied(text, match.start(), match.end())):
            yield name


def _is_denied(text: str, start: int, end: int) -> bool:
    before = _CLAUSE_END.split(text[max(0, start - _BEFORE) : start])[-1]
    return bool(_DENIED.search(before) or _OF_MANY.match(text, end))


def _texts(record: Registration) -> tuple[tuple[str, str], ...]:
    return (*record.fields, (TEXT, record.text))


def _belongs(name: str, folded: str) -> bool:
    try:
        return fold_nid(parse_urn(name).nid) == folded
    except InvalidURN:
        return False


def components_in(record: Registration) -> tuple[UrnComponent, ...]:
    """The r-, q- and f-component, each with the first field that names it.

    No more than that is claimed: whether what is said there defines it, its reader sees.
    """
    return tuple(_component(letter, dict(_texts(record))) for letter in _COMPONENTS)


def _component(letter: str, fields: dict[str, str]) -> UrnComponent:
    # `r-component`, and `r-, q- and f-components`
    spoken_of = re.compile(rf"\b{letter}-(?:components?\b|,|\s+(?:and|or)\s)", re.IGNORECASE)
    name = next((name for name in _LOOKED_IN if spoken_of.search(fields.get(name, ""))), "")
    field = find_field(name)
    return UrnComponent(letter, name, field.label if field else "the template")
