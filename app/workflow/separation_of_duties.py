"""Who may judge and who may register: nobody decides alone, nobody decides their own request."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from app.workflow.states import Role

_STOPLESS = frozenset({"gmail.com", "googlemail.com"})


@dataclass(frozen=True, slots=True)
class SeparationOfDuties:
    """How many people a registration takes at least, a setting.

    Three: who wrote, who approved and who registers are different. Two: whoever approved
    may register. One: a private registry of one person, and every page of the record says so.

    ``share`` is how many NAANs and shoulders an operator may give by themselves within 24 hours,
    before a second operator has to agree to each; None where they may give any number.
    """

    people: int = 3
    share: int | None = None

    def lets_alone(self, given: int) -> bool:
        """Whether an operator who gave so many by themselves may give one more so."""
        return self.share is None or given < self.share


class ConflictOfInterest(StrEnum):
    """Why an expert does not judge a request. ``sentence`` tells the expert."""

    sentence: str

    def __new__(cls, value: str, sentence: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member

    AUTHOR = "author", "You wrote this request or manage it for the registrant."
    ORGANIZATION = "organization", "Your organization makes this request."
    INTEREST = "interest", "You declared an interest in this request."
    RECUSED = "recused", "You recused yourself from this request."


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """Whose request it is, and who stands too near to it to judge it; people by their mailbox."""

    authors: frozenset[str]
    organization: str = ""
    interested: frozenset[str] = frozenset()
    recused: frozenset[str] = frozenset()


def conflicts_of(
    expert: str,
    parties: Parties,
    *,
    organization: str = "",
    rule: SeparationOfDuties = SeparationOfDuties(),
) -> tuple[ConflictOfInterest, ...]:
    """Every reason why the expert, of this organization, may not judge the request.

    Organizations are compared without case and outer spaces; an empty one is nobody's.
    Where one person is enough, an author judges too.

    Source: RFC 8126 section 5: an expert with a conflict, such as an author, steps aside.
    """
    alone = rule.people < 2
    own = fold_organization(organization)
    found = {
        ConflictOfInterest.AUTHOR: expert in parties.authors and not alone,
        ConflictOfInterest.ORGANIZATION: own != ""
        and own == fold_organization(parties.organization)
        and not alone,
        ConflictOfInterest.INTEREST: expert in parties.interested,
        ConflictOfInterest.RECUSED: expert in parties.recused,
    }
    return tuple(conflict for conflict, holds in found.items() if holds)


def without_judging(roles: frozenset[Role]) -> frozenset[Role]:
    """The roles that are left to an expert with a conflict."""
    return roles - {Role.EXPERT, Role.LEADER}


def who_may_decide(
    operators: Iterable[str],
    *,
    authors: Iterable[str],
    rule: SeparationOfDuties = SeparationOfDuties(),
) -> frozenset[str]:
    """Those of the operators who may decide about a request with these authors.

    Its use as evidence: ``Evidence.NO_PARTY`` holds where the actor is among them.
    """
    return frozenset(operators) - (frozenset(authors) if rule.people > 1 else frozenset())


def who_may_register(
    operators: Iterable[str],
    *,
    authors: Iterable[str],
    approvers: Iterable[str],
    appointed: Mapping[str, Collection[str]] = {},
    rule: SeparationOfDuties = SeparationOfDuties(),
) -> frozenset[str]:
    """Those of the operators who may register a request with these authors and approvers.

    ``appointed`` gives for an operator those whom they alone appointed: an approval by nobody
    else is their own, since whoever appoints an expert could be that expert.

    Its use as evidence: ``Evidence.OTHER_PERSON`` holds where the actor is among them.
    """
    apart = who_may_decide(operators, authors=authors, rule=rule)
    approving = frozenset(approvers)
    if rule.people <= 2 or not approving:
        return apart
    return frozenset(
        one for one in apart - approving if approving - frozenset(appointed.get(one, ()))
    )


def who_may_enter_appeal(
    operators: Iterable[str],
    *,
    judges: Iterable[str],
    rule: SeparationOfDuties = SeparationOfDuties(),
) -> frozenset[str]:
    """Those of the operators who may enter what was decided on an appeal.

    ``judges`` reviewed or declined the request. Where two people are enough, only one operates.

    Its use as evidence: ``Evidence.NOT_JUDGED`` holds where the actor is among them.
    """
    return frozenset(operators) - (frozenset(judges) if rule.people > 2 else frozenset())


def fold_organization(organization: str) -> str:
    """An organization's name as it is compared: without case and outer or double spaces.

    Characters that nobody sees and other forms of the same letter don't make it another one's.
    """
    seen = "".join(sign for sign in organization if unicodedata.category(sign) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def fold_mailbox(address: str) -> str:
    """An address as people are told apart by it: without case, and without what follows a plus.

    ``Robin+zoo@Org.example`` is ``robin@org.example``: whoever reads the one reads the other.
    Google's mail knows no stops in a name, and has two domains for one mailbox.

    Source: RFC 5233 section 1, for addresses with a detail.
    """
    local, _, domain = address.strip().casefold().rpartition("@")
    person = local.partition("+")[0] or local
    if domain in _STOPLESS:
        return f"{person.replace('.', '') or person}@gmail.com"
    return f"{person}@{domain}"
