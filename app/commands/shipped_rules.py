"""The rules by which commands judge names that need no database: those of the bundled registry."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from app import bundled
from app.identifiers.equivalence import read_equivalence
from app.identifiers.nid import fold_nid
from app.registration.declarations import REGISTRIES
from app.registration.decoding import decode_text
from app.registration.documents import registration_from
from app.registration.profile_documents import profile_from
from app.registration.profiles import NO_PROFILE
from app.registration.records import Registration
from app.resolution.rule_books import LineBook, book_of
from app.resolution.rules import NamespaceRules, rules_of


def registered_names(file: Path | None) -> list[str]:
    """The names that a file lists, or those of the bundled registry."""
    if file is not None:
        return decode_text(file.read_bytes()).text.split()
    return [record["name"] for _, record in _documents()]


def rules_as_shipped(file: Path | None) -> LineBook:
    """The rules of the bundled registry; with a file of names of these alone.

    A name that the file adds has no rules of its own.
    """
    shipped = {fold_nid(rules.name): rules for rules in _rules()}
    if file is None:
        return book_of(shipped)
    listed = {fold_nid(name): name for name in registered_names(file)}
    return book_of(
        shipped.get(folded) or NamespaceRules(name=name) for folded, name in listed.items()
    )


def _documents() -> Iterator[tuple[str, dict[str, Any]]]:
    facts = json.loads(bundled.read())
    return ((registry, one) for registry, each in facts["records"].items() for one in each)


def _rules() -> Iterator[NamespaceRules]:
    profiles = json.loads(bundled.profiles())
    for registry, document in _documents():
        record = registration_from(document)
        yield rules_of(
            _with_profile(record, profiles.get(record.folded)), REGISTRIES[registry].kind
        )


def _with_profile(record: Registration, said: dict[str, Any] | None) -> Registration:
    if said is None or record.profile != NO_PROFILE:
        return record
    equivalence = read_equivalence(said.get("equivalence", {"rules": []}))
    return replace(record, profile=profile_from(said["profile"]), equivalence=equivalence)
