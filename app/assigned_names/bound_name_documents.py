"""Documents about an assigned identifier: JSON members, an ERC record and messages."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.assigned_names.assigned_name_records import (
    KERNEL,
    REDIRECT_STATUSES,
    AssignedNameRecord,
    AssignedNameState,
    assigned_name_to,
)
from app.assigned_names.passthrough import BoundOutcome
from app.assigned_names.prefix_statements import PrefixStatement, prefix_statement_to
from app.resolution.arks.ark_documents import erc_record
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import ground_to
from app.resolution.outcome_wording import shorten_text

__all__ = ["bound_grounds", "bound_headline", "bound_name_to", "describe_bound", "write_bound_erc"]

_UNKNOWN = "(:unav) not provided by its owner"
_TITLE = 80  # characters of a name that stand in a sentence
_KEPT = "Rule of this registry: an identifier is assigned only once."
_EXTENDS = "Suffix passthrough: the longest assigned identifier resolves"


def bound_headline(outcome: BoundOutcome) -> str:
    """Return the page title for an assigned identifier."""
    name = shorten_text(outcome.asked, _TITLE)
    match outcome.record.state:
        case AssignedNameState.WITHDRAWN:
            return f"{name} is withdrawn"
        case AssignedNameState.RESERVED:
            return f"{name} is reserved"
        case _:
            return f"About {name}"


def bound_grounds(outcome: BoundOutcome) -> Iterator[Ground]:
    """Yield the messages about an assigned identifier, each with its rule."""
    record = outcome.record
    if outcome.suffix:
        message = f"This identifier extends `{shorten_text(record.name, _TITLE)}`, described here."
        yield Ground("extends", message, _EXTENDS)
    if record.state is AssignedNameState.WITHDRAWN:
        yield _tombstone(record)
    elif record.state is AssignedNameState.RESERVED:
        message = (
            "This identifier is reserved for future use and has no target yet. "
            "Try again later, or ask the owner."
        )
        yield Ground("reserved", message, _KEPT)


def _tombstone(record: AssignedNameRecord) -> Ground:
    on = f" on {record.since}" if record.since else ""
    reason = f" Reason: {record.reason}" if record.reason else ""
    stop = "" if not reason or reason[-1] in ".!?" else "."
    instead = f" Use `{record.successor}` instead." if record.successor else ""
    message = f"The owner withdrew this identifier{on}.{reason}{stop}{instead}"
    return Ground("withdrawn", message, _KEPT)


def bound_name_to(record: AssignedNameRecord) -> dict[str, Any]:
    """Return the public members of an assigned identifier."""
    told = record.told
    if told.state is AssignedNameState.WITHDRAWN:
        told = replace(told, target="", redirect=REDIRECT_STATUSES[0])
    return assigned_name_to(told)


def describe_bound(outcome: BoundOutcome) -> dict[str, Any]:
    """Return the outcome of a lookup without empty members and without the NAAN holder."""
    state = outcome.record.state
    members = {
        "outcome": "described" if state is AssignedNameState.PUBLIC else str(state.value),
        "normal_form": outcome.asked,
        "passed_through": outcome.suffix,
        "target": outcome.target,
        "grounds": [ground_to(one) for one in bound_grounds(outcome)],
        "bound": bound_name_to(outcome.record),
        "prefix": _prefix_to(outcome),
    }
    return {name: value for name, value in members.items() if value}


def _prefix_to(outcome: BoundOutcome) -> dict[str, str]:
    said = outcome.said
    return {"prefix": said.prefix, **prefix_statement_to(said)} if said else {}


def write_bound_erc(outcome: BoundOutcome) -> list[str]:
    """Return the records of an Electronic Resource Citation in ANVL. Missing kernel elements get
    the value ``(:unav)``, and messages precede the record as comments.

    Source: The ARK Identifier Scheme, on the ERC; A Name-Value Language (ANVL).
    """
    record = outcome.record.told
    told = {label: " ; ".join(record.values_of(label)) or _UNKNOWN for label in KERNEL}
    where = (outcome.asked, outcome.target, *record.values_of("where"))
    told["where"] = " ; ".join(dict.fromkeys(filter(None, where)))
    others = [pair for pair in record.elements if pair[0] not in KERNEL]
    stands = [(name, getattr(record, name)) for name in ("reason", "since", "successor")]
    if record.state is not AssignedNameState.PUBLIC:
        stands.insert(0, ("state", record.state.value))
    comments = [f"# {ground.message}\n" for ground in bound_grounds(outcome)]
    records = ["".join(comments) + erc_record("erc", [*told.items(), *others, *stands])]
    if record.persistence:
        support = [("what", record.persistence), ("where", record.name)]
        records.append(erc_record("erc-support", support))
    if said := outcome.said:
        texts = (said.holder, said.persistence, said.policy, said.prefix)
        support = list(zip(("who", "what", "how", "where"), texts, strict=True))
        records.append(_closing_comment(said) + erc_record("erc-support", support))
    return records


def _closing_comment(said: PrefixStatement) -> str:
    closed = f"# {said.prefix} was closed on {said.ended}. Existing identifiers stay.\n"
    return closed if said.ended else ""
