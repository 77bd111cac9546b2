"""Writing a template: one's own, saved once, checked as it will be judged, private until sent."""

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.declarations.registries import FORMAL, INFORMAL, Procedure
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.submissions.submission_rules import LONGEST_TEXT
from app.services.editions import edition_build, publication
from app.services.refusals import (
    EditConflict,
    IdempotencyConflict,
    InvalidInput,
    NotAllowed,
    NotFound,
)
from app.services.requests import drafts
from app.services.requests.detail.request_detail import show_request
from app.services.requests.draft_preview import long_fields, rendered_fields
from app.services.requests.drafts import DraftInput
from app.store.database import db, read_transaction, transaction
from app.store.requests import iteration_rows
from app.store.tables import Rendering
from app.store.triggers import APPEND_ONLY
from app.workflow.engine import EvidenceMissing
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.store.schema import dump, rows_of

TODAY = "2026-09-01"


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def opened(people: Cast, number: int) -> drafts.OpenDraft:
    with read_transaction():
        return drafts.open_draft(people.registrant, number, TODAY)


def problems(people: Cast, number: int) -> list[tuple[str, str]]:
    return [(finding.field, finding.code) for finding in opened(people, number).problems]


def save(people: Cast, number: int, clock: Clock, **saving: object) -> None:
    values: dict[str, Any] = {"fields": {}, "private": {}} | saving
    seen = opened(people, number).lock_version
    command = factories.command(people.registrant, clock(), seen=seen)
    drafts.save(command, number, DraftInput(**values))


def test_a_draft_is_filled_in_page_by_page(people: Cast, clock: Clock) -> None:
    number = drafts.start(factories.command(people.registrant, clock()), FORMAL.id)
    save(people, number, clock, fields={"namespace_identifier": "urn:Quokka:", "purpose": "P."})
    save(people, number, clock, fields={"syntax": "S."}, organization="Quokka Society")
    save(people, number, clock, private={"contact_name": "Jo"}, standard=False)
    writing = opened(people, number)
    assert writing.fields == {
        "namespace_identifier": "Quokka",
        "purpose": "P.",
        "syntax": "S.",
        "version": "1",
        "date": TODAY,
    }
    assert (writing.private, writing.organization) == ({"contact_name": "Jo"}, "Quokka Society")
    assert (writing.standard, writing.procedure) == (False, Procedure.COMMUNITY)
    assert writing.saved == clock()


