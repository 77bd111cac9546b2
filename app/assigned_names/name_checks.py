"""Errors and warnings for a record of an assigned identifier."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Protocol

from app.assigned_names.assigned_name_records import (
    REDIRECT_STATUSES,
    AssignedNameRecord,
    AssignedNameState,
)
from app.assigned_names.name_prefixes import NamePrefix
from app.assigned_names.name_schemes import read_assigned_name, scheme_of
from app.identifiers.errors import (
    Finding,
    InvalidIdentifier,
    spell_character,
    spell_list,
    spell_text,
)
from app.registration.declarations.dates import is_date
from app.registration.naans.naan_targets import (
    TARGET_VARIABLES,
    TargetFault,
    find_target_fault,
    reach_objection,
    unknown_variables,
)
from app.resolution.ark_rules import ArkTarget
from app.resolution.judgement import judge_by
from app.resolution.namespace_rules import NamespaceRules, Possibility

ELEMENT_LIMIT: Final = 50
FIELD_LIMITS: Final = {
    "target": 2_048,
    "label": 64,
    "element": 4_096,
    "persistence": 2_000,
    "reason": 2_000,
    "since": 10,
    "successor": 2_048,
}
# The labels of a record that aren't elements.
RESERVED_LABELS: Final = frozenset({
    *("name", "state", "target", "redirect", "extends_anywhere", "persistence"),
    *("reason", "since", "successor", "elements", "erc"),
})  # fmt: skip

# Warnings: the record is accepted.
TOLD_CODES: Final = frozenset({
    *("look_alike", "name_repeated", "successor_elsewhere", "successor_nowhere"),
})  # fmt: skip

_ERC = "The ARK Identifier Scheme, section on electronic resource citations (ERC)"
_URI = "RFC 3986 sections 2 and 3"
_REDIRECTS = "RFC 9110 section 15.4"
_TOMBSTONES = "The ARK Identifier Scheme, section on persistence statements"
_TEXTS = "Unicode Standard Annex 9; RFC 8264 section 9"
_DAYS = "RFC 3339 section 5.6"

_UNFIT = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f\u2028\u2029"  # controls, line ends among them
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # Bidi_Control: they reorder what stands beside
    "\u200b\u2060-\u2064\ufeff"  # of no width
    "\U000e0000-\U000e007f"  # tags: a text inside the text
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # what no encoding carries, or no text has
    "]"
)
# Not seen by themselves, though each may stand in a text that is: hyphens that are not written yet,
# joiners, fillers of Hangul and Braille, and what chooses between shapes.
_FAINT = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef"
)
_BLANK = re.compile(rf"\s*[{_FAINT}][\s{_FAINT}]*")
_ADDRESS = re.compile(r"[Hh][Tt][Tt][Pp][Ss]?://([^/?#]*)(.*)", re.DOTALL)
_CHARACTERS = re.compile(r"(?:[!#$&-;=?-Z\[\]_a-z~]|%[0-9A-Fa-f]{2})*+")
_LABEL = re.compile(r"[^\W_][^:%#\s]*(?: [^:%#\s]+)*")


@dataclass(frozen=True, slots=True)
class NameFinding:
    """One finding: the field, a stable code, the message, and the rule.

    The ``TOLD_CODES`` are warnings.
    """

    field: str
    code: str
    message: str
    source: str

    @property
    def refuses(self) -> bool:
        return self.code not in TOLD_CODES


class NameRule(Protocol):
    """What the names of a prefix follow, as a mask or a pattern."""

    def fault_of(self, name: str) -> Finding | None:
        """Why a name under the prefix, in normal form, does not follow it."""


def check_assigned_name(
    prefix: NamePrefix, followed: Iterable[NameRule], record: AssignedNameRecord
) -> list[NameFinding]:
    """Source: The ARK URI scheme section 4; RFC 8141 section 2; RFC 3986; RFC 6890."""
    return [*_of_name(prefix, followed, record.name), *_of_fields(record)]


def check_told_name(record: AssignedNameRecord) -> Iterator[NameFinding]:
    """Source: The ARK URI scheme section 4; RFC 8141 section 2; RFC 3986; RFC 6890."""
    yield from _of_normal_form(record.name)
    yield from _of_fields(record)


def _of_fields(record: AssignedNameRecord) -> list[NameFinding]:
    return [
        *check_target(record.target),
        *_of_redirect(record.redirect),
        *_of_elements(record.elements),
        *check_text("persistence", record.persistence, FIELD_LIMITS["persistence"], _TOMBSTONES),
        *_of_tombstone(record),
    ]


def _of_normal_form(name: str) -> Iterator[NameFinding]:
    try:
        normal = read_assigned_name(name)
    except InvalidIdentifier as error:
        yield NameFinding("name", error.code, error.message, error.source)
        return
    if normal != name:
        message = f"The identifier isn't in normal form. Enter {spell_text(normal)}."
        yield NameFinding("name", "normal_form", message, scheme_of(name).source)


def _of_name(prefix: NamePrefix, followed: Iterable[NameRule], name: str) -> Iterator[NameFinding]:
    fault = next(_of_normal_form(name), None)
    if fault:
        yield fault
    elif not prefix.holds(name):
        message = (
            f"{spell_text(name)} isn't under the prefix {spell_text(prefix.text)}. "
            "Correct the identifier or remove it."
        )
        yield NameFinding("name", "outside_prefix", message, prefix.scheme.source)
    else:
        for broken in filter(None, (rule.fault_of(name) for rule in followed)):
            yield NameFinding("name", broken.code, broken.message, broken.source)


# ---- targets


def check_target(target: str) -> Iterator[NameFinding]:
    """Source: RFC 3986 sections 2 and 3; RFC 6890."""
    if target:
        yield from _of_address("target", target)


def _of_address(field: str, address: str) -> Iterator[NameFinding]:
    too_long = next(_length(field, address, FIELD_LIMITS["target"], _URI), None)
    if too_long:
        yield too_long
        return
    found = _ADDRESS.fullmatch(address)
    if found is None:
        message = "Enter a full address that starts with `https://` or `http://`."
        yield NameFinding(field, f"{field}_scheme", message, _URI)
        return
    fit = _CHARACTERS.match(address)
    if fit and fit.end() < len(address):
        message = _misfit(address, fit.end(), is_in_host=fit.end() < found.end(1))
        yield NameFinding(field, f"{field}_character", message, _URI)
        return
    message = reach_objection(found[1])
    if message:
        yield NameFinding(field, f"{field}_host", message, "RFC 6890; RFC 3986 section 3.2")


def _misfit(address: str, at: int, *, is_in_host: bool) -> str:
    sign = address[at]
    if sign == "%":
        return "A `%` needs two hexadecimal digits after it. For a percent sign, enter `%25`."
    error = f"An address can't contain {spell_character(sign)}."
    if is_in_host and not sign.isascii():
        return f"{error} Enter the host in ASCII, for example `xn--bcher-kva.example`."
    return f"{error} {'Percent-encode it' if sign.isprintable() else 'Remove it'}."


def _of_redirect(status: int) -> Iterator[NameFinding]:
    if status not in REDIRECT_STATUSES:
        known = spell_list([str(one) for one in REDIRECT_STATUSES])
        message = f"The redirect status isn't supported. Use one of {known}."
        yield NameFinding("redirect", "redirect", message, _REDIRECTS)


# ---- texts


def _of_elements(elements: tuple[tuple[str, str], ...]) -> Iterator[NameFinding]:
    if len(elements) > ELEMENT_LIMIT:
        message = f"There are {len(elements)} elements. Enter at most {ELEMENT_LIMIT}."
        yield NameFinding("elements", "too_many", message, _ERC)
        return
    for label, value in elements:
        fault = next(_of_label(label), None)
        if fault:
            yield fault
        else:
            yield from check_text(label, value, FIELD_LIMITS["element"], _ERC)


def _of_label(label: str) -> Iterator[NameFinding]:
    yield from check_text("elements", label, FIELD_LIMITS["label"], _ERC)
    if label in RESERVED_LABELS:
        message = f"`{label}` is a reserved label. Choose another label."
        yield NameFinding("elements", "label_reserved", message, _ERC)
    elif not _LABEL.fullmatch(label):
        message = (
            f"{spell_text(label)} isn't a valid label. Start with a letter or a digit, and don't "
            "use `:`, `%` or `#`."
        )
        yield NameFinding("elements", "label", message, _ERC)


def check_text(field: str, text: str, most: int, source: str) -> Iterator[NameFinding]:
    """Yield the findings for a text of one line: too long, blank, or with invisible characters.

    Source: Unicode Standard Annex 9; RFC 8264 section 9.
    """
    yield from _length(field, text, most, source)
    unfit = _UNFIT.search(text[: most + 1])
    if unfit:
        message = (
            f"Character {unfit.start() + 1} of `{field}` is {spell_character(unfit[0])}, "
            "which is invisible. Remove it."
        )
        yield NameFinding(field, "unseen_character", message, _TEXTS)
    elif _BLANK.fullmatch(text):
        message = f"`{field}` has only invisible characters. Enter text, or leave it empty."
        yield NameFinding(field, "blank", message, _TEXTS)


def check_lines(field: str, text: str, most: int, source: str) -> Iterator[NameFinding]:
    """Yield the findings for a text of several lines.

    Source: Unicode Standard Annex 9; RFC 8264 section 9.
    """
    yield from _length(field, text, most, source)
    for line in text[: most + 1].replace("\r\n", "\n").expandtabs(1).split("\n"):
        yield from check_text(field, line, len(line), source)


def _length(field: str, text: str, most: int, source: str) -> Iterator[NameFinding]:
    if len(text) > most:
        message = f"`{field}` has {len(text):,} characters. Shorten it to {most:,}."
        yield NameFinding(field, "too_long", message, source)


# ---- what is withdrawn


def _of_tombstone(record: AssignedNameRecord) -> Iterator[NameFinding]:
    yield from check_text("reason", record.reason, FIELD_LIMITS["reason"], _TOMBSTONES)
    if record.since and not is_date(record.since):
        message = f"{spell_text(record.since)} isn't a date. Enter it as YYYY-MM-DD."
        yield NameFinding("since", "day", message, _DAYS)
    if record.successor:
        yield from _of_successor(record)


def _of_successor(record: AssignedNameRecord) -> Iterator[NameFinding]:
    if _ADDRESS.match(record.successor):
        yield from _of_address("successor", record.successor)
        return
    try:
        is_itself = read_assigned_name(record.successor) == record.name
    except InvalidIdentifier as error:
        message = f"{error.message} Enter an identifier or an address as the successor."
        yield NameFinding("successor", "successor", message, error.source)
        return
    if is_itself:
        message = "An identifier can't be its own successor. Enter another identifier or none."
        yield NameFinding("successor", "successor", message, _TOMBSTONES)


def check_by_namespace(name: str, rules: NamespaceRules | None) -> Finding | None:
    """Why a name, in normal form, is not given in its namespace; None where nothing forbids it.
    ``rules`` are None where there are none, as for ARKs.

    Source: RFC 8141 sections 3.2, 5.1 and 6.4.2.
    """
    if rules is None:
        return None
    judgement = judge_by(name, rules)
    if judgement.possibility is Possibility.IMPOSSIBLE:
        message = f"{spell_text(name)} isn't valid according to the registration of {rules.name}."
        return Finding("not_of_namespace", message, f"registration of {rules.name}")
    own = judgement.own_form
    if own == name:
        return None
    message = f"In {rules.name}, {spell_text(name)} is equivalent to {spell_text(own)}."
    return Finding("equivalent", message, "RFC 8141 section 3.2")


def check_extension(name: str, rules: NamespaceRules | None) -> Finding | None:
    """Why what follows a name is not handed on, whatever its binding says; None where it may be.
    ``rules`` are those of the namespace.

    Source: RFC 8141 sections 3 and 5.1.
    """
    if scheme_of(name).extends_names or (rules and rules.resolution.extends_names):
        return None
    space = rules.name if rules else scheme_of(name).split(name)[0]
    message = (
        f"The registration of {space} doesn't allow suffixes after an identifier. "
        "Bind each identifier separately."
    )
    return Finding("extension", message, "RFC 8141 sections 3 and 5.1")


# names that are filled in have room behind it, up to the longest target
LONGEST_RULE: Final = 1_024

_FILLED_IN = spell_list([f"`${{{one}}}`" for one in TARGET_VARIABLES])
_FAULTS: Final = {
    TargetFault.MISSING: "Enter an address, or leave the field empty.",
    TargetFault.SCHEME: "Enter a full address that starts with `https://` or `http://`.",
    TargetFault.HOST: "The host can't contain a variable. Enter a fixed host.",
    TargetFault.UNREACHED: "The host and port aren't public. Enter a public address.",
    TargetFault.VARIABLE: f"Unknown variable: {{unknown}}. You can use {_FILLED_IN}.",
    TargetFault.CHARACTER: "The address has characters that aren't allowed. Percent-encode them.",
}


class TargetRule:
    """The target of all names under a prefix, with variables as targets of NAANs have them.

    Source: RFC 6570 section 2.
    """

    __slots__ = ("_prefix", "_target")

    def __init__(self, prefix: NamePrefix, rule: str) -> None:
        self._prefix, self._target = prefix, ArkTarget(rule)

    def target_of(self, name: str) -> str:
        content = name.partition(":")[2]
        suffix = name.removeprefix(self._prefix.text)
        return self._target.fill(name, content, suffix, self._prefix.scheme.separator)

    def led(self, record: AssignedNameRecord) -> AssignedNameRecord:
        if record.target or record.state is not AssignedNameState.PUBLIC:
            return record
        return replace(record, target=self.target_of(record.name))


def find_rule_fault(rule: str) -> str:
    """Why a text is no target rule, in a sentence; empty where it is one.

    Source: RFC 3986 sections 2 and 3.2; RFC 6570 section 2; RFC 6890.
    """
    if len(rule) > LONGEST_RULE:
        return f"The rule is too long. Enter at most {LONGEST_RULE:,} characters."
    fault = find_target_fault(rule)
    if fault is None:
        return ""
    unknown = [spell_text(one) for one in unknown_variables(rule)]
    return _FAULTS[fault].replace("{unknown}", spell_list(unknown) if unknown else "")


def find_expansion_fault(target: str) -> str:
    """Source: RFC 3986 sections 2 and 3; RFC 6890."""
    found = next(check_target(target), None)
    return f"The rule produces an address that isn't valid. {found.message}" if found else ""
