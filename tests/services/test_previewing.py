"""A draft shown as it will be published: what is shown is what comes of it."""

from dataclasses import replace

import pytest

from app.pages.mail.letters import compose_letter
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.policy import MailSettings
from app.services.registry.snapshots import current_snapshot
from app.services.requests import drafts
from app.services.requests.draft_preview import DraftPreview, preview_of
from app.store.database import read_transaction
from app.store.requests import request_rows
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.factories import POST, Cast
from tests.services.test_notifications import arguments, people, to_list

__all__ = ["people"]  # the fixture


def preview(people: Cast, number: int, clock: Clock, post: MailSettings = POST) -> DraftPreview:
    with read_transaction():
        writing = drafts.open_draft(people.registrant, number, clock().date().isoformat())
        return preview_of(writing, (), clock(), post)


def test_the_text_and_the_message_are_those_that_are_posted(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    shown = preview(people, number, clock)
    factories.act(number, Action.SUBMIT, people.registrant, clock())
    row = to_list("submitted")
    posted = compose_letter(
        row.template,
        arguments(row) | {"next": ""},  # the day by which it is due is known once it is sent
        sender="registry@x.example",
        recipient=row.recipient,
        message_id="<1@x.example>",
        date=clock(),
    )
    assert shown.message == (
        f"To: {posted['To']}\nSubject: {posted['Subject']}\n\n{posted.get_content()}"
    )
    assert shown.text == arguments(row)["template"]


@pytest.mark.parametrize("informal", [False, True])
def test_the_row_is_the_one_that_is_registered(
    people: Cast, clock: Clock, *, informal: bool
) -> None:
    number = factories.draft(people.registrant, clock(), informal=informal)
    entry = preview(people, number, clock).entry
    assert entry is not None
    with read_transaction():
        names = [r.name for t in current_snapshot(URN_GROUP).registries for r in t.records]
    assert entry.record.name not in names
    around = {row.record.name for row in entry.rows} - {entry.record.name}
    assert around <= set(names)
    assert entry.record.date == clock().date().isoformat()
    assert entry.record.name == ("urn-9" if informal else "quokka")


def test_a_revision_shows_its_row_as_changed_today(people: Cast, clock: Clock) -> None:
    factories.registered(people, clock())
    number = factories.revision(people.registrant, clock(), "quokka")
    entry = preview(people, number, clock).entry
    assert entry is not None
    assert (entry.record.name, entry.record.updated) == ("quokka", clock().date().isoformat())


def test_without_a_name_that_can_be_registered_there_is_no_row(people: Cast, clock: Clock) -> None:
    for name in ("", "uk-mail", "isbn", "\u202e"):
        number = factories.draft(people.registrant, clock(), namespace_identifier=name)
        assert preview(people, number, clock).entry is None


def test_without_a_list_there_is_no_message(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    shown = preview(people, number, clock, replace(POST, list_address=""))
    assert shown.message == ""
    assert "Namespace Identifier: quokka" in shown.text


def test_looking_changes_nothing(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock(), informal=True)
    first = preview(people, number, clock)
    assert preview(people, number, clock) == first
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        assert request.iterations == 0
