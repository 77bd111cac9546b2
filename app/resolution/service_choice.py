"""Which services answer for a name, and in which order."""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple
from urllib.parse import quote

from uritemplate import URITemplate

from app.identifiers.urn import URN
from app.registration.profiles.nss_forms import compile_pattern
from app.registration.profiles.profile_records import ResolutionService, Resolvability, ServiceKind
from app.resolution.namespace_rules import NamespaceRules

NSS = "nss"  # the variable that is the whole of it

_EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z0-9_]+")
_is_unreserved = re.compile(r"[A-Za-z0-9._~-]*").fullmatch
# What a URI is made of (RFC 3986 appendix A), and an address of the Web in this.
_ADDRESS = re.compile(r"(?i:https?)://(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+")
# No percent sign but before two hexadecimal digits.
_is_whole = re.compile("[^%]*+(?:%[0-9A-Fa-f]{2}[^%]*+)*+").fullmatch
_QUERY_OPERATORS = ("?", "&")


class _TemplatePosition(NamedTuple):
    is_value: bool  # in the value of a query's member
    rest: str  # the part of the template that follows


class AddressTemplate:
    """A URI template that gives addresses of the Web, taken apart once.

    ``variables`` are the names that it needs. ``is_address``: it gives addresses, the scheme of
    which stands in it.

    Source: RFC 6570.
    """

    def __init__(self, template: str) -> None:
        # the library looks for the end of each brace, and so again and again where none is closed
        closed = template.rpartition("}")
        self._template, self._tail = URITemplate("".join(closed[:2])), closed[2]
        self.variables = frozenset(self._template.variable_names)
        self._plain = _plain_form_of(template)
        self.is_address = _ADDRESS.fullmatch(_EXPRESSION.sub("a", template)) is not None

    def fill(self, variables: Mapping[str, str]) -> str:
        """What the template gives for these variables, all of which are set.

        Source: RFC 6570 section 3.
        """
        if self._plain is None:
            return self._expand(variables)
        form, expressions = self._plain
        values = []
        for name, may_stand in expressions:
            value = variables[name]
            if not may_stand(value):
                return self._expand(variables)
            values.append(value)
        return form % tuple(values)

    def _expand(self, variables: Mapping[str, str]) -> str:
        return f"{self._template.expand(dict(variables))}{self._tail}"


class TargetTemplate(AddressTemplate):
    """The template of a service, taken apart once. Raises nothing."""

    def __init__(self, service: ResolutionService) -> None:
        super().__init__(service.target)
        self._service = service
        self._place = _place_of(service.target)

    def expand(self, variables: Mapping[str, str], urn: URN) -> str | None:
        """Source: RFC 6570 section 3; RFC 8141 sections 2.3.1 to 2.3.3."""
        target = self.place(variables)
        if target is None:
            return None
        r, q = urn.r_component, urn.q_component
        return target if r is None and q is None else self._with_components(target, variables, r, q)

    def place(self, variables: Mapping[str, str]) -> str | None:
        """Source: RFC 6570 section 3."""
        if not self.is_address:
            return None
        target = self.fill(variables)
        # a group may cut `%2C` into pieces
        return None if "%" in target and not _ADDRESS.fullmatch(target) else target

    def _with_components(
        self, target: str, variables: Mapping[str, str], r: str | None, q: str | None
    ) -> str:
        place, service = self._place, self._service
        if service.is_resolver and place is not None:
            written = f"{'' if r is None else f'?+{r}'}{'' if q is None else f'?={q}'}"
            rest = URITemplate(place.rest).expand(dict(variables))
            head = target.removesuffix(rest)
            if place.is_value:
                return f"{head}{quote(written, safe='')}{rest}"
            if rest[:1] in ("", "#"):
                return f"{head}{written}{rest}"
        if r is not None and (service.takes_r or service.is_resolver):
            target = join_query(target, f"+{r}")
        return target if q is None else join_query(target, q)


def join_query(target: str, query: str) -> str:
    """An address with this query, or with it behind the one that it has, before any fragment.

    Source: RFC 8141 section 2.3.2, which leaves the second case to the resolver.
    """
    address, mark, fragment = target.partition("#")
    glue = "&" if "?" in address and address[-1] not in "?&" else ""
    separator = glue if "?" in address else "?"
    return f"{address}{separator}{query}{mark}{fragment}"


_Test = Callable[[str], object]


def _plain_form_of(template: str) -> tuple[str, tuple[tuple[str, _Test], ...]] | None:
    expressions = []
    for operator, name in _EXPRESSION.findall(template):
        if operator not in ("", "+") or not _NAME.fullmatch(name):
            return None
        expressions.append((name, _is_reserved if operator else _is_unreserved))
    literals = _EXPRESSION.split(template)[:: _EXPRESSION.groups + 1]
    return "%s".join(literal.replace("%", "%%") for literal in literals), tuple(expressions)


