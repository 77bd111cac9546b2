"""Links to the files of editions: those of the current one, and those that each keeps for ever."""

import re

from app.exports.content.file_names import registry_folder
from app.exports.content.static_paths import find_plain_path
from app.exports.manifests.bundle_paths import FOR_COPIES
from app.published.blobs import DamagedBlob
from app.published.chain import FALL_THROUGH, EditionView
from app.published.edition import Found, PublishedEdition
from app.published.http.accept_headers import find_best
from app.published.http.file_answers import redirect_for_good, send_file
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import (
    NOT_ALLOWED,
    answer_without_edition,
    media_type_problem,
    problem_answer,
)
from app.published.http.representation import MediaTypeOffer, Representation
from app.registration.declarations.name_addresses import published_stems_of
from app.registration.declarations.registry_groups import RegistryGroup

_FILE = re.compile(r"[^.]*\.[a-z0-9.]+")

# Addresses that no page of the registry has: what each host makes of an edition for itself.
_OF_HOST = (FOR_COPIES, "/dns/", "/robots.txt", "/sitemap")
_PAGE_TYPES = ("text/html",)


class PersonalRequests:
    """The requests for which the registry makes a page anew: with its session, or with a query."""

    def __init__(self, session_cookie: str) -> None:
        self._session = re.compile(rf"(?:^|;)\s*{re.escape(session_cookie)}\s*(?:[=;]|$)")

    def __contains__(self, request: HttpRequest) -> bool:
        if request.query:
            return True
        cookies = request.headers.get("cookie")
        return cookies is not None and self._session.search(cookies) is not None


class FileAnswers:
    """What is sent for a file of an edition, or for a choice of them.

    ``personal`` are the requests that fall through from a page; none do in a copy.
    """

    def __init__(self, personal: PersonalRequests | None = None) -> None:
        self._personal = personal

    def answer_file(
        self,
        file: Representation,
        owner: PublishedEdition,
        request: HttpRequest,
        view: EditionView,
    ) -> HttpAnswer:
        """The file, or the one beside it that Accept asks for."""
        is_for_page = request.query and self._falls_through(file, request)
        if file.offer is not None and request.headers.get("accept") and not is_for_page:
            return self._choose(file.offer, owner, request, view)
        if self._falls_through(file, request):
            return FALL_THROUGH
        return send_file(file, view.blobs, request)

    def _falls_through(self, file: Representation, request: HttpRequest) -> bool:
        return file.is_personal and self._personal is not None and request in self._personal

    def answer_found(
        self, found: Found, owner: PublishedEdition, request: HttpRequest, view: EditionView
    ) -> HttpAnswer:
        """What an edition has at a path: a file, the way to where it is, or a choice."""
        if request.method not in READS:
            return self._refuse_method(found, request)
        if isinstance(found, str):
            return redirect_for_good(found, request)
        if isinstance(found, MediaTypeOffer):
            return self._choose(found, owner, request, view)
        return self.answer_file(found, owner, request, view)

    def _refuse_method(self, found: Found, request: HttpRequest) -> HttpAnswer:
        is_file = isinstance(found, Representation) and not found.is_personal
        is_last = self._personal is None
        return problem_answer(NOT_ALLOWED, request) if is_file or is_last else FALL_THROUGH

    def _choose(
        self,
        offer: MediaTypeOffer,
        owner: PublishedEdition,
        request: HttpRequest,
        view: EditionView,
    ) -> HttpAnswer:
        offer = _with_kept(offer, view)
        best = find_best(request.headers.get("accept", ""), offer.media_types)
        if best is None:
            return problem_answer(media_type_problem(offer), request)
        path = offer.paths[best]
        file = owner.find(path) or view.history.find_file(path)
        if file is None:  # it was there a moment ago
            raise DamagedBlob(f"{path} is no longer listed.")
        if self._falls_through(file, request):
            return FALL_THROUGH
        return send_file(file, view.blobs, request, None if path == request.path else path)


def _with_kept(offer: MediaTypeOffer, view: EditionView) -> MediaTypeOffer:
    page = offer.paths[0]
    owner = view.history.find(page) if len(offer.paths) == 1 else None
    kept = owner.catalogue.find_offer(page + view.group.id) if owner else None
    if kept is None:
        return offer
    return MediaTypeOffer(offer.media_types + kept.media_types, offer.paths + kept.paths)


class HeldFiles:
    """Files of the current edition that lie ready in memory, asked for without a query.

    Nearly every request is one for these, so that they are asked first; ``ListedFiles`` has them
    too, for requests with a query.
    """

    def __init__(self, files: FileAnswers) -> None:
        self._files = files

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The file at the path; None where none lies ready."""
        edition = view.edition
        file = None if request.query else edition.files.get(request.path)
        if file is None or request.method not in READS:
            return None
        view.check_current()
        return self._files.answer_file(file, edition, request, view)


class ListedFiles:
    """Everything that the current edition lists: files on disk, redirects, choices by Accept."""

    def __init__(self, files: FileAnswers) -> None:
        self._files = files

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """What the edition has at the path; None where it has nothing there."""
        found = view.edition.look_up(request.path)
        if found is None:
            return None
        if request.method in READS:
            view.check_current()
        return self._files.answer_found(found, view.edition, request, view)


class StaticFiles:
    """Static files at paths of other software, which made a page that is kept or made here."""

    def __init__(self, listed: ListedFiles) -> None:
        self._listed = listed

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        path = find_plain_path(request.path)
        return self._listed.answer(request._replace(path=path), view) if path else None


class LastingFiles:
    """What each edition keeps at its own addresses for ever, so that no newer one has it else."""

    def __init__(self, files: FileAnswers) -> None:
        self._files = files

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        owner = view.history.find(request.path)
        found = owner.look_up(request.path) if owner else None
        if owner is None or found is None:
            return None
        return self._files.answer_found(found, owner, request, view)


class MissingEdition:
    """Files that editions alone have, before there is the first: none is said not to exist."""

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        if view.edition.link is not None or request.method not in READS:
            return None
        is_awaited = _is_of_edition_alone(request, view.group)
        return answer_without_edition(request) if is_awaited else None


def _is_of_edition_alone(request: HttpRequest, group: RegistryGroup) -> bool:
    path, accept = request.path, request.headers.get("accept")
    stem = registry_folder(group.id) + group.id  # where Accept chooses a format of the registry
    below = path.startswith(published_stems_of(group))
    if path == stem or path.startswith(_OF_HOST) or (below and _FILE.fullmatch(path)):
        return True
    is_page = path == "/" or below
    return is_page and bool(accept) and find_best(accept or "", _PAGE_TYPES) is None
