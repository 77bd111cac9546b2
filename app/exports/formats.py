"""The forms in which a registry is published."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.exports.csv import csv_files
from app.exports.json import json_files
from app.exports.txt import txt_files
from app.exports.xhtml import xhtml_files
from app.exports.xml import xml_files
from app.registration.declarations import Format
from app.registration.records import RegistrySnapshot


@dataclass(frozen=True, slots=True)
class Exporter:
    """One form: what it is called in HTTP, and the files it makes of a snapshot.

    Equal snapshots give equal bytes.
    """

    media_type: str
    files: Callable[[RegistrySnapshot], Iterator[tuple[str, bytes]]]


FORMATS: dict[Format, Exporter] = {
    Format.XML: Exporter("application/xml", xml_files),
    Format.XHTML: Exporter("application/xhtml+xml", xhtml_files),
    Format.TXT: Exporter("text/plain; charset=utf-8", txt_files),
    Format.JSON: Exporter("application/json", json_files),
    Format.CSV: Exporter("text/csv; charset=utf-8; header=present", csv_files),
}
