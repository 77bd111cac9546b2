"""The hash of an entry of the record, as a leaf of a Merkle tree.

A leaf of the first kind covers everything under one salt, so that to show a part of the entry
is to show all of it, with who did it. One of the second kind has two parts. The public one is
what the registry shows of the entry anyway. The private one is covered by a commitment: the
hash of its canonical JSON with the entry's salt, 128 random bits, so that nobody finds it by
trying accounts. Whoever is given the public part and the commitment can compute the leaf, and
learns nothing of the rest.

Public are the number, the moment, the kind, what it is of, the role it was done in, from which
state to which, and the numbers of the text, the review and the edition; with ``WORDS`` also
about which request, name or edition it is, with the reason and the body, as the story of a
request and the history of the registry show them; and the digests of what was written with
it, which have the salt in them.
Private is the actor always: the registry shows people in roles. Of entries without ``WORDS``,
which are about accounts, mail, notes among operators and claims, private is also what they are
about and what they say.

Sources: RFC 9162 section 2.1.1; RFC 8785.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC
from typing import Any

from app.registration.records.record_documents import canonical_json
from app.store.tables import Event
from app.store.tables.requests import EventSubject
from app.workflow.states import Action

WORDS, NO_WORDS = "words", "no words"

# What the first kind covers, so that a column added later changes the hash of no earlier event.
_FIRST = (
    "n",
    "at",
    "kind",
    "about",
    "actor",
    "role",
    "subject",
    "source",
    "target",
    "iteration",
    "review",
    "edition",
    "reason",
    "body",
    "salt",
)
_NUMBERS = ("n", "kind", "subject", "role", "source", "target", "iteration", "review", "edition")
_PUBLIC = ("leaf_kind", "at", *_NUMBERS, "digests")
_SAID = ("about", "reason", "body")

_OF_REQUESTS = frozenset(action.past for action in Action)
_OF_NAMES = frozenset(
    {
        Action.CORRECT.past,
        Action.NOTE_DISPUTE.past,
        Action.NOTE_APPEAL.past,
        Action.SETTLE.past,
        "withheld",
        "released",
    }
)
_OF_REGISTRY = frozenset(
    {
        "begun",
        "imported",
        "templates imported",
        "profiles imported",
        Action.CORRECT.past,
        "edition built",
        "order acknowledged",
    }
)


def kind_for(event: Event) -> str:
    of_request = event.target is not None and event.kind in _OF_REQUESTS
    shown = {
        EventSubject.REQUEST: of_request,
        EventSubject.NAME: event.kind in _OF_NAMES,
        EventSubject.REGISTRY: event.kind in _OF_REGISTRY,
    }
    return WORDS if shown.get(EventSubject(event.subject), False) else NO_WORDS


def seal_event(event: Event) -> None:
    """Give a new entry its commitment and its leaf."""
    event.leaf_kind = kind_for(event)
    event.commitment = commitment_of(event, event.leaf_kind)
    event.leaf = leaf_of(event)


def leaf_of(event: Event) -> str:
    """The leaf of an entry: what the record holds is what was hashed."""
    if event.leaf_kind is None:
        first = canonical_json(_members(event, _FIRST)).encode()
        return hashlib.sha256(b"\0" + first).hexdigest()
    public = _members(event, (*_PUBLIC, *_shown(event.leaf_kind)))
    return _leaf(public | {"commitment": event.commitment})


def commitment_of(event: Event, kind: str) -> str:
    """The commitment to what is not shown of an entry."""
    hidden = () if _shown(kind) else _SAID
    return _sha256(_members(event, ("actor", *hidden, "salt")))


def is_whole(event: Event) -> bool:
    if event.leaf_kind is None:
        return event.leaf == leaf_of(event)
    hidden = commitment_of(event, event.leaf_kind)
    return (event.commitment, event.leaf) == (hidden, leaf_of(event))


def is_whole_without_columns(event: Event, digests: str | None) -> bool:
    """Whether an entry has a leaf of the second kind, of which nothing else is left.

    So it is where a database was brought back to older software and up again. ``digests`` are
    those of the rows as they are now.
    """
    for kind in (WORDS, NO_WORDS):
        public = _members(event, (*_PUBLIC, *_shown(kind)))
        more = {"leaf_kind": kind, "digests": digests, "commitment": commitment_of(event, kind)}
        if event.leaf == _leaf(public | more):
            return True
    return False


def _shown(kind: str) -> tuple[str, ...]:
    return _SAID if kind == WORDS else ()


def _members(event: Event, names: Iterable[str]) -> dict[str, Any]:
    entry = {name: getattr(event, name) for name in names}
    if "at" in entry:
        entry["at"] = event.at.astimezone(UTC).isoformat()
    return entry


def _leaf(entry: dict[str, Any]) -> str:
    return hashlib.sha256(b"\0" + _canonical(entry)).hexdigest()


def _sha256(entry: dict[str, Any]) -> str:
    return hashlib.sha256(_canonical(entry)).hexdigest()


def _canonical(entry: dict[str, Any]) -> bytes:
    return json.dumps(
        entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()
