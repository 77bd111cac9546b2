"""What the files of a registry are called, and the folder in which they lie."""

import re

from app.registration.declarations.registries import DerivedFormat, Format
from app.registration.declarations.registry_groups import RegistryGroup
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry

URN_NAMESPACES = "urn-namespaces"  # the registry of them, as IANA calls it and its files
NAANS = "naans"  # the group of NAANs and shoulders
RULES_SUFFIX = "jsonl"

_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def registry_folder(registry: str) -> str:
    """Where a registry's page and its files are, by its id: ``/assignments/urn-namespaces/``."""
    return f"/assignments/{registry}/"


def alias_paths(group: RegistryGroup) -> tuple[str, ...]:
    """The other addresses by which people ask for a registry, all of which lead to its folder.

    Of NAANs also the folder that their pages are in, ``/naans/``.
    """
    home = registry_folder(group.id)
    short = (f"/{group.folder}", f"/{group.folder}/") if group.folder else ()
    return (home.rstrip("/"), f"{home}{group.id}", *short)


def registry_file(snapshot: RegistrySnapshot, suffix: str) -> str:
    """The file that holds a whole registry: ``urn-namespaces.xml``."""
    return _file(snapshot.id, suffix)


def table_file(registry: SubRegistry) -> str:
    """The file that holds one table: ``urn-namespaces-1.csv``."""
    return _file(registry.id, Format.CSV)


def derived_file(registry: str, derived: str, suffix: str) -> str:
    """A file with a part of a registry for some programs: ``urn-namespaces-prefixes.json``."""
    return _file(f"{registry}-{derived}", suffix)


def archive_file(registry: str, page: int, suffix: str) -> str:
    """A page of a feed's archive: ``urn-namespaces-archive-1.atom``."""
    return _file(f"{registry}-archive-{page}", suffix)


def record_file(record: Registration, suffix: str) -> str:
    """The file that holds one record: ``isbn.json``; a name may have folders, as ``12345/x5`` does.

    Raises ValueError for a name that no path can hold.
    """
    folder, slash, name = record.folded.rpartition("/")
    if slash and not all(map(_STEM.fullmatch, folder.split("/"))):
        raise ValueError(f"`{record.folded}` can't be used in a file name.")
    return f"{folder}{slash}{_file(name, suffix)}"


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
        raise ValueError(f"`{stem}` can't be used in a file name.")
    return f"{stem}.{suffix}"


def rules_file(group: str) -> str:
    """The file with the rules by which names of a group are judged and led on."""
    return derived_file(group, DerivedFormat.RESOLUTION, RULES_SUFFIX)


# Where an edition has the rules of all namespaces, and one of NAANs those of all ARKs.
RULES_PATH = registry_folder(URN_NAMESPACES) + rules_file(URN_NAMESPACES)
ARK_RULES_PATH = registry_folder(NAANS) + rules_file(NAANS)
