"""Prefixes and identifiers as their owners and delegates see them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from app.assigned_names.assigned_name_records import (
    AssignedNameRecord,
    AssignedNameState,
)
from app.assigned_names.name_numbering import InvalidNumbering, is_order_secret, numbering_of
from app.assigned_names.name_prefixes import PrefixRole
from app.assigned_names.name_schemes import has_names_below
from app.bundles.resolution_counts import ResolutionCountFolder, WaitingCount
from app.problems import assigned_name_codes
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.services.accounts.actors import Actor
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.minting import PREFIX_ENDED, prefix_subject
from app.services.assigned_names.name_changes import prefix_of_name, record_of
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import InvalidInput, NotFound
from app.store.accounts import delegate_rows
from app.store.assigned_names import assigned_name_rows, prefix_rows, resolution_count_rows
from app.store.assigned_names.assigned_name_rows import StoredAssignedName
from app.store.database import read_transaction, transaction
from app.store.event_log import event_rows
from app.store.tables import Prefix
from app.store.tables.requests import EventSubject

_SHOWN_OF_MASK = 3
_MOST_REGISTERED = 100  # of one space, in a list


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPrefix:
    """A prefix in a list: what it is, how many names it has, and what the asker may do."""

    ident: int
    text: str
    label: str
    holder_name: str
    role: PrefixRole
    counts: Mapping[AssignedNameState, int]
    ends: datetime | None

    @property
    def total(self) -> int:
        """The number of identifiers assigned under it."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class ListedPrefix:
    """A prefix in the list of all, with who holds it."""

    held: HeldPrefix
    holders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrefixPage:
    """Some prefixes in their order; ``after`` is where the next page begins, empty at the end."""

    prefixes: tuple[ListedPrefix, ...]
    after: str


@dataclass(frozen=True, slots=True)
class PrefixPerson:
    """Somebody who gives names under a prefix."""

    account: int
    shown: str
    role: PrefixRole
    starts: datetime
    ends: datetime | None


@dataclass(frozen=True, slots=True)
class DelegatedPrefix:
    """A prefix within another one, as everybody is told of it: whoever holds it decides on it."""

    text: str
    holder_name: str
    ends: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPrefixDetail:
    """A prefix with its rules and its people.

    ``gives``: the asker gives its names; ``changes``: changes those that it has. ``closed`` says
    why nobody gives new ones, empty where some do; ``ended_for`` is the reason that was told where
    it has ended.
    """

    held: HeldPrefix
    gives: bool
    changes: bool
    closed: str
    ended_for: str
    numbering: str
    pattern: str
    policy: str
    persistence: str
    target_rule: str
    version: int
    next_number: int
    people: tuple[PrefixPerson, ...]
    within: tuple[DelegatedPrefix, ...]
    following: tuple[str, ...]  # the names that are minted next, unless somebody brings them in
    is_predictable: bool  # an outsider can work out ``following``

    @property
    def rules(self) -> PrefixRules:
        """What its holder says of it."""
        return PrefixRules(
            label=self.held.label,
            holder_name=self.held.holder_name,
            numbering=self.numbering,
            pattern=self.pattern,
            policy=self.policy,
            persistence=self.persistence,
            target_rule=self.target_rule,
        )


@dataclass(frozen=True, slots=True)
class KnownAssignedName:
    """A name with what is known of it, by which of its versions, and the row of its prefix."""

    record: AssignedNameRecord
    version: int
    prefix: int


@dataclass(frozen=True, slots=True)
class NamePage:
    """Some names in their order; ``after`` is where the next page begins, empty at the end."""

    names: tuple[KnownAssignedName, ...]
    after: str


def prefixes_of(actor: Actor, at: datetime) -> tuple[HeldPrefix, ...]:
    """The prefixes under which somebody gives names."""
    with read_transaction():
        found = prefix_rows.given_by(actor.id, at)
        counts = assigned_name_rows.counts_of([prefix.id for prefix, _ in found])
        return tuple(_held(prefix, role, counts) for prefix, role in found)


def all_prefixes(at: datetime, after: str = "", most: int = 50) -> PrefixPage:
    """All prefixes that anybody has, some at a time after one, for whoever runs the registry."""
    with read_transaction():
        rows = prefix_rows.page_of_all(after, most + 1)
        idents = [prefix.id for prefix in rows[:most]]
        counts = assigned_name_rows.counts_of(idents)
        holders = prefix_rows.holders_by_prefix(idents, at)
        return PrefixPage(
            tuple(
                ListedPrefix(
                    _held(prefix, PrefixRole.HOLDER, counts),
                    tuple(one.name or one.email for one in holders.get(prefix.id, ())),
                )
                for prefix in rows[:most]
            ),
            rows[most - 1].text if len(rows) > most else "",
        )


