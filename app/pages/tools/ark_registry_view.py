"""What the tool for ARKs shows of the registry of NAANs: whose an ARK is, and where it leads."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.pages.text.unseen_characters import reveal_unseen
from app.registration.naans.naan_targets import host_of
from app.resolution.ark_documents import ArkJudgement, prefix_words
from app.resolution.ark_resolver import BadArkSyntax, InflectedArk, OverlongArk
from app.resolution.ark_rules import ArkRedirect, ArkRules, declared_policies
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import shorten_text

_LONGEST = 300  # characters of an address that are shown
_UNNAMED = "Holder not named in the registry"
_PROBLEMS = ("naan_unknown", "withdrawn")
# What stands beside the NAAN and the shoulder, or above as a fault.
_SHOWN = re.compile("led|holder|no_name|undeclared|policy_.*")
_is_address = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*").fullmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class ArkHolderView:
    """Who has a NAAN or a shoulder. Links are empty where there is no address to follow."""

    label: str
    is_shoulder: bool
    holder: str
    also: str
    since: str
    where: str
    link: str
    declared: tuple[str, ...]
    policy_link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArkRegistryView:
    """What the registry of NAANs, as it was on a day, says of an ARK.

    ``target`` is where it leads as it is shown, and ``link`` in full; both are empty where it leads
    nowhere. ``notes`` are pairs of a kind and what is to be told.
    """

    day: str
    holders: tuple[ArkHolderView, ...]
    label: str
    target: str
    link: str
    notes: tuple[tuple[str, Ground], ...]


def registry_view_of(judgement: ArkJudgement, day: str) -> ArkRegistryView:
    """How it is shown whose an ARK is; what others wrote is revealed."""
    return ArkRegistryView(
        day=day if judgement.holders else "",
        holders=tuple(_holder(rules, judgement) for rules in judgement.holders),
        label=_label(judgement),
        target=shorten_text(judgement.target, _LONGEST),
        link=judgement.target,
        notes=tuple(_notes(judgement)),
    )


def _label(judgement: ArkJudgement) -> str:
    if isinstance(judgement.outcome, InflectedArk):
        return "Described at"
    is_related = judgement.holders and judgement.holders[0].redirect is ArkRedirect.SEE_OTHER
    return "Related resource" if is_related else "Target"


def _holder(rules: ArkRules, judgement: ArkJudgement) -> ArkHolderView:
    also = dict.fromkeys((rules.native_name, rules.acronym))
    is_own = rules.naan == judgement.outcome.request.naan  # and not a test under another NAAN
    return ArkHolderView(
        label=prefix_words(rules),
        is_shoulder=bool(rules.shoulder),
        holder=reveal_unseen(rules.holder) or _UNNAMED,
        also=reveal_unseen(", ".join(one for one in also if one and one != rules.holder)),
        since=rules.since,
        where=reveal_unseen(shorten_text(rules.where, _LONGEST)),
        link=_link(rules.where),
        declared=tuple(reveal_unseen(one.message) for one in declared_policies(rules) if is_own),
        policy_link=_link(rules.policy_address) if is_own else "",
    )


def _link(address: str) -> str:
    """An address on file, where it is one of the Web; empty for ``N/A`` and ``a.example``."""
    return address if host_of(address) and _is_address(address) else ""


def _notes(judgement: ArkJudgement) -> Iterator[tuple[str, Ground]]:
    is_fault = isinstance(judgement.outcome, BadArkSyntax | OverlongArk)
    for ground in judgement.grounds:
        is_told = ground.code != "meant" if is_fault else _SHOWN.fullmatch(ground.code)
        if not is_told:
            yield "problem" if ground.code in _PROBLEMS else "look", ground
