"""The records of a registry: frozen values that every other room passes along."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from app.identifiers.equivalence import PLAIN, Equivalence
from app.identifiers.errors import Finding
from app.registration.declarations.registries import REGISTRIES, URN_SPACE, IdentifierSpace
from app.registration.profiles.profile_records import NO_PROFILE, NamespaceProfile
from app.registration.records.succession import is_voided

_NO_NAMES = URN_SPACE.index((), ())


class XrefType(StrEnum):
    """What a reference points at, in the words of IANA's registry files."""

    RFC = "rfc"
    DRAFT = "draft"
    ERRATA = "rfc-errata"
    URI = "uri"
    PERSON = "person"
    REGISTRY = "registry"
    NOTE = "note"
    UNICODE = "unicode"
    TEXT = "text"


class XrefFragment(StrEnum):
    """The part of an RFC or draft that a reference may name."""

    SECTION = "section"
    PAGE = "page"
    APPENDIX = "appendix"
    TABLE = "table"
    FIGURE = "figure"
    ANCHOR = "anchor"


class Status(StrEnum):
    """Whether a registered name is in use. A name that once was registered stays taken."""

    REGISTERED = "registered"
    DEPRECATED = "deprecated"
    FORMER = "former"


class TemplateStyle(StrEnum):
    """The form a template has: the document whose fields it fills in."""

    RFC8141 = "rfc8141"
    RFC3406 = "rfc3406"
    RFC2611 = "rfc2611"
    FACTS = "facts"  # no template on file, only what the registry says


@dataclass(frozen=True, slots=True)
class Xref:
    """One reference.

    ``title`` is what the thing referred to is called. It is shown and searched on
    pages and left out of IANA's formats, which have no place for it.
    """

    type: XrefType
    data: str = ""
    label: str = ""
    fragment: XrefFragment | None = None
    at: str = ""
    lastupdated: str | None = None
    title: str = ""


RichText = tuple[str | Xref, ...]


