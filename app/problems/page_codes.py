"""Why a page of the working plane refuses, or has nothing to show: a row for each reason."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_MISSING, _DENIED = ProblemKind.NOT_FOUND, ProblemKind.NOT_ALLOWED

ADDRESS_UNKNOWN = ProblemCode(
    "address_unknown",
    _MISSING,
    "Nothing at this address",
    "RFC 9110 section 15.5.5.",
    "Check how the address is written, or begin at the start page.",
)
ACTION_UNKNOWN = ProblemCode(
    "action_unknown",
    _MISSING,
    "No such thing to do",
    f"{_RULE} a page takes the actions that it offers.",
    "Load the page again and choose one of its buttons.",
)
FORMAT_UNKNOWN = ProblemCode(
    "format_unknown",
    _MISSING,
    "Not in this format",
    f"{_RULE} the suffix of an address names its format.",
    "Take one of the formats that the message lists.",
)
FILE_UNPUBLISHED = ProblemCode(
    "file_unpublished",
    ProblemKind.BUSY,
    "Not published here yet",
    f"{_RULE} a file is sent once its edition is laid out.",
    "Try again in a minute.",
)
ITERATION_UNKNOWN = ProblemCode(
    "iteration_unknown",
    _MISSING,
    "No such text",
    "RFC 8141 section 6.3: each text sent in is an iteration of the request.",
    "The page of the request lists its texts.",
)
CONTACT_UNSET = ProblemCode(
    "contact_unset",
    _MISSING,
    "No contact for security",
    "Setting URN_REGISTRY_SECURITY_CONTACT; RFC 9116 section 2.5.3.",
    "Tell the operator of the registry.",
)
SIGN_IN_NEEDED = ProblemCode(
    "sign_in_needed",
    ProblemKind.SIGNED_OUT,
    "Nobody is signed in",
    f"{_RULE} what is somebody’s is shown to them alone.",
    "Sign in first.",
)
CROSS_SITE = ProblemCode(
    "cross_site",
    _DENIED,
    "Sent from elsewhere",
    "RFC 6454 section 7: forms are taken from the pages of this site.",
    "Open the site itself, and send the form there.",
)
FORM_EXPIRED = ProblemCode(
    "form_expired",
    ProblemKind.UNREADABLE,
    "This form is too old",
    f"{_RULE} a form is sent by the session that opened it.",
    "Go back, load the page again and send it once more.",
)
FORM_UNFIT = ProblemCode(
    "form_unfit",
    ProblemKind.INVALID,
    "Something to change",
    f"{_RULE} a form is complete before it is carried out.",
    "Change the fields that are named, and send it again.",
)
FORM_NEEDED = ProblemCode(
    "form_needed",
    ProblemKind.NOT_A_FORM,
    "Not a form",
    "RFC 9110 section 15.5.16; HTML, form submission.",
    "Send application/x-www-form-urlencoded or multipart/form-data.",
)
FORM_TOO_LARGE = ProblemCode(
    "form_too_large",
    ProblemKind.TOO_LARGE,
    "Too much at once",
    "RFC 9110 section 15.5.14.",
    "Send less at once.",
)
REQUEST_UNREADABLE = ProblemCode(
    "request_unreadable",
    ProblemKind.UNREADABLE,
    "Not readable",
    "RFC 9110 section 15.5.1.",
    "Go back, and send it again as the page made it.",
)
METHOD_REFUSED = ProblemCode(
    "method_refused",
    ProblemKind.READ_ONLY,
    "Not to be used in that way",
    "RFC 9110 section 15.5.6.",
    "Use a method that Allow lists.",
)
FAULT = ProblemCode(
    "fault",
    ProblemKind.FAULT,
    "Something went wrong here",
    "RFC 9110 section 15.6.1.",
    "It was not your doing. Try again; if it stays so, tell the operator.",
)
TEMPLATE_ELSEWHERE = ProblemCode(
    "template_elsewhere",
    _MISSING,
    "No template on file",
    "RFC 8141 section 6.4: a template registered before is kept where it was published.",
    "Read the original at the address that is named.",
)
QUERY_AS_PAGE = ProblemCode(
    "query_as_page",
    ProblemKind.NO_SUCH_FORM,
    "Not in this format",
    f"{_RULE} a question to the list of names is answered as a page alone.",
    "Take the file of all names, and filter it yourself.",
)
DATABASE_UNWRITABLE = ProblemCode(
    "database_unwritable",
    ProblemKind.BUSY,
    "Nothing can be saved now",
    "RFC 9110 section 15.6.4: forms are saved in the database. The registry itself can be read.",
    "Try again later. If this continues, tell the operator.",
)
DATABASE_AWAY = ProblemCode(
    "database_away",
    ProblemKind.BUSY,
    "Away for a moment",
    "RFC 9110 section 15.6.4: forms need the database. The registry itself can be read.",
    "Try again in a minute.",
)
