"""What holders declare of the names that they assign, in words, and nothing that they did not."""

from collections.abc import Iterator, Mapping

from app.registration.naans.policy_wording import PolicyStatement, statement_in_words
from app.resolution.arks.ark_rules import ArkRules
from app.resolution.judgement import Ground

_SOURCE = "The ARK Identifier Scheme, on name assignment policy"

# By the codes of the registry of NAANs.
POLICIES: Mapping[str, str] = {str(one): statement_in_words(one) for one in PolicyStatement}


def declared_policies(rules: ArkRules) -> Iterator[Ground]:
    """What the holder of a NAAN or a shoulder declared of its names; nothing where it did not."""
    for code in rules.policy:
        if code in POLICIES:
            yield Ground(f"policy_{code.lower()}", POLICIES[code], _SOURCE)
    if rules.policy_text:
        yield Ground("policy_text", rules.policy_text, "")
