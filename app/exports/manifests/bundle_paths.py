"""Where the bytes of editions lie: paths below a bundle folder, and those of what copies need."""

import re
from hashlib import sha256

from app.exports.manifests.manifest import Manifest, manifest_bytes
from app.registration.declarations.registry_groups import RegistryGroup

CURRENT = "current"
MANIFEST = "manifest.json"
HISTORY = "editions"
FOR_COPIES = "/.well-known/urn-registry/"  # what a copy of the registry is made from
SHELL = f"{FOR_COPIES}shell.html"  # what stands round the pages that a host makes by itself

_NUMBER = r"([1-9][0-9]{0,17})"
_GROUP = r"(?:/[a-z][a-z0-9-]*)?"  # of which the editions are; none for URN namespaces
_OWN = re.compile(
    rf"{_GROUP}/{HISTORY}/(?:{_NUMBER}(?:/.*)?|{_NUMBER}\.\.{_NUMBER}\.json)", re.DOTALL
)
_BUNDLE = re.compile(r"bundles/([0-9]{1,18})-[0-9a-f]{16}")


def blob_path(digest: str) -> str:
    """Where the bytes with this SHA-256 lie, below a bundle folder."""
    return f"blobs/{digest[:2]}/{digest}"


def copies_path(group: RegistryGroup) -> str:
    """Where what a copy of a group is made from is: a folder further down but for the site's."""
    return FOR_COPIES if group.is_root else f"{FOR_COPIES}{group.id}/"


def shell_path(group: str) -> str:
    """What stands round the pages of names of a group but the site's, by the group's id."""
    return f"{FOR_COPIES}{group}/{SHELL.removeprefix(FOR_COPIES)}"


def bundle_path(manifest: Manifest) -> str:
    """Where this manifest's own folder lies, below a bundle folder."""
    return f"bundles/{manifest.edition}-{sha256(manifest_bytes(manifest)).hexdigest()[:16]}"


def edition_path(edition: int) -> str:
    """Where the link to an edition's lasting manifest lies, below a bundle folder."""
    return f"{HISTORY}/{edition}.json"


def find_edition(path: str) -> int | None:
    """The edition that a ``bundle_path`` belongs to; None for any other text."""
    match = _BUNDLE.fullmatch(path)
    return int(match[1]) if match else None


def find_owner(path: str) -> int | None:
    """The edition whose own address a path is; None where it is none of an edition's.

    What leads to an edition from another, ``/editions/6..7.json``, is the later one's. Which
    group the edition is of is not told.
    """
    match = _OWN.fullmatch(path)
    return int(match[1] or match[3]) if match else None
