"""A template that is filled in whole, for those who fill in their first one.

The organization and its names are made up. It asks for `example`, which stands for any name.
"""

from collections.abc import Mapping

from app.registration.profiles.profile_answers import (
    PROFILE,
    SERVICES,
    write_profile,
    write_services,
)
from app.registration.profiles.profile_records import (
    ExampleName,
    NamespaceProfile,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)

_TYPED: Mapping[str, str] = {
    "namespace_identifier": "example",
    "version": "1",
    "date": "2026-11-21",
    "registrant": """Example Society for Lighthouse Heritage

Secretariat, 1 Harbour Road, Exampleton

E-mail: urn@lighthouses.example""",
    "purpose": """The Society keeps the international list of lighthouses and lightships, some
23,000 of them, with their history and their technical records. Each lighthouse, each
of its lights and each document about them gets a name.

The names are used by maritime archives, hydrographic offices and heritage
authorities, on the public Internet and in the private networks of ships, where no
connection can be relied on.

Their users gain a name that stays the same when a light is renumbered, moved or
taken out of service, which the numbers of the printed lists do not. Others on the
Internet gain links to records that outlive the web sites that hold them.

No existing namespace covers this. Numbers of printed lists of lights are given by each
publisher and given again; the namespaces for publications name the lists, not the
lights; the scheme "geo" names places, which lightships change.

Catalogues, chart software and archive systems can use the names as plain
identifiers; browsers can follow them by the Society's resolver.

Names can be resolved by the Society's resolver (see Resolution). For instance
urn:example:light:4711?=year=1912 asks for the state of a light in 1912.

The namespace is not expected to become part of a standard of the IETF or of another
body.""",
    "syntax": """The structure of a name, in ABNF (RFC 5234):

    assigned-name = "urn:example:" kind ":" number
    kind          = "house" / "light" / "doc"
    number        = %x31-39 0*7DIGIT

The number carries no meaning. Examples:

    urn:example:house:120
    urn:example:light:4711

No special characters are used, so that nothing is percent-encoded.

Two names are equivalent when they are URN-equivalent (RFC 8141 section 3.1) and
also when their kind differs in upper and lower case alone: urn:example:LIGHT:4711
and urn:example:light:4711 name the same light.

Identifiers of the Society's earlier card file, such as "L 4711", are converted by
writing the kind for the letter and leaving the space out.

A q-component "year" with four digits asks for the state in that year. F-components
are those of the media type that is returned.""",
    "assignment": """The Society assigns all names. National members apply for numbers at the
secretariat, in blocks of 100; anybody can report a lighthouse that has none.

A single counter gives the blocks, so that each number is unique. A number is
used once for each kind.

A name is never reassigned, also when the light it names was destroyed or recorded by
mistake; it then leads to a note that says so. Names are persistent and stay valid
when a member leaves the Society.

Should the Society cease to exist, its statutes transfer the list and the assignment
of names to the national library that holds its archive.""",
    "security_and_privacy": """Two records that are wrongly merged would make a mariner read the
character of another light. Nobody should navigate by these names, and each record
says so.

A name reveals which light somebody asks about when it crosses the public Internet in
clear; the resolver is reached by HTTPS alone.

The numbers of a block follow each other, so names can be enumerated. What they lead to
is public, and no name identifies a person.

The threats described in RFC 3552 and RFC 6973 were considered; beyond those above
there are none known.""",
    "interoperability": """By their syntax the names cannot be confused with those of other
namespaces. They hold no characters that software would percent-encode.

By their scope they overlap with the identifiers that archives give to documents. A
document may have both.

No concerns are known that would have to be settled before this registration.""",
    "resolution": """Resolution is intended. The Society runs a resolver, which anybody can use:

    https://resolver.lighthouses.example/{URN}

Others can run resolvers too. To be listed publicly, one must answer for every
assigned name and must be updated at least once a month.

R-components have no meaning in this namespace.""",
    "documentation": "https://lighthouses.example/urn, the specification of the namespace "
    "(Lighthouse names, edition 2, 2026)",
    "additional_information": "The list of lights of the Society is described at "
    "https://lighthouses.example/list.",
}


def _flowed(text: str) -> str:
    """Each paragraph on one line, as one types it in a browser; what is indented stays."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(p if p.startswith(" ") else " ".join(p.split()) for p in paragraphs)


EXAMPLE: Mapping[str, str] = {name: _flowed(text) for name, text in _TYPED.items()}

_RESOLVER = ResolutionService(
    kind=ServiceKind.LOCATION,
    target="https://resolver.lighthouses.example/urn:example:{+nss}",
    contact="Secretariat of the Society",
    is_resolver=True,
    is_registrants=True,
)
_PROFILE = NamespaceProfile(
    title="Names of lighthouses",
    names="lighthouses, their lights and the documents about them",
    homepage="https://lighthouses.example/urn",
    examples=(ExampleName(urn="urn:example:house:120"), ExampleName(urn="urn:example:light:4711")),
    resolution=Resolution(resolvability=Resolvability.RESOLVED, services=(_RESOLVER,)),
)
# What the form asks beside the template, as it is sent.
EXAMPLE_ANSWERS: Mapping[str, str] = {
    PROFILE: write_profile(_PROFILE),
    SERVICES: write_services(_PROFILE.resolution),
}
