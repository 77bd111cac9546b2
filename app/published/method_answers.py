"""The link that tells browsers, and whoever asks by OPTIONS, that what is published may be read."""

from app.exports.manifests.bundle_paths import FOR_COPIES
from app.published.chain import EditionView
from app.published.http.cross_origin import answer_options, is_preflight
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.http.representation import Representation
from app.registration.declarations.name_addresses import published_stems


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
