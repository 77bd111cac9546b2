"""The operator's mail: what waits, what failed and why, and another try."""

from dataclasses import dataclass, replace
from datetime import datetime

from app.problems import use_case_codes
from app.services.accounts.actors import Actor, require_operator
from app.services.refusals import NotFound
from app.services.use_cases import Command, operators_only, use_case
from app.store.accounts import account_rows, delegate_rows, expert_panels
from app.store.mail import outbox_messages, undeliverable_addresses
from app.store.requests import request_queues
from app.store.tables import UndeliverableAddress
from app.store.tables.requests import EventSubject
from app.workflow.states import State

MOST = 50
_OPEN = frozenset(state for state in State if not (state.is_final or state.is_private))
_FOR_OPERATORS = "Only operators can manage e-mail."


@dataclass(frozen=True, slots=True)
class BouncedAddress:
    """An address that mail came back from: when, why, and how many messages wait for it.

    What goes on without its mail: the open ``requests`` of whoever has it, those that wait for
    their ``reviews``, and the ``names`` that they act for.
    """

    id: int
    address: str
    at: datetime
    why: str
    held: int
    who: str = ""
    requests: tuple[int, ...] = ()
    reviews: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MailQueue:
    """How the mail stands: how many wait, the oldest of them, and the newest that failed."""

    count: int
    waiting: tuple[outbox_messages.OutgoingMessage, ...]
    failed: tuple[tuple[outbox_messages.OutgoingMessage, str], ...]
    marked: tuple[BouncedAddress, ...]


def mail(actor: Actor) -> MailQueue:
    """What waits to be sent and what could not be, with the server's words."""
    require_operator(actor, _FOR_OPERATORS)
    marked = (_bounced(row, held) for row, held in undeliverable_addresses.marked(MOST))
    return MailQueue(
        outbox_messages.count_waiting(),
        tuple(outbox_messages.waiting(MOST)),
        tuple(outbox_messages.stuck(MOST)),
        tuple(marked),
    )


def _bounced(row: UndeliverableAddress, held: int) -> BouncedAddress:
    account = account_rows.find_account(row.address)
    plain = BouncedAddress(row.id, row.address, row.at, row.why, held)
    if account is None:
        return plain
    own = request_queues.of_registrant(account.id, MOST)
    return replace(
        plain,
        who=account.name,
        requests=tuple(one.number for one in own if State(one.state) in _OPEN),
        reviews=tuple(expert_panels.requests_of(account.id)),
        names=tuple(delegate_rows.names_of(account.id, MOST)),
    )


@use_case("send mail again", check=operators_only(_FOR_OPERATORS))
def send_again(command: Command, ident: int) -> None:
    """Let a message that was not taken be tried anew at once, whether or not it was given up."""
    if not outbox_messages.send_again(ident):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN,
            "This message doesn’t exist or isn’t waiting for another attempt.",
        )
    _record(command, "mail tried anew", f"message {ident}")


@use_case("clear address", check=operators_only(_FOR_OPERATORS))
def clear(command: Command, ident: int) -> None:
    """Let mail go to an address again that it came back from; what waits for it is sent."""
    if not undeliverable_addresses.clear(ident):
        raise NotFound(
            use_case_codes.ENTRY_UNKNOWN, "This address doesn’t exist or has no returned e-mail."
        )
    _record(command, "address cleared", f"address {ident}")


def _record(command: Command, kind: str, about: str) -> None:
    command.append_event(kind, about=about, subject=EventSubject.REGISTRY, role="operator")
