"""What is needed of a namespace to judge its names and to send them on: its rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from app.identifiers.equivalence import (
    PLAIN,
    Equivalence,
    equivalence_to,
    read_equivalence,
)
from app.registration.profiles.profile_documents import (
    pattern_from,
    pattern_to,
    resolution_from,
    resolution_to,
)
from app.registration.profiles.profile_records import NO_RESOLUTION, NssPattern, Resolution
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import Status
from app.resolution.nss_automaton import NssAutomaton, automaton_from, automaton_to
from app.resolution.nss_decision import NssDecider

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceRules:
    """One namespace.

    ``name`` as it is registered, ``kind`` formal or informal. ``automaton`` is made of the grammar
    of a namespace that was registered here, where it has one that can be decided;
    ``unused_grammar`` says in a clause why one that is there does not count. ``check`` names a
    check algorithm; where ``tells_check``, the registration's own examples fail it, so that a wrong
    check character is told and refuses nothing. ``example`` is a name by these rules, for who asks
    of one that is none.
    """

    name: str
    kind: str = "formal"
    status: Status = Status.REGISTERED
    successor: str = ""
    title: str = ""
    names: str = ""
    example: str = ""
    pattern: NssPattern | None = None
    automaton: NssAutomaton | None = None
    unused_grammar: str = ""
    check: str = ""
    tells_check: bool = False
    equivalence: Equivalence = PLAIN
    resolution: Resolution = NO_RESOLUTION
    decider: NssDecider = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        decider = NssDecider(
            self.pattern,
            self.automaton,
            self.check,
            self.equivalence,
            tells_check=self.tells_check,
        )
        object.__setattr__(self, "decider", decider)

    @property
    def has_profile(self) -> bool:
        told = self.title or self.names or self.pattern or self.check
        return bool(told) or self.resolution != NO_RESOLUTION


class RuleBook(Protocol):
    """The rules of all namespaces of an edition."""

    def find(self, folded: str) -> NamespaceRules | None:
        """The rules of a namespace by its folded name; None where it is not registered."""

    def nearest(self, folded: str) -> tuple[str, ...]:
        """Names that a name may have been meant for, the nearest first; maybe none."""


def rules_to(rules: NamespaceRules) -> Document:
    """The rules of a namespace as a document, which leaves out what has its default."""
    pattern, automaton = rules.pattern, rules.automaton
    members = {
        "name": rules.name,
        "kind": rules.kind,
        "status": "" if rules.status is Status.REGISTERED else str(rules.status),
        "successor": rules.successor,
        "title": rules.title,
        "names": rules.names,
        "example": rules.example,
        "pattern": pattern and pattern_to(pattern),
        "automaton": automaton and automaton_to(automaton),
        "unused_grammar": rules.unused_grammar,
        "check": rules.check,
        "tells_check": rules.tells_check,
        "equivalence": equivalence_to(rules.equivalence)["rules"],
        "resolution": resolution_to(rules.resolution),
    }
    return {name: value for name, value in members.items() if value}


def rules_from(document: Mapping[str, Any]) -> NamespaceRules:
    """The rules whose ``rules_to`` this is. Raises ValueError, TypeError or KeyError for others."""
    pattern, automaton = document.get("pattern"), document.get("automaton")
    return NamespaceRules(
        name=document["name"],
        kind=document["kind"],
        status=Status(document.get("status", Status.REGISTERED)),
        successor=document.get("successor", ""),
        title=document.get("title", ""),
        names=document.get("names", ""),
        example=document.get("example", ""),
        pattern=pattern and pattern_from(pattern),
        automaton=automaton and automaton_from(automaton),
        unused_grammar=document.get("unused_grammar", ""),
        check=document.get("check", ""),
        tells_check=document.get("tells_check", False),
        equivalence=read_equivalence({"rules": document.get("equivalence", [])}),
        resolution=resolution_from(document.get("resolution", {})),
    )


def rule_lines(rules: Iterable[tuple[str, NamespaceRules]]) -> bytes:
    lines = (canonical_json({"nid": folded, **rules_to(one)}) for folded, one in sorted(rules))
    return "".join(f"{line}\n" for line in lines).encode("ascii")
