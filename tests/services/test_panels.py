"""Whose review it is: rotation, absence, what stands too near, and who was appointed for one."""

from functools import partial

import pytest
from flask import Flask

from app.registration.declarations.registries import FORMAL, INFORMAL
from app.services.accounts.actors import Actor, actor_of
from app.services.experts import panel_membership
from app.services.policy import ProcedureSettings
from app.services.refusals import InvalidInput, NotAllowed, NotFound
from app.services.request_status import panel_evidence
from app.services.requests import comments
from app.services.requests.detail.request_detail import show_request
from app.services.requests.queues import expert_queue, operator_desk, waiting_counts
from app.store.accounts import account_rows
from app.store.accounts import expert_panels as panel_rows
from app.store.database import read_transaction, transaction
from app.store.requests import request_rows
from app.workflow.engine import EvidenceMissing, RoleMissing
from app.workflow.reviews import Verdict
from app.workflow.separation_of_duties import ConflictOfInterest, SeparationOfDuties
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.services.racing import split
from tests.store.at_once import at_once
from tests.web.stages import NAMES


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def have(number: int) -> list[int]:
    """Who has a request to review."""
    with read_transaction():
        return [account.id for account in panel_rows.assigned_to(number)]


def again(actor: Actor, clock: Clock) -> Actor:
    """Somebody with what they hold by now."""
    with read_transaction():
        return actor_of(account_rows.get_account(actor.id), clock())


def arrive(people: Cast, clock: Clock) -> int:
    """One more request that comes to the experts."""
    return factories.in_review(people, clock.on(days=1), namespace_identifier=next(NAMES))


def test_requests_go_round_among_the_experts(people: Cast, clock: Clock) -> None:
    ellis, emery, lee = people.expert.id, people.second_expert.id, people.leader.id
    given = [have(arrive(people, clock)) for _ in range(6)]
    assert given == [[ellis, emery], [lee, ellis], [emery, lee]] * 2


def test_who_is_away_is_given_nothing_and_comes_first_when_back(people: Cast, clock: Clock) -> None:
    today = clock().date().isoformat()
    panel_membership.be_away(factories.command(people.expert, clock()), today, "2026-09-03")
    away = [have(arrive(people, clock)) for _ in range(2)]
    assert all(people.expert.id not in given for given in away)
    clock.on(days=2)
    assert people.expert.id in have(arrive(people, clock))


def test_an_absence_ends_early_for_who_is_back(people: Cast, clock: Clock) -> None:
    panel_membership.be_away(factories.command(people.expert, clock()), "2026-08-31", "2026-12-31")
    assert people.expert.id not in have(arrive(people, clock))
    (absence,) = panel_membership.standing_of(people.expert, clock()).absences
    with pytest.raises(NotFound):
        panel_membership.be_back(factories.command(people.second_expert, clock()), absence.id)
    panel_membership.be_back(factories.command(people.expert, clock()), absence.id)
    assert panel_membership.standing_of(people.expert, clock()).absences == ()
    assert people.expert.id in have(arrive(people, clock))


def test_an_absence_that_has_not_begun_is_taken_back_whole(people: Cast, clock: Clock) -> None:
    panel_membership.be_away(factories.command(people.expert, clock()), "2026-12-01", "2026-12-31")
    (absence,) = panel_membership.standing_of(people.expert, clock()).absences
    assert (absence.first.isoformat(), absence.last.isoformat()) == ("2026-12-01", "2026-12-31")
    panel_membership.be_back(factories.command(people.expert, clock()), absence.id)
    assert panel_membership.standing_of(people.expert, clock()).absences == ()


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2026-12-02", "2026-12-01"),
        ("soon", "later"),
        ("2026-01-01", "2026-01-02"),
        ("", ""),
        ("2026-W49-1", "2026-W49-2"),
        ("2026-12-01", "9999-12-31"),
    ],
)
def test_an_absence_that_cannot_be_is_refused(
    people: Cast, clock: Clock, first: str, last: str
) -> None:
    with pytest.raises(InvalidInput):
        panel_membership.be_away(factories.command(people.expert, clock()), first, last)


