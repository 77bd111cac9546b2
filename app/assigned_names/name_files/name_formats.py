"""The forms in which files of names are read and written, declared."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.assigned_names.name_files.name_anvl import read_name_anvl, write_name_anvl
from app.assigned_names.name_files.name_csv import read_name_csv, write_name_csv
from app.assigned_names.name_files.name_json_lines import (
    read_name_json_lines,
    write_name_json_lines,
)
from app.assigned_names.name_files.name_rows import NameRow, NameRowFault

__all__ = ["NAME_FORMATS", "NameFormat", "format_of"]

NameReader = Callable[[Iterable[bytes]], Iterator[NameRow | NameRowFault]]
NameWriter = Callable[[Iterable[AssignedNameRecord], Sequence[str]], Iterator[bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFormat:
    """One form. ``purpose`` says to whoever chooses what it is for.

    ``write`` takes the records, and the labels of elements that get columns of their own where the
    form has columns; ``read`` gives what it wrote again.
    """

    id: str
    label: str
    media_type: str
    suffix: str
    purpose: str
    read: NameReader
    write: NameWriter


NAME_FORMATS: Final[Mapping[str, NameFormat]] = {
    form.id: form
    for form in (
        NameFormat(
            id="csv",
            label="CSV",
            media_type="text/csv; charset=utf-8; header=present",
            suffix=".csv",
            purpose="for spreadsheets",
            read=read_name_csv,
            write=write_name_csv,
        ),
        NameFormat(
            id="jsonl",
            label="JSON Lines",
            media_type="application/jsonl; charset=utf-8",
            suffix=".jsonl",
            purpose="for programs, one object per line",
            read=read_name_json_lines,
            write=write_name_json_lines,
        ),
        NameFormat(
            id="anvl",
            label="ANVL",
            media_type="text/plain; charset=utf-8",
            suffix=".anvl",
            purpose="as used by Noid and N2T",
            read=read_name_anvl,
            write=write_name_anvl,
        ),
    )
}


_SCHEMES = frozenset({b"ark", b"urn", b"http", b"https"})


def format_of(octets: bytes) -> NameFormat:
    """The form that a file has by its first octets; CSV where nothing speaks for another one.
    Raises nothing; what is wrong with the file is told by reading it."""
    lines = octets.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n").split(b"\n")
    told = (line.strip() for line in lines)
    first = next((line for line in told if line and not line.startswith(b"#")), b"")
    if first.startswith(b"{"):
        return NAME_FORMATS["jsonl"]
    label, colon, _ = first.partition(b":")
    is_label = colon and b"," not in label and label.strip(b"\"' ").lower() not in _SCHEMES
    return NAME_FORMATS["anvl" if is_label else "csv"]
