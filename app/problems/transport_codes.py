"""Problem codes of the server: unreadable requests, limits, overload."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_UNREADABLE, _SLOW, _BUSY = ProblemKind.UNREADABLE, ProblemKind.TOO_SLOW, ProblemKind.BUSY

HTTP_BROKEN = ProblemCode(
    "http_broken",
    _UNREADABLE,
    "The request can't be read",
    "RFC 9112 sections 2.2 and 6.",
    "Send the request again.",
)
HOST_MISSING = ProblemCode(
    "host_missing",
    _UNREADABLE,
    "The request has no valid Host header",
    "RFC 9112 section 3.2.",
    "Send one Host header with the host name of this site.",
)
HTTP_VERSION = ProblemCode(
    "http_version",
    _UNREADABLE,
    "Unknown HTTP version",
    "RFC 9112 section 2.3.",
    "Use HTTP/1.1 or HTTP/1.0.",
)
ADDRESS_CONTROL = ProblemCode(
    "address_control",
    _UNREADABLE,
    "The address isn't valid",
    "RFC 3986 section 7.3: addresses can't contain control characters.",
    "Correct the address.",
)
TRANSFER_CODING = ProblemCode(
    "transfer_coding",
    ProblemKind.UNSUPPORTED,
    "Unknown transfer coding",
    "RFC 9112 section 6.1.",
    "Send Content-Length, or only Transfer-Encoding: chunked.",
)
ADDRESS_TOO_LONG = ProblemCode(
    "address_too_long",
    ProblemKind.LONG_ADDRESS,
    "The address is too long",
    "RFC 9110 sections 4.1 and 15.5.15. Limit: 16 kB.",
    "Shorten the address, or use the form on the page.",
)
HEAD_TOO_LARGE = ProblemCode(
    "head_too_large",
    ProblemKind.LARGE_HEAD,
    "The headers are too large",
    "RFC 6585 section 5. Limits: 32 kB, 100 headers.",
    "Delete the cookies of this site, or send fewer headers.",
)
PIPELINE_TOO_LONG = ProblemCode(
    "pipeline_too_long",
    ProblemKind.TOO_OFTEN,
    "Too many requests at once",
    "RFC 9112 section 9.3.2. Limit: 200 requests before you read the responses.",
    "Read the responses, then send the other requests again.",
)
HEAD_LATE = ProblemCode(
    "head_late",
    _SLOW,
    "The headers arrived too slowly",
    "RFC 9110 section 15.5.9. Limit: 10 seconds for the headers.",
    "Send the request again.",
)
BODY_LATE = ProblemCode(
    "body_late",
    _SLOW,
    "The body arrived too slowly",
    "RFC 9110 section 15.5.9. Limit: one minute for the body.",
    "Send the request again, or send less data at once.",
)
BODY_TOO_LARGE = ProblemCode(
    "body_too_large",
    ProblemKind.TOO_LARGE,
    "The request is too large",
    "RFC 9110 section 15.5.14. Limit: 6 MB.",
    "Send less data at once.",
)
BODIES_BUSY = ProblemCode(
    "bodies_busy",
    _BUSY,
    "Too many uploads at the moment",
    "RFC 9110 section 15.6.4. The memory for uploads is limited.",
    "Try again in a minute.",
)
SERVER_BUSY = ProblemCode(
    "server_busy",
    _BUSY,
    "The server is busy",
    "RFC 9110 section 15.6.4. The number of simultaneous requests is limited.",
    "Try again in a few seconds. Published pages and files are still available.",
)
ANSWER_LATE = ProblemCode(
    "answer_late",
    ProblemKind.NO_ANSWER,
    "No response in time",
    "RFC 9110 section 15.6.5. Limit: one minute for a response.",
    "Your change may have been saved. Check before you send it again.",
)
DEMONSTRATION_FOREIGN = ProblemCode(
    "demonstration_foreign",
    ProblemKind.NOT_ALLOWED,
    "This demo works only on its own computer",
    "Setting URN_REGISTRY_DEMO.",
    "Open the site on the computer where it runs, or start the registry without demo mode.",
)
