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
of its lights and each document about them gets a URN.

The URNs are used by maritime archives, hydrographic offices and heritage
authorities, on the public Internet and in the private networks of ships, which are
often offline.

Users benefit because a URN stays the same when a light is renumbered, moved or taken
out of service. The numbers in printed lists change. Links to the records also outlive
individual web sites.

No existing namespace covers this. Each publisher of printed lists assigns its own
numbers and reuses them. Namespaces for publications identify the lists, not the
lights. The URI scheme "geo" identifies places, but lightships move.

Catalogs, chart software and archive systems can use the URNs as plain identifiers.
Browsers can resolve them with the Society's resolver.

The Society's resolver resolves the URNs (see Resolution). For example,
urn:example:light:4711?=year=1912 requests the state of a light in 1912.

The namespace is not expected to become part of a standard of the IETF or of another
body.""",
    "syntax": """The structure of a URN, in ABNF (RFC 5234):

    assigned-name = "urn:example:" kind ":" number
    kind          = "house" / "light" / "doc"
    number        = %x31-39 0*7DIGIT

The number carries no meaning. Examples:

    urn:example:house:120
    urn:example:light:4711

The URNs contain no special characters, so nothing is percent-encoded.

Two URNs are equivalent if they are URN-equivalent (RFC 8141 section 3.1). They are
also equivalent if their kinds differ only in case: urn:example:LIGHT:4711 and
urn:example:light:4711 identify the same light.

Identifiers of the Society's earlier card file, such as "L 4711", are converted by
replacing the letter with the kind and removing the space.

A q-component "year" with four digits requests the state in that year. F-components
have the meaning defined by the returned media type.""",
    "assignment": """The Society assigns all URNs. National members apply to the
secretariat for numbers, in blocks of 100. Anyone can report a lighthouse that has no number.

A single counter assigns the blocks, so each number is unique. A number is used once
for each kind.

A URN is never reassigned, even if the light was destroyed or recorded by mistake. It
then resolves to a note that explains this. URNs are persistent and stay valid when a
member leaves the Society.

If the Society ceases to exist, its statutes transfer the list and the assignment of
URNs to the national library that keeps its archive.""",
    "security_and_privacy": """If two records were wrongly merged, a mariner could read the data
of another light. The URNs must not be used for navigation, and each record says so.

An unencrypted request on the public Internet reveals which light it is about, so the
resolver accepts only HTTPS.

The numbers of a block are sequential, so URNs can be enumerated. The records are
public, and no URN identifies a person.

The threats described in RFC 3552 and RFC 6973 were considered. No others are known.""",
    "interoperability": """The syntax of these URNs can't be confused with that of other
namespaces. They contain no characters that software would percent-encode.

Their scope overlaps with the identifiers that archives assign to documents. A document
can have both.

There are no known concerns to resolve before this registration.""",
    "resolution": """Resolution is intended. The Society runs a resolver that anyone can use:

    https://resolver.lighthouses.example/{URN}

Others can run resolvers too. To be listed publicly, a resolver must answer for every
assigned URN and must be updated at least once a month.

R-components have no meaning in this namespace.""",
    "documentation": "https://lighthouses.example/urn, the specification of the namespace "
    "(Lighthouse names, edition 2, 2026)",
    "additional_information": "The list of lights of the Society is described at "
    "https://lighthouses.example/list.",
}


def _flowed(text: str) -> str:
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
    title="Lighthouse identifiers",
    names="lighthouses, their lights and documents about them",
    homepage="https://lighthouses.example/urn",
    examples=(ExampleName(urn="urn:example:house:120"), ExampleName(urn="urn:example:light:4711")),
    resolution=Resolution(resolvability=Resolvability.RESOLVED, services=(_RESOLVER,)),
)
# What the form asks beside the template, as it is sent.
EXAMPLE_ANSWERS: Mapping[str, str] = {
    PROFILE: write_profile(_PROFILE),
    SERVICES: write_services(_PROFILE.resolution),
}
