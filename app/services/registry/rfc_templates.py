"""Registrations that stand inside RFCs: found in files, for the names that refer to these RFCs."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from app.problems import operation_codes
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration, Status, XrefType
from app.registration.templates.rfc_registrations import (
    RfcMismatch,
    RfcRegistration,
    find_registrations,
    with_changes,
)
from app.registration.templates.text_encodings import UnreadableText, decode_text, unpack_gzip
from app.services.refusals import Refusal
from app.services.registry.snapshots import current_snapshot
from app.store.database import read_transaction

_FILE = re.compile(r"rfc0{0,4}([1-9][0-9]{0,4})(?:\.txt)?(?:\.gz)?", re.ASCII | re.IGNORECASE)
_PLACE = re.compile(r"RFC ([0-9]{1,5})")


class BrokenRfcs(Refusal):
    """Files that are not the RFCs that they are called, each named."""


@dataclass(frozen=True, slots=True)
class RfcTemplate:
    """A template of a name, and the file in which it stands."""

    file: str
    registration: RfcRegistration


@dataclass(frozen=True, slots=True)
class RfcTemplates:
    """The templates that RFCs hold, by the folded name, and what was left out, in sentences."""

    found: Mapping[str, RfcTemplate] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def rfc_number(file: str) -> int | None:
    """The number of the RFC that a file is called by, such as ``rfc5279.txt.gz``; or None."""
    match = _FILE.fullmatch(file.rpartition("/")[2])
    return int(match[1]) if match else None


def rfcs_referred_to() -> Mapping[int, frozenset[str]]:
    """The RFCs to which registered namespaces refer, each with the folded names of these."""
    cited: dict[int, set[str]] = {}
    with read_transaction():
        for record in current_snapshot(URN_GROUP).records():
            for number in _rfcs_of(record):
                cited.setdefault(number, set()).add(record.folded)
    return {number: frozenset(names) for number, names in cited.items()}


def _rfcs_of(record: Registration) -> Iterator[int]:
    for part in (*record.references, *record.template):
        is_rfc = not isinstance(part, str) and part.type is XrefType.RFC
        number = rfc_number(part.data) if is_rfc and not isinstance(part, str) else None
        if number is not None and record.status is not Status.FORMER:
            yield number


def read_rfcs(
    files: Iterable[tuple[str, bytes]], cited: Mapping[int, Collection[str]]
) -> RfcTemplates:
    """The templates in whole RFCs, plain or gzipped, of the names that refer to them.

    A file is called by the number of its RFC; others are passed over, and so are RFCs that no
    name refers to. Raises BrokenRfcs, which names every file that is no text, that says that it
    is another RFC, or that is too large, unpacked too.
    """
    read: dict[int, tuple[str, tuple[RfcRegistration, ...]]] = {}
    broken = list[str]()
    for file, data in files:
        number = rfc_number(file)
        if number is None or number not in cited:
            continue
        try:
            found = _found(data, number, cited[number])
        except (UnreadableText, RfcMismatch) as error:
            broken.append(f"{file}: {error}")
            continue
        if read.setdefault(number, (file, found))[1] != found:
            broken.append(f"{read[number][0]} and {file} are both RFC {number}. Remove one.")
    if broken:
        raise BrokenRfcs(operation_codes.RFCS_BROKEN, "\n".join([*broken, "Nothing was imported."]))
    return _chosen(read, cited)


def _found(data: bytes, number: int, names: Collection[str]) -> tuple[RfcRegistration, ...]:
    text = decode_text(unpack_gzip(data)).text
    return find_registrations(text, number, names)


def _chosen(
    read: Mapping[int, tuple[str, tuple[RfcRegistration, ...]]],
    cited: Mapping[int, Collection[str]],
) -> RfcTemplates:
    """One template for each name: the latest whole one, with what a later RFC changes in it."""
    found: dict[str, RfcTemplate] = {}
    left_out = list[str]()
    for number, (file, several) in sorted(read.items()):
        for one in several:
            if one.name in cited[number]:
                before = found.get(one.name)
                said = _take(found, RfcTemplate(file, one), before)
            else:
                said = _of_another(one)
            left_out += [f"{file}: {said}"] if said else []
        told = {one.name for one in several}
        left_out += [_without(file, name) for name in sorted(cited[number]) if name not in told]
    return RfcTemplates(found, tuple(left_out))


def _take(found: dict[str, RfcTemplate], new: RfcTemplate, before: RfcTemplate | None) -> str:
    """Take a template for its name; what is to be said of one that is left out."""
    one = new.registration
    if not one.is_whole:
        if before is None:
            said = f"{one.place} only changes the template of `{one.name}`."
            return f"{said} Add the RFC that it changes."
        one = with_changes(before.registration, one)
        new = RfcTemplate(f"{before.file}, {new.file}", one)
    elif before is not None:
        if _of_one_rfc(before.registration, one) and _is_fuller(before.registration, one):
            return f"{one.place} has a shorter template of `{one.name}`."
        said = f"{before.registration.place} has another template of this namespace."
        new = replace(new, registration=replace(one, doubts=(*one.doubts, said)))
    found[one.name] = new
    return ""


def _of_one_rfc(one: RfcRegistration, other: RfcRegistration) -> bool:
    first, second = _PLACE.match(one.place), _PLACE.match(other.place)
    return bool(first and second and first[1] == second[1])


def _is_fuller(one: RfcRegistration, other: RfcRegistration) -> bool:
    return len(one.sections) >= len(other.sections)


def _of_another(one: RfcRegistration) -> str:
    where = f"lines {one.line} to {one.last_line} are a template"
    if not one.name:
        return f"{where} without a NID."
    return f"{where} of `{one.name}`, whose entry doesn’t refer to this RFC."


def _without(file: str, name: str) -> str:
    return f"{file}: no template of `{name}` found, although its entry refers to this RFC."