def test_a_form_sent_twice_is_saved_once(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    saving = DraftInput(fields={"purpose": "New."}, private={"contact_name": "Al"})
    drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
    before = dump()
    drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
    assert dump() == before
    with pytest.raises(EditConflict):
        other = DraftInput(fields={"purpose": "Else."}, private={})
        drafts.save(factories.command(people.registrant, clock(), seen=2), number, other)
    assert dump() == before


def test_two_who_write_different_pages_are_not_in_each_others_way(
    people: Cast, clock: Clock
) -> None:
    number = factories.draft(people.registrant, clock())
    for values in (
        {"fields": {"syntax": "Numbers."}, "private": {}},
        {"fields": {"assignment": "In order."}, "private": {}},
        {"fields": {"registrant": "Us."}, "private": {"contact_name": "Al"}},
        {"fields": {}, "private": {}, "standard": True},
    ):
        drafts.save(
            factories.command(people.registrant, clock(), seen=2), number, DraftInput(**values)
        )
    with read_transaction():
        writing = drafts.open_draft(people.registrant, number, TODAY)
    assert (writing.value("syntax"), writing.value("assignment")) == ("Numbers.", "In order.")
    assert (writing.value("contact_name"), writing.standard) == ("Al", True)


@pytest.mark.parametrize(
    "late",
    [
        {"fields": {"syntax": "Letters."}, "private": {}},
        {"fields": {"syntax": "S.", "purpose": "Mine."}, "private": {}},  # as it was opened
        {"fields": {}, "private": {"contact_name": "Bo"}},
        {"fields": {}, "private": {}, "standard": False},
        {"fields": {}, "private": {}, "organization": "Wombats"},
    ],
)
def test_whoever_writes_the_same_page_later_is_told(
    people: Cast, clock: Clock, late: dict[str, Any]
) -> None:
    number = factories.draft(people.registrant, clock())
    save(
        people,
        number,
        clock,
        fields={"syntax": "Numbers."},
        private={"contact_name": "Al"},
        standard=True,
        organization="Quokkas",
    )
    before = dump()
    command = factories.command(people.registrant, clock(), seen=2)
    with pytest.raises(EditConflict):
        drafts.save(command, number, DraftInput(**late))
    assert dump() == before


def test_a_page_opened_before_the_name_was_taken_out_does_not_bring_it_back(
    people: Cast, clock: Clock
) -> None:
    number = factories.draft(people.registrant, clock())
    seen = opened(people, number)
    with transaction():
        drafts.leave_name_out(drafts.own_request(people.registrant, number, locked=True))
    page = DraftInput(
        fields={"namespace_identifier": seen.value("namespace_identifier")}, private={}
    )
    with pytest.raises(EditConflict):
        drafts.save(
            factories.command(people.registrant, clock(), seen=seen.lock_version), number, page
        )
    assert not opened(people, number).value("namespace_identifier")


def test_what_was_looked_at_is_what_is_sent(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    seen = factories.lock_of(number)
    save(people, number, clock, fields={"purpose": "Changed in another tab."})
    with pytest.raises(EditConflict):
        factories.act(number, Action.SUBMIT, people.registrant, clock(), seen=seen)


def test_a_draft_is_its_authors_alone(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    for stranger in (people.rival, people.operator, people.leader):
        with pytest.raises(NotFound), read_transaction():
            drafts.open_draft(stranger, number, TODAY)
        with pytest.raises(NotFound):
            drafts.save(
                factories.command(stranger, clock(), seen=2),
                number,
                DraftInput(fields={}, private={}),
            )
        with pytest.raises(NotFound):
            drafts.discard(stranger, number)


@pytest.mark.parametrize(
    "state",
    [state for state in State if state not in (State.DRAFT, State.WITH_REQUESTER)],
)
def test_a_text_is_changed_only_while_it_is_with_its_author(
    people: Cast, clock: Clock, state: State
) -> None:
    number = factories.draft(people.registrant, clock())
    registered = {"assigned_name": "quokka", "edition": 1} if state.is_registered else {}
    factories.change_request(number, state=state, **registered)
    with pytest.raises(NotAllowed, match="can’t be changed"), read_transaction():
        drafts.open_draft(people.registrant, number, TODAY)
    with pytest.raises(NotAllowed, match="can’t be changed"):
        drafts.save(
            factories.command(people.registrant, clock(), seen=2),
            number,
            DraftInput(fields={}, private={}),
        )
    with pytest.raises(NotAllowed, match="not delete it"):
        drafts.discard(people.registrant, number)


def test_a_draft_thrown_away_leaves_nothing(people: Cast, clock: Clock) -> None:
    before = {table: rows_of(table) for table in ("request", "draft", "private_value", "event")}
    number = factories.draft(people.registrant, clock())
    assert rows_of("private_value")
    drafts.discard(people.registrant, number)
    assert {table: rows_of(table) for table in before} == before
    with pytest.raises(NotFound):
        drafts.discard(people.registrant, number)
    assert (
        drafts.start(factories.command(people.registrant, clock(), key="k"), FORMAL.id)
        == number + 1
    )


def test_a_request_that_was_returned_is_not_thrown_away(people: Cast, clock: Clock) -> None:
    number = factories.returned(people, clock())
    with pytest.raises(NotAllowed):
        drafts.discard(people.registrant, number)


@pytest.mark.parametrize(
    "saving",
    [
        DraftInput(fields={"contact_name": "Jo"}, private={}),
        DraftInput(fields={}, private={"purpose": "P."}),
        DraftInput(fields={"state": "approved"}, private={}),
        DraftInput(fields={"purpose": "a\0b"}, private={}),
        DraftInput(fields={"purpose": "a\ud800b"}, private={}),
        DraftInput(fields={"purpose": "x" * (LONGEST_TEXT + 1)}, private={}),
        DraftInput(fields={"namespace_identifier": "a\nb"}, private={}),
        DraftInput(fields={}, private={"contact_name": "a\r\nb"}),
        DraftInput(fields={}, private={}, organization="x" * 201),
    ],
    ids=range(9),
)
def test_what_no_field_holds_is_refused_and_nothing_saved(
    people: Cast, clock: Clock, saving: DraftInput
) -> None:
    number = factories.draft(people.registrant, clock())
    before = dump()
    with pytest.raises(InvalidInput):
        drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
    assert dump() == before


def test_a_key_that_starts_two_kinds_of_request_is_refused(people: Cast, clock: Clock) -> None:
    key = "\0 any text will do, however long " * 20
    number = drafts.start(factories.command(people.registrant, clock(), key=key), FORMAL.id)
    assert drafts.start(factories.command(people.registrant, clock(), key=key), FORMAL.id) == number
    assert drafts.start(factories.command(people.rival, clock(), key=key), FORMAL.id) == number + 1
    with pytest.raises(IdempotencyConflict):
        drafts.start(factories.command(people.registrant, clock(), key=key), INFORMAL.id)


def test_a_name_meant_for_a_standard_goes_by_the_standards_action(
    people: Cast, clock: Clock
) -> None:
    number = factories.draft(people.registrant, clock())
    save(people, number, clock, standard=True)
    assert opened(people, number).procedure is Procedure.STANDARDS_ACTION
    assert problems(people, number) == []
    save(people, number, clock, standard=False)
    assert opened(people, number).procedure is Procedure.COMMUNITY
    save(people, number, clock, standard=True)
    assert factories.act(number, Action.SUBMIT, people.registrant, clock()) is State.NEW


def test_the_answer_on_a_standard_stands_once_the_text_is_sent(people: Cast, clock: Clock) -> None:
    number = factories.returned(people, clock())
    with pytest.raises(drafts.ProcedureChangeRefused, match="Ask for a different procedure"):
        save(people, number, clock, standard=True)
    save(people, number, clock, standard=False)
    writing = opened(people, number)
    assert (writing.standard, writing.procedure) == (False, Procedure.COMMUNITY)


def test_the_question_of_a_standard_has_to_be_answered_but_for_a_number(
    people: Cast, clock: Clock
) -> None:
    for registry, name in ((FORMAL, "quokka"), (INFORMAL, "")):
        number = drafts.start(factories.command(people.registrant, clock()), registry.id)
        text = factories.template(namespace_identifier=name)
        answers = {"organization": "Quokka Society", "profile": factories.TITLED}
        save(people, number, clock, fields=text, **answers)
        if registry is FORMAL:
            with pytest.raises(EvidenceMissing, match="part of a standard"):
                factories.act(number, Action.SUBMIT, people.registrant, clock())
        else:
            state = factories.act(number, Action.SUBMIT, people.registrant, clock())
            assert state is State.NEW


def test_a_name_that_another_request_asks_for_is_a_reason_to_look(
    people: Cast, clock: Clock
) -> None:
    others = [
        factories.sent(people.rival, clock(), namespace_identifier="QUOKKA") for _ in range(5)
    ]
    factories.draft(people.rival, clock())  # nobody is told of a draft
    number = factories.draft(people.registrant, clock())
    found = [finding for finding in opened(people, number).findings if finding.code == "asked-for"]
    assert [finding.message.partition(" also asks")[0] for finding in found] == [
        f"Request {other}" for other in others[:3]
    ]
    assert not any(finding.is_problem for finding in found)


def test_the_date_is_that_of_the_first_sending(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    factories.act(number, Action.SUBMIT, people.registrant, clock.on(days=3))
    factories.act(number, Action.TAKE, people.operator, clock())
    factories.act(number, Action.RETURN, people.operator, clock(), reason="Which?")
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock.on(days=9))
    with read_transaction():
        assert [sent.fields["date"] for sent in iteration_rows.iterations_of(number)] == [
            "2026-09-04"
        ] * 2


def test_a_field_that_is_left_empty_is_no_change_of_the_text(people: Cast, clock: Clock) -> None:
    number = factories.in_review(people, clock())
    factories.review(number, people.expert, Verdict.RETURN, clock())
    save(people, number, clock, fields={"revision_information": ""})
    with pytest.raises(EvidenceMissing, match="Change the text"):
        factories.act(number, Action.RESUBMIT, people.registrant, clock())


def test_what_is_written_of_the_next_text_shows_to_its_author_alone(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    factories.review(number, people.expert, Verdict.RETURN, clock())
    marker = "isbm"  # one letter away from a registered name, so that checks would quote it
    save(people, number, clock, fields={"namespace_identifier": marker, "purpose": marker})
    with read_transaction():
        for reader in (None, people.rival, people.expert, people.operator):
            assert marker not in repr(show_request(number, reader, clock()))
    assert marker in repr(opened(people, number))


MARKER = "Zzyzx-marker"


def test_private_values_are_kept_apart_and_are_erased(
    people: Cast, clock: Clock, tmp_path: Path
) -> None:
    number = factories.draft(people.registrant, clock())
    private = {
        "contact_name": f"{MARKER} name",
        "contact_address": f"{MARKER}@private.example",
        "contact_telephone": f"+1 {MARKER}",
    }
    save(people, number, clock, private=private)
    factories.act(number, Action.SUBMIT, people.registrant, clock())
    factories.act(number, Action.TAKE, people.operator, clock())
    factories.act(number, Action.RETURN, people.operator, clock(), reason="Which?")
    factories.change_text(number, people.registrant, clock(), purpose="Better.")
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    factories.act(number, Action.PASS, people.operator, clock())
    factories.review(number, people.leader, Verdict.APPROVE, clock())
    factories.act(number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE)
    edition_build.build_pending(clock(), factories.PLACE)
    publication.lay_out_newest(tmp_path / "p", factories.making(), URN_GROUP)
    holding = {table for table in dump() if MARKER in repr(rows_of(table))}
    assert holding == {"private_value"}
    assert not holding & set(APPEND_ONLY)
    laid_out = [path for path in (tmp_path / "p").rglob("*") if path.is_file()]
    assert len(laid_out) > 100
    assert not any(MARKER.encode() in path.read_bytes() for path in laid_out)
    with read_transaction():
        assert show_request(number, people.operator, clock()).private == private
        assert show_request(number, people.registrant, clock()).private == private
        assert show_request(number, people.rival, clock()).private == {}
        assert MARKER not in repr(show_request(number, None, clock()))


def test_a_private_value_that_is_emptied_is_erased(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    save(people, number, clock, private={"contact_name": MARKER, "contact_telephone": "1"})
    save(people, number, clock, private={"contact_name": ""})
    assert MARKER not in repr([rows_of(table) for table in dump()])
    assert opened(people, number).private == {"contact_telephone": "1"}


def renderings() -> list[str]:
    with read_transaction():
        return list(db.session.scalars(select(Rendering.html)))


def test_a_text_is_rendered_when_it_is_sent_and_a_draft_is_kept_nowhere(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = factories.draft(people.registrant, clock(), purpose=f"{MARKER} *as typed*")
    with read_transaction():
        fields = opened(people, number).fields
        assert MARKER in rendered_fields(fields).html_of(fields["purpose"])
    assert renderings() == []
    factories.act(number, Action.SUBMIT, people.registrant, clock())
    kept = renderings()
    assert sum(MARKER in html for html in kept) == 1
    monkeypatch.setattr("app.services.requests.draft_preview._cached", lambda _: "made anew")
    with read_transaction():
        page = show_request(number, None, clock())
        assert page.latest is not None
        shown = rendered_fields(page.latest.fields)
    htmls = {str(shown.html_of(text)) for text in long_fields(page.latest.fields).values()}
    assert htmls == set(kept), "what was kept is shown"


def test_equal_texts_are_rendered_and_kept_once(people: Cast, clock: Clock) -> None:
    factories.sent(people.registrant, clock())
    before = renderings()
    factories.sent(people.rival, clock(), namespace_identifier="wombat")
    assert renderings() == before
