"""``/uri-res/N2L?urn:…`` of names that their holders bound: RFC 2169, from the copy of names."""

from typing import Final

from app.assigned_names.asked_names import ASKED_SCHEMES
from app.assigned_names.assigned_name_records import AssignedNameState
from app.assigned_names.passthrough import BoundOutcome
from app.problems import publication_codes
from app.published.chain import EditionView
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import Problem, problem_answer
from app.published.names.bound_name_resolver import BoundNameResolver, refuse_names
from app.published.names.name_answers import lead_to_page, links_to
from app.published.names.name_copy_reader import NameCopyUnavailable, NameOutsidePart
from app.published.names.name_targets import THTTP
from app.published.names.thttp_resolver import see_other
from app.published.names.uri_lists import UriList, answer_list
from app.resolution.name_paths import LONGEST_TARGET
from app.resolution.thttp import SERVICES, ThttpService

__all__ = ["BoundThttpResolver"]

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
        except NameOutsidePart as error:
            return self._names.lead_elsewhere(error, request)
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
