"""The published plane, and the whole site, without a server between."""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from app.config import Settings
from app.factory import _working_plane, admission_of, session_cookie
from app.front.wsgi import WsgiFront, request_of_environ, send_answer
from app.published.plane import PublishedPlane


class PublishedWsgi:
    """Answers by WSGI; what falls through is for the application ``behind``."""

    def __init__(self, published: PublishedPlane, behind: WSGIApplication | None = None) -> None:
        self._published, self._behind = published, behind

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        answer = self._published.answer(request_of_environ(environ))
        if answer is not None:
            return send_answer(answer, environ, start_response)
        if self._behind is None:
            raise LookupError("What falls through needs an application behind it.")
        return self._behind(environ, start_response)


def create_application(settings: Settings) -> WSGIApplication:
    """The whole site, let in by one front."""
    app = _working_plane(settings)  # without the front that it has alone
    published = PublishedPlane(settings.published_dir, True, session_cookie(settings))
    return WsgiFront(PublishedWsgi(published, app.wsgi_app), admission_of(settings))
