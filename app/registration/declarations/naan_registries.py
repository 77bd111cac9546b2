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
_FORM = "the form of the ARK Alliance by which a NAAN is asked for"

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
    """A field that everybody may read; a line that may be left empty, unless more is said."""
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
    """The name itself; where it is not drawn, it has to be asked for."""
    given = {"required": Requirement.FORMAL, "missing": missing} if missing else {}
    place = FormSection.NAME_AND_PURPOSE
    return _asked("naan_name", label, told, place, widget=Widget.NID, **given)


_PUBLIC = (
    _required(
        "organization",
        "Organization",
        "The organization that assigns the names, in English if it has a name there.",
        "Say which organization it is.",
    ),
    _asked("native_name", "Native name", "Its name in its own language.", _WHO),
    _asked("acronym", "Acronym", "The acronym by which it is known, in capitals.", _WHO),
    _required(
        "organization_kind",
        "Kind of organization",
        "Of the organization that assigns the names.",
        "Say what kind of organization it is.",
        choices=KIND_CHOICES,
        check=check_choice_of(KIND_CHOICES),
    ),
    _required(
        "web_address",
        "Web address",
        "Where the organization is on the web.",
        "Give the address of the organization on the web.",
        check=check_web_address,
    ),
    _asked(
        "on_file_since",
        "On file since",
        "The moment that stands on file, in UTC.",
        _HOW,
        widget=Widget.FILLED_IN,
    ),
    _asked(
        "target",
        "Target",
        "Where ARKs lead: an address with ${content} for the NAAN and what follows it, "
        "or ${pid} for the whole ARK.",
        _WHERE,
        check=check_target,
        advise=advise_target,
        check_here=check_target_here,
    ),
    _asked(
        "target_status",
        "Status of the redirection",
        "With which status of HTTP people are sent on.",
        _WHERE,
        choices=TARGET_CHOICES,
        check=check_choice_of(TARGET_CHOICES),
    ),
    _asked(
        "policy",
        "Policy",
        "What holds of all names.",
        _HOW,
        choices=POLICY_CHOICES,
        takes_several=True,
        check=check_policy,
    ),
    _asked(
        "policy_address",
        "Text of the policy",
        "Where the policy can be read.",
        _HOW,
        check=check_web_address,
    ),
    _asked("tenure", "Tenure", "The years in which this policy holds.", _HOW, check=check_tenure),
    _asked(
        "naan_purpose",
        "Purpose",
        "What names are assigned to. Where nobody said it, `unspecified` stands on file.",
        _HOW,
    ),
    _asked("service_provider", "Service provider", "Who runs the service for the holder.", _WHERE),
    _asked(
        "test_ark",
        "Test ARK",
        "An ARK by which one sees whether the target answers. Write `NNNNN` for a NAAN that is "
        "not drawn yet, as in `ark:NNNNN/x1`.",
        _WHERE,
        check=check_test_ark,
    ),
    _asked(
        "on_file",
        "Kept as it is on file",
        "What a file said that no other field holds, as JSON.",
        FormSection.DOCUMENTS,
        widget=Widget.FILLED_IN,
    ),
    _asked(
        "target_spelling",
        "Spelling sent to the target",
        "Which spelling of an ARK the target gets.",
        _WHERE,
        choices=SPELLING_CHOICES,
        check=check_choice_of(SPELLING_CHOICES),
        source="The ARK URI scheme section 6",
    ),
    _asked(
        *(ENDING, "Ended as", "`voided`, where it was given by mistake.", FormSection.DOCUMENTS),
        widget=Widget.FILLED_IN,
    ),
)

_PRIVATE = (
    _private(
        PrivateNaanField.CONTACT,
        "Contact",
        "Who answers for the names.",
        Widget.LINE,
        "Say who answers for the names.",
    ),
    _private(
        PrivateNaanField.ADDRESS,
        "Address",
        "Where the contact is reached.",
        Widget.EMAIL,
        "Give an e-mail address at which the contact is reached.",
    ),
    _private(
        PrivateNaanField.EXISTING_PRACTICE,
        "Existing practice",
        "How the organization names things so far.",
        Widget.TEXT,
    ),
)

# What no file of the ARK Alliance has a place for.
_OF_SHOULDERS = (
    _asked(
        "shoulder_label",
        "Label",
        "What the shoulder is for, in a few words.",
        _HOW,
        source="arks.org, on the selection of shoulders",
    ),
    Field(
        name="mask",
        label="Mask",
        help="How its names are minted, as a template of Noid such as x5.reedeedk: in a mixed "
        "order, two betanumeric characters, a digit, and so on, at the end a check character.",
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
    FieldColumn(id="host", label="Leads to", text=host_text),
)
_FACETS = (
    ListFacet(id="organization", label="Kind of organization", values=holder_kinds, word=kind_word),
    ListFacet(id="policy", label="Policy", values=policy_values, word=policy_word),
    ListFacet(id="host", label="Leads to", values=target_hosts, word=host_word),
)

_HEADINGS = {
    FormSection.NAME_AND_PURPOSE: "Shoulder",
    FormSection.REGISTRANT: "Organization",
    FormSection.ASSIGNMENT: "Policy and purpose",
    FormSection.SAFETY_AND_USE: "Where ARKs lead",
}


NAANS = Registry(
    id="naans-1",  # the whole is `naans`, and an XML file has no id twice
    kind="naan",
    label="NAAN",
    unnamed="a NAAN that is not drawn yet",
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
        manner="a number drawn by chance from all that nobody ever had",
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
    invitation="A number drawn by chance, below which your organization assigns ARKs.",
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
    unnamed="a shoulder that is not given yet",
    space=SHOULDER_SPACE,
    fields=(
        _name_field(
            "Shoulder",
            "The NAAN, a slash, and letters that end with a digit.",
            "Enter the shoulder that you ask for, as in 12345/x5.",
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
    invitation="A part of a NAAN: of your own, or of one that many share.",
)
