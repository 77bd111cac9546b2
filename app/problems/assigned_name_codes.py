"""Why names under a prefix are not given or changed: a row for each reason."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_CONFLICT, _INVALID = ProblemKind.CONFLICT, ProblemKind.INVALID

PREFIX_UNKNOWN = ProblemCode(
    "prefix_unknown",
    ProblemKind.NOT_FOUND,
    "No such prefix",
    f"{_RULE} names are given under a prefix that somebody was given before.",
    "Check how it is written, or add the prefix first.",
)
PREFIX_MALFORMED = ProblemCode(
    "prefix_malformed",
    _INVALID,
    "Not a prefix",
    "The ARK URI scheme section 4; RFC 8141 section 2.",
    "Write it as in `ark:12345/x5` or `urn:example:part:`.",
)
PREFIX_UNREGISTERED = ProblemCode(
    "prefix_unregistered",
    _INVALID,
    "Not registered",
    f"{_RULE} a prefix belongs to a NAAN, a shoulder or a namespace that is registered here.",
    "Register the NAAN or the namespace first.",
)
PREFIX_TAKEN = ProblemCode(
    "prefix_taken",
    _CONFLICT,
    "The prefix is taken",
    f"{_RULE} no two prefixes overlap, unless one was delegated from the other.",
    "Choose another beginning.",
)
PREFIX_ENDED = ProblemCode(
    "prefix_ended",
    _CONFLICT,
    "The prefix has ended",
    f"{_RULE} a prefix that ended, or whose NAAN or namespace is no longer in use, gets no new "
    "names and keeps those that it has.",
    "Give names under another prefix.",
)
PREFIX_HOLDERS_ONLY = ProblemCode(
    "prefix_holders_only",
    ProblemKind.NOT_ALLOWED,
    "For those who hold the prefix",
    f"{_RULE} names are given by the holder of their prefix and its delegates.",
    "Ask the holder to make you a delegate.",
)
PREFIX_HOLDER_NEEDED = ProblemCode(
    "prefix_holder_needed",
    _CONFLICT,
    "The only holder",
    f"{_RULE} each prefix has somebody who decides on it.",
    "Let somebody else hold it as well, and end it then.",
)
NUMBERING_MALFORMED = ProblemCode(
    "numbering_malformed",
    _INVALID,
    "Not a way to number names",
    "The Noid manual, on templates.",
    "Write a mask as in `reedeedk`, or leave it out.",
)
PATTERN_MALFORMED = ProblemCode(
    "pattern_malformed",
    _INVALID,
    "Not a pattern of names",
    f"{_RULE} names are held to the pattern of their prefix, so that it is quick for every name.",
    "Write a regular expression of what stands behind the prefix, as in `[0-9]{4}`.",
)
TARGET_RULE_MALFORMED = ProblemCode(
    "target_rule_malformed",
    _INVALID,
    "Not a rule for targets",
    "RFC 6570 section 2; RFC 3986 section 3.2; RFC 6890.",
    "Write it as in `https://example.org/${suffix}`, or leave it empty.",
)
NAMES_EXHAUSTED = ProblemCode(
    "names_exhausted",
    _CONFLICT,
    "No names are left",
    f"{_RULE} a name is given once.",
    "Ask for fewer, or add a prefix with a longer mask.",
)
NUMBERS_PASSED_OVER = ProblemCode(
    "numbers_passed_over",
    _INVALID,
    "Too many numbers give no name",
    f"{_RULE} who mints passes over up to 50,000 numbers whose names are delegated, or do not "
    "follow the pattern, so that others can write meanwhile.",
    "Ask for fewer, or add a prefix beside what is delegated, with a mask of its own.",
)
TOO_MANY_NAMES = ProblemCode(
    "too_many_names",
    _INVALID,
    "Too many names at once",
    f"{_RULE} up to 10,000 names are given or changed at once.",
    "Ask for them in parts.",
)
GIVEN_NUMBERS_DAMAGED = ProblemCode(
    "given_numbers_damaged",
    ProblemKind.BUSY,
    "Which numbers were given cannot be read",
    f"{_RULE} a name is given once, and what was given is also known beside the database.",
    "Tell those who run the registry; their log names the file. Try again when it is mended.",
)
GIVEN_NUMBERS_UNWRITABLE = ProblemCode(
    "given_numbers_unwritable",
    ProblemKind.BUSY,
    "Nothing can be minted on this server now",
    f"{_RULE} a name is assigned once, so each server also keeps the numbers outside the database.",
    "Tell the operator to free space on the disk of this server. Try again later.",
)
NAMES_LOST = ProblemCode(
    "names_lost",
    ProblemKind.BUSY,
    "Names are lost",
    f"{_RULE} a name is given once, also after an older backup of the database was put back.",
    "Tell those who run the registry; they see what to do under “How the site is run”.",
)
NUMBERS_AWAITED = ProblemCode(
    "numbers_awaited",
    ProblemKind.BUSY,
    "A server has not told its numbers yet",
    f"{_RULE} a name is given once, whichever server of the registry gave it.",
    "Try again in a minute. Where that does not help, tell those who run the registry.",
)
ASSIGNED_NAME_UNKNOWN = ProblemCode(
    "assigned_name_unknown",
    ProblemKind.NOT_FOUND,
    "No such name",
    f"{_RULE} what is changed was given before.",
    "Check how the name is written, or give it first.",
)
ASSIGNED_NAME_REFUSED = ProblemCode(
    "assigned_name_refused",
    _INVALID,
    "Not a name that can be given so",
    f"{_RULE} a name follows its prefix, with its mask and pattern, and leads to a public address.",
    "Mend what the message names.",
)
ASSIGNED_NAME_WITHDRAWN = ProblemCode(
    "assigned_name_withdrawn",
    ProblemKind.CONFLICT,
    "The name is withdrawn",
    f"{_RULE} a withdrawn name stays withdrawn, and is never given again.",
    "Give another name; the page of this one can name it as its successor.",
)
