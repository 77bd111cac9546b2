"""What the files of a registry are called."""

import re

from app.registration.declarations.registries import Format
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry

_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def registry_file(snapshot: RegistrySnapshot, suffix: str) -> str:
    """The file that holds a whole registry: ``urn-namespaces.xml``."""
    return _file(snapshot.id, suffix)


def table_file(registry: SubRegistry) -> str:
    """The file that holds one table: ``urn-namespaces-1.csv``."""
    return _file(registry.id, Format.CSV)


def derived_file(snapshot: RegistrySnapshot, key: str, suffix: str) -> str:
    """A file with a part of the registry for some programs: ``urn-namespaces-prefixes.json``."""
    return _file(f"{snapshot.id}-{key}", suffix)


def record_file(record: Registration, suffix: str) -> str:
    """The file that holds one record: ``isbn.json``."""
    return _file(record.folded, suffix)


def schema_file(snapshot: RegistrySnapshot) -> str:
    """The JSON Schema of a whole registry: ``urn-namespaces.json``."""
    return _file(snapshot.id, Format.JSON)


def record_schema_file(snapshot: RegistrySnapshot) -> str:
    """The JSON Schema of one record's file: ``urn-namespaces-record.json``."""
    return _file(f"{snapshot.id}-record", Format.JSON)


def delta_schema_file(registry: str) -> str:
    """The JSON Schema of what leads from one edition to another: ``urn-namespaces-delta.json``."""
    return _file(f"{registry}-delta", Format.JSON)


def _file(stem: str, suffix: str) -> str:
    if not _STEM.fullmatch(stem):
        raise ValueError(f"`{stem}` cannot be part of a file's name.")
    return f"{stem}.{suffix}"
