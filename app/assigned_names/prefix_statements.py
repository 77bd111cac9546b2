"""What everybody is told of a prefix and of all names under it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.assigned_names.name_checks import NameFinding, check_lines, check_text
from app.registration.declarations.dates import is_date

__all__ = [
    "LONGEST_LINE",
    "LONGEST_TEXT",
    "PrefixStatement",
    "check_statement",
    "prefix_statement_from",
    "prefix_statement_to",
]

LONGEST_LINE: Final = 200  # everybody is told it, in one list of all prefixes
LONGEST_TEXT: Final = 1_000
_RULE = "Rule of this registry: the description of a prefix is short"
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


def check_statement(said: PrefixStatement) -> Iterator[NameFinding]:
    """What is found in what is said of a prefix: a text that is too long, or one that is not seen
    as it is.

    Source: Rule of this registry: what is said of a prefix is short.
    """
    yield from check_text("holder", said.holder, LONGEST_LINE, _RULE)
    yield from check_lines("policy", said.policy, LONGEST_TEXT, _RULE)
    yield from check_lines("persistence", said.persistence, LONGEST_TEXT, _RULE)


def prefix_statement_to(said: PrefixStatement) -> dict[str, str]:
    return {name: text for name in (*_TEXTS, _DAY) if (text := getattr(said, name))}


def prefix_statement_from(prefix: str, document: Mapping[str, object]) -> PrefixStatement:
    """The statement whose ``prefix_statement_to`` this is; what is no text of it is left out, and
    what is no day of its end."""
    told = {name: str(value) for name, value in document.items() if isinstance(value, str)}
    ended = told.get(_DAY, "")
    texts = {name: told.get(name, "") for name in _TEXTS}
    return PrefixStatement(prefix=prefix, **texts, ended=ended if is_date(ended) else "")
