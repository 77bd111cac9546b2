"""What an edition of NAANs holds for programs: rules of resolution, and files of records.

Each is of all NAANs and shoulders, and is read back before the edition is published.
"""

import json
from collections.abc import Iterable
from dataclasses import replace

from app.exports.extracts.naan_table import NaanStanding, naan_table_bytes
from app.exports.serialization.csv_text import csv_rows
from app.registration.declarations.fields import VOIDED
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.naans.naan_anvl import read_naan_anvl, write_naan_anvl
from app.registration.naans.naan_json import read_naan_json, write_naan_json
from app.registration.naans.naan_names import fold_naan_name
from app.registration.naans.naan_records import AS_WRITTEN, NaanRow
from app.registration.records.naan_registrations import naan_file_of, naan_row_of
from app.registration.records.registry_records import Registration, RegistrySnapshot, Status
from app.resolution.ark_rules import ArkRules, ark_rule_lines, ark_rules_of

_REGISTRIES = (NAANS, SHOULDERS)


def ark_rules_bytes(snapshot: RegistrySnapshot) -> bytes:
    """What every ARK is judged and led on by, former NAANs and shoulders included.

    JSON Lines in the order of the prefixes, each with the member ``prefix``.
    """
    return ark_rule_lines(map(_rules, snapshot.records()))


def _rules(record: Registration) -> ArkRules:
    return ark_rules_of(naan_row_of(record))._replace(
        status=record.status,
        successor=record.successor_folded,
        takes_verbatim=dict(record.fields).get("target_spelling") == AS_WRITTEN,
    )


def ark_rule_names(body: bytes) -> list[str]:
    """The names in a file of rules, folded."""
    return [fold_naan_name(json.loads(line)["prefix"]) for line in body.splitlines()]


def naan_records_bytes(snapshot: RegistrySnapshot) -> bytes:
    """All records that are in use in the JSON of the ARK Alliance, as the file that they came from.

    Source: ``naan_records.json`` of the ARK Alliance.
    """
    return write_naan_json(naan_file_of(_in_use(snapshot)))


def naan_names_in(body: bytes) -> list[str]:
    """The names of the records in a file of the ARK Alliance, folded, each once.

    What is kept there and is no name of the registry is left out.
    """
    names = _names(read_naan_json(body).records)
    return [name for name in names if any(one.space.may_be_name(name) for one in _REGISTRIES)]


def unread_naan_names(snapshot: RegistrySnapshot) -> list[str]:
    """The names of entries that such a file keeps and that are no records of the registry, folded.

    Nothing else tells them from records: an entry may have been too long to be taken over.
    """
    entries = (one.text for one in naan_file_of(snapshot).unread if one.place.startswith("/data/"))
    return naan_names_in(f'{{"data": [{", ".join(entries)}]}}'.encode())


def naan_anvl_bytes(snapshot: RegistrySnapshot) -> bytes:
    """All records that are in use as blocks of labelled lines."""
    records = naan_file_of(_in_use(snapshot)).records
    return write_naan_anvl(records)


def naan_anvl_names(body: bytes) -> list[str]:
    """The names of the records in a file of ANVL, folded, each once."""
    return _names(read_naan_anvl(body).file.records)


def naan_csv_bytes(snapshot: RegistrySnapshot) -> bytes:
    """All records as a table, in the order of the file from which they came.

    It alone of these files has room to say that a name is in use no more.
    """
    standings = {record.folded: _standing(record) for record in snapshot.records()}
    return naan_table_bytes(naan_file_of(snapshot).records, standings)


def _standing(record: Registration) -> NaanStanding:
    state = VOIDED if record.is_voided else str(record.status)
    return NaanStanding(state, record.successor_folded)


def naan_csv_names(body: bytes) -> list[str]:
    """The names in the first two columns of a table, folded."""
    _heading, *rows = csv_rows(body)
    return [fold_naan_name("/".join(filter(None, row[:2]))) for row in rows]


def _names(records: Iterable[NaanRow]) -> list[str]:
    return list(dict.fromkeys(fold_naan_name(one.name) for one in records))


def _in_use(snapshot: RegistrySnapshot) -> RegistrySnapshot:
    tables = (
        replace(table, records=tuple(r for r in table.records if r.status is not Status.FORMER))
        for table in snapshot.registries
    )
    return replace(snapshot, registries=tuple(tables))
