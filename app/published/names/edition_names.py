"""What an edition knows of names: the rules to judge and lead them by, and the shell of pages."""

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Generic, TypeVar

from app.exports.content.file_names import ARK_RULES_PATH, NAANS, RULES_PATH
from app.exports.manifests.bundle_files import BundleFile
from app.exports.manifests.bundle_paths import SHELL, shell_path
from app.published.blobs import BlobFolder, ManifestIndex
from app.published.http.http_exchange import HttpAnswer
from app.resolution.ark_resolver import ArkResolver
from app.resolution.ark_rules import LineArkRuleBook
from app.resolution.namespace_rules import LineRuleBook
from app.resolution.thttp import ServiceLocations
from app.resolution.urn_resolver import UrnResolver

_KEPT, _LONGEST_KEPT = 4_096, 600  # answers, and octets of what one is kept by

_log = logging.getLogger(__name__)
_PLAIN_SHELL = (
    '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n<title><!--title--></title>\n'
    '<link rel="stylesheet" href="{style}">\n<!--head-->\n'
    '<body>\n<header class="band"><div class="wrap"><a href="/">Start page</a></div></header>\n'
    '<div class="wrap">\n<!--crumbs-->\n<main><!--main--></main>\n</div>\n</html>\n'
)


@cache
def plain_shell() -> str:
    """What stands round pages before the first edition, and where one was laid out without it."""
    # not before a page is made, since the stylesheet is read for its path
    from app.pages.assets import static_link

    return _PLAIN_SHELL.replace("{style}", static_link("ui.css"))


_SECONDS_OF_DAY = 86_400


def day_now() -> str:
    return _day(int(time.time()) // _SECONDS_OF_DAY)


@lru_cache(maxsize=4)
def _day(number: int) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(number * _SECONDS_OF_DAY))


KeptAnswer = TypeVar("KeptAnswer")


class AnswerCache(Generic[KeptAnswer]):
    """Ways on that are the same for everybody, by what was asked, for one day."""

    def __init__(self) -> None:
        # One value, so that no thread keeps an answer of yesterday among those of today.
        self._of_day = "", set[str](), dict[str, KeptAnswer]()

    def find(self, text: str, day: str) -> KeptAnswer | None:
        kept_for, _, known = self._of_day
        return known.get(text) if day == kept_for else None

    def keep(self, text: str, day: str, answer: KeptAnswer) -> None:
        """Note that a text is asked; from the second time on, what it is answered."""
        kept_for, asked, known = self._of_day
        if day != kept_for or len(asked) >= _KEPT:
            asked, known = set(), {}
            self._of_day = day, asked, known
        if text in asked:
            known[text] = answer
        elif len(text) <= _LONGEST_KEPT:
            asked.add(text)


@dataclass(frozen=True, slots=True)
class EditionNames:
    """The rules of one edition, ready to be asked. ``digest`` is the SHA-256 of their lines.

    ``answers`` are those to names that were asked for lately, ``places`` where services are.
    """

    book: LineRuleBook
    resolver: UrnResolver
    places: ServiceLocations
    digest: str
    shell: str
    answers: AnswerCache[HttpAnswer] = field(default_factory=AnswerCache)


def read_names(
    catalogue: ManifestIndex, blobs: BlobFolder, earlier: EditionNames | None
) -> EditionNames | None:
    """What an edition knows of names; None for one that older software built. Rules that
    ``earlier`` has as well are read once. Raises DamagedBlob."""
    file = catalogue.find(RULES_PATH)
    if file is None:
        return None
    made = catalogue.find(SHELL)
    shell = blobs.read(made.blobs[0]).decode() if made else plain_shell()
    if earlier is not None and earlier.digest == file.sha256:
        return EditionNames(earlier.book, earlier.resolver, earlier.places, earlier.digest, shell)
    return names_ruled_by(file, blobs, shell)


def names_ruled_by(file: BundleFile, blobs: BlobFolder, shell: str) -> EditionNames | None:
    """What is known of names by a file of rules; None, and a note, where it cannot be read. Raises
    DamagedBlob."""
    lines = blobs.read(file.blobs[0])
    try:
        book = LineRuleBook(lines)
    except (ValueError, KeyError, TypeError):
        _log.exception("The rules of an edition can't be read, so URNs aren't resolved.")
        return None
    return EditionNames(book, UrnResolver(book), ServiceLocations(lines), file.sha256, shell)


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
