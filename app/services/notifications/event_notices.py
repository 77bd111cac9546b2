"""Putting messages into the outbox, in the transaction of what they tell of."""

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.messages.notices import NoticeKind
from app.pages.mail.letters import rivals_happened, rivals_words
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import Purpose
from app.registration.submissions.text_points import find_point_field
from app.services.accounts.actors import Actor, accounts_acting_above, accounts_acting_for
from app.services.notifications.person_names import channel_phrase, speaker_of
from app.services.notifications.request_notices import (
    RequestNotice,
    arguments_of,
    chain_to,
    lone_name_sentence,
    texts_of,
)
from app.services.policy import MailSettings
from app.services.registry.base_version import requests_competing_with, text_of
from app.store.accounts import account_rows, expert_panels
from app.store.mail import correspondence, outbox_messages
from app.store.mail.correspondence import NewComment
from app.store.requests import iteration_rows, request_rows, review_rows
from app.store.tables import Account, Request
from app.store.tables.accounts import Grant
from app.workflow.action_rows import Audience
from app.workflow.separation_of_duties import fold_mailbox
from app.workflow.states import Action, State, Turn

AddressFinder = Callable[[RequestNotice, MailSettings], list[str]]


def message_id(request: int, host: str) -> str:
    """A new Message-ID for a message about a request."""
    return f"<urn.{request}.{secrets.token_hex(8)}@{host}>"


def list_message_id(request: Request, post: MailSettings) -> str:
    """A new Message-ID for a text that is posted; none where its registry has no list."""
    has_list = bool(post.list_of(request.registry_id))
    return message_id(request.number, post.host) if has_list else ""


def notify_about_request(news: RequestNotice, event: int, post: MailSettings) -> None:
    """Write to everybody whom an action concerns; the event that tells of it has its number."""
    queue_letters(letters_of(news, post), event)


def queue_letters(letters: Iterable[outbox_messages.OutgoingMessage], event: int | None) -> None:
    """Put letters into the outbox, now that the event which they tell of has its number."""
    outbox_messages.add_all(replace(letter, event=event) for letter in letters)


def letters_of(news: RequestNotice, post: MailSettings) -> list[outbox_messages.OutgoingMessage]:
    """One message to everybody whom an action concerns; who took it gets a receipt at most.

    An address that several of them share gets one; the list's goes before a person's. Who is
    to be reached is looked up here, so that nobody waits for that who appends an event.
    """
    letters: dict[str, outbox_messages.OutgoingMessage] = {}
    newest = iteration_rows.find_iteration(news.request.number, news.request.iterations)
    for audience in (*news.action.row.tells, *news.also):
        for address in willing_recipients(
            NoticeKind(audience), list(AUDIENCES[audience](news, post))
        ):
            if address.lower() not in letters:
                letters[address.lower()] = _message(news, audience, address, post, newest)
    reached = frozenset(letters)
    return [
        *letters.values(),
        *_letters_to_rivals(news, post, reached),
        *_letters_above(news, post, reached),
    ]


def _letters_above(
    news: RequestNotice, post: MailSettings, reached: frozenset[str]
) -> Iterable[outbox_messages.OutgoingMessage]:
    is_asked = news.sent and not _asked_before(news)
    request = news.request
    if request.purpose != Purpose.NEW or not (is_asked or news.action is Action.REGISTER):
        return
    folded = request.assigned_name or request.asked_name
    for account in _people(accounts_acting_above(request, folded) - accounts_acting_for(request)):
        if account.id != news.actor.id and account.email.lower() not in reached:
            yield _message_above(news, account.email, post)


