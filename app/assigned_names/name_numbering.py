"""Which names a prefix gives by number, and whether a name is one of them."""

import re
from collections.abc import Iterator
from typing import Protocol

from app.assigned_names.name_checks import NameRule, check_by_namespace
from app.assigned_names.name_prefixes import NamePrefix
from app.assigned_names.name_schemes import LONGEST_NAME
from app.identifiers.errors import Finding, spell_character, spell_text
from app.identifiers.noid import BETANUMERIC, InvalidMask, Mask, check_character
from app.resolution.check_digits import ALGORITHMS, CheckAlgorithm
from app.resolution.namespace_rules import NamespaceRules

__all__ = [
    "LONGEST_TEMPLATE",
    "InvalidNumbering",
    "NameNumbering",
    "check_numbering",
    "is_order_secret",
    "numbering_of",
    "sample_names",
]

_ON_MASKS = "Noid manual, section on templates"
_ON_CHECKS = "the Noid check digit algorithm (NCDA)"
_ON_SEQUENCES = "RFC 8141 section 5.1"
LONGEST_TEMPLATE = 64
_LONGEST_SEQUENCE = 32  # digits
_SEQUENCE = re.compile(r"sequence(?P<digits>[1-9][0-9]?)?(?:\+(?P<check>[a-z0-9-]{1,32}))?")
_DIGITS = BETANUMERIC[:10]
_ALPHABETS = {"d": _DIGITS, "e": BETANUMERIC}
_SAMPLES = 64


class InvalidNumbering(ValueError):
    """A template that numbers no names of its prefix. Keeps the ``text`` unchanged, with a
    ``code``, a ``message`` for people and the ``source`` of the rule."""

    def __init__(self, text: str, code: str, message: str, source: str) -> None:
        super().__init__(text, code, message, source)
        self.text = text
        self.code = code
        self.message = message
        self.source = source

    def __str__(self) -> str:
        return self.message


class _NumberTemplate(Protocol):
    total: int | None

    def spell(self, n: int) -> str: ...

    def fault_of(self, part: str) -> Finding | None: ...


class NameNumbering:
    """The names of a prefix, numbered from 0, as ``numbering_of`` makes it.

    A number always gives the same name, and two numbers never give one. It keeps no count: whoever
    mints remembers the next number. ``total`` is how many names there are; None where there is
    always one more.
    """

    __slots__ = ("_made", "prefix", "template")

    def __init__(self, prefix: NamePrefix, template: str, made: _NumberTemplate) -> None:
        self.prefix, self.template, self._made = prefix, template, made

    @property
    def total(self) -> int | None:
        return self._made.total

    def nth(self, n: int) -> str | None:
        """The name with a number, in normal form; None past the end, or where it grew too long.
        Raises ValueError for a number below 0."""
        if n < 0:
            raise ValueError("numbers start at 0")
        if self.total is not None and n >= self.total:
            return None
        name = f"{self.prefix.text}{self._made.spell(n)}"
        return name if len(name) <= LONGEST_NAME else None

    def fault_of(self, name: str) -> Finding | None:
        part = name[len(self.prefix.text) :]
        ends = (part.find(sign) for sign in self.prefix.scheme.passthrough_signs)
        end = min((end for end in ends if end >= 0), default=len(part))
        return self._made.fault_of(part[:end])


def ends_in_check(template: str) -> bool:
    return _SEQUENCE.fullmatch(template) is None and template.endswith("k")


def numbering_of(prefix: NamePrefix, template: str, order_seed: str = "") -> NameNumbering:
    """The names that a template numbers under a prefix.

    ``order_seed`` is the prefix's secret, as hexadecimal digits. It sets the order in which a mask
    that begins with ``r`` gives its names. ``reedeedk`` and ``x5.reedeedk`` under ``ark:12345/x5``
    are one: the prefix of a mask is that of the names, or left out. Raises InvalidNumbering for a
    template of another form, for a sequence where names tell nothing, and for a check algorithm
    that has no check for numbers of that length.

    Source: the Noid manual, on templates; The ARK Identifier Scheme, on opaque names.
    """
    if len(template) > LONGEST_TEMPLATE:
        message = f"The mask is too long. Enter at most {LONGEST_TEMPLATE} characters."
        raise InvalidNumbering(template[:200], "template_long", message, _ON_MASKS)
    sequence = _SEQUENCE.fullmatch(template)
    if sequence is None:
        made = _mask_of(prefix, template, bytes.fromhex(order_seed))
        return NameNumbering(prefix, template, made)
    if prefix.scheme.is_opaque:
        message = (
            f"{prefix.scheme.id.upper()}s can't be numbered in sequence, because a sequence shows "
            "their order. Enter a mask such as `reedeedk`."
        )
        raise InvalidNumbering(template, "template_sequence", message, _ON_MASKS)
    digits = int(sequence["digits"] or 0)
    if digits > _LONGEST_SEQUENCE:
        message = f"The sequence is too long. Use at most {_LONGEST_SEQUENCE} digits."
        raise InvalidNumbering(template, "template_long", message, _ON_SEQUENCES)
    if not sequence["check"]:
        return NameNumbering(prefix, template, _Sequence(digits))
    algorithm = ALGORITHMS.get(sequence["check"])
    return NameNumbering(prefix, template, _checked(prefix, template, digits, algorithm))


