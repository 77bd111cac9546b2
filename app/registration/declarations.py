"""What a registry is: its fields, procedures, numbering and formats, as data.

Forms, pages, diffs, texts and exports loop over these rows; a new field is one row.
"""

from dataclasses import dataclass
from enum import StrEnum


class Procedure(StrEnum):
    """The ways to a registration (RFC 8141 sections 5.2, 6.2 and 6.3)."""

    COMMUNITY = "community"
    STANDARDS_ACTION = "standards action"
    FAST_TRACK = "fast track"
    INFORMAL = "informal"


class Format(StrEnum):
    """The forms in which an edition of a registry is published."""

    XML = "xml"
    XHTML = "xhtml"
    TXT = "txt"
    JSON = "json"
    CSV = "csv"
    TTL = "ttl"
    JSONLD = "jsonld"
    NT = "nt"


class Widget(StrEnum):
    """How a form asks for a field."""

    NID = "nid"
    LINE = "line"
    EMAIL = "email"
    TEXT = "text"
    FILLED_IN = "filled in"  # by the software, at the time of sending


class Required(StrEnum):
    """When a field must be filled in."""

    ALWAYS = "always"
    FORMAL = "formal"
    FAST_TRACK = "fast track"
    REVISION = "revision"
    NEVER = "never"


