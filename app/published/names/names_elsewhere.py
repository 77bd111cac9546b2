"""What a host that has a part of all names answers where others are asked for: it sends there."""

from http import HTTPStatus
from urllib.parse import quote, urlsplit

from app.assigned_names.name_parts import NamePart
from app.problems import publication_codes
from app.published.http.headers import SAFE
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.http.problems import Problem, problem_answer
from app.published.names.name_answers import STEERING
from app.published.names.name_targets import target_asked

__all__ = ["answer_elsewhere"]

_PRINTED = "".join(map(chr, range(0x21, 0x7F)))
_FORWARDED = "x-forwarded-for", "forwarded"  # what a server in front says


def answer_elsewhere(part: NamePart, request: HttpRequest, *, is_copy: bool) -> HttpAnswer:
    """Lead to the same target at the site that has all names, for as long as it is there.

    Source: RFC 9110 sections 15.4.8 and 15.5.20.
    """
    place = part.elsewhere
    is_there = request.headers.get("host", "").lower() == urlsplit(place).netloc.lower()
    is_in_front = not is_copy and any(name in request.headers for name in _FORWARDED)
    if not place or is_there or is_in_front:
        return problem_answer(_misdirected(part), request)
    target = quote(target_asked(request), safe=_PRINTED, encoding="latin-1")
    fields = [("Location", place + target), ("Content-Length", "0"), *STEERING, *SAFE]
    return HttpAnswer(HTTPStatus.TEMPORARY_REDIRECT.value, fields)


def _misdirected(part: NamePart) -> Problem:
    return Problem(
        publication_codes.NAMES_ELSEWHERE,
        f"This server has {part.extent}. Another server of this site may have this identifier.",
    )
