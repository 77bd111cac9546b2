"""Taking over a file of NAANs and shoulders: what it changes in words, and what it keeps unread."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from app import bundled
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.registration.naans.json_values import UnreadableNaanFile, json_text, parse_json
from app.registration.naans.naan_anvl import read_naan_anvl
from app.registration.naans.naan_changes import (
    FACT_LABELS,
    NaanChange,
    NaanChangeKind,
    naan_changes,
)
from app.registration.naans.naan_checks import check_naan_records
from app.registration.naans.naan_documents import naan_file_from
from app.registration.naans.naan_json import read_naan_json, write_naan_json
from app.registration.naans.naan_names import fold_naan_name, has_naan_form
from app.registration.naans.naan_records import (
    LONGEST_VALUE,
    NaanFile,
    NaanFinding,
    NaanRow,
    UnreadValue,
    overlong_fact,
)
from app.registration.naans.quoted_text import quote
from app.registration.records.naan_registrations import (
    file_head_of,
    file_order_of,
    head_differences,
    naan_file_of,
    registration_of,
    registry_of,
    with_own_facts,
)
from app.registration.records.registry_records import RegistrySnapshot, Status
from app.services.registry.import_plans import ImportPlan
from app.services.registry.record_import import RecordImport, import_records, may_stand
from app.services.registry.snapshots import current_snapshot
from app.store.database import joint_transaction
from app.store.editions import edition_rows
from app.store.requests.given_names import names_given_by_requests
from app.store.tables.editions import EditionOrigin
from app.workflow.separation_of_duties import fold_organization

COLLISION = "given_twice"


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


_ON_NAMES = "The ARK Identifier Scheme, on normalization"
_MISSING, _MOST_MISSING = "not_in_file", 20
_ON_GIVEN = "The ARK Identifier Scheme, on the Name Assigning Authority Number"


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanImport:
    """What an import of NAANs does, or would do: the plan, each change in words, what was found.

    ``remarks`` are of records that are taken over as they are, ``differs`` what the file says
    otherwise beside them.
    """

    plan: ImportPlan
    changes: tuple[NaanChange, ...]
    findings: tuple[NaanFinding, ...]
    remarks: tuple[NaanFinding, ...]
    differs: tuple[str, ...] = ()


def read_naan_file(data: bytes) -> NaanFile:
    """The records of a file, in the JSON of the ARK Alliance, in that of this project, or in ANVL.

    Of ANVL the public values are read alone. Raises UnreadableNaanFile for a file of none.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        file = read_naan_anvl(data).file
        if not file.records:
            raise UnreadableNaanFile("", "The file has no NAAN. Choose a file of NAANs.")
        return file
    document, _ = parse_json(data)
    if isinstance(document, dict) and "records" in document and "data" not in document:
        return naan_file_from(data)
    return read_naan_json(data)


def import_naans(
    file: NaanFile,
    at: datetime,
    *,
    dry_run: bool = False,
    day: str = "",
    notice: str = "",
    has_event: bool = True,
) -> NaanImport:
    """Import a file as one edition of the group. A dry run does the same and keeps nothing.

    What stands here and not in the file is left alone, and told where an earlier file had it.
    Where nothing differs there is no edition. An entry whose name no page can have, or is that of
    another one, is kept as it is and told; one that gives somebody else what was given here is
    told first, and not taken over. Without an event whoever takes over several files writes one of
    them all. Raises ImportRefused as ``import_records`` does.
    """
    whole, findings = _fit_of(file)
    with joint_transaction(dry_run=dry_run):
        standing = _standing()
        fit, collisions = without_collisions(whole, standing)
        here = {one.key: one for one in standing.records()}
        read = [(registry_of(row).id, registration_of(row)) for row in fit.records]
        records = {
            each.id: [
                with_own_facts(one, here.get(one.key)) for ident, one in read if ident == each.id
            ]
            for each in (NAANS, SHOULDERS)
        }
        head = file_head_of(fit, standing.on_file)
        asked = RecordImport(
            records=records,
            day=day,
            notice=notice,
            origin=EditionOrigin.IMPORTED,
            on_file=head,
            has_event=has_event,
        )
        plan = import_records(asked, at)
    told = naan_changes(naan_file_of(standing).records, fit.records)
    changes = tuple(one for one in told if one.kind is not NaanChangeKind.GONE)
    beside = (*_former_in(fit, standing), *_missing_in(whole, standing))
    return NaanImport(
        plan=plan,
        changes=changes,
        findings=(*collisions, *file.findings, *findings, *beside),
        remarks=check_naan_records(fit.records),
        differs=head_differences(standing.on_file, head) if standing.on_file else (),
    )


def _standing() -> RegistrySnapshot:
    return current_snapshot(NAAN_GROUP)


def _former_in(file: NaanFile, standing: RegistrySnapshot) -> Iterator[NaanFinding]:
    former = {one.key for one in standing.records() if one.status is Status.FORMER}
    for row in file.records:
        if registry_of(row).space.about(fold_naan_name(row.name)) in former:
            told = f"{quote(row.name)} is active in this file but retired here. It stays retired."
            yield NaanFinding(row.name, "", "former_here", told, _ON_GIVEN)


