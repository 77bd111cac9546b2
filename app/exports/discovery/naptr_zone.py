"""NAPTR records of the DNS: for each namespace, where its names are resolved by THTTP.

They stand below a domain of the operator's own, since ``urn.arpa`` is IANA's.
"""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from app.exports.content.file_names import URN_NAMESPACES
from app.exports.content.publication_site import PublicationSite
from app.registration.profiles.profile_records import Resolution, Resolvability, ServiceKind
from app.registration.records.registry_records import Registration, RegistrySnapshot, Status

ZONE = f"/dns/{URN_NAMESPACES}.zone"
MEDIA_TYPE = "text/dns"  # RFC 4027

_TTL = 86_400  # seconds; a namespace comes or goes rarely
_ORDER = 100  # one for all rules of a name: a client may take the one that it understands
_LONGEST = 255  # octets of a character-string, RFC 1035 section 3.3
_SERVER = "_thttp._tcp"  # where a client looks for the host and its port (RFC 2782)
_PORT = 80
_LOCATORS = frozenset(
    {ServiceKind.LOCATION, ServiceKind.LOCATIONS, ServiceKind.RESOURCE, ServiceKind.RESOURCES}
)
_OF_LOCATORS = ("I2L", "I2Ls", "I2R", "I2Rs")
_OF_ALL = ("I2C", "I2Ns")
_HEAD = """\
; NAPTR records (RFC 3403, RFC 3404) of the URN namespaces of {place}, edition {edition}.
; A part of a zone, without SOA and NS, which are for the zone's own file to say. There write
;     $INCLUDE urn-namespaces.zone
$ORIGIN {suffix}.
"""


class _NaptrRecord(NamedTuple):
    preference: int
    flag: str
    services: tuple[str, ...]
    regexp: str
    replacement: str

    def line(self, owner: str) -> str:
        token = "+".join(("thttp", *self.services))
        return (
            f"{owner} {_TTL} IN NAPTR {_ORDER} {self.preference} "
            f'"{self.flag}" "{token}" "{self.regexp}" {self.replacement}\n'
        )


def zone_bytes(snapshot: RegistrySnapshot, place: PublicationSite, suffix: str) -> bytes:
    """The records of a snapshot's namespaces as a part of a master file, sorted by their names.

    Each registered name has a rule of which the address of a service comes (flag ``u``), for one
    location or else for a description, and one that names all services at the host (flag ``s``),
    where the site has a host's name and speaks plain HTTP. ``suffix`` is a domain without a full
    stop at its end.

    Source: RFC 1035 section 5; RFC 3402 section 3.2; RFC 3404 sections 4.3 to 4.5.
    """
    head = _HEAD.format(place=place.base_url, edition=snapshot.edition, suffix=suffix)
    return "".join((head, *_lines(snapshot, place))).encode("ascii")


def _lines(snapshot: RegistrySnapshot, place: PublicationSite) -> Iterator[str]:
    server = _server(place)
    if server:
        yield f"{_SERVER} {_TTL} IN SRV 0 0 {server}\n"
    named = (record for record in snapshot.records() if record.status is not Status.FORMER)
    for record in sorted(named, key=lambda record: record.folded):
        for rule in _rules(record, place, has_server=bool(server)):
            yield rule.line(record.folded)


def _rules(
    record: Registration, place: PublicationSite, *, has_server: bool
) -> Iterator[_NaptrRecord]:
    services = (*(_OF_LOCATORS if _is_located(record.profile.resolution) else ()), *_OF_ALL)
    first = services[0]
    # Of RFC 2169's own names for them the first letter is another. No `!` stands in an address.
    regexp = rf"!^(.*)$!{place.base_url}/uri-res/N{first[1:]}?\\1!"
    if len(regexp) <= _LONGEST and "!" not in place.base_url:
        yield _NaptrRecord(10, "u", (first,), regexp, ".")
    if has_server:
        yield _NaptrRecord(20, "s", services, "", _SERVER)


def _is_located(resolution: Resolution) -> bool:
    is_meant = resolution.resolvability is not Resolvability.NOT_RESOLVED
    return is_meant and any(service.kind in _LOCATORS for service in resolution.services)


def _server(place: PublicationSite) -> str:
    """The port and the host of a site for a SRV record.

    Empty for one that has an address alone, and for one that is asked by HTTPS: a client of THTTP
    would speak plain HTTP to that port.

    Source: RFC 2782, of which the target is a name; RFC 3404 section 4.4; RFC 2169 section 2.
    """
    parts = urlsplit(place.base_url)
    if parts.scheme != "http":
        return ""
    host, port = parts.hostname or "", parts.port or _PORT
    is_name = any(letter.isalpha() for letter in host) and ":" not in host
    return f"{port} {host}." if is_name and host.isascii() else ""
