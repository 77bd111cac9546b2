"""Forms, built from the declared fields."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Field as FormField
from wtforms import HiddenField, IntegerField, StringField
from wtforms.validators import AnyOf, Length, Optional, Regexp, ValidationError

from app.registration.declarations.registries import (
    FORMAL,
    REGISTRIES,
    DeclaredProcedure,
    Field,
    FormSection,
    Procedure,
    Registry,
    Requirement,
    Widget,
    declared_procedures,
    fields_of,
)
from app.registration.records.registry_records import Purpose, Status
from app.registration.submissions.submission_rules import InvalidText, fit_text
from app.web.forms.fate_choices import fates_of
from app.web.forms.text_fields import name_typed, text_field_of
from app.workflow.evidence import EvidenceInput
from app.workflow.hard_rules import HardRule
from app.workflow.states import Action

_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}\Z", re.ASCII)
_UNSEEN = frozenset({"key", "lock_version", "iteration", "sending", "csrf_token"})
_BROKEN = "The form was incomplete. Submit it again."

SENDING = (Action.SUBMIT, Action.RESUBMIT, Action.COMPLETE)
STANDARD = "standard"  # RFC 8141 section 6.4.1, point 7: asked apart from the text


def extra_field(
    name: str,
    label: str,
    help_: str,
    widget: Widget,
    longest: int = 0,
    required: Requirement = Requirement.NEVER,
) -> Field:
    """A field that belongs to no template; ``longest`` where it takes more than any line."""
    return Field(
        name=name,
        label=label,
        help=help_,
        widget=widget,
        longest=longest,
        required=required,
        section=FormSection.DOCUMENTS,
        source="RFC 8141 section 6.2",
    )


ORGANIZATION = extra_field(
    "organization",
    "Organization",
    "The organization that registers the namespace. Public.",
    Widget.LINE,
    required=Requirement.ALWAYS,
)
REASON = extra_field(
    "reason", "Message", "Public, and e-mailed to the people concerned.", Widget.TEXT
)
REFERENCE = extra_field(
    "reference",
    "Reference",
    ("An RFC (RFC 8141), or the https:// URL of the organization or specification."),
    Widget.TEXT,  # an address may be longer than a line of a template
)
SUCCESSOR = extra_field(
    "successor",
    "Successor",
    "The registered NID that replaces this one, if any.",
    Widget.LINE,
)
PRIORITY = extra_field(
    "priority",
    "Reason to register it before an earlier request",
    "One sentence. Public.",
    Widget.LINE,
)
BASE_VERSION = extra_field(
    "base_version",
    "Current version number",
    (
        "The version in the registered template, or 1 if it never changed. The revision gets "
        "the next number."
    ),
    Widget.LINE,
)
# Which spellings are one name (RFC 8141 section 6.4.2, point 3): apart, since programs use it.
CASE = "case"
MATTERS, IGNORED = "matters", "ignored"
CASES = (
    (MATTERS, "Case-sensitive (default in RFC 8141)"),
    (IGNORED, "Not case-sensitive"),
)
SPELLINGS: Mapping[str, Field] = {
    field.name: field
    for field in (
        extra_field(
            "separator",
            "Separator, if only some parts differ",
            "One character, such as a colon. Leave this empty for the whole identifier.",
            Widget.LINE,
        ),
        extra_field(
            "parts",
            "Parts",
            "For example 1 for the first part, 1-2 for the first two, or 2- for all from the "
            "second.",
            Widget.LINE,
        ),
        extra_field(
            "dropped",
            "Ignored characters",
            "For example a hyphen, if URNs with and without it are equivalent.",
            Widget.LINE,
        ),
        extra_field(
            "decoded",
            "Characters equivalent to their percent-encoding",
            "For example a tilde, if it is equivalent to %7E.",
            Widget.LINE,
        ),
        extra_field(
            "clause",
            "Source of the rule",
            "The section of your specification, or a few words from your text.",
            Widget.LINE,
        ),
    )
}
STATUS = "status"
LABEL = extra_field(
    "label", "Organization", "Shown as the reference, unless the reference is an RFC.", Widget.LINE
)


class TextValidator:
    """Refuses text that could not be stored or shown, and makes its line ends equal."""

    def __init__(self, declared: Field) -> None:
        self._declared = declared

    def __call__(self, _form: object, field: FormField) -> None:
        try:
            field.data = fit_text(self._declared, field.data or "")
        except InvalidText as error:
            raise ValidationError(str(error)) from error


class CountField(IntegerField):
    """A small whole number that the page put into its form."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Take the number; ValueError for anything else, which WTForms shows."""
        if valuelist:
            self.data = int(valuelist[0]) if _COUNT.fullmatch(valuelist[0]) else None
            if self.data is None:
                raise ValueError(_BROKEN)


