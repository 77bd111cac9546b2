"""What is known of an assigned name: its state, where it leads, what it is said to be."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeGuard

from app.labelled_enum import LabelledEnum

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


HIGHEST_CHANGE: Final = 10**18 - 1  # 18 digits, which are asked for in an address


@dataclass(frozen=True, slots=True)
class AssignedNameChange:
    """One change: its ``number``, from 1 and greater than that of each before it, and what is told
    of the name from then on."""

    number: int
    record: AssignedNameRecord


def is_change_number(value: object) -> TypeGuard[int]:
    """Source: Rule of this registry: changes of names are numbered from 1."""
    return type(value) is int and 0 < value <= HIGHEST_CHANGE


def name_change_from(document: Mapping[str, Any]) -> AssignedNameChange:
    """The change that a document of the feed is: its number, and the name as it is told. Raises
    ValueError or KeyError for others."""
    number = document["change"]
    if not is_change_number(number):
        raise ValueError("Changes are numbered from 1.")
    return AssignedNameChange(number, assigned_name_from(document))


_LEADS, _AT_TARGET, _BEHIND = "Target", "Redirect", "Suffix"
_WAYS = frozenset({_AT_TARGET, _BEHIND})
_NAME_TEXTS = (
    (_LEADS, "target"),
    ("Persistence", "persistence"),
    ("Reason", "reason"),
    ("Withdrawn on", "since"),
    ("Successor", "successor"),
)


class NameDifference(NamedTuple):
    """What is said of one thing from a version on, and what was before; empty where nothing."""

    label: str
    after: str
    before: str


def name_differences(
    before: AssignedNameRecord | None, after: AssignedNameRecord
) -> tuple[NameDifference, ...]:
    """What a version of a name says otherwise than the one before, or says first."""
    was, now = _told(before) if before else {}, _told(after)
    untold = frozenset() if _LEADS in now else _WAYS
    labels = (label for label in dict.fromkeys((*now, *was)) if label not in untold)
    changed = ((label, now.get(label, []), was.get(label, [])) for label in labels)
    return tuple(
        NameDifference(label, "; ".join(texts), "; ".join(former))
        for label, texts, former in changed
        if texts != former
    )


def shorten_difference(difference: NameDifference, longest: int) -> NameDifference:
    """What differs, in texts of about so many characters, among them the first that differ."""
    texts = (difference.after, difference.before)
    if max(map(len, texts)) <= longest:
        return difference
    alike = common_length(*texts)
    begin = max(0, alike - longest // 2)
    after, before = (_part(text, begin, longest) for text in texts)
    return NameDifference(difference.label, after, before)


def common_length(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    for at, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            return at
    return min(len(one), len(other))


def _part(text: str, begin: int, longest: int) -> str:
    end = begin + longest
    return f"{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}"


def _told(record: AssignedNameRecord) -> Mapping[str, list[str]]:
    told: defaultdict[str, list[str]] = defaultdict(list)
    for label, text in _facts(record):
        if text:
            told[label].append(text)
    return told


def _facts(record: AssignedNameRecord) -> Iterator[tuple[str, str]]:
    yield "State", record.state.label
    is_gone = record.state is AssignedNameState.WITHDRAWN
    for label, member in _NAME_TEXTS:
        yield label, "" if is_gone and member == "target" else getattr(record, member)
    if record.target and not is_gone:
        yield _AT_TARGET, REDIRECT_WORDS[record.redirect]
        yield _BEHIND, "forwarded to the target" if record.extends_anywhere else ""
    yield from record.elements


ELEMENTS: Final = "elements"
FIELDS: Final = (
    *("state", "target", "redirect", "extends_anywhere"),
    *("persistence", "reason", "since", "successor"),
)
_STEPS = {
    AssignedNameState.RESERVED: frozenset(AssignedNameState),
    AssignedNameState.PUBLIC: frozenset({AssignedNameState.PUBLIC, AssignedNameState.WITHDRAWN}),
    AssignedNameState.WITHDRAWN: frozenset({AssignedNameState.WITHDRAWN}),
}

_NO_TOMBSTONE = ("", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRevision:
    """What is told of a name: the ``record``, and which of it is told.

    ``given`` are fields of the record, and for elements their labels: what was not told stays as it
    is. With ``elements`` among them, the record tells all of these.
    """

    record: AssignedNameRecord
    given: frozenset[str] = field(default=frozenset())

    @property
    def name(self) -> str:
        return self.record.name


class RefusedRevision(ValueError):
    """A name that cannot become what is told of it; says why, and ``field`` where."""

    def __init__(self, field_: str, message: str) -> None:
        super().__init__(message)
        self.field, self.message = field_, message


def apply_revision(before: AssignedNameRecord | None, revision: NameRevision) -> AssignedNameRecord:
    """What is known of a name after a revision; ``before`` is None for a name that is new.

    Raises RefusedRevision: a withdrawn name stays withdrawn by its first tombstone and its target
    stays, a public one is not reserved again, and who withdraws one says why.
    """
    after = merged(before, revision.record, revision.given)
    if before is not None and _is_given_up(before, after):
        nothing = AssignedNameRecord(name=before.name, state=before.state)
        after = merged(nothing, revision.record, revision.given)
    if before is not None and after.state not in _STEPS[before.state]:
        raise RefusedRevision(
            "state", f"A {before.state} identifier can't become {after.state} again."
        )
    if after.state is AssignedNameState.WITHDRAWN:
        if not after.reason.strip():
            raise RefusedRevision("reason", "Enter the reason for the withdrawal.")
        if before is not None and before.state is AssignedNameState.WITHDRAWN:
            _keep_tombstone(before, after)
        return after
    if _tombstone(after) != _NO_TOMBSTONE:
        raise RefusedRevision(
            "reason", "Only withdrawn identifiers have a reason, a date and a successor."
        )
    return after


def _tombstone(record: AssignedNameRecord) -> tuple[str, str, str]:
    return record.reason, record.since, record.successor


def _keep_tombstone(before: AssignedNameRecord, after: AssignedNameRecord) -> None:
    if _tombstone(after) != _tombstone(before):
        since = f" on {before.since}" if before.since else ""
        raise RefusedRevision(
            "reason", f"The identifier was already withdrawn{since}. Its reason, date and "
            "successor can't change.",
        )  # fmt: skip
    if after.target != before.target:
        raise RefusedRevision("target", "The identifier is withdrawn. Its target can't change.")


def _is_given_up(before: AssignedNameRecord, after: AssignedNameRecord) -> bool:
    return (before.state, after.state) == (AssignedNameState.RESERVED, AssignedNameState.WITHDRAWN)


def merged(
    before: AssignedNameRecord | None, told: AssignedNameRecord, given: frozenset[str]
) -> AssignedNameRecord:
    """The record that is told of a name where one was before: what is not told stays as it was."""
    if before is None:
        return told
    facts: dict[str, Any] = {
        name: getattr(told if name in given else before, name) for name in FIELDS
    }
    elements = told.elements
    if ELEMENTS not in given:
        elements = tuple(_merged(before.elements, told.elements, given))
    return AssignedNameRecord(name=told.name, elements=elements, **facts)


def _merged(
    before: Iterable[tuple[str, str]], told: Iterable[tuple[str, str]], given: frozenset[str]
) -> Iterator[tuple[str, str]]:
    waiting = {label: value for label, value in told if value}
    for label, value in before:
        if label not in given:
            yield label, value
        elif label in waiting:
            yield label, waiting.pop(label)
    yield from waiting.items()


def withdrawal(name: str, reason: str, since: str, successor: str = "") -> NameRevision:
    """What is told of a name that leads nowhere from a day on."""
    record = AssignedNameRecord(
        name=name,
        state=AssignedNameState.WITHDRAWN,
        reason=reason.strip(),
        since=since,
        successor=successor.strip(),
    )
    return NameRevision(record=record, given=frozenset({"state", "reason", "since", "successor"}))


def withdrawals(
    records: Iterable[AssignedNameRecord], reason: str, since: str, successor: str = ""
) -> Iterator[NameRevision]:
    """What is told of names that lead nowhere from a day on; those withdrawn before stay so."""
    for record in records:
        if record.state is not AssignedNameState.WITHDRAWN:
            yield withdrawal(record.name, reason, since, successor)


def retarget_names(
    records: Iterable[AssignedNameRecord], begins: str, instead: str
) -> Iterator[NameRevision]:
    """What is told of names whose targets begin so, where they are to begin otherwise."""
    for record in records:
        is_gone = record.state is AssignedNameState.WITHDRAWN
        if not is_gone and record.target.startswith(begins):
            target = instead + record.target.removeprefix(begins)
            told = AssignedNameRecord(name=record.name, target=target)
            yield NameRevision(record=told, given=frozenset({"target"}))
