"""Between a draft and the form of one of its sections: what is filled in, and what is saved."""

from collections.abc import Collection, Iterable
from dataclasses import asdict
from typing import Any

from app.problems import use_case_codes
from app.registration.declarations.registries import FORMAL, FormSection
from app.registration.profiles.equivalence_answers import (
    EQUIVALENCE,
    EquivalenceAnswers,
    declaration_of,
    declared_equivalence,
    equivalence_answers_of,
    write_declaration,
)
from app.registration.profiles.profile_answers import NOTHING, PROFILE, SERVICES, profile_in
from app.registration.records.registry_records import Status
from app.services.refusals import InvalidInput
from app.services.registry.base_version import NONE
from app.services.requests import drafts
from app.web.forms.fate_choices import ENDS, RESTORED, STAYS, SUCCEEDED, stays_deprecated
from app.web.forms.point_forms import replies_given, reply_members
from app.web.forms.profile_forms import (
    answer_members,
    answers_shown,
    profile_given,
    rows_of,
    service_members,
    services_given,
)
from app.web.forms.request_forms import (
    CASE,
    IGNORED,
    MATTERS,
    ORGANIZATION,
    SPELLINGS,
    STANDARD,
    STATUS,
    SUCCESSOR,
    IdempotentForm,
    asked_fields,
    section_form,
)
from app.web.forms.text_fields import name_typed

_FOLLOWS = (
    "You entered a successor but chose “no successor”. Change the choice, or leave this empty."
)
RESOLUTION = FORMAL.named["resolution"].section  # the page that asks where names lead


def draft_form(
    writing: drafts.OpenDraft, section: FormSection, keys: Iterable[str], sent: Collection[str]
) -> type[IdempotentForm]:
    """The form of a page, with what it asks of the namespace for people and programs.

    ``keys`` are the points that it asks about, and ``sent`` names what came in by it.
    """
    more: dict[str, Any] = {}
    has_profiles = writing.registry.space.has_profiles
    if section is FormSection.NAME_AND_PURPOSE and has_profiles:
        more = answer_members()
    if section is RESOLUTION and has_profiles:
        more = service_members(rows_of(profile_in(writing.fields), sent))
    asks = more | reply_members(keys)
    return section_form(section, writing.registry, writing.purpose, asks, writing.stands.status)


def saved_answers(writing: drafts.OpenDraft, section: FormSection) -> dict[str, Any]:
    """What a section of the form is filled with: all that was saved of it, by field."""
    values = {
        field.name: writing.value(field.name)
        for field in asked_fields(section, writing.registry, writing.purpose)
    }
    standard = {True: "yes", False: "no", None: None}[writing.standard]
    return {
        **values,
        ORGANIZATION.name: writing.organization,
        **({STANDARD: standard} if writing.state.is_private else {}),
        STATUS: _fate(writing),
        SUCCESSOR.name: writing.fate.successor,
        **_spelled(writing),
        **answers_shown(profile_in(writing.fields)),
        "lock_version": writing.lock_version,
    }


def _spelled(writing: drafts.OpenDraft) -> dict[str, str]:
    answers = asdict(equivalence_answers_of(declared_equivalence(writing.fields)))
    ignored = answers.pop("ignores_case")
    return {CASE: IGNORED if ignored else MATTERS, **answers}


def _fate(writing: drafts.OpenDraft) -> str:
    fate, registry = writing.fate, writing.registry
    if fate.status != registry.ends_as:
        is_kept = fate.is_deprecated or not stays_deprecated(registry, writing.stands.status)
        return STAYS if is_kept else RESTORED
    return SUCCEEDED if fate.successor or not fate.is_said else ENDS


def draft_input(
    form: IdempotentForm,
    section: FormSection,
    writing: drafts.OpenDraft,
) -> drafts.DraftInput:
    """What a section of the form has to be saved, with answers.

    Raises InvalidNameParts, and InvalidInput for a successor where none is to follow.
    """
    fields = list(asked_fields(section, writing.registry, writing.purpose))
    standard = form[STANDARD].data if STANDARD in form else None
    return drafts.DraftInput(
        fields={field.name: form[field.name].data for field in fields if field.public},
        private={field.name: form[field.name].data for field in fields if not field.public},
        organization=form[ORGANIZATION.name].data if ORGANIZATION.name in form else None,
        standard={"yes": True, "no": False}.get(standard or ""),
        equivalence=_declared_in(form, writing),
        profile=_said(profile_given(form, profile_in(writing.fields)), PROFILE, writing),
        services=_said(services_given(form, profile_in(writing.fields)), SERVICES, writing),
        replies=replies_given(form),
        **_fate_in(form, writing),
    )


def _said(text: str | None, name: str, writing: drafts.OpenDraft) -> str | None:
    return NOTHING if text == "" and name in writing.fields else text


def _declared_in(form: IdempotentForm, writing: drafts.OpenDraft) -> str | None:
    if CASE not in form:
        return None
    answers = {name: form[name].data or "" for name in SPELLINGS}
    spellings = EquivalenceAnswers(ignores_case=form[CASE].data == IGNORED, **answers)
    if spellings == equivalence_answers_of(declared_equivalence(writing.fields)):
        return None  # so that a rule that no form can ask for stays
    declared = write_declaration(declaration_of(spellings))
    return declared if declared or EQUIVALENCE in writing.fields else None


def _fate_in(form: IdempotentForm, writing: drafts.OpenDraft) -> dict[str, str]:
    if STATUS not in form or not form[STATUS].data:
        return {}
    registry, stands = writing.registry, writing.stands
    before = registry.space.written.partition("{}")[0]
    given = name_typed(registry.space.scheme, form[SUCCESSOR.name].data or "") or ""
    given = given.strip().removeprefix(before)
    if given and form[STATUS].data != SUCCEEDED and given != writing.fate.successor:
        raise InvalidInput(use_case_codes.VALUE_MALFORMED, _FOLLOWS, field=SUCCESSOR.name)
    if form[STATUS].data == STAYS and stays_deprecated(registry, stands.status):
        return {"status": stands.status, "successor": stands.successor or NONE}
    successor = {SUCCEEDED: given, ENDS: NONE}.get(form[STATUS].data, "")
    ends = form[STATUS].data in (SUCCEEDED, ENDS)
    return {"status": registry.ends_as if ends else Status.REGISTERED, "successor": successor}