def _missing_in(file: NaanFile, standing: RegistrySnapshot) -> Iterator[NaanFinding]:
    given = {fold_naan_name(row.name) for row in file.records}
    records = {record.folded: record for record in standing.records()}
    for name in file_order_of(standing):
        record = records.get(name)
        if record is not None and name not in given and record.status is not Status.FORMER:
            told = f"{quote(record.name)} is not in this file. It stays unchanged."
            yield NaanFinding(record.name, "", _MISSING, told, _ON_GIVEN)


def bundled_naan_file() -> NaanFile:
    """The NAANs and shoulders that are shipped with this software."""
    return naan_file_from(bundled.naans())


def import_bundled_naans(notice: str, at: datetime) -> NaanImport:
    """Take over the NAANs and shoulders that are shipped with this software."""
    return import_naans(bundled_naan_file(), at, notice=notice)


def has_naans() -> bool:
    """Whether there is an edition of NAANs: one that is without names counts too."""
    return edition_rows.latest_edition(NAAN_GROUP) is not None


def _fit_of(file: NaanFile) -> tuple[NaanFile, tuple[NaanFinding, ...]]:
    known, fit = set[str](), list[NaanRow]()
    unread, findings = list(file.unread), list[NaanFinding]()
    for place, row in _placed(file):
        fault = naan_fault(row, known)
        if fault is None:
            known.add(fold_naan_name(row.name))
            fit.append(row)
            continue
        unread.append(UnreadValue(f"/data/{place}", _entry(row)))
        findings.append(_set_aside(row, place, fault))
    if not findings:
        return file, ()
    unread.sort(key=_place_of)
    return replace(file, records=tuple(fit), unread=tuple(unread)), tuple(findings)


def _placed(file: NaanFile) -> Iterator[tuple[int, NaanRow]]:
    taken = {_place_of(one) for one in file.unread}
    place = 0
    for row in file.records:
        while place in taken:
            place += 1
        yield place, row
        place += 1


def _place_of(one: UnreadValue) -> int:
    return int(one.place[6:]) if one.place.startswith("/data/") else -1


def _entry(row: NaanRow) -> str:
    document, _ = parse_json(write_naan_json(NaanFile(records=(row,))))
    return json_text(document["data"][0], "")


def naan_fault(row: NaanRow, known: Collection[str] = ()) -> tuple[str, str] | None:
    """Return why a record can't be imported, as a code and in words; None if it can.

    ``known`` are the folded names of the records before it.
    """
    folded, registry = fold_naan_name(row.name), registry_of(row)
    if folded in known:
        told = "differs from another entry only by case or hyphens"
        return "same_name", told
    if not may_stand(folded, registry):
        told = "is not valid: use letters and digits, and slashes or dots in a shoulder"
        return "unfit_name", told
    if not has_naan_form(row.naan):
        told = "has no valid NAAN: five digits or consonants other than `l`"
        return "naan_form", told
    if fact := overlong_fact(row):
        return "too_long", f"has more than {LONGEST_VALUE:,} characters in {FACT_LABELS[fact]}"
    return None


def _set_aside(row: NaanRow, place: int, fault: tuple[str, str]) -> NaanFinding:
    code, told = fault
    message = f"{quote(row.name)} {told}. It is stored but not imported."
    return NaanFinding(row.name, f"/data/{place}", code, message, _ON_NAMES)


def import_sentences(made: NaanImport) -> Iterable[str]:
    """What an import says: what has two holders, each change, what else was found,
    and remarks by their kind.

    Where a file lacks more than a few of the names that earlier ones had, their number is told.
    """
    missing = [one for one in made.findings if one.code == _MISSING]
    yield from (one.message for one in made.findings if one.code == COLLISION)
    yield from (one.sentence for one in made.changes)
    if made.differs:
        yield f"The file also differs in: {', '.join(made.differs)}."
    for one in made.findings:
        if one.code not in (COLLISION, _MISSING):
            yield _sentence(one)
    if len(missing) > _MOST_MISSING:
        yield (
            f"{len(missing)} entries of earlier files are missing, first "
            f"{quote(missing[0].name)}. They stay unchanged. Check that the file is "
            "complete."
        )
    else:
        yield from (one.message for one in missing)
    yield from findings_by_kind(made.remarks)


def findings_by_kind(findings: Iterable[NaanFinding]) -> Iterator[str]:
    """How many findings of each kind there are, with the first; a single one is told alone."""
    kinds: dict[str, list[NaanFinding]] = {}
    for one in findings:
        kinds.setdefault(one.code, []).append(one)
    for first, *others in kinds.values():
        more = f" ({len(others):,} similar)" if others else ""
        yield f"{_sentence(first)}{more}"


def _sentence(one: NaanFinding) -> str:
    return f"{one.place}: {one.message}" if one.place else one.message
