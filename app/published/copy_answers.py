"""Links of a copy, which nothing is behind: questions it cannot answer, health, what it lacks."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from app.exports.manifests.bundle_paths import FOR_COPIES
from app.problems.problem_codes import PROBLEMS
from app.published.edition import PublishedEdition
from app.published.group_plane import EditionView, GroupPlane
from app.published.http.file_answers import redirect_for_good, redirect_for_now
from app.published.http.http_exchange import (
    READS,
    SAFE,
    SHARED,
    HttpAnswer,
    HttpRequest,
    answer_options,
    is_preflight,
)
from app.published.http.problems import (
    NOT_FOUND,
    Representation,
    answer_without_edition,
    copy_lacks_problem,
    copy_search_problem,
    problem_answer,
)
from app.published.names.name_copy_reader import NameCopyReader, NameCopyState, NameCopyUnavailable
from app.registration.declarations.name_addresses import folded_paths, published_stems
from app.registration.declarations.registries import REGISTRIES
from app.registration.declarations.registry_groups import RegistryGroup

# What the registry's pages can be asked, as its lists and its first page say it.
QUESTIONS = frozenset({
    *("q", "kind", "status", "reference", "year", "sort", "order", "after"),
    *(facet.id for registry in REGISTRIES.values() for facet in registry.facets),
})  # fmt: skip
_LIVES, _READY = "/healthz", "/readyz"
_KEPT = "/~!$&'()*+,;=:@"  # of a path, RFC 3986 appendix A, besides what is always kept


class CopyQuestions:
    """Questions to a page, which the registry answers and a copy cannot."""

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """That a copy does not search, and who does; None where nothing is asked of a page."""
        edition = view.edition
        if not (request.query and edition.registry and request.method in READS):
            return None
        file = edition.find(request.path)
        if file is None or not file.is_personal or not _is_question(request.query):
            return None
        view.check_current()
        there = _in_registry(edition, request)
        return problem_answer(copy_search_problem(edition.number, _day_of(edition), there), request)


class CopyHealth:
    """Report the health of the process, its edition and its copy of names.

    ``others`` are the planes of the other groups of the site, which are reported too. If the copy
    has only some names, their prefixes are reported.
    """

    def __init__(self, others: Mapping[str, GroupPlane], names: NameCopyReader) -> None:
        self._others, self._names = others, names

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The state of the process, as what watches over it asks; None at any other path."""
        if request.path not in (_LIVES, _READY) or request.method not in READS:
            return None
        edition = view.edition.number if view.edition.link else None
        lacks = self._names_lacking()
        if edition is None:
            lacks = "no edition here yet"
        is_ready = request.path == _LIVES or not lacks
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        word = "ok" if is_ready else lacks
        groups = {"groups": {each: plane.edition for each, plane in self._others.items()}}
        told = {"status": word, "edition": edition, **(groups if self._others else {})}
        body = json.dumps(told).encode()
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            *SHARED,
            *SAFE,
        ]
        return HttpAnswer(status.value, headers, body if request.method == "GET" else b"")

    def _names_lacking(self) -> str:
        try:
            self._names.version()
        except NameCopyUnavailable as error:
            return _LACKING[error.state]
        return ""


_LACKING = {
    NameCopyState.AWAITED: "names are not copied here yet",
    NameCopyState.DAMAGED: "the copy of names here is damaged",
    NameCopyState.UNREADABLE: "the copy of names here cannot be read now",
}


class CopyRefusals:
    """What is left: it is led on where it was written otherwise, and else it is not here."""

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer:
        """The way to what was meant, or that nothing is there. Raises DamagedBlob."""
        edition, reads = view.edition, request.method in READS
        if reads and view.history.find(request.path) is None:  # else no newer edition has it
            view.check_current()
        if edition.link is None:
            return answer_without_edition(request)
        there = _find_elsewhere(edition, request.path, view.group)
        if there is not None and reads:
            return redirect_for_good(there, request)
        if not edition.registry:
            return problem_answer(NOT_FOUND, request)
        at_registry = _in_registry(edition, request)
        if reads and request.path.startswith(PROBLEMS):
            return redirect_for_now(at_registry)  # what a refusal means, its registry says
        return problem_answer(
            copy_lacks_problem(edition.number, _day_of(edition), at_registry), request
        )


def _is_question(query: str) -> bool:
    asked = (part.partition("=") for part in query.split("&"))
    return any(name in QUESTIONS and value for name, _, value in asked)


def _find_elsewhere(edition: PublishedEdition, path: str, group: RegistryGroup) -> str | None:
    """Where a path written otherwise is: a name as it is folded, a page without its slash."""
    written = (*folded_paths(path, group), f"{path}/")
    return next((other for other in written if other != path and edition.find(other)), None)


def _day_of(edition: PublishedEdition) -> str:
    return edition.moment.date().isoformat()


def _in_registry(edition: PublishedEdition, request: HttpRequest) -> str:
    path = quote(request.path, safe=_KEPT, encoding="latin-1")
    query = quote(request.query, safe=f"{_KEPT}?%", encoding="latin-1")
    return f"{edition.registry}{path or '/'}{f'?{query}' if query else ''}"


class MethodAnswers:
    """Answers OPTIONS."""

    def __init__(self, *, is_copy: bool) -> None:
        self._is_copy = is_copy

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        if request.method != "OPTIONS":
            return None
        if self._is_copy or self._is_told(request, view):
            return answer_options()
        return None

    def _is_told(self, request: HttpRequest, view: EditionView) -> bool:
        # below these all would be published: that a file is not there may be read as well
        if is_preflight(request) and request.path.startswith((FOR_COPIES, *published_stems())):
            return True
        owner = view.history.find(request.path)
        found = view.edition.look_up(request.path) or (owner and owner.look_up(request.path))
        if isinstance(found, Representation) and not found.is_personal:
            return True
        return bool(found) and is_preflight(request)
