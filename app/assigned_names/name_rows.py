"""What a row of a file tells of a name, and the texts by label that a row is written of."""

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.assigned_names.assigned_name_records import (
    ELEMENTS,
    KERNEL,
    REDIRECT_STATUSES,
    AssignedNameRecord,
    AssignedNameState,
    NameRevision,
)
from app.assigned_names.name_schemes import read_assigned_name
from app.identifiers.errors import InvalidIdentifier, spell_list, spell_text

LONGEST_LINE: Final = 1_048_576  # octets, of one row too: over fifty of the longest elements
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
# How pictures, PDF and archives begin, and so the files of spreadsheets: PNG, JPEG, GIF, PDF, ZIP.
_NO_TEXT = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"PK\x03\x04")


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line, numbered from 1, without its end. Where ``fault`` says why it is not read, ``text``
    is empty."""

    number: int
    text: str
    fault: str = ""


def file_lines(octets: Iterable[bytes]) -> Iterator[FileLine]:
    """Raises nothing of its own.

    Source: RFC 3629; RFC 4180 section 2.
    """
    for number, line in enumerate(_cut(octets), 1):
        yield _line(number, line.removeprefix(_BOM) if number == 1 else line)


def _line(number: int, line: bytes) -> FileLine:
    if len(line) > LONGEST_LINE:
        return FileLine(number, "", f"The line is longer than {LONGEST_LINE:,} bytes. Shorten it.")
    if number == 1 and line.startswith(_NO_TEXT):
        return FileLine(number, "", "This isn't a text file. Choose a text file in UTF-8.")
    try:
        return FileLine(number, line.decode())
    except UnicodeDecodeError as error:
        if number == 1 and line.startswith(_UTF_16):
            return FileLine(number, "", "The file is in UTF-16. Save it in UTF-8.")
        fault = f"Byte {error.start + 1} of the line isn't UTF-8. Save the file in UTF-8."
        return FileLine(number, "", fault)


def _cut(octets: Iterable[bytes]) -> Iterator[bytes]:
    begun = bytearray()
    for piece in _whole_ends(octets):
        *whole, rest = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in whole:
            yield _joined(begun, line) if begun else line[: LONGEST_LINE + 1]
            begun.clear()
        begun += rest[: LONGEST_LINE + 1 - len(begun)]
    if begun:
        yield bytes(begun)


def _joined(begun: bytearray, line: bytes) -> bytes:
    return bytes(begun + line[: LONGEST_LINE + 1 - len(begun)])


def _whole_ends(octets: Iterable[bytes]) -> Iterator[bytes]:
    is_open = False
    for piece in octets:
        whole = b"\r" + piece if is_open else piece
        is_open = whole.endswith(b"\r")
        yield whole[:-1] if is_open else whole
    if is_open:
        yield b"\n"


_FIRST_PLACES: Final = 1 << 10  # a power of two, as all their numbers are


class SeenNames:
    """Names that were seen, each kept as a number of eight octets in a table half of which
    is free."""

    __slots__ = ("_count", "_numbers")

    def __init__(self) -> None:
        self._numbers, self._count = _places(_FIRST_PLACES), 0

    def add(self, name: str) -> bool:
        """Keep a name; tells whether it was new."""
        number = hash(name) & 0xFFFF_FFFF_FFFF_FFFF or 1  # 0 is a free place
        place = _place_of(number, self._numbers)
        if self._numbers[place]:
            return False
        self._numbers[place] = number
        self._count += 1
        if 2 * self._count > len(self._numbers):
            self._grow()
        return True

    def _grow(self) -> None:
        grown = _places(2 * len(self._numbers))
        for number in self._numbers:
            if number:
                grown[_place_of(number, grown)] = number
        self._numbers = grown


def _places(count: int) -> "array[int]":
    return array("Q", [0]) * count


def _place_of(number: int, numbers: "array[int]") -> int:
    last = len(numbers) - 1
    place = number & last
    while numbers[place] not in (0, number):
        place = (place + 1) & last
    return place


# In the order in which they are written; further elements stand behind `where`.
COLUMNS: Final = (
    *("name", "target", *KERNEL, "state", "redirect", "extends_anywhere"),
    *("persistence", "reason", "since", "successor", ELEMENTS),
)
_BEFORE = COLUMNS[: COLUMNS.index("state")]
_TEXTS = ("target", "persistence", "reason", "since", "successor")
_MOST_LABELS = 100
_REPEATED = 2  # so many elements of one label no column tells
_SURROGATE = re.compile("[\ud800-\udfff]")
_ANYWHERE = {"yes": True, "no": False, "true": True, "false": False, "": False}


@dataclass(frozen=True, slots=True)
class NameRow:
    """A row that could be read: the number of its first line, what it tells, and which of it.

    ``given`` are the fields of the record that the row tells, and for elements their labels: what
    was not told stays as it is. Where it has ``elements``, it tells all of them. ``repeats``: an
    earlier row of its file tells of the same name.
    """

    line: int
    record: AssignedNameRecord
    given: frozenset[str] = frozenset()
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class NameRowFault:
    """A row that could not be read, by the number of its first line: a code, and a sentence."""

    line: int
    code: str
    message: str


class _RowRefusal(ValueError):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code, self.message = code, message


def label_of(text: str) -> str:
    stripped = text.strip()
    return stripped.lower() if stripped.lower() in COLUMNS else stripped


def read_row(line: int, texts: Mapping[str, str]) -> NameRow | NameRowFault:
    """The row that texts by label tell, or what is wrong with it.

    Source: The ARK URI scheme section 6; RFC 8141 section 3.1.
    """
    try:
        return _row(line, texts)
    except InvalidIdentifier as error:
        return NameRowFault(line, error.code, error.message)
    except _RowRefusal as error:
        return NameRowFault(line, error.code, error.message)


def mark_repeats(rows: Iterable[NameRow | NameRowFault]) -> Iterator[NameRow | NameRowFault]:
    """The rows of a file, those marked that tell of a name once more, in whatever spelling."""
    seen = SeenNames()
    for row in rows:
        is_repeat = isinstance(row, NameRow) and not seen.add(row.record.name)
        yield replace(row, repeats=True) if isinstance(row, NameRow) and is_repeat else row


def _row(line: int, texts: Mapping[str, str]) -> NameRow:
    if not texts.get("name", "").strip():
        raise _RowRefusal("name_missing", _missing_name(texts))
    if len(texts) > _MOST_LABELS:
        raise _RowRefusal("too_many", f"The row has too many labels. Use at most {_MOST_LABELS}.")
    for label, text in texts.items():
        _refuse_surrogates(label, text)
    record = AssignedNameRecord(
        name=read_assigned_name(texts["name"].strip()),
        state=_state(texts.get("state") or AssignedNameState.PUBLIC),
        redirect=_redirect(texts.get("redirect") or str(REDIRECT_STATUSES[0])),
        extends_anywhere=_anywhere(texts.get("extends_anywhere", "")),
        elements=_elements(texts),
        **{field: texts.get(field, "") for field in _TEXTS},
    )
    return NameRow(line, record, frozenset(texts))


def _missing_name(texts: Mapping[str, str]) -> str:
    if texts.get("id"):  # as Noid's command "fetch" writes
        return (
            "The row has no `name`. Rename Noid's label `id` to `name`, and add `ark:` before the "
            "identifier."
        )
    return "The row has no identifier. Add one under `name`, or remove the row."


def _refuse_surrogates(*texts: str) -> None:
    if any(map(_SURROGATE.search, texts)):
        message = "The row contains half of a surrogate pair. Remove it."
        raise _RowRefusal("surrogate", message)


def _state(text: str) -> AssignedNameState:
    try:
        return AssignedNameState(text.strip().lower())
    except ValueError:
        states = spell_list([f"`{state}`" for state in AssignedNameState])
        message = f"{spell_text(text)} isn't a state. Use one of {states}."
        raise _RowRefusal("state", message) from None


def _redirect(text: str) -> int:
    known = {str(status): status for status in REDIRECT_STATUSES}
    if text.strip() not in known:
        message = (
            f"{spell_text(text)} isn't a supported redirect. Use one of {spell_list([*known])}."
        )
        raise _RowRefusal("redirect", message)
    return known[text.strip()]


def _anywhere(text: str) -> bool:
    if text.strip().lower() not in _ANYWHERE:
        message = f"{spell_text(text)} isn't valid in `extends_anywhere`. Use `yes` or `no`."
        raise _RowRefusal("extends_anywhere", message)
    return _ANYWHERE[text.strip().lower()]


# ---- elements


def _elements(texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    pairs = _pairs(texts[ELEMENTS]) if texts.get(ELEMENTS) else ()
    counts = Counter(label for label, _ in pairs)
    labels = (*KERNEL, *(label for label in texts if label not in COLUMNS))
    told = {one: texts[one] for one in labels if texts.get(one) and counts[one] < _REPEATED}
    ordered = [(label, told.pop(label, value)) for label, value in pairs]
    return (*ordered, *told.items())


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    is_read = type(read) is list and all(
        type(pair) is list and [type(part) for part in pair] == [str, str] for pair in read
    )
    if not is_read:
        message = '`elements` isn\'t a JSON array of pairs. Write it as [["who", "A. Person"]].'
        raise _RowRefusal("elements", message)
    for pair in read:
        _refuse_surrogates(*pair)
    return tuple((label, value) for label, value in read)


# ---- writing


def row_texts(record: AssignedNameRecord, labels: Sequence[str] | None = None) -> dict[str, str]:
    """The texts by label that tell a record, in the order of ``COLUMNS``, empty ones left out.

    ``labels`` are those of further elements that have columns, in their order; each has one where
    nothing is said. Where columns cannot tell its elements, as two of one label or another order,
    ``elements`` tells them all, and the columns those that are single. ``read_row`` gives the
    record again.
    """
    texts = {
        **{field: getattr(record, field) for field in _TEXTS},
        "name": record.name,
        "state": record.state.value,
        "redirect": "" if record.redirect == REDIRECT_STATUSES[0] else str(record.redirect),
        "extends_anywhere": "yes" if record.extends_anywhere else "",
    }
    by_label = dict(record.elements)
    further = [label for label in by_label if label not in KERNEL] if labels is None else labels
    is_told = _is_told(record.elements, by_label, (*KERNEL, *further))
    if is_told or labels is not None:
        texts |= _single(record.elements, (*KERNEL, *further))
    if not is_told:
        texts[ELEMENTS] = json.dumps(record.elements, ensure_ascii=False, separators=(",", ":"))
    ordered = (*_BEFORE, *further, *COLUMNS[len(_BEFORE) :])
    return {label: texts[label] for label in ordered if texts.get(label)}


def _single(elements: tuple[tuple[str, str], ...], columns: Sequence[str]) -> dict[str, str]:
    counts = Counter(label for label, _ in elements)
    return {
        label: value
        for label, value in elements
        if counts[label] < _REPEATED and label in columns and is_element_label(label)
    }


def _is_told(
    elements: tuple[tuple[str, str], ...], by_label: Mapping[str, str], columns: Sequence[str]
) -> bool:
    ordered = tuple((label, by_label[label]) for label in columns if label in by_label)
    return ordered == elements and all(
        value and is_element_label(label) for label, value in elements
    )


def is_element_label(label: str) -> bool:
    is_column = label in COLUMNS and label not in KERNEL
    return bool(label) and label_of(label) == label and not is_column


def revision_of(row: NameRow) -> NameRevision:
    return NameRevision(record=row.record, given=row.given)
