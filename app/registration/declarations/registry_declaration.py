"""What a registry says of itself: its space, fields, procedures, numbering and forms."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from app.identifiers.errors import Finding
from app.registration.declarations.fields import Field, FormSection, Widget
from app.registration.declarations.formats import Format
from app.registration.declarations.identifier_spaces import IdentifierSpace, NameIndex, NameReport
from app.registration.declarations.list_facets import FieldColumn, ListFacet

__all__ = [
    "DeclaredProcedure",
    "DerivedFormat",
    "DrawnNumbering",
    "Numbering",
    "Registry",
]


class DeclaredProcedure(StrEnum):
    """A way to a registration, as some registry brings it; its value is kept with each request.

    What can be done in it stands in the table that ``app.workflow.transitions`` has for it.
    """

    @property
    def heading(self) -> str:
        """The word of a procedure as a heading has it: ``Fast track``."""
        return self[:1].upper() + self[1:]


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

    @property
    def example(self) -> str:
        """A name as the registry may give it: ``urn-9``."""
        return self.name_of(9)

    @property
    def manner(self) -> str:
        """How a name is come by, in words that go on with ``, such as``."""
        return "a number"

    def example_with(self, _prefix: str) -> str:
        """A name as any site may give it: a prefix is for numbers that are drawn."""
        return self.example

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
class DrawnNumbering:
    """Names that the registry draws by chance from all that nobody ever had.

    ``draw`` gives one by some chance, none of those that are known, with a prefix where the site
    has one of its own; it raises ValueError where none is left. ``counter`` is the row that is
    locked meanwhile, ``manner`` says how a name is come by, ``example`` is one that nobody has,
    and ``example_here`` one as a site with a prefix draws it.
    """

    draw: Callable[[Random, Iterable[str], str], str]
    counter: str
    manner: str
    example: str
    example_here: str

    def example_with(self, prefix: str) -> str:
        """A name as a site gives it that has a prefix of its own; without one as all others do."""
        return prefix + self.example_here[len(prefix) :] if prefix else self.example

    def sort_key(self, folded: str) -> str:
        """Where a name stands among these: by its letters, since all are as long."""
        return folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """A registry of names, declared.

    ``unnamed`` is what a name is called that is not given yet, ``template_page`` where the text of
    a registered template is, with ``{}`` for the folded name; empty where there is none.
    ``exports`` are the forms in which its names are published, ``name_exports`` those in which
    each has a file of its own, all of them if nothing is said; ``has_name_feeds`` tells whether
    each has a feed. ``derived`` are the files for some programs that hold the names too.
    ``columns`` are two that its list has in the place of templates and references, and ``facets``
    what its names are counted by in the place of those.
    ``check_texts`` judges what was filled in, one field beside others: a report for each field,
    and ``advise_change`` tells what to look at in answers that take the place of others.
    ``holder_fields`` are those by which whoever asks for a name is held against who has one, since
    one is enough for a holder: name, native name, acronym and address, in this order.
    ``has_references`` tells whether the operator says what a record refers to, ``has_experts``
    whether anybody but the operator reads requests for their work. ``completed`` gives what a
    record says besides, by what was sent and the day of its registration. ``invitation`` is what
    whoever asks for a name is told of it, ``asked_first`` the page that is read before the form, if
    there is one, and ``headings`` what pages of the form are called here. ``ends_as`` is the state
    of a name whose holder says that it is not to be used: deprecated, or former. ``voids`` tells
    whether its operator voids a name that was given by mistake, for a reason alone; else a name
    leaves the list by a successor or an order.
    """

    id: str
    kind: str
    label: str
    unnamed: str
    space: IdentifierSpace
    fields: tuple[Field, ...]
    procedures: tuple[DeclaredProcedure, ...]
    numbering: Numbering | DrawnNumbering | None
    exports: tuple[Format, ...]
    name_exports: tuple[Format, ...] | None = None
    has_name_feeds: bool = True
    derived: tuple[DerivedFormat, ...] = ()
    check_texts: Callable[[Mapping[str, str]], Mapping[str, NameReport]] | None = None
    advise_change: Callable[[Mapping[str, str], Mapping[str, str]], Iterable[Finding]] | None = None
    holder_fields: tuple[str, ...] = ()
    template_page: str
    ends_as: str = "deprecated"
    voids: bool = False
    columns: tuple[FieldColumn, ...] = ()
    facets: tuple[ListFacet, ...] = ()
    has_references: bool = True
    has_experts: bool = True
    completed: Callable[[Mapping[str, str], str], Mapping[str, str]] | None = None
    kept_on_file: Callable[[Mapping[str, str], Mapping[str, str]], dict[str, str]] | None = None
    invitation: str = ""
    asked_first: str = ""
    headings: Mapping[FormSection, str] = field(default_factory=dict)
    group: str = "urn-namespaces"  # with which it is published: a row of ``registry_groups``
    named: Mapping[str, Field] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", {field.name: field for field in self.fields})

    @property
    def name_field(self) -> Field:
        """The field that holds the name itself."""
        return next(field for field in self.fields if field.widget is Widget.NID)

    @property
    def kind_word(self) -> str:
        """The kind as people read it: ``formal``, and ``NAAN`` where a label has its capitals."""
        return self.label if self.label.lower() == self.kind else self.kind

    @property
    def public_fields(self) -> tuple[Field, ...]:
        """The fields that a record shows, in the order of the template."""
        return tuple(field for field in self.fields if field.public)

    def public_texts(self, texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """What of some texts a record may hold: public fields that say something, in order."""
        return tuple((f.name, texts[f.name]) for f in self.public_fields if texts.get(f.name))

    def kept_texts(
        self, texts: Mapping[str, str], stands: Iterable[tuple[str, str]], day: str
    ) -> dict[str, str]:
        """What completes a text that changes a record: of what nobody types, what ``stands``."""
        if self.completed is None:
            return {}
        filled = {one.name for one in self.fields if one.widget is Widget.FILLED_IN}
        kept = {name: text for name, text in stands if name in filled}
        if self.kept_on_file is not None:
            kept |= self.kept_on_file(texts, dict(stands))
        return {**self.completed(texts, day), **kept}

    @property
    def correctable_fields(self) -> tuple[Field, ...]:
        """What of a record an operator corrects field by field: nothing of a template's words."""
        if self.template_page:
            return ()
        typed = (field for field in self.public_fields if field.widget is not Widget.FILLED_IN)
        return tuple(field for field in typed if field.widget is not Widget.NID)

    def heading_of(self, section: FormSection) -> str:
        """The heading of a page of the form."""
        return self.headings.get(section, section.heading)

    @property
    def text_noun(self) -> str:
        """What the text of a request is called: it fills in a template, or answers questions."""
        return "template" if self.template_page else "answers"

    @property
    def takes_paragraphs(self) -> bool:
        """Whether what everybody reads has room for more than lines, such as for an address."""
        return any(field.is_long for field in self.public_fields)

    @property
    def title(self) -> str:
        """The label of a registry as a heading has it: ``Formal namespace``."""
        return self.label[:1].upper() + self.label[1:]

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
