"""Texts of templates that the operator has, attached to namespaces that came without them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.problems import operation_codes
from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import Registration
from app.registration.templates.template_reader import read_template
from app.services.refusals import Refusal
from app.services.registry.edition_trials import check_edition
from app.services.registry.rfc_templates import RfcTemplate, RfcTemplates
from app.services.registry.snapshots import (
    current_snapshot,
    note_registry_event,
    open_edition,
)
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.event_log import event_rows
from app.store.registry import record_versions as names
from app.store.tables.registry import Cause

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
    """Each text with its place, which is empty for a template's own file."""
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
    """The names whose texts do not say that they are of them, and what they say."""
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
