"""Records of the DNS, read as name servers and clients read them."""

import re
import shutil
import subprocess
from pathlib import Path

import dns.name
import dns.rdatatype
import dns.zone
import pytest
from dns.rdtypes.IN.NAPTR import NAPTR
from dns.rdtypes.IN.SRV import SRV

from app.config import BadSetting, read_settings
from app.exports.content.publication_site import PublicationSite
from app.exports.discovery.naptr_zone import zone_bytes
from app.registration.profiles.profile_records import (
    NO_RESOLUTION,
    NamespaceProfile,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)
from app.registration.records.registry_records import (
    Registration,
    RegistrySnapshot,
    Status,
    SubRegistry,
)
from tests.conftest import leave_out

SUFFIX = "urn.example.org"
PLACE = PublicationSite("http://registry.example")
LONG = "a." * 120
_ZONE = f"@ 3600 IN SOA ns.{SUFFIX}. who.{SUFFIX}. 1 7200 900 1209600 3600\n@ 3600 IN NS ns\n"
_ZONE += "ns 3600 IN A 192.0.2.1\n"


def resolved(kind: ServiceKind, declared: Resolvability = Resolvability.RESOLVED) -> Resolution:
    services = (ResolutionService(kind=kind, target="https://a.example/{+nss}"),)
    return Resolution(resolvability=declared, services=services)


def snapshot(*records: Registration) -> RegistrySnapshot:
    tables = (SubRegistry(id="urn-namespaces-1", title="Formal", records=records),)
    return RegistrySnapshot(
        id="urn-namespaces", title="T", updated="", edition=7, registries=tables
    )


def record(
    name: str, resolution: Resolution = NO_RESOLUTION, status: Status = Status.REGISTERED
) -> Registration:
    return Registration(name=name, profile=NamespaceProfile(resolution=resolution), status=status)


SHOWN = snapshot(
    record("ZZ", resolved(ServiceKind.LOCATION)),
    record("about", resolved(ServiceKind.DESCRIPTION)),
    record("quiet", resolved(ServiceKind.LOCATION, Resolvability.NOT_RESOLVED)),
    record("plain"),
    record("urn-7"),
    record("old", status=Status.DEPRECATED),
    record("gone", status=Status.FORMER),
    record("x" * 32),
)


def zone_of(text: bytes, suffix: str = SUFFIX) -> dns.zone.Zone:
    """The zone that an operator makes of it."""
    return dns.zone.from_text(_ZONE.replace(SUFFIX, suffix) + text.decode(), f"{suffix}.")


def rules_of(zone: dns.zone.Zone, name: str) -> list[NAPTR]:
    found = zone.find_rdataset(name, dns.rdatatype.NAPTR)
    return sorted((one for one in found if isinstance(one, NAPTR)), key=lambda one: one.preference)


def rewritten(rule: NAPTR, urn: str) -> str:
    """What a client makes of a URN by a rule (RFC 3402 section 3.2)."""
    expression = rule.regexp.decode()
    _, pattern, replacement, flags = expression.split(expression[0])
    assert flags == ""
    assert re.fullmatch(r"(?:[^\\]|\\[1-9])*", replacement), "no other reference is taken"
    return re.sub(pattern, replacement, urn, count=1)


def test_each_registered_name_has_its_rules_and_no_other_name_has() -> None:
    zone = zone_of(zone_bytes(SHOWN, PLACE, SUFFIX))
    named = {str(name) for name, _ in zone.iterate_rdatasets(dns.rdatatype.NAPTR)}
    assert named == {"zz", "about", "quiet", "plain", "urn-7", "old", "x" * 32}