def registered_names_of(actor: Actor) -> tuple[tuple[IdentifierSpace, str], ...]:
    """What somebody acts for under which names are given: its space and what it is called."""
    spaces = dict.fromkeys(
        one.space for one in REGISTRIES.values() if has_names_below(one.space.id)
    )
    with read_transaction():
        return tuple(
            (space, name)
            for space in spaces
            for name in delegate_rows.names_of(actor.id, _MOST_REGISTERED, space.id)
        )


def prefix_detail(ident: int, actor: Actor, at: datetime) -> HeldPrefixDetail:
    """A prefix for somebody who gives names under it, or runs the registry.

    Raises NotFound, also where it is not theirs to see.
    """
    with read_transaction():
        prefix = visible_prefix(ident, actor, at)
        role = prefix_rows.role_at(prefix.id, actor.id, at)
        people = prefix_rows.people_of(prefix.id, at)
        closed = prefix_rights.closure_reason(prefix)
        return HeldPrefixDetail(
            held=_held(
                prefix, role or PrefixRole.HOLDER, assigned_name_rows.counts_of([prefix.id])
            ),
            gives=role is not None and not closed,
            changes=prefix_rights.find_changing_role(prefix, actor, at) is not None,
            closed=closed,
            ended_for=_reason_of_end(prefix),
            numbering=prefix.numbering,
            pattern=prefix.pattern,
            policy=prefix.policy,
            persistence=prefix.persistence,
            target_rule=prefix.target_rule,
            version=prefix.version,
            next_number=prefix.next_number,
            people=tuple(
                PrefixPerson(
                    one.id, one.name or one.email, PrefixRole(as_.role), as_.starts, as_.ends
                )
                for one, as_ in people
            ),
            within=tuple(
                DelegatedPrefix(one.text, one.holder_name, one.ends)
                for one in prefix_rows.within(prefix.text)
            ),
            following=_first_names(
                prefix.text, prefix.numbering, prefix.next_number, prefix.order_seed
            ),
            is_predictable=bool(prefix.numbering)
            and not is_order_secret(prefix.numbering, prefix.order_seed),
        )


def _reason_of_end(prefix: Prefix) -> str:
    if not prefix_rights.has_ended(prefix):
        return ""
    ended = event_rows.last_of(EventSubject.REGISTRY, prefix_subject(prefix), PREFIX_ENDED)
    return ended.reason if ended is not None else ""


def previewed_names(
    prefix: str, mask: str, pattern: str = "", *, asker: int = 0
) -> tuple[str, ...]:
    """Return examples of the names that a mask gives under a prefix that doesn't exist yet.

    Their order is the public one, since the prefix gets its secret order when it is added.

    Raises what adding it would, but for the rights of ``asker``, an account: InvalidInput, and
    Refusal where it overlaps another one.
    """
    with read_transaction():
        asked = prefix_rights.read(prefix)
        prefix_rights.place_of(asked, asker)
    followed = prefix_rights.checked_pattern(pattern)  # last, since it takes the longest
    with read_transaction():
        if mask.strip():
            prefix_rights.checked_numbering(asked, mask, followed)
    return _first_names(prefix, mask, 0)


def sample_names(prefix: str, mask: str) -> tuple[str, ...]:
    """Return examples of a mask's identifiers, or () if the prefix or the mask isn't valid."""
    try:
        return _first_names(prefix, mask, 0)
    except (InvalidNumbering, InvalidInput):
        return ()


def _first_names(prefix: str, mask: str, begin: int, order_seed: str = "") -> tuple[str, ...]:
    if not mask.strip():
        return ()
    numbering = numbering_of(prefix_rights.read(prefix), mask.strip(), order_seed)
    names = (numbering.nth(number) for number in range(begin, begin + _SHOWN_OF_MASK))
    return tuple(name for name in names if name is not None)


def gives_names(actor: Actor, at: datetime) -> bool:
    """Whether somebody gives names under a prefix."""
    with read_transaction():
        return prefix_rows.gives_any(actor.id, at)


def names_under(
    ident: int,
    actor: Actor,
    at: datetime,
    *,
    after: str = "",
    most: int = 50,
    state: AssignedNameState | None = None,
    part: str = "",
) -> NamePage:
    """Names under a prefix in their order, those in which a text stands. Raises NotFound."""
    with read_transaction():
        prefix = visible_prefix(ident, actor, at)
        rows = assigned_name_rows.page_of(prefix.id, after, most + 1, state, part.strip())
        return _page(rows, most)


def recent_names(
    ident: int, actor: Actor, at: datetime, most: int
) -> tuple[KnownAssignedName, ...]:
    """Return the identifiers assigned or changed last under a prefix. Raises NotFound."""
    with read_transaction():
        rows = assigned_name_rows.recent_of(visible_prefix(ident, actor, at).id, most)
        return _page(rows, most).names


