"""What is said to those whose request cannot be taken as it came, or not now."""

from app.problems import page_codes, transport_codes
from app.problems.problem_codes import ProblemCode
from app.published.http.problems import Problem


class RequestRefused(Exception):
    """A request that is not taken, and what is said of it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.title)
        self.problem = problem


class ClientGone(Exception):
    """Whoever asked went away, so that nobody is left to answer."""


def _problem(code: ProblemCode, detail: str, **headers: str) -> Problem:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Problem(code, detail, named)


BROKEN = _problem(
    transport_codes.HTTP_BROKEN,
    "What was sent cannot be read: it is broken, or cut off. Send it once more.",
)
NO_HOST = _problem(
    transport_codes.HOST_MISSING,
    "A request has one Host header with the name of the site (RFC 9112 section 3.2).",
)
NO_VERSION = _problem(transport_codes.HTTP_VERSION, "Requests are taken in HTTP/1.1 or HTTP/1.0.")
NO_CODING = _problem(
    transport_codes.TRANSFER_CODING,
    "Bodies are taken with a Content-Length, or with Transfer-Encoding: chunked alone.",
)
LONG_TARGET = _problem(
    transport_codes.ADDRESS_TOO_LONG,
    "An address may have 16 kB here, and this one has more. Ask for less at once.",
)
LONG_HEAD = _problem(
    transport_codes.HEAD_TOO_LARGE,
    "The headers have more than 32 kB together, or are more than 100. Delete the cookies of this "
    "site, or send less.",
)
MANY_AT_ONCE = _problem(
    transport_codes.PIPELINE_TOO_LONG,
    "More than 200 requests were sent on one connection before their answers were read. Read the "
    "answers, and send the rest again.",
)
LATE_HEAD = _problem(
    transport_codes.HEAD_LATE,
    "The head of the request did not come within 10 seconds. Send it once more.",
)
LARGE_BODY = _problem(
    transport_codes.BODY_TOO_LARGE,
    "That is more than 6 MB, which is the most that is taken anywhere here. Send less at once.",
)
LATE_BODY = _problem(
    transport_codes.BODY_LATE,
    "What you sent did not arrive within a minute, and nothing was kept of it. Send it once more, "
    "or less at once.",
)
NO_ROOM = _problem(
    transport_codes.BODIES_BUSY,
    "So much is being sent here at this moment that there is no room for more. Nothing was kept "
    "of yours. Try again in a minute.",
    Retry_After="60",
)
BUSY = _problem(
    transport_codes.SERVER_BUSY,
    "Everybody who answers here is at work. Nothing was begun. Published pages and files are "
    "answered all the same. Try again in a few seconds.",
    Retry_After="10",
)
LATE_ANSWER = _problem(
    transport_codes.ANSWER_LATE,
    "The answer took more than a minute. What you asked for may be done or not: look before you "
    "send it once more.",
    Retry_After="60",
)
FAULT = _problem(
    page_codes.FAULT,
    "It was not your doing. Try again; if it stays so, tell the operator.",
)
