"""The yearly question: sent to who acts for a holder, answered by them, open until it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from app.messages.notices import NoticeKind
from app.problems import use_case_codes
from app.registration.declarations.registries import IdentifierSpace, declared_spaces
from app.registration.naans.yearly_question import (
    DAYS_TO_ANSWER,
    NaanAnswer,
    NaanContactDays,
    NaanQuestion,
    question_about,
    question_day,
    silence_limits,
    silent_holders,
)
from app.registration.records.naan_registrations import naan_facts_of, own_facts_of
from app.services.accounts.actors import Actor
from app.services.delegates import delegate_scopes, delegation
from app.services.refusals import NotFound
from app.services.use_cases import Command, use_case
from app.store.accounts import delegate_rows
from app.store.accounts.delegate_rows import DelegateScope
from app.store.database import read_transaction, transaction
from app.store.mail import outbox_messages
from app.store.registry import holder_contacts
from app.store.registry.holder_contacts import HolderContact, HolderCursor, SilentHolders

PAGE = "answer"  # below that of a name
MOST_SHOWN = 50
_YEAR = timedelta(days=365)  # the shortest; whether a year is over is judged by the calendar
# The words stay: entries of the record have them.
EVENTS: Mapping[NaanAnswer, str] = {
    NaanAnswer.STANDS: "holder confirmed",
    NaanAnswer.CHANGES: "holder announced a change",
    NaanAnswer.CEASES: "holder announced an end",
}


# ---- asking


def ask_due(at: datetime, *, base_url: str, host: str) -> int:
    """Write to who acts for holders that were not heard of for a year; for how many names.

    Each question is kept with its mail, so that it is sent once however many workers look.
    """
    with read_transaction():
        found = holder_contacts.heard_before(_asked_spaces(), _end_of(at.date() - _YEAR))
        due = [one.name_id for one in found if _day_to_ask(one, at)]
    return sum(_ask(ident, at, base_url, host) for ident in due)


def _ask(name_id: int, at: datetime, base_url: str, host: str) -> bool:
    with transaction():
        contact = holder_contacts.find_contact(name_id)  # somebody may have answered meanwhile
        day = _day_to_ask(contact, at) if contact else None
        if contact is None or day is None:
            return False
        if not holder_contacts.add_question(name_id, day.isoformat(), at):
            return False
        scope = DelegateScope(contact.name, name_id=name_id, space=contact.space)
        arguments = _arguments(contact, at, base_url)
        outbox_messages.add_all(
            outbox_messages.OutgoingMessage(
                recipient=one.email,
                template=NoticeKind.HOLDERS,
                arguments=arguments,
                message_id=f"<holders.{name_id}.{day.isoformat()}.{one.account}@{host}>",
                created=at,
            )
            for one in delegation.delegates_of(scope)
        )
    return True


def _day_to_ask(contact: HolderContact, at: datetime) -> date | None:
    day = question_day(_days(contact), at.date())
    return day if day and contact.due < day.isoformat() else None


def _days(contact: HolderContact) -> NaanContactDays:
    asked = contact.asked.date() if contact.asked else None
    return NaanContactDays(name=contact.name, since=contact.heard.date(), asked=asked)


def _arguments(contact: HolderContact, at: datetime, base_url: str) -> dict[str, str]:
    question = _question(contact, at.date() + timedelta(days=DAYS_TO_ANSWER))
    *told, promised = question.sentences
    return {
        "todo": question.subject,
        "what": " ".join(told),
        # begun by white space, so that a line is not folded
        "rows": "\n".join(f"  {label}: {value}" for label, value in question.facts),
        "why": promised,
        "link": base_url + contact.space.page_below(contact.name, PAGE),
    }


def _question(contact: HolderContact, answer_by: date) -> NaanQuestion:
    record, heard = contact.record, contact.heard.date()
    return question_about(naan_facts_of(record), heard, answer_by, own_facts_of(record))


def _asked_spaces() -> tuple[IdentifierSpace, ...]:
    return tuple(one for one in declared_spaces() if one.asks_yearly)


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC)


# ---- answering


@dataclass(frozen=True, slots=True, kw_only=True)
class YearlyQuestion:
    """The question as who acts for a holder sees it; ``is_open`` from the day it is due."""

    held: DelegateScope
    question: NaanQuestion
    heard: date
    is_open: bool
    answered: NaanAnswer | None
    seen: int


def question_of(
    name: str, actor: Actor, today: date, *, space: IdentifierSpace
) -> YearlyQuestion | None:
    """The question about a name; None for whoever does not act for it, NotFound if none is put."""
    held = delegate_scopes.delegate_scope(name, space=space)
    contact = _contact_of(held)
    if not delegate_scopes.acts_for(actor, held):
        return None
    said = holder_contacts.last_answer(contact.name_id)
    due = question_day(_days(contact), today)
    asked = contact.asked.date() if contact.asked else due or today
    return YearlyQuestion(
        held=held,
        # whoever is late is asked for it today, and not by a day that is over
        question=_question(contact, max(asked + timedelta(days=DAYS_TO_ANSWER), today)),
        heard=contact.heard.date(),
        is_open=due is not None,
        answered=said[1] if said else None,
        seen=delegate_rows.last_event(held),
    )


def _contact_of(held: DelegateScope) -> HolderContact:
    if not held.space.asks_yearly:
        raise NotFound(
            use_case_codes.NOT_ASKED_YEARLY,
            f"There is no yearly check for a {held.space.label}.",
        )
    contact = holder_contacts.find_contact(held.name_id) if held.name_id else None
    if contact is None:
        raise NotFound(
            use_case_codes.NOT_ASKED_YEARLY,
            f"There is no yearly check for {held.space.whole(held.name)}, because it is retired.",
        )
    return contact


def open_questions(actor: Actor, today: date) -> tuple[DelegateScope, ...]:
    """The names about which somebody is asked and did not answer."""
    found = holder_contacts.contacts_of(actor.id, _asked_spaces(), delegate_scopes.MOST_NAMES)
    return tuple(
        DelegateScope(one.name, name_id=one.name_id, space=one.space)
        for one in found
        if question_day(_days(one), today)
    )


@use_case("answer yearly question")
def answer(command: Command, name: str, said: NaanAnswer, *, space: IdentifierSpace) -> None:
    """Keep what a holder answers, asked or not; the same words once a day.

    Raises NotAllowed for whoever does not act for it, EditConflict where something happened
    meanwhile, NotFound for a name that nobody is asked about.
    """
    held = delegate_scopes.delegate_scope(name, locked=True, space=space)
    delegate_scopes.required(command.actor, held)
    contact = _contact_of(held)
    last = holder_contacts.last_answer(contact.name_id)
    if last and (last[0].date(), last[1]) == (command.at.date(), said):
        return
    delegate_scopes.refuse_changed(command, held)
    event = delegate_scopes.record(command, held, EVENTS[said])
    holder_contacts.add_answer(event, contact.name_id, command.at, said)


# ---- who is silent


@dataclass(frozen=True, slots=True, kw_only=True)
class SilentHolder:
    """A name whose holder is silent, for the operator: since when, asked when, by whom to be told.

    ``asked`` is None where nobody was written to; ``people`` counts who could be.
    """

    space: IdentifierSpace
    name: str
    holder: str
    heard: date
    asked: date | None
    people: int


@dataclass(frozen=True, slots=True)
class SilentHolderPage:
    """Some of the silent holders, the longest first, and the key of those that follow.

    ``unclaimed`` counts names for which nobody ever acted here, so that nobody was asked.
    """

    rows: tuple[SilentHolder, ...]
    count: int
    after: str
    unclaimed: int


def silent_page(at: datetime, after: str = "") -> SilentHolderPage:
    """Holders that are silent, from a key on; NotFound for no such key."""
    limits = _limits(at)
    mark = _cursor(after) if after else None
    found = holder_contacts.silent(limits, MOST_SHOWN + 1, mark)
    shown = found[:MOST_SHOWN]
    is_silent = {one.name for one in silent_holders(map(_days, shown), at.date())}
    rows = tuple(_silent(one) for one in shown if one.name in is_silent)
    following = _key(shown[-1]) if len(found) > MOST_SHOWN else ""
    count, unclaimed = (
        holder_contacts.count_silent(limits),
        holder_contacts.count_unclaimed(limits.spaces),
    )
    return SilentHolderPage(rows, count, following, unclaimed)


def count_silent(at: datetime) -> int:
    """How many holders are silent."""
    return holder_contacts.count_silent(_limits(at))


def _limits(at: datetime) -> SilentHolders:
    until = silence_limits(at.date())
    return SilentHolders(_asked_spaces(), _end_of(until.heard), _end_of(until.asked))


def _silent(contact: HolderContact) -> SilentHolder:
    return SilentHolder(
        space=contact.space,
        name=contact.name,
        holder=naan_facts_of(contact.record).holder,
        heard=contact.heard.date(),
        asked=contact.asked.date() if contact.asked else None,
        people=contact.people,
    )


def _key(contact: HolderContact) -> str:
    return f"{contact.heard.strftime(_MOMENT)}{_THEN}{contact.name_id}"


_MOMENT, _THEN, _LONGEST_KEY = "%Y-%m-%dT%H:%M:%S.%f", "_", 15


def _cursor(key: str) -> HolderCursor:
    moment, _, ident = key.partition(_THEN)
    if ident.isascii() and ident.isdecimal() and len(ident) <= _LONGEST_KEY:
        try:
            heard = datetime.strptime(moment, _MOMENT).replace(tzinfo=UTC)
        except ValueError:
            pass
        else:
            return HolderCursor(heard, int(ident))
    raise NotFound(
        use_case_codes.LIST_PAGE_UNKNOWN,
        "This page of the list doesn't exist. Remove `after=` from the address to see the first "
        "page.",
        field="after",
    )
