"""Putting messages into the outbox, in the transaction of what they tell of."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from app.messages.notices import TOLD, Audience
from app.registration.text import format_template
from app.store import accounts, outbox, requests
from app.store.tables import Request
from app.store.tables.accounts import Grant
from app.workflow.states import Action


@dataclass(frozen=True, slots=True)
class Post:
    """Where mail goes and what its links begin with; the factory takes it from the settings."""

    base_url: str
    list_address: str
    host: str


def message_id(request: int, host: str) -> str:
    """A new Message-ID for a message about a request."""
    return f"<urn.{request}.{secrets.token_hex(8)}@{host}>"


def tell(
    request: Request, action: Action, actor: int, event: int, at: datetime, reason: str, post: Post
) -> None:
    """Write one message to everybody whom an action concerns, but not to who took it."""
    told = TOLD.get(action)
    if told is None:
        return
    name = f"urn:{request.assigned_name or request.asked_name}:" if _named(request) else "a number"
    arguments = {
        "number": str(request.number),
        "name": name,
        "what": told.what.format(number=request.number, name=name),
        "todo": told.todo,
        "reason": reason,
        "link": f"{post.base_url}/requests/{request.number}",
    }
    seen: set[str] = set()
    for audience in told.audience:
        for recipient in _recipients(audience, request, at, post):
            if recipient in seen or _is(recipient, actor):
                continue
            seen.add(recipient)
            extra = {"template": _template(request)} if audience is Audience.LIST else {}
            outbox.add(
                outbox.Message(
                    event=event,
                    recipient=recipient,
                    template=audience,
                    arguments=arguments | extra,
                    message_id=message_id(request.number, post.host),
                    created=at,
                )
            )


def _named(request: Request) -> bool:
    return bool(request.assigned_name or request.asked_name)


def _is(recipient: str, actor: int) -> bool:
    return accounts.get_account(actor).email == recipient


def _template(request: Request) -> str:
    sent = requests.iterations_of(request.number)
    return format_template(sent[-1].fields) if sent else ""


def _recipients(audience: Audience, request: Request, at: datetime, post: Post) -> list[str]:
    if audience is Audience.LIST:
        return [post.list_address] if post.list_address else []
    if audience is Audience.REGISTRANT:
        return [accounts.get_account(request.registrant).email]
    if audience is Audience.OPERATORS:
        return [account.email for account in accounts.holders(Grant.OPERATOR, at)]
    experts = accounts.holders(Grant.EXPERT, at) + accounts.holders(Grant.LEADER, at)
    return [account.email for account in experts if account.id != request.registrant]
