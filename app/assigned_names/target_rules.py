"""Target rules: where the names of a prefix lead that have no target of their own."""

from dataclasses import replace
from typing import Final

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.name_checks import check_target
from app.assigned_names.name_prefixes import NamePrefix
from app.identifiers.spelling import spell_list, spell_text
from app.registration.naans.naan_targets import (
    TARGET_VARIABLES,
    TargetFault,
    find_target_fault,
    unknown_variables,
)
from app.resolution.arks.ark_targets import ArkTarget

__all__ = ["LONGEST_RULE", "TargetRule", "find_expansion_fault", "find_rule_fault"]

# names that are filled in have room behind it, up to the longest target
LONGEST_RULE: Final = 1_024

_FILLED_IN = spell_list([f"`${{{one}}}`" for one in TARGET_VARIABLES])
_FAULTS: Final = {
    TargetFault.MISSING: "Write an address, or leave it empty.",
    TargetFault.SCHEME: "An address begins with `https://` or `http://`. Write it whole.",
    TargetFault.HOST: "Write a host of its own before what is filled in.",
    TargetFault.UNREACHED: "Not everybody reaches its host and port. Choose another one.",
    TargetFault.VARIABLE: f"{{unknown}} cannot be filled in. What can be is {_FILLED_IN}.",
    TargetFault.CHARACTER: "It has characters that no address has. Percent-encode them.",
}


class TargetRule:
    """The target of all names under a prefix, with variables as targets of NAANs have them.

    Source: RFC 6570 section 2.
    """

    __slots__ = ("_prefix", "_target")

    def __init__(self, prefix: NamePrefix, rule: str) -> None:
        self._prefix, self._target = prefix, ArkTarget(rule)

    def target_of(self, name: str) -> str:
        """Where a name in normal form that is under the prefix leads."""
        content = name.partition(":")[2]
        suffix = name.removeprefix(self._prefix.text)
        return self._target.fill(name, content, suffix, self._prefix.scheme.separator)

    def led(self, record: AssignedNameRecord) -> AssignedNameRecord:
        """A public name with the target of the rule, unless it has one of its own; others as they
        are."""
        if record.target or record.state is not AssignedNameState.PUBLIC:
            return record
        return replace(record, target=self.target_of(record.name))


def find_rule_fault(rule: str) -> str:
    """Why a text is no target rule, in a sentence; empty where it is one.

    Does not ask whether its host is there.

    Source: RFC 3986 sections 2 and 3.2; RFC 6570 section 2; RFC 6890.
    """
    if len(rule) > LONGEST_RULE:
        return f"Write {LONGEST_RULE:,} characters at most."
    fault = find_target_fault(rule)
    if fault is None:
        return ""
    unknown = [spell_text(one) for one in unknown_variables(rule)]
    return _FAULTS[fault].replace("{unknown}", spell_list(unknown) if unknown else "")


def find_expansion_fault(target: str) -> str:
    """Why a rule gives an address that no name may lead to, in a sentence; empty where it may.

    A rule may hold a variable more often than a name leaves room for.

    Source: RFC 3986 sections 2 and 3; RFC 6890.
    """
    found = next(check_target(target), None)
    return f"A name would lead to an address that is refused: {found.message}" if found else ""
