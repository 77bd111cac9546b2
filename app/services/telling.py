"""Putting messages into the outbox, in the transaction of what they tell of."""

import secrets
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from app.messages.notices import NOTICES, RIVALS, TOLD, Audience, Told
from app.registration.text import format_template
from app.services.actors import Actor
from app.services.bases import fate_told
from app.services.parties import acting_for
from app.services.rivals import rivals_of
from app.store import accounts, outbox, panels, requests
from app.store.tables import Account, Request
from app.store.tables.accounts import Grant
from app.workflow.states import Action, State, Turn


@dataclass(frozen=True, slots=True)
class Post:
    """Where mail goes and what its links begin with; the factory takes it from the settings."""

    base_url: str
    list_address: str
    host: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Something that happened to a request, and by whom."""

    request: Request
    action: Action
    actor: Actor
    event: int
    at: datetime
    reason: str
    sent: bool = False  # whether a text was sent with it
    also: tuple[Audience, ...] = ()


def message_id(request: int, host: str) -> str:
    """A new Message-ID for a message about a request."""
    return f"<urn.{request}.{secrets.token_hex(8)}@{host}>"


def list_message_id(request: int, post: Post) -> str:
    """A new Message-ID for a text that is posted; none where no list is set."""
    return message_id(request, post.host) if post.list_address else ""


def tell(news: News, post: Post) -> None:
    """Write one message to everybody whom an action concerns, but none to who took it.

    An address that several of them share gets one; the list's goes before a person's.
    """
    told = TOLD.get(news.action)
    if told is None:
        return
    reached: set[str] = set()
    for audience in (*told.audience, *news.also):
        for address in _addresses(audience, news, post):
            if address.lower() not in reached:
                reached.add(address.lower())
                outbox.add(_message(news, told, audience, address, post))
    _tell_rivals(news, post, reached)


def _tell_rivals(news: News, post: Post, reached: set[str]) -> None:
    """Those who ask for the same name hear of the other request, and of how it was settled."""
    words = RIVALS.get(news.action)
    named = news.request.assigned_name or news.request.asked_name
    for number, own in rivals_of(news.request, named) if words else ():
        rival = requests.find_request(number)
        for account in _people(acting_for(rival)) if rival else ():
            if account.id != news.actor.id and account.email.lower() not in reached:
                reached.add(account.email.lower())
                outbox.add(_rival_message(news, str(words), (number, own), account.email, post))


def _rival_message(
    news: News, words: str, rival: tuple[int, str], address: str, post: Post
) -> outbox.Message:
    number, own = rival
    named = news.request.assigned_name or news.request.asked_name
    what = words.format(other=news.request.number, name=f"urn:{named}:")
    return outbox.Message(
        event=news.event,
        recipient=address,
        template=Audience.RIVALS,
        arguments={
            "number": str(number),
            "name": f"urn:{own}:",
            "what": what,
            "link": f"{post.base_url}/requests/{number}",
        },
        message_id=message_id(number, post.host),
        created=news.at,
    )


def _people(accounts_: Collection[int]) -> list[Account]:
    return [accounts.get_account(ident) for ident in sorted(accounts_)]


def _message(
    news: News, told: Told, audience: Audience, address: str, post: Post
) -> outbox.Message:
    request = news.request
    thread = _thread(news) if audience is Audience.LIST else {}
    path = NOTICES[audience].path.format(number=request.number)
    return outbox.Message(
        event=news.event,
        recipient=address,
        template=audience,
        arguments=_arguments(news, told) | thread | {"link": post.base_url + path},
        message_id=thread.get("message_id") or message_id(request.number, post.host),
        created=news.at,
    )


def _arguments(news: News, told: Told) -> dict[str, str]:
    number, named = news.request.number, news.request.assigned_name or news.request.asked_name
    name = f"urn:{named}:" if named else "an informal number"
    return {
        "number": str(number),
        "name": name,
        "what": told.what.format(number=number, name=name),
        "todo": told.todo,
        "reason": news.reason,
    }


def _thread(news: News) -> dict[str, str]:
    """What is posted of a request stands in one thread, which its first text begins."""
    first = requests.find_iteration(news.request.number, 1)
    newest = requests.find_iteration(news.request.number, news.request.iterations)
    if first is None or newest is None:
        return {}
    if not news.sent:
        return {"in_reply_to": first.message_id, "template": ""}
    before = "" if newest.k == 1 else first.message_id
    template = format_template(newest.fields) + fate_told(newest.fields)
    return {"in_reply_to": before, "template": template, "message_id": newest.message_id}


def _addresses(audience: Audience, news: News, post: Post) -> Iterator[str]:
    if audience is Audience.LIST:
        yield from [post.list_address] if post.list_address else []
        return
    people = {
        Audience.REGISTRANT: _registrant,
        Audience.OPERATORS: _operators,
        Audience.EXPERTS: _experts,
        Audience.LEADERS: _leaders,
        Audience.NEXT: _next,
    }[audience]
    yield from (account.email for account in people(news) if account.id != news.actor.id)


def _registrant(news: News) -> list[Account]:
    return _people(acting_for(news.request))


def _operators(news: News) -> list[Account]:
    return accounts.holders(Grant.OPERATOR, news.at)


def _experts(news: News) -> list[Account]:
    """Those who have it to read, or the whole panel; nobody while it waits for somebody else."""
    if State(news.request.state).turn is not Turn.EXPERTS:
        return []
    have = panels.assigned_to(news.request.number)
    return have or panels.members_of(news.request.registry_id, news.at)


def _next(news: News) -> list[Account]:
    """Those to whom it was given just now."""
    return panels.assigned_to(news.request.number, since=news.at)


def _leaders(news: News) -> list[Account]:
    leaders = panels.leaders_of(news.request.registry_id, news.at)
    return [one for one in panels.assigned_to(news.request.number) if one.id in leaders]
