"""The registry of NAANs and that of shoulders under them, declared.

Source: the members of ``naan_records.json`` and of its schema, which the ARK Alliance publishes.
"""

from enum import StrEnum

from app.registration.declarations.fields import Field, FormSection, Requirement, Widget
from app.registration.declarations.formats import Format, FormatUse
from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.declarations.registry_declaration import DerivedFormat, Registry
from app.registration.naans.naan_names import (
    NAAN_PATTERN,
    SHOULDER_PATTERN,
    NaanNameIndex,
    check_naan_name,
    check_shoulder_name,
    fold_naan_name,
)

__all__ = ["NAANS", "NAAN_SPACE", "SHOULDERS", "SHOULDER_SPACE"]

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
)

SHOULDER_SPACE = IdentifierSpace(
    id="naan-shoulder",
    heading="Shoulder",
    label="shoulder",
    plural="shoulders",
    fold=fold_naan_name,
    shape=fold_naan_name,
    check=check_shoulder_name,
    index=NaanNameIndex,
    member="ark",
    written="ark:{}",
    page="/naans/{}",
    signs="/.",
    pattern=SHOULDER_PATTERN,
)


class PrivateNaanField(StrEnum):
    """What a holder tells the registry alone."""

    CONTACT = "naan_contact"
    ADDRESS = "naan_address"
    EXISTING_PRACTICE = "existing_practice"


def _line(name: str, label: str, told: str, section: FormSection) -> Field:
    return _asked(name, label, told, section, Widget.LINE)


def _asked(name: str, label: str, told: str, section: FormSection, widget: Widget) -> Field:
    return Field(
        name=name,
        label=label,
        help=told,
        widget=widget,
        required=Requirement.NEVER,
        section=section,
        source=_SCHEMA,
    )


def _required(name: str, label: str, told: str, missing: str, section: FormSection) -> Field:
    return Field(
        name=name,
        label=label,
        help=told,
        widget=Widget.LINE,
        required=Requirement.ALWAYS,
        section=section,
        source=_SCHEMA,
        missing=missing,
    )


def _private(name: PrivateNaanField, label: str, told: str, widget: Widget) -> Field:
    return Field(
        name=name,
        label=label,
        help=f"{told} Never published.",
        widget=widget,
        required=Requirement.NEVER,
        section=FormSection.REGISTRANT,
        source=_FORM,
        public=False,
    )


def _name_field(label: str, told: str) -> Field:
    return _asked("naan_name", label, told, FormSection.NAME_AND_PURPOSE, Widget.NID)


_WHO = FormSection.REGISTRANT
_HOW = FormSection.ASSIGNMENT
_WHERE = FormSection.SAFETY_AND_USE

_PUBLIC = (
    _required(
        "organization",
        "Organization",
        "The organization that assigns the names, in English if it has a name there.",
        "Say which organization it is.",
        _WHO,
    ),
    _line("native_name", "Native name", "Its name in its own language.", _WHO),
    _line("acronym", "Acronym", "The acronym by which it is known, in capitals.", _WHO),
    _line("organization_kind", "Kind of organization", "NP: not for profit; FP: for profit.", _WHO),
    _line("web_address", "Web address", "Where the organization is on the web.", _WHO),
    _line("on_file_since", "On file since", "The moment that stands on file, in UTC.", _HOW),
    _line(
        "target",
        "Target",
        "Where ARKs lead: an address with ${content} for the NAAN and what follows it, "
        "or ${pid} for the whole ARK.",
        _WHERE,
    ),
    _line("target_status", "Status of the redirection", "302, 303 or 307.", _WHERE),
    _line(
        "policy",
        "Policy",
        "NR: names are never given again; OP: names are opaque; CC: names have a check character.",
        _HOW,
    ),
    _line("policy_address", "Text of the policy", "Where the policy can be read.", _HOW),
    _line("tenure", "Tenure", "The years in which this policy holds.", _HOW),
    _line("naan_purpose", "Purpose", "What names are assigned to.", FormSection.NAME_AND_PURPOSE),
    _line("service_provider", "Service provider", "Who runs the service for the holder.", _WHERE),
    _line("test_ark", "Test ARK", "An ARK by which one sees whether the target answers.", _WHERE),
    _asked(
        "on_file",
        "Kept as it is on file",
        "What a file said that no other field holds, as JSON.",
        FormSection.DOCUMENTS,
        Widget.FILLED_IN,
    ),
)

_PRIVATE = (
    _private(PrivateNaanField.CONTACT, "Contact", "Who answers for the NAAN.", Widget.LINE),
    _private(PrivateNaanField.ADDRESS, "Address", "Where the contact is reached.", Widget.EMAIL),
    _private(
        PrivateNaanField.EXISTING_PRACTICE,
        "Existing practice",
        "How the organization names things so far.",
        Widget.TEXT,
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

NAANS = Registry(
    id="naans-1",  # the whole is `naans`, and an XML file has no id twice
    kind="naan",
    label="NAAN",
    unnamed="a NAAN that is not drawn yet",
    space=NAAN_SPACE,
    fields=(
        _name_field("NAAN", "Five digits, drawn by the registry."),
        *_PUBLIC,
        *_PRIVATE,
    ),
    procedures=(),
    numbering=None,
    exports=_OF_ALL,
    name_exports=_OF_ONE,
    has_name_feeds=False,
    derived=_DERIVED,
    template_page="",
    group="naans",
)

SHOULDERS = Registry(
    id="naan-shoulders",
    kind="shoulder",
    label="shoulder",
    unnamed="a shoulder that is not given yet",
    space=SHOULDER_SPACE,
    fields=(
        _name_field("Shoulder", "The NAAN, a slash, and letters that end with a digit."),
        *_PUBLIC,
        *_PRIVATE,
    ),
    procedures=(),
    numbering=None,
    exports=_OF_ALL,
    name_exports=_OF_ONE,
    has_name_feeds=False,
    derived=_DERIVED,
    template_page="",
    group="naans",
)
