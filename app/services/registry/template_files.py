"""Texts of templates that the operator has, attached to namespaces that came without them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.problems import operation_codes
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration, Status, XrefType
from app.registration.templates.rfc_registrations import (
    RfcMismatch,
    RfcRegistration,
    find_registrations,
    with_changes,
)
from app.registration.templates.template_reader import read_template
from app.registration.templates.text_encodings import UnreadableText, decode_text, unpack_gzip
from app.services.refusals import Refusal
from app.services.registry.snapshots import (
    check_edition,
    current_snapshot,
    note_registry_event,
    open_edition,
)
from app.store.database import read_transaction, transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.tables.registry import Cause

_FILE = re.compile(r"rfc0{0,4}([1-9][0-9]{0,4})(?:\.txt)?(?:\.gz)?", re.ASCII | re.IGNORECASE)
_PLACE = re.compile(r"RFC ([0-9]{1,5})")


class BrokenRfcs(Refusal):
    """Files that are not the RFCs that they are called, each named."""


@dataclass(frozen=True, slots=True)
class RfcTemplate:
    """A template of a name, and the file in which it stands."""

    file: str
    registration: RfcRegistration


@dataclass(frozen=True, slots=True)
class RfcTemplates:
    """The templates that RFCs hold, by the folded name, and what was left out, in sentences."""

    found: Mapping[str, RfcTemplate] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def rfc_number(file: str) -> int | None:
    """The number of the RFC that a file is called by, such as ``rfc5279.txt.gz``; or None."""
    match = _FILE.fullmatch(file.rpartition("/")[2])
    return int(match[1]) if match else None


def rfcs_referred_to() -> Mapping[int, frozenset[str]]:
    """The RFCs to which registered namespaces refer, each with the folded names of these."""
    cited: dict[int, set[str]] = {}
    with read_transaction():
        for record in current_snapshot(URN_GROUP).records():
            for number in _rfcs_of(record):
                cited.setdefault(number, set()).add(record.folded)
    return {number: frozenset(names) for number, names in cited.items()}


def _rfcs_of(record: Registration) -> Iterator[int]:
    for part in (*record.references, *record.template):
        is_rfc = not isinstance(part, str) and part.type is XrefType.RFC
        number = rfc_number(part.data) if is_rfc and not isinstance(part, str) else None
        if number is not None and record.status is not Status.FORMER:
            yield number


def read_rfcs(
    files: Iterable[tuple[str, bytes]], cited: Mapping[int, Collection[str]]
) -> RfcTemplates:
    """The templates in whole RFCs, plain or gzipped, of the names that refer to them.

    A file is called by the number of its RFC; others are passed over, and so are RFCs that no
    name refers to. Raises BrokenRfcs, which names every file that is no text, that says that it
    is another RFC, or that is too large, unpacked too.
    """
    read: dict[int, tuple[str, tuple[RfcRegistration, ...]]] = {}
    broken = list[str]()
    for file, data in files:
        number = rfc_number(file)
        if number is None or number not in cited:
            continue
        try:
            found = _found(data, number, cited[number])
        except (UnreadableText, RfcMismatch) as error:
            broken.append(f"{file}: {error}")
            continue
        if read.setdefault(number, (file, found))[1] != found:
            broken.append(f"{read[number][0]} and {file} are both RFC {number}. Remove one.")
    if broken:
        raise BrokenRfcs(operation_codes.RFCS_BROKEN, "\n".join([*broken, "Nothing was imported."]))
    return _chosen(read, cited)


def _found(data: bytes, number: int, names: Collection[str]) -> tuple[RfcRegistration, ...]:
    text = decode_text(unpack_gzip(data)).text
    return find_registrations(text, number, names)


def _chosen(
    read: Mapping[int, tuple[str, tuple[RfcRegistration, ...]]],
    cited: Mapping[int, Collection[str]],
) -> RfcTemplates:
    """One template for each name: the latest whole one, with what a later RFC changes in it."""
    found: dict[str, RfcTemplate] = {}
    left_out = list[str]()
    for number, (file, several) in sorted(read.items()):
        for one in several:
            if one.name in cited[number]:
                before = found.get(one.name)
                said = _take(found, RfcTemplate(file, one), before)
            else:
                said = _of_another(one)
            left_out += [f"{file}: {said}"] if said else []
        told = {one.name for one in several}
        left_out += [_without(file, name) for name in sorted(cited[number]) if name not in told]
    return RfcTemplates(found, tuple(left_out))


def _take(found: dict[str, RfcTemplate], new: RfcTemplate, before: RfcTemplate | None) -> str:
    one = new.registration
    if not one.is_whole:
        if before is None:
            said = f"{one.place} only changes the template of `{one.name}`."
            return f"{said} Add the RFC that it changes."
        one = with_changes(before.registration, one)
        new = RfcTemplate(f"{before.file}, {new.file}", one)
    elif before is not None:
        if _of_one_rfc(before.registration, one) and _is_fuller(before.registration, one):
            return f"{one.place} has a shorter template of `{one.name}`."
        said = f"{before.registration.place} has another template of this namespace."
        new = replace(new, registration=replace(one, doubts=(*one.doubts, said)))
    found[one.name] = new
    return ""


def _of_one_rfc(one: RfcRegistration, other: RfcRegistration) -> bool:
    first, second = _PLACE.match(one.place), _PLACE.match(other.place)
    return bool(first and second and first[1] == second[1])


def _is_fuller(one: RfcRegistration, other: RfcRegistration) -> bool:
    return len(one.sections) >= len(other.sections)


def _of_another(one: RfcRegistration) -> str:
    where = f"lines {one.line} to {one.last_line} are a template"
    if not one.name:
        return f"{where} without a NID."
    return f"{where} of `{one.name}`, whose entry doesn’t refer to this RFC."


def _without(file: str, name: str) -> str:
    return f"{file}: no template of `{name}` found, although its entry refers to this RFC."


MAX_BYTES = 1024 * 1024
_SUFFIX = ".txt"
_NAMED = "namespace_identifier"


class BrokenTemplates(Refusal):
    """Files that cannot be published as the text of a template, each named."""


@dataclass(frozen=True, slots=True)
class TemplateImport:
    """What an import of templates does, or would do: names, and files that match none.

    ``refused`` says of each other file that is left out, in a sentence, why it is. ``found`` are
    the templates that were cut out of RFCs, ``filed`` the names of those that are not taken,
    because a text that is the template's own is on file or in the folder. ``doubtful`` are those
    refused that ``force`` takes.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    same: tuple[str, ...]
    own: tuple[str, ...]
    unmatched: tuple[str, ...]
    refused: tuple[str, ...] = ()
    found: Mapping[str, RfcTemplate] = field(default_factory=dict)
    filed: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all would change."""
        return not (self.added or self.changed)


def read_templates(files: Iterable[tuple[str, bytes]]) -> Mapping[str, tuple[str, str]]:
    """The texts that files hold, by the folded name that each is called by, with the file.

    A file is called by the name alone, or by the name and ``.txt``. Raises BrokenTemplates,
    which names every file that is empty, over 1 MB, not in UTF-8, or that holds U+0000, and
    two files for one name; and where there is no file.
    """
    read: dict[str, tuple[str, str]] = {}
    broken: list[str] = []
    for file, data in files:
        name = URN_SPACE.fold(file.rpartition("/")[2].removesuffix(_SUFFIX))
        try:
            text = _text(data)
        except ValueError as error:
            broken.append(f"{file}: {error}")
            continue
        if read.setdefault(name, (file, text)) != (file, text):
            broken.append(f"{read[name][0]} and {file} are both for `{name}`. Remove one.")
    if broken:
        raise BrokenTemplates(
            operation_codes.TEMPLATES_BROKEN, "\n".join([*broken, "Nothing was imported."])
        )
    if not read:
        raise BrokenTemplates(
            operation_codes.TEMPLATES_BROKEN,
            "The folder is empty. Choose the folder with the templates.",
        )
    return read


def _text(data: bytes) -> str:
    if not data:
        raise ValueError("The file is empty. Remove it.")
    if len(data) > MAX_BYTES:
        raise ValueError("The file is larger than 1 MB. Check that it is a template.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"Byte {error.start + 1} is not UTF-8. If the file is in ISO 8859-1, convert "
            "it with `iconv -f ISO-8859-1 -t UTF-8`, then check the letters."
        ) from error
    if "\0" in text:
        raise ValueError(
            "The file contains a NUL character (U+0000). Check that it is a text file."
        )
    return text


def import_templates(
    texts: Mapping[str, tuple[str, str]],
    at: datetime,
    *,
    notice: str,
    rfcs: RfcTemplates | None = None,
    dry_run: bool = False,
    force: bool = False,
) -> TemplateImport:
    """Attach texts to the names they are called by, in one edition.

    A dry run does the same and keeps nothing.

    A name whose template was written here field by field is left alone. Where nothing
    changes, no edition is opened. A text that does not say that it is of this name is left
    out, unless ``force`` says that the names of the files are right. What was cut out of RFCs is
    attached with its place to names that have no text of their own. Raises InvalidInput for a text
    that the registry can't publish.
    """
    rfcs = rfcs or RfcTemplates()
    with transaction(dry_run=dry_run):
        at = edition_rows.next_moment(at)
        records = {record.folded: record for record in current_snapshot(URN_GROUP).records()}
        plan = _plan(texts, rfcs, records, force=force)
        if not plan.is_empty:
            _keep(plan, _all_texts(texts, rfcs), at, notice)
        return plan


_Texts = Mapping[str, tuple[str, str]]


def _all_texts(texts: _Texts, rfcs: RfcTemplates) -> _Texts:
    cut = {n: (one.registration.text, one.registration.place) for n, one in rfcs.found.items()}
    return cut | {name: (text, "") for name, (_, text) in texts.items()}


def _plan(
    texts: _Texts, rfcs: RfcTemplates, records: Mapping[str, Registration], *, force: bool
) -> TemplateImport:
    given = _all_texts(texts, rfcs)
    known = sorted(given.keys() & records.keys())
    own = tuple(name for name in known if records[name].fields)
    filed = tuple(name for name in rfcs.found if name in texts or _is_filed(records.get(name)))
    named = [name for name in known if name in texts and name not in own]
    doubts = {} if force else dict(_doubts({name: texts[name] for name in named}))
    free = [
        name
        for name in known
        if name not in own and name not in doubts and (name in texts or name not in filed)
    ]
    other = [n for n in free if (records[n].text, records[n].text_source) != given[n]]
    return TemplateImport(
        added=tuple(name for name in other if not records[name].text),
        changed=tuple(name for name in other if records[name].text),
        same=tuple(name for name in free if name not in other),
        own=own,
        unmatched=tuple(sorted(texts[name][0] for name in texts.keys() - records.keys())),
        refused=(*doubts.values(), *rfcs.left_out),
        found=rfcs.found,
        filed=filed,
        doubtful=tuple(doubts.values()),
    )


def _is_filed(record: Registration | None) -> bool:
    """Whether a text that was not cut out of an RFC is on file."""
    return record is not None and bool(record.text) and not record.text_source


def _doubts(texts: _Texts) -> Iterator[tuple[str, str]]:
    for name, (file, text) in texts.items():
        said = " ".join(read_template(text).fields.get(_NAMED, "").split())
        if not said:
            yield name, f"{file}: no NID found. Check that it is a template."
        elif not re.search(rf"(?<![a-z0-9-]){re.escape(name)}(?![a-z0-9-])", URN_SPACE.fold(said)):
            yield name, f"{file}: the NID in the text is `{said[:80]}`, not `{name}`."


def _keep(plan: TemplateImport, texts: _Texts, at: datetime, notice: str) -> None:
    edition = open_edition(URN_GROUP, at, Cause.TEMPLATES, notice)
    change = names.RecordChange(edition=edition, cause=Cause.TEMPLATES)
    for name in (*plan.added, *plan.changed):
        version = names.find_latest(URN_SPACE.id, name)
        if version is not None:
            text, place = texts[name]
            record = replace(version.record, text=text, text_source=place)
            names.add_version(record, version.registry, version.sort_key, change)
    check_edition(edition)
    said = f"{len(plan.added)} added, {len(plan.changed)} changed"
    about = str(edition)
    note_registry_event(
        event_rows.NewEvent(
            at=at, kind="templates imported", about=about, edition=edition, body=said
        )
    )
