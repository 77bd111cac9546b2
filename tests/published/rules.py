"""Bundles with rules of names: those that are shipped, and those that a test makes up."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from app import bundled
from app.exports.content.file_names import RULES_PATH
from app.identifiers.equivalence import read_equivalence
from app.registration.profiles.profile_documents import profile_from
from app.registration.records.registry_records import Registration
from app.resolution.namespace_rules import NamespaceRules, rule_lines
from app.resolution.record_rules import rules_of
from tests.published.bundles import Bundle, Contents, contents, pack

JSON_LINES = "application/jsonl"


def shipped() -> Mapping[str, Any]:
    """The profiles that are shipped, by folded names."""
    profiles: Mapping[str, Any] = json.loads(bundled.profiles())
    return profiles


def shipped_rules() -> list[NamespaceRules]:
    """The rules of the namespaces whose profiles are shipped."""
    return [
        rules_of(
            Registration(
                name=name,
                profile=profile_from(given["profile"]),
                equivalence=read_equivalence(given.get("equivalence", {"rules": []})),
            ),
            "informal" if name.startswith("urn-") else "formal",
        )
        for name, given in shipped().items()
    ]


def bundle_of(
    rules: Iterable[NamespaceRules], files: Contents | None = None, **members: Any
) -> Bundle:
    """An edition with these rules, and files beside them."""
    lines = rule_lines((one.name.lower(), one) for one in rules)
    listed = {**(contents(1) if files is None else files), RULES_PATH: (JSON_LINES, lines)}
    return pack(listed, **members)
