"""Replay the event log and compare the result with the tables.

Checks that each entry is unchanged, that none is missing, and that texts, reviews, comments, states
of requests, roles and counters match the entries.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.registration.declarations.registries import REGISTRIES, Numbering
from app.registration.records.record_documents import canonical_json
from app.services.editions.edition_build import BUILT
from app.services.operations.recovery import RECOVERED
from app.store import counters
from app.store.editions.edition_digests import digests_until
from app.store.event_log import event_rows, logged_rows
from app.store.event_log.logged_rows import StoredGrant, StoredRequest
from app.store.event_log.merkle_leaves import is_whole, is_whole_without_columns
from app.store.event_log.row_digests import comment_in, digests_of, rows_told
from app.store.tables import Event
from app.store.tables.requests import EventSubject
from app.workflow.reviews import COUNTED_ANEW
from app.workflow.states import Action, State

_REGISTERED = Action.REGISTER.past
_COUNTED_ANEW = frozenset(action.past for action in COUNTED_ANEW)
# The first version wrote `urn:example: from edition 1 on` instead of JSON.
_FIRST_WORDS = re.compile(r"urn:([^:\s]+): from edition \d+ on")
_GRANTED, _REVOKED = "granted ", "revoked "


@dataclass(slots=True)
class _ReplayedRequest:
    state: str = State.DRAFT
    entry: int = 0
    counted_from: int = 0
    edition: int | None = None
    name: str | None = None
    texts: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Replay:
    """The result of the entries read so far.

    ``older`` counts entries by older software, which stored no digests.
    """

    last: int = 0
    older: int = 0
    requests: dict[int, _ReplayedRequest] = field(
        default_factory=lambda: defaultdict(_ReplayedRequest)
    )
    reviews: set[int] = field(default_factory=set)
    comments: set[int] = field(default_factory=set)
    granted: set[tuple[int, str, str]] = field(default_factory=set)
    revoked: set[tuple[int, str, str]] = field(default_factory=set)

    def read(self, batch: list[Event]) -> Iterator[str]:
        """Replay these entries and yield their problems, one sentence each."""
        rows = rows_told(batch)
        for event in batch:
            if event.n != self.last + 1:
                missing = f"Entry {self.last + 1} of the event log is missing"
                yield f"{missing}: {self.last} is followed by {event.n}."
            self.last = event.n
            called = (
                f"Entry {event.n} of the event log ({event.kind}, {event.subject} {event.about})"
            )
            now = digests_of(rows.get(event.n, {}), event.salt)
            if not _is_whole(event, now):
                yield f"{called} was changed: its hash differs."
            yield from _changed_rows(event, now, called)
            self.older += event.leaf_kind is None
            self._take(event)

    def _take(self, event: Event) -> None:
        if event.review:
            self.reviews.add(event.review)
        if not event.about.isdecimal():
            return
        if event.subject == EventSubject.REQUEST:
            self._move(event, self.requests[int(event.about)])
        elif event.subject == EventSubject.ACCOUNT:
            self._grant(event)

    def _move(self, event: Event, stand: _ReplayedRequest) -> None:
        if (comment := comment_in(event)) is not None:
            self.comments.add(comment)
        if event.iteration:
            stand.texts.add(event.iteration)
        if event.target is None:
            return
        stand.state, stand.entry = event.target, event.n
        if event.kind in _COUNTED_ANEW:
            stand.counted_from = event.n
        if event.kind == _REGISTERED:
            stand.edition, stand.name = event.edition, _name_given(event.body)

    def _grant(self, event: Event) -> None:
        for begin, kept in ((_GRANTED, self.granted), (_REVOKED, self.revoked)):
            if event.kind.startswith(begin):
                role = event.kind.removeprefix(begin)
                kept.add((int(event.about), role, event.at.isoformat()))


def _name_given(body: str) -> str:
    first = _FIRST_WORDS.fullmatch(body)
    return first[1] if first else str(members_of(body).get("name", ""))


def _is_whole(event: Event, now: Mapping[str, str]) -> bool:
    if is_whole(event):
        return True
    if event.leaf_kind is not None:
        return False
    built = event.kind in {BUILT, RECOVERED} and event.about.isdecimal()
    of_edition = digests_until(int(event.about)).get(int(event.about), {}) if built else {}
    digests = {**now, **of_edition}
    return is_whole_without_columns(event, canonical_json(digests) if digests else None)


def members_of(text: str | None) -> dict[str, Any]:
    """Return the JSON object in a text of an entry, or an empty one."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _changed_rows(event: Event, now: Mapping[str, str], called: str) -> Iterator[str]:
    kept = members_of(event.digests)
    if event.leaf_kind is None or event.subject == EventSubject.REGISTRY:
        return
    for what in sorted(kept):
        if what not in now:
            yield f"{called}: its {what} is missing."
        elif now[what] != kept[what]:
            yield f"{called}: its {what} was changed."


