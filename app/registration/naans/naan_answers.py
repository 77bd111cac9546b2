"""Answers about a NAAN or a shoulder taken together: held against each other, and completed."""

from collections.abc import Iterable, Mapping
from random import Random

from app.registration.naans.asked_answers import NAAN_TO_COME, check_test_ark_beside
from app.registration.naans.naan_names import NaanNameReport
from app.registration.naans.naan_numbering import draw_naan
from app.registration.naans.naan_records import UNDECLARED, UNSAID_PURPOSE
from app.registration.naans.shoulder_rules import check_shoulder_texts

__all__ = ["check_beside_naan", "check_beside_shoulder", "completed_answers", "draw_free_naan"]


def check_beside_naan(texts: Mapping[str, str]) -> dict[str, NaanNameReport]:
    """What is found in answers about a NAAN, one beside others."""
    return {"test_ark": check_test_ark_beside(texts)}


def check_beside_shoulder(texts: Mapping[str, str]) -> dict[str, NaanNameReport]:
    """What is found in answers about a shoulder, one beside others."""
    return {**check_beside_naan(texts), **check_shoulder_texts(texts)}


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
        "test_ark": texts.get("test_ark", "").replace(NAAN_TO_COME, naan),
    }