def _is_reserved(value: str) -> bool:
    return "%" not in value or _is_whole(value) is not None


def _place_of(template: str) -> _TemplatePosition | None:
    found = list(_EXPRESSION.finditer(template))
    if not found:
        return None
    last = found[-1]
    _, mark, query = template[: last.start()].partition("?")
    is_value = last[1] in _QUERY_OPERATORS or (bool(mark) and "=" in query.rpartition("&")[2])
    return _TemplatePosition(is_value, template[last.end() :])


# Names and equality are no places to go to.
PLACES = frozenset(ServiceKind) - {ServiceKind.NAME, ServiceKind.NAMES, ServiceKind.EQUALITY}
_DESCRIPTIONS = (ServiceKind.DESCRIPTION, ServiceKind.DESCRIPTIONS)

_Match = Callable[[str], re.Match[str] | None]
_Variables = Mapping[str, str]
_ORDERS = 64  # of the services of one namespace, that are remembered


@dataclass(frozen=True, slots=True)
class Destination:
    """A service, and the address at which it answers for one name.

    ``is_registrants``: the registration itself names it.
    """

    service: ResolutionService
    target: str
    is_registrants: bool

    @property
    def is_description(self) -> bool:
        return self.service.kind in _DESCRIPTIONS


def _alike(_declared: str) -> int:
    return 1000


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """What whoever follows a name likes best, among services that declare type and language."""

    media_type: Callable[[str], int] = _alike
    language: Callable[[str], int] = _alike


NO_PREFERENCES = Preferences()


class ServiceCandidate:
    """A service of a namespace, taken apart once, and its rank among the others."""

    def __init__(self, service: ResolutionService, number: int, *, is_declared: bool) -> None:
        self.service = service
        self.template = TargetTemplate(service)
        self.group = not service.when
        self.rank = (self.group, service.kind in _DESCRIPTIONS, number)
        self.is_registrants = service.is_registrants and is_declared
        self.is_description = service.kind in _DESCRIPTIONS
        self.is_varied = bool(service.media_type or service.language)
        self.is_dated = bool(service.since or service.until)
        self._needs = self.template.variables - {NSS}
        self._when = _matcher(service.when)
        self._is_never = bool(service.when) and self._when is None

    def find(self, nss: str, told: Callable[[str], _Variables]) -> dict[str, str] | None:
        """The variables that an NSS gives; None where the service does not apply to it. ``told``
        gives those of the pattern of the namespace."""
        matched = None
        if self._when is not None:
            matched = self._when(nss)
            if matched is None:
                return None
        elif self._is_never:
            return None
        if not self._needs:
            return {NSS: nss}
        found = _groups(matched) if matched else {}
        if not self._needs <= found.keys():
            found = {**told(nss), **found}
        found[NSS] = nss
        return found if self._needs <= found.keys() else None

    def place(self, nss: str, capitals: str, told: tuple[_Variables, _Variables]) -> str | None:
        """Where it has a name without components; None where it does not apply.

        ``capitals`` is the same NSS in the other form in which a pattern may know it, ``told`` what
        the pattern of the namespace gives for each of the two.
        """
        variables = self._variables(nss, told[0]) or self._variables(capitals, told[1])
        if variables is None:
            return None
        if variables[NSS] != nss:
            variables = {**variables, NSS: nss}
        return self.template.place(variables)

    def may_fit(self, known: frozenset[str]) -> bool:
        return self._when is not None or (not self._is_never and self._needs <= known)

    def _variables(self, nss: str, told: _Variables) -> _Variables | None:
        if self._when is not None:
            return None if self._when(nss) is None else self.find(nss, lambda _: told)
        return None if self._is_never or not self._needs <= told.keys() else told

    def is_in_use(self, day: str) -> bool:
        return is_in_use(self.service, day)


def is_in_use(service: ResolutionService, day: str) -> bool:
    since, until = service.since, service.until
    return since <= day and (not until or day[: len(until)] <= until)