def _message_above(
    news: RequestNotice, address: str, post: MailSettings
) -> outbox_messages.OutgoingMessage:
    request = news.request
    space = REGISTRIES[request.registry_id].space
    name = space.whole(request.assigned_name or request.asked_name)
    is_given = news.action is Action.REGISTER
    above = space.under.label if space.under else ""
    asked = f"{name}, under a {above} that you manage"
    what = (
        f"{asked}, was registered for {request.organization} (request {request.number})."
        if is_given
        else f"{request.organization} asked for {asked} (request {request.number}). If you "
        "disagree, comment on the request before it is decided."
    )
    return outbox_messages.OutgoingMessage(
        recipient=address,
        template=NoticeKind.DELEGATES,
        arguments={
            "happened": f"{'Registered' if is_given else 'Requested'} under your {above}",
            "name": name,
            "todo": "",
            "what": what,
            "reason": news.reason,
            "link": f"{post.base_url}/requests/{request.number}",
            "account": f"{post.base_url}/account",
        },
        message_id=message_id(request.number, post.host),
        created=news.at,
    )


def willing_recipients(kind: NoticeKind, addresses: list[str]) -> list[str]:
    """The recipients who did not say that they do not want this kind of mail."""
    choice = kind.choice
    refused = correspondence.addresses_declining(choice, addresses) if choice else frozenset()
    return [address for address in addresses if address not in refused]


def _letters_to_rivals(
    news: RequestNotice, post: MailSettings, reached: frozenset[str]
) -> Iterable[outbox_messages.OutgoingMessage]:
    is_news = Audience.RIVALS in news.action.row.tells and not _asked_before(news)
    named = news.request.assigned_name or news.request.asked_name
    letters: dict[str, outbox_messages.OutgoingMessage] = {}
    for number, own in requests_competing_with(news.request, named, news.asking) if is_news else ():
        rival = request_rows.find_request(number)
        for account in _concerned(rival, news.at) if rival else ():
            known = account.email.lower()
            if account.id != news.actor.id and known not in reached | letters.keys():
                letters[known] = _rival_message(news, (number, own), account.email, post)
    return letters.values()


def _asked_before(news: RequestNotice) -> bool:
    if not news.sent:
        return news.action is Action.COMPLETE
    before = iteration_rows.find_iteration(news.request.number, news.request.iterations - 1)
    registry = REGISTRIES[news.request.registry_id]
    named = before.fields.get(registry.name_field.name, "") if before else ""
    return registry.fold(named) == news.request.asked_name


def _concerned(request: Request, at: datetime) -> list[Account]:
    have = expert_panels.assigned_to(request.number)
    return _people(accounts_acting_for(request)) + have + _reviewers(request, at)


def _reviewers(request: Request, at: datetime) -> list[Account]:
    authors = {row.author for row in review_rows.reviews_of(request.number)}
    if not authors:
        return []
    panel = expert_panels.members_of(request.registry_id, at)
    panel += expert_panels.temporary_experts(request.number)
    return [one for one in panel if one.id in authors]


def _rival_message(
    news: RequestNotice, rival: tuple[int, str], address: str, post: MailSettings
) -> outbox_messages.OutgoingMessage:
    number, own = rival
    named = news.request.assigned_name or news.request.asked_name
    space = REGISTRIES[news.request.registry_id].space
    told = {"other": str(news.request.number), "name": space.whole(named)}
    return outbox_messages.OutgoingMessage(
        recipient=address,
        template=NoticeKind.RIVALS,
        arguments={
            "number": str(number),
            "name": space.whole(own),
            "mark": space.mark,
            "happened": rivals_happened(news.action, told),
            "what": rivals_words(news.action, told),
            "link": f"{post.base_url}/requests/{number}",
            "account": f"{post.base_url}/account",
        },
        message_id=message_id(number, post.host),
        created=news.at,
    )


def _people(accounts_: Collection[int]) -> list[Account]:
    return account_rows.numbered(accounts_)


