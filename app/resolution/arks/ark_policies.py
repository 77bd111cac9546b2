"""What holders declare of the names that they assign, in words, and nothing that they did not."""

import re
from collections.abc import Iterator, Mapping

from app.resolution.arks.ark_rules import ArkRules
from app.resolution.judgement import Ground

_SOURCE = "The ARK Identifier Scheme, on name assignment policy"

# By the codes of the registry of NAANs.
POLICIES: Mapping[str, str] = {
    "NR": "Once a name is public it is never given to anything else.",
    "OP": "Names are opaque: they say nothing that people would recognize of what they name.",
    "CC": "Names carry a check character, by which most mistypings show.",
}
_CODE = re.compile(r"[A-Z]{2}")


def policy_codes(text: str) -> tuple[str, ...]:
    """The codes in a text such as ``NR, OP, CC``, in the order in which they are told.

    None are in ``(:unkn) unknown``: nothing is declared there.
    """
    found = _CODE.findall(text)
    return tuple(code for code in POLICIES if code in found)


def declared_policies(rules: ArkRules) -> Iterator[Ground]:
    """What the holder of a NAAN or a shoulder declared of its names; nothing where it did not."""
    for code in rules.policy:
        if code in POLICIES:
            yield Ground(f"policy_{code.lower()}", POLICIES[code], _SOURCE)
    if rules.policy_text:
        yield Ground("policy_text", rules.policy_text, "")
