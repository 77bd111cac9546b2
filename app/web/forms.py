"""Forms, built from the declared fields."""

import secrets
from collections.abc import Iterable
from typing import Any

from flask_wtf import FlaskForm
from wtforms import Field as FormField
from wtforms import HiddenField, IntegerField, RadioField, StringField, TextAreaField
from wtforms.validators import InputRequired, Length, NumberRange, ValidationError

from app.registration.declarations import Field, Registry, Required, Section, Widget, fields_of
from app.registration.rules import LONGEST_LINE, UnfitText, fit_text
from app.workflow.reviews import QUESTIONS, Answer, Verdict

_LARGEST = 2**63 - 1

ORGANIZATION = Field(
    name="organization",
    label="Organization",
    help="Its name as the registry shows it beside yours.",
    widget=Widget.LINE,
    required=Required.NEVER,
    section=Section.REGISTRANT,
    source="RFC 8141 appendix A",
)
REASON = Field(
    name="reason",
    label="Reason",
    help="Public, and sent to whom it concerns.",
    widget=Widget.TEXT,
    required=Required.NEVER,
    section=Section.DOCUMENTS,
    source="RFC 8141 section 6.2",
)


class Fitted:
    """Refuses text that could not be stored or shown, and makes its line ends equal."""

    def __init__(self, declared: Field) -> None:
        self._declared = declared

    def __call__(self, _form: object, field: FormField) -> None:
        """Put the fitted text in place, or say what is wrong with it."""
        try:
            field.data = fit_text(self._declared, field.data or "")
        except UnfitText as error:
            raise ValidationError(str(error)) from error


class KeyedForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF comes without types
    """A form that is carried out once, on what its reader saw."""

    key = HiddenField(
        default=lambda: secrets.token_urlsafe(16), validators=[InputRequired(), Length(8, 64)]
    )
    lock_version = IntegerField(validators=[NumberRange(0, _LARGEST)], default=0)

    def problems(self) -> list[tuple[str, str]]:
        """What is wrong with what was typed: the field's name and a sentence."""
        return [(name, str(error)) for name, errors in self.errors.items() for error in errors]


def form_field(declared: Field) -> FormField:
    """The field of a form that asks for a declared field."""
    kind = TextAreaField if declared.is_long else StringField
    return kind(declared.label, validators=[Fitted(declared)])


def section_form(section: Section, registry: Registry) -> type[KeyedForm]:
    """The form of one page: its fields, and what belongs to the request as a whole."""
    members: dict[str, Any] = {field.name: form_field(field) for field in asked(section, registry)}
    if section is Section.NAME_AND_PURPOSE and registry.numbering is None:
        members["standard"] = RadioField(
            choices=[("no", "No"), ("yes", "Yes")], validate_choice=True
        )
    if section is Section.REGISTRANT:
        members[ORGANIZATION.name] = form_field(ORGANIZATION)
    return type("SectionForm", (KeyedForm,), members)


def asked(section: Section, registry: Registry) -> Iterable[Field]:
    """The fields that somebody fills in on a page; the others fill themselves in."""
    for field in fields_of(section, registry):
        named_by_registry = field.widget is Widget.NID and registry.numbering is not None
        if field.widget is Widget.FILLED_IN or named_by_registry:
            continue
        if field.required is Required.REVISION:
            continue
        yield field


class ActionForm(KeyedForm):
    """An action on a request, with its reason."""

    reason = form_field(REASON)


class ReviewForm(KeyedForm):
    """An expert's review: the outcome, the answers to what is asked, and words."""

    iteration = IntegerField(validators=[NumberRange(1, _LARGEST)])
    verdict = RadioField(
        choices=[(v.value, v.label) for v in Verdict], validators=[InputRequired()]
    )
    reason = form_field(REASON)

    def answers(self) -> dict[str, str]:
        """The answers that were given, by question."""
        given = {question.key: self[question.key].data for question in QUESTIONS}
        return {key: value for key, value in given.items() if value}


for _question in QUESTIONS:
    setattr(
        ReviewForm,
        _question.key,
        RadioField(
            _question.label,
            choices=[("", "No answer"), *((a.value, a.value.capitalize()) for a in Answer)],
            default="",
        ),
    )


class RegisterForm(KeyedForm):
    """The operator's last word: what the registry will refer to."""

    reference = StringField(validators=[Length(max=500)])
    label = StringField(validators=[Length(max=LONGEST_LINE)])


class EmailForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF comes without types
    """Asking for a link to sign in."""

    email = StringField(validators=[InputRequired("Enter your e-mail address."), Length(max=320)])
    next = HiddenField()
    kept = HiddenField()
