"""By what an edition was made, since when it is told apart, and what came before it: one line.

Software that knows no more than by what an edition was made refuses a manifest with a member
too many, and during an upgrade it reads what newer software made. So the rest stands behind
it in the one member that is free text:

    https://registry.example 0123abcd; modified=2026-07-28T09:30:01Z; previous=abcd...
"""

import re
from typing import NamedTuple

MODIFIED = re.compile(r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?")
PREVIOUS = re.compile(r"(?:[0-9a-f]{64})?")
_LINE = re.compile(
    rf"(.*?)(?:; modified=({MODIFIED.pattern[3:-2]}))?(?:; previous=({PREVIOUS.pattern[3:-2]}))?",
    re.DOTALL,
)


class Provenance(NamedTuple):
    """By what an edition was made, its Last-Modified, and the SHA-256 of the list before it."""

    made_by: str
    modified: str = ""
    previous: str = ""


def format_provenance(provenance: Provenance) -> str:
    """The line that says it; what is empty is left out."""
    named = zip(("modified", "previous"), provenance[1:], strict=True)
    return "; ".join([provenance.made_by, *(f"{name}={value}" for name, value in named if value)])


def parse_provenance(line: str) -> Provenance:
    """What a line says. Raises TypeError for what is no text."""
    match = _LINE.fullmatch(line)
    return Provenance(*match.groups("")) if match else Provenance(line)
