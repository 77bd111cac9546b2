"""Answers about a NAAN or a shoulder taken together: held against each other, and completed."""

import json
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from app.identifiers.errors import Finding
from app.registration.naans.asked_answers import check_test_ark_beside, with_naan
from app.registration.naans.naan_names import NaanNameReport
from app.registration.naans.naan_numbering import draw_naan
from app.registration.naans.naan_records import UNDECLARED, UNSAID_PURPOSE
from app.registration.naans.policy_wording import policy_statements, statement_in_words
from app.registration.naans.shoulder_rules import check_shoulder_texts

__all__ = [
    "FIELD_OF",
    "ON_FILE",
    "advise_on_promises",
    "check_beside_naan",
    "check_beside_shoulder",
    "completed_answers",
    "draw_free_naan",
    "kept_answers",
]

ON_FILE = "on_file"
# Facts of a record by the fields that hold them.
FIELD_OF = {
    "holder": "organization",
    "native_name": "native_name",
    "acronym": "acronym",
    "kind": "organization_kind",
    "where": "web_address",
    "when": "on_file_since",
    "target": "target",
    "status": "target_status",
    "policy": "policy",
    "policy_address": "policy_address",
    "tenure": "tenure",
    "purpose": "naan_purpose",
    "service_provider": "service_provider",
    "test_ark": "test_ark",
}


def check_beside_naan(texts: Mapping[str, str]) -> dict[str, NaanNameReport]:
    """What is found in answers about a NAAN, one beside others."""
    return {"test_ark": check_test_ark_beside(texts)}


def check_beside_shoulder(texts: Mapping[str, str]) -> dict[str, NaanNameReport]:
    """What is found in answers about a shoulder, one beside others."""
    return {**check_beside_naan(texts), **check_shoulder_texts(texts)}


def advise_on_promises(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Finding]:
    """What to look at where a holder takes back what it promised of names that are given already.

    Source: the codes of ``na_policy`` in the schema PublicNAAN of the ARK Alliance.
    """
    kept = policy_statements(now.get("policy", ""))
    for one in policy_statements(before.get("policy", "")):
        if one not in kept:
            what = f"“{statement_in_words(one)}”"
            told = f"This withdraws a promise, also for identifiers already assigned: {what}"
            yield Finding("promise-withdrawn", told, "The ARK Identifier Scheme, on persistence")


def draw_free_naan(chance: Random, known: Iterable[str], prefix: str) -> str:
    """A NAAN that nobody has, and under which there is no shoulder either."""
    return draw_naan(chance, (name.partition("/")[0] for name in known), prefix=prefix)


def completed_answers(texts: Mapping[str, str], day: str) -> dict[str, str]:
    """What stands on file with it: since when, its number in what was written before there was
    one, and that what was not said is not known.
    """
    naan, is_shoulder, _ = texts["naan_name"].partition("/")
    return {
        "on_file_since": f"{day}T00:00:00+00:00",
        "policy": texts.get("policy") or UNDECLARED,
        "naan_purpose": texts.get("naan_purpose") or ("" if is_shoulder else UNSAID_PURPOSE),
        "test_ark": with_naan(texts.get("test_ark", ""), naan),
    }


def kept_answers(texts: Mapping[str, str], stands: Mapping[str, str]) -> dict[str, str]:
    """What a file said that no field holds, without the facts that a text now says otherwise.

    A file may say that a fact is empty where it is usually absent, which a later answer ends.
    """
    on_file = stands.get(ON_FILE, "")
    told = json.loads(on_file or "{}")
    fields = ((fact, FIELD_OF.get(fact, "")) for fact in told)
    kept = {fact: told[fact] for fact, name in fields if texts.get(name) == stands.get(name)}
    if kept == told:
        return {ON_FILE: on_file} if on_file else {}
    return {ON_FILE: json.dumps(kept, sort_keys=True) if kept else ""}
