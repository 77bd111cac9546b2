"""Each letter that the registry writes, with values that never change."""

from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from flask import Flask

from app.messages.delegate_notices import DelegateNoticeKind
from app.messages.notices import NoticeKind
from app.pages.mail.letters import compose_letter
from app.services.delegates import delegate_mail
from app.services.delegates.delegate_mail import DelegateMail
from app.services.notifications import event_notices
from app.services.notifications.request_notices import RequestNotice
from app.store.accounts import delegate_rows, expert_panels
from app.store.database import read_transaction, transaction
from app.store.mail import outbox_messages
from app.store.requests import request_rows
from app.workflow.action_rows import Audience
from app.workflow.states import Action
from tests import factories
from tests.conftest import START
from tests.factories import Cast
from tests.goldens.golden_files import check
from tests.messages.test_notices import ARGUMENTS

_ACCOUNT = "https://registry.example/account"
_SENDING = {Action.SUBMIT, Action.RESUBMIT, Action.COMPLETE}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_each_letter_says_what_it_said(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    people = factories.cast(START)
    number = factories.in_review(people, START)
    factories.sent(people.rival, START, namespace_identifier="quokka")
    with transaction():
        expert_panels.assign(number, people.leader.id, START)
    posted: list[outbox_messages.OutgoingMessage] = []
    monkeypatch.setattr(outbox_messages, "add", posted.append)
    monkeypatch.setattr(outbox_messages, "add_all", posted.extend)
    lines = [line for kind in sorted(NoticeKind) for line in _of_kind(kind)]
    with read_transaction():
        for action in sorted(Action):
            event_notices.notify_about_request(_news(number, action, people), 1, factories.POST)
            lines += _all_of(f"Action {action}", posted)
        for tale in sorted(DelegateNoticeKind):
            delegate_mail.send(
                _letter(number, tale), ["robin@org.example"], START, factories.POST, "Jo"
            )
            lines += _all_of(f"Who acts: {tale}", posted)
    check("mail.txt", lines)


def _news(number: int, action: Action, people: Cast) -> RequestNotice:
    """What the operator did, which one of the experts leads as well."""
    request = request_rows.find_request(number)
    assert request is not None
    return RequestNotice(
        request=request,
        action=action,
        actor=people.operator,
        at=START,
        reason="Because of *this*.",
        sent=action in _SENDING,
        also=(Audience.LEADERS,) if action is Action.REVIEW else (),
    )


def _letter(number: int, tale: DelegateNoticeKind) -> DelegateMail:
    return DelegateMail(
        event=1,
        tale=tale,
        held=delegate_rows.DelegateScope(request=number),
        day=START,
        organization="Wombats",
        reason="They merged.",
    )


def _of_kind(kind: str) -> Iterator[str]:
    """A letter of a kind with every argument that any has."""
    given = ARGUMENTS | {"account": _ACCOUNT, "due": ", due 3 October 2026", "reason": "Why not?"}
    yield f"======== Kind {kind}"
    yield from _said(_composed(kind, given | {"template": "Purpose:\n\n   To try it."}))


def _all_of(what: str, posted: list[outbox_messages.OutgoingMessage]) -> Iterator[str]:
    """The letters that were posted, each once with all whom it goes to."""
    letters: dict[str, list[str]] = {}
    for one in posted:
        text = "\n".join(_said(_composed(one.template, one.arguments)))
        letters.setdefault(text, []).append(f"{one.recipient} ({one.template})")
    posted.clear()
    yield f"======== {what}"
    for text, readers in letters.items():
        yield f"To: {', '.join(sorted(readers))}"
        yield from text.split("\n")


def _composed(kind: str, arguments: dict[str, str]) -> EmailMessage:
    return compose_letter(
        kind,
        arguments,
        sender="registry@registry.example",
        recipient="robin@org.example",
        message_id="<1@registry.example>",
        date=START,
    )


def _said(letter: EmailMessage) -> Iterator[str]:
    yield f"Subject: {letter['Subject']}"
    yield ""
    yield from str(letter.get_content()).split("\n")
