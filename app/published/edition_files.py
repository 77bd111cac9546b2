"""Links to the files of editions: those of the current one, and those that each keeps for ever."""

import json
import re
from datetime import datetime
from hashlib import sha256
from urllib.parse import parse_qs

from app.exports.content.file_names import registry_folder
from app.exports.content.static_paths import find_plain_path
from app.exports.editions.edition_list import edition_path, end_of_day
from app.exports.manifests.bundle_files import ALWAYS_ASK, FOR_EVER, BlobReference, BundleFile
from app.exports.manifests.bundle_paths import FOR_COPIES, MANIFEST, copies_path
from app.published.blobs import DamagedBlob
from app.published.edition import EditionHistory, Found, PublishedEdition
from app.published.group_plane import FALL_THROUGH, EditionView
from app.published.http.accept_headers import find_best
from app.published.http.file_answers import redirect_for_good, redirect_for_now, send_file
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import (
    NO_DAY,
    NO_EDITION_OF_DAY,
    NOT_ALLOWED,
    MediaTypeOffer,
    Problem,
    Representation,
    answer_without_edition,
    media_type_problem,
    problem_answer,
    represent_file,
)
from app.published.names.name_targets import is_page_of_group, segment_asked
from app.registration.declarations.name_addresses import is_below_names, published_stems_of
from app.registration.declarations.registry_groups import RegistryGroup
from app.resolution.outcome_documents import NAMES

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


_LIST = re.compile(r"editions/([1-9][0-9]{0,17})\.json")
_BLOBS = "blobs/"
_BLOB = re.compile(r"blobs/([0-9a-f]{64})")
_JSON, _BYTES = "application/json", "application/octet-stream"


class ReplicationFiles:
    """The lists of what is published, and the bytes by their digests."""

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """A list or its bytes, which nobody can change; None where neither is at the path."""
        root = copies_path(view.group)
        if not request.path.startswith(root):
            return None
        reads, name = request.method in READS, request.path.removeprefix(root)
        if reads and not name.startswith(_BLOBS):  # those are alike in all editions
            view.check_current()
        found = _find_for_copies(name, request, view.edition, view.history)
        if found is None:
            return None
        return (
            send_file(found, view.blobs, request) if reads else problem_answer(NOT_ALLOWED, request)
        )


def _find_for_copies(
    name: str, request: HttpRequest, edition: PublishedEdition, history: EditionHistory
) -> Representation | None:
    path = request.path
    if name == MANIFEST:
        return _written(path, edition.content, edition) if edition.content else None
    if name == "editions.json":
        numbers = json.dumps({"editions": history.numbers()}).encode()
        return _written(path, numbers, edition)
    if match := _LIST.fullmatch(name):
        listed = history.find_list(int(match[1]))
        return listed and _stored(path, _JSON, listed, edition)
    match = _BLOB.fullmatch(name)
    blob = match and _find_blob(match[1], request.query, edition, history)
    return _stored(path, _BYTES, blob, edition) if blob else None


def _find_blob(
    digest: str, query: str, edition: PublishedEdition, history: EditionHistory
) -> BlobReference | None:
    try:
        wanted = parse_qs(query, max_num_fields=1).get("path", [""])[0]
    except ValueError:
        return None
    lasting = history.find(wanted)  # an edition's page is of the current edition all the same
    owners = (edition, lasting) if lasting else (edition,)
    return next((blob for owner in owners if (blob := _named(digest, wanted, owner))), None)


def _named(digest: str, path: str, owner: PublishedEdition) -> BlobReference | None:
    if digest in owner.catalogue.named:
        return owner.catalogue.named[digest]
    file = owner.catalogue.find(path)
    return next((blob for blob in file.blobs if blob.sha256 == digest), None) if file else None


def _written(path: str, content: bytes, edition: PublishedEdition) -> Representation:
    blob = BlobReference(path, sha256(content).hexdigest(), len(content))
    made = _represented(path, _JSON, blob, ALWAYS_ASK, edition)
    made.plain.body = content
    return made


def _stored(
    path: str, media_type: str, blob: BlobReference, edition: PublishedEdition
) -> Representation:
    return _represented(path, media_type, blob, FOR_EVER, edition)


def _represented(
    path: str, media_type: str, blob: BlobReference, cache_control: str, edition: PublishedEdition
) -> Representation:
    file = BundleFile(
        path=path,
        media_type=media_type,
        sha256=blob.sha256,
        length=blob.length,
        cache_control=cache_control,
    )
    return represent_file(file, edition.modified)


_AS_OF = "as-of"
_ASKED = re.compile(rf"(?:^|&){_AS_OF}=")
_MOST_MEMBERS = 20


class EditionDays:
    """Leads from a page or a file to the one of the edition that stood on a day.

    ``is_copy``: nobody behind says why there is no edition of a day.
    """

    def __init__(self, *, is_copy: bool) -> None:
        self._is_copy = is_copy

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The way to the edition of the day; None where no day is asked for."""
        if not (request.query and names_a_day(request.query) and request.method in READS):
            return None
        is_of_one = is_page_of_group(request.path, view.group)
        if not (is_of_one or _has_days(request, view)):
            return None
        view.check_current()
        there = _find_of_day(request, view)
        if there is not None:
            return redirect_for_now(there)
        is_last = self._is_copy or is_of_one
        return problem_answer(no_edition_of_day(request), request) if is_last else FALL_THROUGH


def names_a_day(query: str) -> bool:
    return _ASKED.search(query) is not None


def find_edition_of_day(query: str, history: EditionHistory) -> int | None:
    """The edition that was current at the end of the queried day, in UTC. Raises DamagedBlob."""
    end = _find_end(query)
    numbers = history.numbers() if end else []
    return next((n for n in reversed(numbers) if end and history.moment(n) <= end), None)


def no_edition_of_day(request: HttpRequest) -> Problem:
    return NO_EDITION_OF_DAY if _find_end(request.query) else NO_DAY


def _find_end(query: str) -> datetime | None:
    try:
        (asked,) = parse_qs(query, max_num_fields=_MOST_MEMBERS).get(_AS_OF, [""])
        return end_of_day(asked.strip())  # of two days neither is meant more than the other
    except ValueError:
        return None


def _has_days(request: HttpRequest, view: EditionView) -> bool:
    path, group = request.path, view.group
    is_of_registry = path.startswith(registry_folder(group.id))
    has_days = path == group.editions or is_of_registry or is_below_names(path, group)
    return has_days and view.edition.find(path) is not None


def _find_of_day(request: HttpRequest, view: EditionView) -> str | None:
    group, path = view.group, request.path
    number = find_edition_of_day(request.query, view.history)
    if number is None:
        return None
    if is_below_names(path, group):
        return edition_path(number, path[1:], group.id)
    if is_page_of_group(path, group):
        return edition_path(number, f"{NAMES[1:]}{segment_asked(request)}", group.id)
    file = path.rpartition("/")[2] if path.startswith(registry_folder(group.id)) else ""
    there = edition_path(number, file, group.id)
    # older software kept fewer formats
    return there if view.history.find_file(there) else edition_path(number, group=group.id)
