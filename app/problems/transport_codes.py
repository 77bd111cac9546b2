"""Why the server takes no request, or gives no answer now: a row for each reason."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_UNREADABLE, _SLOW, _BUSY = ProblemKind.UNREADABLE, ProblemKind.TOO_SLOW, ProblemKind.BUSY

HTTP_BROKEN = ProblemCode(
    "http_broken",
    _UNREADABLE,
    "Not readable",
    "RFC 9112 sections 2.2 and 6.",
    "Send the request once more.",
)
HOST_MISSING = ProblemCode(
    "host_missing",
    _UNREADABLE,
    "Not readable: no valid Host",
    "RFC 9112 section 3.2.",
    "Send one Host header with the name of the site.",
)
HTTP_VERSION = ProblemCode(
    "http_version",
    _UNREADABLE,
    "Not a known version of HTTP",
    "RFC 9112 section 2.3.",
    "Ask in HTTP/1.1 or HTTP/1.0.",
)
ADDRESS_CONTROL = ProblemCode(
    "address_control",
    _UNREADABLE,
    "Not an address",
    "RFC 3986 section 7.3: no address here has a control character.",
    "Check how the address is written.",
)
TRANSFER_CODING = ProblemCode(
    "transfer_coding",
    ProblemKind.UNSUPPORTED,
    "Not a known transfer coding",
    "RFC 9112 section 6.1.",
    "Send a Content-Length, or Transfer-Encoding: chunked alone.",
)
ADDRESS_TOO_LONG = ProblemCode(
    "address_too_long",
    ProblemKind.LONG_ADDRESS,
    "The address is too long",
    "RFC 9110 sections 4.1 and 15.5.15: 16 kB here.",
    "Ask for less at once; what has a form can be sent by it.",
)
HEAD_TOO_LARGE = ProblemCode(
    "head_too_large",
    ProblemKind.LARGE_HEAD,
    "Too much in the headers",
    "RFC 6585 section 5: 32 kB and 100 headers here.",
    "Delete the cookies of this site, or send less.",
)
PIPELINE_TOO_LONG = ProblemCode(
    "pipeline_too_long",
    ProblemKind.TOO_OFTEN,
    "Too many requests at once",
    "RFC 9112 section 9.3.2: 200 requests without an answer read here.",
    "Read the answers, and send the rest again.",
)
HEAD_LATE = ProblemCode(
    "head_late",
    _SLOW,
    "Too slow",
    "RFC 9110 section 15.5.9: 10 seconds for the head here.",
    "Send the request once more.",
)
BODY_LATE = ProblemCode(
    "body_late",
    _SLOW,
    "Too slow a body",
    "RFC 9110 section 15.5.9: a minute for the body here.",
    "Send it once more, or less at once.",
)
BODY_TOO_LARGE = ProblemCode(
    "body_too_large",
    ProblemKind.TOO_LARGE,
    "Too much at once",
    "RFC 9110 section 15.5.14: 6 MB here.",
    "Send less at once.",
)
BODIES_BUSY = ProblemCode(
    "bodies_busy",
    _BUSY,
    "No room for what is sent",
    "RFC 9110 section 15.6.4: what is being sent takes bounded memory here.",
    "Try again in a minute.",
)
SERVER_BUSY = ProblemCode(
    "server_busy",
    _BUSY,
    "Busy",
    "RFC 9110 section 15.6.4: so many are answered at a time here.",
    "Try again in a few seconds. Published pages and files are answered all the same.",
)
ANSWER_LATE = ProblemCode(
    "answer_late",
    ProblemKind.NO_ANSWER,
    "No answer in time",
    "RFC 9110 section 15.6.5: a minute for an answer here.",
    "What was asked for may be done or not: look before you send it once more.",
)
DEMONSTRATION_FOREIGN = ProblemCode(
    "demonstration_foreign",
    ProblemKind.NOT_ALLOWED,
    "This demonstration is for this machine alone",
    "Setting URN_REGISTRY_DEMO.",
    "Open the site on the machine that it runs on, or start it without demo mode.",
)