def replay_differences(replay: Replay) -> Iterator[str]:
    """Yield the differences between the tables and the entries, one sentence each."""
    seen = set[int]()
    for now in logged_rows.requests_now():
        seen.add(now.number)
        yield from _of_request(now, replay.requests.get(now.number, _ReplayedRequest()))
    for number, stand in sorted(replay.requests.items()):
        if stand.entry and number not in seen:
            yield f"Request {number} of entry {stand.entry} of the event log is missing."
    yield from _unnamed("Review", logged_rows.reviews(), replay.reviews)
    yield from _unnamed("Comment", logged_rows.comments(), replay.comments)
    yield from _roles(replay)
    yield from _counters(replay, max(seen, default=0))
    yield from _registrations(replay)


def _of_request(now: StoredRequest, stand: _ReplayedRequest) -> Iterator[str]:
    called = f"Request {now.number}"
    source = f"entry {stand.entry} of the event log" if stand.entry else "the event log"
    if now.state != stand.state:
        yield f"{called} is in the state `{now.state}`. According to {source}: `{stand.state}`."
    if now.counted_from != stand.counted_from:
        yield f"{called}: its reviews are counted from the wrong entry."
    fold = REGISTRIES[now.registry].fold
    given, stand.name = (now.edition, fold(now.assigned_name or "")), fold(stand.name or "")
    if given != (stand.edition, stand.name):
        yield f"{called} has the name `{given[1]}`, which differs from the event log."
    if set(range(1, now.iterations + 1)) != stand.texts or now.kept != now.iterations:
        yield (
            f"{called} has {now.iterations} texts according to its row, {now.kept} stored texts, "
            f"and {len(stand.texts)} in the event log."
        )


def _unnamed(what: str, there: Iterable[int], told: set[int]) -> Iterator[str]:
    for ident in there:
        if ident not in told:
            yield f"{what} {ident} has no entry in the event log."


def _roles(replay: Replay) -> Iterator[str]:
    held, ends = set[tuple[int, str, str]](), defaultdict[tuple[int, str], set[str]](set)
    for grant in logged_rows.grants():
        called = f"Account {grant.account} has the role {grant.role} from {grant.starts}"
        held.add((grant.account, grant.role, grant.starts))
        if (grant.account, grant.role, grant.starts) not in replay.granted:
            yield f"{called} without an entry in the event log."
        until = ends[grant.account, grant.role]
        if grant.ends not in {None, grant.starts, *_ends_told(replay, grant)}:
            yield f"{called} until {grant.ends}. No entry of the event log ended it."
        if grant.ends is not None:
            until.add(grant.ends)
    for account, role, at in sorted(replay.revoked):
        # after a clock was set back, it can have ended earlier
        if not any(end <= at for end in ends[account, role]):
            yield f"Account {account} still has the role {role}, which was revoked at {at}."
    for account, role, at in sorted(replay.granted - held):
        yield f"Account {account} lacks the role {role}, which was granted at {at}."


def _ends_told(replay: Replay, grant: StoredGrant) -> Iterator[str]:
    return (at for who, role, at in replay.revoked if (who, role) == (grant.account, grant.role))


def _counters(replay: Replay, request: int) -> Iterator[str]:
    wanted = {"event": replay.last, "edition": logged_rows.last_edition()}
    for registry in REGISTRIES.values():
        if isinstance(registry.numbering, Numbering):
            highest = logged_rows.highest_number(registry.id, registry.numbering)
            wanted[registry.numbering.counter] = highest
    for name, last in sorted(wanted.items()):
        if counters.current(name) != last:
            stands = counters.current(name)
            yield f"The counter `{name}` is {stands}. The last assigned number is {last}."
    if counters.current("request") < request:
        stands = counters.current("request")
        yield f"The counter `request` is {stands}, but request {request} exists."


def _registrations(replay: Replay) -> Iterator[str]:
    told = {(s.edition, s.name or "") for s in replay.requests.values() if s.edition}
    kept = logged_rows.registrations()
    for edition, name in sorted(kept - told):
        yield f"`{name}` in edition {edition} has no entry in the event log."
    for edition, name in sorted((edition or 0, name) for edition, name in told - kept):
        yield f"`{name}` was registered in edition {edition}, but its record is missing."


def replay_events() -> Iterator[tuple[Replay, list[str]]]:
    """Replay the event log. Yield the progress and the problems of each batch."""
    replay = Replay()
    for batch in event_rows.batches():
        yield replay, list(replay.read(batch))
    yield replay, []
