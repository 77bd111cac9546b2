"""What an edition knows of ARKs: the rules to lead them on by, and the shell of pages."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from app.exports.content.file_names import ARK_RULES_PATH, NAANS
from app.exports.manifests.bundle_files import BundleFile
from app.exports.manifests.bundle_paths import shell_path
from app.published.blobs import BlobFolder
from app.published.manifest_index import ManifestIndex
from app.published.names.edition_names import plain_shell
from app.resolution.arks.ark_resolver import ArkResolver
from app.resolution.arks.ark_rule_books import LineArkRuleBook

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EditionArks:
    """The rules of one edition, ready to be asked. ``digest`` is the SHA-256 of their lines."""

    book: LineArkRuleBook
    resolver: ArkResolver
    digest: str
    shell: str


def read_arks(
    catalogue: ManifestIndex,
    blobs: BlobFolder,
    own_hosts: Iterable[str],
    earlier: EditionArks | None,
) -> EditionArks | None:
    """What an edition knows of ARKs; None for one without rules of them.

    Nothing is led to ``own_hosts``, those of the site whose edition it is and of the one that is
    asked. Rules that ``earlier`` has as well are read once. Raises DamagedBlob.
    """
    file = catalogue.find(ARK_RULES_PATH)
    if file is None:
        return None
    made = catalogue.find(shell_path(NAANS))
    shell = blobs.read(made.blobs[0]).decode() if made else plain_shell()
    if earlier is not None and earlier.digest == file.sha256:
        resolver = ArkResolver(earlier.book, own_hosts)
        return EditionArks(earlier.book, resolver, file.sha256, shell)
    return arks_ruled_by(file, blobs, shell, own_hosts)


def arks_ruled_by(
    file: BundleFile, blobs: BlobFolder, shell: str, own_hosts: Iterable[str] = ()
) -> EditionArks | None:
    """What is known of ARKs by a file of rules; None, and a note, where it cannot be read. Raises
    DamagedBlob."""
    lines = blobs.read(file.blobs[0])
    try:
        book = LineArkRuleBook(lines)
    except ValueError:
        _log.exception("The rules of an edition can't be read, so ARKs aren't resolved.")
        return None
    return EditionArks(book, ArkResolver(book, own_hosts), file.sha256, shell)