def new_key() -> str:
    """A key under which one sending of a form is carried out."""
    return secrets.token_urlsafe(16)


class IdempotentForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF comes without types
    """A form that is carried out once, on what its reader saw.

    ``main`` is the field that a refusal is shown at when nobody can tell a better one.
    """

    main = ""
    key = HiddenField(default=new_key, validators=[Regexp(_KEY, message=_BROKEN)])
    lock_version = CountField(default=0)

    @classmethod
    def takes(cls, pairs: Iterable[tuple[str, str]]) -> bool:
        """Whether it would take these fields, which came in another form."""
        return bool(cls(formdata=MultiDict(pairs), meta={"csrf": False}).validate())

    def reopen(self, lock_version: int) -> None:
        """Let it be sent anew: under a new key, on what its page shows now."""
        self.key.data, self.lock_version.data = new_key(), lock_version

    def refuse(self, sentence: str, name: str = "") -> None:
        """Note what is wrong, at a field of this form or with the form as a whole."""
        if name in self:
            self[name].errors = [*self[name].errors, sentence]
        else:
            self.form_errors.append(sentence)

    def problems(self) -> list[tuple[str, str]]:
        """What is wrong: the field's name, or none, and a sentence; each sentence once."""
        found = [(name or "", str(error)) for name, said in self.errors.items() for error in said]
        shown = [("" if name in _UNSEEN else name, sentence) for name, sentence in found]
        return list(dict.fromkeys(shown))


def form_field(declared: Field, scheme: str = "") -> FormField:
    """The field of a form that asks for a declared field; names may be pasted with a scheme."""
    filters = [partial(name_typed, scheme)] if declared.widget is Widget.NID else []
    kind, checks = text_field_of(declared), [TextValidator(declared)]
    return kind(declared.label, validators=checks, filters=filters)


class ChoiceField(StringField):
    """One of a few answers; ``choices`` are pairs of what is sent and what is read."""

    def __init__(
        self, choices: Sequence[tuple[str, str]], refusal: str, *validators: Any, **given: Any
    ) -> None:
        self.choices = tuple(choices)
        possible = AnyOf([value for value, _ in choices], message=refusal)
        super().__init__(validators=[*validators, possible], **given)


FAST_TRACK = Procedure.FAST_TRACK.replace(" ", "-")


class NewRequestForm(IdempotentForm):
    """Which kind of namespace to ask for, and whether on the fast track."""

    registry = ChoiceField(
        [
            *((registry.id, registry.title) for registry in REGISTRIES.values()),
            (FAST_TRACK, "Formal namespace on the fast track"),
        ],
        "Choose a kind of namespace.",
    )

    @property
    def chosen(self) -> tuple[str, DeclaredProcedure | None]:
        """The registry, and the procedure where it is not the registry's usual one."""
        fast = self.registry.data == FAST_TRACK
        return (FORMAL.id, Procedure.FAST_TRACK) if fast else (str(self.registry.data), None)


def section_form(
    section: FormSection,
    registry: Registry,
    purpose: Purpose = Purpose.NEW,
    more: Mapping[str, Any] | None = None,
    stands: Status = Status.REGISTERED,
) -> type[IdempotentForm]:
    """The form of one page: its fields, ``more``, and what belongs to the request as a whole.

    ``stands`` is how the name stands that a revision changes.
    """
    fields = asked_fields(section, registry, purpose)
    members: dict[str, Any] = {
        field.name: form_field(field, registry.space.scheme) for field in fields
    }
    can_be_standard = Procedure.STANDARDS_ACTION in registry.procedures
    if section is FormSection.NAME_AND_PURPOSE and can_be_standard:
        answers = [("no", "No"), ("yes", "Yes")]
        members[STANDARD] = ChoiceField(answers, "Choose yes or no.", Optional())
    if section is FormSection.REGISTRANT:
        members.setdefault(ORGANIZATION.name, form_field(ORGANIZATION))
    if section is FormSection.SYNTAX and registry.space.has_profiles:
        members[CASE] = ChoiceField(CASES, "Choose an option.", Optional())
        members |= {name: form_field(field) for name, field in SPELLINGS.items()}
    if purpose is Purpose.REVISION and section is sections_of(registry, purpose)[-1]:
        members[STATUS] = ChoiceField(fates_of(registry, stands), "Choose an option.", Optional())
        members[SUCCESSOR.name] = form_field(SUCCESSOR)
    return type("SectionForm", (IdempotentForm,), members | dict(more or {}))


