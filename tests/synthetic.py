"""Registries of any size, the same each time: names, dates, references and templates made up."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from app.registration.declarations.registries import FORMAL, INFORMAL, REGISTRIES
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.records.registry_records import (
    Person,
    Registration,
    Status,
    TemplateStyle,
    Xref,
    XrefType,
)
from app.store.database import transaction
from app.store.editions import edition_rows
from app.store.registry import person_changes
from app.store.registry import record_versions as names
from app.store.tables.editions import EditionOrigin
from app.store.tables.registry import Cause

_SYLLABLES = "ba ko li mur ten sa ve dor qui ran pel ost"
_WORDS = [
    "identifies",
    "persistent",
    "things",
    "books",
    "works",
    "records",
    "maps",
    "genes",
    "rivers",
    "catalogue",
    "archive",
    "library",
    "standard",
    "measure",
    "instrument",
    "vessel",
    "colour",
    "index",
    "part",
    "whole",
    "edition",
    "version",
    "digital",
    "object",
]
_STATUSES = [Status.REGISTERED] * 40 + [Status.DEPRECATED, Status.FORMER]
_INFORMAL_SHARE = 20  # one name of so many
_FIRST_NUMBER = 100  # after those that the shipped registry has


def records(size: int, words: int = 60) -> Iterator[tuple[str, Registration]]:
    """So many records with their tables, in the registry's order; templates of so many words."""
    made = random.Random(size)
    informal = max(size // _INFORMAL_SHARE, 1)
    for n in range(size - informal):
        yield FORMAL.id, _record(made, f"n{n:06d}-{_name(made)}", words)
    for n in range(informal):
        named = _record(made, f"urn-{n + _FIRST_NUMBER}", words)
        yield INFORMAL.id, replace(named, references=(), contact=(_person(made),))


def _name(made: random.Random) -> str:
    return "".join(made.choices(_SYLLABLES.split(), k=3))


def _person(made: random.Random) -> Xref:
    return Xref(XrefType.PERSON, f"Person_{made.randrange(50)}")


def _record(made: random.Random, name: str, words: int) -> Registration:
    year = made.choice(["", *range(1999, 2027)])
    text = " ".join(made.choices(_WORDS, k=words))
    return Registration(
        name=name,
        date=f"{year}-0{made.randrange(1, 9)}-1{made.randrange(9)}" if year else None,
        references=(_reference(made),),
        status=made.choice(_STATUSES),
        style=TemplateStyle.RFC8141,
        fields=(("namespace_identifier", name), ("purpose", f"{text} only{name.replace('-', '')}")),
    )


def _reference(made: random.Random) -> Xref:
    number = made.randrange(4000)
    return made.choice(
        [
            Xref(XrefType.RFC, f"rfc{number + 2000}", title="A Namespace for Things"),
            Xref(XrefType.URI, f"https://o{number}.example/", f"Organization {number} for Things"),
            _person(made),
        ]
    )


def fill(size: int, at: datetime, words: int = 60) -> int:
    """Register so many names in an edition of their own; gives its number."""
    with transaction():
        edition = edition_rows.add_edition(
            URN_GROUP,
            as_of=at,
            updated=at.date().isoformat(),
            origin=EditionOrigin.LOCAL,
            cause=Cause.IMPORT,
            notice="",
        )
        change = names.RecordChange(edition=edition, cause=Cause.IMPORT)
        people = [Person(id=f"Person_{n}", name=f"Jo {n}", org="Some Society") for n in range(50)]
        person_changes.set_people(people, edition)
        entries = (
            names.RecordEntry(record, table, REGISTRIES[table].sort_key(record.folded))
            for table, record in records(size, words)
        )
        names.add_records(entries, change)
    return edition
