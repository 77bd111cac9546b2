"""One person behind several accounts, and operators who appoint their own."""

import json

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.declarations.registries import FORMAL
from app.services.accounts.actors import Actor, actor_of
from app.services.experts import panel_membership
from app.services.experts.independence import may_register
from app.services.experts.panel_membership import AppointmentSource, public_appointments
from app.services.notifications.person_names import without_addresses
from app.services.refusals import InvalidInput, NotAllowed
from app.store.accounts import account_rows, delegate_rows, expert_panels
from app.store.accounts.delegate_rows import DelegateScope
from app.store.database import db, read_transaction, transaction
from app.store.requests import request_rows
from app.store.tables import Event, Outbox
from app.store.tables.accounts import Grant
from app.store.tables.delegates import ClaimKind, ClaimState, DelegateOrigin
from app.workflow.engine import EvidenceMissing, RoleMissing
from app.workflow.evidence import Evidence
from app.workflow.reviews import Verdict
from app.workflow.separation_of_duties import SeparationOfDuties, fold_mailbox
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.web.stages import Office

DECISION = "The board’s decision 7, https://board.example/7"


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def appoint(by: Actor, email: str, clock: Clock, role: str = "leader") -> Actor:
    """Appoint somebody, as they then act."""
    panel_membership.appoint(factories.command(by, clock()), email, role, "", DECISION)
    return who(email, clock)


def who(email: str, clock: Clock) -> Actor:
    with read_transaction():
        account = account_rows.find_account(email)
        assert account is not None
        return actor_of(account, clock())


def register(number: int, by: Actor, clock: Clock) -> State:
    given = {"reference": factories.REFERENCE}
    return factories.act(number, Action.REGISTER, by, clock(), **given)


def may(number: int, by: Actor, clock: Clock, people_needed: int = 3) -> bool:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return may_register(request, by, SeparationOfDuties(people_needed), clock())


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Robin@Org.Example", "robin@org.example"),
        ("robin+zoo@org.example", "robin@org.example"),
        ("robin+a+b@org.example", "robin@org.example"),
        (" robin@org.example ", "robin@org.example"),
        ("+a@org.example", "+a@org.example"),
        ("Ro.bin+zoo@googlemail.com", "robin@gmail.com"),
        ("ro.bin@org.example", "ro.bin@org.example"),
        ("robin@a+b.example", "robin@a+b.example"),
    ],
)
def test_addresses_that_one_person_reads_are_one_mailbox(address: str, mailbox: str) -> None:
    assert fold_mailbox(address) == mailbox


def test_nobody_writes_and_judges_by_two_accounts_of_one_mailbox(
    people: Cast, clock: Clock
) -> None:
    ego = factories.person("robin+expert@org.example", clock(), Grant.LEADER)
    number = factories.in_review(people, clock())
    for action in (Action.TAKE_ON, Action.PASS_ON):
        with pytest.raises(RoleMissing):
            factories.act(number, action, ego, clock(), iteration=1)
    with pytest.raises(RoleMissing):
        factories.review(number, ego, Verdict.APPROVE, clock())
    with read_transaction():
        assert ego.id not in {one.id for one in expert_panels.assigned_to(number)}


def test_two_reviews_by_one_mailbox_are_one(people: Cast, clock: Clock) -> None:
    ego = factories.person("Ellis+2@experts.example", clock(), Grant.EXPERT)
    number = factories.in_review(people, clock())
    factories.review(number, people.expert, Verdict.APPROVE, clock())
    assert factories.review(number, ego, Verdict.APPROVE, clock()) is State.EXPERT_REVIEW
    assert factories.review(number, people.second_expert, Verdict.APPROVE, clock()) is (
        State.ASSIGNABLE
    )


def test_who_recused_themselves_does_not_come_back_by_another_account(
    people: Cast, clock: Clock
) -> None:
    ego = factories.person("ellis+2@experts.example", clock(), Grant.EXPERT)
    number = factories.in_review(people, clock())
    factories.act(number, Action.RECUSE, people.expert, clock(), iteration=1, reason="My client.")
    with pytest.raises(RoleMissing):
        factories.review(number, ego, Verdict.APPROVE, clock())


def test_an_interest_that_one_account_declares_is_that_of_the_person(
    people: Cast, clock: Clock
) -> None:
    ego = factories.person("ellis+2@experts.example", clock(), Grant.EXPERT)
    number = factories.in_review(people, clock())
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        organization = request.organization
    panel_membership.declare_interest(factories.command(people.expert, clock()), organization)
    with pytest.raises(RoleMissing):
        factories.review(number, ego, Verdict.APPROVE, clock())


@pytest.mark.parametrize(
    "text",
    [
        "See <{}>.",
        "Decided (with {}), all of us.",
        "mailto:{}",
        "Jane<{}>; Jo",
        "“{}”",
        "{}\n\nSecond line.",
    ],
)
def test_an_address_is_shortened_wherever_it_stands_in_a_decision(text: str) -> None:
    shown = without_addresses(text.format("jane@board.example"))
    assert "jane@" not in shown
    assert shown.count("\n") == text.count("\n")
    assert "…@board.example" in shown


