"""Problems of requests for published files and identifiers, one row for each."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_MISSING, _BUSY, _FORM = ProblemKind.NOT_FOUND, ProblemKind.BUSY, ProblemKind.NO_SUCH_FORM

EDITION_AWAITED = ProblemCode(
    "edition_awaited",
    _BUSY,
    "No edition yet",
    f"{_RULE} every response is based on a published edition.",
    "Try again in a few seconds.",
)
EDITION_BEING_READ = ProblemCode(
    "edition_being_read",
    _BUSY,
    "Loading a new edition",
    f"{_RULE} every response is based on the current edition.",
    "Try again in a second.",
)
FILE_DAMAGED = ProblemCode(
    "file_damaged",
    _BUSY,
    "File damaged",
    f"{_RULE} files are sent only as they were published.",
    "Try again later, or download the file from another copy of the registry.",
)
NOT_PUBLISHED = ProblemCode(
    "not_published",
    _MISSING,
    "Page not found",
    "RFC 9110 section 15.5.5: an edition has only the addresses in its manifest.",
    "Check the spelling of the address.",
)
DAY_MALFORMED = ProblemCode(
    "day_malformed",
    ProblemKind.UNREADABLE,
    "Not a date",
    "RFC 3339 section 5.6: full-date.",
    "Enter a date as YYYY-MM-DD, for example 2021-05-01.",
)
DAY_WITHOUT_EDITION = ProblemCode(
    "day_without_edition",
    _MISSING,
    "No edition on that date",
    f"{_RULE} a date selects the latest edition published by then.",
    "Choose a later date.",
)
NOT_IN_COPY = ProblemCode(
    "not_in_copy",
    _MISSING,
    "Not in this copy",
    f"{_RULE} a copy contains only published files.",
    "Use the original registry site.",
)
COPY_CANNOT_SEARCH = ProblemCode(
    "copy_cannot_search",
    _MISSING,
    "Search not available in a copy",
    f"{_RULE} a copy contains only published files.",
    "Use the original registry site.",
)
FILE_READ_ONLY = ProblemCode(
    "file_read_only",
    ProblemKind.READ_ONLY,
    "This address is read-only",
    "RFC 9110 section 15.5.6.",
    "Use GET or HEAD.",
)
CONDITION_FAILED = ProblemCode(
    "condition_failed",
    ProblemKind.OUTDATED_CONDITION,
    "The edition has changed",
    "RFC 9110 sections 13.1.1, 13.1.4 and 15.5.13.",
    "Remove the condition from the request to get the current edition.",
)
CODING_REFUSED = ProblemCode(
    "coding_refused",
    _FORM,
    "Encoding not available",
    "RFC 9110 section 12.5.3.",
    "Allow identity in Accept-Encoding, or remove the header.",
)
MEDIA_TYPE_REFUSED = ProblemCode(
    "media_type_refused",
    _FORM,
    "Format not available",
    "RFC 9110 section 12.5.1.",
    "Choose one of the listed formats.",
)
RANGE_BEYOND_END = ProblemCode(
    "range_beyond_end",
    ProblemKind.BEYOND_END,
    "Range after the end of the file",
    "RFC 9110 section 15.5.17.",
    "Start the range within the length in Content-Range.",
)
NAME_TOO_LONG = ProblemCode(
    "name_too_long",
    ProblemKind.LONG_ADDRESS,
    "Identifier too long",
    "RFC 9110 section 15.5.15: the limit here is 8,192 octets.",
    "Shorten it.",
)
NAMES_UNRULED = ProblemCode(
    "names_unruled",
    _MISSING,
    "Identifiers are not resolved yet",
    f"{_RULE} identifiers are checked and resolved according to the rules published in the "
    "edition.",
    "Try again after the next edition is published, or use the original registry site.",
)
NAME_READ_ONLY = ProblemCode(
    "name_read_only",
    ProblemKind.READ_ONLY,
    "This address is read-only",
    "RFC 9110 section 15.5.6.",
    "Use GET, HEAD or OPTIONS.",
)
NAAN_UNKNOWN = ProblemCode(
    "naan_unknown",
    _MISSING,
    "NAAN not registered",
    "The ARK URI scheme section 7.1.2.",
    "Check the spelling, or request a NAAN.",
)
NAAN_WITHDRAWN = ProblemCode(
    "naan_withdrawn",
    ProblemKind.GONE,
    "NAAN or shoulder withdrawn",
    f"{_RULE} a NAAN or shoulder is never reused.",
    "Use the replacement, if one is listed.",
)
ARK_WITHOUT_TARGET = ProblemCode(
    "ark_without_target",
    _MISSING,
    "No target for this ARK",
    "The ARK URI scheme section 7.1.2.",
    "Ask the NAAN holder for the object.",
)
ARK_TOO_LONG_TO_FOLLOW = ProblemCode(
    "ark_too_long_to_follow",
    ProblemKind.LONG_ADDRESS,
    "ARK too long",
    "The ARK URI scheme section 7.1.1: the limit here is 8,192 characters.",
    "Shorten it.",
)
BOUND_NAME_WITHDRAWN = ProblemCode(
    "bound_name_withdrawn",
    ProblemKind.GONE,
    "Identifier withdrawn",
    f"{_RULE} an identifier is never reused.",
    "Use the replacement, if one is listed.",
)
BOUND_NAME_RESERVED = ProblemCode(
    "bound_name_reserved",
    _MISSING,
    "Identifier reserved",
    f"{_RULE} a reserved identifier has no target until its owner publishes it.",
    "Try again later, or ask the owner.",
)
NAME_COPY_AWAITED = ProblemCode(
    "name_copy_awaited",
    _BUSY,
    "Server starting",
    f"{_RULE} if a longer identifier can't be read, a shorter one is never used instead.",
    "Try again in a few seconds.",
)
NAME_COPY_UNREADABLE = ProblemCode(
    "name_copy_unreadable",
    _BUSY,
    "Resolution temporarily unavailable",
    f"{_RULE} if a longer identifier can't be read, a shorter one is never used instead.",
    "Try again in a few seconds, or use another copy of the registry.",
)
NAME_COPY_DAMAGED = ProblemCode(
    "name_copy_damaged",
    _BUSY,
    "Resolution temporarily unavailable",
    f"{_RULE} if a longer identifier can't be read, a shorter one is never used instead.",
    "Try again in a few seconds, or use another copy of the registry.",
)
CHANGE_NUMBER_MALFORMED = ProblemCode(
    "change_number_malformed",
    ProblemKind.UNREADABLE,
    "Not a change number",
    f"{_RULE} changes to identifiers are numbered from 1.",
    "Use /names/changes?after=0, or the number of the last change that you have.",
)
NAME_LIST_MALFORMED = ProblemCode(
    "name_list_malformed",
    ProblemKind.UNREADABLE,
    "Not a prefix",
    f"{_RULE} identifiers are listed by prefix.",
    "Use a prefix, as in /names/under/ark:12345/x5 or /names/under/urn:example:.",
)
SERVICE_UNKNOWN = ProblemCode(
    "service_unknown",
    _MISSING,
    "Unknown resolution service",
    "RFC 2169 section 2.",
    "Use one of the listed services.",
)
RESOURCES_UNSENT = ProblemCode(
    "resources_unsent",
    ProblemKind.UNSUPPORTED,
    "The service doesn't send resources",
    "RFC 2169 section 3.4.",
    "Use N2Ls to get the locations.",
)
RESOURCE_UNKNOWN = ProblemCode(
    "resource_unknown",
    _MISSING,
    "Resource not found",
    "RFC 2169 section 3.",
    "Use N2C to get a description.",
)
LOCATION_UNNAMED = ProblemCode(
    "location_unnamed",
    _MISSING,
    "No identifier for this location",
    "RFC 2169 section 3.",
    "Use the target of a listed service.",
)
LOCATION_INVALID = ProblemCode(
    "location_invalid",
    ProblemKind.UNREADABLE,
    "Not a location",
    "RFC 3986 section 3.",
    "Correct the address at the given position.",
)
IDENTIFIER_WRAPPED = ProblemCode(
    "identifier_wrapped",
    ProblemKind.UNREADABLE,
    "Text around the identifier",
    "RFC 3986 appendix C: delimiters around an identifier are not part of it.",
    "Use the identifier in the message.",
)
NAME_IMPOSSIBLE = ProblemCode(
    "name_impossible",
    _MISSING,
    "Not a valid URN in this namespace",
    "RFC 8141 section 5.1: the registration of a NID defines its valid URNs.",
    "Compare the URN with the syntax on the page of the namespace.",
)
NAME_WITHDRAWN = ProblemCode(
    "name_withdrawn",
    ProblemKind.GONE,
    "Namespace no longer registered",
    "RFC 8141 section 5.1: a NID is never reused.",
    "See the page of the namespace for its history.",
)
