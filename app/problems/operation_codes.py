"""Why a command of the operator is refused: a row for each reason."""

from app.problems.problem_codes import ProblemCode, ProblemKind

_RULE = "Rule of this registry:"
_CONFLICT = ProblemKind.CONFLICT

REGISTRY_MISSING = ProblemCode(
    "registry_missing",
    ProblemKind.NOT_FOUND,
    "There is no registry yet",
    f"{_RULE} the database is filled once, before anything is asked of it.",
    "Run `urn-registry init`.",
)
REGISTRY_FOREIGN = ProblemCode(
    "registry_foreign",
    _CONFLICT,
    "Another registry",
    f"{_RULE} a file is of the registry that its id names.",
    "Give the file of this registry.",
)
HISTORY_BROKEN = ProblemCode(
    "history_broken",
    _CONFLICT,
    "Files that cannot be imported",
    "The schema of IANA’s registry files.",
    "Mend the files that are named. Nothing was imported.",
)
HISTORY_CONFLICT = ProblemCode(
    "history_conflict",
    _CONFLICT,
    "The history does not fit",
    f"{_RULE} editions stand in the order of their days.",
    "Import it into a database of its own, or give newer files alone.",
)
RECORDS_REFUSED = ProblemCode(
    "records_refused",
    _CONFLICT,
    "Records that cannot be taken over",
    f"{_RULE} a name stands once, in its table, as its registry writes names.",
    "Mend the records that are named. Nothing was imported.",
)
RECORD_PUBLISHED = ProblemCode(
    "record_published",
    _CONFLICT,
    "The record is published",
    f"{_RULE} a published edition never changes.",
    "Correct the record in the next edition.",
)
PROFILES_BROKEN = ProblemCode(
    "profiles_broken",
    _CONFLICT,
    "Profiles that cannot be imported",
    "RFC 8141 section 6.4; RFC 8259.",
    "Mend what is named. Nothing was imported.",
)
TEMPLATES_BROKEN = ProblemCode(
    "templates_broken",
    _CONFLICT,
    "Templates that cannot be imported",
    "RFC 8141 Appendix A.",
    "Mend the files that are named. Nothing was imported.",
)
RFCS_BROKEN = ProblemCode(
    "rfcs_broken",
    _CONFLICT,
    "RFCs that cannot be imported",
    "RFC 8141 Appendix A.",
    "Give the text of each RFC as the RFC Editor publishes it. Nothing was imported.",
)
EDITIONS_UNREADABLE = ProblemCode(
    "editions_unreadable",
    _CONFLICT,
    "Editions are missing or damaged",
    f"{_RULE} what was published is recovered whole, or not at all.",
    "Take them from a mirror: `urn-registry recover --from URL`.",
)
EDITION_UNBUILT = ProblemCode(
    "edition_unbuilt",
    _CONFLICT,
    "An edition cannot be built",
    f"{_RULE} an edition is published only if every format holds all of its records.",
    "Run `urn-registry registry withhold` to list the records at fault, and withhold them with a "
    "reason.",
)
CHECK_UNDER_WAY = ProblemCode(
    "check_under_way",
    _CONFLICT,
    "The services are being asked already",
    f"{_RULE} nobody’s service is asked twice at a time.",
    "Wait for the other round to end.",
)
ORDER_CLEAN = ProblemCode(
    "order_clean",
    _CONFLICT,
    "Nothing to acknowledge",
    f"{_RULE} an edition out of order is acknowledged once.",
    "There is nothing to do.",
)
MOMENT_CHANGED = ProblemCode(
    "moment_changed",
    _CONFLICT,
    "The moment of an edition was changed",
    f"{_RULE} the moment of an edition is the one of its entry.",
    "Put a backup back.",
)
NAMES_GO_ON = ProblemCode(
    "names_go_on",
    _CONFLICT,
    "Names are given already",
    f"{_RULE} names are resumed where they were stopped.",
    "There is nothing to do.",
)
HOST_AMBIGUOUS = ProblemCode(
    "host_ambiguous",
    _CONFLICT,
    "Several hosts have this name",
    f"{_RULE} a host is identified by the id in its `DATA_DIR/host-id`; names can repeat.",
    "Give the id of the host instead. `urn-registry hosts list` shows the ids.",
)
NUMBERS_AWAITED_STILL = ProblemCode(
    "numbers_awaited_still",
    _CONFLICT,
    "A host has not told its numbers",
    f"{_RULE} a name is given once, whichever host gave it.",
    "Start its worker, or say that it is no more: `urn-registry names resume --without HOST`.",
)
