"""What the registry of NAANs says of a NAAN or a shoulder, fact by fact, as it is on file.

Source: the members of ``naan_records.json``, which the ARK Alliance publishes, and of its schema;
The ARK Identifier Scheme, on NAANs and on shoulders.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import ClassVar

__all__ = [
    "AS_WRITTEN",
    "LONGEST_VALUE",
    "TARGET_STATUSES",
    "UNDECLARED",
    "UNSAID_PURPOSE",
    "NaanEntry",
    "NaanFile",
    "NaanFinding",
    "NaanRecord",
    "NaanRow",
    "ShoulderRecord",
    "UnreadValue",
    "derived_target",
    "fold_naan",
    "is_fit",
    "is_zero_of_clocks",
    "name_key",
    "overlong_fact",
    "records_by_name",
    "split_status",
]

UNDECLARED = "(:unkn) unknown"  # what stands on file where nobody declared a policy
UNSAID_PURPOSE = "unspecified"  # what stands on file where nobody said what names are for
LONGEST_VALUE = 4000  # characters of one fact, thirty times those of any on file
AS_WRITTEN = "as written"  # what a holder says whose target takes ARKs as they come
TARGET_STATUSES = (302, 303, 307)  # a redirection that lasts would be kept by browsers for ever

_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}(?:Z|[+-][0-9]{2}:[0-9]{2})")
_ZERO_OF_CLOCKS = "1970"
_STATUS_BEFORE = re.compile(r"(30[237])[ \t]+(?=\S)")
_HOST = re.compile("([Hh][Tt][Tt][Pp][Ss]?)://([^/?#]*)")
_UNFIT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class UnreadValue:
    """A value of a file that no fact holds, kept so that it can be written again.

    ``place`` is a JSON Pointer from the record, or from the file; ``text`` the value as JSON, empty
    where a member is absent. ``read_as`` is what the facts say there, as JSON: where they say
    something else by now, the value was replaced and is written no more.

    Source: RFC 6901 for the place.
    """

    place: str
    text: str
    read_as: str = ""


@dataclass(frozen=True, slots=True)
class NaanFinding:
    """One thing found in a file of NAANs: of which name, where, what, by which rule.

    ``name`` is ``12345`` or ``12345/x5``, empty where it is of the whole file; ``place`` a JSON
    Pointer, a line, or the name of a fact.
    """

    name: str
    place: str
    code: str
    message: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanEntry:
    """What the registry says of a NAAN and of a shoulder alike.

    Every text is as it is on file, dirt included: ``where`` may be no address, ``when`` no moment.
    None and an empty text differ, since a file tells them apart. ``target`` is a template with
    ``${content}``, ``${pid}`` and the like; ``where`` the address of the holder.
    """

    naan: str
    holder: str = ""
    native_name: str | None = None
    acronym: str | None = None
    where: str = ""
    target: str = ""
    status: int = 302
    when: str = ""
    kind: str = "NP"
    policy: str = UNDECLARED
    tenure: str = ""
    policy_address: str | None = None
    test_ark: str | None = None
    unread: tuple[UnreadValue, ...] = ()

    record_type: ClassVar[str]

    @property
    def name(self) -> str:
        """What the record is of: ``12345`` or ``12345/x5``."""
        return self.naan

    @property
    def is_of_zero(self) -> bool:
        """Whether its moment is the zero of a clock that nobody set, in whatever zone."""
        return bool(_moment(self.when) and not self.day)

    @property
    def day(self) -> str:
        """The day of the record in UTC, such as ``2001-03-08``; empty where it is unknown.

        What lies in 1970 is the zero of a clock that nobody set, and so no day of a registry that
        began in 2001. Source: RFC 3339 section 5.6.
        """
        day = _moment(self.when)
        return day if day and not is_zero_of_clocks(day[:4]) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanRecord(NaanEntry):
    """What the registry says of a NAAN."""

    service_provider: str | None = None
    purpose: str = UNSAID_PURPOSE

    record_type: ClassVar[str] = "PublicNAAN"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoulderRecord(NaanEntry):
    """What the registry says of a shoulder under a NAAN."""

    shoulder: str

    record_type: ClassVar[str] = "PublicNAANShoulder"

    @property
    def name(self) -> str:
        """What the record is of: ``12345/x5``."""
        return f"{self.naan}/{self.shoulder}"


NaanRow = NaanRecord | ShoulderRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanFile:
    """A file of NAANs: its metadata, its records in order, and what was found while reading it.

    No two records have one name. An entry that is no record stands in ``unread`` with its place.
    """

    metadata: tuple[tuple[str, str | None], ...] = ()
    records: tuple[NaanRow, ...] = ()
    unread: tuple[UnreadValue, ...] = ()
    findings: tuple[NaanFinding, ...] = field(default=(), compare=False)

    @property
    def naans(self) -> tuple[NaanRecord, ...]:
        """The records of NAANs, in order."""
        return tuple(one for one in self.records if isinstance(one, NaanRecord))

    @property
    def shoulders(self) -> tuple[ShoulderRecord, ...]:
        """The records of shoulders, in order."""
        return tuple(one for one in self.records if isinstance(one, ShoulderRecord))


def is_zero_of_clocks(year: str) -> bool:
    """Whether a year is that at which clocks begin that nobody set, or before it."""
    return year <= _ZERO_OF_CLOCKS


def _moment(when: str) -> str:
    """The day of a moment in UTC, empty for what is none. Source: RFC 3339 section 5.6."""
    if not _TIMESTAMP.fullmatch(when):
        return ""
    try:
        return datetime.fromisoformat(when).astimezone(UTC).date().isoformat()
    except (ValueError, OverflowError):  # the 31st of February, the year 0
        return ""


def records_by_name(records: Iterable[NaanRow]) -> dict[str, NaanRow]:
    """Records by their names as they are compared."""
    return {name_key(one.name): one for one in records}


def fold_naan(naan: str) -> str:
    """A NAAN as it is compared: in lower case, without hyphens.

    Source: The ARK Identifier Scheme, on normalization, steps 4 and 6.
    """
    return naan.lower().replace("-", "")


def name_key(name: str) -> str:
    """The name of a NAAN or a shoulder as it is compared; the case of a shoulder counts.

    Source: The ARK Identifier Scheme, on normalization, steps 4 and 6.
    """
    naan, slash, shoulder = name.partition("/")
    return f"{fold_naan(naan)}{slash}{shoulder.replace('-', '')}"


def is_fit(text: str) -> bool:
    """Whether a text can be stored and sent: no NUL, no half of a surrogate pair."""
    return not _UNFIT.search(text)


def overlong_fact(record: NaanRow) -> str:
    """The first fact of a record that is longer than one may be; empty where none is."""
    return next((one.name for one in fields(record) if _is_overlong(getattr(record, one.name))), "")


def _is_overlong(value: object) -> bool:
    texts = [one.text for one in value] if isinstance(value, tuple) else [value]
    return any(isinstance(text, str) and len(text) > LONGEST_VALUE for text in texts)


def derived_target(where: str) -> tuple[str, int]:
    """The target that an address on file stands for where none is given, and its status.

    ``http://www.wipo.int`` gives ``http://www.wipo.int/ark:/${content}`` and 302; a status may
    stand before the address, as in ``303 http://host.example``. The host is put in lower case.

    Source: the file of old held the address alone, and the records made of it these targets.
    """
    status, address = split_status(where)
    found = _HOST.match(address)
    if found:
        address = f"{found[1].lower()}://{found[2].lower()}{address[found.end() :]}"
    return f"{address.rstrip('/')}/ark:/${{content}}", status


def split_status(where: str) -> tuple[int, str]:
    """The status that stands before an address on file, 302 where none does, and the address."""
    found = _STATUS_BEFORE.match(where)
    return (int(found[1]), where[found.end() :]) if found else (302, where)