def _message(
    news: RequestNotice,
    audience: Audience,
    address: str,
    post: MailSettings,
    newest: iteration_rows.IterationText | None,
) -> outbox_messages.OutgoingMessage:
    request = news.request
    thread = _thread(news, newest) if audience is Audience.LIST else {}
    kind = NoticeKind(audience)
    path = kind.path.format(number=request.number)
    return outbox_messages.OutgoingMessage(
        recipient=address,
        template=kind,
        arguments=arguments_of(news, audience, newest, post.bodies)
        | thread
        | _personal(audience, post)
        | {"link": post.base_url + path, "page": _page_of(request, post)}
        | {"alone": lone_name_sentence(request, post.number_prefix)},
        message_id=thread.get("message_id") or message_id(request.number, post.host),
        created=news.at,
    )


def _page_of(request: Request, post: MailSettings) -> str:
    space = REGISTRIES[request.registry_id].space
    given = request.assigned_name if space.scheme else None
    return post.base_url + space.page.format(space.fold(given)) if given else ""


def _personal(audience: Audience, post: MailSettings) -> dict[str, str]:
    return {} if audience is Audience.LIST else {"account": f"{post.base_url}/account"}


def _thread(news: RequestNotice, newest: iteration_rows.IterationText | None) -> dict[str, str]:
    if newest is None:
        return {}
    texts = texts_of(news.request.number)
    if not news.sent:
        return _below(texts) | {"template": ""}
    registry = REGISTRIES[news.request.registry_id]
    template = text_of(newest.fields, registry)
    return _below(texts[:-1]) | {"template": template, "message_id": newest.message_id}


def _below(chain: list[str]) -> dict[str, str]:
    return {"in_reply_to": chain[-1] if chain else "", "thread": " ".join(chain)}


def _registrant(news: RequestNotice) -> list[Account]:
    return _people(accounts_acting_for(news.request))


def _senders(news: RequestNotice) -> list[str]:
    own = news.actor.email
    return [own, *(one.email for one in _registrant(news) if one.id != news.actor.id)]


def _appointed(news: RequestNotice) -> list[Account]:
    return expert_panels.appointed_for(news.request.number, news.at)


def _operators(news: RequestNotice) -> list[Account]:
    return account_rows.holders(Grant.OPERATOR, news.at)


def _experts(news: RequestNotice) -> list[Account]:
    if State(news.request.state).turn is not Turn.EXPERTS:
        return []
    have = expert_panels.assigned_to(news.request.number)
    have = have or expert_panels.members_of(news.request.registry_id, news.at)
    return [*have, *_reviewers(news.request, news.at)]


def _next(news: RequestNotice) -> list[Account]:
    return expert_panels.assigned_to(news.request.number, since=news.at)


def _leaders(news: RequestNotice) -> list[Account]:
    leaders = expert_panels.leaders_of(news.request.registry_id, news.at)
    return [one for one in expert_panels.assigned_to(news.request.number) if one.id in leaders]


def _but_who_did_it(people: Callable[[RequestNotice], list[Account]]) -> AddressFinder:
    return lambda news, _: [one.email for one in people(news) if one.id != news.actor.id]


# Rivals get a message of their own, below all others.
AUDIENCES: Mapping[Audience, AddressFinder] = {
    Audience.LIST: lambda news, post: list(filter(None, [post.list_of(news.request.registry_id)])),
    Audience.RECEIPT: lambda news, _: _senders(news),
    Audience.APPOINTED: _but_who_did_it(_appointed),
    Audience.REGISTRANT: _but_who_did_it(_registrant),
    Audience.OPERATORS: _but_who_did_it(_operators),
    Audience.EXPERTS: _but_who_did_it(_experts),
    Audience.LEADERS: _but_who_did_it(_leaders),
    Audience.NEXT: _but_who_did_it(_next),
    Audience.RIVALS: lambda _news, _post: [],
}


# ---- the discussion


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentNotice:
    """Something that was said about a request. ``posted``: it came by the list already."""

    request: Request
    actor: Actor
    event: int
    at: datetime
    comment: NewComment
    posted: bool = False