def test_who_passes_it_on_gives_it_to_the_next(people: Cast, clock: Clock) -> None:
    number = arrive(people, clock)
    factories.act(number, Action.PASS_ON, people.expert, clock(), iteration=1)
    assert have(number) == [people.second_expert.id, people.leader.id]
    factories.act(number, Action.TAKE_ON, people.expert, clock())
    assert people.expert.id in have(number)


def test_where_nobody_is_left_to_take_it_it_waits_and_anybody_can(
    people: Cast, clock: Clock
) -> None:
    number = arrive(people, clock)
    for expert in (people.leader, people.second_expert):
        factories.act(number, Action.RECUSE, expert, clock(), iteration=1, reason="My client.")
    factories.act(number, Action.PASS_ON, people.expert, clock(), iteration=1)
    assert have(number) == []
    with read_transaction():
        assert [row.number for row in expert_queue(people.expert, clock()).others] == [number]
        assert Action.TAKE_ON in show_request(number, people.expert, clock()).actions


def test_who_recuses_themselves_judges_it_no_more_and_is_told_why(
    people: Cast, clock: Clock
) -> None:
    number = arrive(people, clock)
    factories.act(number, Action.RECUSE, people.expert, clock(), iteration=1, reason="They pay me.")
    assert have(number) == [people.second_expert.id, people.leader.id]
    with read_transaction():
        page = show_request(number, people.expert, clock())
    assert page.expert is not None
    assert page.expert.conflicts == (ConflictOfInterest.RECUSED,)
    assert not {Action.REVIEW, Action.TAKE_ON} & set(page.actions)
    with pytest.raises(RoleMissing):
        factories.review(number, people.expert, Verdict.APPROVE, clock())
    told = page.story[0]
    assert (told.kind, told.reason) == ("recused", "They pay me.")


def test_who_shares_the_organization_or_declared_an_interest_is_given_nothing(
    people: Cast, clock: Clock
) -> None:
    panel_membership.belong(factories.command(people.expert, clock()), " quokka  SOCIETY ")
    panel_membership.declare_interest(factories.command(people.leader, clock()), "Quokka Society")
    number = arrive(people, clock)
    assert have(number) == [people.second_expert.id]
    with read_transaction():
        own = show_request(number, again(people.expert, clock), clock()).expert
        near = show_request(number, again(people.leader, clock), clock()).expert
    assert own is not None
    assert near is not None
    assert own.conflicts == (ConflictOfInterest.ORGANIZATION,)
    assert near.conflicts == (ConflictOfInterest.INTEREST,)
    ((ident, name),) = panel_membership.standing_of(people.leader, clock()).interests
    assert name == "Quokka Society"
    panel_membership.end_interest(factories.command(people.leader, clock()), ident)
    assert people.leader.id in have(arrive(people, clock))
    with pytest.raises(NotFound):
        panel_membership.end_interest(factories.command(people.leader, clock()), ident)


def test_a_review_counts_no_more_once_its_author_stands_too_near(
    people: Cast, clock: Clock
) -> None:
    number = arrive(people, clock)
    factories.review(number, people.expert, Verdict.APPROVE, clock())
    panel_membership.declare_interest(factories.command(people.expert, clock()), "Quokka Society")
    state = factories.review(number, people.second_expert, Verdict.APPROVE, clock())
    assert state is State.EXPERT_REVIEW, "one review that counts decides nothing"


def test_where_experts_contradict_each_other_it_is_the_leaders_turn(
    people: Cast, clock: Clock
) -> None:
    number = arrive(people, clock)
    factories.review(number, people.expert, Verdict.APPROVE, clock())
    assert people.leader.id not in have(number)
    factories.review(number, people.second_expert, Verdict.DECLINE, clock())
    with read_transaction():
        assert [row.number for row in expert_queue(people.leader, clock()).mine] == [number]
    assert factories.review(number, people.leader, Verdict.APPROVE, clock()) is State.ASSIGNABLE
    assert have(number) == [], "a decision ends it"


