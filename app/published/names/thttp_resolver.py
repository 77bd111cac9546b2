"""``/uri-res/N2L?urn:…`` and the other services of THTTP: RFC 2169, from an edition alone."""

from http import HTTPStatus
from typing import Final

from app.assigned_names.assigned_name_records import AssignedNameState
from app.assigned_names.bound_names import BoundOutcome
from app.assigned_names.name_schemes import ASKED_SCHEMES
from app.problems import publication_codes
from app.published.edition import PublishedEdition
from app.published.group_plane import EditionView
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest, answer_options
from app.published.http.problems import NO_EDITION, Problem, problem_answer
from app.published.names.bound_name_resolver import BoundNameResolver, refuse_names
from app.published.names.edition_names import EditionNames
from app.published.names.name_answers import (
    NO_RULES,
    NOT_A_READ,
    TOO_LONG,
    UriList,
    answer_list,
    lead_on,
    lead_to_page,
    links_to,
)
from app.published.names.name_copy_reader import NameCopyUnavailable
from app.published.names.name_resolver import NameResolver, preferences_of, succession_told
from app.published.names.name_targets import THTTP
from app.resolution.judgement import Judgement, judge_text
from app.resolution.outcome_documents import LONGEST_TARGET
from app.resolution.service_choice import Destination
from app.resolution.thttp import (
    NAMING,
    SERVICES,
    Found,
    NameLookup,
    ThttpService,
    comparable_address,
    fault_in_location,
)
from app.resolution.urn_resolver import ResolvedName

_LISTED = ", ".join(ThttpService)
UNKNOWN = Problem(
    publication_codes.SERVICE_UNKNOWN,
    (
        f"Available services are {_LISTED} (RFC 2169), for example "
        "/uri-res/N2L?urn:isbn:0-395-36341-1"
    ),
)
_ALIKE = (("Cache-Control", "no-cache"),)


