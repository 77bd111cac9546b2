"""Which services answer for a name, and in which order."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from app.identifiers.urn import URN
from app.registration.profiles.nss_forms import compiled, in_capitals
from app.registration.profiles.profile_records import ResolutionService, Resolvability, ServiceKind
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcomes import Destination
from app.resolution.targets import NSS, TargetTemplate

# Names and equality are no places to go to.
PLACES = frozenset(ServiceKind) - {ServiceKind.NAME, ServiceKind.NAMES, ServiceKind.EQUALITY}
_DESCRIPTIONS = (ServiceKind.DESCRIPTION, ServiceKind.DESCRIPTIONS)

_Match = Callable[[str], re.Match[str] | None]
_Variables = Mapping[str, str]


def _alike(_declared: str) -> int:
    return 1000


@dataclass(frozen=True, slots=True)
class Preferences:
    """What whoever follows a name likes best, among services that declare type and language.

    How welcome each is, in thousandths; the empty one is of a service that declares none.
    """

    media_type: Callable[[str], int] = _alike
    language: Callable[[str], int] = _alike


NO_PREFERENCES = Preferences()


class _ServiceCandidate:
    """A service of a namespace, taken apart once, and its rank among the others.

    A pattern on the NSS beats none; then locators and resources come before descriptions, and
    otherwise the order of the profile holds.
    """

    def __init__(self, service: ResolutionService, number: int, *, is_declared: bool) -> None:
        self.service = service
        self.template = TargetTemplate(service)
        self.group = not service.when
        self.rank = (self.group, service.kind in _DESCRIPTIONS, number)
        self.is_registrants = service.is_registrants and is_declared
        self.is_varied = bool(service.media_type or service.language)
        self.is_dated = bool(service.since or service.until)
        self._needs = self.template.variables - {NSS}
        self._when = _matcher(service.when)
        self._is_never = bool(service.when) and self._when is None

    def find(self, nss: str, told: Callable[[str], _Variables]) -> _Variables | None:
        """The variables that an NSS gives; None where the service does not apply to it.

        ``told`` gives those of the pattern of the namespace.
        """
        found: _Variables = {NSS: nss}
        if self._needs:
            found = told(nss)
        if self._when is not None:
            matched = self._when(nss)
            if matched is None:
                return None
            found = {**found, **_groups(matched)} if self._needs else found
        is_whole = not self._needs or self._needs <= found.keys()
        return found if is_whole and not self._is_never else None

    def is_in_use(self, day: str) -> bool:
        """Whether it is there on a day."""
        return is_in_use(self.service, day)


def is_in_use(service: ResolutionService, day: str) -> bool:
    """Whether a service is there on a day, those of its beginning and its end included."""
    since, until = service.since, service.until
    return since <= day and (not until or day[: len(until)] <= until)


class ServiceChooser:
    """The services of one namespace, made ready to choose among for one name after the other."""

    def __init__(self, rules: NamespaceRules) -> None:
        resolution = rules.resolution
        is_declared = resolution.resolvability is not Resolvability.UNDECLARED
        made = (
            _ServiceCandidate(service, number, is_declared=is_declared)
            for number, service in enumerate(resolution.services)
        )
        self._candidates = sorted(made, key=lambda one: one.rank)
        self._pattern = _matcher(rules.pattern.expression) if rules.pattern else None
        self._equivalence = rules.equivalence
        self._sends_own_form = resolution.sends_normal_form
        self.is_choice = resolution.is_choice
        self.is_meant = resolution.resolvability is not Resolvability.NOT_RESOLVED

    def choose(
        self,
        urn: URN,
        normal_form: str,
        own_form: str,
        day: str = "",
        preferences: Preferences = NO_PREFERENCES,
        kinds: Container[ServiceKind] = PLACES,
    ) -> tuple[tuple[Destination, ...], bool]:
        """Where services of these kinds have a name, the best first.

        Beside it stands whether the asker's preferences had a say. The forms are whole URNs.
        Whether a service applies depends on the namespace's own form alone, so that names which
        it holds for the same are sent to the same service; what is sent is the form of RFC 8141,
        unless the profile wants its own. ``day`` is that on which it is asked, empty where
        services of all days count. Of services that have a name at the same address the first
        counts.

        Source: RFC 8141 sections 2.3.2 and 3; RFC 9110 section 12.
        """
        target_of = self._targets(urn, nss_of(normal_form), nss_of(own_form))
        found = [
            (candidate, target)
            for candidate in self._candidates
            if candidate.service.kind in kinds
            and (not candidate.is_dated or not day or candidate.is_in_use(day))
            and (target := target_of(candidate)) is not None
        ]
        is_negotiated = any(candidate.is_varied for candidate, _ in found)
        if is_negotiated:
            found = _preferred(found, preferences)
        seen: dict[str, _ServiceCandidate] = {}
        for candidate, target in found:
            seen.setdefault(target, candidate)
        return tuple(_destination(c, target) for target, c in seen.items()), is_negotiated

    def _targets(self, urn: URN, nss: str, own: str) -> Callable[[_ServiceCandidate], str | None]:
        """What gives the address at which a service has a name; None where it does not apply."""
        told = cache(self._told)
        is_other = own != nss and not self._sends_own_form
        sent = nss if is_other else own

        def target_of(candidate: _ServiceCandidate) -> str | None:
            variables = candidate.find(own, told)
            if variables is None and self._equivalence.folds:
                variables = candidate.find(in_capitals(self._equivalence, own), told)
            if variables is None:
                return None
            if is_other:
                variables = candidate.find(nss, told) or variables
            if variables[NSS] != sent:
                variables = {**variables, NSS: sent}
            return candidate.template.expand(variables, urn)

        return target_of

    def _told(self, nss: str) -> _Variables:
        matched = self._pattern(nss) if self._pattern else None
        return {NSS: nss, **_groups(matched)} if matched else {NSS: nss}


def _groups(matched: re.Match[str]) -> dict[str, str]:
    """The named groups that took part."""
    found = matched.groupdict()
    if None in found.values():
        return {name: value for name, value in found.items() if value is not None}
    return found


def _preferred(
    found: Sequence[tuple[_ServiceCandidate, str]], preferences: Preferences
) -> list[tuple[_ServiceCandidate, str]]:
    """Those that declare a type or a language change places among themselves, within their group.

    What is refused goes to the end: the asker may still want it rather than nothing.
    """
    weights = {
        id(candidate): (
            preferences.media_type(candidate.service.media_type),
            preferences.language(candidate.service.language),
        )
        for candidate, _ in found
        if candidate.is_varied
    }
    taken = [one for one in found if weights.get(id(one[0]), (1, 1))[0] > 0]
    refused = sorted(
        (one for one in found if one not in taken), key=lambda one: -weights[id(one[0])][1]
    )
    for group in (False, True):
        places = [n for n, (one, _) in enumerate(taken) if one.is_varied and one.group is group]
        best = sorted(
            (taken[n] for n in places),
            key=lambda one: tuple(-weight for weight in weights[id(one[0])]),
        )
        for place, one in zip(places, best, strict=True):
            taken[place] = one
    return taken + refused


def _destination(candidate: _ServiceCandidate, target: str) -> Destination:
    return Destination(candidate.service, target, candidate.is_registrants)


def nss_of(urn: str) -> str:
    """The NSS of a whole URN without components, such as a normal form."""
    return urn[urn.index(":", 4) + 1 :]


def _matcher(expression: str) -> _Match | None:
    found = compiled(expression)
    return found.fullmatch if found else None