def test_nobody_writes_and_checks_or_registers_by_two_accounts_of_one_mailbox(
    people: Cast, clock: Clock
) -> None:
    ego = factories.person("robin+desk@org.example", clock(), Grant.OPERATOR)
    sent = factories.sent(people.registrant, clock())
    factories.act(sent, Action.TAKE, people.operator, clock())
    with pytest.raises(EvidenceMissing):
        factories.act(sent, Action.PASS, ego, clock())
    approved = factories.approved(people, clock(), namespace_identifier="wombat")
    with pytest.raises(EvidenceMissing):
        register(approved, ego, clock)
    assert register(approved, people.operator, clock) is State.ASSIGNED


def test_nobody_approves_and_registers_by_two_accounts_of_one_mailbox(
    people: Cast, clock: Clock
) -> None:
    ego = factories.person("odell+expert@registry.example", clock(), Grant.EXPERT)
    number = factories.in_review(people, clock())
    factories.review(number, ego, Verdict.APPROVE, clock())
    factories.review(number, people.expert, Verdict.APPROVE, clock())
    with pytest.raises(EvidenceMissing):
        register(number, people.operator, clock)
    assert may(number, people.operator, clock, people_needed=2)
    assert register(number, people.second_operator, clock) is State.ASSIGNED


def test_an_operator_does_not_appoint_themselves_by_any_account(people: Cast, clock: Clock) -> None:
    for address in ("odell@registry.example", "ODELL+x@registry.example"):
        with pytest.raises(InvalidInput, match="appoint yourself"):
            appoint(people.operator, address, clock)
    rule = SeparationOfDuties(1)
    alone = factories.command(people.operator, clock(), separation=rule)
    panel_membership.appoint(alone, people.operator.email, "leader", "", DECISION)


def _approved_by(ego: Actor, people: Cast, clock: Clock) -> int:
    number = factories.in_review(people, clock())
    assert factories.review(number, ego, Verdict.APPROVE, clock()) is State.ASSIGNABLE
    return number


def test_what_only_ones_own_appointee_approved_another_operator_registers(
    people: Cast, clock: Clock
) -> None:
    ego = appoint(people.operator, "friend@elsewhere.example", clock)
    number = _approved_by(ego, people, clock)
    with pytest.raises(EvidenceMissing) as refused:
        register(number, people.operator, clock)
    assert Evidence.OTHER_PERSON in refused.value.missing
    assert may(number, people.operator, clock, people_needed=2), "looser where two are enough"
    assert register(number, people.second_operator, clock) is State.ASSIGNED


def test_who_may_not_register_a_request_is_told_why_and_offered_no_registration(
    office: Office,
) -> None:
    people, clock = office.people, office.clock
    friend = appoint(people.operator, "friend@elsewhere.example", clock)
    stage = office.at(State.EXPERT_REVIEW)
    stage.review(friend, Verdict.APPROVE)
    path, button = (
        f"/desk/{stage.number}/register",
        "//button[starts-with(normalize-space(),'Register ')]",
    )
    theirs, others = (stage.get(path, who) for who in (people.operator, people.second_operator))
    assert others.each(button)
    assert "only you appointed" not in others.words
    assert not theirs.each(button)
    assert Evidence.OTHER_PERSON.sentence in theirs.words
    assert "another operator can confirm an appointment" in theirs.words
    assert "/desk/experts" in theirs.values("href", "a")


def test_one_approval_of_somebody_else_is_enough(people: Cast, clock: Clock) -> None:
    ego = appoint(people.operator, "friend@elsewhere.example", clock, "expert")
    number = factories.in_review(people, clock())
    factories.review(number, ego, Verdict.APPROVE, clock())
    factories.review(number, people.expert, Verdict.APPROVE, clock())
    assert register(number, people.operator, clock) is State.ASSIGNED


def _confirm(email: str, by: Actor, clock: Clock) -> None:
    ident = next(one.id for one in panel_membership.panel() if one.email == email)
    panel_membership.confirm(factories.command(by, clock()), ident)


@pytest.mark.postgresql
def test_an_appointment_that_another_operator_confirmed_is_nobodys_own(
    people: Cast, clock: Clock
) -> None:
    email = "friend@elsewhere.example"
    number = _approved_by(appoint(people.operator, email, clock), people, clock)
    ego = factories.person("odell+2@registry.example", clock(), Grant.OPERATOR)
    for own in (people.operator, ego):
        with pytest.raises(NotAllowed):
            _confirm(email, own, clock)
    assert not may(number, people.operator, clock)
    _confirm(email, people.second_operator, clock)
    with pytest.raises(InvalidInput):
        _confirm(email, people.second_operator, clock)
    assert register(number, people.operator, clock) is State.ASSIGNED
    with read_transaction():
        kinds = list(db.session.scalars(select(Event.kind).where(Event.subject == "account")))
    assert kinds.count("confirmed leader") == 1


