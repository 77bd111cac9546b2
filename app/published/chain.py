"""A chain of links: a request goes from one to the next until one of them answers it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from app.published.blobs import BlobFolder, DamagedBlob
from app.published.edition import PublishedEdition
from app.published.edition_history import EditionHistory
from app.published.http.file_answers import refuse_damaged
from app.published.http.http_exchange import HttpAnswer, HttpRequest
from app.registration.declarations.registry_groups import RegistryGroup

# The answer of a link that leaves a request to the application behind: no later link is asked.
FALL_THROUGH = HttpAnswer(0, [])


class StaleEditionError(Exception):
    """What is asked for may be otherwise in a newer edition, which is being read."""


def nothing_newer() -> None:
    """Raise nothing: no newer edition is being read."""


@dataclass(frozen=True, slots=True)
class EditionView:
    """What links answer from: a group's current edition, and what its editions keep for ever.

    A link calls ``check_current`` before it answers from what another edition may have otherwise;
    that raises StaleEditionError while a newer one is being read.
    """

    edition: PublishedEdition
    history: EditionHistory
    blobs: BlobFolder
    group: RegistryGroup
    check_current: Callable[[], None] = nothing_newer

    def in_shell(self, answer: HttpAnswer) -> HttpAnswer:
        return answer.in_shell(self.edition.shell) if answer.in_shell else answer


class Link(Protocol):
    """One kind of thing that is published, with the paths at which it is."""

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer to a request; None for the next link, FALL_THROUGH for no link at all. Raises
        DamagedBlob, and StaleEditionError as ``view.check_current`` does."""


class AnswerChain:
    """Links in the order in which they are asked."""

    def __init__(self, links: Iterable[Link]) -> None:
        self._answers = tuple(link.answer for link in links)

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """The answer of the first link that has one; None for the application behind. Raises
        StaleEditionError."""
        try:
            for answer_of_link in self._answers:
                answer = answer_of_link(request, view)
                if answer is not None:
                    return None if answer is FALL_THROUGH else view.in_shell(answer)
        except DamagedBlob as error:
            return view.in_shell(refuse_damaged(error, request))
        return None
