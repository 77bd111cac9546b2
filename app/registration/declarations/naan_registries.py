"""The registry of NAANs and that of shoulders under them, declared.

Source: the members of ``naan_records.json`` and of its schema, which the ARK Alliance publishes.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Any

from app.registration.declarations.fields import ENDING, Field, FormSection, Requirement, Widget
from app.registration.declarations.formats import Format, FormatUse
from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.declarations.list_facets import FieldColumn, ListFacet
from app.registration.declarations.registry_declaration import (
    DeclaredProcedure,
    DerivedFormat,
    DrawnNumbering,
    Registry,
)
from app.registration.naans.asked_answers import (
    KIND_CHOICES,
    SPELLING_CHOICES,
    TARGET_CHOICES,
    advise_target,
    check_choice_of,
    check_policy,
    check_target,
    check_target_here,
    check_tenure,
    check_test_ark,
    check_web_address,
)
from app.registration.naans.naan_answers import (
    advise_on_promises,
    check_beside_naan,
    check_beside_shoulder,
    completed_answers,
    draw_free_naan,
    kept_answers,
)
from app.registration.naans.naan_facets import (
    POLICY_CHOICES,
    holder_kinds,
    holder_text,
    host_text,
    host_word,
    kind_word,
    policy_values,
    policy_word,
    target_hosts,
)
from app.registration.naans.naan_names import (
    NAAN_PATTERN,
    SHOULDER_PATTERN,
    NaanNameIndex,
    check_naan_name,
    fold_naan_name,
)
from app.registration.naans.policy_wording import WORDING_OF_FIELDS
from app.registration.naans.shared_naans import is_shared_naan
from app.registration.naans.shoulder_rules import (
    ShoulderIndex,
    check_shoulder_name,
)

__all__ = ["NAANS", "NAAN_SPACE", "SHOULDERS", "SHOULDER_SPACE", "NaanProcedure"]

_SCHEMA = "the schema PublicNAAN of the ARK Alliance"
_FORM = "the NAAN request form of the ARK Alliance"

NAAN_SPACE = IdentifierSpace(
    id="naan",
    heading="NAAN",
    label="NAAN",
    plural="NAANs",
    fold=fold_naan_name,
    shape=fold_naan_name,
    check=check_naan_name,
    index=NaanNameIndex,
    member="ark",
    written="ark:{}",
    page="/naans/{}",
    pattern=NAAN_PATTERN,
    scheme="ark",
    has_delegates=True,
    asks_yearly=True,
)

SHOULDER_SPACE = IdentifierSpace(
    id="naan-shoulder",
    heading="Shoulder",
    label="shoulder",
    plural="shoulders",
    fold=fold_naan_name,
    shape=fold_naan_name,
    check=check_shoulder_name,
    index=ShoulderIndex,
    member="ark",
    written="ark:{}",
    page="/naans/{}",
    signs="/.",
    longest=50,  # what the store holds beside the id of the space
    pattern=SHOULDER_PATTERN,
    scheme="ark",
    has_delegates=True,
    asks_yearly=True,
    under=NAAN_SPACE,
    is_shared=is_shared_naan,
)


class NaanProcedure(DeclaredProcedure):
    """How a NAAN is given, or a shoulder under one: the operator decides."""

    NAAN = "NAAN"
    SHOULDER = "shoulder"


class PrivateNaanField(StrEnum):
    """What a holder tells the registry alone."""

    CONTACT = "naan_contact"
    ADDRESS = "naan_address"
    EXISTING_PRACTICE = "existing_practice"


_WHO = FormSection.REGISTRANT
_HOW = FormSection.ASSIGNMENT
_WHERE = FormSection.SAFETY_AND_USE


def _asked(name: str, label: str, told: str, section: FormSection, **more: Any) -> Field:
    usual = {"widget": Widget.LINE, "required": Requirement.NEVER, "source": _SCHEMA}
    words = WORDING_OF_FIELDS.get(name)
    return Field(name=name, label=label, help=told, section=section, wording=words, **usual | more)


def _required(name: str, label: str, told: str, missing: str, **more: Any) -> Field:
    always = {"required": Requirement.ALWAYS, "missing": missing}
    return _asked(name, label, told, _WHO, **always, **more)


def _private(
    name: PrivateNaanField, label: str, told: str, widget: Widget, missing: str = ""
) -> Field:
    told = f"{told} Never published."
    given = {"required": Requirement.NEW, "missing": missing} if missing else {}
    return _asked(name, label, told, _WHO, widget=widget, public=False, source=_FORM, **given)


def _name_field(label: str, told: str, missing: str = "") -> Field:
    given = {"required": Requirement.FORMAL, "missing": missing} if missing else {}
    place = FormSection.NAME_AND_PURPOSE
    return _asked("naan_name", label, told, place, widget=Widget.NID, **given)


_PUBLIC = (
    _required(
        "organization",
        "Organization",
        "The organization that assigns the identifiers. Use its English name if it has one.",
        "Enter the name of the organization.",
    ),
    _asked("native_name", "Native name", "The organization's name in its own language.", _WHO),
    _asked("acronym", "Acronym", "For example, BNF.", _WHO),
    _required(
        "organization_kind",
        "Kind of organization",
        "The kind of organization that assigns the identifiers.",
        "Choose the kind of organization.",
        choices=KIND_CHOICES,
        check=check_choice_of(KIND_CHOICES),
    ),
    _required(
        "web_address",
        "Web address",
        "The organization's website.",
        "Enter the address of the organization's website.",
        check=check_web_address,
    ),
    _asked(
        "on_file_since",
        "On file since",
        "The recorded date and time, in UTC.",
        _HOW,
        widget=Widget.FILLED_IN,
    ),
    _asked(
        "target",
        "Target",
        "The address that ARKs redirect to, with ${content} for the NAAN and what follows it, "
        "or ${pid} for the whole ARK.",
        _WHERE,
        check=check_target,
        advise=advise_target,
        check_here=check_target_here,
    ),
    _asked(
        "target_status",
        "Status of the redirection",
        "The HTTP status of the redirect.",
        _WHERE,
        choices=TARGET_CHOICES,
        check=check_choice_of(TARGET_CHOICES),
    ),
    _asked(
        "policy",
        "Policy",
        "Promises about all identifiers.",
        _HOW,
        choices=POLICY_CHOICES,
        takes_several=True,
        check=check_policy,
    ),
    _asked(
        "policy_address",
        "Text of the policy",
        "The address of the policy document.",
        _HOW,
        check=check_web_address,
    ),
    _asked(
        "tenure",
        "Tenure",
        "The years in which this policy applies, such as 2026-2036.",
        _HOW,
        check=check_tenure,
    ),
    _asked(
        "naan_purpose",
        "Purpose",
        "The kinds of items that get identifiers. If unknown, `unspecified` is recorded.",
        _HOW,
    ),
    _asked(
        "service_provider",
        "Service provider",
        "The organization that runs the service, if it isn't yours.",
        _WHERE,
    ),
    _asked(
        "test_ark",
        "Test ARK",
        "An ARK to test the target with. For a new NAAN, write `NNNNN`, as in `ark:NNNNN/x1`.",
        _WHERE,
        check=check_test_ark,
    ),
    _asked(
        "on_file",
        "Kept as it is on file",
        "Values from an imported file that have no field here, as JSON.",
        FormSection.DOCUMENTS,
        widget=Widget.FILLED_IN,
    ),
    _asked(
        "target_spelling",
        "Spelling sent to the target",
        "The spelling of the ARK in the redirect.",
        _WHERE,
        choices=SPELLING_CHOICES,
        check=check_choice_of(SPELLING_CHOICES),
        source="The ARK URI scheme section 6",
    ),
    _asked(
        *(ENDING, "Ended as", "`voided` if it was assigned by mistake.", FormSection.DOCUMENTS),
        widget=Widget.FILLED_IN,
    ),
)

_PRIVATE = (
    _private(
        PrivateNaanField.CONTACT,
        "Contact",
        "The person responsible for the identifiers.",
        Widget.LINE,
        "Enter the person responsible for the identifiers.",
    ),
    _private(
        PrivateNaanField.ADDRESS,
        "Address",
        "The contact's e-mail address.",
        Widget.EMAIL,
        "Enter the contact's e-mail address.",
    ),
    _private(
        PrivateNaanField.EXISTING_PRACTICE,
        "Existing practice",
        "The identifiers that the organization uses now.",
        Widget.TEXT,
    ),
)

# What no file of the ARK Alliance has a place for.
_OF_SHOULDERS = (
    _asked(
        "shoulder_label",
        "Label",
        "The purpose of the shoulder, in a few words.",
        _HOW,
        source="arks.org, on the selection of shoulders",
    ),
    Field(
        name="mask",
        label="Mask",
        help="The pattern of minted identifiers, such as x5.reedeedk: `r` random order, `e` a "
        "letter or digit, `d` a digit, `k` a check character.",
        widget=Widget.LINE,
        required=Requirement.NEVER,
        section=FormSection.ASSIGNMENT,
        source="the Noid manual, on templates",
    ),
)

# One file of each for all names; of single names, what people and programs ask for one at a time:
# the page, JSON and text. The table, the graph and IANA's XML of one name say nothing more.
_OF_ALL = tuple(
    form for form in Format if form.use in (FormatUse.DATA, FormatUse.PAGE) or form is Format.TTL
)
_OF_ONE = (Format.JSON, Format.TXT)
_DERIVED = (
    *(DerivedFormat.ARK_RULES, DerivedFormat.NAAN_RECORDS),
    *(DerivedFormat.NAAN_ANVL, DerivedFormat.NAAN_TABLE),
)

_COLUMNS = (
    FieldColumn(id="organization", label="Organization", text=holder_text),
    FieldColumn(id="host", label="Redirects to", text=host_text),
)
_FACETS = (
    ListFacet(id="organization", label="Kind of organization", values=holder_kinds, word=kind_word),
    ListFacet(id="policy", label="Policy", values=policy_values, word=policy_word),
    ListFacet(id="host", label="Redirects to", values=target_hosts, word=host_word),
)

_HEADINGS = {
    FormSection.NAME_AND_PURPOSE: "Shoulder",
    FormSection.REGISTRANT: "Organization",
    FormSection.ASSIGNMENT: "Policy and purpose",
    FormSection.SAFETY_AND_USE: "Target",
}


NAANS = Registry(
    id="naans-1",  # the whole is `naans`, and an XML file has no id twice
    kind="naan",
    label="NAAN",
    unnamed="a new NAAN",
    space=NAAN_SPACE,
    fields=(
        _name_field("NAAN", "Five characters, drawn by the registry."),
        *_PUBLIC,
        *_PRIVATE,
    ),
    procedures=(NaanProcedure.NAAN,),
    numbering=DrawnNumbering(
        draw=draw_free_naan,
        counter="naan",
        manner="a randomly drawn number",
        example="12345",
        example_here="x4k7b",
    ),
    exports=_OF_ALL,
    name_exports=_OF_ONE,
    has_name_feeds=False,
    derived=(*_DERIVED, DerivedFormat.SUGGESTIONS),
    check_texts=check_beside_naan,
    advise_change=advise_on_promises,
    holder_fields=("organization", "native_name", "acronym", "web_address"),
    template_page="",
    ends_as="former",
    voids=True,
    has_references=False,
    has_experts=False,
    completed=completed_answers,
    kept_on_file=kept_answers,
    asked_first="/requests/new/naan",
    invitation="A number for your organization, under which you assign ARKs.",
    headings=_HEADINGS,
    group="naans",
    columns=_COLUMNS,
    facets=_FACETS,
)

# A shoulder is registered as a NAAN is, but for what is said here.
SHOULDERS = replace(
    NAANS,
    id="naan-shoulders",
    kind="shoulder",
    label="shoulder",
    unnamed="a new shoulder",
    space=SHOULDER_SPACE,
    fields=(
        _name_field(
            "Shoulder",
            "The NAAN, a slash, and letters that end with a digit, such as 12345/x5.",
            "Enter the shoulder, for example 12345/x5.",
        ),
        *_PUBLIC,
        *_OF_SHOULDERS,
        *_PRIVATE,
    ),
    procedures=(NaanProcedure.SHOULDER,),
    numbering=None,
    derived=_DERIVED,
    check_texts=check_beside_shoulder,
    holder_fields=(),
    invitation="A prefix under a NAAN, such as `ark:12345/x5`: under your own or a shared one.",
)
