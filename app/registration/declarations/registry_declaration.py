"""What a registry says of itself: its space, fields, procedures, numbering and forms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.registration.declarations.fields import Field, Widget
from app.registration.declarations.formats import Format
from app.registration.declarations.identifier_spaces import IdentifierSpace, NameIndex, NameReport

__all__ = ["DeclaredProcedure", "DerivedFormat", "Numbering", "Registry"]


class DeclaredProcedure(StrEnum):
    """A way to a registration, as some registry brings it; its value is kept with each request.

    What can be done in it stands in the table that ``app.workflow.transitions`` has for it.
    """


class DerivedFormat(StrEnum):
    """What an edition holds beside its forms: a part of the registry for one kind of program."""

    PROFILES = "profiles"
    PREFIXES = "prefixes"
    CONTEXT = "context"
    RESOLUTION = "resolution"
    SUGGESTIONS = "suggestions"
    ARK_RULES = "ark-rules"
    NAAN_RECORDS = "naan-records"
    NAAN_ANVL = "naan-anvl"
    NAAN_TABLE = "naan-table"


@dataclass(frozen=True, slots=True)
class Numbering:
    """Names that the registry gives itself: a prefix and the next number of a counter."""

    prefix: str
    counter: str

    def name_of(self, number: int) -> str:
        """The name that has a number: ``urn-7``."""
        return f"{self.prefix}{number}"

    def number_of(self, folded: str) -> int:
        """The number in a folded name; 0 where it is none of these names."""
        digits = folded.removeprefix(self.prefix)
        return int(digits) if digits.isascii() and digits.isdigit() else 0

    def sort_key(self, folded: str) -> str:
        """Where a name stands among these: by its number."""
        return f"{self.prefix}{self.number_of(folded):028d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """A registry of names, declared.

    ``unnamed`` is what a name is called that is not given yet, ``template_page`` where the text of
    a registered template is, with ``{}`` for the folded name; empty where there is none.
    ``exports`` are the forms in which its names are published, ``name_exports`` those in which
    each has a file of its own, all of them if nothing is said; ``has_name_feeds`` tells whether
    each has a feed. ``derived`` are the files for some programs that hold the names too.
    """

    id: str
    kind: str
    label: str
    unnamed: str
    space: IdentifierSpace
    fields: tuple[Field, ...]
    procedures: tuple[DeclaredProcedure, ...]
    numbering: Numbering | None
    exports: tuple[Format, ...]
    name_exports: tuple[Format, ...] | None = None
    has_name_feeds: bool = True
    derived: tuple[DerivedFormat, ...] = ()
    template_page: str
    group: str = "urn-namespaces"  # with which it is published: a row of ``registry_groups``
    named: Mapping[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", {field.name: field for field in self.fields})

    @property
    def name_field(self) -> Field:
        """The field that holds the name itself."""
        return next(field for field in self.fields if field.widget is Widget.NID)

    @property
    def public_fields(self) -> tuple[Field, ...]:
        """The fields that a record shows, in the order of the template."""
        return tuple(field for field in self.fields if field.public)

    def public_texts(self, texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """What of some texts a record may hold: public fields that say something, in order."""
        return tuple((f.name, texts[f.name]) for f in self.public_fields if texts.get(f.name))

    def fold(self, name: str) -> str:
        """A name as it is compared."""
        return self.space.fold(name)

    def called(self, name: str) -> str:
        """What a name is called in a sentence: ``urn:isbn:``, or that it is not given yet."""
        return self.space.whole(name) if name else self.unnamed

    def check(self, name: str, taken: NameIndex) -> NameReport:
        """What forbids that this registry gives a name, and what experts would ask."""
        return self.space.check(name, self.kind, taken)

    def sort_key(self, folded: str) -> str:
        """Where a name stands in its table: by letters, or by number where it is one."""
        return self.numbering.sort_key(folded) if self.numbering else folded
