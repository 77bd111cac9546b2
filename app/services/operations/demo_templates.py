"""The texts of the demonstration's requests: whole templates, of made-up societies."""

from dataclasses import dataclass

from app.registration.profiles.profile_answers import write_profile
from app.registration.profiles.profile_records import ExampleName, NamespaceProfile


@dataclass(frozen=True, slots=True)
class DemoTemplate:
    """What differs between the templates: the name, who asks for it, and what its names name.

    ``kinds`` are two words that stand in the names before a number; ``name`` is empty for one that
    is to be a number itself.
    """

    name: str
    society: str
    things: str
    kinds: tuple[str, str]
    standard: bool = False

    @property
    def host(self) -> str:
        """Where the society is reached."""
        return f"{self.name or self.kinds[0]}.example"

    @property
    def home(self) -> str:
        """Where the society says more of its names."""
        return f"https://{self.host}/urn"

    @property
    def examples(self) -> tuple[str, ...]:
        """A name of each kind, of a namespace whose name is known."""
        one, other = self.kinds
        return (f"urn:{self.name}:{one}:120", f"urn:{self.name}:{other}:4711") if self.name else ()

    @property
    def profile(self) -> str:
        """What people look up, as the form keeps it."""
        said = NamespaceProfile(
            title=f"Names of {self.things}",
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
    "purpose": "{society} keeps the international list of {things}, some 23,000 of them, with "
    "their history. Each gets a name.\n\n"
    "The names are used by archives, libraries and authorities, on the public Internet and in "
    "private networks.\n\n"
    "Their users gain names that stay the same when a record moves, which the numbers of the "
    "printed lists do not. Others on the Internet gain links that outlive web sites.\n\n"
    "No existing namespace covers this: the namespaces for publications name the lists, not what "
    "is listed. Existing schemes name places, and these move.\n\n"
    "Catalogues and archive software can use the names as plain identifiers; browsers can follow "
    "them by a resolver.\n\n"
    "The namespace is not expected to become part of a standard.",
    "syntax": "The structure of a name, in ABNF (RFC 5234):\n\n"
    '    assigned-name = {beginning} kind ":" number\n'
    '    kind          = "{one}" / "{other}"\n'
    "    number        = %x31-39 *DIGIT\n\n"
    "The number carries no meaning. Examples:\n\n{examples}\n\n"
    "No special characters are used, so that nothing is percent-encoded.\n\n"
    "Two names are equivalent when they are URN-equivalent (RFC 8141 section 3.1).\n\n"
    "Identifiers of the earlier card file are converted by writing the kind before the number.\n\n"
    "R-components and q-components are not used. F-components are those of the media type that "
    "is returned.",
    "assignment": "{society} assigns all names. National members apply for numbers at the "
    "secretariat, in blocks of 100.\n\n"
    "A single counter gives the blocks, so that each number is unique.\n\n"
    "A name is never reassigned. Names are persistent and stay valid when a member leaves.\n\n"
    "Should the society cease to exist, its statutes transfer the list to the national library "
    "that holds its archive.",
    "security_and_privacy": "Two records that are wrongly merged would mislead a reader; each "
    "record tells its sources.\n\n"
    "The numbers of a block follow each other, so names can be enumerated. What they lead to is "
    "public, and no name identifies a person.\n\n"
    "The threats described in RFC 3552 and RFC 6973 were considered; beyond those above there "
    "are none known.",
    "interoperability": "By their syntax the names cannot be confused with those of other "
    "namespaces. By their scope they overlap with the identifiers that archives give to "
    "documents, and a document may have both.\n\n"
    "No concerns are known that would have to be settled before this registration.",
    "resolution": "Resolution is intended. The society will run a resolver, which anybody can "
    "use. Others can run resolvers too, if they answer for every assigned name and are updated "
    "at least once a month.",
    "documentation": "{home}, the specification of the namespace (edition 2, 2026)",
    "additional_information": "The list is described at {home}/list.",
}
