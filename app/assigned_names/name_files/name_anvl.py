"""Names in ANVL: labels and values a line each, with an empty line between two names."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from app.assigned_names.assigned_name_records import KERNEL, AssignedNameRecord
from app.assigned_names.name_files.file_lines import LONGEST_LINE, FileLine, file_lines
from app.assigned_names.name_files.name_rows import (
    COLUMNS,
    NameRow,
    NameRowFault,
    label_of,
    read_row,
    row_texts,
)
from app.assigned_names.name_revisions import ELEMENTS
from app.identifiers.spelling import spell_text

__all__ = ["read_name_anvl", "write_name_anvl"]

_HEADING = "erc:\n"
_SPACE = " \t"
# What would end a value or a label, or be taken away at an end of it.
_OF_VALUES = re.compile(r"[%\r\n]|\A[ \t]|[ \t]\Z")
_OF_LABELS = re.compile(r"[%:\r\n]|\A[# \t]|[ \t]\Z")
_IN_VALUES = re.compile(r"%(25|0[AaDd])|\A%(20|09)|%(20|09)\Z")
_IN_LABELS = re.compile(r"%(25|3[Aa]|0[AaDd])|\A%(23|20|09)|%(20|09)\Z")
_MOST_LINES = 1_000  # of one name


def read_name_anvl(octets: Iterable[bytes]) -> Iterator[NameRow | NameRowFault]:
    """The rows of a file that comes in pieces, and a fault for each block of lines that is none.

    A first line without a value, as ``erc:``, is a heading and tells nothing. Raises nothing of its
    own, and holds one block at a time.

    Source: ANVL, A Name-Value Language.
    """
    block, length, is_long = list[FileLine](), 0, False
    for line in file_lines(octets):
        if line.text.strip(_SPACE) or line.fault:
            length += len(line.text) + 1
            is_long = length > LONGEST_LINE or len(block) >= _MOST_LINES
            block += [] if is_long else [line]
            continue
        yield from _read(block, is_long=is_long)
        block, length, is_long = [], 0, False
    yield from _read(block, is_long=is_long)


def _read(block: list[FileLine], *, is_long: bool) -> Iterator[NameRow | NameRowFault]:
    lines = [line for line in block if not line.text.startswith("#")]
    if not lines:
        return
    number = lines[0].number
    fault = next((line for line in lines if line.fault), None)
    if is_long:
        message = (
            f"This record has more than {_MOST_LINES:,} lines or {LONGEST_LINE:,} characters. "
            "Add an empty line after each record."
        )
        yield NameRowFault(number, "anvl", message)
    elif fault:
        message = f"Line {fault.number}: {fault.fault}"
        yield NameRowFault(number, "anvl", message)
    else:
        yield from _row(number, lines)


def _row(number: int, lines: list[FileLine]) -> Iterator[NameRow | NameRowFault]:
    pairs: list[tuple[str, list[str]]] = []
    for line in lines:
        label, colon, value = line.text.partition(":")
        if line.text[0] in _SPACE and pairs:
            pairs[-1][1].append(line.text.strip(_SPACE))
        elif colon and line.text[0] not in _SPACE:
            pairs.append((_decoded(_IN_LABELS, label), [value.strip(_SPACE)]))
        else:
            message = f"Line {line.number} has no label. Start the line with a label and a colon."
            yield NameRowFault(number, "anvl", message)
            return
    told = [(label_of(label), " ".join(filter(None, parts))) for label, parts in pairs]
    if told[0][0] not in COLUMNS and not told[0][1]:
        del told[0]
    if told:
        yield _told(number, [(label, _decoded(_IN_VALUES, value)) for label, value in told])


def _told(number: int, told: list[tuple[str, str]]) -> NameRow | NameRowFault:
    texts = dict(told)
    if len(texts) < len(told):
        labels = [label for label, _ in told]
        own = set(COLUMNS) - {*KERNEL}
        twice = next((label for label in labels if label in own and labels.count(label) > 1), "")
        if twice or ELEMENTS in texts:
            message = f"The label {spell_text(twice or ELEMENTS)} appears twice. Remove one."
            return NameRowFault(number, "member", message)
        elements = [[label, value] for label, value in told if label not in own and value]
        texts[ELEMENTS] = json.dumps(elements, ensure_ascii=False)
    return read_row(number, texts)


def _decoded(encoded: re.Pattern[str], text: str) -> str:
    return encoded.sub(lambda found: chr(int(found[found.lastindex or 0], 16)), text)


def write_name_anvl(
    records: Iterable[AssignedNameRecord],
    labels: Sequence[str] = (),  # noqa: ARG001 - each element has a line of its own
) -> Iterator[bytes]:
    """A block of lines for each record, an empty line after it; ``labels`` change nothing.

    Source: ANVL, A Name-Value Language.
    """
    for record in records:
        lines = (
            f"{_encoded(_OF_LABELS, label)}: {_encoded(_OF_VALUES, value)}\n"
            for label, value in row_texts(record).items()
        )
        yield f"{_HEADING}{''.join(lines)}\n".encode()


def _encoded(unfit: re.Pattern[str], text: str) -> str:
    return unfit.sub(lambda found: f"%{ord(found[0]):02X}", text)
