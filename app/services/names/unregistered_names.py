"""What is known of a name that nobody has: by which rule, who asks for it, what is like it."""

from dataclasses import dataclass

from app.exports.search.suggestions import Suggestion
from app.identifiers.findings import Finding
from app.identifiers.nid import suggest_nids
from app.registration.declarations.registries import FORMAL
from app.services.names.name_suggestions import titled_with
from app.services.names.rule_book import rule_book
from app.services.registry.snapshots import taken_index
from app.services.requests import queues, request_summaries

_INFORMAL = "urn-"
_MOST_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisteredName:
    """A name that stands in no table.

    ``problems`` forbid its registration and ``advisories`` make experts ask; ``alike`` are
    registered names that it may have been meant for, the nearest first, ``titled`` namespaces
    whose titles have such a word; ``suggested`` are free.
    ``asking`` are the open requests for it, ``decided`` those that led to nothing.
    """

    name: str
    problems: tuple[Finding, ...]
    advisories: tuple[Finding, ...]
    alike: tuple[str, ...]
    titled: tuple[Suggestion, ...]
    suggested: tuple[str, ...]
    asking: tuple[request_summaries.RequestSummary, ...]
    decided: tuple[request_summaries.RequestSummary, ...]

    @property
    def is_informal(self) -> bool:
        """Whether it has the form of a number that only this registry gives."""
        return self.name.startswith(_INFORMAL)

    @property
    def may_be_requested(self) -> bool:
        """Whether no rule forbids asking for it."""
        return not self.problems


def known_of(name: str) -> UnregisteredName:
    """All that is known of a name of NID form that is not registered, in whatever case."""
    folded, index = FORMAL.fold(name), taken_index(FORMAL.space)
    report = FORMAL.check(folded, index)
    alike = [near for near in rule_book().nearest(folded) if near != folded]
    requests = queues.about(folded)
    return UnregisteredName(
        name=folded,
        problems=report.problems,
        advisories=report.advisories,
        alike=tuple(alike[:_MOST_SHOWN]),
        titled=tuple(one for one in titled_with(folded) if one.nid not in alike),
        suggested=suggest_nids(folded, index),
        asking=tuple(row for row in requests if not row.state.is_final),
        decided=tuple(row for row in requests if row.state.is_final),
    )
