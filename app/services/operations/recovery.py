"""Recover published editions that the database lacks, each with its own entry.

Published editions are permanent. A missing edition gets its number and bytes back. If the database
used the number for another edition, the published one replaces it, and the content of the database
goes into a new edition.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.exports.manifests.manifest import Manifest, manifest_bytes, parse_as_of
from app.exports.manifests.manifest_parts import divide_manifest
from app.identifiers.equivalence import PLAIN
from app.identifiers.errors import spell_text
from app.problems import operation_codes
from app.registration.declarations.dates import is_date
from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE
from app.registration.declarations.registries import REGISTRIES, URN_SPACE
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.naans.naan_targets import TargetFault, find_target_fault
from app.registration.profiles.profile_records import NO_PROFILE
from app.registration.records.naan_registrations import naan_facts_of, registry_of
from app.registration.records.record_documents import (
    Document,
    canonical_json,
    head_to,
    person_to,
    registration_to,
)
from app.registration.records.registry_records import Registration, RegistrySnapshot, Status
from app.registration.submissions.submission_rules import (
    LONGEST_LINE,
    InvalidText,
    find_unfit,
    fit_text,
    unfit_sentence,
)
from app.services.refusals import InvalidInput
from app.services.registrations.correction_facts import Correction
from app.services.registrations.namespace_profiles import check_correction
from app.services.registry.import_plans import UnfitNames, check_new_names, sort_keys_of
from app.services.registry.naan_import import naan_fault
from app.services.registry.snapshots import bundled_snapshot, check_edition, raise_numbers
from app.services.registry.template_files import MAX_BYTES
from app.services.stored_editions.divergence import editions_in_question
from app.services.stored_editions.edition_folder import EditionFolder, UnreadableEditions, blobs_of
from app.store import counters
from app.store.database import read_transaction, transaction
from app.store.digests import sha256
from app.store.editions import divergent_folders, edition_rows
from app.store.editions.edition_digests import digests_until
from app.store.event_log import event_rows
from app.store.registry import edition_snapshots, person_changes
from app.store.registry import record_versions as names
from app.store.requests import request_rows
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause
from app.store.tables.requests import EventSubject

RECOVERED = "recovered"
_REQUEST = "request"  # the counter
_AT_ONCE = 500
_FAST_CLOCK = timedelta(days=1)  # how far another clock can be ahead


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """The changes of a recovery.

    ``lacking`` are editions missing in the database, ``other`` editions with other content there,
    ``disputed`` names with another record there.
    """

    lacking: tuple[int, ...] = ()
    other: tuple[int, ...] = ()
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    head_changed: bool = False
    requests: tuple[int, ...] = ()
    standing: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.lacking or self.other)

    def sentences(self) -> Iterator[str]:
        """Yield the recovered items, one line each."""
        yield f"missing editions: {_listed(self.lacking)}"
        if self.other:
            yield (
                f"editions with other content in the database: {_listed(self.other)}. The "
                "published ones stay. The other content goes into a new edition."
            )
        yield f"registered names: {_listed(self.added)}"
        yield f"changed records: {_listed(self.changed)}"
        if self.disputed:
            yield (
                f"records with other changes in the database: {_listed(self.disputed)}. The "
                "published versions are restored. Check each one, and correct it if needed."
            )
        yield f"people: {_listed(self.people)}"
        if self.head_changed:
            yield "changed description of the registry"
        if self.requests:
            yield (
                f"requests for these names: {_listed(self.requests)}. Their texts, decisions and "
                "managers weren't published and are lost. Their numbers aren't reused."
            )
        if self.standing:
            yield (
                f"requests still open for registered names: {_listed(self.standing)}. Close them, "
                "to register nothing twice."
            )


@dataclass(frozen=True, slots=True)
class _RecoveryEntry:
    edition: int
    told: str
    reason: str = ""
    is_opened: bool = True


def _listed(items: tuple[object, ...]) -> str:
    return ", ".join(map(str, items)) or "none"


def plan_recovery(line: EditionFolder) -> Recovery:
    """Return the changes of a recovery from this folder, without making them.

    Raises UnreadableEditions if published files are damaged or missing.
    """
    with read_transaction():
        return _planned(line)


def recover_editions(line: EditionFolder, at: datetime, *, notice: str, source: str) -> Recovery:
    """Recover the missing editions in one commit, with an event for each.

    Stores the bytes first. If nothing is missing, only clears the notes about folders. Raises
    UnreadableEditions.
    """
    with read_transaction():
        asked = (*(plan := _planned(line)).other, *plan.lacking)
    for number in asked:
        _keep_bytes(line, line.list_of(number))
    with transaction():
        counters.hold(edition_rows.COUNTER)
        plan = _planned(line)
        if not plan.is_empty:
            _take_back(line, plan, at, notice, source)
        divergent_folders.forget_all()
    return plan


def _planned(line: EditionFolder) -> Recovery:
    other, lacking = editions_in_question(line.folder, line.group)
    if not (other or lacking):
        return Recovery()
    asked = (*other, *lacking)
    _refuse_gaps(line, asked)
    before, after = _before(line, asked[0]), line.snapshot(asked[-1])
    names_before, now = _placed(before), _placed(after)
    _refuse_unfit_records(line, asked, names_before)
    differing = [name for name, stood in now.items() if names_before.get(name) != stood]
    gone = {person.id for person in before.people} if before else set[str]()
    given = {now[name][1].request for name in differing}
    numbers = tuple(sorted(number for number in given if number))
    here = {name: _find(now[name][0], now[name][1].folded) for name in differing}
    since = edition_rows.find_numbered(line.group, asked[0])
    return Recovery(
        lacking=lacking,
        other=other,
        added=tuple(name for name in differing if here[name] is None),
        changed=tuple(name for name in differing if here[name] is not None),
        disputed=tuple(n for n in differing if since and (v := here[n]) and v.edition >= since.n),
        people=tuple(person.id for person in after.people if person.id not in gone),
        head_changed=before is not None and head_to(before) != head_to(after),
        requests=numbers,
        standing=tuple(n for n in numbers if request_rows.find_request(n) is not None),
    )


def _refuse_gaps(line: EditionFolder, asked: tuple[int, ...]) -> None:
    lost = set(range(max(asked[0] - 1, 1), asked[-1] + 1)) - set(line.numbers)
    if lost:
        raise UnreadableEditions(
            operation_codes.EDITIONS_UNREADABLE,
            f"Edition {min(lost)} is missing in {line.folder}, but later ones are there. Recover "
            "from a mirror: `urn-registry recover --from URL`.",
        )


def _refuse_unfit_records(
    line: EditionFolder, asked: tuple[int, ...], before: Mapping[str, tuple[str, Registration]]
) -> None:
    seen = dict(before)
    for number in asked:
        read = line.snapshot(number)
        placed = _placed(read)
        here = {name: _find(placed[name][0], placed[name][1].folded) for name in placed}
        changed = [name for name, record in placed.items() if seen.get(name) != record]
        added = [name for name in changed if name not in seen and here[name] is None]
        problems = [*_unfit_texts("The registry", head_to(read) | {"notice": read.notice})]
        for person in read.people:
            problems += _unfit_texts(spell_text(person.id), person_to(person))
        for name in changed:
            table, record = placed[name]
            stored, stood = here[name], seen.get(name)
            if stored is not None and stored.record == record:
                continue
            said = stood[1] if stood else stored.record if stored else None
            problems += record_problems(table, record, said, placed)
        try:
            check_new_names(read, added, allow_legacy=True)
            if problems:
                raise UnfitNames(problems)
        except UnfitNames as error:
            told = f"Edition {number} in {line.folder} has invalid records. {error}"
            raise UnreadableEditions(operation_codes.EDITIONS_UNREADABLE, told) from error
        seen |= placed


def record_problems(
    table: str, record: Registration, stood: Registration | None, placed: Collection[str]
) -> Iterator[str]:
    """Yield the faults of a record: ``stood`` is its version before, ``placed`` are all keys."""
    called, space = spell_text(record.name), REGISTRIES[table].space
    yield from _unfit_texts(called, registration_to(record))
    if len(record.text.encode()) > MAX_BYTES:
        yield f"{called}: the template is larger than 1 MB."
    if record.successor is not None and space.about(record.successor_folded) not in placed:
        yield f"{called}: the successor {spell_text(record.successor)} isn't in the registry."
    if record.successor_folded == record.folded or (
        record.successor and record.status is Status.REGISTERED
    ):
        yield f"{called}: a name in use can't have a successor, and no name its own."
    for dispute in record.disputes:
        if not is_date(dispute.date) or len(dispute.reference) > LONGEST_LINE:
            yield f"{called}: a dispute has no valid date, or its reference is too long."
    if space is URN_SPACE:
        yield from _urn_problems(called, table, record, stood)
    elif space in (NAAN_SPACE, SHOULDER_SPACE):
        yield from _naan_problems(called, table, record)


def _urn_problems(
    called: str, table: str, record: Registration, stood: Registration | None
) -> Iterator[str]:
    for name, text in record.fields:
        try:
            fit_text(REGISTRIES[table].named[name], text)
        except InvalidText as error:
            yield f"{called}: {error}"
    is_same = stood and (stood.profile, stood.equivalence) == (record.profile, record.equivalence)
    if is_same or (record.profile, record.equivalence) == (NO_PROFILE, PLAIN):
        return
    # an operator can have allowed http, and the folder doesn't say so
    said = Correction(profile=record.profile, equivalence=record.equivalence, takes_http=True)
    syntax = dict(record.fields).get("syntax", "")
    before = stood.profile if stood else NO_PROFILE
    for found in check_correction(record.name, said, before, record.equivalence, syntax):
        yield f"{called}: profile, {found.field}: {found.message}"


def _naan_problems(called: str, table: str, record: Registration) -> Iterator[str]:
    try:
        row = naan_facts_of(record)
        if registry_of(row).id != table:
            yield f"{called}: the name belongs in the other table."
        elif fault := naan_fault(row):
            yield f"{called} {fault[1]}."
        elif find_target_fault(row.target or "") is TargetFault.SCHEME:
            yield f"{called}: the target doesn't begin with `https://` or `http://`."
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        yield f"{called}: the facts of the NAAN can't be read: {error}."


def _unfit_texts(called: str, told: object) -> Iterator[str]:
    if isinstance(told, dict):
        told = list(told.values())
    if isinstance(told, list):
        for one in told:
            yield from _unfit_texts(called, one)
    elif isinstance(told, str) and (at := find_unfit(told)) is not None:
        yield unfit_sentence(called, told, at)


def _before(line: EditionFolder, number: int) -> RegistrySnapshot | None:
    return line.snapshot(number - 1) if number > 1 else None


def _placed(snapshot: RegistrySnapshot | None) -> Mapping[str, tuple[str, Registration]]:
    tables = snapshot.registries if snapshot else ()
    return {record.key: (table.id, record) for table in tables for record in table.records}


def _find(registry: str, name: str) -> names.StoredVersion | None:
    return names.find_latest(REGISTRIES[registry].space.id, name)


def _keep_bytes(line: EditionFolder, manifest: Manifest) -> None:
    batch: dict[str, bytes] = {}
    for digest, file in blobs_of(manifest.files):
        batch[digest] = line.content(digest, file)
        if len(batch) >= _AT_ONCE:
            _store(batch)
            batch = {}
    _store(batch)


def _store(batch: Mapping[str, bytes]) -> None:
    with transaction():
        edition_rows.keep_bytes(batch)


def _take_back(line: EditionFolder, plan: Recovery, at: datetime, notice: str, source: str) -> None:
    entries, keys = list[_RecoveryEntry](), edition_rows.keys_of(line.group)
    for number in plan.other:
        _let_stand(keys[number], line.list_of(number))
        told = f"Replaced by the published edition, recovered from {source}."
        entries.append(_RecoveryEntry(keys[number], told, is_opened=False))
    before = _before(line, (*plan.other, *plan.lacking)[0])
    for number in plan.lacking:
        after = line.snapshot(number)
        edition = _open_again(line, number, after, at)
        _write(before, after, edition)
        told = f"Recovered from {source}."
        entries.append(_RecoveryEntry(edition, told, line.said_of(number)[1]))
        before = after
    newest = max(*plan.other, *plan.lacking, 0)
    if plan.other or not line.is_whole(newest):
        edition = _go_on(line.group, before, line.snapshot(newest), at, notice)
        told = f"Created after the recovery from {source}."
        entries.append(_RecoveryEntry(edition, told))
    _note(entries, at)
    counters.raise_to(_REQUEST, max(plan.requests, default=0))


def _let_stand(edition: int, manifest: Manifest) -> None:
    if edition in edition_rows.manifest_digests():
        head, parts = divide_manifest(manifest)
        edition_rows.keep_bytes(parts)
        edition_rows.let_stand(edition, manifest_bytes(head))
    else:
        _keep_list(edition, manifest)


def _keep_list(edition: int, manifest: Manifest) -> None:
    head, parts = divide_manifest(manifest)
    listed = manifest_bytes(head)
    digest = sha256(listed)
    edition_rows.keep_bytes({**parts, digest: listed})
    edition_rows.keep_files(edition, digest)


def _open_again(line: EditionFolder, number: int, published: RegistrySnapshot, at: datetime) -> int:
    manifest = line.list_of(number)
    latest, moment = edition_rows.latest_edition(line.group), parse_as_of(manifest.as_of)
    if moment > at + _FAST_CLOCK:  # every later edition would get a later moment than this one
        raise UnreadableEditions(
            operation_codes.EDITIONS_UNREADABLE,
            f"Edition {number} in {line.folder} has a date in the future, {manifest.as_of}. Check "
            "the clock of this host, or recover from another folder or mirror.",
        )
    edition = edition_rows.add_edition(
        line.group,
        as_of=max(moment, latest.as_of) if latest else moment,
        updated=published.updated,
        origin=EditionOrigin.LOCAL,
        cause=line.said_of(number)[0],
        notice=published.notice,
    )
    made = edition_rows.get_edition(edition).number
    if made != number:
        raise UnreadableEditions(
            operation_codes.EDITIONS_UNREADABLE,
            f"The database would assign number {made} instead of {number}.",
        )
    _keep_list(edition, manifest)
    return edition


def _go_on(
    group: RegistryGroup,
    before: RegistrySnapshot | None,
    published: RegistrySnapshot,
    at: datetime,
    notice: str,
) -> int:
    latest = edition_rows.latest_edition(group)
    edition = edition_rows.add_edition(
        group,
        as_of=max(at, latest.as_of) if latest else at,
        updated=at.date().isoformat(),
        origin=EditionOrigin.LOCAL,
        cause=Cause.IMPORT,
        notice=notice,
    )
    _write(before, published, edition)
    return edition


def _note(entries: list[_RecoveryEntry], at: datetime) -> None:
    lists = edition_rows.manifest_digests()
    digests = digests_until(max(entry.edition for entry in entries))
    for entry in entries:
        body = {
            "as_of": edition_rows.get_edition(entry.edition).as_of.isoformat(),
            "manifest": lists.get(entry.edition, ""),
            "told": f"{entry.told} The database was older than the published files.",
        }
        event = event_rows.NewEvent(
            at=at,
            kind=RECOVERED,
            subject=EventSubject.REGISTRY,
            about=str(entry.edition),
            role="operator",
            # another event created the edition in the database
            edition=entry.edition if entry.is_opened else None,
            reason=entry.reason,
            body=canonical_json(body),
        )
        event_rows.append(event, secrets.token_hex(16), digests[entry.edition])


def _write(before: RegistrySnapshot | None, after: RegistrySnapshot, edition: int) -> None:
    _write_head(before, after, edition)
    there = {person.id: person for person in before.people} if before else {}
    now = {person.id: person for person in after.people}
    person_changes.set_people((p for p in after.people if there.get(p.id) != p), edition)
    person_changes.drop_people(sorted(there.keys() - now.keys()), edition)
    _write_names(before, after, names.RecordChange(edition=edition, cause=Cause.IMPORT))
    raise_numbers(after)
    try:
        check_edition(edition)
    except InvalidInput as error:  # no later edition could be built
        told = f"An edition in the folder has a record that can't be published. {error}"
        raise UnreadableEditions(operation_codes.EDITIONS_UNREADABLE, told) from error


def _write_names(
    before: RegistrySnapshot | None, after: RegistrySnapshot, change: names.RecordChange
) -> None:
    stood, keys = _placed(before), sort_keys_of(after)
    keys_before = sort_keys_of(before) if before else {}
    new = list[names.RecordEntry]()
    for name, (registry, record) in _placed(after).items():
        if stood.get(name) == (registry, record) and keys_before.get(name) == keys[name]:
            continue
        here = _find(registry, record.folded)
        if here is None:
            new.append(names.RecordEntry(_of_its_request(record), registry, keys[name]))
        elif here.record != record or here.sort_key != keys[name]:
            text = "" if record.fields else record.text or here.record.text
            stays = here.record.text_source if text and text == here.record.text else ""
            source = record.text_source or stays
            kept = replace(_of_its_request(record), text=text, text_source=source)
            names.add_version(kept, here.registry, keys[name], change)
    names.add_records(new, change)


def _of_its_request(record: Registration) -> Registration:
    here = request_rows.find_request(record.request) if record.request else None
    asked = REGISTRIES[here.registry_id].fold(here.asked_name) if here else ""
    return replace(record, request=None) if asked not in ("", record.folded) else record


def _write_head(before: RegistrySnapshot | None, after: RegistrySnapshot, edition: int) -> None:
    head, here = head_to(after), edition_snapshots.head_document(edition)
    if here is not None and before is not None and head_to(before) == head:
        return
    edition_snapshots.set_head(head | _notes(after, here), edition)


def _notes(after: RegistrySnapshot, here: Document | None) -> Document:
    known = here if here is not None else head_to(bundled_snapshot())
    return {"notes": known["notes"]} if after.notice and "notes" in known else {}
