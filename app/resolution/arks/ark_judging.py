"""What an ARK is by the NAANs and shoulders on file: whose it is, and where it leads or why not."""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from app.identifiers.corrections import IdentifierCorrection
from app.registration.naans.naan_checks import is_resolver
from app.registration.naans.policy_wording import PolicyStatement
from app.registration.records.registry_records import Status
from app.resolution.arks.ark_documents import ark_outcome_to, prefix_to
from app.resolution.arks.ark_outcomes import (
    ArkHandedOn,
    ArkOutcome,
    BadArkSyntax,
    InflectedArk,
    OverlongArk,
    ResolvedArk,
    UnregisteredNaan,
)
from app.resolution.arks.ark_policies import declared_policies
from app.resolution.arks.ark_resolver import ArkResolver
from app.resolution.arks.ark_rule_books import ArkRuleBook
from app.resolution.arks.ark_rules import ArkRules
from app.resolution.arks.ark_wording import ark_reasons, meant_ground, prefix_words
from app.resolution.arks.mended_arks import correct_ark
from app.resolution.arks.naan_rules import NaanSnapshot
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import ground_to
from app.resolution.outcome_wording import shorten_text

_LONGEST_NAAN = 80
_NAAS = "The ARK URI scheme section 3.1"
_HTTP = "The ARK URI scheme section 7.1.2"
_ON_POLICY = "The ARK Identifier Scheme, on name assignment policy"
_ON_TESTS = "Testing ARKs, by the ARK Alliance"


class ArkJudgement(NamedTuple):
    """What an ARK is by the NAANs and shoulders on file.

    ``holders`` are the rules of its shoulder, if it has one, and of its NAAN; none where nobody is
    known to have it. ``grounds`` say why it came so, the most important first. ``correction`` is
    the ARK that the text was probably meant for. ``minted_with_check`` is what the mask of a local
    prefix says.
    """

    outcome: ArkOutcome
    holders: tuple[ArkRules, ...]
    grounds: tuple[Ground, ...]
    correction: IdentifierCorrection | None = None
    minted_with_check: bool | None = None

    @property
    def is_registered(self) -> bool:
        return bool(self.holders) and self.holders[0].status is not Status.FORMER

    @property
    def has_check(self) -> bool:
        if self.minted_with_check is not None:
            return self.minted_with_check
        declared = (rules.policy for rules in self.holders if rules.policy)
        return str(PolicyStatement.CHECK_CHARACTER) in next(declared, ())

    @property
    def target(self) -> str:
        match self.outcome:
            case ResolvedArk() | ArkHandedOn():
                return self.outcome.target
            case InflectedArk():
                return self.outcome.described_by
            case _:
                return ""


def judge_ark(text: str, snapshot: NaanSnapshot, own_hosts: Collection[str] = ()) -> ArkJudgement:
    """What a text is as an ARK, by the NAANs and shoulders on file. What is led to ``own_hosts`` is
    told as leading back.

    Source: The ARK URI scheme sections 3.1, 3.4, 6 and 7.1.
    """
    outcome = ArkResolver(snapshot.book, own_hosts).resolve(text)
    holders = tuple(holders_of(outcome, snapshot.book))
    correction = correct_ark(outcome, snapshot.book)
    grounds = list(_grounds(outcome, holders, snapshot.day))
    if correction and not isinstance(outcome, BadArkSyntax):  # whose reasons have it
        grounds.append(meant_ground(correction))
    has_check = snapshot.minted_with_check(outcome.request.normal_form)
    return ArkJudgement(outcome, holders, tuple(grounds), correction, has_check)


def holders_of(outcome: ArkOutcome, book: ArkRuleBook) -> Iterator[ArkRules]:
    """The rules of an ARK's shoulder, if it has one, and of its NAAN; none where nobody has it."""
    if isinstance(outcome, BadArkSyntax | OverlongArk | UnregisteredNaan):
        return
    rules = outcome.rules
    yield rules
    naan = book.find(rules.naan) if rules.shoulder else None
    if naan is not None:
        yield naan


def _grounds(outcome: ArkOutcome, holders: tuple[ArkRules, ...], day: str) -> Iterator[Ground]:
    for ground in ark_reasons(outcome):
        yield _not_on_file(outcome, day) if ground.code == "naan_unknown" else ground
    if not holders:
        return
    rules = holders[0]
    if rules.naan != outcome.request.naan:
        message = f"This is a test ARK under {prefix_words(rules)}."
        yield Ground("test_of", message, _ON_TESTS)
    host = rules.way.host
    if isinstance(outcome, ResolvedArk | ArkHandedOn) and is_resolver(host):
        message = (
            f"`{host}` is a resolver that uses this registry itself, which may cause a "
            "redirect loop."
        )
        yield Ground("target_circle", message, _HTTP)
    if not any(any(declared_policies(one)) for one in holders):
        message = f"No policy is recorded for ARKs under `ark:{rules.prefix}`."
        yield Ground("undeclared", message, _ON_POLICY)


def _not_on_file(outcome: ArkOutcome, day: str) -> Ground:
    """A copy of the registry of some day tells nothing of what was given since."""
    naan = shorten_text(outcome.request.naan, _LONGEST_NAAN)
    known = f"on {day}, the date of these records" if day else "when these records were created"
    message = (
        f"NAAN `{naan}` was not registered {known}. Check the spelling, or update the records."
    )
    return Ground("naan_unknown", message, _NAAS)


def ark_judgement_to(judgement: ArkJudgement) -> dict[str, Any]:
    """What an ARK is by the NAANs and shoulders on file, for programs. ``declared`` is a list for
    each holder, an empty one where it declared nothing."""
    told = ark_outcome_to(judgement.outcome)
    grounds = [ground_to(one) for one in judgement.grounds]
    holders = {
        "shoulder" if rules.shoulder else "naan": {"declared": [], **prefix_to(rules)}
        for rules in judgement.holders
    }
    return {**told, **({"grounds": grounds} if grounds else {}), **holders}