def names_of_all(
    actor: Actor,
    at: datetime,
    *,
    after: str = "",
    most: int = 50,
    state: AssignedNameState | None = None,
    part: str = "",
) -> NamePage:
    """Names under all prefixes under which somebody gives some, one prefix after the other; those
    in which a text stands."""
    with read_transaction():
        own = visible_prefixes(actor, at, None)
        last = assigned_name_rows.known([after]).get(after)
        if last is not None and last.prefix in own:
            own = own[own.index(last.prefix) :]
        rows: list[StoredAssignedName] = []
        for ident in own:
            begin = after if last is not None and last.prefix == ident else ""
            left = most + 1 - len(rows)
            rows += assigned_name_rows.page_of(ident, begin, left, state, part.strip())
            if len(rows) > most:
                break
        return _page(rows, most)


def _page(rows: Sequence[StoredAssignedName], most: int) -> NamePage:
    names = tuple(KnownAssignedName(record_of(row), row.n, row.prefix) for row in rows[:most])
    return NamePage(names, names[-1].record.name if len(rows) > most else "")


def visible_prefixes(actor: Actor, at: datetime, ident: int | None) -> list[int]:
    """One prefix that somebody may see, or all under which they give names. Raises NotFound."""
    if ident is not None:
        return [visible_prefix(ident, actor, at).id]
    return [prefix.id for prefix, _ in prefix_rows.given_by(actor.id, at)]


def first_holder_of(name: str, at: datetime) -> int:
    """The account of the first holder of the prefix that a name is under. Raises NotFound."""
    with read_transaction():
        return _first_holder(prefix_of_name(name), at)


def first_holder_of_prefix(text: str, at: datetime) -> tuple[int, int]:
    """The number of a prefix, and the account of its first holder. Raises NotFound."""
    with read_transaction():
        asked = prefix_rights.read(text).text
        prefix = prefix_rows.find(asked)
        if prefix is None:
            told = (
                f"The prefix {asked} doesn't exist. Add it with `urn-registry names prefix add "
                f"{asked} --holder EMAIL`."
            )
            raise NotFound(assigned_name_codes.PREFIX_UNKNOWN, told, "prefix")
        return prefix.id, _first_holder(prefix, at)


def _first_holder(prefix: Prefix, at: datetime) -> int:
    held = prefix_rows.people_of(prefix.id, at)
    return next(one.id for one, as_ in held if as_.role == PrefixRole.HOLDER)


def visible_prefix(ident: int, actor: Actor, at: datetime) -> Prefix:
    """A prefix that somebody gives names under, or the operator looks at. Raises NotFound."""
    return prefix_rights.require_visible(prefix_rows.of_id(ident), actor, at)


def nearest_visible(ident: int, actor: Actor, at: datetime) -> int | None:
    """A prefix, or the innermost around it, that is somebody's to see; None where none is."""
    with read_transaction():
        prefix = prefix_rows.of_id(ident)
        around = prefix_rows.enclosing(prefix.text) if prefix is not None else []
        seen = (one.id for one in around if prefix_rights.is_visible(one, actor, at))
        return next(seen, None)


def _held(
    prefix: Prefix, role: PrefixRole, counts: Mapping[tuple[int, AssignedNameState], int]
) -> HeldPrefix:
    return HeldPrefix(
        ident=prefix.id,
        text=prefix.text,
        label=prefix.label,
        holder_name=prefix.holder_name,
        role=role,
        counts={state: counts.get((prefix.id, state), 0) for state in AssignedNameState},
        ends=prefix.ends,
    )


_DAYS = 30


def gather(folder: ResolutionCountFolder, host: str) -> int:
    """Add what the processes of this host counted to the figures of prefixes; gives how much."""
    total = 0

    def add(rows: list[WaitingCount]) -> None:
        nonlocal total
        with transaction():
            known = assigned_name_rows.known({name for _, name, _ in rows})
            texts = prefix_rows.texts_of({one.prefix for one in known.values()})
            counts: Counter[tuple[str, date]] = Counter()
            for day, name, count in rows:
                if name in known and count > 0:
                    counts[texts[known[name].prefix], day] += count
            resolution_count_rows.add(counts, host)
        total += counts.total()

    folder.take(add)
    return total


def recent_resolutions(ident: int, actor: Actor, at: datetime) -> int:
    """Count the resolutions under a prefix in the last 30 days. Raises NotFound."""
    with read_transaction():
        (seen,) = visible_prefixes(actor, at, ident)
        text = prefix_rows.texts_of({seen})[seen]
        return resolution_count_rows.total_since(text, at.date() - timedelta(days=_DAYS - 1))
