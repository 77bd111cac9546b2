"""What the holder of a prefix says to everybody of all names under it."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["PrefixStatement", "prefix_statement_from", "prefix_statement_to"]


@dataclass(frozen=True, slots=True)
class PrefixStatement:
    """How names under a prefix are given, and what is promised of them; empty where nothing is
    said."""

    prefix: str
    policy: str = ""
    persistence: str = ""


def prefix_statement_to(said: PrefixStatement) -> dict[str, str]:
    """What is said of a prefix as a document, without the prefix and what is empty."""
    members = {"policy": said.policy, "persistence": said.persistence}
    return {name: text for name, text in members.items() if text}


def prefix_statement_from(prefix: str, document: Mapping[str, object]) -> PrefixStatement:
    """The statement whose ``prefix_statement_to`` this is; what is no text of it is left out."""
    policy, persistence = document.get("policy"), document.get("persistence")
    return PrefixStatement(
        prefix,
        policy if isinstance(policy, str) else "",
        persistence if isinstance(persistence, str) else "",
    )
