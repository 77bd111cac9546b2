"""What a mirror takes from a source: all that this says is judged by the rules of what is kept at
home, since whoever reads the copy relies on them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from app.assigned_names.assigned_name_records import (
    HIGHEST_CHANGE,
    assigned_name_from,
    is_change_number,
)
from app.assigned_names.bound_names import (
    check_statement,
    prefix_statement_from,
    prefix_statement_to,
)
from app.assigned_names.name_checks import NameFinding, check_text, check_told_name
from app.assigned_names.name_numbering import LONGEST_TEMPLATE
from app.assigned_names.name_prefixes import read_prefix
from app.bundles.copied_changes import BadNameChange
from app.bundles.name_copies import MASKS, STATEMENTS
from app.identifiers.errors import spell_text

__all__ = ["MOST_PREFIXES", "MirrorFeed", "read_feed", "read_source_change"]

MOST_PREFIXES: Final = 100_000  # of which a feed tells
_LONGEST_CHANGE = 4 * 1024 * 1024  # octets: the longest name, with each character escaped
_LONGEST_FEED = 200  # characters of what a feed is called


class MirrorFeed(NamedTuple):
    """A feed of a source: its identifier, its last change, and what it says of prefixes."""

    feed: str
    last: int
    of_prefixes: dict[str, dict[str, Any]]


def read_feed(content: bytes) -> MirrorFeed:
    """What a source tells of its feed. Raises ValueError for what no feed tells."""
    try:
        document = json.loads(content)
        return MirrorFeed(
            _feed_of(document["feed"]),
            _last_of(document["last"]),
            {
                MASKS: dict(map(_mask_of, _by_prefix(document.get(MASKS, {})))),
                STATEMENTS: dict(map(_statement_of, _by_prefix(document.get(STATEMENTS, {})))),
            },
        )
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"It isn't valid: {spell_text(str(error))}.") from error


def read_source_change(line: bytes) -> Mapping[str, Any]:
    """Read a line of a feed: the change of a name that could be kept here.

    Raises BadNameChange.
    """
    if len(line) > _LONGEST_CHANGE:
        raise BadNameChange("A line is too long.")
    try:
        document = dict(json.loads(line))
        number = document["change"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise BadNameChange("A line isn't a change of an identifier.") from error
    if not is_change_number(number):
        raise BadNameChange(
            f"The number of a change must be a whole number from 1 to {HIGHEST_CHANGE:,}."
        )
    _check_change(document, number)
    return document


def _check_change(document: Mapping[str, Any], number: int) -> None:
    try:
        _require(check_told_name(assigned_name_from(document).told))
    except (ValueError, KeyError) as error:
        raise BadNameChange(f"Change {number} has no valid identifier: {error}") from error


def _require(findings: Iterator[NameFinding]) -> None:
    for one in findings:
        raise ValueError(one.message)


def _feed_of(told: object) -> str:
    feed = _text(told)
    _require(check_text("feed", feed, _LONGEST_FEED, ""))
    return feed


def _last_of(told: object) -> int:
    if type(told) is int and (told == 0 or is_change_number(told)):
        return told
    raise ValueError(f"The last change must be a whole number from 0 to {HIGHEST_CHANGE:,}.")


def _by_prefix(told: object) -> Iterator[tuple[str, object]]:
    if type(told) is not dict:
        raise ValueError("The list of prefixes must be an object.")
    if len(told) > MOST_PREFIXES:
        raise ValueError(f"There are {len(told):,} prefixes, more than {MOST_PREFIXES:,}.")
    for prefix, said in told.items():
        if read_prefix(prefix).text != prefix:
            raise ValueError(f"{spell_text(prefix)} isn't a prefix in its normal form.")
        yield prefix, said


def _mask_of(told: tuple[str, object]) -> tuple[str, str]:
    prefix, mask = told[0], _text(told[1])
    _require(check_text("mask", mask, LONGEST_TEMPLATE, ""))
    return prefix, mask


def _statement_of(told: tuple[str, object]) -> tuple[str, dict[str, str]]:
    prefix, document = told
    if type(document) is not dict:
        raise ValueError(f"The value of {prefix} must be an object.")
    said = prefix_statement_from(prefix, document)
    _require(check_statement(said))
    return prefix, prefix_statement_to(said)


def _text(told: object) -> str:
    if type(told) is not str:
        raise ValueError("A value must be text.")
    return told
