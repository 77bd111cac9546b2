"""Titles of RFCs beside references to them, as far as they are known."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from app import bundled
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    RichText,
    Xref,
    XrefType,
)


@lru_cache(maxsize=1)
def rfc_titles() -> Mapping[str, str]:
    """The titles of RFCs by ``rfc2141``, as far as they are known."""
    titles: dict[str, str] = json.loads(bundled.rfc_titles())
    return titles


def add_title(xref: Xref) -> Xref:
    """A reference with the title of its RFC, as far as it is known."""
    known = rfc_titles().get(xref.data, "") if xref.type is XrefType.RFC else ""
    return replace(xref, title=known)


def with_titles(read: RegistrySnapshot) -> RegistrySnapshot:
    """A registry with the titles of RFCs, which no such file holds, as far as they are known."""

    def in_text(text: RichText) -> RichText:
        return tuple(part if isinstance(part, str) else add_title(part) for part in text)

    def in_record(record: Registration) -> Registration:
        return replace(
            record,
            template=in_text(record.template),
            references=tuple(map(add_title, record.references)),
            contact=None if record.contact is None else in_text(record.contact),
        )

    tables = (
        replace(
            table,
            references=tuple(map(add_title, table.references)),
            rule=in_text(table.rule),
            records=tuple(map(in_record, table.records)),
        )
        for table in read.registries
    )
    return replace(read, notes=tuple(map(in_text, read.notes)), registries=tuple(tables))
