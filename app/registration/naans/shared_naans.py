"""NAANs that belong to nobody alone: shared for terms and agents, or there to be tried with.

Source: The ARK Identifier Scheme, on special NAANs.
"""

from app.identifiers.ark_checks import TEST_NAAN
from app.registration.naans.naan_names import fold_naan_name

__all__ = [
    "AGENTS_NAAN",
    "EXAMPLES_NAAN",
    "RESERVED_NAANS",
    "TERMS_NAAN",
    "is_shared_naan",
    "shared_naan_in_words",
]

EXAMPLES_NAAN, TERMS_NAAN, AGENTS_NAAN = "12345", "99152", "99166"

_TESTS = (
    "NAAN {} is for tests only. Anyone can use it, so don't rely on its ARKs. Names that "
    "begin with 9, another NAAN and `_` resolve at that NAAN's resolver."
)
_SHARED = (
    "NAAN {{}} is shared, for {}. To use it, request a shoulder under it; you don't need your "
    "own NAAN."
)
_WORDS = {
    TEST_NAAN: _TESTS,
    TERMS_NAAN: _SHARED.format("terms of vocabularies"),
    AGENTS_NAAN: _SHARED.format("people, groups and institutions as agents"),
}
# Nobody's alone, whether or not a record tells of them, so that none of them is ever drawn.
RESERVED_NAANS = frozenset({EXAMPLES_NAAN, *_WORDS})


def is_shared_naan(name: str) -> bool:
    """Whether anybody may ask for a shoulder under a NAAN, or under that of a shoulder.

    Source: The ARK Identifier Scheme, on shared NAANs.
    """
    return fold_naan_name(name).partition("/")[0] in _WORDS


def shared_naan_in_words(name: str) -> str:
    """What a NAAN, or the one of a shoulder, is shared for; empty where it is as all others.

    The NAAN of examples, 12345, resolves as any other and is not told here.
    """
    naan = fold_naan_name(name).partition("/")[0]
    return _WORDS.get(naan, "").format(naan)
