"""The forms of corrections: a field for each fact that can be corrected, and the reason."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from wtforms import BooleanField
from wtforms.validators import Optional

from app.registration.declarations.fields import VOIDED
from app.registration.declarations.registries import REGISTRIES, Field, Widget
from app.registration.profiles.profile_answers import with_answers
from app.registration.profiles.profile_records import NamespaceProfile, NssPattern
from app.registration.profiles.profile_rules import LONGEST_PATTERN, MOST_SERVICES
from app.registration.records.references import format_lines
from app.registration.records.registry_records import (
    DisputeKind,
    Registration,
    Status,
    SubRegistry,
    Xref,
    XrefType,
)
from app.services.registrations.corrections import Correction, StoredVersion
from app.services.registrations.disputes import DisputeInput, DisputeOutcome
from app.web.forms.profile_forms import (
    ANSWERS,
    RESOLVABILITY,
    answers_in,
    answers_shown,
    line_field,
    resolution_in,
    rows_of,
    service_members,
)
from app.web.forms.request_forms import (
    ChoiceField,
    CountField,
    IdempotentForm,
    extra_field,
    form_field,
)

REASON = extra_field("reason", "Reason", "Public, in the history of the registry.", Widget.TEXT)
_DAY = "YYYY-MM-DD or YYYY-MM. Leave this empty if the date is unknown."
STATUSES = (
    (Status.REGISTERED.value, "Registered"),
    (Status.DEPRECATED.value, "Deprecated: valid, but no longer recommended"),
    (Status.FORMER.value, "Retired: no longer in use, and never reused"),
)
_VOIDING = (VOIDED, "Voided: registered by mistake, and never reused")

NAME_FACTS = (
    extra_field(
        "name", "Name", "The old NID stays reserved and links to the new one.", Widget.LINE
    ),
    extra_field("date", "Registered", _DAY, Widget.LINE),
    extra_field("updated", "Last updated", f"Last change by the registrant. {_DAY}", Widget.LINE),
    extra_field(
        "successor",
        "Successor",
        "The identifier to use instead of a deprecated or retired one.",
        Widget.LINE,
    ),
    extra_field(
        "cited",
        "Court order",
        "Link or reference, if the identifier is removed without a replacement.",
        Widget.LINE,
    ),
)
_MORE_OF_PROFILE = (
    extra_field("description", "Description", "Two or three sentences.", Widget.TEXT),
    line_field("holder", "Registrant", "The organization that assigns or governs the identifiers."),
    line_field(
        "pattern",
        "Pattern",
        (
            "A regular expression for the whole NSS, the part after urn:NID:. Leave it "
            "empty for none."
        ),
        LONGEST_PATTERN,
    ),
    line_field("pattern_source", "Source of the pattern", "For example: Template, Syntax."),
)
PROFILE_FACTS = (*ANSWERS.values(), *_MORE_OF_PROFILE)
GROUPS = {"references": "Reference", "template": "Template link", "contact": "Contact"}
_REFERENCE_VALUE = re.compile(r"(references|template|contact)_([1-9][0-9]?)_value")
_WORDS, _OTHER, _SERIES = "words", "other", "RFC "
_PREFIXES = {XrefType.RFC: _SERIES, XrefType.ERRATA: "RFC Errata ", XrefType.PERSON: "person:"}
REFERENCE_TYPES = (
    (XrefType.RFC.value, "RFC, BCP or STD"),
    (XrefType.URI.value, "Web address"),
    (XrefType.DRAFT.value, "Internet-Draft"),
    (XrefType.ERRATA.value, "RFC erratum"),
    (XrefType.PERSON.value, "Contact"),
    (_WORDS, "Text"),
    (_OTHER, "Other"),
)
MOST_REFERENCES = 20  # rows of one group; a form has 200 fields at most
LONGEST_REFERENCE = 1_000
PERSON_FACTS = (
    extra_field("name", "Name", "A person’s name.", Widget.LINE),
    extra_field("org", "Organization", "The organization’s name.", Widget.LINE),
    extra_field("uris", "Links", "Web or mailto: addresses, one per line.", Widget.TEXT),
    extra_field("updated", "Last updated", _DAY, Widget.LINE),
)
_ID = extra_field(
    "id", "ID", "For example Jane_Doe. Entries refer to it as person:Jane_Doe.", Widget.LINE
)
STATUS, SERVICES = "status", "services"
_TITLE = extra_field(
    "title", "Title", "Shown on every page and in every file of the registry.", Widget.LINE
)
_NOTES = extra_field(
    "notes",
    "Notes",
    ("Separate notes with a blank line. Write references in brackets: [RFC 8141]."),
    Widget.TEXT,
)
RULE, EXPERT = "rule-", "expert-"


class CorrectionForm(IdempotentForm):
    """A correction with its reason; ``facts`` are its fields in the order of the page.

    ``texts`` are the fields of a record that is no template, ``groups`` the rows of references
    by group, and ``rows`` those of resolution services.
    """

    main = REASON.name
    facts: tuple[Field, ...] = ()
    texts: tuple[Field, ...] = ()
    groups: Mapping[str, range] = {}
    rows = range(0)
    reason = form_field(REASON)

    @property
    def why(self) -> str:
        """The reason that was given."""
        return self.reason.data or ""

    def given(self, sent: Iterable[str]) -> dict[str, str]:
        """The facts that came in, so that one which the page left out stays as it is."""
        names = {*(field.name for field in self.facts), STATUS} & set(sent) & set(self.data)
        return {name: self[name].data or "" for name in names}

    def texts_given(self, sent: Collection[str]) -> dict[str, str]:
        """The texts that came in; of ticks nothing comes in where none is ticked."""
        is_whole = any(one.name in sent for one in self.texts if not one.choices)
        names = (
            one.name for one in self.texts if one.name in sent or (one.takes_several and is_whole)
        )
        return {name: self[name].data or "" for name in names}


def _form(name: str, facts: tuple[Field, ...], **more: Any) -> type[CorrectionForm]:
    members = {field.name: form_field(field) for field in facts}
    return type(name, (CorrectionForm,), {"facts": facts, **members, **more})


PersonForm = _form("PersonForm", PERSON_FACTS)
NewPersonForm = _form("NewPersonForm", (_ID, *PERSON_FACTS))


def entry_form(entry: StoredVersion, sent: Collection[str], adds: str) -> type[CorrectionForm]:
    """The form of an entry: all that an operator can correct of it.

    An entry that the registry numbers has a contact and can't be renamed. A former entry has no
    profile to correct, unless its page was opened before it ended. ``sent`` are the names of the
    fields that came in, and ``adds`` the group of rows to which one is added.
    """
    registry, record = REGISTRIES[entry.registry], entry.record
    numbered = registry.numbering is not None
    facts = tuple(fact for fact in NAME_FACTS if not (numbered and fact.name == "name"))
    members: dict[str, Any] = {
        STATUS: ChoiceField(
            (*STATUSES, _VOIDING) if registry.voids else STATUSES, "Choose a status.", Optional()
        )
    }
    groups: dict[str, range] = {}
    if registry.has_references:
        for group in GROUPS:
            if numbered or group != "contact":
                groups[group] = _rows_of_group(group, record, sent, adds)
                members |= _reference_members(group, groups[group])
    services = range(0)
    is_ended = record.status is Status.FORMER and RESOLVABILITY not in sent
    if registry.space.has_profiles and not is_ended:
        count = rows_of(record.profile, sent) + (adds == SERVICES)
        services = range(1, min(count, MOST_SERVICES) + 1)
        facts += PROFILE_FACTS
        members |= service_members(len(services))
        members |= {"is_exact": BooleanField(), "takes_http": BooleanField()}
    texts = registry.correctable_fields
    members |= {field.name: form_field(field, registry.space.scheme) for field in texts}
    return _form("EntryForm", facts, texts=texts, groups=groups, rows=services, **members)


def _rows_of_group(group: str, record: Registration, sent: Iterable[str], adds: str) -> range:
    came = [
        int(found[2])
        for name in sent
        if (found := _REFERENCE_VALUE.fullmatch(name)) and found[1] == group
    ]
    stands = len(getattr(record, group) or ()) + 1
    count = min(max([stands, *came]) + (adds == group), max(MOST_REFERENCES, stands))
    return range(1, count + 1)


def _reference_members(group: str, rows: Iterable[int]) -> dict[str, Any]:
    declared = extra_field("value", "Value", "", Widget.LINE, LONGEST_REFERENCE)
    members: dict[str, Any] = {}
    for row in rows:
        members[f"{group}_{row}_type"] = ChoiceField(REFERENCE_TYPES, "Choose a type.", Optional())
        members[f"{group}_{row}_value"] = form_field(declared)
    return members


def entry_shown(entry: StoredVersion) -> dict[str, Any]:
    """What the form shows of an entry, by field."""
    record, texts = entry.record, dict(entry.record.fields)
    fields = REGISTRIES[entry.registry].correctable_fields
    shown: dict[str, Any] = {
        "name": record.name,
        "date": record.date,
        "updated": record.updated,
        "successor": record.successor,
        STATUS: VOIDED if record.is_voided else record.status.value,
        **_profile_shown(record.profile),
        **{field.name: texts.get(field.name) for field in fields},
    }
    for group in GROUPS:
        for row, part in enumerate(getattr(record, group) or (), 1):
            shown[f"{group}_{row}_type"], shown[f"{group}_{row}_value"] = _row_of(part)
    return shown


def _profile_shown(profile: NamespaceProfile) -> dict[str, Any]:
    pattern = profile.pattern or NssPattern(expression="")
    return {
        **answers_shown(profile),
        "description": profile.description,
        "holder": profile.holder,
        "pattern": pattern.expression,
        "pattern_source": pattern.source,
        "is_exact": pattern.is_exact,
    }


def _row_of(part: str | Xref) -> tuple[str, str]:
    if isinstance(part, str):
        return _WORDS, part
    kind = part.type.value if part.type.value in dict(REFERENCE_TYPES) else _OTHER
    return kind, format_lines((part,)).removeprefix(_PREFIXES.get(part.type, ""))


def _line_of(kind: str, value: str) -> str:
    """A row as a line that the registry reads, such as ``RFC 8141`` for the RFC 8141."""
    value = " ".join(value.split())
    if not value or kind == _OTHER:
        return value
    if kind == _WORDS:
        return f'"{value}"'
    if kind == XrefType.PERSON:
        return f"person:{value.removeprefix('person:')}"
    return _PREFIXES.get(XrefType(kind), "") + value if value[0].isdigit() else value


def correction_in(
    form: CorrectionForm, sent: Collection[str], stands: NamespaceProfile
) -> Correction:
    """The correction that a form of an entry gives; a fact that its page left out stays."""
    given: dict[str, Any] = form.given(sent)
    status = given.pop(STATUS, "")
    facts: dict[str, Any] = {fact: given[fact] for fact in _NAME_FACTS & given.keys()}
    for group, rows in form.groups.items():
        if f"{group}_1_value" in sent:
            lines = (
                _line_of(
                    form[f"{group}_{row}_type"].data or _OTHER,
                    form[f"{group}_{row}_value"].data or "",
                )
                for row in rows
            )
            facts[group] = "\n".join(lines)
    if RESOLVABILITY in form and _PROFILE_FIELDS & set(sent):
        _keep_left_out(form, sent, stands)
        facts |= {"profile": _profile_in(form, stands), "takes_http": bool(form["takes_http"].data)}
    return Correction(
        **facts,
        status=Status.FORMER if status == VOIDED else Status(status) if status else None,
        texts=form.texts_given(sent) or None,
        is_voided=status == VOIDED if status else None,
    )


_NAME_FACTS = frozenset(fact.name for fact in NAME_FACTS)
_PROFILE_FIELDS = {RESOLVABILITY, *(fact.name for fact in PROFILE_FACTS), "service_1_target"}


def _keep_left_out(form: CorrectionForm, sent: Collection[str], stands: NamespaceProfile) -> None:
    for name, value in _profile_shown(stands).items():
        row = name.rpartition("_is_")[0] or name.rpartition("_takes_")[0]
        told_by = f"{row}_target" if row else "pattern" if name == "is_exact" else name
        if name in form and told_by not in sent:
            form[name].data = value


def _profile_in(form: CorrectionForm, stands: NamespaceProfile) -> NamespaceProfile:
    expression = form["pattern"].data or ""
    source = form["pattern_source"].data or ""
    pattern = NssPattern(expression=expression, is_exact=bool(form["is_exact"].data), source=source)
    return replace(
        with_answers(stands, answers_in(form)),
        description=(form["description"].data or "").strip(),
        holder=form["holder"].data or "",
        pattern=pattern if expression else None,
        resolution=resolution_in(form, stands),
    )


def head_form(tables: Iterable[SubRegistry], listed: Collection[str] = ()) -> type[CorrectionForm]:
    """The form of the registry's head: its title and notes, and each table's rule and experts.

    Tables that are ``listed`` have a panel for their experts, which nobody types.
    """
    facts = (fact for table in tables for fact in _of_table(table))
    panels = {f"{EXPERT}{table}" for table in listed}
    return _form("HeadForm", (_TITLE, _NOTES, *(one for one in facts if one.name not in panels)))


def _of_table(table: SubRegistry) -> tuple[Field, Field]:
    kind = REGISTRIES[table.id].label.capitalize()
    rule = "Write references in brackets: [RFC 8141]."
    experts = "Names, separated by commas."
    return (
        extra_field(f"{RULE}{table.id}", f"{kind}: registration procedure", rule, Widget.TEXT),
        extra_field(f"{EXPERT}{table.id}", f"{kind}: experts", experts, Widget.TEXT),
    )


def facts_by_table(given: Mapping[str, str], prefix: str) -> dict[str, str]:
    """The facts of tables, by the id of the table."""
    return {
        name.removeprefix(prefix): text for name, text in given.items() if name.startswith(prefix)
    }


DISPUTE_KINDS = (
    (DisputeKind.DISPUTE.value, "Court dispute"),
    (DisputeKind.APPEAL.value, "Appeal by a third party"),
)
COURT = extra_field("court", "Court order", "A URL or a file number.", Widget.LINE)
GROUNDS = extra_field(
    "grounds",
    "Subject or grounds",
    "Public and permanent. Don’t name people.",
    Widget.TEXT,
)


class DisputeForm(IdempotentForm):
    """What is noted beside a registration."""

    main = GROUNDS.name
    facts = (COURT, GROUNDS)
    kind = ChoiceField(DISPUTE_KINDS, "Choose a type.")
    court = form_field(COURT)
    grounds = form_field(GROUNDS)

    @property
    def noting(self) -> DisputeInput:
        """What was given."""
        return DisputeInput(
            kind=DisputeKind(str(self.kind.data)),
            reference=self.court.data or "",
            grounds=self.grounds.data or "",
        )


PLACE = "place"
SETTLED = (
    extra_field(
        "by", "Decided by", "A court, a board or the parties. Don’t name people.", Widget.LINE
    ),
    extra_field("outcome", "Outcome", "Public and permanent. Don’t name people.", Widget.TEXT),
    extra_field(
        "effect",
        "Effect on the registration",
        "For example: unchanged; corrected in edition 7.",
        Widget.LINE,
    ),
    extra_field("decision", "Published at", "A URL or a file number.", Widget.LINE),
    extra_field("decided", "Date of the decision", "YYYY-MM-DD", Widget.LINE),
)


class SettlementForm(IdempotentForm):
    """How what is noted beside a registration ended; ``place`` says which."""

    main = "outcome"
    facts = SETTLED
    place = CountField(default=0)
    by, outcome, effect, decision, decided = map(form_field, SETTLED)

    @property
    def settlement(self) -> DisputeOutcome:
        """What was given."""
        return DisputeOutcome(
            place=self.place.data or 0,
            by=self.by.data or "",
            outcome=self.outcome.data or "",
            effect=self.effect.data or "",
            reference=self.decision.data or "",
            date=self.decided.data or "",
        )