@pytest.mark.parametrize(
    ("name", "first", "services", "asked"),
    [
        ("zz", "thttp+I2L", "thttp+I2L+I2Ls+I2R+I2Rs+I2C+I2Ns", "N2L"),
        ("about", "thttp+I2C", "thttp+I2C+I2Ns", "N2C"),
        ("quiet", "thttp+I2C", "thttp+I2C+I2Ns", "N2C"),
        ("plain", "thttp+I2C", "thttp+I2C+I2Ns", "N2C"),
    ],
)
def test_a_rule_has_the_tokens_of_what_is_answered_and_leads_there(
    name: str, first: str, services: str, asked: str
) -> None:
    zone = zone_of(zone_bytes(SHOWN, PLACE, SUFFIX))
    address, server = rules_of(zone, name)
    assert (address.order, server.order) == (100, 100)
    assert address.preference < server.preference
    assert (address.flags, address.service) == (b"u", first.encode())
    assert address.replacement == dns.name.root
    urn = f"urn:{name}:a%2Fb,c"
    assert rewritten(address, urn) == f"{PLACE.base_url}/uri-res/{asked}?{urn}"
    assert (server.flags, server.service, server.regexp) == (b"s", services.encode(), b"")
    (there,) = zone.find_rdataset(server.replacement, dns.rdatatype.SRV)
    assert isinstance(there, SRV)
    assert (str(there.target), there.port) == ("registry.example.", 80)


@pytest.mark.parametrize(
    ("base_url", "server", "flags"),
    [
        ("http://localhost:8000", "8000 localhost.", {b"u", b"s"}),
        ("http://r.example", "80 r.example.", {b"u", b"s"}),
        ("https://r.example:8443", "", {b"u"}),  # THTTP is not spoken under TLS
        ("http://127.0.0.1:8000", "", {b"u"}),
        ("https://[::1]", "", {b"u"}),
        (f"http://{LONG}example", f"80 {LONG}example.", {b"s"}),
    ],
)
def test_a_site_has_the_rules_that_can_be_written_of_its_address(
    base_url: str, server: str, flags: set[bytes]
) -> None:
    text = zone_bytes(SHOWN, PublicationSite(base_url), SUFFIX)
    assert {rule.flags for rule in rules_of(zone_of(text), "zz")} == flags
    servers = re.findall(r" IN SRV 0 0 (.+)\n", text.decode())
    assert servers == [server] * bool(server)


@pytest.mark.parametrize("suffix", [SUFFIX, "a." * 109 + "aa"])
@pytest.mark.parametrize("place", [PLACE, PublicationSite("https://192.0.2.7")])
def test_a_name_server_takes_the_zone(tmp_path: Path, suffix: str, place: PublicationSite) -> None:
    if not shutil.which("named-checkzone"):
        leave_out("named-checkzone: not installed (Debian: bind9-utils)")
    zone = zone_bytes(SHOWN, place, suffix)
    assert (b" IN SRV " in zone) is (place is PLACE)
    (tmp_path / "urn-namespaces.zone").write_bytes(zone)
    whole = tmp_path / "whole.zone"
    whole.write_text(_ZONE.replace(SUFFIX, suffix) + "$INCLUDE urn-namespaces.zone\n")
    checked = subprocess.run(
        ["named-checkzone", "-k", "fail", "-w", str(tmp_path), suffix, str(whole)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "OK"), checked.stdout


@pytest.mark.parametrize(
    "text",
    [
        *("urn.arpa", "URN.ARPA.", "isbn.urn.arpa", "uri.arpa", "arpa", "a b", "-a.example", ".."),
        *("a..b", "é.example", "a." * 120 + "example", "a;b", "a\\b", "*.example", "."),
    ],
)
def test_a_domain_that_is_no_domain_of_the_operators_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match=r"NAPTR_SUFFIX: enter a domain"):
        read_settings({"URN_REGISTRY_NAPTR_SUFFIX": text})


def test_a_domain_is_taken_in_lower_case_without_its_last_stop() -> None:
    for text in (SUFFIX, f"{SUFFIX}.", SUFFIX.upper()):
        assert read_settings({"URN_REGISTRY_NAPTR_SUFFIX": text}).naptr_suffix == SUFFIX
    assert read_settings({}).naptr_suffix == ""
