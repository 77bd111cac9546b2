"""Why the published plane has no bytes for a request: a row for each reason."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_MISSING, _BUSY, _FORM = ProblemKind.NOT_FOUND, ProblemKind.BUSY, ProblemKind.NO_SUCH_FORM

EDITION_AWAITED = ProblemCode(
    "edition_awaited",
    _BUSY,
    "No edition here yet",
    f"{_RULE} a server answers from an edition, and waits for its first.",
    "Try again in a few seconds.",
)
EDITION_BEING_READ = ProblemCode(
    "edition_being_read",
    _BUSY,
    "A new edition is being read",
    f"{_RULE} every answer is of the current edition.",
    "Try again in a second.",
)
FILE_DAMAGED = ProblemCode(
    "file_damaged",
    _BUSY,
    "This file is damaged here",
    f"{_RULE} bytes that are not the published ones are never sent.",
    "Try again later, or take them from another copy.",
)
NOT_PUBLISHED = ProblemCode(
    "not_published",
    _MISSING,
    "Nothing at this address",
    "RFC 9110 section 15.5.5: an edition has the addresses of its manifest.",
    "Check how the address is written.",
)
DAY_MALFORMED = ProblemCode(
    "day_malformed",
    ProblemKind.UNREADABLE,
    "Not a day",
    "RFC 3339 section 5.6: a day is written as full-date.",
    "Write a day of the calendar such as 2021-05-01.",
)
DAY_WITHOUT_EDITION = ProblemCode(
    "day_without_edition",
    _MISSING,
    "No edition of that day",
    f"{_RULE} a day leads to the edition that stood then.",
    "Ask for a later day.",
)
NOT_IN_COPY = ProblemCode(
    "not_in_copy",
    _MISSING,
    "Not in this copy",
    f"{_RULE} a copy holds what was published.",
    "Ask the registry itself.",
)
COPY_CANNOT_SEARCH = ProblemCode(
    "copy_cannot_search",
    _MISSING,
    "A copy cannot search",
    f"{_RULE} a copy holds pages as they were published.",
    "Ask the registry itself.",
)
FILE_READ_ONLY = ProblemCode(
    "file_read_only",
    ProblemKind.READ_ONLY,
    "This address can only be read",
    "RFC 9110 section 15.5.6.",
    "Use GET or HEAD.",
)
CONDITION_FAILED = ProblemCode(
    "condition_failed",
    ProblemKind.OUTDATED_CONDITION,
    "This is not what you expect",
    "RFC 9110 sections 13.1.1, 13.1.4 and 15.5.13.",
    "Leave the condition out to read the current edition.",
)
CODING_REFUSED = ProblemCode(
    "coding_refused",
    _FORM,
    "Not under this encoding",
    "RFC 9110 section 12.5.3.",
    "Allow identity in Accept-Encoding, or leave the header out.",
)
MEDIA_TYPE_REFUSED = ProblemCode(
    "media_type_refused",
    _FORM,
    "Not in this format",
    "RFC 9110 section 12.5.1.",
    "Ask for one of the formats that are listed.",
)
RANGE_BEYOND_END = ProblemCode(
    "range_beyond_end",
    ProblemKind.BEYOND_END,
    "Beyond the end of the file",
    "RFC 9110 section 15.5.17.",
    "Begin the range within the length that Content-Range gives.",
)
NAME_TOO_LONG = ProblemCode(
    "name_too_long",
    ProblemKind.LONG_ADDRESS,
    "Longer than 8 kB",
    "RFC 9110 section 15.5.15: 8,192 octets for a name here.",
    "Shorten it.",
)
NAMES_UNRULED = ProblemCode(
    "names_unruled",
    _MISSING,
    "Names are not resolved here yet",
    f"{_RULE} names are judged and led on by the rules that an edition holds.",
    "Come again when the next edition is out, or ask the registry.",
)
NAME_READ_ONLY = ProblemCode(
    "name_read_only",
    ProblemKind.READ_ONLY,
    "This address can only be read",
    "RFC 9110 section 15.5.6.",
    "Use GET, HEAD or OPTIONS.",
)
NAAN_UNKNOWN = ProblemCode(
    "naan_unknown",
    _MISSING,
    "Nobody has this NAAN",
    "The ARK URI scheme section 7.1.2.",
    "Look at those that are like it, or ask for a NAAN.",
)
NAAN_WITHDRAWN = ProblemCode(
    "naan_withdrawn",
    ProblemKind.GONE,
    "The NAAN or shoulder is registered no longer",
    f"{_RULE} a NAAN or shoulder once given is never given again.",
    "Use the one that the message names in its place, if it names one.",
)
ARK_WITHOUT_TARGET = ProblemCode(
    "ark_without_target",
    _MISSING,
    "No way on is known for this ARK",
    "The ARK URI scheme section 7.1.2.",
    "Ask whoever has the NAAN.",
)
ARK_TOO_LONG_TO_FOLLOW = ProblemCode(
    "ark_too_long_to_follow",
    ProblemKind.LONG_ADDRESS,
    "Longer than 8 kB",
    "The ARK URI scheme section 7.1.1: 8,192 characters for an ARK here.",
    "Shorten it.",
)
BOUND_NAME_WITHDRAWN = ProblemCode(
    "bound_name_withdrawn",
    ProblemKind.GONE,
    "The name is withdrawn",
    f"{_RULE} a name once given is never given again.",
    "Read why, and use the name that the message names in its place, if it names one.",
)
BOUND_NAME_RESERVED = ProblemCode(
    "bound_name_reserved",
    _MISSING,
    "The name is reserved",
    f"{_RULE} a reserved name leads nowhere before its holder makes it public.",
    "Come again, or ask whoever gave it to you.",
)
NAME_COPY_AWAITED = ProblemCode(
    "name_copy_awaited",
    _BUSY,
    "This server is starting",
    f"{_RULE} while the names that are bound cannot be read, no shorter one answers instead.",
    "Try again in a few seconds.",
)
NAME_COPY_UNREADABLE = ProblemCode(
    "name_copy_unreadable",
    _BUSY,
    "Names are not resolved here for a moment",
    f"{_RULE} while the names that are bound cannot be read, no shorter one answers instead.",
    "Try again in a few seconds, or ask another copy.",
)
NAME_COPY_DAMAGED = ProblemCode(
    "name_copy_damaged",
    _BUSY,
    "Names are not resolved here for a moment",
    f"{_RULE} while the names that are bound cannot be read, no shorter one answers instead.",
    "Try again in a few seconds, or ask another copy.",
)
NAMES_ELSEWHERE = ProblemCode(
    "names_elsewhere",
    ProblemKind.MISDIRECTED,
    "This server does not have these names",
    "RFC 9110 section 15.5.20.",
    "Ask another server of this site; whoever runs it lets the server in front do so.",
)
CHANGE_NUMBER_MALFORMED = ProblemCode(
    "change_number_malformed",
    ProblemKind.UNREADABLE,
    "Not the number of a change",
    f"{_RULE} changes of names are numbered from 1 on.",
    "Ask for /names/changes?after=0, or after the last change that you have.",
)
NAME_LIST_MALFORMED = ProblemCode(
    "name_list_malformed",
    ProblemKind.UNREADABLE,
    "Nothing that names begin with",
    f"{_RULE} names are listed by what they begin with.",
    "Ask for /names/under/ark:12345/x5 or /names/under/urn:example:, as names begin.",
)
SERVICE_UNKNOWN = ProblemCode(
    "service_unknown",
    _MISSING,
    "No such resolution service",
    "RFC 2169 section 2.",
    "Ask one of the services that the message lists.",
)
RESOURCES_UNSENT = ProblemCode(
    "resources_unsent",
    ProblemKind.UNSUPPORTED,
    "Resources are not sent from here",
    "RFC 2169 section 3.4.",
    "Ask N2Ls for the places.",
)
RESOURCE_UNKNOWN = ProblemCode(
    "resource_unknown",
    _MISSING,
    "No such resource is known",
    "RFC 2169 section 3.",
    "N2C leads to a description of the name.",
)
LOCATION_UNNAMED = ProblemCode(
    "location_unnamed",
    _MISSING,
    "No name is known there",
    "RFC 2169 section 3.",
    "Ask for a location that a service on file leads to.",
)
LOCATION_INVALID = ProblemCode(
    "location_invalid",
    ProblemKind.UNREADABLE,
    "Not a location",
    "RFC 3986 section 3.",
    "Mend the address at the position that is named.",
)
IDENTIFIER_WRAPPED = ProblemCode(
    "identifier_wrapped",
    ProblemKind.UNREADABLE,
    "More than an identifier",
    "RFC 3986 appendix C: delimiters around an identifier are not part of the identifier.",
    "Use the identifier that the message names.",
)
NAME_IMPOSSIBLE = ProblemCode(
    "name_impossible",
    _MISSING,
    "Not a name of its namespace",
    "RFC 8141 section 5.1: the registration of a NID says which names it has.",
    "Compare it with the pattern on the page of the namespace.",
)
NAME_WITHDRAWN = ProblemCode(
    "name_withdrawn",
    ProblemKind.GONE,
    "The namespace is registered no longer",
    "RFC 8141 section 5.1: a name once given is never given again.",
    "The page of the namespace says what became of it.",
)