def is_order_secret(template: str, order_seed: str) -> bool:
    return bool(order_seed) and template.rpartition(".")[2].startswith("r")


def check_numbering(
    numbering: NameNumbering, rules: NamespaceRules | None, pattern: NameRule | None = None
) -> Finding | None:
    """Why the names of a numbering are none of their namespace, or do not follow the pattern of
    their prefix; None where nothing forbids them.

    ``rules`` are those of the namespace, None where there are none, as for ARKs.

    Source: RFC 8141 sections 5.1 and 6.4.2.
    """
    if rules is None and pattern is None:
        return None
    for name in sample_names(numbering):
        fault = check_by_namespace(name, rules) or (pattern and pattern.fault_of(name))
        if fault:
            message = (
                f"This mask produces the identifier {spell_text(name)}. {fault.message} "
                "Choose another mask."
            )
            return Finding("template_names", message, fault.source)
    return None


def sample_names(numbering: NameNumbering) -> Iterator[str]:
    """The first and the last names of a numbering, and some between; of one that has no end, names
    of as many numbers as nobody gives.

    Source: the Noid manual, on templates.
    """
    total = numbering.total
    most = min(total or _SAMPLES, _SAMPLES)
    numbers = {*range(most // 2), *(1 << power for power in range(most))}
    if total:
        numbers = {n for n in numbers if n < total}
        numbers |= {(total - 1) * part // _SAMPLES for part in range(_SAMPLES + 1)}
    return filter(None, map(numbering.nth, sorted(numbers)))


# ---- masks


class _MaskTemplate:
    __slots__ = ("_alphabets", "_counted", "_grows", "_has_check", "_mask", "total")

    def __init__(self, mask: Mask, counted: str, key: bytes) -> None:
        letters = mask.template.rpartition(".")[2]
        self._has_check = mask.checked
        # its own order under each prefix; the check character is counted here
        self._mask = Mask(letters.removesuffix("k"), seed=counted, key=key)
        self._counted = counted
        self._grows = letters[0] == "z"
        self._alphabets = [_ALPHABETS[letter] for letter in letters[1:].removesuffix("k")]
        self.total = mask.total

    def spell(self, n: int) -> str:
        part = self._mask.nth(n) or ""
        return part + check_character(self._counted + part) if self._has_check else part

    def fault_of(self, part: str) -> Finding | None:
        body = part[: len(part) - self._has_check]
        more = len(body) - len(self._alphabets)
        if more < 0 or (more > 0 and not self._grows):
            return self._misfit(part)
        alphabets = [*self._alphabets[:1] * more, *self._alphabets]
        if self._has_check:
            alphabets.append(BETANUMERIC)
        strange = (at for at, sign in enumerate(part) if sign not in alphabets[at])
        at = next(strange, None)
        if at is not None:
            return _strange(part[at], alphabets[at])
        if more > 0 and body[0] == BETANUMERIC[0]:
            message = "The part after the prefix starts with an extra `0`. Remove it."
            return Finding("mask_zero", message, _ON_MASKS)
        return self._miscounted(part, body) if self._has_check else None

    def _misfit(self, part: str) -> Finding:
        length = len(self._alphabets) + self._has_check
        least = "at least " if self._grows else ""
        message = (
            f"The mask makes {least}{length} characters after the prefix; this identifier has "
            f"{len(part)}. Check it against the original."
        )
        return Finding("mask_length", message, _ON_MASKS)

    def _miscounted(self, part: str, body: str) -> Finding | None:
        right = check_character(self._counted + body)
        if part[-1] == right:
            return None
        message = (
            f"The check character is `{part[-1]}` but should be `{right}`. Check the identifier "
            "for typing errors."
        )
        return Finding("check_character", message, _ON_CHECKS)


def _mask_of(prefix: NamePrefix, template: str, key: bytes) -> _MaskTemplate:
    try:
        mask = Mask(template)
    except InvalidMask as error:
        message = f"{spell_text(template)} isn't a valid mask. {_FORM[prefix.scheme.is_opaque]}"
        raise InvalidNumbering(template, "template_form", message, _ON_MASKS) from error
    if mask.prefix not in ("", prefix.beginning):
        own = template.rpartition(".")[2]
        message = f"The mask includes another prefix. Enter only {spell_text(own)}."
        raise InvalidNumbering(template, "template_prefix", message, _ON_MASKS)
    scheme = prefix.scheme
    counted = prefix.text.partition(":")[2] if scheme.is_opaque else prefix.beginning
    return _MaskTemplate(mask, counted, key)


_OF_MASK = (
    "Start with `r`, `s` or `z`, then use `e` (letter or digit) and `d` (digit). A final `k` adds "
    "a check character: `reedeedk`."
)
_FORM = {
    True: _OF_MASK,
    False: f"{_OF_MASK} For URNs, `sequence6` counts with six digits.",
}


def _strange(sign: str, alphabet: str) -> Finding:
    expected = "a digit" if alphabet == _DIGITS else f"one of `{BETANUMERIC}`"
    message = (
        f"The identifier has {spell_character(sign)} where the mask requires {expected}. "
        "Check the identifier for typing errors."
    )
    return Finding("mask_character", message, _ON_MASKS)


# ---- sequences


class _Sequence:
    __slots__ = ("_digits", "total")

    def __init__(self, digits: int) -> None:
        self._digits = digits
        self.total = 10**digits - 1 if digits else None

    def spell(self, n: int) -> str:
        return f"{n + 1:0{self._digits}d}"

    def fault_of(self, part: str) -> Finding | None:
        strange = next((sign for sign in part if sign not in _DIGITS), "")
        if strange:
            return _strange(strange, _DIGITS)
        if self._digits and len(part) != self._digits:
            message = (
                f"The number needs {self._digits} digits but has {len(part)}. "
                "Add leading zeros, or check the identifier."
            )
            return Finding("sequence_length", message, _ON_SEQUENCES)
        if not part.strip("0") or (not self._digits and part[0] == "0"):
            message = "The sequence starts at 1 and has no leading zeros. Correct the number."
            return Finding("sequence_zero", message, _ON_SEQUENCES)
        return None


class _CheckedSequence:
    __slots__ = ("_algorithm", "_check", "_lead", "_sequence", "total")

    def __init__(self, lead: str, digits: int, algorithm: CheckAlgorithm, check: int) -> None:
        self._lead, self._algorithm, self._check = lead, algorithm, check
        self._sequence = _Sequence(digits)
        self.total = self._sequence.total

    def spell(self, n: int) -> str:
        return self._with_check(self._sequence.spell(n))

    def fault_of(self, part: str) -> Finding | None:
        number = part[: -self._check]
        fault = self._sequence.fault_of(number)
        if fault is not None:
            return fault
        right = self._with_check(number)
        if part == right:
            return None
        message = (
            f"The check digits of {spell_text(self._lead + part)} are wrong. Did you mean "
            f"{spell_text(self._lead + right)}?"
        )
        return Finding("check_character", message, self._algorithm.clause)

    def _with_check(self, number: str) -> str:
        return _counted(self._algorithm, f"{self._lead}{number}", self._check)[len(self._lead) :]


def _counted(algorithm: CheckAlgorithm, number: str, check: int) -> str:
    for filler in "05":
        read = algorithm.check(f"{number}{filler * check}")
        # of MOD 97-10, `00` passes where `97` is what the standard computes
        if read is None or not read.is_valid:
            break
    return read.corrected if read else number


_MOST_CHECKS = 2  # characters, as MOD 97-10 has


def _checked(
    prefix: NamePrefix, template: str, digits: int, algorithm: CheckAlgorithm | None
) -> _CheckedSequence:
    if algorithm is None:
        known = ", ".join(f"`{one}`" for one in ALGORITHMS)
        message = f"The check algorithm is unknown. Choose one of {known}."
        raise InvalidNumbering(template, "template_check", message, _ON_SEQUENCES)
    lead = prefix.beginning
    for check in range(1, _MOST_CHECKS + 1):
        if digits and _ends_in_check(algorithm, lead, digits, check):
            return _CheckedSequence(lead, digits, algorithm, check)
    message = (
        "The sequence has the wrong length for this check algorithm. Enter the number of digits "
        "between the prefix and the check digits."
    )
    raise InvalidNumbering(template, "template_check", message, algorithm.clause)


def _ends_in_check(algorithm: CheckAlgorithm, lead: str, digits: int, check: int) -> bool:
    if not algorithm.is_total:
        return False
    sequence = _Sequence(digits)
    for n in (0, *(10**power - 1 for power in range(1, digits)), 10**digits - 2):
        number = f"{lead}{sequence.spell(n)}"
        counted = _counted(algorithm, number, check)
        read = algorithm.check(counted)
        is_ended = counted.startswith(number) and len(counted) == len(number) + check
        if not (is_ended and read and read.is_valid):
            return False
    return True
