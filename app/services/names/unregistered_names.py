"""What is known of a name that nobody has: by which rule, who asks for it, what is like it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from app.identifiers.errors import Finding, spell_text
from app.identifiers.nid import NidIndex, suggest_nids
from app.pages.lists.search_results import SearchResult
from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.declarations.registries import FORMAL, REGISTRIES, declared_spaces
from app.registration.declarations.registry_groups import URN_GROUP
from app.resolution.namespace_rules import similar_names
from app.services.names.name_suggestions import find_similar
from app.services.names.rule_book import rule_book
from app.services.policy import USUAL_RULES, ProcedureSettings
from app.services.registry.snapshots import taken_index
from app.services.request_status import request_summaries
from app.services.requests import queues

_INFORMAL = "urn-"
_MOST_SHOWN, _MOST_NEAR, _LONGEST = 10, 4, 80


@dataclass(frozen=True, slots=True)
class NameElsewhere:
    """A registered name of a kind: ``ark:12345``, and where its page is."""

    label: str
    whole: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisteredName:
    """A name that stands in no table.

    ``problems`` forbid its registration and ``advisories`` make experts ask; ``alike`` are
    registered names that it may have been meant for, the nearest first, ``titled`` namespaces
    whose titles have such a word; ``suggested`` are free.
    ``asking`` are the open requests for it, ``decided`` those that led to nothing. ``elsewhere``
    are names of other kinds that are written so.
    """

    name: str
    problems: tuple[Finding, ...]
    advisories: tuple[Finding, ...]
    alike: tuple[str, ...]
    titled: tuple[SearchResult, ...]
    suggested: tuple[str, ...]
    asking: tuple[request_summaries.RequestSummary, ...]
    decided: tuple[request_summaries.RequestSummary, ...]
    elsewhere: tuple[NameElsewhere, ...] = ()

    @property
    def is_informal(self) -> bool:
        """Whether it has the form of a number that only this registry gives."""
        return self.name.startswith(_INFORMAL)

    @property
    def may_be_requested(self) -> bool:
        """Whether no rule forbids asking for it."""
        return not self.problems


def describe_unregistered(
    name: str, at: datetime, rules: ProcedureSettings = USUAL_RULES
) -> UnregisteredName:
    """All that is known of a name of NID form that is not registered, in whatever case."""
    folded, index = FORMAL.fold(name), taken_index(FORMAL.space)
    report = FORMAL.check(folded, index)
    alike = [near for near in rule_book().nearest(folded) if near != folded]
    requests = [
        row for row in queues.about(folded, at, rules) if row.registry.space is FORMAL.space
    ]
    return UnregisteredName(
        name=folded,
        problems=report.problems,
        advisories=report.advisories,
        alike=tuple(alike[:_MOST_SHOWN]),
        titled=tuple(
            one for one in find_similar(folded, _MOST_SHOWN, URN_GROUP) if one.name not in alike
        ),
        suggested=suggest_nids(folded, index),
        asking=tuple(row for row in requests if not row.state.is_final),
        decided=tuple(row for row in requests if row.state.is_final),
        elsewhere=tuple(_elsewhere(name, FORMAL.space)),
    )


def _elsewhere(name: str, missing: IdentifierSpace) -> Iterator[NameElsewhere]:
    for space in declared_spaces():
        folded = space.fold(name)
        if space is not missing and space.may_be_name(folded) and _stands(folded, space):
            yield NameElsewhere(space.label, space.whole(folded), space.page.format(folded))


def _stands(folded: str, space: IdentifierSpace) -> bool:
    return bool(taken_index(space).find_registered(folded))


def missing_sentences(name: str, space: IdentifierSpace) -> str:
    """What is told of a name that nobody has in a space: what is like it, and how to ask."""
    folded = space.fold(name)
    said = [f"No {space.label} {spell_text(space.whole(name[:_LONGEST]))} is registered."]
    near = [spell_text(space.whole(one)) for one in _near(folded, space)[:_MOST_NEAR]]
    if near:
        said.append(f"Did you mean {', '.join(near)}?")
    over = folded.partition("/")[0]
    if space.under and _stands(over, space.under):
        path = space.under.page.format(over)
        said.append(f"{spell_text(space.under.whole(over))} is registered: see {path}.")
    asked = next(one.asked_first for one in REGISTRIES.values() if one.space is space)
    return " ".join((*said, f"To request one, go to {asked or '/requests/new'}."))


def _near(folded: str, space: IdentifierSpace) -> list[str]:
    """Names that overlap with it; where they lie under no other, those one edit away too."""
    index = taken_index(space)
    near = list(index.find_look_alikes(folded))
    if not space.under:
        near += similar_names(folded, _by_edits(tuple(index)))
    return list(dict.fromkeys(near))


@lru_cache(maxsize=4)
def _by_edits(taken: tuple[str, ...]) -> NidIndex:
    return NidIndex(taken)
