"""What is said to those whose request cannot be taken as it came, or not now."""

from http import HTTPStatus

from app.published.http.problems import Problem


class RequestRefused(Exception):
    """A request that is not taken, and what is said of it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.title)
        self.problem = problem


class ClientGone(Exception):
    """Whoever asked went away, so that nobody is left to answer."""


def _problem(status: HTTPStatus, title: str, detail: str, **headers: str) -> Problem:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Problem(status, title, detail, named)


BROKEN = _problem(
    HTTPStatus.BAD_REQUEST,
    "Not readable",
    "What was sent cannot be read: it is broken, or cut off. Send it once more.",
)
NO_HOST = _problem(
    HTTPStatus.BAD_REQUEST,
    "Not readable",
    "A request has one Host header with the name of the site (RFC 9112 section 3.2).",
)
NO_VERSION = _problem(
    HTTPStatus.BAD_REQUEST, "Not readable", "Requests are taken in HTTP/1.1 or HTTP/1.0."
)
NO_CODING = _problem(
    HTTPStatus.NOT_IMPLEMENTED,
    "Not a known transfer coding",
    "Bodies are taken with a Content-Length, or with Transfer-Encoding: chunked alone.",
)
LONG_TARGET = _problem(
    HTTPStatus.REQUEST_URI_TOO_LONG,
    "Too long an address",
    "The address has more than 16 kB. Send what it asks as a form, or ask for less at once.",
)
LONG_HEAD = _problem(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    "Too much in the headers",
    "The headers have more than 32 kB together, or are more than 100. Delete the cookies of this "
    "site, or send less.",
)
MANY_AT_ONCE = _problem(
    HTTPStatus.TOO_MANY_REQUESTS,
    "Too many requests at once",
    "More than 200 requests were sent on one connection before their answers were read. Read the "
    "answers, and send the rest again.",
)
LATE_HEAD = _problem(
    HTTPStatus.REQUEST_TIMEOUT,
    "Too slow",
    "The head of the request did not come within 10 seconds. Send it once more.",
)
LARGE_BODY = _problem(
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "Too much at once",
    "That is more than 6 MB, which is the most that is taken anywhere here. Send less at once.",
)
LATE_BODY = _problem(
    HTTPStatus.REQUEST_TIMEOUT,
    "Too slow",
    "What you sent did not arrive within a minute, and nothing was kept of it. Send it once more, "
    "or less at once.",
)
NO_ROOM = _problem(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "Busy",
    "So much is being sent here at this moment that there is no room for more. Nothing was kept "
    "of yours. Try again in a minute.",
    Retry_After="60",
)
BUSY = _problem(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "Busy",
    "Everybody who answers here is at work. Nothing was begun. Published pages and files are "
    "answered all the same. Try again in a few seconds.",
    Retry_After="10",
)
LATE_ANSWER = _problem(
    HTTPStatus.GATEWAY_TIMEOUT,
    "No answer in time",
    "The answer took more than a minute. What you asked for may be done or not: look before you "
    "send it once more.",
    Retry_After="60",
)
FAULT = _problem(
    HTTPStatus.INTERNAL_SERVER_ERROR,
    "Something went wrong here",
    "It was not your doing. Try again; if it stays so, tell the operator.",
)
