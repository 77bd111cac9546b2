"""A name or a request for which somebody acts: finding it, who may, and what happens to it."""

import secrets
from datetime import datetime
from typing import Any

from app.problems import use_case_codes
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.registration.records.registry_records import Purpose
from app.services.accounts.actors import Actor
from app.services.refusals import (
    EditConflict,
    NameUnregistered,
    NotAllowed,
    NotFound,
)
from app.services.use_cases import Command
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.event_log import event_rows
from app.store.requests import request_rows
from app.store.tables import Claim, Request
from app.workflow.states import State

MOST_NAMES = 100


def delegate_scope(
    name: str = "",
    request: int = 0,
    *,
    locked: bool = False,
    space: IdentifierSpace | None = None,
) -> DelegateScope:
    """A name of a space, or a request, which knows its own. Raises NotFound where there is none.

    Those who act for a revision, or for a request that a name was given to, act for the name.
    """
    if request:
        row = request_rows.find_request(request, locked=locked)
        if row is None:
            raise NotFound(use_case_codes.REQUEST_UNKNOWN, f"Request {request} not found.")
        return _held_by(row, locked=locked)
    if space is None:
        raise TypeError("a name needs its space")
    held = delegate_rows.find_name(space, space.fold(name), locked=locked)
    if held is None:
        raise NameUnregistered(name, space)
    return held


def _held_by(row: Request, *, locked: bool) -> DelegateScope:
    space = REGISTRIES[row.registry_id].space
    if row.purpose == Purpose.REVISION or State(row.state).is_registered:
        return delegate_scope(row.assigned_name or row.asked_name, locked=locked, space=space)
    return DelegateScope(row.asked_name, request=row.number, space=space)


def keep(claim: Claim) -> DelegateScope:
    """Keep a claim and what it is about from others until the commit; gives the latter.

    What it is about comes first for everybody, so that no two wait for each other. Those who
    act for a request act for its name in the end.
    """
    held = delegate_rows.scope_of_claim(claim)
    kept = delegate_scope(held.name, held.request or 0, locked=True, space=held.space)
    delegate_rows.lock_claim(claim)
    return kept


def scope_title(held: DelegateScope) -> str:
    """What something is called in a sentence."""
    return held.space.whole(held.name) if held.name else f"request {held.request}"


def acts_for(actor: Actor | None, held: DelegateScope) -> bool:
    """Whether somebody acts for its registrant now."""
    return actor is not None and actor.id in delegate_rows.accounts_of(held)


def names_of(actor: Actor, space: IdentifierSpace) -> list[str]:
    """Return the names in use of a space that the actor manages."""
    return delegate_rows.names_of(actor.id, MOST_NAMES, space.id, in_use=True)


def stranger_refusal(held: DelegateScope) -> Exception:
    if held.request is not None:
        return NotFound(use_case_codes.REQUEST_UNKNOWN, f"You don't have a request {held.request}.")
    return NotAllowed(
        use_case_codes.REGISTRANT_ONLY,
        f"You don't manage `{held.name}`. Ask a manager to invite you, or claim it on "
        f"{held.space.page_below(held.name, 'claim')}.",
    )


def required(actor: Actor, held: DelegateScope) -> None:
    """Refuse whoever does not act for the registrant."""
    if not acts_for(actor, held):
        raise stranger_refusal(held)


def is_about(claim: Claim, held: DelegateScope) -> bool:
    """Whether a claim is about this name or request."""
    return held.columns == {"name_id": claim.name_id, "request": claim.request}


def refuse_changed(command: Command, held: DelegateScope) -> None:
    """Raise EditConflict where something happened that the actor did not see."""
    if command.seen is not None and command.seen != delegate_rows.last_event(held):
        raise EditConflict(
            use_case_codes.EDIT_CONFLICT,
            "This page changed after you opened it. Check it, then try again.",
        )


def record(
    command: Command,
    held: DelegateScope,
    kind: str,
    *,
    role: str = "registrant",
    reason: str = "",
    body: str = "",
    **told: int,
) -> int:
    """Keep what happened, for ever: it names nobody but the account."""
    what = {"about": held.about, "subject": held.subject, **told}
    return command.append_event(kind, **what, role=role, reason=reason, body=body)


def note(held: DelegateScope, kind: str, at: datetime, **said: Any) -> int:
    """Keep what happened where nobody is signed in, such as an answer to a mailed link."""
    event = event_rows.NewEvent(at=at, kind=kind, about=held.about, subject=held.subject, **said)
    return event_rows.append(event, secrets.token_hex(16))
