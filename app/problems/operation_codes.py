"""Problem codes of commands for operators."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_CONFLICT = ProblemKind.CONFLICT

REGISTRY_MISSING = ProblemCode(
    "registry_missing",
    ProblemKind.NOT_FOUND,
    "No registry yet",
    f"{_RULE} the database is set up before any other command.",
    "Run `urn-registry init`.",
)
REGISTRY_FOREIGN = ProblemCode(
    "registry_foreign",
    _CONFLICT,
    "File of another registry",
    f"{_RULE} the ID in a file must match the registry.",
    "Choose the file of this registry.",
)
HISTORY_BROKEN = ProblemCode(
    "history_broken",
    _CONFLICT,
    "Files can't be imported",
    "The schema of IANA’s registry files.",
    "Nothing was imported. Correct the files listed above.",
)
HISTORY_CONFLICT = ProblemCode(
    "history_conflict",
    _CONFLICT,
    "The history doesn't match the registry",
    f"{_RULE} editions are ordered by date.",
    "Import the history into a new database, or import only newer files.",
)
RECORDS_REFUSED = ProblemCode(
    "records_refused",
    _CONFLICT,
    "Records can't be imported",
    f"{_RULE} each name is listed once, in its own table, with its registered spelling.",
    "Nothing was imported. Correct the records listed above.",
)
RECORD_PUBLISHED = ProblemCode(
    "record_published",
    _CONFLICT,
    "The record is already published",
    f"{_RULE} a published edition never changes.",
    "Correct the record in the next edition.",
)
PROFILES_BROKEN = ProblemCode(
    "profiles_broken",
    _CONFLICT,
    "Profiles can't be imported",
    "RFC 8141 section 6.4; RFC 8259.",
    "Nothing was imported. Correct the profiles listed above.",
)
TEMPLATES_BROKEN = ProblemCode(
    "templates_broken",
    _CONFLICT,
    "Templates can't be imported",
    "RFC 8141 Appendix A.",
    "Nothing was imported. Correct the files listed above.",
)
RFCS_BROKEN = ProblemCode(
    "rfcs_broken",
    _CONFLICT,
    "RFCs can't be imported",
    "RFC 8141 Appendix A.",
    "Nothing was imported. Use the texts as published by the RFC Editor.",
)
EDITIONS_UNREADABLE = ProblemCode(
    "editions_unreadable",
    _CONFLICT,
    "Editions are missing or damaged",
    f"{_RULE} recovery restores either all published editions or none.",
    "Recover from a mirror: `urn-registry recover --from URL`.",
)
EDITION_UNBUILT = ProblemCode(
    "edition_unbuilt",
    _CONFLICT,
    "An edition can't be built",
    f"{_RULE} an edition is published only if every format has all of its records.",
    "Run `urn-registry registry withhold` to list the records that cause this. Then withhold "
    "those records.",
)
CHECK_UNDER_WAY = ProblemCode(
    "check_under_way",
    _CONFLICT,
    "A check is already running",
    f"{_RULE} only one resolver check runs at a time.",
    "Wait until the current check ends.",
)
ORDER_CLEAN = ProblemCode(
    "order_clean",
    _CONFLICT,
    "Nothing to acknowledge",
    f"{_RULE} each edition out of order is acknowledged once.",
    "No action is needed.",
)
MOMENT_CHANGED = ProblemCode(
    "moment_changed",
    _CONFLICT,
    "The date of an edition was changed",
    f"{_RULE} the date of an edition matches its entry in the event log.",
    "Restore a backup.",
)
NAMES_GO_ON = ProblemCode(
    "names_go_on",
    _CONFLICT,
    "Minting isn't paused",
    f"{_RULE} minting is resumed only after it was paused.",
    "No action is needed.",
)
HOST_AMBIGUOUS = ProblemCode(
    "host_ambiguous",
    _CONFLICT,
    "Several hosts have this name",
    f"{_RULE} the ID in `DATA_DIR/host-id` identifies a host. Several hosts can have the "
    "same name.",
    "Use the ID of the host. `urn-registry hosts list` shows the IDs.",
)
NUMBERS_AWAITED_STILL = ProblemCode(
    "numbers_awaited_still",
    _CONFLICT,
    "A host hasn't reported its counters",
    f"{_RULE} no identifier is assigned twice, on any host.",
    "Start the worker of that host. If the host no longer exists, run `urn-registry names "
    "resume --without HOST`.",
)
