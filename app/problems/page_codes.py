"""Why a page of the working plane refuses, or has nothing to show: a row for each reason."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_MISSING, _DENIED = ProblemKind.NOT_FOUND, ProblemKind.NOT_ALLOWED

ADDRESS_UNKNOWN = ProblemCode(
    "address_unknown",
    _MISSING,
    "Page not found",
    "RFC 9110 section 15.5.5.",
    "Check the address, or start from the home page.",
)
ACTION_UNKNOWN = ProblemCode(
    "action_unknown",
    _MISSING,
    "Action not found",
    f"{_RULE} a page accepts only the actions that it offers.",
    "Reload the page and choose one of its buttons.",
)
FORMAT_UNKNOWN = ProblemCode(
    "format_unknown",
    _MISSING,
    "Format not available",
    f"{_RULE} the suffix of an address selects the format.",
    "Choose one of the formats that the message lists.",
)
FILE_UNPUBLISHED = ProblemCode(
    "file_unpublished",
    ProblemKind.BUSY,
    "File not published yet",
    f"{_RULE} a file is available when its edition is complete.",
    "Try again in a minute.",
)
ITERATION_UNKNOWN = ProblemCode(
    "iteration_unknown",
    _MISSING,
    "Text not found",
    "RFC 8141 section 6.3: each submitted text is an iteration of the request.",
    "Choose a text from the page of the request.",
)
CONTACT_UNSET = ProblemCode(
    "contact_unset",
    _MISSING,
    "No security contact",
    "Setting URN_REGISTRY_SECURITY_CONTACT; RFC 9116 section 2.5.3.",
    "Tell the operator of the registry.",
)
SIGN_IN_NEEDED = ProblemCode(
    "sign_in_needed",
    ProblemKind.SIGNED_OUT,
    "Sign-in required",
    f"{_RULE} personal pages are visible only to their owner.",
    "Sign in first.",
)
CROSS_SITE = ProblemCode(
    "cross_site",
    _DENIED,
    "Form sent from another site",
    "RFC 6454 section 7: this site accepts forms only from its own pages.",
    "Open this site and submit the form there.",
)
FORM_EXPIRED = ProblemCode(
    "form_expired",
    ProblemKind.UNREADABLE,
    "Form expired",
    f"{_RULE} a form is valid in the session that opened it.",
    "Go back, reload the page and submit the form again.",
)
FORM_UNFIT = ProblemCode(
    "form_unfit",
    ProblemKind.INVALID,
    "Check your answers",
    f"{_RULE} required fields must be filled in with valid values.",
    "Correct the listed fields and submit the form again.",
)
FORM_NEEDED = ProblemCode(
    "form_needed",
    ProblemKind.NOT_A_FORM,
    "Unsupported form type",
    "RFC 9110 section 15.5.16; HTML Standard, form submission.",
    "Send application/x-www-form-urlencoded or multipart/form-data.",
)
FORM_TOO_LARGE = ProblemCode(
    "form_too_large",
    ProblemKind.TOO_LARGE,
    "Form too large",
    "RFC 9110 section 15.5.14.",
    "Send less at once.",
)
REQUEST_UNREADABLE = ProblemCode(
    "request_unreadable",
    ProblemKind.UNREADABLE,
    "Unreadable request",
    "RFC 9110 section 15.5.1.",
    "Go back and submit the form again.",
)
METHOD_REFUSED = ProblemCode(
    "method_refused",
    ProblemKind.READ_ONLY,
    "Method not allowed",
    "RFC 9110 section 15.5.6.",
    "Use a method from the Allow header.",
)
FAULT = ProblemCode(
    "fault",
    ProblemKind.FAULT,
    "Something went wrong",
    "RFC 9110 section 15.6.1.",
    "The error is on the server. Try again. If the error continues, tell the operator.",
)
TEMPLATE_ELSEWHERE = ProblemCode(
    "template_elsewhere",
    _MISSING,
    "No template on file",
    "RFC 8141 section 6.4: older templates remain where they were published.",
    "Read the original at the address that the message gives.",
)
QUERY_AS_PAGE = ProblemCode(
    "query_as_page",
    ProblemKind.NO_SUCH_FORM,
    "Format not available",
    f"{_RULE} search results in the list of identifiers are available only as a page.",
    "Download the complete file and filter it yourself.",
)
DATABASE_UNWRITABLE = ProblemCode(
    "database_unwritable",
    ProblemKind.BUSY,
    "Changes can’t be saved now",
    "RFC 9110 section 15.6.4: forms are saved in the database. You can still read the registry.",
    "Try again later. If this continues, tell the operator.",
)
DATABASE_AWAY = ProblemCode(
    "database_away",
    ProblemKind.BUSY,
    "Temporarily unavailable",
    "RFC 9110 section 15.6.4: forms need the database. You can still read the registry.",
    "Try again in a minute.",
)
