"""Whether the registered text of a name speaks of a holder that it has no more."""

from collections.abc import Callable, Iterable
from typing import TypeVar

_State = TypeVar("_State")


def names_former_holder(
    newest_first: Iterable[_State],
    text_of: Callable[[_State], object],
    is_moved_since: Callable[[_State], bool],
) -> bool:
    """Whether a name went to another holder after its text was written, which names the former one.

    ``newest_first`` are the states of its record, ``text_of`` tells which text one has, and
    ``is_moved_since`` whether the name moved when that state began or later. A state that came
    after the move with the same text, such as one that says that the name is deprecated, changes
    nothing: the text is as old as it was.
    """
    first: _State | None = None
    for state in newest_first:
        if first is not None and text_of(state) != text_of(first):
            break
        first = state
    return first is not None and is_moved_since(first)