class ServiceChooser:
    """The services of one namespace, made ready to choose among for one name after the other."""

    def __init__(self, rules: NamespaceRules) -> None:
        resolution = rules.resolution
        is_declared = resolution.resolvability is not Resolvability.UNDECLARED
        made = (
            ServiceCandidate(service, number, is_declared=is_declared)
            for number, service in enumerate(resolution.services)
        )
        self._candidates = sorted(made, key=lambda one: one.rank)
        # a pattern of which no service takes a part tells nothing here
        is_needed = any(one.template.variables - {NSS} for one in self._candidates)
        self._pattern = _matcher(rules.pattern.expression) if rules.pattern and is_needed else None
        self._equivalence, self._folds = rules.equivalence, rules.equivalence.folds
        self._capitals = rules.equivalence.in_capitals()
        self._places = [one for one in self._candidates if one.service.kind in PLACES]
        self._order = lru_cache(maxsize=_ORDERS)(self._ordered)
        self._fitting = lru_cache(maxsize=_ORDERS)(self._that_may_fit)
        self._sends_own_form = resolution.sends_normal_form
        self.is_choice = resolution.is_choice
        self.is_meant = resolution.resolvability is not Resolvability.NOT_RESOLVED
        is_dated = any(one.is_dated for one in self._places)
        self.is_plain = self.is_meant and not self.is_choice and not is_dated

    def choose(
        self,
        urn: URN,
        normal_form: str,
        own_form: str,
        day: str = "",
        preferences: Preferences = NO_PREFERENCES,
        kinds: Container[ServiceKind] = PLACES,
    ) -> tuple[tuple[Destination, ...], bool]:
        """Where services of these kinds have a name, the best first. ``day`` is that on which it is
        asked, empty where services of all days count.

        Source: RFC 8141 sections 2.3.2 and 3; RFC 9110 section 12.
        """
        target_of = self._targets(urn, nss_of(normal_form), nss_of(own_form))
        found = {
            candidate: target
            for candidate in self._candidates
            if candidate.service.kind in kinds
            and (not candidate.is_dated or not day or candidate.is_in_use(day))
            and (target := target_of(candidate)) is not None
        }
        best, is_negotiated = self._best(found, preferences)
        return tuple(_destination(c, target) for target, c in best.items()), is_negotiated

    def choose_plainly(
        self, nss: str, preferences: Preferences
    ) -> tuple[dict[str, ServiceCandidate], bool]:
        """The places of ``choose`` on any day, with what is there, for a name without
        components."""
        capitals = self._capitals.own_nss(nss) if self._folds else nss
        first = self._told(nss)
        told = first, (self._told(capitals) if self._folds else first)
        found = {}
        for candidate in self._fitting(tuple(first), tuple(told[1])):
            target = candidate.place(nss, capitals, told)
            if target is not None:
                found[candidate] = target
        return self._best(found, preferences)

    def _best(
        self, found: dict[ServiceCandidate, str], preferences: Preferences
    ) -> tuple[dict[str, ServiceCandidate], bool]:
        order, is_negotiated = self._order(preferences, tuple(found))
        best: dict[str, ServiceCandidate] = {}
        for candidate in order:
            best.setdefault(found[candidate], candidate)
        return best, is_negotiated

    def _that_may_fit(
        self, told: tuple[str, ...], told_of_capitals: tuple[str, ...]
    ) -> tuple[ServiceCandidate, ...]:
        known = (frozenset(told), frozenset(told_of_capitals))
        return tuple(one for one in self._places if any(map(one.may_fit, known)))

    def _ordered(
        self, preferences: Preferences, candidates: tuple[ServiceCandidate, ...]
    ) -> tuple[tuple[ServiceCandidate, ...], bool]:
        if not any(one.is_varied for one in candidates):
            return candidates, False
        return tuple(candidates[place] for place in _preferred(candidates, preferences)), True

    def _targets(self, urn: URN, nss: str, own: str) -> Callable[[ServiceCandidate], str | None]:
        told = cache(self._told)
        is_other = own != nss and not self._sends_own_form
        sent = nss if is_other else own

        def target_of(candidate: ServiceCandidate) -> str | None:
            variables = candidate.find(own, told)
            if variables is None and self._folds:
                variables = candidate.find(self._capitals.own_nss(own), told)
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
        found = _groups(matched) if matched else {}
        found[NSS] = nss
        return found


def _groups(matched: re.Match[str]) -> dict[str, str]:
    values, found = matched.groups(), {}
    for name, number in matched.re.groupindex.items():
        value = values[number - 1]
        if value is not None:
            found[name] = value
    return found


def _preferred(candidates: Sequence[ServiceCandidate], preferences: Preferences) -> Iterator[int]:
    weights = {
        place: (
            preferences.media_type(candidate.service.media_type),
            preferences.language(candidate.service.language),
        )
        for place, candidate in enumerate(candidates)
        if candidate.is_varied
    }
    every = range(len(candidates))
    taken = [place for place in every if min(weights.get(place, (1, 1))) > 0]
    refused = sorted(
        (place for place in every if place not in taken), key=lambda place: -weights[place][1]
    )
    for group in (False, True):
        varied = [
            at
            for at, place in enumerate(taken)
            if place in weights and candidates[place].group is group
        ]
        best = sorted(
            (taken[at] for at in varied),
            key=lambda place: tuple(-weight for weight in weights[place]),
        )
        for at, place in zip(varied, best, strict=True):
            taken[at] = place
    yield from taken + refused


def _destination(candidate: ServiceCandidate, target: str) -> Destination:
    return Destination(candidate.service, target, candidate.is_registrants)


def nss_of(urn: str) -> str:
    return urn[urn.index(":", 4) + 1 :]


def _matcher(expression: str) -> _Match | None:
    found = compile_pattern(expression)
    return found.fullmatch if found else None