def sections_of(registry: Registry, purpose: Purpose = Purpose.NEW) -> tuple[FormSection, ...]:
    """The pages of the form on which something is asked, in their order."""
    return tuple(one for one in FormSection if any(asked_fields(one, registry, purpose)))


def asked_fields(
    section: FormSection, registry: Registry, purpose: Purpose = Purpose.NEW
) -> Iterable[Field]:
    """The fields that somebody fills in on a page; the others fill themselves in.

    A registered name never changes, so that a revision does not ask for it.
    """
    revises = purpose is Purpose.REVISION
    named = revises or registry.numbering is not None
    for field in fields_of(section, registry):
        if field.widget is Widget.FILLED_IN or (field.widget is Widget.NID and named):
            continue
        if field.required is Requirement.REVISION and not revises:
            continue
        yield field


class ActionForm(IdempotentForm):
    """An action on a request, with its reason."""

    main = REASON.name
    reason = form_field(REASON)
    iteration = CountField(default=0)


# How a form asks for what an action has to show; the words are labelled by the action.
ASKED: Mapping[EvidenceInput, Field] = {
    EvidenceInput.REPORT: extra_field(
        "report",
        "Report",
        (
            "Created from the reviews. Edit the report as needed. It is public and is sent "
            "to the standards body."
        ),
        Widget.TEXT,
    ),
    EvidenceInput.BODY: extra_field(
        "body",
        "Body",
        "The standards body, for example W3C.",
        Widget.LINE,
    ),
    EvidenceInput.EXPERT: extra_field(
        "expert",
        "Temporary expert’s e-mail",
        "Enter this only if an expert was appointed for this request. Not public.",
        Widget.EMAIL,
    ),
    EvidenceInput.OTHER: extra_field(
        "other", "Other request", "The number of the request that continues.", Widget.LINE
    ),
    EvidenceInput.REFERENCE: extra_field(
        "reference", "Published at", "A URL or a message ID.", Widget.LINE
    ),
    EvidenceInput.TICKET: extra_field(
        "ticket", "Reference at IANA", "IANA’s ticket number or a URL.", Widget.LINE
    ),
    EvidenceInput.DAY: extra_field("day", "Date", "YYYY-MM-DD", Widget.LINE),
    EvidenceInput.DATE: extra_field("date", "Date", "YYYY-MM-DD", Widget.LINE),
}
RULES = tuple((rule.value, rule.label) for rule in HardRule)
PROCEDURES = tuple((procedure.value, procedure.heading) for procedure in declared_procedures())


class EvidenceForm(ActionForm):
    """An action on a request, with what it has to show."""

    asked: tuple[EvidenceInput, ...] = ()

    @property
    def details(self) -> dict[str, str]:
        """What was given beside the words."""
        return {
            ask.value: self[ask].data or "" for ask in self.asked if ask is not EvidenceInput.WORDS
        }


def action_form(asks: Iterable[EvidenceInput]) -> type[EvidenceForm]:
    """The form of an action that asks for these things."""
    return _asking_form(tuple(asks))


@cache  # WTForms looks through each new class, which takes as long as to fill one in
def _asking_form(asked: tuple[EvidenceInput, ...]) -> type[EvidenceForm]:
    members: dict[str, Any] = {ask.value: form_field(ASKED[ask]) for ask in asked if ask in ASKED}
    if EvidenceInput.PROCEDURE in asked:
        members[EvidenceInput.PROCEDURE.value] = ChoiceField(
            PROCEDURES, "Choose a procedure.", Optional(), label="Procedure"
        )
    if EvidenceInput.RULE in asked:
        members[EvidenceInput.RULE.value] = ChoiceField(
            RULES,
            "Choose a rule.",
            Optional(),
            label="Rule that can’t be met by changing the text",
        )
    return type("AskingForm", (EvidenceForm,), members | {"asked": asked})


def plain_form(*declared: Field, **more: FormField) -> type[IdempotentForm]:
    """A form of a few fields that no template has."""
    members: dict[str, Any] = {field.name: form_field(field) for field in declared}
    main = declared[0].name if declared else ""
    return type("PlainForm", (IdempotentForm,), members | more | {"main": main})


class SubmissionForm(ActionForm):
    """Sending a text: for the first time or again, as its page offered it."""

    sending = ChoiceField([(action.value, action.label) for action in SENDING], _BROKEN)


class RegisterForm(IdempotentForm):
    """The operator's last word: what the registry will refer to."""

    main = REFERENCE.name
    reference = StringField(
        REFERENCE.label,
        validators=[
            TextValidator(REFERENCE),
            Length(max=500, message="Shorten the reference to 500 characters."),
        ],
    )
    label = form_field(LABEL)
    base_version = form_field(BASE_VERSION)
    priority = form_field(PRIORITY)
    reason = form_field(REASON)
