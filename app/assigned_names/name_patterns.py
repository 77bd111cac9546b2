"""Patterns of prefixes: what may stand behind a prefix, by a regular expression of its holder."""

from typing import Final

from app.assigned_names.name_prefixes import NamePrefix
from app.grammar.expressions.pattern_safety import find_unsafe_pattern
from app.identifiers.findings import Finding
from app.identifiers.spelling import spell_text
from app.registration.profiles.nss_forms import compile_pattern

__all__ = ["LONGEST_PATTERN", "NamePattern", "find_pattern_fault"]

LONGEST_PATTERN: Final = 500  # characters; what is said of the names of a whole namespace has 1,000
_SOURCE = "Rule of this registry: identifiers match the pattern of their prefix"


class NamePattern:
    """The names of a prefix that a regular expression takes."""

    __slots__ = ("_expression", "_matches", "_prefix")

    def __init__(self, prefix: NamePrefix, expression: str) -> None:
        found = compile_pattern(expression)
        self._prefix, self._expression = prefix, expression
        self._matches = found.fullmatch if found else None

    def fault_of(self, name: str) -> Finding | None:
        """Why a name under the prefix, in normal form, is not given; None for one that may be."""
        part = name.removeprefix(self._prefix.text)
        if self._matches is None or self._matches(part):
            return None
        message = (
            f"{spell_text(part)} doesn't match the pattern {spell_text(self._expression)} "
            f"of {spell_text(self._prefix.text)}."
        )
        return Finding("pattern", message, _SOURCE)


def find_pattern_fault(expression: str) -> str:
    """Why a text is no pattern of names, in a sentence; empty where it is one.

    Source: RFC 8141 section 6.4.2, by which a namespace says how its names are written.
    """
    if len(expression) > LONGEST_PATTERN:
        return f"The pattern is too long. Enter at most {LONGEST_PATTERN} characters."
    return find_unsafe_pattern(expression)