def mine(who: Actor, clock: Clock) -> list[int]:
    """What waits for an expert now."""
    with read_transaction():
        found = [row.number for row in expert_queue(again(who, clock), clock()).mine]
        assert len(found) == waiting_counts(again(who, clock)).review
        return found


def unread(clock: Clock) -> list[int]:
    """What no review is awaited for, by the operator's desk."""
    with read_transaction():
        return [row.number for row in operator_desk(clock()).unread]


def blocked(clock: Clock) -> list[int]:
    """The requests that no expert can decide, by the operator's desk."""
    with read_transaction():
        return [row.number for row in operator_desk(clock()).blocked]


def test_what_nobody_has_to_review_any_more_is_the_leaders_turn(people: Cast, clock: Clock) -> None:
    experts = (people.expert, people.second_expert)
    number = factories.for_a_standard(people, clock(), namespace_identifier=next(NAMES))
    assert mine(people.leader, clock) == unread(clock) == []
    for expert in experts:
        factories.review(number, expert, Verdict.APPROVE, clock())
    assert [mine(one, clock) for one in (*experts, people.leader)] == [[], [], [number]]
    assert unread(clock) == [number]
    report, decision = factories.REPORT, factories.DECISION
    factories.review_whole(number, people.leader, clock())
    factories.act(number, Action.REPORT, people.leader, clock(), iteration=1, details=report)
    assert mine(people.leader, clock) == unread(clock) == []
    factories.act(number, Action.NO_STANDARD, people.operator, clock(), details=decision)
    given = [one for one in (*experts, people.leader) if mine(one, clock) == [number]]
    assert len(given) == 2, "what was said for the report decides nothing"


def test_where_the_leader_steps_aside_from_a_contradiction_it_is_on_the_desk(
    people: Cast, clock: Clock
) -> None:
    number = arrive(people, clock)
    factories.review(number, people.expert, Verdict.APPROVE, clock())
    factories.review(number, people.second_expert, Verdict.DECLINE, clock())
    assert mine(people.leader, clock) == [number]
    factories.act(number, Action.RECUSE, people.leader, clock(), reason="A friend.", iteration=1)
    assert mine(people.leader, clock) == []
    assert blocked(clock) == [number]


def test_who_comes_to_stand_too_near_or_is_dismissed_gives_it_to_the_next(
    people: Cast, clock: Clock
) -> None:
    number = arrive(people, clock)
    assert have(number) == [people.expert.id, people.second_expert.id]
    panel_membership.declare_interest(factories.command(people.expert, clock()), "Quokka Society")
    assert have(number) == [people.second_expert.id, people.leader.id]
    with read_transaction():
        (ident,) = (a.id for a in panel_membership.panel() if a.email == people.second_expert.email)
    panel_membership.dismiss(factories.command(people.operator, clock()), ident, "Decision 8")
    assert have(number) == [people.leader.id]
    leader = again(people.leader, clock)
    panel_membership.belong(factories.command(leader, clock()), "quokka  society")
    assert have(number) == []
    assert blocked(clock) == [number]


def test_an_expert_of_one_table_has_nothing_to_do_with_the_other(
    people: Cast, clock: Clock
) -> None:
    factories.appointed(people, clock(), "tam@experts.example", INFORMAL.id)
    tam = factories.person("tam@experts.example", clock())
    formal = arrive(people, clock)
    informal = factories.in_review(people, clock(), informal=True)
    with read_transaction():
        found = expert_queue(tam, clock())
        assert Action.REVIEW not in show_request(formal, tam, clock()).actions
        assert Action.REVIEW in show_request(informal, tam, clock()).actions
    assert [row.number for row in (*found.mine, *found.others)] == [informal]
    with pytest.raises(RoleMissing):
        factories.review(formal, tam, Verdict.APPROVE, clock())


