"""The rules by which commands judge names that need no database: those of the bundled registry."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app import bundled
from app.commands.shell import UsageError
from app.identifiers.nid import fold_nid
from app.registration.declarations.registries import REGISTRIES
from app.registration.naans.json_values import UnreadableNaanFile
from app.registration.naans.naan_json import read_naan_json
from app.registration.records.record_documents import registration_from
from app.registration.templates.text_encodings import decode_text
from app.resolution.arks.naan_rules import NaanSnapshot, naan_snapshot_of
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.record_rules import rules_of
from app.resolution.rule_books import LineRuleBook, book_of


def registered_names(file: Path | None) -> list[str]:
    """The names that a file lists, or those of the bundled registry."""
    if file is not None:
        return decode_text(file.read_bytes()).text.split()
    return [record["name"] for _, record in _documents()]


def rules_as_shipped(file: Path | None) -> LineRuleBook:
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


def naans_as_shipped(file: Path | None) -> NaanSnapshot:
    """The NAANs and shoulders that are bundled, or those of a file instead.

    Raises UsageError for a file that is none of NAANs.
    """
    from app.services.registry.bundled_naans import bundled_naans

    if file is None:
        return bundled_naans()
    try:
        return naan_snapshot_of(read_naan_json(file.read_bytes()))
    except UnreadableNaanFile as error:
        raise UsageError(
            f"{file} is no file of NAANs such as the ARK Alliance publishes: {error}"
        ) from None


def _documents() -> Iterator[tuple[str, dict[str, Any]]]:
    facts = json.loads(bundled.read())
    return ((registry, one) for registry, each in facts["records"].items() for one in each)


def _rules() -> Iterator[NamespaceRules]:
    from app.services.registry.bundled_profiles import with_bundled_profile

    for registry, document in _documents():
        declared = REGISTRIES[registry]
        record = registration_from(document, declared.space)
        yield rules_of(with_bundled_profile(record), declared.kind)
