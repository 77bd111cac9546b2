"""What forbids that a shoulder is given, and what the operator should look at before it is.

A shoulder that is on file stays, whatever it breaks: that is told as a finding. A new one is held
against all of this.

Source: The ARK Identifier Scheme, on shoulders and on the management of namespaces; arks.org, on
the selection of shoulders.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from app.identifiers.ark_checks import TEST_NAAN
from app.identifiers.errors import MISSING, Finding
from app.identifiers.noid import BETANUMERIC, InvalidMask, Mask
from app.registration.naans.naan_names import (
    NaanNameIndex,
    NaanNameReport,
    TakenNames,
    fold_naan_name,
    has_naan_form,
)
from app.registration.naans.policy_wording import PolicyStatement, policy_statements
from app.registration.naans.quoted_text import quote
from app.registration.naans.shared_naans import EXAMPLES_NAAN

__all__ = [
    "PRIMORDINAL",
    "ShoulderIndex",
    "check_mask",
    "check_shoulder_name",
    "check_shoulder_texts",
]

_ON_SHOULDERS = "The ARK Identifier Scheme, on shoulders"
_ON_NAANS = "The ARK Identifier Scheme, on the Name Assigning Authority Number"
_ON_NAMESPACES = "The ARK Identifier Scheme, on the management of namespaces"
_ON_NORMALIZATION = "The ARK Identifier Scheme, on normalization"
_ON_SELECTION = "arks.org, on the selection of shoulders"
_ON_MASKS = "the Noid manual, on templates"
_ON_CHECKS = "the Noid check digit algorithm (NCDA)"

_LETTERS = BETANUMERIC[10:]
PRIMORDINAL = re.compile(f"[{_LETTERS}]+[0-9]")
_TO_FIRST_DIGIT = re.compile("[^0-9]*[0-9]")
_QUICK_TEST = re.compile(f"9[{BETANUMERIC}]{{5}}_?")
_SHORT = 5  # characters: four letters and a digit
_MARK_OF_TESTS = "fk"
_MOST_NAMED = 3
_LONGEST_MASK = 64
_CHECKED = 28  # characters of NAAN and name in which a check character finds any mistyped one


class ShoulderIndex(NaanNameIndex):
    """The shoulders that are taken, found also by how they begin."""

    __slots__ = ()

    def find_look_alikes(self, name: str, /) -> list[str]:
        """Shoulders of the NAAN of which one begins the other: a name may belong to either.

        Names that are kept back count too, since names may have been given under them.
        """
        folded = fold_naan_name(name)
        naan, slash, _ = folded.partition("/")
        under = f"{naan}{slash}"
        if not slash or folded == under:
            return []
        others = (one for one in (*self, *self.reserved) if one.startswith(under))
        return sorted(
            self.find_registered(one) or one
            for one in others
            if one != folded and (one.startswith(folded) or folded.startswith(one))
        )


def check_shoulder_name(name: str, _kind: str, taken: TakenNames) -> NaanNameReport:
    """What forbids that a shoulder, written with its NAAN, is given, and what to look at before.

    It is letters without vowels and `l` that end with the first digit, as ``12345/x5``; nobody's
    yet; and under its NAAN none begins another. Whether the NAAN is there is not asked. Never
    raises. ``taken`` finds as look-alikes those that overlap, as ``ShoulderIndex`` does.

    Source: The ARK Identifier Scheme, on shoulders and on the management of namespaces.
    """
    if taken.find_registered(name):
        told = "It is already assigned and never reused."
        return NaanNameReport((Finding("taken", told, _ON_SHOULDERS),))
    if taken.is_reserved(name):
        told = "It is reserved and can't be assigned."
        return NaanNameReport((Finding("reserved", told, _ON_SHOULDERS),))
    fault = _fault(name, taken)
    overlap = _overlap(name, taken)
    problems = tuple(one for one in (fault, overlap) if one)
    return NaanNameReport(problems, () if fault else tuple(_to_look_at(fold_naan_name(name))))


def _fault(name: str, taken: TakenNames) -> Finding | None:
    folded = fold_naan_name(name)
    naan, _, shoulder = folded.partition("/")
    if not shoulder and name.endswith("/") and has_naan_form(naan):
        # the beginning that is known is there, as of a shared NAAN, and nothing is wrong yet
        return Finding(
            MISSING, f"Enter the rest after `{naan}/`, for example `{naan}/x5`.", _ON_SHOULDERS
        )
    if not shoulder or not has_naan_form(naan):
        told = "Enter the NAAN, a slash and the shoulder, for example `12345/x5`."
        return Finding("no-shoulder", told, _ON_NAANS)
    if naan == TEST_NAAN and _QUICK_TEST.fullmatch(shoulder):
        told = (
            "Shoulders of `9`, a NAAN and `_` are that holder's test shoulders. They need no "
            "request. Use it, or request another, such as `99999/x5`."
        )
        return Finding("shoulder-own-tests", told, "arks.org, on testing ARKs")
    if PRIMORDINAL.fullmatch(shoulder):
        return None if name == folded else _respelled(folded)
    return _form_fault(shoulder, lambda one: taken.find_registered(f"{naan}/{one}") is not None)


def _respelled(folded: str) -> Finding:
    told = f"Write it as {quote(folded)}: lower case, without hyphens."
    return Finding("shoulder-spelling", told, _ON_NORMALIZATION)


def _form_fault(shoulder: str, is_given: Callable[[str], bool]) -> Finding:
    if "/" in shoulder:
        told = "A shoulder can't contain a slash: it separates an item from its parts. Remove it."
        return Finding("shoulder-slash", told, _ON_SHOULDERS)
    strange = next((one for one in shoulder if one not in BETANUMERIC), "")
    if strange:
        told = (
            f"A shoulder can't contain {quote(strange)}. Use digits and consonants: `{_LETTERS}`."
        )
        return Finding("shoulder-letters", told, _ON_SHOULDERS)
    if shoulder[0].isdigit():
        told = "A shoulder begins with a letter, as in `x5`. Add one before the digit."
        return Finding("shoulder-digit-first", told, _ON_SHOULDERS)
    ended = _TO_FIRST_DIGIT.match(shoulder)
    if ended is None:
        told = f"The end of the shoulder is unclear. Add a digit, as in {quote(f'{shoulder}5')}."
        return Finding("shoulder-no-digit", told, _ON_SHOULDERS)
    told = f"A shoulder ends at its first digit, so this is {quote(ended[0])}"
    instead = (
        ", which is taken. Choose other letters."
        if is_given(ended[0])
        else (". Request that instead.")
    )
    return Finding("shoulder-beyond-digit", told + instead, _ON_SHOULDERS)


def _overlap(name: str, taken: TakenNames) -> Finding | None:
    others = taken.find_look_alikes(name)
    if not others:
        return None
    named = ", ".join(map(quote, others[:_MOST_NAMED]))
    more = len(others) - _MOST_NAMED
    beyond = f" and {more} more" if more > 0 else ""
    told = (
        f"It overlaps with {named}{beyond}: an ARK could belong to either. Choose other "
        "letters or another digit."
    )
    return Finding("shoulder-prefix", told, _ON_NAMESPACES)


def _to_look_at(folded: str) -> Iterator[Finding]:
    naan, _, shoulder = folded.partition("/")
    if shoulder.endswith("0"):
        told = "It ends with a zero. This is allowed, but another digit is better."
        yield Finding("shoulder-zero", told, _ON_SELECTION)
    if len(shoulder) > _SHORT:
        told = (
            f"It has {len(shoulder)} characters, which are part of every ARK. One or two "
            "letters and a digit are usual."
        )
        yield Finding("shoulder-long", told, _ON_SELECTION)
    if naan in (TEST_NAAN, EXAMPLES_NAAN):
        told = f"ARKs under `{naan}` aren't for permanent use. Check that this is what you want."
        yield Finding("shoulder-no-reference", told, _ON_NAANS)
    elif shoulder.startswith(_MARK_OF_TESTS):
        told = "Shoulders that begin with `fk` look like tests. Check that this is what you want."
        yield Finding("shoulder-of-tests", told, _ON_NAMESPACES)


def check_shoulder_texts(texts: Mapping[str, str]) -> dict[str, NaanNameReport]:
    """What is found in the mask of a shoulder beside its name and its policy, by the field."""
    mask = texts.get("mask", "").strip()
    return {"mask": check_mask(mask, texts.get("naan_name", ""), texts.get("policy", ""))}


def check_mask(mask: str, name: str, policy: str = "") -> NaanNameReport:
    """What is wrong with the mask of a shoulder, and what to look at; nothing for an empty one.

    ``name`` is the shoulder with its NAAN, ``policy`` what is declared of its names, as ``NR, CC``.
    The prefix of a mask is the shoulder or left out; without a name nobody knows. Never raises.

    Source: the Noid manual, on templates; the Noid check digit algorithm.
    """
    if not mask:
        return NaanNameReport()
    if len(mask) > _LONGEST_MASK:
        told = f"The mask is too long. Use at most {_LONGEST_MASK} characters."
        return NaanNameReport((Finding("mask-form", told, _ON_MASKS),))
    try:
        read = Mask(mask)
    except InvalidMask as error:
        return NaanNameReport((Finding("mask-form", str(error), _ON_MASKS),))
    naan, _, shoulder = fold_naan_name(name).partition("/")
    if shoulder and read.prefix not in ("", shoulder):
        own = f"{shoulder}.{mask.rpartition('.')[2]}"
        told = (
            f"Identifiers of the mask {quote(mask)} begin with {quote(read.prefix)}, not with "
            f"the shoulder. Use {quote(own)}."
        )
        return NaanNameReport((Finding("mask-prefix", told, _ON_MASKS),))
    return NaanNameReport((), tuple(_of_checks(read, f"{naan}/{shoulder}", policy)))


def _of_checks(mask: Mask, name: str, policy: str) -> Iterator[Finding]:
    declares = PolicyStatement.CHECK_CHARACTER in policy_statements(policy)
    if mask.checked and not declares:
        told = "The mask ends with `k` (a check character), but the policy doesn't include `CC`."
        yield Finding("mask-undeclared-check", told, _ON_MASKS)
    if declares and not mask.checked:
        told = "The policy includes `CC` (check characters), but the mask doesn't end with `k`."
        yield Finding("mask-no-check", told, _ON_MASKS)
    minted = mask.template.rpartition(".")[2][1:].removesuffix("k")
    if mask.checked and len(name) + len(minted) >= _CHECKED:
        told = (
            f"The identifier has {_CHECKED} or more characters before the check character, so "
            "some typing errors go undetected."
        )
        yield Finding("mask-long-check", told, _ON_CHECKS)