class DisputeKind(StrEnum):
    """What somebody holds against a registration."""

    DISPUTE = "dispute"
    APPEAL = "third-party appeal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """What is noted beside a registration, which stands nevertheless.

    ``date`` is the day on which it was noted, ``reference`` says where a court's order can be
    read, ``grounds`` what is held against the registration.
    """

    kind: DisputeKind
    date: str
    reference: str = ""
    grounds: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """One registered namespace as it stands in one edition of the registry.

    ``updated`` is the day of the last change to the record, ``date`` the day of
    registration; either may be unknown, or a month. ``version`` is that of the template.
    ``text`` is a template that came as a whole, word for word, and not field by field;
    ``text_source`` is the place from which it was cut, such as ``RFC 5279, section 2``.
    ``equivalence`` is what the registration declares beside section 3.1 of RFC 8141.
    ``disputes`` stand in the order in which they were noted. ``profile`` is what it says beside
    its template, for people who look names up and for programs that resolve them. ``space`` is
    what the name is unique in.
    """

    name: str
    date: str | None = None
    updated: str | None = None
    template: RichText = ()
    references: tuple[Xref, ...] = ()
    contact: RichText | None = None
    status: Status = Status.REGISTERED
    successor: str | None = None
    version: int | None = None
    style: TemplateStyle = TemplateStyle.FACTS
    fields: tuple[tuple[str, str], ...] = ()
    request: int | None = None
    text: str = ""
    text_source: str = ""
    equivalence: Equivalence = PLAIN
    disputes: tuple[Dispute, ...] = ()
    profile: NamespaceProfile = NO_PROFILE
    space: IdentifierSpace = field(default=URN_SPACE, repr=False, compare=False)

    @property
    def is_voided(self) -> bool:
        """Whether the name was given by mistake, and is in use no more."""
        return is_voided(self.fields)

    @property
    def has_template(self) -> bool:
        """Whether a template is on file here."""
        return bool(self.text or self.fields)

    @property
    def folded(self) -> str:
        """The name as its space compares it."""
        return self.space.fold(self.name)

    @property
    def key(self) -> str:
        """The name beside those of other spaces: folded, and with its space as that tells it."""
        return self.space.about(self.folded)

    @property
    def successor_folded(self) -> str:
        """The name to use instead as its space compares it; empty where there is none."""
        return self.space.fold(self.successor or "")


def broken_rules(name: str, registry: str) -> tuple[Finding, ...]:
    """Return the rules for new URN namespaces that a name in a table breaks, taken or not.

    A registered name that breaks one is a legacy name: ``ad-id`` begins with two letters and a
    hyphen. The result is empty for the names of other spaces.
    """
    declared = REGISTRIES.get(registry)
    if declared is None or declared.space is not URN_SPACE:
        return ()
    return tuple(URN_SPACE.check(name, declared.kind, _NO_NAMES).problems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody a reference of type person names."""

    id: str
    name: str | None = None
    org: str | None = None
    uris: tuple[str, ...] = ()
    updated: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubRegistry:
    """One table of the registry with what stands above it, in the registry's own order."""

    id: str
    title: str
    references: tuple[Xref, ...] = ()
    rule: RichText = ()
    expert: str = ""
    records: tuple[Registration, ...] = ()

    def __post_init__(self) -> None:
        declared = REGISTRIES.get(self.id)
        if declared and any(record.space is not declared.space for record in self.records):
            placed = (replace(record, space=declared.space) for record in self.records)
            object.__setattr__(self, "records", tuple(placed))


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrySnapshot:
    """The whole registry at one moment: what one edition publishes.

    ``notice`` is what a registry that is not IANA's has to say of itself on every page
    and in every format; empty for the official one. ``on_file`` is what the file from which its
    names came says beside them, for whoever writes such a file again.
    """

    id: str
    title: str
    updated: str
    edition: int = 0
    notice: str = ""
    category: str = ""
    notes: tuple[RichText, ...] = ()
    registries: tuple[SubRegistry, ...] = ()
    people: tuple[Person, ...] = ()
    on_file: str = ""

    def records(self) -> Iterator[Registration]:
        """Every record of every table, in the registry's order."""
        for registry in self.registries:
            yield from registry.records

    def sole_record(self) -> tuple[SubRegistry, Registration]:
        """The one record that this holds, with its table; ValueError where there is not one."""
        (found,) = ((table, record) for table in self.registries for record in table.records)
        return found


class Purpose(StrEnum):
    """Whether a request asks for a new namespace or changes a registered one."""

    NEW = "new"
    REVISION = "revision"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A template as its registrant filled it in, before anybody has judged it.

    ``fields`` is public for ever once sent; ``private`` holds a contact's name, address
    and telephone, which never are. Where that ``is_kept_apart``, nothing is said of it.
    """

    registry: str
    purpose: Purpose = Purpose.NEW
    fields: dict[str, str] = field(default_factory=dict)
    private: dict[str, str] = field(default_factory=dict)
    standard_anticipated: bool | None = None
    is_kept_apart: bool = False


def plain_words(text: RichText) -> str:
    """The words of a mixed text, references in brackets and white space folded."""
    return " ".join(
        "".join(part if isinstance(part, str) else bracket_reference(part) for part in text).split()
    )


def bracket_reference(xref: Xref) -> str:
    """A reference as IANA's pages print it: ``[RFC8141, Section 6]`` or ``[label]``."""
    if xref.type is XrefType.TEXT:
        return xref.label
    return f"[{_shown(xref)}]"


def _shown(xref: Xref) -> str:
    if xref.type is XrefType.ERRATA:
        return f"RFC Errata {xref.data}"
    if xref.type is XrefType.PERSON:
        return xref.data  # a label may hold an address, which IANA does not show either
    name = xref.data.upper() if xref.type is XrefType.RFC else xref.label or xref.data
    return f"{name}, {xref.fragment.capitalize()} {xref.at}" if xref.fragment else name
