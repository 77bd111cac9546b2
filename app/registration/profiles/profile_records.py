"""What a namespace says of itself beside its template: its profile, as frozen values.

A profile tells people what the names are for, and programs which names there can be and where
each of them leads. Its members are facts of the registration, each with its source.
"""

from dataclasses import dataclass
from enum import StrEnum


class ServiceKind(StrEnum):
    """What a service gives for a name. Source: RFC 2483 section 4; I=I: section 4.9."""

    LOCATION = "I2L"
    LOCATIONS = "I2Ls"
    RESOURCE = "I2R"
    RESOURCES = "I2Rs"
    DESCRIPTION = "I2C"
    DESCRIPTIONS = "I2Cs"
    NAME = "I2N"
    NAMES = "I2Ns"
    EQUALITY = "I=I"


class Resolvability(StrEnum):
    """Whether names are resolved at all, as their registration says.

    Source: RFC 8141 section 6.4.6.
    """

    RESOLVED = "resolved"
    ELSEWHERE = "documented elsewhere"
    METADATA = "metadata only"
    AUTHORIZED = "by authorization only"
    UNDECLARED = "none declared"
    NOT_RESOLVED = "not meant to be resolved"


class CaseRule(StrEnum):
    """Whether upper and lower case make a difference in an NSS."""

    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"
    MIXED = "mixed"  # in a part of it


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleName:
    """A URN of the namespace, as ``source`` shows it."""

    urn: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NssPattern:
    """A regular expression that the whole NSS matches, written as it stands in a URN.

    An ``is_exact`` one says which names there can be; any other is necessary only: what it
    refuses is no name, what it takes may be one.
    """

    expression: str
    is_exact: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceStatement:
    """A rule of equivalence in a sentence, and the clause that states it.

    ``unapplied`` says in a sentence that names are not compared by it here, or by what of it;
    where it is empty, they are.
    """

    rule: str
    clause: str
    unapplied: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionService:
    """One place that answers for names of the namespace.

    ``target`` is a template of RFC 6570 with the variables ``nss`` and the named groups of the
    pattern, or of ``when``. It applies where ``when``, a pattern on the NSS, matches (an empty
    one always does) and every variable is set. ``since`` and ``until`` are days. ``takes_r``: it
    understands r-components. ``is_resolver``: it is a URN resolver itself, so that r- and
    q-components go on as they are written. ``is_registrants``: the registration names it; else it
    is marked as not the registrant's. ``is_sure``: somebody saw it answer so.
    """

    kind: ServiceKind
    target: str
    when: str = ""
    media_type: str = ""
    language: str = ""
    country: str = ""
    contact: str = ""
    since: str = ""
    until: str = ""
    takes_r: bool = False
    is_resolver: bool = False
    is_registrants: bool = False
    is_sure: bool = True
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """How the names of a namespace are resolved (RFC 8141 section 6.4.6).

    ``says`` are the registration's words in short. Where ``is_choice``, its services are equals
    and the asker chooses. Where ``sends_normal_form``, a service gets the name in the namespace's
    own normal form, not as it was written. Where ``extends_names``, whatever follows a name may be
    handed on to where that leads.
    """

    resolvability: Resolvability = Resolvability.UNDECLARED
    says: str = ""
    services: tuple[ResolutionService, ...] = ()
    is_choice: bool = False
    sends_normal_form: bool = False
    extends_names: bool = False


NO_RESOLUTION = Resolution()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceProfile:
    """All of it. ``names`` is what the URNs name, in a few words: "books".

    ``check`` is the check algorithm by its name in ``app.resolution.check_digits``. ``rules`` tell
    in sentences what the record's ``equivalence`` tells in data, and what cannot be told so.
    ``related`` are names of other namespaces, folded. ``homepage_source`` says who gave it.
    """

    title: str = ""
    names: str = ""
    description: str = ""
    holder: str = ""
    homepage: str = ""
    homepage_source: str = ""
    examples: tuple[ExampleName, ...] = ()
    pattern: NssPattern | None = None
    case: CaseRule | None = None
    rules: tuple[EquivalenceStatement, ...] = ()
    check: str = ""
    resolution: Resolution = NO_RESOLUTION
    components: str = ""
    remarks: str = ""
    related: tuple[str, ...] = ()


NO_PROFILE = NamespaceProfile()
