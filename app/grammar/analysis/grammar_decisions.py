"""What is decided of all that a grammar generates, from the node at which names begin."""

from dataclasses import dataclass

from app.grammar.abnf.diagnostics import Diagnostic
from app.grammar.automata.rule_graph import RuleGraph

MOST_SHOWN = 300  # characters of a counterexample


@dataclass(frozen=True, slots=True)
class StartNode:
    """Where names begin: the node, and what stands before it where it is an NSS alone."""

    graph: RuleGraph
    node: int
    prefix: str
    name: str


@dataclass(frozen=True, slots=True)
class NamesDecision:
    """What was found of all names; not ``is_sure`` where rules in words could have decided it.

    ``how`` says how it was found where that is not by the rules.
    """

    found: tuple[Diagnostic, ...]
    is_sure: bool
    how: str = ""


def spell_shown(text: str) -> str:
    """A text for a sentence: cut where it is long, what cannot be seen escaped."""
    cut = text[:MOST_SHOWN] + ("..." if len(text) > MOST_SHOWN else "")
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):X}}}" for c in cut).replace(
        "`", "\\u{60}"
    )