class Section(StrEnum):
    """The pages of the form, in the order in which people are asked."""

    NAME_AND_PURPOSE = "name-and-purpose"
    REGISTRANT = "registrant"
    SYNTAX = "syntax"
    ASSIGNMENT = "assignment"
    SAFETY_AND_USE = "safety-and-use"
    DOCUMENTS = "documents"

    @property
    def heading(self) -> str:
        """The heading of the page."""
        return self.value.replace("-", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Hint:
    """One point that reviewers look for in a field, and where it is asked."""

    text: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a template: what it is called, how it is asked for, who may read it."""

    name: str
    label: str
    help: str
    widget: Widget
    required: Required
    section: Section
    source: str
    public: bool = True
    hints: tuple[Hint, ...] = ()
    missing: str = ""

    @property
    def is_long(self) -> bool:
        """Whether the field takes paragraphs, in Markdown."""
        return self.widget is Widget.TEXT


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


def _hints(source: str, *texts: str) -> tuple[Hint, ...]:
    return tuple(Hint(text, source) for text in texts)


def _numbered(source: str, *texts: str) -> tuple[Hint, ...]:
    return tuple(Hint(text, f"{source}, point {n}") for n, text in enumerate(texts, 1))


TEMPLATE_FIELDS: tuple[Field, ...] = (
    Field(
        name="namespace_identifier",
        label="Namespace Identifier",
        help="The part after urn:, 3 to 32 letters, digits and hyphens. Upper and lower case "
        "count as the same. It can never be changed.",
        widget=Widget.NID,
        required=Required.FORMAL,
        section=Section.NAME_AND_PURPOSE,
        source="RFC 8141 section 5.1",
        hints=_hints(
            "RFC 8141 section 5.1",
            "Experts ask about names that look like a country, a trademark, a URI scheme or "
            "another namespace.",
        ),
        missing="Enter the name you ask for.",
    ),
    Field(
        name="version",
        label="Version",
        help="Counts the registered texts of this namespace, from 1. It is filled in for you.",
        widget=Widget.FILLED_IN,
        required=Required.NEVER,
        section=Section.DOCUMENTS,
        source="RFC 8141 appendix A",
    ),
    Field(
        name="date",
        label="Date",
        help="The day the registration is asked for, as YYYY-MM-DD. It is filled in when you "
        "send the request.",
        widget=Widget.FILLED_IN,
        required=Required.ALWAYS,
        section=Section.DOCUMENTS,
        source="RFC 8141 appendix A",
        missing="Give the day of the request as YYYY-MM-DD.",
    ),
    Field(
        name="registrant",
        label="Registrant",
        help="The organization that registers the name, and a role that can be written to. "
        "This text is published for ever: use a role address, not a person's.",
        widget=Widget.TEXT,
        required=Required.ALWAYS,
        section=Section.REGISTRANT,
        source="RFC 8141 appendix A",
        hints=_hints(
            "RFC 8141 appendix A",
            "The name and address of the organization that registers the namespace",
            "Whom to write to about it, now and in ten years: a role such as urn@ or standards@",
            "On the fast track: that you are a standards organization, a scientific society or "
            "their designee",
        ),
        missing="Say which organization registers the name and how to reach it.",
    ),
    Field(
        name="purpose",
        label="Purpose",
        help="Say what the names identify, for whom, and what existing namespaces lack.",
        widget=Widget.TEXT,
        required=Required.ALWAYS,
        section=Section.NAME_AND_PURPOSE,
        source="RFC 8141 section 6.4.1",
        hints=_numbered(
            "RFC 8141 section 6.4.1",
            "What kinds of things get a name",
            "Who uses the names, and whether on public or private networks",
            "What its users and the Internet gain from using or resolving the names",
            "How it relates to other namespaces, URI schemes and identifiers, and what it adds",
            "Which kinds of software can use or resolve the names",
            "Whether names can be, or will be, resolved, and by what; examples of q-components "
            "and r-components help",
            "Whether the namespace is to become part of a standard, of the IETF or another body",
        ),
        missing="Enter the purpose.",
    ),
    Field(
        name="syntax",
        label="Syntax",
        help="Show how a name is built, best as ABNF with examples. Without a word about "
        "r-, q- and f-components, what they mean stays undefined.",
        widget=Widget.TEXT,
        required=Required.ALWAYS,
        section=Section.SYNTAX,
        source="RFC 8141 section 6.4.2",
        hints=_numbered(
            "RFC 8141 section 6.4.2",
            "The structure of a name: a grammar, an algorithm, a pattern, or that it is opaque",
            "Rules for encoding special characters",
            "Which spellings count as the same name; such a rule may only join names, never "
            "tell apart what RFC 8141 section 3.1 holds equal",
            "What must be changed in an existing identifier to make it fit into a URN",
            "What q-components and f-components mean here, if anything",
        ),
        missing="Describe the structure of the names, with an example.",
    ),
    Field(
        name="assignment",
        label="Assignment",
        help="Say who gives out names, who can ask for one, and what makes each unique for ever.",
        widget=Widget.TEXT,
        required=Required.ALWAYS,
        section=Section.ASSIGNMENT,
        source="RFC 8141 section 6.4.3",
        hints=_numbered(
            "RFC 8141 section 6.4.3",
            "Who assigns names: anybody, a closed group, or delegated authorities; if limited, "
            "how to become an assigner or get a name from one",
            "What makes each name unique: a sequence, parts given to authorities, an algorithm",
        )
        + _hints(
            "RFC 8141 section 5.1",
            "That names are never given to something else, and stay valid when their owner is gone",
            "How the namespace goes on if the organization no longer can",
        ),
        missing="Say who assigns names and how they stay unique.",
    ),
    Field(
        name="security_and_privacy",
        label="Security and Privacy",
        help="What can go wrong when names are assigned, used or resolved. "
        "“None known” is an answer, after some thought.",
        widget=Widget.TEXT,
        required=Required.ALWAYS,
        section=Section.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.4",
        hints=_hints(
            "RFC 8141 section 6.4.4",
            "What happens when two names are wrongly held to be the same, or different",
            "What a name tells strangers when it crosses the public Internet",
            "Whether names can be collected to learn about people or things",
            "Other points of the guidelines for security and privacy, RFC 3552 and RFC 6973",
        ),
        missing="Describe risks to security and privacy; “none known” is an answer.",
    ),
    Field(
        name="interoperability",
        label="Interoperability",
        help="What could be confused with these names, or be a trouble to software. "
        "“None known” is an answer.",
        widget=Widget.TEXT,
        required=Required.ALWAYS,
        section=Section.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.5",
        hints=_hints(
            "RFC 8141 section 6.4.5",
            "Confusion with other namespaces, identifiers or URI schemes by syntax, such as "
            "percent-encoding",
            "Confusion by scope, such as overlapping fields of interest",
            "Concerns to be settled before or together with this registration",
        ),
        missing="Describe what could be confused with these names; “none known” is an answer.",
    ),
    Field(
        name="resolution",
        label="Resolution",
        help="Say whether names are meant to be looked up, and where. "
        "“Not resolvable” is an answer.",
        widget=Widget.TEXT,
        required=Required.ALWAYS,
        section=Section.SAFETY_AND_USE,
        source="RFC 8141 section 6.4.6",
        hints=_hints(
            "RFC 8141 section 6.4.6",
            "Whether resolution is meant or expected",
            "Whether you run or recommend a resolver",
            "What a resolver must fulfil to be publicly listed, if you list them",
            "How r-components are to be treated, if they mean anything here",
        ),
        missing="Say whether the names can be resolved; “not intended” is an answer.",
    ),
    Field(
        name="documentation",
        label="Documentation",
        help="A stable document that says more: an RFC, a standard, a page that will stay. "
        "Experts expect one.",
        widget=Widget.TEXT,
        required=Required.FAST_TRACK,
        section=Section.DOCUMENTS,
        source="RFC 8141 section 6.2 and appendix A",
        hints=_hints(
            "RFC 8141 section 6.2",
            "A specification of the namespace, beyond this template: it is your contract with "
            "those who will use the names",
        ),
        missing="Point to the specification that defines the namespace.",
    ),
    Field(
        name="additional_information",
        label="Additional Information",
        help="Anything else that helps a reader, such as a comparison with namespaces that "
        "seem to overlap. You can leave it empty.",
        widget=Widget.TEXT,
        required=Required.NEVER,
        section=Section.DOCUMENTS,
        source="RFC 8141 section 6.4.7",
    ),
    Field(
        name="revision_information",
        label="Revision Information",
        help="What differs from the registered version, and which changes in technology or "
        "management led to it.",
        widget=Widget.TEXT,
        required=Required.REVISION,
        section=Section.DOCUMENTS,
        source="RFC 8141 section 6.2",
        missing="Describe what differs from the version before.",
    ),
)

_CONTACT = "RFC 8141 appendix A"

CONTACT_FIELDS: tuple[Field, ...] = (
    Field(
        name="contact_name",
        label="Contact’s name",
        help="Who answers for this request. Only the operator and the experts see it.",
        widget=Widget.LINE,
        required=Required.NEVER,
        section=Section.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
    Field(
        name="contact_address",
        label="Contact’s e-mail address",
        help="Where the operator writes when something is to be settled. Never published.",
        widget=Widget.EMAIL,
        required=Required.NEVER,
        section=Section.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
    Field(
        name="contact_telephone",
        label="Contact’s telephone",
        help="Only if you want to be called. Never published.",
        widget=Widget.LINE,
        required=Required.NEVER,
        section=Section.REGISTRANT,
        source=_CONTACT,
        public=False,
    ),
)

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


def fields_of(section: Section, registry: Registry = FORMAL) -> tuple[Field, ...]:
    """The fields that one page of the form asks for, in the order of the template."""
    return tuple(field for field in registry.fields if field.section is section)