def conflict_all(people: Cast, clock: Clock) -> None:
    for expert in (people.expert, people.second_expert, people.leader):
        panel_membership.declare_interest(factories.command(expert, clock()), "Quokka Society")


def test_where_all_stand_too_near_a_temporary_expert_decides(people: Cast, clock: Clock) -> None:
    conflict_all(people, clock)
    number = arrive(people, clock)
    assert have(number) == []
    factories.act(number, Action.ESCALATE, people.leader, clock())
    decision = factories.DECISION | {"date": clock().date().isoformat()}
    for near in (people.registrant, people.expert):
        with pytest.raises(InvalidInput, match="also has a conflict"):
            given = decision | {"expert": near.email}
            factories.act(number, Action.ANSWER, people.operator, clock(), details=given)
    answered = decision | {"expert": "tam@experts.example"}
    factories.act(number, Action.ANSWER, people.operator, clock(), details=answered)
    tam = factories.person("tam@experts.example", clock())
    assert have(number) == [tam.id]
    with read_transaction():
        assert [row.number for row in expert_queue(tam, clock()).mine] == [number]
        other = factories.sent(people.registrant, clock(), namespace_identifier=next(NAMES))
        assert "tam@" not in str(show_request(number, None, clock()).story)
    with pytest.raises(EvidenceMissing):
        factories.act(number, Action.ESCALATE, people.operator, clock())
    assert factories.review(number, tam, Verdict.APPROVE, clock()) is State.ASSIGNABLE
    assert not panels_of(other, tam, clock)


def panels_of(number: int, actor: Actor, clock: Clock) -> bool:
    """Whether somebody is on the panel of a request."""
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return actor.id in {account.id for account in panel_evidence.panel_of(request, clock())}


def test_a_panel_is_as_wide_as_its_appointments_and_each_has_its_decision(
    people: Cast, clock: Clock
) -> None:
    ident = factories.appointed(people, clock(), "tam@experts.example", FORMAL.id)
    tam = factories.person("tam@experts.example", clock())
    number = arrive(people, clock)
    assert panels_of(number, tam, clock)
    newest = panel_membership.panel()[0]
    assert (newest.email, newest.decision, newest.registry) == (
        "tam@experts.example",
        "Decision 7",
        FORMAL.id,
    )
    assert newest.runs(clock())
    with pytest.raises(InvalidInput, match="already has this appointment"):
        factories.appointed(people, clock(), "tam@experts.example", FORMAL.id)
    panel_membership.dismiss(
        factories.command(people.operator, clock.on(days=1)), ident, "Decision 8"
    )
    assert not panels_of(number, tam, clock)
    assert not panel_membership.panel()[0].runs(clock())
    with pytest.raises(NotFound):
        panel_membership.dismiss(factories.command(people.operator, clock()), ident, "Decision 9")


def test_of_two_operators_who_appoint_or_dismiss_at_once_one_is_refused(
    people: Cast, clock: Clock
) -> None:
    # each command has the moment of its form; the one that waits for the other can be older
    older, newer = clock(), clock.on(minutes=1)
    given = ("tam@experts.example", "expert", FORMAL.id, "Decision 7")
    panel_membership.appoint(factories.command(people.operator, newer), *given)
    with pytest.raises(InvalidInput, match="already has this appointment"):
        panel_membership.appoint(factories.command(people.second_operator, older), *given)
    (ident,) = [one.id for one in panel_membership.panel() if one.email == given[0]]
    panel_membership.dismiss(
        factories.command(people.operator, clock.on(days=2)), ident, "Decision 8"
    )
    with pytest.raises(NotFound):
        command = factories.command(people.second_operator, clock.on(days=-1))
        panel_membership.dismiss(command, ident, "Decision 9")


