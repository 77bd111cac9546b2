"""What is known of an assigned name: its state, where it leads, what it is said to be."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.labelled_enum import LabelledEnum

__all__ = [
    "KERNEL",
    "REDIRECT_STATUSES",
    "REDIRECT_WORDS",
    "AssignedNameRecord",
    "AssignedNameState",
    "assigned_name_from",
    "assigned_name_to",
]

REDIRECT_STATUSES: Final = (302, 303, 307)  # never one that lasts
# The meaning of each.
REDIRECT_WORDS: Final[Mapping[int, str]] = {
    302: "The object itself (302)",
    303: "A description of the object (303)",
    307: "The object itself; form data is forwarded (307)",
}
KERNEL: Final = ("who", "what", "when", "where")  # of an ERC, in its order


class AssignedNameState(LabelledEnum):
    """Where a name stands. It is never free again."""

    RESERVED = "reserved", "Reserved"  # nobody else gets it; it is not told yet
    PUBLIC = "public", "Public"
    WITHDRAWN = "withdrawn", "Withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignedNameRecord:
    """One version of what is known of a name.

    ``name`` is its normal form, with its scheme. ``target`` is an http or https address, or empty;
    ``redirect`` the status that leads there. ``extends_anywhere``: whatever follows the name is
    passed through, and not only what follows a sign that its scheme has for it. ``elements`` are
    labels and values of an electronic resource citation (ERC), in their order. ``persistence`` is
    what the holder promises of it, empty where nothing is promised. Of a withdrawn name ``reason``,
    ``since`` (a day) and ``successor`` are its tombstone.
    """

    name: str
    state: AssignedNameState = AssignedNameState.PUBLIC
    target: str = ""
    redirect: int = 302
    extends_anywhere: bool = False
    elements: tuple[tuple[str, str], ...] = ()
    persistence: str = ""
    reason: str = ""
    since: str = ""
    successor: str = ""

    def element(self, label: str) -> str:
        return next((value for one, value in self.elements if one == label), "")

    def values_of(self, label: str) -> tuple[str, ...]:
        return tuple(value for one, value in self.elements if one == label)

    def has_text(self, part: str) -> bool:
        told = (self.name, *(value for _, value in self.elements), *_told_texts(self))
        return any(part.lower() in one.lower() for one in told)

    @property
    def told(self) -> "AssignedNameRecord":
        if self.state is not AssignedNameState.RESERVED:
            return self
        return AssignedNameRecord(name=self.name, state=self.state)


_TEXTS = ("target", "persistence", "reason", "since", "successor")


def _told_texts(record: AssignedNameRecord) -> Iterator[str]:
    return (getattr(record, name) for name in _TEXTS)


def assigned_name_to(record: AssignedNameRecord) -> dict[str, Any]:
    """A version as a document, which leaves out what has its default."""
    members = {
        "name": record.name,
        "state": record.state.value,
        **{name: getattr(record, name) for name in _TEXTS},
        "redirect": 0 if record.redirect == REDIRECT_STATUSES[0] else record.redirect,
        "extends_anywhere": record.extends_anywhere,
        "elements": [list(pair) for pair in record.elements],
    }
    return {name: value for name, value in members.items() if value}


def assigned_name_from(document: Mapping[str, Any]) -> AssignedNameRecord:
    """The version whose ``assigned_name_to`` this is. Raises ValueError or KeyError for others."""
    texts = {name: document.get(name, "") for name in ("name", *_TEXTS)}
    redirect = document.get("redirect", REDIRECT_STATUSES[0])
    anywhere = document.get("extends_anywhere", False)
    elements = document.get("elements", [])
    pairs = type(elements) is list and all(
        type(pair) is list and [type(part) for part in pair] == [str, str] for pair in elements
    )
    is_redirect = type(redirect) is int and redirect in REDIRECT_STATUSES
    is_read = all(type(text) is str for text in texts.values()) and type(anywhere) is bool and pairs
    if not is_read or not texts["name"] or not is_redirect:
        raise ValueError("Not a version of an assigned identifier.")
    return AssignedNameRecord(
        state=AssignedNameState(document["state"]),
        redirect=redirect,
        extends_anywhere=anywhere,
        elements=tuple((label, value) for label, value in elements),
        **texts,
    )
