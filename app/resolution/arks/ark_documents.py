"""What came of an ARK, for programs: members of a JSON document, and an ERC as text."""

from collections.abc import Iterable, Iterator
from typing import Any

from app.identifiers.corrections import IdentifierCorrection
from app.resolution.arks.ark_outcomes import (
    ArkHandedOn,
    ArkOutcome,
    BadArkSyntax,
    CircularArk,
    InflectedArk,
    NaanAlone,
    OverlongArk,
    ResolvedArk,
    ShoulderAlone,
    UnregisteredNaan,
    UnresolvedArk,
    WithdrawnNaan,
)
from app.resolution.arks.ark_policies import declared_policies
from app.resolution.arks.ark_rules import ArkRules, ark_rules_to
from app.resolution.arks.ark_wording import ark_reasons
from app.resolution.outcome_documents import ground_to

Document = dict[str, Any]

ARK_WORDS: dict[type[ArkOutcome], str] = {
    BadArkSyntax: "bad syntax",
    OverlongArk: "too long",
    UnregisteredNaan: "not registered",
    WithdrawnNaan: "withdrawn",
    NaanAlone: "naan",
    ShoulderAlone: "shoulder",
    InflectedArk: "described",
    ResolvedArk: "led",
    ArkHandedOn: "handed on",
    UnresolvedArk: "no further way",
    CircularArk: "leads back",
}
_UNKNOWN = "(:unav) not known to this resolver"
_COMMENTS = ("about_prefix", "withdrawn", "test_ark")
_LABEL = 6  # characters, with the colon


def ark_outcome_to(outcome: ArkOutcome) -> Document:
    """What came of an ARK; empty members are left out. What stands under ``shoulder`` and ``naan``
    is about these, and not about what is named."""
    request = outcome.request
    error = request.error
    members = {
        "outcome": ARK_WORDS[type(outcome)],
        "input": "" if request.normal_form else request.text,
        "normal_form": request.normal_form,
        "query": request.query,
        "position": error and error.position,
        "grounds": [ground_to(one) for one in ark_reasons(outcome)],
        **_way_to(outcome),
        **_holders_to(outcome),
    }
    empty: tuple[object, ...] = (None, "", [])  # and not 0, which is a position
    return {name: value for name, value in members.items() if value not in empty}


def _way_to(outcome: ArkOutcome) -> Document:
    match outcome:
        case ResolvedArk() | ArkHandedOn():
            return {"target": outcome.target, "redirect": str(outcome.rules.redirect)}
        case InflectedArk():
            return {"described_by": outcome.described_by}
        case UnregisteredNaan():
            return {"nearest": list(outcome.nearest)}
        case BadArkSyntax():
            return correction_to(outcome.correction)
        case _:
            return {}


def correction_to(correction: IdentifierCorrection | None) -> Document:
    return {"corrected": correction.identifier, "correction": correction.why} if correction else {}


def _holders_to(outcome: ArkOutcome) -> Document:
    if isinstance(outcome, InflectedArk):
        return {_kind(rules): prefix_to(rules) for rules in outcome.holders}
    if isinstance(outcome, BadArkSyntax | OverlongArk | UnregisteredNaan):
        return {}
    return {_kind(outcome.rules): prefix_to(outcome.rules)}


def _kind(rules: ArkRules) -> str:
    return "shoulder" if rules.shoulder else "naan"


def prefix_to(rules: ArkRules) -> Document:
    declared = [ground_to(one) for one in declared_policies(rules)]
    return {**ark_rules_to(rules), **({"declared": declared} if declared else {})}


def write_erc(outcome: InflectedArk) -> str:
    """What is known of an ARK as an Electronic Resource Citation, in ANVL.

    Source: The ARK Identifier Scheme, on the ERC; A Name-Value Language (ANVL).
    """
    request = outcome.request
    where = [f"ark:{request.path}", *filter(None, [outcome.described_by])]
    about = [*((name, _UNKNOWN) for name in ("who", "what", "when")), ("where", " ; ".join(where))]
    records = [("erc", about), *_holder_segments(outcome)]
    comments = [f"# {_line(one.message)}" for one in ark_reasons(outcome) if one.code in _COMMENTS]
    return "\n\n".join(["\n".join(comments), *(erc_record(*one) for one in records)]) + "\n"


def write_holder_ercs(outcome: InflectedArk) -> list[str]:
    return [erc_record(*one) for one in _holder_segments(outcome)]


_Members = list[tuple[str, str]]


def _holder_segments(outcome: InflectedArk) -> Iterator[tuple[str, _Members]]:
    for rules in outcome.holders:
        yield "naa" if not rules.shoulder else "shoulder", _holder_members(rules)
        declared = " ".join(one.message for one in declared_policies(rules))
        if declared:
            members = [
                ("who", rules.holder),
                ("what", declared),
                ("when", rules.tenure),
                ("where", rules.policy_address),
            ]
            yield "erc-support", members


def _holder_members(rules: ArkRules) -> _Members:
    names = filter(None, (rules.holder, rules.native_name, rules.acronym))
    return [
        ("who", " (=) ".join(dict.fromkeys(names))),
        ("what", f"ark:{rules.prefix}"),
        ("when", rules.since),
        ("where", rules.where),
        ("how", " | ".join(filter(None, (", ".join(rules.policy), rules.tenure)))),
    ]


def erc_record(label: str, members: Iterable[tuple[str, str]]) -> str:
    """Source: A Name-Value Language (ANVL)."""
    told = [f"{_line(name) + ':':{_LABEL}} {_line(value)}" for name, value in members if value]
    return "\n".join([f"{label}:", *told])


def _line(value: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in value).split())
