"""Form fields for a namespace profile: its general facts and its resolution services."""

import re
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from wtforms import BooleanField
from wtforms.validators import Optional

from app.registration.declarations.registries import Field, Widget
from app.registration.profiles.profile_answers import (
    ProfileAnswers,
    answers_of,
    with_answers,
    with_services,
    write_profile,
    write_services,
)
from app.registration.profiles.profile_records import (
    NamespaceProfile,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.registration.profiles.profile_rules import LONGEST_FACT, LONGEST_PATTERN, MOST_SERVICES
from app.registration.profiles.profile_wording import GIVES
from app.web.forms.request_forms import ChoiceField, IdempotentForm, extra_field, form_field


def line_field(name: str, label: str, help_: str, longest: int = LONGEST_FACT) -> Field:
    """Return a field of one line with the length limit of profiles."""
    return extra_field(name, label, help_, Widget.LINE, longest)


TITLE = line_field("title", "Title", "A short name for people, for example Example Book Numbers.")
ANSWERS: Mapping[str, Field] = {
    field.name: field
    for field in (
        TITLE,
        line_field(
            "names",
            "Identified resources",
            "A few words, for example: books.",
        ),
        line_field("homepage", "Homepage", "A web page about the namespace."),
        extra_field("examples", "Examples", "URNs of the namespace, one per line.", Widget.TEXT),
    )
}
RESOLVABILITY = "resolvability"
RESOLVABILITIES = (
    (Resolvability.UNDECLARED, "Not declared"),
    (Resolvability.RESOLVED, "Yes"),
    (Resolvability.METADATA, "Only to descriptions"),
    (Resolvability.AUTHORIZED, "Only for authorized users"),
    (Resolvability.ELSEWHERE, "Documented elsewhere"),
    (Resolvability.NOT_RESOLVED, "No"),
)
KINDS = tuple(
    (kind.value, f"{words[0].upper()}{words[1:]} ({kind})") for kind, words in GIVES.items()
)
COLUMNS: Mapping[str, Field] = {
    field.name: field
    for field in (
        line_field(
            "target",
            "Address",
            "Use {+nss} for the part after urn:NID:, such as https://example.org/{+nss}. "
            "Leave this empty to remove the service.",
        ),
        line_field(
            "when",
            "Only for identifiers that match",
            "A regular expression for the part after urn:NID:. Leave this empty for all "
            "identifiers.",
            LONGEST_PATTERN,
        ),
        line_field("media_type", "Media type", "The format returned, such as text/html."),
        line_field("language", "Language", "The language returned, such as fi."),
        line_field("country", "Country", "The country of the service, such as FI."),
        line_field("contact", "Contact", "A role address at the service, not a person's."),
        line_field("since", "Since", "The first day of the service, as YYYY-MM-DD."),
        line_field("until", "Until", "The last day of the service, as YYYY-MM-DD."),
    )
}
FLAGS = {
    "is_resolver": "URN resolver: receives the whole URN",
    "takes_r": "Supports r-components",
}
_ROW = re.compile(r"service_([1-9][0-9]{0,2})_target")


def answer_members() -> dict[str, Any]:
    """Return the form members for the general facts."""
    return {name: form_field(field) for name, field in ANSWERS.items()}


def service_members(rows: int) -> dict[str, Any]:
    """Return the form members for resolution services, with this number of rows."""
    members: dict[str, Any] = {
        RESOLVABILITY: ChoiceField(RESOLVABILITIES, "Choose an option.", Optional())
    }
    for row in range(1, rows + 1):
        members[_at(row, "kind")] = ChoiceField(KINDS, "Choose an option.", Optional())
        members |= {_at(row, name): form_field(field) for name, field in COLUMNS.items()}
        members |= {_at(row, name): BooleanField(label) for name, label in FLAGS.items()}
    return members


def _at(row: int, name: str) -> str:
    return f"service_{row}_{name}"


def rows_of(profile: NamespaceProfile, sent: Collection[str] = ()) -> int:
    """Return the number of rows: one more than there are services, or as many as were sent."""
    given = [int(found[1]) for name in sent if (found := _ROW.fullmatch(name))]
    return min(max([len(profile.resolution.services) + 1, *given]), MOST_SERVICES)


def answers_shown(profile: NamespaceProfile) -> dict[str, Any]:
    """Return the form data of a profile."""
    services = enumerate(profile.resolution.services, 1)
    rows = {
        _at(row, name): getattr(service, name)
        for row, service in services
        for name in ("kind", *COLUMNS, *FLAGS)
    }
    answers: dict[str, Any] = asdict(answers_of(profile))
    return {**answers, RESOLVABILITY: str(profile.resolution.resolvability), **rows}


def profile_given(form: IdempotentForm, profile: NamespaceProfile) -> str | None:
    """Return the general facts from a form, to store; None if the form has no such fields."""
    if TITLE.name not in form:
        return None
    return write_profile(with_answers(profile, answers_in(form)))


def answers_in(form: IdempotentForm) -> ProfileAnswers:
    """Return the general facts as typed."""
    return ProfileAnswers(**{name: form[name].data or "" for name in ANSWERS})


def services_given(form: IdempotentForm, profile: NamespaceProfile) -> str | None:
    """Return the services from a form, to store; None if the form has no such fields."""
    if RESOLVABILITY not in form:
        return None
    return write_services(resolution_in(form, profile))


def resolution_in(form: IdempotentForm, profile: NamespaceProfile) -> Resolution:
    """Return the resolution facts as typed."""
    said = Resolvability(form[RESOLVABILITY].data or Resolvability.UNDECLARED)
    rows = (row for row in range(1, MOST_SERVICES + 1) if _at(row, "target") in form)
    services = tuple(_service(form, row) for row in rows if form[_at(row, "target")].data)
    return with_services(profile.resolution, said, services)


def _service(form: IdempotentForm, row: int) -> ResolutionService:
    given: dict[str, Any] = {name: form[_at(row, name)].data or "" for name in COLUMNS}
    given |= {name: bool(form[_at(row, name)].data) for name in FLAGS}
    kind = ServiceKind(form[_at(row, "kind")].data or ServiceKind.LOCATION)
    return ResolutionService(kind=kind, is_registrants=True, **given)
