"""NAANs that belong to nobody alone: shared for terms and agents, or there to be tried with.

Source: The ARK Identifier Scheme, on special NAANs.
"""

from app.registration.naans.naan_names import fold_naan_name

__all__ = ["is_shared_naan", "shared_naan_in_words"]

_TESTS = (
    "NAAN {} is for tests, and for nothing else: anybody may try with names that begin so, so that "
    "nobody should refer to one. A Name that begins with 9, another NAAN and `_` goes to the "
    "resolver of that NAAN."
)
_SHARED = (
    "NAAN {{}} is shared, for {}: anybody who assigns such names asks for a shoulder of their own "
    "under it, and needs no NAAN."
)
_WORDS = {
    "99999": _TESTS,
    "99152": _SHARED.format("terms of vocabularies"),
    "99166": _SHARED.format("people, groups and institutions as agents"),
}


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
