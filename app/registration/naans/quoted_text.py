"""Texts of strangers within a sentence: quoted, with what nobody sees in them named."""

from app.identifiers.errors import spell_character

__all__ = ["quote"]

_LONGEST = 200


def quote(text: str) -> str:
    """A text in backticks, its letters as they are, the end of a long one cut.

    Controls, marks of direction, halves of surrogate pairs and backticks are named instead, so that
    the sentence stays one line that reads as it is written.
    """
    cut = text[:_LONGEST]
    if not cut.isprintable() or "`" in cut:
        cut = "".join(map(_seen, cut))
    return f"`{cut}...`" if len(text) > _LONGEST else f"`{cut}`"


def _seen(character: str) -> str:
    is_seen = character.isprintable() and character != "`"
    return character if is_seen else f"({spell_character(character)})"
