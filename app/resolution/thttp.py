"""What the resolution services of RFC 2169 give: a name or a location -> locations and names."""

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice

from app.registration.profiles.profile_records import ServiceKind
from app.resolution.address_reader import comparable_address, reader_of
from app.resolution.judgement import Judgement, judge_text
from app.resolution.namespace_rules import RuleBook
from app.resolution.outcomes import Destination
from app.resolution.service_choice import NO_PREFERENCES, PLACES, Preferences
from app.resolution.service_locations import ServiceLocations
from app.resolution.urn_resolver import UrnResolver

_MOST_NAMESPACES, _MOST_TRIED = 20, 50  # for one location
_NO_CHARACTER = re.compile(r"[^A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]|%(?![0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class ThttpService(StrEnum):
    """A service by the name that it is asked for by. Source: RFC 2169 section 3."""

    N2L = "N2L"
    N2LS = "N2Ls"
    N2R = "N2R"
    N2RS = "N2Rs"
    N2C = "N2C"
    N2NS = "N2Ns"
    L2NS = "L2Ns"
    L2LS = "L2Ls"
    L2C = "L2C"

    @property
    def is_of_location(self) -> bool:
        return self.value.startswith("L")


# Also by the tokens that records of the DNS have for the same (RFC 2483 section 4, RFC 3404).
SERVICES = {
    **{str(service): service for service in ThttpService},
    **{f"I{service[1:]}": service for service in ThttpService if not service.is_of_location},
}

LOCATORS = PLACES - {ServiceKind.DESCRIPTION, ServiceKind.DESCRIPTIONS}
RESOURCES = frozenset({ServiceKind.RESOURCE, ServiceKind.RESOURCES})
DESCRIPTIONS = PLACES - LOCATORS
NAMING = frozenset({ServiceKind.NAME, ServiceKind.NAMES})

Found = tuple[tuple[Destination, ...], bool]


class NameLookup:
    """What an edition knows of names and of locations, on one day."""

    def __init__(
        self, book: RuleBook, resolver: UrnResolver, places: ServiceLocations, day: str = ""
    ) -> None:
        self._book, self._resolver, self._places, self._day = book, resolver, places, day

    def locators(self, name: Judgement, preferences: Preferences = NO_PREFERENCES) -> Found:
        """Source: RFC 2169 sections 3.1 and 3.2."""
        return self.find(name, LOCATORS, preferences)

    def resources(self, name: Judgement, preferences: Preferences = NO_PREFERENCES) -> Found:
        """Source: RFC 2169 sections 3.3 and 3.4."""
        found, is_negotiated = self.find(name, RESOURCES, preferences)
        return (found, is_negotiated) if found else self.locators(name, preferences)

    def descriptions(self, name: Judgement, preferences: Preferences = NO_PREFERENCES) -> Found:
        """Source: RFC 2169 section 3.5."""
        return self.find(name, DESCRIPTIONS, preferences)

    def find(
        self,
        name: Judgement,
        kinds: frozenset[ServiceKind],
        preferences: Preferences = NO_PREFERENCES,
    ) -> Found:
        """Services of these kinds."""
        if name.urn is None or name.rules is None or not name.is_name:
            return (), False
        chooser = self._resolver.chooser_of(name.rules)
        if not chooser.is_meant:
            return (), False
        forms = name.normal_form, name.own_form
        return chooser.choose(name.urn, *forms, self._day, preferences, kinds)

    def names_of(self, name: Judgement) -> tuple[str, ...]:
        """Source: RFC 2169 section 3.6; RFC 8141 section 3.2."""
        forms = dict.fromkeys((name.own_form, name.written_form))
        return tuple(form for form in forms if form and form != name.normal_form)

    def names_at(self, location: str) -> tuple[Judgement, ...]:
        """The names that a service has at a location, which is written so in no other way.

        Source: RFC 2169 section 3.7.
        """
        address = comparable_address(location)
        namespaces = islice(self._places.find(address), _MOST_NAMESPACES)
        texts = (text for folded in namespaces for text in self._texts(folded, address))
        tried = (judge_text(text, self._book) for text in islice(texts, _MOST_TRIED))
        found = {name.normal_form: name for name in tried if self._leads_to(name, address)}
        return tuple(found.values())

    def _texts(self, folded: str, address: str) -> Iterator[str]:
        rules = self._book.find(folded)
        if rules is None:
            return
        pattern = rules.pattern.expression if rules.pattern else ""
        for service in rules.resolution.services:
            if service.kind in PLACES:
                for nss in reader_of(service, pattern).read(address):
                    yield f"urn:{folded}:{nss}"

    def _leads_to(self, name: Judgement, address: str) -> bool:
        if name.urn is None or name.urn.r_component or name.urn.q_component:
            return False
        return any(comparable_address(one.target) == address for one in self.find(name, PLACES)[0])

    def locations_at(self, location: str) -> tuple[str, ...]:
        """Source: RFC 2169 section 3.8."""
        address = comparable_address(location)
        found = (one.target for name in self.names_at(location) for one in self._places_of(name))
        return tuple(one for one in dict.fromkeys(found) if comparable_address(one) != address)

    def _places_of(self, name: Judgement) -> tuple[Destination, ...]:
        return self.find(name, PLACES)[0]


def fault_in_location(text: str) -> tuple[int, str] | None:
    """Where a text is no location and why, in a sentence; None for one that is a location.

    Source: RFC 3986 sections 2 and 3; RFC 2169 section 3.7.
    """
    scheme = _SCHEME.match(text)
    if not text:
        return 0, "The location after the question mark is missing. Add one."
    if scheme is None:
        return 0, (
            "A location starts with a scheme and a colon, such as `https:`. Enter it in full."
        )
    if scheme[0].lower() == "urn:":
        return 0, (
            "This is an identifier, not a location. Use N2L, N2Ls, N2C or N2Ns for identifiers."
        )
    wrong = _NO_CHARACTER.search(text)
    if wrong is None:
        return None
    return wrong.start(), "This character must be percent-encoded in a location."