def notify_about_comment(news: CommentNotice, post: MailSettings) -> None:
    """Write to the list and to everybody who takes part, but not to who said it."""
    below = _below(chain_to(news.request.number, news.comment.answers))
    address_of_list = post.list_of(news.request.registry_id)
    if address_of_list and not news.posted:
        outbox_messages.add(_comment_message(news, address_of_list, post, below, is_list=True))
    people = {
        *(one.id for one in _concerned(news.request, news.at)),
        *(row.author for row in correspondence.comments_of(news.request.number)),
    }
    addresses = [one.email for one in _people(people - {news.actor.id})]
    for address in willing_recipients(NoticeKind.COMMENT, addresses):
        if address.lower() not in post.lists:
            outbox_messages.add(_comment_message(news, address, post, below, is_list=False))


def _comment_message(
    news: CommentNotice, address: str, post: MailSettings, below: dict[str, str], *, is_list: bool
) -> outbox_messages.OutgoingMessage:
    request, comment = news.request, news.comment
    named = request.assigned_name or request.asked_name
    way = channel_phrase(comment)
    registry = REGISTRIES[request.registry_id]
    of = find_point_field(comment.section)
    section = f" on {of.label}" if of else ""
    why = "" if is_list else f"You get this because you take part in request {request.number}."
    return outbox_messages.OutgoingMessage(
        event=news.event,
        recipient=address,
        template=NoticeKind.COMMENT,
        arguments={
            "number": str(request.number),
            "name": registry.called(named),
            "mark": registry.space.mark,
            "why": why,
            "who": ", ".join(filter(None, (speaker_of(comment), f"{way}," if way else ""))),
            "section": f"{section} (replacing an earlier comment)" if comment.replaces else section,
            "body": comment.body,
            "link": f"{post.base_url}/requests/{request.number}#discussion",
        }
        | below
        | ({} if is_list else {"account": f"{post.base_url}/account"}),
        message_id=comment.message_id if is_list else message_id(request.number, post.host),
        created=news.at,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorNotice:
    """What the other operators are told: what to do, about whom, what happened and why."""

    todo: str
    name: str
    what: str
    reason: str
    event: int
    path: str = NoticeKind.APPOINTMENT.path


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentNotice:
    """What an expert is told of their own appointment: as what, by which decision."""

    address: str
    name: str
    happened: str
    what: str
    reason: str
    event: int
    todo: str = ""


def notify_operators(word: OperatorNotice, actor: Actor, at: datetime, post: MailSettings) -> None:
    """Write to every operator but the one who acts, and their other accounts."""
    own = fold_mailbox(actor.email)
    told = [one.email for one in account_rows.holders(Grant.OPERATOR, at)]
    for address in willing_recipients(
        NoticeKind.APPOINTMENT, [one for one in told if fold_mailbox(one) != own]
    ):
        message = outbox_messages.OutgoingMessage(
            event=word.event,
            recipient=address,
            template=NoticeKind.APPOINTMENT,
            arguments={
                "todo": word.todo,
                "name": word.name,
                "what": word.what,
                "reason": word.reason,
                "link": post.base_url + word.path,
                "account": f"{post.base_url}/account",
            },
            message_id=f"<appointment.{secrets.token_hex(8)}@{post.host}>",
            created=at,
        )
        outbox_messages.add(message)


def notify_appointee(word: AppointmentNotice, at: datetime, post: MailSettings) -> None:
    """Write to whoever an appointment is of, when it begins and when it ends."""
    outbox_messages.add(
        outbox_messages.OutgoingMessage(
            event=word.event,
            recipient=word.address,
            template=NoticeKind.APPOINTED,
            arguments={
                "number": "",
                "name": word.name,
                "happened": word.happened,
                "what": word.what,
                "todo": word.todo,
                "reason": word.reason,
                "link": f"{post.base_url}/review/" if word.todo else post.base_url,
                "account": f"{post.base_url}/account",
            },
            message_id=f"<appointment.{secrets.token_hex(8)}@{post.host}>",
            created=at,
        )
    )