def test_where_nobody_else_runs_the_registry_its_one_operator_appoints_and_registers(
    people: Cast, clock: Clock
) -> None:
    number = _approved_by(appoint(people.operator, "f@elsewhere.example", clock), people, clock)
    with transaction():
        account_rows.end_grants(people.second_operator.id, Grant.OPERATOR, clock())
    factories.person("odell+2@registry.example", clock(), Grant.OPERATOR)
    assert register(number, people.operator, clock) is State.ASSIGNED


def test_who_was_appointed_for_one_request_does_not_serve_who_entered_it(
    people: Cast, clock: Clock
) -> None:
    number = factories.in_review(people, clock())
    factories.change_request(number, state=State.IESG_EXPERTS)
    details = factories.DECISION | {"expert": "tam@elsewhere.example"}
    own = factories.DECISION | {"expert": "odell+tam@registry.example"}
    with pytest.raises(InvalidInput, match="appoint yourself"):
        factories.act(number, Action.ANSWER, people.operator, clock(), details=own, reason="So.")
    factories.act(number, Action.ANSWER, people.operator, clock(), details=details, reason="So.")
    tam = who("tam@elsewhere.example", clock)
    assert factories.review(number, tam, Verdict.APPROVE, clock()) is State.ASSIGNABLE
    with pytest.raises(EvidenceMissing):
        register(number, people.operator, clock)
    assert register(number, people.second_operator, clock) is State.ASSIGNED
    with read_transaction():
        told = set(db.session.scalars(select(Outbox.recipient)))
    assert people.second_operator.email in told


def test_who_invited_an_author_and_left_stands_as_near_as_the_author(
    people: Cast, clock: Clock
) -> None:
    number = factories.approved(people, clock())
    held = DelegateScope(request=number)
    with transaction():
        delegate_rows.add(held, people.operator.id, DelegateOrigin.INVITED, clock())
        claim = delegate_rows.next_claim()
        delegate_rows.add_claim(
            claim, held, ClaimKind.INVITATION, people.operator.id, clock(), token="t", due=clock()
        )
        row = delegate_rows.find_claim(claim)
        assert row is not None
        delegate_rows.decide(row, ClaimState.GRANTED, clock())
        delegate_rows.add(held, people.rival.id, DelegateOrigin.INVITED, clock())
        delegate_rows.end(held, [people.operator.id], clock())
    with pytest.raises(EvidenceMissing):
        register(number, people.operator, clock)
    assert register(number, people.second_operator, clock) is State.ASSIGNED


def test_the_other_operators_are_told_of_an_appointment_at_once(people: Cast, clock: Clock) -> None:
    factories.person("odell+2@registry.example", clock(), Grant.OPERATOR)
    appoint(people.operator, "friend@elsewhere.example", clock)
    with read_transaction():
        rows = db.session.scalars(select(Outbox).where(Outbox.template == "appointment")).all()
        (told,) = [(row.recipient, json.loads(row.arguments)) for row in rows]
    assert told[0] == people.second_operator.email
    assert (told[1]["name"], told[1]["reason"]) == ("friend@elsewhere.example", DECISION)


def test_the_other_operators_are_told_once_of_a_registration_that_was_refused(
    people: Cast, clock: Clock
) -> None:
    ego = appoint(people.operator, "friend@elsewhere.example", clock)
    number = _approved_by(ego, people, clock)
    for _ in range(3):
        with pytest.raises(EvidenceMissing):
            register(number, people.operator, clock)
    with read_transaction():
        rows = db.session.scalars(select(Outbox).where(Outbox.template == "appointment")).all()
        told = [(row.recipient, json.loads(row.arguments)["name"]) for row in rows]
        kinds = list(db.session.scalars(select(Event.kind).where(Event.about == str(number))))
    assert told[1:] == [(people.second_operator.email, f"request {number}")]
    assert kinds.count("registration refused") == 1


def test_appointments_are_public_with_their_reasons_and_without_addresses(
    office: Office,
) -> None:
    at = office.clock()
    email, mail = f"p{at.timestamp():.0f}@elsewhere.example", "board@board.example"
    given = (email, "expert", FORMAL.id, f"Decision 12 of {mail}")
    panel_membership.appoint(factories.command(office.people.operator, at), *given)
    stage = office.at(State.NEW)
    page = stage.get("/appointments/", office.people.registrant)
    assert "Decision 12 of b…@board.example" in page.words
    assert "Entered by an operator" in page.words
    for address in (email, mail, office.people.operator.email, office.people.expert.email):
        assert address not in page.html
    for role in ("Operator", "Expert", "Lead expert"):
        assert role in page.words
    desk = stage.get("/desk/experts", office.people.second_operator)
    assert "Public and permanent" in desk.words
    ident = next(one.id for one in panel_membership.panel() if one.email == email)
    path = f"/desk/experts/{ident}/confirm"
    assert path in desk.html
    assert path not in stage.get("/desk/experts", office.people.operator).html
    assert stage.post(path, office.people.operator, {}).status == 403
    assert stage.post(path, office.people.expert, {}).status == 403
    assert stage.post(path, office.people.second_operator, {}).status == 303
    with read_transaction():
        newest = next(one for one in public_appointments() if "12" in one.decision)
    assert newest.entered is AppointmentSource.CONFIRMED
