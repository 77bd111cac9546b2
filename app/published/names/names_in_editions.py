"""``/editions/N/names/URN``: what a name was by the rules that an edition keeps for ever."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from app.exports.content.file_names import rules_file
from app.exports.editions.edition_list import edition_path
from app.exports.manifests.bundle_files import BundleFile
from app.problems import publication_codes
from app.published.blobs import BlobFolder
from app.published.chain import EditionView
from app.published.edition import PublishedEdition
from app.published.http.cross_origin import answer_options
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import Problem, problem_answer
from app.published.names.edition_arks import EditionArks
from app.published.names.edition_names import EditionNames, plain_shell
from app.published.names.name_answers import NOT_A_READ, TOO_LONG
from app.published.names.name_targets import is_page_in_edition, name_asked
from app.resolution.name_paths import LONGEST_TARGET
from app.resolution.outcome_wording import StandingEdition

_MOST_READ = 4  # editions whose rules are at hand besides the current one's

Rules = TypeVar("Rules", EditionNames, EditionArks)
_Reader = Callable[[BundleFile, BlobFolder, str], EditionNames | EditionArks | None]


class StandingNamePages(Protocol[Rules]):
    """Makes the pages of names of one group by the rules of whatever edition."""

    def rules_of(self, edition: PublishedEdition) -> Rules | None:
        """The rules of a current edition."""

    def read_rules(self, file: BundleFile, blobs: BlobFolder, shell: str) -> Rules | None:
        """The rules in a file; None, and a note, where they cannot be read."""

    def show_then(
        self,
        text: str,
        rules: Rules,
        standing: StandingEdition,
        view: EditionView,
        request: HttpRequest,
    ) -> HttpAnswer:
        """The page of a name by the rules of an edition."""


class NamesInEditions:
    """Answers with the page of a name as it stood in an edition of the group that is asked.

    ``pages`` make it, by the ids of groups. The shell round it is of today. Names that are bound
    are of no edition.
    """

    def __init__(self, pages: Mapping[str, StandingNamePages[Any]]) -> None:
        self._pages = pages
        self._readers: dict[str, _Reader] = {
            group: lru_cache(maxsize=_MOST_READ)(each.read_rules) for group, each in pages.items()
        }

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The page of a name in an edition; None at any other path, and where it is not here.
        Raises DamagedBlob."""
        pages, group = self._pages.get(view.group.id), view.group
        if pages is None or not is_page_in_edition(request.path, group):
            return None
        owner = view.history.find(request.path)
        if owner is None:
            return None
        if request.method not in READS:
            is_asked = request.method == "OPTIONS"
            return answer_options() if is_asked else problem_answer(NOT_A_READ, request)
        text = name_asked(request)
        if len(text) > LONGEST_TARGET:
            return problem_answer(TOO_LONG, request)
        view.check_current()
        rules = self._find_rules(pages, owner, view)
        if rules is None:
            return problem_answer(_unruled(owner.number), request)
        folder, day = edition_path(owner.number, group=group.id), owner.moment.date().isoformat()
        standing = StandingEdition(owner.number, day, folder)
        return pages.show_then(text, rules, standing, view, request)

    def _find_rules(
        self, pages: StandingNamePages[Any], owner: PublishedEdition, view: EditionView
    ) -> EditionNames | EditionArks | None:
        path = edition_path(owner.number, rules_file(view.group.id), view.group.id)
        file, current = owner.catalogue.find(path), pages.rules_of(view.edition)
        if file is None or (current is not None and current.digest == file.sha256):
            return current if file else None
        read = self._readers[view.group.id]
        return read(file, view.blobs, current.shell if current else plain_shell())


def _unruled(number: int) -> Problem:
    return Problem(
        publication_codes.NAMES_UNRULED,
        f"Edition {number} was published without resolution rules. Use a later edition, "
        "or /names/ for the current one.",
    )
