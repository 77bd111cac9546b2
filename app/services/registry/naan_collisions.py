"""A file of NAANs that gives somebody else what was given here: told, and left as it is."""

from dataclasses import replace
from typing import NamedTuple

from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.naans.naan_names import fold_naan_name
from app.registration.naans.naan_records import NaanFile, NaanFinding, NaanRow
from app.registration.naans.quoted_text import quote
from app.registration.records.naan_registrations import naan_file_of
from app.registration.records.registry_records import RegistrySnapshot
from app.store.requests.given_names import names_given_by_requests
from app.workflow.separation_of_duties import fold_organization

__all__ = ["COLLISION", "AgreedFile", "without_collisions"]

COLLISION = "given_twice"
_ON_GIVEN = "The ARK Identifier Scheme, on the Name Assigning Authority Number"


class AgreedFile(NamedTuple):
    """What of a file can be taken over, and what names another holder than whom a name has here."""

    file: NaanFile
    findings: tuple[NaanFinding, ...] = ()


def without_collisions(file: NaanFile, standing: RegistrySnapshot) -> AgreedFile:
    """A file without the entries that give a name to another holder than this registry gave it to.

    Of a NAAN that has two holders so, the shoulders in the file are of the other one, and left out
    too. A name that came here from a file is none of this registry's own: files change it.
    """
    given = names_given_by_requests([NAANS.id, SHOULDERS.id])
    own = {fold_naan_name(row.name): row for row in naan_file_of(standing).records} if given else {}
    findings = {
        name: _twice(row, own[name])
        for row in file.records
        if (name := fold_naan_name(row.name)) in given and name in own
        if fold_organization(row.holder) != fold_organization(own[name].holder)
    }
    if not findings:
        return AgreedFile(file)
    for row in file.records:
        name = fold_naan_name(row.name)
        if name.partition("/")[0] in findings and name not in findings:
            findings[name] = _below(row)
    kept = tuple(row for row in file.records if fold_naan_name(row.name) not in findings)
    return AgreedFile(replace(file, records=kept), tuple(findings.values()))


def _twice(row: NaanRow, here: NaanRow) -> NaanFinding:
    told = (
        f"{quote(row.name)} is assigned here to {quote(here.holder)}, but to "
        f"{quote(row.holder)} in this file. It wasn’t imported. Ask the publisher of "
        "the file which is right."
    )
    return NaanFinding(row.name, "", COLLISION, told, _ON_GIVEN)


def _below(row: NaanRow) -> NaanFinding:
    told = f"{quote(row.name)} is under a NAAN with two holders. It wasn’t imported."
    return NaanFinding(row.name, "", COLLISION, told, _ON_GIVEN)
