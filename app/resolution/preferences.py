"""What whoever follows a name likes best, among services that declare type and language."""

from collections.abc import Callable
from dataclasses import dataclass

Weigher = Callable[[str], int]


def _alike(_declared: str) -> int:
    return 1000


@dataclass(frozen=True, slots=True)
class Preferences:
    """How welcome a media type and a language are, in thousandths; the empty one is of a service
    that declares none."""

    media_type: Weigher = _alike
    language: Weigher = _alike


NO_PREFERENCES = Preferences()
