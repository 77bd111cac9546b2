"""Which services answer for a name, and in which order."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from app.identifiers.urn import URN
from app.registration.profiles import ResolutionService, Resolvability, ServiceKind
from app.resolution.outcomes import Destination
from app.resolution.preferences import NO_PREFERENCES, Preferences
from app.resolution.rules import NamespaceRules
from app.resolution.targets import NSS, TargetTemplate

# Names and equality are no places to go to.
PLACES = frozenset(ServiceKind) - {ServiceKind.NAME, ServiceKind.NAMES, ServiceKind.EQUALITY}
_DESCRIPTIONS = (ServiceKind.DESCRIPTION, ServiceKind.DESCRIPTIONS)

_Match = Callable[[str], re.Match[str] | None]
_Variables = Mapping[str, str]


class _Candidate:
    """A service of a namespace, taken apart once, and its rank among the others.

    A pattern on the NSS beats none; then locators and resources come before descriptions, and
    otherwise the order of the profile holds.
    """

    def __init__(
        self, service: ResolutionService, number: int, pattern: _Match | None, *, is_declared: bool
    ) -> None:
        self.service = service
        self.template = TargetTemplate(service)
        self.group = not service.when
        self.rank = (self.group, service.kind in _DESCRIPTIONS, number)
        self.is_dated = bool(service.since or service.until)
        self.is_registrants = service.is_registrants and is_declared
        self.is_varied = bool(service.media_type or service.language)
        self.needs = self.template.variables - {NSS}
        self._when = compiled(service.when)
        self._pattern = pattern
        self._is_never = bool(service.when) and self._when is None
        self._is_plain = not self.needs and not service.when

    def find(self, nss: str) -> _Variables | None:
        """The variables that an NSS gives; None where the service does not apply to it."""
        if self._is_plain:
            return {NSS: nss}
        if self._is_never:
            return None
        found = {NSS: nss}
        for match in (self._pattern, self._when) if self.needs else (self._when,):
            matched = match(nss) if match else None
            if match is self._when and match and matched is None:
                return None
            if matched:
                found |= {k: v for k, v in matched.groupdict().items() if v is not None}
        return found if self.needs <= found.keys() else None

    def is_in_use(self, day: str) -> bool:
        """Whether it is there on a day, those of its beginning and its end included."""
        since, until = self.service.since, self.service.until
        return since <= day and (not until or day[: len(until)] <= until)


class ServiceChooser:
    """The services of one namespace, made ready to choose among for one name after the other."""

    def __init__(self, rules: NamespaceRules) -> None:
        resolution = rules.resolution
        is_declared = resolution.resolvability is not Resolvability.UNDECLARED
        pattern = compiled(rules.pattern.expression) if rules.pattern else None
        self._candidates = sorted(
            (
                _Candidate(service, number, pattern, is_declared=is_declared)
                for number, service in enumerate(resolution.services)
            ),
            key=lambda one: one.rank,
        )
        self._is_folded = bool(rules.equivalence.rules)
        self._sends_own_form = resolution.sends_normal_form
        self.is_dated = any(s.since or s.until for s in resolution.services)
        self.is_choice = resolution.is_choice
        self.is_meant = resolution.resolvability is not Resolvability.NOT_RESOLVED

    def choose(
        self,
        urn: URN,
        normal_form: str,
        own_form: str,
        day: str = "",
        preferences: Preferences = NO_PREFERENCES,
        kinds: Iterable[ServiceKind] = PLACES,
    ) -> tuple[tuple[Destination, ...], bool]:
        """Where services of these kinds have a name, the best first; and whether an asker's
        preferences had a say.

        The forms are whole URNs. Whether a service applies depends on the namespace's own form
        alone, so that names which it holds for the same are sent to the same service; what is
        sent is the form of RFC 8141, unless the profile wants its own. ``day`` is that on which
        it is asked, empty where services of all days count. Of services that have a name at the
        same address the first counts.

        Source: RFC 8141 sections 2.3.2 and 3; RFC 9110 section 12.
        """
        own, nss = nss_of(own_form), nss_of(normal_form)
        found = [
            (candidate, target)
            for candidate in self._candidates
            if candidate.service.kind in kinds
            and (not candidate.is_dated or not day or candidate.is_in_use(day))
            and (target := self._target(candidate, urn, nss, own)) is not None
        ]
        if len(found) == 1:
            return (_destination(*found[0]),), found[0][0].is_varied
        is_negotiated = any(candidate.is_varied for candidate, _ in found)
        if is_negotiated:
            found = _preferred(found, preferences)
        seen: dict[str, _Candidate] = {}
        for candidate, target in found:
            seen.setdefault(target, candidate)
        return tuple(_destination(c, target) for target, c in seen.items()), is_negotiated

    def _target(self, candidate: _Candidate, urn: URN, nss: str, own: str) -> str | None:
        variables = candidate.find(own)
        if variables is None and self._is_folded:  # a pattern may know the upper case alone
            variables = candidate.find(own.upper())
        if variables is None:
            return None
        if own != nss and not self._sends_own_form:
            variables = candidate.find(nss) or {**variables, NSS: nss}
        return candidate.template.expand(variables, urn)


def _preferred(
    found: Sequence[tuple[_Candidate, str]], preferences: Preferences
) -> list[tuple[_Candidate, str]]:
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
    refused = [one for one in found if one not in taken]
    for group in (False, True):
        places = [n for n, (one, _) in enumerate(taken) if one.is_varied and one.group is group]
        best = sorted(
            (taken[n] for n in places),
            key=lambda one: tuple(-weight for weight in weights[id(one[0])]),
        )
        for place, one in zip(places, best, strict=True):
            taken[place] = one
    return taken + refused


def _destination(candidate: _Candidate, target: str) -> Destination:
    return Destination(candidate.service, target, candidate.is_registrants)


def nss_of(urn: str) -> str:
    """The NSS of a whole URN without components, such as a normal form."""
    return urn[urn.index(":", 4) + 1 :]


def compiled(expression: str) -> _Match | None:
    """What matches whole texts; None for no expression, and for one that is none."""
    try:
        return re.compile(expression, re.ASCII).fullmatch if expression else None
    except (re.error, RecursionError, OverflowError):
        return None
