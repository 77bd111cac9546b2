"""Whether a decision can be appealed: read from the record of what happened."""

from collections.abc import Sequence
from datetime import date

from app.registration.declarations.registries import DeclaredProcedure
from app.store.tables import Event
from app.workflow.deadlines import last_day_of_appeal
from app.workflow.states import Action
from app.workflow.transitions import TABLES

_DENIED = frozenset({Action.DECLINE.past, Action.REFUSE.past})
_DECIDED = _DENIED | {Action.UPHOLD.past}
_APPEALED = {Action.APPEAL: Action.APPEAL.past, Action.APPEAL_TO_IAB: Action.APPEAL_TO_IAB.past}


def are_heard(procedure: DeclaredProcedure) -> bool:
    """Whether decisions can be appealed in a procedure at all."""
    return any(row.action in _APPEALED for row in TABLES[procedure])


def last_day(story: Sequence[Event], months: int) -> date | None:
    """The last day on which the last decision can be appealed; None where there is none.

    Each decision has its own period: the denial, and what the IESG decided on the appeal.
    """
    decided = [event.at.date() for event in story if event.kind in _DECIDED]
    return last_day_of_appeal(decided[-1], months) if decided else None


def last_day_left(story: Sequence[Event], months: int) -> date | None:
    """The last day of an appeal that is left; None where none is, since both were used up."""
    left = is_first(story, Action.APPEAL) or (
        was_upheld(story) and is_first(story, Action.APPEAL_TO_IAB)
    )
    return last_day(story, months) if left else None


def last_day_after(story: Sequence[Event], kind: str, day: date, months: int) -> date | None:
    """The last day of the appeal that is left after an event of a kind, on a day, ends a story.

    A new denial can be appealed; of a dismissed appeal the next one is left, where it was the
    first. Of an appeal that was withdrawn nothing is left but what the denial left.
    """
    if kind in _DENIED or (kind == Action.UPHOLD.past and is_first(story, Action.APPEAL_TO_IAB)):
        return last_day_of_appeal(day, months)
    return None if kind == Action.UPHOLD.past else last_day_left(story, months)


def is_first(story: Sequence[Event], action: Action) -> bool:
    """Whether the last denial was not yet appealed where the action leads to."""
    return all(event.kind != _APPEALED[action] for event in _since_denial(story))


def was_upheld(story: Sequence[Event]) -> bool:
    """Whether the IESG upheld the last denial."""
    return any(event.kind == Action.UPHOLD.past for event in _since_denial(story))


def _since_denial(story: Sequence[Event]) -> Sequence[Event]:
    places = [place for place, event in enumerate(story) if event.kind in _DENIED]
    return story[places[-1] :] if places else story
