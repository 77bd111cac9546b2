"""What everybody is told of a prefix and of all names under it."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.registration.declarations.dates import is_date

__all__ = ["PrefixStatement", "prefix_statement_from", "prefix_statement_to"]

_TEXTS, _DAY = ("holder", "policy", "persistence"), "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixStatement:
    """Who holds a prefix, in words of its holder, how names under it are given, and what is
    promised of them; empty where nothing is said.

    ``ended`` is the day since which it gets no new names, empty where it gets some.
    """

    prefix: str
    holder: str = ""
    policy: str = ""
    persistence: str = ""
    ended: str = ""


def prefix_statement_to(said: PrefixStatement) -> dict[str, str]:
    """What is said of a prefix as a document, without the prefix and what is empty."""
    return {name: text for name in (*_TEXTS, _DAY) if (text := getattr(said, name))}


def prefix_statement_from(prefix: str, document: Mapping[str, object]) -> PrefixStatement:
    """The statement whose ``prefix_statement_to`` this is; what is no text of it is left out, and
    what is no day of its end."""
    told = {name: str(value) for name, value in document.items() if isinstance(value, str)}
    ended = told.get(_DAY, "")
    texts = {name: told.get(name, "") for name in _TEXTS}
    return PrefixStatement(prefix=prefix, **texts, ended=ended if is_date(ended) else "")
