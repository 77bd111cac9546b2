"""Spellings of a name that a registration declares to be one: as a form asks, kept and told."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.identifiers.equivalence import (
    Equivalence,
    EquivalenceOperation,
    EquivalenceRule,
    NssSegments,
    check_equivalence,
    equivalence_to,
    read_equivalence,
)
from app.identifiers.errors import spell_list
from app.registration.submission_findings import SubmissionFinding

EQUIVALENCE = "equivalence"  # beside the template, in what is sent
_SOURCE = "RFC 8141 section 3.2"
_PARTS = re.compile(r"([1-9][0-9]?)(?: ?[-–] ?([1-9][0-9]?)?)?", re.ASCII)


class InvalidNameParts(ValueError):
    """Parts of a name that cannot be told from how they were written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceAnswers:
    """What a registrant answers: whether case matters, and which characters do not.

    ``separator`` and ``parts`` say where case makes no difference, such as ``:`` and ``1-2``;
    without them it makes none in the whole name. ``clause`` is where the text says all this.
    """

    ignores_case: bool = False
    separator: str = ""
    parts: str = ""
    dropped: str = ""
    decoded: str = ""
    clause: str = ""


def declaration_of(spellings: EquivalenceAnswers) -> Equivalence:
    """The rules that answers declare; whether they may be declared is not asked.

    Raises InvalidNameParts for parts that are no numbers, or have no separator.

    Source: RFC 8141 sections 3.2 and 6.4.2, point 3.
    """
    clause = " ".join(spellings.clause.split())
    dropped, decoded = ("".join(text.split()) for text in (spellings.dropped, spellings.decoded))
    rules = (
        spellings.ignores_case
        and EquivalenceRule(EquivalenceOperation.FOLD_CASE, clause, part=_part(spellings)),
        dropped and EquivalenceRule(EquivalenceOperation.DROP, clause, dropped),
        decoded and EquivalenceRule(EquivalenceOperation.DECODE, clause, decoded),
    )
    return Equivalence(tuple(rule for rule in rules if rule))


def _part(spellings: EquivalenceAnswers) -> NssSegments | None:
    separator, parts = spellings.separator.strip(), spellings.parts.strip()
    if not separator and not parts:
        return None
    found = _PARTS.fullmatch(parts)
    if not separator or found is None:
        raise InvalidNameParts(
            "Enter both the separator, such as `:`, and the parts, such as `1` or `1-2`."
        )
    first = int(found[1])
    last = first if "-" not in parts and "–" not in parts else int(found[2]) if found[2] else None
    return NssSegments(separator, first - 1, last)


def equivalence_answers_of(equivalence: Equivalence) -> EquivalenceAnswers:
    """The answers that declare these rules, as far as the form can give them."""
    by = {rule.do: rule for rule in equivalence.rules}
    case = by.get(EquivalenceOperation.FOLD_CASE)
    part = case.part if case else None
    return EquivalenceAnswers(
        ignores_case=case is not None,
        separator=part.separator if part else "",
        parts=_numbers(part) if part else "",
        dropped=" ".join(by[EquivalenceOperation.DROP].characters)
        if EquivalenceOperation.DROP in by
        else "",
        decoded=" ".join(by[EquivalenceOperation.DECODE].characters)
        if EquivalenceOperation.DECODE in by
        else "",
        clause=next((rule.clause for rule in equivalence.rules), ""),
    )


def _numbers(part: NssSegments) -> str:
    first = part.first + 1
    if part.last is None:
        return f"{first}-"
    return str(first) if part.last == first else f"{first}-{part.last}"


def write_declaration(equivalence: Equivalence) -> str:
    """A declaration as a text among the fields that are sent; empty where nothing is declared."""
    if not equivalence.rules:
        return ""
    return json.dumps(equivalence_to(equivalence), ensure_ascii=False, sort_keys=True)


def declared_equivalence(fields: Mapping[str, str]) -> Equivalence:
    """What a text that is sent declares. InvalidEquivalence where it is unreadable."""
    text = fields.get(EQUIVALENCE, "")
    return read_equivalence(json.loads(text)) if text else Equivalence()


def revised_equivalence(
    fields: Mapping[str, str], base: Equivalence, latest: Equivalence
) -> Equivalence:
    """What a revision leaves of the rules of a name: those of its text where that changed them.

    So rules that the name was given meanwhile stay. InvalidEquivalence where it is unreadable.
    """
    declared = declared_equivalence(fields)
    return latest if declared == base else declared


def check_declaration(fields: Mapping[str, str]) -> Iterator[SubmissionFinding]:
    """Yield what forbids the rules that a text declares.

    Source: RFC 8141 section 3.2: they may join names, and never tell apart what section 3.1 joins.
    """
    for sentence in dict.fromkeys(check_equivalence(declared_equivalence(fields))):
        yield SubmissionFinding(
            field="syntax", code="equivalence", message=sentence, source=_SOURCE
        )


def equivalence_sentences(equivalence: Equivalence) -> tuple[tuple[str, str], ...]:
    """Each rule in a sentence for people, with its clause."""
    return tuple((_sentence(rule), rule.clause) for rule in equivalence.rules)


def _sentence(rule: EquivalenceRule) -> str:
    characters = spell_list([f"`{character}`" for character in rule.characters] or [""], most=20)
    match rule.do:
        case EquivalenceOperation.FOLD_CASE:
            begins = f" in identifiers that begin with `{rule.begins}`" if rule.begins else ""
            return f"Not case-sensitive{_where(rule.part)}{begins}."
        case EquivalenceOperation.DROP:
            return f"URNs with and without {characters} are equivalent."
        case EquivalenceOperation.DECODE:
            return f"{characters} can be percent-encoded or not; the URNs are equivalent."


def _where(part: NssSegments | None) -> str:
    if part is None:
        return ""
    numbers = _numbers(part).removesuffix("-")
    which = f"part {numbers}" if part.last is not None else f"part {numbers} and the rest"
    return f" in {which}, separated by `{part.separator}`"
