"""The templates of the demo's requests, for made-up societies."""

from dataclasses import dataclass

from app.registration.profiles.profile_answers import write_profile
from app.registration.profiles.profile_records import ExampleName, NamespaceProfile


@dataclass(frozen=True, slots=True)
class DemoTemplate:
    """The values of a template: the NID, the registrant, and what the URNs identify.

    ``kinds`` are the two words before the number in a URN; ``name`` is "" for an informal
    namespace.
    """

    name: str
    society: str
    things: str
    kinds: tuple[str, str]
    standard: bool = False

    @property
    def host(self) -> str:
        """The host name of the society."""
        return f"{self.name or self.kinds[0]}.example"

    @property
    def home(self) -> str:
        """The home page of the namespace."""
        return f"https://{self.host}/urn"

    @property
    def examples(self) -> tuple[str, ...]:
        """A URN of each kind, for a formal namespace."""
        one, other = self.kinds
        return (f"urn:{self.name}:{one}:120", f"urn:{self.name}:{other}:4711") if self.name else ()

    @property
    def profile(self) -> str:
        """The profile, as the form stores it."""
        said = NamespaceProfile(
            title=f"Identifiers of {self.things}",
            names=self.things,
            homepage=self.home,
            examples=tuple(ExampleName(urn=urn) for urn in self.examples),
        )
        return write_profile(said)

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the template."""
        one, other = self.kinds
        named = {
            "beginning": f'"urn:{self.name}:"' if self.name else '"urn:urn-" 1*DIGIT ":"',
            "society": self.society,
            "things": self.things,
            "host": self.host,
            "home": self.home,
            "one": one,
            "other": other,
            "examples": "\n".join(f"    {urn}" for urn in self.examples) or f"    {one}:120",
        }
        filled = {field: text.format_map(named) for field, text in _TEXTS.items()}
        return filled | {"namespace_identifier": self.name}


_TEXTS = {
    "registrant": "{society}\n\nSecretariat, 1 Harbour Road, Exampleton\n\nE-mail: urn@{host}",
    "purpose": "{society} maintains the international list of {things}: about 23,000 entries with "
    "their history. Each entry gets a URN.\n\n"
    "Archives, libraries and authorities use the URNs, on the public Internet and in private "
    "networks.\n\n"
    "Their users benefit from identifiers that stay the same when a record moves, unlike the "
    "numbers in the printed lists. Other Internet users benefit from links that outlive web "
    "sites.\n\n"
    "No existing namespace covers this: the namespaces for publications identify the lists, not "
    "their entries. Other schemes identify locations, which change.\n\n"
    "Catalogues and archive software can store the URNs as plain identifiers; browsers can follow "
    "them through a resolver.\n\n"
    "The namespace is not expected to become part of a standard.",
    "syntax": "The structure of a URN, in ABNF (RFC 5234):\n\n"
    '    assigned-name = {beginning} kind ":" number\n'
    '    kind          = "{one}" / "{other}"\n'
    "    number        = %x31-39 *DIGIT\n\n"
    "The number carries no meaning. Examples:\n\n{examples}\n\n"
    "No special characters are used, so nothing is percent-encoded.\n\n"
    "Two URNs are equivalent if they are URN-equivalent (RFC 8141 section 3.1).\n\n"
    "Identifiers from the old card index are converted by adding the kind before the number.\n\n"
    "R-components and q-components are not used. F-components are interpreted according to the "
    "media type of the resource.",
    "assignment": "{society} assigns all URNs. National members request numbers from the "
    "secretariat, in blocks of 100.\n\n"
    "The blocks come from a single counter, so each number is unique.\n\n"
    "A URN is never reassigned. URNs are persistent and stay valid when a member leaves.\n\n"
    "If the society ceases to exist, its statutes transfer the list to the national library "
    "that keeps its archive.",
    "security_and_privacy": "Records that are merged by mistake could mislead readers; each record "
    "lists its sources.\n\n"
    "The numbers of a block are consecutive, so URNs can be enumerated. All resources are public, "
    "and no URN identifies a person.\n\n"
    "The threats described in RFC 3552 and RFC 6973 were considered. No others are known.",
    "interoperability": "The syntax can't be confused with that of other namespaces. The "
    "scope overlaps with the identifiers that archives assign to documents; a document can have "
    "both.\n\n"
    "No concerns are known that must be resolved before registration.",
    "resolution": "Resolution is intended. The society will run a public resolver. Others can "
    "run resolvers too, if they resolve every assigned URN and are updated at least once a month.",
    "documentation": "{home}, specification of the namespace (edition 2, 2026)",
    "additional_information": "The list is described at {home}/list.",
}
