"""The forms of corrections: a field for each fact that can be corrected, and the reason."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from wtforms.validators import Optional

from app.registration.declarations.fields import VOIDED
from app.registration.declarations.registries import REGISTRIES, Field, Registry, Widget
from app.registration.records.registry_records import DisputeKind, Status, SubRegistry
from app.services.registrations.disputes import DisputeInput, DisputeOutcome
from app.web.forms.request_forms import (
    ChoiceField,
    CountField,
    IdempotentForm,
    extra_field,
    form_field,
)

REASON = extra_field("reason", "Reason", "Public, in the history of the registry.", Widget.TEXT)
_LINES = (
    "One per line: an RFC (RFC 8141, Section 6), a draft (draft-name-00), a URL "
    "and its title, or a contact (person:Jane_Doe)."
)
_DAY = "YYYY-MM-DD or YYYY-MM. Leave it empty if unknown."
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
    extra_field("references", "References", _LINES, Widget.TEXT),
    extra_field("template", "Template links", _LINES, Widget.TEXT),
    extra_field("contact", "Contact", _LINES, Widget.TEXT),
    extra_field("date", "Registered", _DAY, Widget.LINE),
    extra_field("updated", "Last updated", f"Last change by the registrant. {_DAY}", Widget.LINE),
    extra_field(
        "successor",
        "Successor",
        "The identifier that replaces it, if it is deprecated or retired.",
        Widget.LINE,
    ),
    extra_field(
        "cited",
        "Court order",
        "Link or reference, if it is removed without a replacement.",
        Widget.LINE,
    ),
)
PERSON_FACTS = (
    extra_field("name", "Name", "A person’s name.", Widget.LINE),
    extra_field("org", "Organization", "The organization’s name.", Widget.LINE),
    extra_field("uris", "Links", "Web or mailto: addresses, one per line.", Widget.TEXT),
    extra_field("updated", "Last updated", _DAY, Widget.LINE),
)
_ID = extra_field(
    "id", "ID", "For example Jane_Doe. Entries refer to it as person:Jane_Doe.", Widget.LINE
)
STATUS = "status"
_TITLE = extra_field("title", "Title", "Shown on every page and file of the registry.", Widget.LINE)
_NOTES = extra_field(
    "notes",
    "Notes",
    ("Separate notes with a blank line. Write references in brackets: [RFC 8141]."),
    Widget.TEXT,
)
RULE, EXPERT = "rule-", "expert-"


class CorrectionForm(IdempotentForm):
    """A correction with its reason; ``facts`` are its fields in the order of the page.

    ``texts`` are the fields of a record that is no template.
    """

    main = REASON.name
    facts: tuple[Field, ...] = ()
    texts: tuple[Field, ...] = ()
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


def name_form(registry: Registry) -> type[CorrectionForm]:
    """The form of an entry: one that has a number has a contact, and cannot be renamed."""
    left_out = {"contact" if registry.numbering is None else "name"}
    left_out |= set() if registry.has_references else {"references", "template", "contact"}
    facts = tuple(fact for fact in NAME_FACTS if fact.name not in left_out)
    statuses = (*STATUSES, _VOIDING) if registry.voids else STATUSES
    status = ChoiceField(statuses, "Choose a status.", Optional())
    texts = registry.correctable_fields
    asked = {field.name: form_field(field, registry.space.scheme) for field in texts}
    return _form("NameForm", facts, texts=texts, **asked, **{STATUS: status})


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
