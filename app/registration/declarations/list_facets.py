"""What the list of a registry shows of its names, and by what it counts them, declared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

__all__ = ["FieldColumn", "ListFacet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldColumn:
    """A column that is filled from the fields of a record: what stands above it, and its text.

    ``id`` is what an address calls it where a list is sorted by it.
    """

    id: str
    label: str
    text: Callable[[Mapping[str, str]], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFacet:
    """What names are counted by beside their table, their status and their year.

    ``id`` is what an address calls it. ``values`` gives those of a record by its fields, each of
    them without a space; ``word`` is a value as people read it. Where there are more than ``most``,
    those that most names have are offered.
    """

    id: str
    label: str
    values: Callable[[Mapping[str, str]], tuple[str, ...]]
    word: Callable[[str], str]
    most: int = 20
