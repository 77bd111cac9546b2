"""Target rules: the default target of identifiers under a prefix."""

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
    return f"The rule makes an address that isn't valid. {found.message}" if found else ""
