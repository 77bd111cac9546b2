"""What lies under a beginning of names: prefixes that are given there, and the names themselves."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

from app.assigned_names.assigned_name_records import (
    KERNEL,
    REDIRECT_STATUSES,
    AssignedNameRecord,
    AssignedNameState,
    assigned_name_to,
    common_length,
)
from app.assigned_names.name_checks import NameFinding, check_lines, check_text
from app.assigned_names.name_schemes import LONGEST_NAME
from app.registration.declarations.dates import is_date
from app.resolution.ark_documents import erc_record
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import ground_to, shorten_text
from app.resolution.service_choice import join_query

LONGEST_LINE: Final = 200  # everybody is told it, in one list of all prefixes
LONGEST_TEXT: Final = 1_000
_RULE = "Rule of this registry: the description of a prefix is short"
_TEXTS, _DAY = ("holder", "policy", "persistence"), "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixStatement:
    """Who holds a prefix, in words of its holder, how names under it are given, and what is
    promised of them; empty where nothing is said.

    ``ended`` is the day since which it gets no new names, empty where it gets some.
    """

    prefix: str
    holder: str = ""
    policy: str = ""
    persistence: str = ""
    ended: str = ""


def check_statement(said: PrefixStatement) -> Iterator[NameFinding]:
    """What is found in what is said of a prefix: a text that is too long, or one that is not seen
    as it is.

    Source: Rule of this registry: what is said of a prefix is short.
    """
    yield from check_text("holder", said.holder, LONGEST_LINE, _RULE)
    yield from check_lines("policy", said.policy, LONGEST_TEXT, _RULE)
    yield from check_lines("persistence", said.persistence, LONGEST_TEXT, _RULE)


def prefix_statement_to(said: PrefixStatement) -> dict[str, str]:
    return {name: text for name in (*_TEXTS, _DAY) if (text := getattr(said, name))}


def prefix_statement_from(prefix: str, document: Mapping[str, object]) -> PrefixStatement:
    """The statement whose ``prefix_statement_to`` this is; what is no text of it is left out, and
    what is no day of its end."""
    told = {name: str(value) for name, value in document.items() if isinstance(value, str)}
    ended = told.get(_DAY, "")
    texts = {name: told.get(name, "") for name in _TEXTS}
    return PrefixStatement(prefix=prefix, **texts, ended=ended if is_date(ended) else "")


_PRINTED = "".join(map(chr, range(0x21, 0x7F)))
# What can be sent as the place to go on to; a copy of names may come from anywhere.
_is_address = re.compile(f"[Hh][Tt][Tt][Pp][Ss]?://[{re.escape(_PRINTED)}]+").fullmatch

# The greatest name, code point by code point, that does not come after a text, and what gives what
# is known of it; None where there is none. An index of names finds it at once.
NameFloor = Callable[[str], tuple[str, Callable[[], AssignedNameRecord]] | None]


@dataclass(frozen=True, slots=True)
class BoundOutcome:
    """What came of an asked name: what is known of the bound name that answers it.

    ``suffix`` is what the asked name has behind that, empty where it is that. ``query`` is what the
    asker wants handed on; None where that is nothing. Where somebody asks what is known, ``said``
    is what is told of its prefix and of all names there, and ``prefix`` is that, where there is
    more under it than this name.
    """

    record: AssignedNameRecord
    suffix: str = ""
    query: str | None = None
    said: PrefixStatement | None = None
    prefix: str = ""

    @property
    def asked(self) -> str:
        return self.record.name + self.suffix

    @property
    def target(self) -> str:
        """Source: Suffix passthrough, as the Name-to-Thing resolver does it; RFC 3986
        section 3.2."""
        target = self.record.target
        if self.record.state is not AssignedNameState.PUBLIC or not target:
            return ""
        if not target.isascii():
            target = quote(target, safe=_PRINTED)
        if not _is_address(target):
            return ""
        if self.suffix:
            target = _extended(target, self.suffix)
        return target if self.query is None else join_query(target, self.query)


def resolve_bound(
    name: str,
    query: str | None,
    floor: NameFloor,
    signs: Collection[str] = (),
    *,
    shortest: int = 1,
    may_extend: Callable[[], bool] = lambda: True,
) -> BoundOutcome | None:
    """The longest bound name by which an asked name is answered; None where there is none.

    ``name`` is in normal form. It is answered by a name that equals it; that it extends by one of
    ``signs`` and what follows, as ARKs have ``/`` and ``.``; or that it extends in any way, where
    the binding declares that and ``may_extend`` says that it may. Names of fewer characters than
    ``shortest`` are not looked for.

    Source: The ARK URI scheme section 3.2; RFC 8141 section 3, by which URNs have no such signs,
    and section 5.1, by which what a name stands for is what its namespace declares.
    """
    text = name[:LONGEST_NAME]
    while len(text) >= shortest:
        nearest = floor(text)
        if nearest is None:
            return None
        found, read = nearest
        if not text.startswith(found):
            text = text[: common_length(text, found)]
            continue
        record, suffix = read(), name[len(found) :]
        if not suffix or suffix[0] in signs or (record.extends_anywhere and may_extend()):
            return BoundOutcome(record, suffix, query) if len(found) >= shortest else None
        text = found[:-1]
    return None


def _extended(target: str, suffix: str) -> str:
    address, mark, fragment = target.partition("#")
    parts = urlsplit(address)
    between = "" if parts.path or parts.query or suffix[0] == "/" else "/"
    return f"{address}{between}{suffix}{mark}{fragment}"


_UNKNOWN = "(:unav) not provided by its owner"
_TITLE = 80  # characters of a name that stand in a sentence
_KEPT = "Rule of this registry: an identifier is assigned only once."
_EXTENDS = "Suffix passthrough: the longest assigned identifier resolves"


def bound_headline(outcome: BoundOutcome) -> str:
    """Return the page title for an assigned identifier."""
    name = shorten_text(outcome.asked, _TITLE)
    match outcome.record.state:
        case AssignedNameState.WITHDRAWN:
            return f"{name} is withdrawn"
        case AssignedNameState.RESERVED:
            return f"{name} is reserved"
        case _:
            return f"About {name}"


def bound_grounds(outcome: BoundOutcome) -> Iterator[Ground]:
    """Yield the messages about an assigned identifier, each with its rule."""
    record = outcome.record
    if outcome.suffix:
        message = f"This identifier extends `{shorten_text(record.name, _TITLE)}`, described here."
        yield Ground("extends", message, _EXTENDS)
    if record.state is AssignedNameState.WITHDRAWN:
        yield _tombstone(record)
    elif record.state is AssignedNameState.RESERVED:
        message = (
            "This identifier is reserved for future use and has no target yet. "
            "Try again later, or ask the owner."
        )
        yield Ground("reserved", message, _KEPT)


def _tombstone(record: AssignedNameRecord) -> Ground:
    on = f" on {record.since}" if record.since else ""
    reason = f" Reason: {record.reason}" if record.reason else ""
    stop = "" if not reason or reason[-1] in ".!?" else "."
    instead = f" Use `{record.successor}` instead." if record.successor else ""
    message = f"The owner withdrew this identifier{on}.{reason}{stop}{instead}"
    return Ground("withdrawn", message, _KEPT)


def bound_name_to(record: AssignedNameRecord) -> dict[str, Any]:
    """Return the public members of an assigned identifier."""
    told = record.told
    if told.state is AssignedNameState.WITHDRAWN:
        told = replace(told, target="", redirect=REDIRECT_STATUSES[0])
    return assigned_name_to(told)


def describe_bound(outcome: BoundOutcome) -> dict[str, Any]:
    """Return the outcome of a lookup without empty members and without the NAAN holder."""
    state = outcome.record.state
    members = {
        "outcome": "described" if state is AssignedNameState.PUBLIC else str(state.value),
        "normal_form": outcome.asked,
        "passed_through": outcome.suffix,
        "target": outcome.target,
        "grounds": [ground_to(one) for one in bound_grounds(outcome)],
        "bound": bound_name_to(outcome.record),
        "prefix": _prefix_to(outcome),
    }
    return {name: value for name, value in members.items() if value}


def _prefix_to(outcome: BoundOutcome) -> dict[str, str]:
    said = outcome.said
    return {"prefix": said.prefix, **prefix_statement_to(said)} if said else {}


def write_bound_erc(outcome: BoundOutcome) -> list[str]:
    """Return the records of an Electronic Resource Citation in ANVL. Missing kernel elements get
    the value ``(:unav)``, and messages precede the record as comments.

    Source: The ARK Identifier Scheme, on the ERC; A Name-Value Language (ANVL).
    """
    record = outcome.record.told
    told = {label: " ; ".join(record.values_of(label)) or _UNKNOWN for label in KERNEL}
    where = (outcome.asked, outcome.target, *record.values_of("where"))
    told["where"] = " ; ".join(dict.fromkeys(filter(None, where)))
    others = [pair for pair in record.elements if pair[0] not in KERNEL]
    stands = [(name, getattr(record, name)) for name in ("reason", "since", "successor")]
    if record.state is not AssignedNameState.PUBLIC:
        stands.insert(0, ("state", record.state.value))
    comments = [f"# {ground.message}\n" for ground in bound_grounds(outcome)]
    records = ["".join(comments) + erc_record("erc", [*told.items(), *others, *stands])]
    if record.persistence:
        support = [("what", record.persistence), ("where", record.name)]
        records.append(erc_record("erc-support", support))
    if said := outcome.said:
        texts = (said.holder, said.persistence, said.policy, said.prefix)
        support = list(zip(("who", "what", "how", "where"), texts, strict=True))
        records.append(_closing_comment(said) + erc_record("erc-support", support))
    return records


def _closing_comment(said: PrefixStatement) -> str:
    closed = f"# {said.prefix} was closed on {said.ended}. Existing identifiers remain valid.\n"
    return closed if said.ended else ""


class PublicPrefix(NamedTuple):
    """A prefix as everybody sees it: by which mask its names are minted, empty for none, and what
    is said of it."""

    prefix: str
    mask: str
    said: PrefixStatement


class ListedRegistration(NamedTuple):
    """What is registered that names begin with.

    ``kind`` is ``naan``, ``shoulder`` or ``namespace``, ``words`` what people call it, ``holder``
    who has it or what it is, ``path`` its page, empty where it has none; ``members`` are the same
    as a document.
    """

    kind: str
    words: str
    holder: str
    path: str
    members: dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameListing:
    """A part of what lies under a beginning of names, in the order of its texts.

    ``itself`` is the name that the beginning is, where it was given. ``enclosing`` are the prefixes
    that it lies within, the shortest first; the last of them may be the beginning itself.
    ``prefix_count`` counts all prefixes within it. Where there are more of them, or of names,
    ``next_prefixes`` and ``next_names`` are where the list goes on.
    """

    beginning: str
    itself: AssignedNameRecord | None = None
    enclosing: tuple[PublicPrefix, ...] = ()
    prefixes: tuple[PublicPrefix, ...] = ()
    prefix_count: int = 0
    names: tuple[AssignedNameRecord, ...] = ()
    next_prefixes: str = ""
    next_names: str = ""

    @property
    def has_any(self) -> bool:
        return bool(self.names or self.prefix_count or self.enclosing or self.itself)

    @property
    def innermost(self) -> PublicPrefix | None:
        return self.enclosing[-1] if self.enclosing else None


def describe_listing(listing: NameListing) -> dict[str, Any]:
    """A list as a document: what everybody may know of each, and of a reserved name that it is."""
    innermost = listing.innermost
    more = {"next_prefixes": listing.next_prefixes, "next": listing.next_names}
    return {
        "under": listing.beginning,
        **({"name": bound_name_to(listing.itself)} if listing.itself else {}),
        **({"prefix": _name_prefix_to(innermost)} if innermost else {}),
        "prefix_count": listing.prefix_count,
        "prefixes": [_name_prefix_to(one) for one in listing.prefixes],
        "names": [bound_name_to(one) for one in listing.names],
        **{name: path for name, path in more.items() if path},
    }


def _name_prefix_to(one: PublicPrefix) -> dict[str, str]:
    mask = {"mask": one.mask} if one.mask else {}
    return {"prefix": one.prefix, **mask, **prefix_statement_to(one.said)}
