"""Problem codes for identifiers under a prefix."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_CONFLICT, _INVALID = ProblemKind.CONFLICT, ProblemKind.INVALID

PREFIX_UNKNOWN = ProblemCode(
    "prefix_unknown",
    ProblemKind.NOT_FOUND,
    "Prefix not found",
    f"{_RULE} every identifier belongs to a prefix that was added before.",
    "Check the spelling, or add the prefix first.",
)
PREFIX_MALFORMED = ProblemCode(
    "prefix_malformed",
    _INVALID,
    "Invalid prefix",
    "The ARK URI scheme section 4; RFC 8141 section 2.",
    "Enter a prefix such as `ark:12345/x5` or `urn:example:part:`.",
)
PREFIX_UNREGISTERED = ProblemCode(
    "prefix_unregistered",
    _INVALID,
    "NAAN or namespace not registered",
    f"{_RULE} a prefix belongs to a NAAN, a shoulder or a namespace that is registered here.",
    "Register the NAAN or the namespace first.",
)
PREFIX_TAKEN = ProblemCode(
    "prefix_taken",
    _CONFLICT,
    "Prefix already in use",
    f"{_RULE} two prefixes can overlap only if one was delegated from the other.",
    "Choose another prefix.",
)
PREFIX_ENDED = ProblemCode(
    "prefix_ended",
    _CONFLICT,
    "Prefix closed",
    f"{_RULE} a prefix accepts no new identifiers once it is closed, or once its NAAN or "
    "namespace is retired. Existing identifiers remain valid.",
    "Use another prefix.",
)
PREFIX_HOLDERS_ONLY = ProblemCode(
    "prefix_holders_only",
    ProblemKind.NOT_ALLOWED,
    "Owners and delegates only",
    f"{_RULE} only the owners and delegates of a prefix assign identifiers under it.",
    "Ask an owner of the prefix to add you as a delegate.",
)
PREFIX_HOLDER_NEEDED = ProblemCode(
    "prefix_holder_needed",
    _CONFLICT,
    "Last owner",
    f"{_RULE} every prefix has at least one owner.",
    "Add another owner first.",
)
NUMBERING_MALFORMED = ProblemCode(
    "numbering_malformed",
    _INVALID,
    "Invalid mask",
    "Noid manual, section on templates.",
    "Enter a mask such as `reedeedk`, or leave the field empty.",
)
PATTERN_MALFORMED = ProblemCode(
    "pattern_malformed",
    _INVALID,
    "Invalid pattern",
    f"{_RULE} every new identifier is checked against the pattern of its prefix, so the pattern "
    "must be fast.",
    "Enter a regular expression for the text after the prefix, such as `[0-9]{4}`.",
)
TARGET_RULE_MALFORMED = ProblemCode(
    "target_rule_malformed",
    _INVALID,
    "Invalid target rule",
    "RFC 6570 section 2; RFC 3986 section 3.2; RFC 6890.",
    "Enter a rule such as `https://example.org/${suffix}`, or leave the field empty.",
)
NAMES_EXHAUSTED = ProblemCode(
    "names_exhausted",
    _CONFLICT,
    "No identifiers left",
    f"{_RULE} an identifier is assigned only once.",
    "Mint fewer, or add a prefix with a longer mask.",
)
NUMBERS_PASSED_OVER = ProblemCode(
    "numbers_passed_over",
    _INVALID,
    "Too many unusable numbers",
    f"{_RULE} minting skips at most 50,000 numbers whose identifiers are delegated or don't match "
    "the pattern.",
    "Mint fewer, or add a prefix with another mask.",
)
TOO_MANY_NAMES = ProblemCode(
    "too_many_names",
    _INVALID,
    "Too many identifiers at once",
    f"{_RULE} you can mint or change up to 10,000 identifiers at once.",
    "Use several smaller batches.",
)
GIVEN_NUMBERS_DAMAGED = ProblemCode(
    "given_numbers_damaged",
    ProblemKind.BUSY,
    "Counter file unreadable",
    f"{_RULE} an identifier is assigned only once, so each server also keeps the counters outside "
    "the database.",
    "Tell the operator to repair the file named in the server log. Try again later.",
)
GIVEN_NUMBERS_UNWRITABLE = ProblemCode(
    "given_numbers_unwritable",
    ProblemKind.BUSY,
    "This server can't mint now",
    f"{_RULE} an identifier is assigned only once, so each server also keeps the counters outside "
    "the database.",
    "Tell the operator to free space on the disk of this server. Try again later.",
)
NAMES_LOST = ProblemCode(
    "names_lost",
    ProblemKind.BUSY,
    "Identifiers lost",
    f"{_RULE} an identifier is assigned only once, also after an older backup is restored.",
    "Tell the operator. The page “Site status” lists the steps.",
)
NUMBERS_AWAITED = ProblemCode(
    "numbers_awaited",
    ProblemKind.BUSY,
    "Waiting for another server",
    f"{_RULE} an identifier is assigned only once, by whichever server.",
    "Try again in a minute. If this continues, tell the operator.",
)
ASSIGNED_NAME_UNKNOWN = ProblemCode(
    "assigned_name_unknown",
    ProblemKind.NOT_FOUND,
    "Identifier not found",
    f"{_RULE} only assigned identifiers can be changed.",
    "Check the spelling, or assign the identifier first.",
)
ASSIGNED_NAME_REFUSED = ProblemCode(
    "assigned_name_refused",
    _INVALID,
    "Identifier not accepted",
    f"{_RULE} an identifier matches the mask and pattern of its prefix, and its target is a public "
    "address.",
    "Correct the error in the message.",
)
ASSIGNED_NAME_WITHDRAWN = ProblemCode(
    "assigned_name_withdrawn",
    ProblemKind.CONFLICT,
    "Identifier withdrawn",
    f"{_RULE} a withdrawn identifier stays withdrawn and is never assigned again.",
    "Assign another identifier.",
)
