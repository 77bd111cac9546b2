"""Who a template says its registrant is: the organization or person that its words name."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.registration.profiles.profile_records import NO_PROFILE
from app.registration.records.registry_records import Registration

_LONGEST = 200
_LONG_LINE = 50  # so long, an address goes on in the next line
_NUMBER = re.compile(r"^(?:[0-9]+\.)+\s+|^[-*]\s+")
_LABEL = re.compile(r"([A-Za-z][A-Za-z /-]{1,60}?)\s{0,9}:(?:\s+|$)")
# Headings that are known without a colon, alone in a line.
_HEADING = re.compile(
    r"(?:declared )?registrant(?: of the namespace)?|registering (?:organi[sz]ation|entity)"
    r"|designated contact(?: person)?|contact(?: person)?|required",
    re.IGNORECASE,
)
_ORGANIZATION = re.compile(
    r"(?:registering |standards )?organi[sz]ation(?: name)?|registering entity|company|institution",
    re.IGNORECASE,
)
_REGISTRANT = re.compile(r"(?:declared )?registrant(?: of the namespace)?", re.IGNORECASE)
_NAME = re.compile(r"name", re.IGNORECASE)
_CONTACT = re.compile(r"\bcontact\b|\bATTN\b", re.IGNORECASE)
_OF_PERSON = ("title", "affiliation")
_NOBODY = re.compile(
    r"tb[ad]|n/?a|none|unknown|required|-+|(?:to be|see|refer to|same as|as above)\b.*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\b[0-9]|[@&]|https?:|www\.|^p\.? ?o\.? ", re.IGNORECASE)
_MAIL = re.compile(r"(?<!\s)\s*+<[^<>]{0,200}>")
# Where a name ends and a sentence about it goes on, or the next one begins.
_IS = re.compile(
    r"(?<!\s)\s++(?:is|are|was) an?\b.*|(?<=[a-z)]{3})(?<!Inc)(?<!Ltd)(?<!Corp)\.\s++(?=[A-Z]).*",
    re.DOTALL,
)
_ABBREVIATION = re.compile(r"\b(?:Inc|Corp|Ltd|Co|\w(?:\.\w){1,4})\.$")
_PERSON = re.compile(r"(?:Dr\.? )?(?:[A-Z](?:\.|[a-z]+) ){1,2}[A-Z][a-z]+")
_ROLE = re.compile(r".*\b(?:Director|Lead|Manager|Secretary|President|Officer)", re.IGNORECASE)
_BODY = re.compile(
    r"Agency|Alliance|Association|Bank|Cent(?:er|re)|Committee|Consortium|Corp|Council|Forum"
    r"|Foundation|Group|Inc|Institute|Library|Ltd|Organi[sz]ation|Project|Registry|Society|Union"
    r"|University",
)


@dataclass(frozen=True, slots=True)
class _RegistrantEntry:
    label: str
    text: str
    indent: int


def registrant_in(record: Registration) -> str:
    """The registrant whom a template names; empty where that cannot be told surely.

    An organization that is called so goes before a name, and both before the first line of an
    address. With a person's name stand the title and the affiliation, where these are given; a body
    that stands below it without a label is the registrant.

    Source: RFC 8141 section 6.4 (registrant), RFC 3406 appendix A.
    """
    entries = tuple(_entries(dict(record.fields).get("registrant", "").splitlines()))
    found = _organization(entries) or _named(entries) or _first(entries)
    return "" if _NOBODY.fullmatch(found) or len(found) > _LONGEST else found


def with_holder(
    record: Registration, latest: Registration | None = None, organization: str = ""
) -> Registration:
    """Return the record with its holder: the organization as it was answered.

    Without an answer, the holder is the registrant whom the template names, unless the record has
    no profile at all. Any other holder than the one whom the template of ``latest`` named stays,
    for example one to whom the name was transferred.
    """
    profile, before = record.profile, registrant_in(latest) if latest else ""
    if not record.space.has_profiles or profile.holder not in ("", before):
        return record
    holder = " ".join(organization.split())
    if not holder and profile != NO_PROFILE:
        holder = registrant_in(record)
    if not holder:
        return record
    return replace(record, profile=replace(profile, holder=holder))


def _entries(lines: Sequence[str]) -> Iterator[_RegistrantEntry]:
    for line in lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if bare := _NUMBER.sub("", text):
            text = bare
        if _HEADING.fullmatch(text):
            yield _RegistrantEntry(text.lower(), "", indent)
        elif found := _LABEL.match(text):
            yield _RegistrantEntry(found[1].strip().lower(), text[found.end() :].strip(), indent)
        else:
            yield _RegistrantEntry("", text, indent)


def _organization(entries: Sequence[_RegistrantEntry]) -> str:
    at = next((at for at, one in enumerate(entries) if _ORGANIZATION.fullmatch(one.label)), None)
    return "" if at is None else _value(entries, at)


def _named(entries: Sequence[_RegistrantEntry]) -> str:
    for at, one in enumerate(entries):
        if _CONTACT.search(one.label):
            return ""
        if _NAME.fullmatch(one.label):
            name, below = _value(entries, at), entries[at + 1 :]
            told = list(_beside(below))
            body = "" if told or not _is_person(name) else _body_below(below)
            return body or ", ".join(filter(None, [name, *told]))
    return ""


def _body_below(entries: Sequence[_RegistrantEntry]) -> str:
    for one in entries:
        if not (one.label or one.text) or _CONTACT.search(one.label):
            return ""
        if not one.label and _BODY.search(one.text) and not _ADDRESS.search(one.text):
            return _joined(one.text, ())
    return ""


def _beside(entries: Sequence[_RegistrantEntry]) -> Iterator[str]:
    for at, one in enumerate(entries):
        if _CONTACT.search(one.label) or _NAME.fullmatch(one.label):
            return
        if one.label in _OF_PERSON:
            yield _value(entries, at)


def _value(entries: Sequence[_RegistrantEntry], at: int) -> str:
    one = entries[at]
    if one.text:
        return _joined(one.text, _continued(entries[at + 1 :], one.indent))
    below = [place for place in range(at + 1, len(entries)) if entries[place] != _BLANK]
    if not below:
        return ""
    following = entries[below[0]]
    if _NAME.fullmatch(following.label) or _ORGANIZATION.fullmatch(following.label):
        return _value(entries, below[0])
    return "" if following.label else _joined(following.text, ())


_BLANK = _RegistrantEntry("", "", 0)


def _continued(entries: Sequence[_RegistrantEntry], indent: int) -> Iterator[str]:
    for one in entries:
        if one.label or not one.text or not (one.indent > indent or one.text.startswith("(")):
            return
        yield one.text


def _first(entries: Sequence[_RegistrantEntry]) -> str:
    rest = [one for one in entries if not (one.label and not one.text)]
    while rest and not rest[0].text:
        rest.pop(0)
    if not rest or (rest[0].label and not _is_of_registrant(rest[0].label)):
        return ""
    lines = [one.text for one in rest[: _end(rest)]]
    told = _joined(lines[0], ())
    if told.startswith(tuple("0123456789")) or "@" in told:
        return ""
    if len(lines) > 1 and _goes_on(lines[0], lines[1]):
        return _IS.sub("", " ".join(lines))
    return _of_whom(told, lines[1:]) if _is_person(told) else told


def _is_of_registrant(label: str) -> bool:
    return bool(_REGISTRANT.fullmatch(label)) or label == "required"


def _end(entries: Sequence[_RegistrantEntry]) -> int:
    for at, one in enumerate(entries[1:], 1):
        if one.label or not one.text or _ADDRESS.search(one.text):
            return at
    return len(entries)


def _goes_on(line: str, following: str) -> bool:
    cut = _IS.search(line)
    opens = line.count("(") > line.count(")")
    return cut is None and (opens or following[:1].islower())


def _is_person(told: str) -> bool:
    return not _BODY.search(told) and bool(_PERSON.fullmatch(told) or _ROLE.fullmatch(told))


def _of_whom(told: str, lines: Sequence[str]) -> str:
    before = told
    for line in lines:
        told += (" " if len(before) >= _LONG_LINE else ", ") + line
        before = line
    return told


def _joined(text: str, more: Iterable[str]) -> str:
    told = _MAIL.sub("", _IS.sub("", " ".join([text, *more]))).strip().rstrip(",;")
    return told if _ABBREVIATION.search(told) else told.rstrip(".")