class ThttpResolver:
    """Answers what is asked by THTTP. A name that is none is answered as ``names`` answers it."""

    def __init__(self, names: NameResolver) -> None:
        self._names = names

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer to a request below ``/uri-res/``; what is asked about is its whole query.

        Source: RFC 2169 sections 2 and 3.
        """
        if not request.path.startswith(THTTP):
            return None
        if request.method not in READS:
            is_asked = request.method == "OPTIONS"
            return answer_options() if is_asked else problem_answer(NOT_A_READ, request)
        view.check_current()
        return self._answer(view.edition, request)

    def _answer(self, edition: PublishedEdition, request: HttpRequest) -> HttpAnswer:
        if len(request.target) > LONGEST_TARGET:
            return problem_answer(TOO_LONG, request)
        service = SERVICES.get(request.path.removeprefix(THTTP))
        if service is None:
            return problem_answer(UNKNOWN, request)
        names = edition.names
        if names is None:
            return problem_answer(NO_RULES if edition.link else NO_EDITION, request)
        if service.is_of_location:
            return _of_location(service, edition, names, self._lookup(names), request)
        return self._of_name(service, edition, names, request)

    def _lookup(self, names: EditionNames) -> NameLookup:
        return NameLookup(names.book, names.resolver, names.places, self._names.today())

    def _of_name(
        self,
        service: ThttpService,
        edition: PublishedEdition,
        names: EditionNames,
        request: HttpRequest,
    ) -> HttpAnswer:
        name = judge_text(request.query, names.book)
        if not name.is_name:
            return self._names.refuse(edition, names, name, request)
        return _ThttpAnswer(edition, names, self._lookup(names), name, request).answer(service)


class _ThttpAnswer:
    def __init__(
        self,
        edition: PublishedEdition,
        names: EditionNames,
        lookup: NameLookup,
        name: Judgement,
        request: HttpRequest,
    ) -> None:
        self._edition, self._names, self._lookup = edition, names, lookup
        self._name, self._request = name, request
        self._preferences = preferences_of(request)
        self._notice, self._successor = succession_told(name, names)

    def answer(self, service: ThttpService) -> HttpAnswer:
        match service:
            case ThttpService.N2L:
                found = self._lookup.locators(self._name, self._preferences)
                return self._lead(found) or self._nowhere("location")
            case ThttpService.N2R:
                found = self._lookup.resources(self._name, self._preferences)
                return self._redirect(found) or self._nowhere("copy")
            case ThttpService.N2RS:
                return self._resources()
            case ThttpService.N2C:
                found = self._lookup.descriptions(self._name, self._preferences)
                return describe(self._name, found, self._names, self._request)
            case ThttpService.N2LS:
                return self._locations()
            case _:
                return self._equivalents()

    def _redirect(self, found: Found) -> HttpAnswer | None:
        if not found[0]:
            return None
        led = ResolvedName(self._name, found[0][0], found[0][1:], found[1])
        return lead_on(led, self._notice, self._successor, self._request)

    def _lead(self, found: Found) -> HttpAnswer | None:
        answer = self._redirect(found)
        return answer and answer._replace(status=see_other(self._request))

    def _resources(self) -> HttpAnswer:
        found, is_negotiated = self._lookup.resources(self._name, self._preferences)
        if len(found) == 1:
            return self._lead((found, is_negotiated)) or self._nowhere("copy")
        problem = Problem(
            publication_codes.RESOURCES_UNSENT,
            f"{len(found) or 'No'} locations are known, and this server doesn't combine their "
            "content in one N2Rs response (RFC 2169 section 3.4). Use N2Ls for the locations.",
            self._fields(),
        )
        return problem_answer(problem, self._request)

    def _nowhere(self, what: str) -> HttpAnswer:
        problem = Problem(
            publication_codes.RESOURCE_UNKNOWN,
            f"No service provides a {what} of this resource. Use N2C for a description.",
            self._fields(),
        )
        return problem_answer(problem, self._request)

    def _fields(self) -> tuple[tuple[str, str], ...]:
        return (*_ALIKE, *links_to(self._name.normal_form, (), self._successor))

    def _locations(self) -> HttpAnswer:
        found, is_negotiated = self._lookup.locators(self._name, self._preferences)
        return self._list("Locations of", [one.target for one in found], (), is_negotiated)

    def _equivalents(self) -> HttpAnswer:
        knowing, is_negotiated = self._lookup.find(self._name, NAMING, self._preferences)
        listed = self._lookup.names_of(self._name)
        return self._list("Other names of", listed, knowing, is_negotiated)

    def _list(
        self,
        title: str,
        uris: list[str] | tuple[str, ...],
        beside: tuple[Destination, ...],
        is_negotiated: bool,
    ) -> HttpAnswer:
        name = self._name.normal_form
        links = links_to(name, beside, self._successor)
        listed = UriList(title, name, tuple(uris), tuple(links), is_negotiated)
        return answer_list(listed, self._edition.number, self._names.shell, self._request)


def describe(
    name: Judgement, found: Found, names: EditionNames, request: HttpRequest
) -> HttpAnswer:
    """Lead to a description: by a service, or else what is known of the name itself here."""
    notice, successor = succession_told(name, names)
    if not found[0]:
        answer = lead_to_page(name.normal_form, notice, successor, request)
    else:
        led = ResolvedName(name, found[0][0], found[0][1:], found[1])
        answer = lead_on(led, notice, successor, request)
    return answer._replace(status=see_other(request))


def see_other(request: HttpRequest) -> int:
    """Source: RFC 2169 section 3.1."""
    is_old = request.version.startswith(("0", "1.0"))
    return (HTTPStatus.FOUND if is_old else HTTPStatus.SEE_OTHER).value


def _of_location(
    service: ThttpService,
    edition: PublishedEdition,
    names: EditionNames,
    lookup: NameLookup,
    request: HttpRequest,
) -> HttpAnswer:
    location = request.query
    fault = fault_in_location(location)
    if fault is not None:
        return problem_answer(_no_location(*fault), request)
    location = _with_fragment(location, lookup)
    if service is ThttpService.L2C:
        return _describe_location(location, names, lookup, request)
    if service is ThttpService.L2NS:
        title, uris = "Names at", tuple(name.normal_form for name in lookup.names_at(location))
    else:
        title, uris = "Other locations of", lookup.locations_at(location)
    listed = UriList(title, comparable_address(request.query), uris)
    return answer_list(listed, edition.number, names.shell, request)


def _with_fragment(location: str, lookup: NameLookup) -> str:
    before, mark, fragment = location.partition("%23")
    if mark and not lookup.names_at(location):
        return f"{before}#{fragment}"
    return location


def _describe_location(
    location: str, names: EditionNames, lookup: NameLookup, request: HttpRequest
) -> HttpAnswer:
    found = lookup.names_at(location)
    if not found:
        return problem_answer(_NO_NAME, request)
    address = comparable_address(location)
    described, is_negotiated = lookup.descriptions(found[0], preferences_of(request))
    others = tuple(one for one in described if comparable_address(one.target) != address)
    return describe(found[0], (others, is_negotiated), names, request)


_NO_NAME = Problem(
    publication_codes.LOCATION_UNNAMED,
    "No identifier with this location is known.",
    _ALIKE,
)


def _no_location(position: int, why: str) -> Problem:
    return Problem(
        publication_codes.LOCATION_INVALID,
        f"Character {position + 1}: {why} Source: RFC 3986 section 3.",
        _ALIKE,
        position=position,
    )


_URN: Final = ASKED_SCHEMES["urn"]
# What is answered by where a name leads; other names of it are what its namespace says.
_OF_BINDINGS: Final = frozenset(ThttpService) - {ThttpService.N2NS}


class BoundThttpResolver:
    """Answers what is asked by THTTP about a bound name, by the binding that ``names`` has."""

    def __init__(self, names: BoundNameResolver) -> None:
        self._names = names

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer to a request about a bound name; None for any other.

        Source: RFC 2169 sections 2 and 3.
        """
        service = SERVICES.get(request.path.removeprefix(THTTP))
        if (
            not request.path.startswith(THTTP)
            or request.method not in READS
            or len(request.target) > LONGEST_TARGET
            or service not in _OF_BINDINGS
            or service.is_of_location
        ):
            return None
        asked = _URN.read(request.query)
        if asked is None or asked.is_described:
            return None
        try:
            outcome = self._names.find(asked, _URN, view) if self._names.has_names() else None
        except NameCopyUnavailable as error:
            return refuse_names(error, request)
        return self._of(outcome, service, view, request) if outcome else None

    def _of(
        self, outcome: BoundOutcome, service: ThttpService, view: EditionView, request: HttpRequest
    ) -> HttpAnswer | None:
        view.check_current()
        if outcome.record.state is not AssignedNameState.PUBLIC:
            return self._names.refuse(outcome, _URN, view, request)
        name, target = outcome.asked, self._names.place_of(outcome, view)
        match service:
            case ThttpService.N2C:
                return lead_to_page(name, "", "", request)._replace(status=see_other(request))
            case ThttpService.N2LS:
                return self._list(name, target, view, request)
            case _ if not target:
                return problem_answer(_nowhere(name), request)
            case ThttpService.N2R:
                return self._names.lead(outcome, outcome.record.redirect, target)
            case _:
                return self._names.lead(outcome, see_other(request), target)

    def _list(
        self, name: str, target: str, view: EditionView, request: HttpRequest
    ) -> HttpAnswer | None:
        if view.edition.names is None:
            return None
        uris = (target,) if target else ()
        listed = UriList("Locations of", name, uris, tuple(links_to(name, (), "")))
        return answer_list(listed, view.edition.number, view.edition.names.shell, request)


def _nowhere(name: str) -> Problem:
    return Problem(
        publication_codes.RESOURCE_UNKNOWN,
        "This identifier has no target. Use N2C for a description.",
        (("Cache-Control", "no-cache"), *links_to(name, (), "")),
    )
