"""What a page of the form draws of a draft: its fields, what they say, what was found in them."""

from collections.abc import Mapping

from flask import url_for

from app.registration.declarations.registries import Field, FormSection, Registry, Widget
from app.registration.profiles.profile_answers import PROFILE, SERVICES, profile_facts_in
from app.registration.profiles.profile_wording import ProfileFact
from app.registration.submission_findings import SubmissionCheck
from app.registration.submissions.review_hints import find_hint_words
from app.services.registry.base_version import fit_to_field
from app.services.requests import drafts
from app.services.requests.draft_preview import long_fields
from app.web.forms.draft_forms import RESOLUTION
from app.web.forms.request_forms import ORGANIZATION, IdempotentForm, asked_fields, sections_of


def sections_at(writing: drafts.OpenDraft) -> tuple[FormSection, ...]:
    """The pages of the form of a draft."""
    return sections_of(writing.registry, writing.purpose)


def texts_as_read(writing: drafts.OpenDraft, section: FormSection) -> dict[str, str]:
    """The long texts of a page, as others will read them."""
    names = {field.name for field in asked_fields(section, writing.registry, writing.purpose)}
    return {name: text for name, text in long_fields(writing.fields).items() if name in names}


def facts_on(writing: drafts.OpenDraft, section: FormSection) -> tuple[ProfileFact, ...]:
    """What a page of the form says of the namespace beside the template, in words."""
    asked_for = {FormSection.NAME_AND_PURPOSE: PROFILE, RESOLUTION: SERVICES}.get(section, "")
    return profile_facts_in({asked_for: writing.fields.get(asked_for, "")})


def service_rows(form: IdempotentForm) -> range:
    """The numbers of the services that a form asks for, an empty one at the end."""
    return range(1, 1 + sum(name.endswith("_target") for name in form.data))


def hint_words_on(
    section: FormSection, writing: drafts.OpenDraft, form: IdempotentForm
) -> Mapping[str, Mapping[str, str]]:
    """What of each field speaks of the points that experts look for."""
    fields = asked_fields(section, writing.registry, writing.purpose)
    return {field.name: find_hint_words(field, form[field.name].data or "") for field in fields}


def free_name(writing: drafts.OpenDraft, form: IdempotentForm, found: SubmissionCheck) -> str:
    """The name that is asked for, where nothing at all stands against it."""
    field = writing.name_field
    name = str(form[field].data or "").strip() if field in form else ""
    return name if name and not found.of_fields({field}) else ""


def fields_on(section: FormSection, writing: drafts.OpenDraft) -> list[Field]:
    """The fields that a page asks for, the organization among them where no field is it."""
    is_beside = ORGANIZATION.name not in writing.registry.named
    extra = [ORGANIZATION] if section is FormSection.REGISTRANT and is_beside else []
    return extra + list(asked_fields(section, writing.registry, writing.purpose))


def leaving_notice(writing: drafts.OpenDraft) -> tuple[str, str]:
    """What is told of who saves and leaves, and the page: what tells it, if something is wrong."""
    if writing.problems.present:
        said = "Saved. Correct the problems below before you submit."
        return said, url_for("registrant.check", number=writing.number)
    return f"Saved. Request {writing.number} is listed under your requests.", url_for(
        "requests.index"
    )


def lines_carried(registry: Registry, given: Mapping[str, str]) -> dict[str, str]:
    """What an address holds of the lines that a form asks for, as somebody typed it before."""
    asked_for = [] if registry.numbering else [registry.name_field]
    lines = [*asked_for, *(one for one in registry.public_fields if one.widget is Widget.LINE)]
    said = {one.name: fit_to_field(one, given.get(one.name, "")) for one in lines}
    return {name: text for name, text in said.items() if text}
