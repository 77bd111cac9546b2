"""Names by their specifications alone: URNs, NIDs, ARKs and Noids.

A library of its own: it needs Python's standard library and nothing else, asks no registry, reads
no clock and opens no file. ``parse_`` raises, ``check_`` lists problems, ``find_`` gives None where
nothing is found, and every refusal is an ``InvalidIdentifier`` or a ``ValueError`` that keeps the
text it was given.
"""

from app.identifiers.ark import ARK, ArkProfile, ark_equivalent, find_embedded_ark, parse_ark
from app.identifiers.ark_checks import ArkReport, CheckCharacterScope, check_ark, find_check_scope
from app.identifiers.equivalence import (
    Equivalence,
    EquivalenceOperation,
    EquivalenceRule,
    EquivalentSpellings,
    InvalidEquivalence,
    NssSegments,
    check_equivalence,
    equivalence_from,
    equivalence_to,
    find_equivalent_spellings,
)
from app.identifiers.errors import (
    Finding,
    InvalidARK,
    InvalidIdentifier,
    InvalidURN,
    NidKind,
    NidReport,
)
from app.identifiers.nid import NidIndex, check_nid, fold_nid, suggest_nids
from app.identifiers.noid import InvalidMask, Mask, check_character, has_valid_check
from app.identifiers.urn import URN, UrnOccurrence, find_urns, parse_urn, urn_equivalent

__all__ = [
    "ARK",
    "URN",
    "ArkProfile",
    "ArkReport",
    "CheckCharacterScope",
    "Equivalence",
    "EquivalenceOperation",
    "EquivalenceRule",
    "EquivalentSpellings",
    "Finding",
    "InvalidARK",
    "InvalidEquivalence",
    "InvalidIdentifier",
    "InvalidMask",
    "InvalidURN",
    "Mask",
    "NidIndex",
    "NidKind",
    "NidReport",
    "NssSegments",
    "UrnOccurrence",
    "ark_equivalent",
    "check_ark",
    "check_character",
    "check_equivalence",
    "check_nid",
    "equivalence_from",
    "equivalence_to",
    "find_check_scope",
    "find_embedded_ark",
    "find_equivalent_spellings",
    "find_urns",
    "fold_nid",
    "has_valid_check",
    "parse_ark",
    "parse_urn",
    "suggest_nids",
    "urn_equivalent",
]
