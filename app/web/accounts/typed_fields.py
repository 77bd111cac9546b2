"""What somebody had typed when their session ran out, on its way back to them."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}", re.ASCII)
_CHOSEN = {"registry", "to"}  # on its page by its label; its value alone says nothing
_UNSHOWN = _CHOSEN | {"csrf_token", "key", "lock_version", "iteration", "sending", "then"}
_LONGEST = 900_000  # octets; it travels in a form of its own

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TypedFields:
    """The fields of a form, as they were typed."""

    pairs: tuple[Pair, ...] = ()

    @property
    def shown(self) -> tuple[Pair, ...]:
        """What somebody typed or chose."""
        return tuple(pair for pair in self.pairs if pair[0] not in _UNSHOWN)

    @property
    def unshown(self) -> tuple[Pair, ...]:
        """What the page had put beside it."""
        return tuple(pair for pair in self.pairs if pair[0] in _UNSHOWN)

    @property
    def is_written(self) -> bool:
        """Whether somebody typed anything."""
        return any(value.strip() for _, value in self.shown)

    @property
    def text(self) -> str:
        """All of it as one text; empty where there is nothing, or more than can travel."""
        text = json.dumps(self.pairs, ensure_ascii=False)
        return text if self.pairs and len(text.encode()) <= _LONGEST else ""


def keep_fields(pairs: Iterable[Pair]) -> TypedFields:
    """The fields of a form that came in, without the proof of where it came from."""
    return TypedFields(tuple(pair for pair in pairs if _is_fit(*pair) and pair[0] != "csrf_token"))


def read_kept(text: str) -> TypedFields:
    """What ``TypedFields.text`` wrote; nothing for any other text, since it comes from outside."""
    try:
        return keep_fields((str(name), str(value)) for name, value in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return TypedFields()


def _is_fit(name: str, value: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not any("\ud800" <= char <= "\udfff" for char in value)
