"""The chain of links: what is published next is a link beside the others, and nothing else."""

import ast
from pathlib import Path

import pytest

from app.published import group_plane
from app.published import group_plane as chain
from app.published.blobs import BlobFolder, DamagedBlob
from app.published.edition import EditionHistory, empty_edition
from app.published.group_plane import FALL_THROUGH, AnswerChain, EditionView
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.published.names.bound_name_resolver import BoundNameSource
from app.published.names.name_copy_reader import NameCopyReader
from app.published.plane import links_in_front, links_of_copy
from app.registration.declarations.registry_groups import URN_GROUP
from tests.published.bundles import PAGE, request_of

PREFIX = "/arks/"
NONE = NameCopyReader(Path("/nowhere"))
NOWHERE = BoundNameSource(NONE, NONE)


class ArkLink:
    """A link of a second registry, which knows its own paths alone."""

    def __init__(self, given: HttpAnswer | None = None) -> None:
        self._given = given

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The number of the edition, below its paths."""
        if not request.path.startswith(PREFIX):
            return None
        return self._given or HttpAnswer(200, [], str(view.edition.number).encode())


class DamagedLink:
    """A link that meets bytes that are not the published ones."""

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """Nothing: what there is, is not what was published."""
        raise DamagedBlob(f"{request.path} of edition {view.edition.number} is another")


@pytest.fixture
def view(tmp_path: Path) -> EditionView:
    blobs = BlobFolder(tmp_path)
    return EditionView(empty_edition(blobs), EditionHistory(blobs), blobs, URN_GROUP)


@pytest.mark.parametrize("links", [links_in_front("session", NOWHERE), links_of_copy({}, NOWHERE)])
def test_a_second_registry_is_one_more_link_and_no_other_knows_of_it(
    view: EditionView, links: tuple[chain.Link, ...]
) -> None:
    before, after = AnswerChain(links), AnswerChain((*links[:-1], ArkLink(), links[-1]))
    found = after.answer(request_of(f"{PREFIX}12345"), view)
    assert found is not None and (found.status, found.body) == (200, b"0")
    for path in ("/", PAGE, "/urn:isbn:1", "/uri-res/N2L", "/healthz", "/editions/1/a.xml"):
        assert after.answer(request_of(path), view) == before.answer(request_of(path), view)


def test_what_a_link_leaves_to_the_application_behind_reaches_no_later_link(
    view: EditionView,
) -> None:
    leaving = AnswerChain((ArkLink(FALL_THROUGH), DamagedLink()))
    assert leaving.answer(request_of(f"{PREFIX}1"), view) is None


def test_damaged_bytes_are_a_refusal_whichever_link_meets_them(view: EditionView) -> None:
    answer = AnswerChain((ArkLink(), DamagedLink())).answer(request_of("/"), view)
    assert answer is not None and answer.status == 503


@pytest.mark.parametrize("module", [group_plane, chain])
def test_no_path_is_known_but_to_links(module: object) -> None:
    tree = ast.parse(Path(str(getattr(module, "__file__", ""))).read_text(encoding="utf-8"))
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    assert [text for text in texts if str(text).startswith("/")] == []
    branches = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    assert not [node for node in branches if node.attr == "path"]
