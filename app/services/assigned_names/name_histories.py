"""The history of a name, for those who give names under its prefix."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    NameDifference,
    assigned_name_from,
    name_differences,
)
from app.problems import assigned_name_codes
from app.services.accounts.actors import Actor
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.look_alike_names import look_alike_findings
from app.services.assigned_names.name_change_plans import record_of
from app.services.assigned_names.prefix_lists import visible_prefix
from app.services.refusals import NotFound
from app.store.assigned_names import assigned_name_rows
from app.store.database import read_transaction

__all__ = ["NameHistory", "NameVersionEntry", "name_history"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameVersionEntry:
    """One version in the history of a name: since when, by whom of the roles, and what changed.

    ``reason`` is what was given for a change of several names together.
    """

    n: int
    at: datetime
    role: str
    differences: tuple[NameDifference, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameHistory:
    """A name under a prefix, with all that was ever known of it, newest first.

    ``changes``: the asker may change it. ``alike`` says which others it looks like, if any.
    """

    prefix: str
    changes: bool
    record: AssignedNameRecord
    version: int
    alike: str
    entries: tuple[NameVersionEntry, ...]


def name_history(ident: int, name: str, actor: Actor, at: datetime) -> NameHistory:
    """A name for somebody who gives names under its prefix. Raises NotFound."""
    with read_transaction():
        prefix = visible_prefix(ident, actor, at)
        stored = assigned_name_rows.known([name]).get(name)
        if stored is None or stored.prefix != prefix.id:
            raise NotFound(
                assigned_name_codes.ASSIGNED_NAME_UNKNOWN,
                f"{name} isn't assigned under this prefix.",
            )
        return NameHistory(
            prefix=prefix.text,
            changes=prefix_rights.find_changing_role(prefix, actor, at) is not None,
            record=record_of(stored),
            version=stored.n,
            alike=next((one.message for one in look_alike_findings([name]).values()), ""),
            entries=tuple(reversed([*_entries(name)])),
        )


def _entries(name: str) -> Iterator[NameVersionEntry]:
    """The versions of a name, oldest first."""
    before: AssignedNameRecord | None = None
    for version, event in reversed(assigned_name_rows.versions_of(name)):
        after = assigned_name_from(json.loads(version.document))
        yield NameVersionEntry(
            n=version.n,
            at=event.at,
            role=event.role,
            differences=name_differences(before, after),
            reason=event.reason,
        )
        before = after
