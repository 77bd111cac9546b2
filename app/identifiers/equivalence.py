"""Rules of equivalence that a namespace adds to those of section 3.1, as data."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from app.identifiers.errors import InvalidURN
from app.identifiers.urn import PCHAR, URN, parse_urn

_ENCODED = re.compile(r"(?:%[0-9a-f]{2})+")
_PCHAR = re.compile(f"[{PCHAR}]")
_UPPER = "upper"
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


class EquivalenceOperation(StrEnum):
    """What a rule does with the characters of a part."""

    FOLD_CASE = "fold-case"
    DROP = "drop"
    DECODE = "decode"


_ORDER = [EquivalenceOperation.DECODE, EquivalenceOperation.DROP, EquivalenceOperation.FOLD_CASE]
# Names of their own, since to look one up in an enumeration takes long.
_DROP, _FOLD_CASE = EquivalenceOperation.DROP, EquivalenceOperation.FOLD_CASE


class InvalidEquivalence(ValueError):
    """A declaration that cannot be used; says why."""


@dataclass(frozen=True, slots=True)
class NssSegments:
    """The segments of an NSS from ``first`` up to ``last``, None for the end."""

    separator: str
    first: int = 0
    last: int | None = None


@dataclass(frozen=True, slots=True)
class EquivalenceRule:
    """One thing that makes no difference, with the clause of the registration that says so.

    ``begins`` and ``is_upper`` are of a rule on case: it holds for an NSS that begins so, in
    either case, and letters are written in upper case in the normal form.
    """

    do: EquivalenceOperation
    clause: str
    characters: str = ""
    part: NssSegments | None = None
    begins: str = ""
    is_upper: bool = False


@dataclass(frozen=True, slots=True)
class Equivalence:
    """What a namespace declares; no rules are those of section 3.1 alone."""

    rules: tuple[EquivalenceRule, ...] = ()

    @property
    def folds(self) -> bool:
        """Whether case makes no difference somewhere in an NSS."""
        return any(rule.do is EquivalenceOperation.FOLD_CASE for rule in self.rules)

    @property
    def folds_whole(self) -> bool:
        """Whether case makes no difference anywhere in an NSS, however the NSS begins."""
        folding = (rule for rule in self.rules if rule.do is EquivalenceOperation.FOLD_CASE)
        return any(rule.part is None and not rule.begins for rule in folding)

    def in_capitals(self) -> "Equivalence":
        """These rules, with what they fold written in upper case; they join the same."""
        capitals = (
            replace(rule, is_upper=True) if rule.do is EquivalenceOperation.FOLD_CASE else rule
            for rule in self.rules
        )
        return Equivalence(tuple(capitals))

    def normal_form(self, urn: URN | str) -> str:
        """The assigned-name in the form that all its equals in the namespace share.

        It is the normal form of section 3.1 after the rules: what is encoded and may be is
        decoded, then characters are dropped, then letters are put into lower case, or into upper
        case where the rule says so. Where nothing that is a URN would be left, it is the normal
        form of section 3.1.

        Raises InvalidURN for a text that is no URN.

        Source: RFC 8141 sections 3.1 and 3.2.
        """
        plain = (urn if isinstance(urn, URN) else parse_urn(urn)).normal_form
        scheme, nid, nss = plain.split(":", 2)
        return f"{scheme}:{nid}:{self.own_nss(nss)}"

    def own_nss(self, nss: str) -> str:
        """What ``normal_form`` makes of an NSS that stands in a normal form of section 3.1.

        Source: RFC 8141 section 3.2.
        """
        made = nss
        for rule in self.rules if len(self.rules) < 2 else sorted(self.rules, key=_place_of):
            made = _applied(rule, made)
        # letters in the other case make an NSS of each that is one
        return made if made.lower() == nss.lower() or _is_nss(made) else nss

    def equivalent(self, one: URN | str, other: URN | str) -> bool:
        """Whether two URNs of the namespace name the same. Raises InvalidURN.

        Source: RFC 8141 sections 3.1 and 3.2.
        """
        return self.normal_form(one) == self.normal_form(other)

    def clauses(self, urn: URN | str) -> tuple[str, ...]:
        """The clauses by which a URN gets another normal form than by section 3.1."""
        alone = ((rule, Equivalence((rule,))) for rule in self.rules)
        plain = Equivalence().normal_form(urn)
        return tuple(rule.clause for rule, only in alone if only.normal_form(urn) != plain)


PLAIN = Equivalence()  # section 3.1 and nothing beside it


def _place_of(rule: EquivalenceRule) -> int:
    return _ORDER.index(rule.do)


def _is_nss(text: str) -> bool:
    return _is_urn(f"urn:example:{text}")


def _is_urn(text: str) -> bool:
    try:
        return parse_urn(text).assigned_name == text
    except InvalidURN:
        return False


def _applied(rule: EquivalenceRule, nss: str) -> str:
    if rule.begins and not nss.lower().startswith(rule.begins.lower()):
        return nss
    if rule.part is None:
        return _changed(rule, nss)
    segments = nss.split(rule.part.separator)
    last = len(segments) if rule.part.last is None else max(0, rule.part.last)
    wanted = slice(max(0, rule.part.first), last)
    segments[wanted] = [_changed(rule, segment) for segment in segments[wanted]]
    return rule.part.separator.join(segments)


def _changed(rule: EquivalenceRule, text: str) -> str:
    """A percent sign stands before two hexadecimal digits alone, so that none is found inside
    another."""
    if rule.do is _FOLD_CASE:
        if rule.is_upper:
            return text.upper()
        folded = text.lower()
        return _ENCODED.sub(lambda run: run[0].upper(), folded) if "%" in text else folded
    if rule.do is _DROP:
        return text.translate(dict.fromkeys(map(ord, rule.characters)))
    for character in rule.characters if "%" in text else "":
        text = text.replace(f"%{ord(character):02X}", character)
    return text


def check_equivalence(equivalence: Equivalence) -> Iterator[str]:
    """What forbids a declaration, in sentences; none where it can be used.

    A rule must join what section 3.1 keeps apart, and give a URN again. So it cannot drop or
    decode what only an encoded character has, nor what its parts are told by.

    Source: RFC 8141 sections 2 and 3.
    """
    for rule in equivalence.rules:
        if not rule.clause.strip():
            yield (
                f"`{rule.do}` has no clause. Quote the sentence in the registration that defines "
                "the rule."
            )
        if rule.do is EquivalenceOperation.FOLD_CASE and rule.characters:
            yield "`fold-case` takes no characters. Remove them."
        if rule.do is not EquivalenceOperation.FOLD_CASE:
            yield from _check_characters(rule)
            yield from _check_case(rule)
        if not all(_PCHAR.fullmatch(character) or character == "/" for character in rule.begins):
            yield f"No NSS starts with `{rule.begins}`. Enter it as it appears in a URN."
        yield from _check_part(rule)


def _check_case(rule: EquivalenceRule) -> Iterator[str]:
    if rule.begins or rule.is_upper:
        yield f"`{rule.do}` isn't a rule about letter case. Remove `begins` and the case."


def _check_characters(rule: EquivalenceRule) -> Iterator[str]:
    if not rule.characters:
        yield f"`{rule.do}` needs characters. Add them."
    for character in rule.characters:
        if not (_PCHAR.fullmatch(character) or character == "/"):
            yield (
                f"`{character}` never appears in an NSS unencoded, so `{rule.do}` has no effect "
                "on it. Remove it."
            )
        if (
            rule.do is EquivalenceOperation.DROP
            and _UNRESERVED.fullmatch(character)
            and character.isalnum()
        ):
            yield (
                f"Without `{character}`, URNs that differ in a letter or digit would be "
                "equivalent. Remove it from the rule."
            )
        if rule.part and character in rule.part.separator:
            yield f"`{character}` separates the parts. Remove it from the rule."


def _check_part(rule: EquivalenceRule) -> Iterator[str]:
    part = rule.part
    if part is None:
        return
    if len(part.separator) != 1 or not (_PCHAR.fullmatch(part.separator) or part.separator == "/"):
        yield "Enter one separator character that an NSS can contain."
    elif part.separator.isalnum():
        yield "A letter or digit can't separate parts. Use another character."
    if part.first < 0 or (part.last is not None and part.last <= part.first):
        yield (
            "The numbers of the parts aren't valid. Count from 0, and enter the first part "
            "before the last."
        )


def equivalence_to(equivalence: Equivalence) -> dict[str, Any]:
    """The declaration as a JSON document."""
    return {"rules": [_rule_to(rule) for rule in equivalence.rules]}


def _rule_to(rule: EquivalenceRule) -> dict[str, Any]:
    document: dict[str, Any] = {"do": str(rule.do), "clause": rule.clause}
    if rule.characters:
        document["characters"] = rule.characters
    if rule.part:
        part = rule.part
        document["part"] = {"separator": part.separator, "first": part.first, "last": part.last}
    if rule.begins:
        document["begins"] = rule.begins
    if rule.is_upper:
        document["case"] = _UPPER
    return document


def read_equivalence(document: Mapping[str, Any]) -> Equivalence:
    """A declaration as it was written, whatever forbids it. Raises InvalidEquivalence for what is
    none."""
    try:
        return Equivalence(tuple(_rule_from(one) for one in document["rules"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidEquivalence(
            f"This isn't a valid declaration of equivalence: {error!r}."
        ) from error


def equivalence_from(document: Mapping[str, Any]) -> Equivalence:
    """The declaration from its JSON document. Raises InvalidEquivalence for what cannot be used."""
    equivalence = read_equivalence(document)
    for problem in check_equivalence(equivalence):
        raise InvalidEquivalence(problem)
    return equivalence


def _rule_from(document: Mapping[str, Any]) -> EquivalenceRule:
    part = document.get("part")
    return EquivalenceRule(
        do=EquivalenceOperation(document["do"]),
        clause=_text(document["clause"]),
        characters=_text(document.get("characters", "")),
        part=part
        and NssSegments(
            _text(part["separator"]), _count(part.get("first", 0)), _last(part.get("last"))
        ),
        begins=_text(document.get("begins", "")),
        is_upper=_is_upper(document.get("case")),
    )


def _is_upper(case: object) -> bool:
    if case not in (None, _UPPER):
        raise ValueError(f"{case!r} isn't a case of the normal form")
    return case == _UPPER


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} isn't text")
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} isn't a number")
    return value


def _last(value: object) -> int | None:
    return None if value is None else _count(value)


@dataclass(frozen=True, slots=True)
class EquivalentSpellings:
    """Two spellings that section 3.1 keeps apart and a rule makes equal."""

    one: str
    other: str
    clause: str


def find_equivalent_spellings(
    equivalence: Equivalence, names: Iterable[str]
) -> Iterator[EquivalentSpellings]:
    """For each rule two spellings that it makes equal, found among names and what is like them.

    Nothing for a rule that joins none of these. Names that are no URNs are passed over.

    Source: RFC 8141 section 3.
    """
    known = [name for name in names if _is_urn(name)]
    for rule in equivalence.rules:
        only = Equivalence((rule,))
        pairs = (pair for name in known for pair in _like(rule, name))
        found = next((pair for pair in pairs if _joins(only, *pair)), None)
        if found:
            yield EquivalentSpellings(*found, rule.clause)


def _joins(only: Equivalence, one: str, other: str) -> bool:
    if not (_is_urn(one) and _is_urn(other)):
        return False
    return not Equivalence().equivalent(one, other) and only.equivalent(one, other)


def _like(rule: EquivalenceRule, name: str) -> Iterator[tuple[str, str]]:
    scheme, nid, nss = name.split(":", 2)
    head = f"{scheme}:{nid}:"
    match rule.do:
        case EquivalenceOperation.FOLD_CASE:
            yield name, head + nss.swapcase()
            pieces = re.findall(r"[^:/.-]+|[:/.-]", nss)
            for place, piece in enumerate(pieces):
                yield (
                    name,
                    head + "".join([*pieces[:place], piece.swapcase(), *pieces[place + 1 :]]),
                )
        case EquivalenceOperation.DROP:
            for character in rule.characters:
                yield name, head + nss.replace(character, "")
                for place in range(1, len(nss)):
                    yield name, head + nss[:place] + character + nss[place:]
        case EquivalenceOperation.DECODE:
            for character in rule.characters:
                encoded = f"%{ord(character):02X}"
                yield name, head + nss.replace(character, encoded)
                yield name, head + nss.replace(encoded, character)
                yield name + character, name + encoded
