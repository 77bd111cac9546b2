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
    "The request can't be read: it is damaged or incomplete. Send it again.",
)
NO_HOST = _problem(
    transport_codes.HOST_MISSING,
    "Send one Host header with the host name of this site (RFC 9112 section 3.2).",
)
NO_VERSION = _problem(transport_codes.HTTP_VERSION, "Use HTTP/1.1 or HTTP/1.0.")
NO_CODING = _problem(
    transport_codes.TRANSFER_CODING,
    "Send bodies with Content-Length, or only with Transfer-Encoding: chunked.",
)
LONG_TARGET = _problem(
    transport_codes.ADDRESS_TOO_LONG,
    "The address is longer than 16 kB. Shorten it, or use the form on the page.",
)
LONG_HEAD = _problem(
    transport_codes.HEAD_TOO_LARGE,
    "The headers exceed 32 kB, or there are more than 100. Delete the cookies of this site, or "
    "send fewer headers.",
)
MANY_AT_ONCE = _problem(
    transport_codes.PIPELINE_TOO_LONG,
    "The connection has more than 200 requests whose answers weren't read. Read the answers, then "
    "send the other requests again.",
)
LATE_HEAD = _problem(
    transport_codes.HEAD_LATE,
    "The headers didn't arrive within 10 seconds. Send the request again.",
)
LARGE_BODY = _problem(
    transport_codes.BODY_TOO_LARGE,
    "The request is larger than 6 MB. Send less at once.",
)
LATE_BODY = _problem(
    transport_codes.BODY_LATE,
    "The upload took longer than a minute, and nothing was saved. Send it again, or send less at "
    "once.",
)
NO_ROOM = _problem(
    transport_codes.BODIES_BUSY,
    "Too many uploads are in progress, so nothing was saved. Try again in a minute.",
    Retry_After="60",
)
BUSY = _problem(
    transport_codes.SERVER_BUSY,
    "The server is busy, and nothing was changed. Try again in a few seconds. Published pages and "
    "files are still available.",
    Retry_After="10",
)
LATE_ANSWER = _problem(
    transport_codes.ANSWER_LATE,
    "The answer took longer than a minute. Your change may have been saved: check before you send "
    "it again.",
    Retry_After="60",
)
FAULT = _problem(
    page_codes.FAULT,
    "Something went wrong on our side. Try again. If it happens again, contact the operator.",
)