def test_two_operators_who_dismiss_an_expert_at_one_moment_leave_one_event(
    app: Flask, people: Cast, clock: Clock
) -> None:
    ident = factories.appointed(people, clock(), "tam@experts.example", FORMAL.id)
    both = people.operator, people.second_operator
    clock.on(minutes=1)
    commands = [factories.command(one, clock()) for one in both]
    works = [partial(panel_membership.dismiss, one, ident, "Decision 8") for one in commands]
    done, refused = split(at_once(app, *works))
    assert (len(done), [type(error) for error in refused]) == (1, [NotFound])


@pytest.mark.parametrize(
    ("role", "registry", "decision"),
    [("operator", "", "D"), ("expert", "nowhere", "D"), ("expert", "", " ")],
)
def test_an_appointment_names_what_there_is_and_its_decision(
    people: Cast, clock: Clock, role: str, registry: str, decision: str
) -> None:
    given = ("tam@experts.example", role, registry, decision)
    with pytest.raises(InvalidInput):
        panel_membership.appoint(factories.command(people.operator, clock()), *given)


def test_only_the_operator_appoints_and_only_an_expert_declares(people: Cast, clock: Clock) -> None:
    with pytest.raises(NotAllowed):
        panel_membership.dismiss(factories.command(people.leader, clock()), 1, "D")
    with pytest.raises(NotAllowed):
        panel_membership.belong(factories.command(people.registrant, clock()), "Quokkas")
    with pytest.raises(InvalidInput):
        panel_membership.belong(factories.command(people.expert, clock()), "Q" * 201)
    with pytest.raises(InvalidInput):
        panel_membership.declare_interest(factories.command(people.expert, clock()), " ")
    with pytest.raises(InvalidInput):
        panel_membership.dismiss(factories.command(people.operator, clock()), 1, " ")


def test_in_a_registry_of_one_person_the_author_is_given_the_review(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    alone = ProcedureSettings(separation=SeparationOfDuties(people=1))
    number = factories.sent(people.expert, clock())
    with transaction():
        request = request_rows.find_request(number)
        assert request is not None
        panel_membership.give(request, clock(), alone.separation, 1)
    assert have(number) == [people.expert.id]


def test_notes_are_for_operators_and_the_record_has_only_that_there_is_one(
    people: Cast, clock: Clock
) -> None:
    number = factories.sent(people.registrant, clock())
    comments.note(factories.command(people.operator, clock()), number, "Ring them.")
    assert [note.body for note in comments.notes_of(number, people.second_operator)] == [
        "Ring them."
    ]
    assert comments.notes_of(number, people.expert) == ()
    with read_transaction():
        assert "noted" not in [told.kind for told in show_request(number, None, clock()).story]
    with pytest.raises(NotAllowed):
        comments.note(factories.command(people.expert, clock()), number, "Hello.")
    with pytest.raises(InvalidInput):
        comments.note(factories.command(people.operator, clock()), number, " ")
    with pytest.raises(NotFound):
        comments.note(factories.command(people.operator, clock()), 999, "Hello.")


def test_words_are_kept_for_again_under_a_title(people: Cast, clock: Clock) -> None:
    for body in ("Say more.", "Say much more."):
        comments.keep_reply_text(factories.command(people.operator, clock()), "More", body)
    assert comments.reply_texts(people.operator) == (comments.SavedReply("More", "Say much more."),)
    assert comments.reply_texts(people.registrant) == ()
    comments.remove_reply_text(factories.command(people.operator, clock()), "More")
    assert comments.reply_texts(people.operator) == ()
    with pytest.raises(NotFound):
        comments.remove_reply_text(factories.command(people.operator, clock()), "More")
    for title, body in (("", "Words"), ("More", ""), ("x" * 201, "Words")):
        with pytest.raises(InvalidInput):
            comments.keep_reply_text(factories.command(people.operator, clock()), title, body)
