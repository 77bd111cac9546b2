"""Detection of counters and changes that are missing after an older backup was restored.

Each host keeps its counters and the last change that it saw outside the database. After the
database was restored or moved, minting and changes wait until every host has reported its
counters. If the database lacks a change that a host saw, they also wait for an operator.
"""

import logging
import secrets
from datetime import timedelta

from app.bundles.given_numbers import DamagedGivenNumber, GivenNumberFolder, SeenNameChange
from app.problems import assigned_name_codes
from app.services.refusals import Refusal
from app.store.assigned_names import assigned_name_rows, name_line_rows
from app.store.database import read_transaction, transaction
from app.store.tables import NameLine

_log = logging.getLogger(__name__)
_LONGEST_LABEL = 255
_SEEN_EACH = timedelta(hours=1)  # how often the presence of a host is recorded
WAY_OUT = (
    "Minting and changes are paused. On that host, save the lost changes with `urn-registry names "
    "verify --lost FILE`. Then run `urn-registry names resume`, and for each prefix "
    "`urn-registry names import FILE --prefix PREFIX`."
)


def tell_numbers(given: GivenNumberFolder, host: str, label: str) -> str | None:
    """Report this host's counters if they are awaited, and record changes that are lost.

    Return the line of changes of the database, for copies. Return None if changes are lost, which
    leaves copies unchanged.
    """
    with read_transaction():
        row = name_line_rows.find()
        if row is not None and _is_told(row, given, host):
            return None if row.lost else row.line
    with transaction():
        assigned_name_rows.hold_changes()
        row = name_line_rows.held(_new(), name_line_rows.place())
        lost = _find_lost(row, given)
        if lost is not None and not row.lost:
            row.lost = _lost_words(label, lost.change)
            _log.error("%s", row.lost)
            name_line_rows.begin_telling(row, _new())
        if lost is not None:
            # it may belong to a later line than the restored one, and ends on resume
            name_line_rows.end_line(row, lost.line)
        _tell(row, given, host, label)
        return None if row.lost else row.line


def _new() -> str:
    return secrets.token_hex(16)


def _is_told(row: NameLine, given: GivenNumberFolder, host: str) -> bool:
    if not (row.line or row.lost):
        return False
    own = name_line_rows.find_host(host)
    if own is None or own.telling != row.telling or row.place != name_line_rows.place():
        return False
    if name_line_rows.unseen(own) > _SEEN_EACH:
        return False
    return bool(row.lost) or _find_lost(row, given) is None


def _find_lost(row: NameLine, given: GivenNumberFolder) -> SeenNameChange | None:
    seen = given.seen()
    if seen is None or name_line_rows.has_ended(row, seen.line):
        return None
    return None if name_line_rows.leaf_of(seen.change) == seen.leaf else seen


def _tell(row: NameLine, given: GivenNumberFolder, host: str, label: str) -> None:
    try:
        numbers = given.all_numbers()
    except (
        DamagedGivenNumber,
        OSError,
    ):  # keep waiting: it may have the highest counters
        _log.exception("this host cannot report its counters")
        return
    for prefix, (following, seed) in numbers.items():
        name_line_rows.raise_number(prefix, following, seed)
    name_line_rows.keep_host(host, label[:_LONGEST_LABEL], row.telling)


def hold_names() -> None:
    """Lock minting and changes until the commit.

    Raises Refusal if identifiers are lost, or if a host hasn't reported its counters: a number
    could be minted twice.
    """
    assigned_name_rows.hold_changes()
    row = name_line_rows.held(_new(), name_line_rows.place())
    if row.lost:
        raise Refusal(
            assigned_name_codes.NAMES_LOST,
            "Minting and changes are paused: identifiers were lost when an older backup was "
            "restored. Tell the operator.",
        )
    if name_line_rows.awaited(row):
        raise Refusal(
            assigned_name_codes.NUMBERS_AWAITED,
            "Nothing was saved: the database was restored or moved, and another server hasn't "
            "reported its counters yet. Try again in a minute.",
        )


def names_trouble() -> str:
    """Return why minting is paused, for operators; "" if it isn't."""
    row = name_line_rows.find()
    if row is None:
        return ""
    waiting = " and ".join(name_line_rows.awaited(row))
    return " ".join(filter(None, (row.lost, _waiting_words(waiting) if waiting else "")))


def _waiting_words(waiting: str) -> str:
    return (
        "The database was restored or moved. Minting is paused until every host has reported its "
        f"counters; missing: {waiting}. Start the worker there and check its log. If the host no "
        "longer exists, run `urn-registry names resume --without HOST`."
    )


def _lost_words(label: str, change: int) -> str:
    return (
        f"{label} has change {change}, which is missing in the database; an older backup was "
        f"probably restored. {WAY_OUT}"
    )
