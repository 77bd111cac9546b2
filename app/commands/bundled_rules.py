"""The namespaces that commands check against: from the database, or the bundled registry."""

import argparse
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from app import bundled
from app.commands.shell import UsageError
from app.config import Settings, read_settings
from app.identifiers.nid import NidIndex, fold_nid
from app.registration.declarations.registries import REGISTRIES
from app.registration.naans.json_values import UnreadableNaanFile
from app.registration.naans.naan_json import read_naan_json
from app.registration.records.record_documents import registration_from
from app.registration.templates.text_encodings import decode_text
from app.resolution.ark_rules import NaanSnapshot, naan_snapshot_of
from app.resolution.namespace_rules import LineRuleBook, NamespaceRules, book_of
from app.resolution.record_rules import rules_of

_TAKEN = "SELECT folded, kind FROM name WHERE space = 'nid'"
_CONNECT_WITHIN = 10  # seconds
_RESERVED = "reserved"


def add_registry_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose another registry than the one that is configured."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--registered", type=Path, help="file of NIDs to use instead of the registry"
    )
    choice.add_argument(
        "--bundled",
        action="store_true",
        help="use the bundled registry, even if a database is configured",
    )


def taken_nids(arguments: argparse.Namespace) -> NidIndex:
    """Return the registered and reserved NIDs of the registry that arguments and settings choose.

    ``--registered`` and ``--bundled`` come first. Otherwise it is the registry's own database, if
    URN_REGISTRY_DATABASE_URL is set or the data folder has one, and the bundled registry if not.
    Raises UsageError if the database can't be read; the bundled registry never stands in for it.
    """
    if arguments.registered is not None:
        return NidIndex(decode_text(arguments.registered.read_bytes()).text.split())
    settings = None if arguments.bundled else read_settings(os.environ)
    if settings is None or not (settings.database_url or _sqlite_file(settings).exists()):
        return NidIndex(record["name"] for _, record in _documents())
    rows = [(str(folded), str(kind)) for folded, kind in _query(settings)]
    reserved = {folded for folded, kind in rows if kind == _RESERVED}
    return NidIndex({folded for folded, _ in rows} - reserved, reserved)


def _sqlite_file(settings: Settings) -> Path:
    return Path(settings.database.partition("://")[2][1:].partition("?")[0])


def _query(settings: Settings) -> list[tuple[object, ...]]:
    try:
        if not settings.database_url or settings.database_url.startswith("sqlite:"):
            path = _sqlite_file(settings)
            if not path.is_file():
                raise _unreadable(f"the file {path} doesn't exist")
            opened = sqlite3.connect(f"{path.as_uri()}?mode=ro", _CONNECT_WITHIN, uri=True)
            with closing(opened) as connection:
                return connection.execute(_TAKEN).fetchall()
        import psycopg
    except (sqlite3.Error, ImportError) as error:
        raise _unreadable(str(error)) from error
    try:
        with psycopg.connect(settings.database_url, connect_timeout=_CONNECT_WITHIN) as server:
            return server.execute(_TAKEN).fetchall()
    except psycopg.Error as error:
        raise _unreadable(str(error)) from error


def _unreadable(why: str) -> UsageError:
    return UsageError(
        f"The registry's database can't be read: {' '.join(why.split())}. Run `urn-registry "
        "init`, correct the settings, or add --bundled to use the bundled registry."
    )


def rules_by(arguments: argparse.Namespace) -> LineRuleBook:
    """Return the rules of the namespaces that ``taken_nids`` has as registered."""
    shipped = shipped_rules()
    taken = taken_nids(arguments)
    listed = {folded: taken.find_registered(folded) or folded for folded in taken}
    return book_of(
        shipped.get(folded) or NamespaceRules(name=name) for folded, name in listed.items()
    )


def naans_as_shipped(file: Path | None) -> NaanSnapshot:
    """Return the bundled NAANs and shoulders, or those in a file.

    Raises UsageError if the file isn't a NAAN file.
    """
    from app.services.registry.bundled_naans import bundled_naans

    if file is None:
        return bundled_naans()
    try:
        return naan_snapshot_of(read_naan_json(file.read_bytes()))
    except UnreadableNaanFile as error:
        raise UsageError(
            f"{file} isn't a NAAN file in the format of the ARK Alliance: {error}"
        ) from None


def _documents() -> Iterator[tuple[str, dict[str, Any]]]:
    facts = json.loads(bundled.read())
    return ((registry, one) for registry, each in facts["records"].items() for one in each)


def shipped_rules() -> dict[str, NamespaceRules]:
    """Return the rules of the bundled registry, by folded NID."""
    return {fold_nid(rules.name): rules for rules in _rules()}


def _rules() -> Iterator[NamespaceRules]:
    from app.services.registry.bundled_profiles import with_bundled_profile

    for registry, document in _documents():
        declared = REGISTRIES[registry]
        record = registration_from(document, declared.space)
        yield rules_of(with_bundled_profile(record), declared.kind)
