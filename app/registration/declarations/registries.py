"""What a registry is: its fields, procedures, numbering and formats, as data.

Forms, pages, diffs, texts and exports loop over these rows; a new field is one row.
"""

from dataclasses import dataclass
from enum import StrEnum

from app.registration.declarations.fields import Field, FormSection, Hint, Requirement, Widget
from app.registration.declarations.formats import Format
from app.registration.declarations.template_fields import CONTACT_FIELDS, TEMPLATE_FIELDS

__all__ = [
    "CONTACT_FIELDS",
    "FIELDS",
    "FORMAL",
    "INFORMAL",
    "REGISTRIES",
    "TEMPLATE_FIELDS",
    "DerivedFormat",
    "Field",
    "FormSection",
    "Format",
    "Hint",
    "Numbering",
    "Procedure",
    "Registry",
    "Requirement",
    "Widget",
    "fields_of",
]


class Procedure(StrEnum):
    """The ways to a registration (RFC 8141 sections 5.2, 6.2 and 6.3)."""

    COMMUNITY = "community"
    STANDARDS_ACTION = "standards action"
    FAST_TRACK = "fast track"
    INFORMAL = "informal"


class DerivedFormat(StrEnum):
    """What an edition holds beside its forms: a part of the registry for one kind of program."""

    PROFILES = "profiles"
    PREFIXES = "prefixes"
    CONTEXT = "context"
    RESOLUTION = "resolution"
    SUGGESTIONS = "suggestions"


@dataclass(frozen=True, slots=True)
class Numbering:
    """Names that the registry gives itself: a prefix and the next number of a counter."""

    prefix: str
    counter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """A registry of names, declared."""

    id: str
    kind: str
    label: str
    space: str
    fields: tuple[Field, ...]
    procedures: tuple[Procedure, ...]
    numbering: Numbering | None
    exports: tuple[Format, ...]
    group: str = "urn-namespaces"  # with which it is published: a row of ``registry_groups``


_FIELDS = TEMPLATE_FIELDS + CONTACT_FIELDS

FORMAL = Registry(
    id="urn-namespaces-1",
    kind="formal",
    label="formal namespace",
    space="nid",
    fields=_FIELDS,
    procedures=(Procedure.COMMUNITY, Procedure.STANDARDS_ACTION, Procedure.FAST_TRACK),
    numbering=None,
    exports=tuple(Format),
)

INFORMAL = Registry(
    id="urn-namespaces-2",
    kind="informal",
    label="informal namespace",
    space="nid",
    fields=_FIELDS,
    procedures=(Procedure.INFORMAL,),
    numbering=Numbering(prefix="urn-", counter="informal"),
    exports=tuple(Format),
)

REGISTRIES: dict[str, Registry] = {registry.id: registry for registry in (FORMAL, INFORMAL)}
FIELDS: dict[str, Field] = {field.name: field for field in _FIELDS}


def fields_of(section: FormSection, registry: Registry = FORMAL) -> tuple[Field, ...]:
    """The fields that one page of the form asks for, in the order of the template."""
    return tuple(field for field in registry.fields if field.section is section)
