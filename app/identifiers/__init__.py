"""Names by their specifications alone: URNs, NIDs, ARKs and Noids."""

from .ark import ARK, ArkProfile, ark_equivalent, find_embedded_ark, parse_ark
from .ark_checks import ArkReport, CheckCharacterScope, check_ark, find_check_scope
from .equivalence import (
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
from .errors import InvalidARK, InvalidIdentifier, InvalidURN
from .findings import Finding, NidKind, NidReport
from .nid import check_nid, suggest_nids
from .nid_index import NidIndex, fold_nid
from .noid import InvalidMask, Mask, check_character, has_valid_check
from .urn import URN, parse_urn, urn_equivalent
from .urn_finder import UrnOccurrence, find_urns

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
