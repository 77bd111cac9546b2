"""The registries of this software, and what is asked of all of them.

Forms, pages, diffs, texts and exports loop over these rows; a new field is one row.
"""

from collections.abc import Iterator

from app.registration.declarations.fields import Field, FormSection, Hint, Requirement, Widget
from app.registration.declarations.formats import Format
from app.registration.declarations.identifier_spaces import (
    UNDECLARED_SPACE,
    URN_SPACE,
    IdentifierSpace,
)
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.registry_declaration import (
    DeclaredProcedure,
    DerivedFormat,
    DrawnNumbering,
    Numbering,
    Registry,
)
from app.registration.declarations.template_fields import CONTACT_FIELDS, TEMPLATE_FIELDS

__all__ = [
    "CONTACT_FIELDS",
    "FORMAL",
    "INFORMAL",
    "REGISTRIES",
    "TEMPLATE_FIELDS",
    "URN_SPACE",
    "DeclaredProcedure",
    "DerivedFormat",
    "DrawnNumbering",
    "Field",
    "FormSection",
    "Format",
    "Hint",
    "IdentifierSpace",
    "Numbering",
    "Procedure",
    "Registry",
    "Requirement",
    "Widget",
    "alone_sentence",
    "declared_procedures",
    "declared_spaces",
    "fields_of",
    "find_field",
    "is_open_to",
    "procedure_named",
    "space_of",
    "space_told",
    "space_with",
]


class Procedure(DeclaredProcedure):
    """The ways to a URN namespace (RFC 8141 sections 5.2, 6.2 and 6.3)."""

    COMMUNITY = "community"
    STANDARDS_ACTION = "standards action"
    FAST_TRACK = "fast track"
    INFORMAL = "informal"


_FIELDS = TEMPLATE_FIELDS + CONTACT_FIELDS
_DERIVED = (
    *(DerivedFormat.PROFILES, DerivedFormat.PREFIXES, DerivedFormat.CONTEXT),
    *(DerivedFormat.RESOLUTION, DerivedFormat.SUGGESTIONS),
)

FORMAL = Registry(
    id="urn-namespaces-1",
    kind="formal",
    label="formal namespace",
    unnamed="an informal number",
    space=URN_SPACE,
    fields=_FIELDS,
    procedures=(Procedure.COMMUNITY, Procedure.STANDARDS_ACTION, Procedure.FAST_TRACK),
    numbering=None,
    exports=tuple(Format),
    derived=_DERIVED,
    template_page="/assignments/urn-formal/{}",
    invitation="You choose the NID, such as `isbn`. For namespaces that many people on the "
    "Internet can use.",
)

INFORMAL = Registry(
    id="urn-namespaces-2",
    kind="informal",
    label="informal namespace",
    unnamed="an informal number",
    space=URN_SPACE,
    fields=_FIELDS,
    procedures=(Procedure.INFORMAL,),
    numbering=Numbering(prefix="urn-", counter="informal"),
    exports=tuple(Format),
    derived=_DERIVED,
    template_page="/assignments/urn-informal/{}",
    invitation="The registry assigns the next number. For projects and small groups.",
)

REGISTRIES: dict[str, Registry] = {
    registry.id: registry
    for registry in (
        FORMAL,
        INFORMAL,
        NAANS,
        SHOULDERS,
    )
}


def declared_procedures() -> tuple[DeclaredProcedure, ...]:
    """The procedures of all registries, each once, in the order of declaration."""
    declared = (one for registry in REGISTRIES.values() for one in registry.procedures)
    return tuple(dict.fromkeys(declared))


def procedure_named(text: str) -> DeclaredProcedure:
    """A procedure by the value that is kept; ValueError for one that no registry declares."""
    found = next((one for one in declared_procedures() if one == text), None)
    if found is None:
        raise ValueError(f"No registry declares the procedure `{text}`.")
    return found


def is_open_to(procedure: DeclaredProcedure, now: DeclaredProcedure, *, revises: bool) -> bool:
    """Whether a request that goes by one procedure may go by another.

    A name that is registered stays in its table, and no name leads into another space.
    """
    own, other = _registry_with(now), _registry_with(procedure)
    return own is other if revises else own.space is other.space


def _registry_with(procedure: DeclaredProcedure) -> Registry:
    return next(one for one in REGISTRIES.values() if procedure in one.procedures)


def find_field(name: str) -> Field | None:
    """A field of some registry by its name, where a text does not tell whose it is."""
    found = (registry.named.get(name) for registry in REGISTRIES.values())
    return next((field for field in found if field), None)


def declared_spaces() -> Iterator[IdentifierSpace]:
    """The spaces of all registries, each once, in the order of declaration."""
    yield from dict.fromkeys(registry.space for registry in REGISTRIES.values())


def draws_numbers(space: IdentifierSpace) -> bool:
    """Whether its names are drawn by a registry, or lie under names that are."""
    above = space.under or space
    drawing = (r for r in REGISTRIES.values() if isinstance(r.numbering, DrawnNumbering))
    return any(one.space == above for one in drawing)


def alone_sentence(
    space: IdentifierSpace, folded: str, prefix: str, *, given_here: bool = False
) -> str:
    """Return a sentence if a name is valid only on this site, which draws numbers with a prefix.

    Without a name, the sentence is about the number to be drawn. A name that is ``given_here``
    under someone else's is also valid only here.
    """
    is_of_prefix = folded.startswith(prefix) if folded else space.under is None
    if not (prefix and draws_numbers(space)):
        return ""
    if space.under is not None and folded and given_here and not is_of_prefix:
        above = space.under.whole(folded.partition("/")[0])
        return f"It is valid only on this site: other resolvers for {above} don't know it."
    if not is_of_prefix:
        return ""
    begins = "begins" if folded else "will begin"
    label = (space.under or space).label
    return f"It {begins} with {prefix} and is valid only on this site: no other {label} begins so."


def space_with(ident: str) -> IdentifierSpace:
    """The space that has an id, as names keep it; LookupError for one that nobody declared."""
    found = [space for space in declared_spaces() if space.id == ident]
    if not found:
        raise LookupError(f"No registry declares the space `{ident}`.")
    return found[0]


def space_told(about: str) -> tuple[IdentifierSpace, str]:
    """The space and the folded name that ``IdentifierSpace.about`` made a text of."""
    told = sorted(declared_spaces(), key=lambda space: len(space.about("")), reverse=True)
    space = next(one for one in told if about.startswith(one.about("")))
    return space, about.removeprefix(space.about(""))


def space_of(table: str) -> IdentifierSpace:
    """What the names of a table are unique in; a plain space for a table nobody declared."""
    declared = REGISTRIES.get(table)
    return declared.space if declared else UNDECLARED_SPACE


def fields_of(section: FormSection, registry: Registry) -> tuple[Field, ...]:
    """The fields that one page of the form asks for, in the order of the template."""
    return tuple(field for field in registry.fields if field.section is section)
