"""The versions of templates: for each its newest record, and the day of its first."""

import json
from collections import defaultdict
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, func, select

from app.registration.declarations.registries import space_of, space_with
from app.registration.records.record_documents import registration_from
from app.registration.records.registry_records import Registration
from app.store.database import db
from app.store.edition_groups import group_at
from app.store.tables import Edition, Name, RecordVersion


class TemplateVersion(NamedTuple):
    """One version of a name's template: its newest record, and the day of the first with it."""

    number: int
    record: Registration
    updated: str


def of_name(space: str, folded: str) -> list[TemplateVersion]:
    """The versions of a name's template, oldest first."""
    name = select(Name.id).where(Name.space == space, Name.folded == folded).scalar_subquery()
    found = _versions().where(RecordVersion.name_id == name).subquery()
    rows = db.session.execute(
        select(RecordVersion, Edition.updated)
        .join(found, RecordVersion.n == found.c.newest)
        .join(Edition, Edition.n == found.c.since)
        .where(RecordVersion.name_id == name)
        .order_by(RecordVersion.template_version)
    )
    return [
        TemplateVersion(row.template_version or 0, _record(row, space), day) for row, day in rows
    ]


def _record(row: RecordVersion, space: str) -> Registration:
    return registration_from(json.loads(row.document), space_with(space))


def numbers(edition: int) -> dict[str, list[tuple[int, str]]]:
    """The numbers and days of all versions up to an edition, of its names that have several."""
    of_group = Name.registry_id.in_(group_at(edition).registries)
    there = _versions().where(RecordVersion.edition <= edition).subquery()
    several = select(there.c.name_id).group_by(there.c.name_id).having(func.count() > 1)
    rows = db.session.execute(
        select(Name.registry_id, Name.folded, there.c.template_version, Edition.updated)
        .join(there, there.c.name_id == Name.id)
        .join(Edition, Edition.n == there.c.since)
        .where(of_group, Name.id.in_(several))
        .order_by(Name.folded, there.c.template_version)
    )
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for registry, folded, number, day in rows:
        found[space_of(registry).about(folded)].append((number or 0, day))
    return found


class RecordState(NamedTuple):
    """One state of a name's record: which, since which edition and when, why, and of which name.

    ``edition`` is its key, ``number`` what it is called in its group.
    """

    n: int
    edition: int
    number: int
    as_of: datetime
    cause: str
    space: str
    folded: str


def states(edition: int, folded: str | None = None) -> dict[str, list[RecordState]]:
    """The states of names of an edition up to it, oldest first, by their keys."""
    rows = (
        select(
            RecordVersion.n,
            RecordVersion.edition,
            Edition.number,
            Edition.as_of,
            RecordVersion.cause,
            Name.space,
            Name.folded,
            Name.registry_id,
        )
        .join(RecordVersion, RecordVersion.name_id == Name.id)
        .join(Edition, Edition.n == RecordVersion.edition)
        .where(RecordVersion.edition <= edition, RecordVersion.is_in_editions())
        .where(Name.registry_id.in_(group_at(edition).registries))
        .order_by(Name.folded, RecordVersion.n)
    )
    found: dict[str, list[RecordState]] = defaultdict(list)
    if folded is not None:
        rows = rows.where(Name.folded == folded)
    for row in db.session.execute(rows):
        found[space_of(row.registry_id).about(row.folded)].append(RecordState(*row[:-1]))
    return found


def _versions() -> Select[int, int | None, int, int]:
    return (
        select(
            RecordVersion.name_id,
            RecordVersion.template_version,
            func.max(RecordVersion.n).label("newest"),
            func.min(RecordVersion.edition).label("since"),
        )
        .where(RecordVersion.template_version.is_not(None), RecordVersion.is_in_editions())
        .group_by(RecordVersion.name_id, RecordVersion.template_version)
    )
