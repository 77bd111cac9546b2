"""``/editions/N/names/URN``: what a name was by the rules that an edition keeps for ever."""

from functools import lru_cache

from app.exports.content.file_names import RULES_PATH
from app.exports.editions.edition_list import edition_path
from app.exports.manifests.bundle_files import BundleFile
from app.problems import publication_codes
from app.published.blobs import BlobFolder
from app.published.chain import EditionView
from app.published.edition import PublishedEdition
from app.published.http.cross_origin import answer_options
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import Problem, refuse
from app.published.names.edition_names import PLAIN_SHELL, EditionNames, names_ruled_by
from app.published.names.name_answers import NOT_A_READ, TOO_LONG
from app.published.names.name_resolver import NameResolver
from app.published.names.name_targets import is_page_in_edition, name_asked
from app.resolution.judgement import judge
from app.resolution.name_paths import LONGEST_TARGET
from app.resolution.outcome_wording import StandingEdition

_RULES_FILE = RULES_PATH.rpartition("/")[2]
_MOST_READ = 4  # editions whose rules are at hand besides the current one's


class NamesInEditions:
    """Answers with the page of a name as it stood in an edition; ``names`` makes it.

    The shell round it is of today. Names that are bound are of no edition.
    """

    def __init__(self, names: NameResolver) -> None:
        self._names = names
        self._read = lru_cache(maxsize=_MOST_READ)(_read_rules)

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The page of a name in an edition; None at any other path, and where it is not here.

        Raises DamagedBlob.
        """
        if not is_page_in_edition(request.path):
            return None
        owner = view.history.find(request.path)
        if owner is None:
            return None
        if request.method not in READS:
            is_asked = request.method == "OPTIONS"
            return answer_options() if is_asked else refuse(NOT_A_READ, request)
        text = name_asked(request)
        if len(text) > LONGEST_TARGET:
            return refuse(TOO_LONG, request)
        view.check_current()
        names = self._find_names(owner, view)
        if names is None:
            return refuse(_unruled(owner.number), request)
        folder, day = edition_path(owner.number), owner.moment.date().isoformat()
        standing = StandingEdition(owner.number, day, folder)
        return self._names.show(view.edition, names, judge(text, names.book), request, standing)

    def _find_names(self, owner: PublishedEdition, view: EditionView) -> EditionNames | None:
        file = owner.catalogue.find(edition_path(owner.number, _RULES_FILE))
        current = view.edition.names
        if file is None or (current is not None and current.digest == file.sha256):
            return current if file else None
        return self._read(file, view.blobs, current.shell if current else PLAIN_SHELL)


def _read_rules(file: BundleFile, blobs: BlobFolder, shell: str) -> EditionNames | None:
    return names_ruled_by(file, blobs, shell)


def _unruled(number: int) -> Problem:
    return Problem(
        publication_codes.NAMES_UNRULED,
        f"Edition {number} was made without the rules by which names are judged. Ask for the name "
        "in a later edition, or at /names/ for what it is today.",
    )
