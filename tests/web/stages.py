"""Requests brought to where a row of the procedures begins, by the moves that lead there."""

from collections.abc import Callable, Mapping
from contextvars import Context
from dataclasses import dataclass, field, replace
from itertools import count, product
from typing import Any

from flask import Flask

from app.registration.declarations.registries import FORMAL, INFORMAL, DeclaredProcedure, Procedure
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor, actor_of
from app.services.experts import panel_membership
from app.services.requests import drafts
from app.store.accounts import expert_panels
from app.store.database import read_transaction, transaction
from app.store.event_log import event_rows
from app.store.requests import draft_rows, iteration_rows, request_rows
from app.store.tables.accounts import Grant
from app.workflow.evidence import Evidence
from app.workflow.reviews import Verdict
from app.workflow.states import Action, IanaState, Role, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.web.visitor import Page, Visitor

A, E, P, S = Action, Evidence, Procedure, State

_SPELLINGS = ("".join(letters) for letters in product("bcdfghk", repeat=5))  # none reads alike
NAMES = ("stage" + letters for letters in _SPELLINGS)
_ORGANIZATIONS = (f"Organization {n}" for n in count(1))


@dataclass
class Stage:
    """A request, everybody who has to do with it, and what a form would give."""

    app: Flask
    people: Cast
    clock: Clock
    procedure: DeclaredProcedure
    organization: str = field(default_factory=lambda: next(_ORGANIZATIONS))
    name: str = field(default_factory=lambda: next(NAMES))
    number: int = 0
    details: dict[str, str] = field(default_factory=dict)
    other: str = ""

    # ---- by the services

    def do(self, action: Action, who: Actor, **given: Any) -> State:
        """Take a move that leads on."""
        self.clock.on(minutes=1)
        values = {"iteration": self.iterations, "reason": "Because.", "details": self.details}
        return factories.act(self.number, action, who, self.clock(), **(values | given))

    def decide(self, action: Action) -> State:
        """Enter what a body decided."""
        details = factories.DECISION | {"date": self.clock().date().isoformat()}
        denied = self.state in (S.IESG_APPEAL_1, S.IESG_APPEAL_2)  # by the other one, perhaps
        who = self.people.second_operator if denied else self.people.operator
        return self.do(action, who, details=details)

    def review(self, who: Actor, verdict: Verdict) -> State:
        """Review the newest text."""
        self.clock.on(minutes=1)
        return factories.review(self.number, who, verdict, self.clock())

    def report(self) -> State:
        """Let the leader review the newest text, answer every question and report."""
        self.clock.on(minutes=1)
        factories.review_whole(self.number, self.people.leader, self.clock())
        return self.do(A.REPORT, self.people.leader, details=factories.REPORT)

    def write(self, **fields: str) -> None:
        """Change the draft."""
        factories.change_text(self.number, self.people.registrant, self.clock(), **fields)

    def change(self, **columns: Any) -> None:
        """Put the request into a state that no move leads to here."""
        factories.change_request(self.number, **columns)

    @property
    def iterations(self) -> int:
        """How many texts were sent."""
        with read_transaction():
            return len(iteration_rows.iterations_of(self.number))

    @property
    def state(self) -> State:
        """Where it stands."""
        with read_transaction():
            request = request_rows.find_request(self.number)
            assert request is not None
            return State(request.state)

    @property
    def kinds(self) -> list[str]:
        """What happened, oldest first."""
        with read_transaction():
            return [event.kind for event in event_rows.of_request(self.number)]

    # ---- by the web

    def visitor(self, who: Actor) -> Visitor:
        """Somebody with a browser."""
        return Visitor(self.app, sign_in.enter_as(who.email, self.clock()).token)

    def send(self, action: Action, who: Actor, fields: Mapping[str, str] | None = None) -> Page:
        """Send the form of an action as its page would."""
        path, own = way(action, self.number)
        if action is A.RESUBMIT:
            own |= {f"answer_{key}": "changed" for key in factories.replies(self.number)}
        given = {**self.fields(), **own, **(fields or {})}
        visitor = self.visitor(who)
        # outside the context of the test, where everybody would be taken for the first
        return Context().run(lambda: visitor.post(path, given))

    def get(self, path: str, who: Actor) -> Page:
        """A page as somebody sees it."""
        visitor = self.visitor(who)
        return Context().run(lambda: visitor.get(path))

    def post(self, path: str, who: Actor, fields: Mapping[str, str]) -> Page:
        """Send a form that is no action on the request."""
        visitor, given = self.visitor(who), {**self.fields(), **fields}
        return Context().run(lambda: visitor.post(path, given))

    def fields(self) -> dict[str, str]:
        """What every form of a request holds."""
        seen = factories.lock_of(self.number)
        keys = {"lock_version": str(seen), "key": factories.key()}
        return keys | {"iteration": str(self.iterations)}


class Office:
    """The registry at work, its people, and the time of the test."""

    def __init__(self, app: Flask, people: Cast, clock: Clock) -> None:
        self.app, self.people, self.clock = app, people, clock

    def begin(self, procedure: DeclaredProcedure = P.COMMUNITY) -> Stage:
        """A draft of its own that is filled in."""
        return begin(self.app, self.people, self.clock, procedure)

    def of(self, number: int) -> Stage:
        """A request that is there already."""
        return Stage(self.app, self.people, self.clock, P.COMMUNITY, number=number)

    def at(self, state: State, procedure: DeclaredProcedure = P.COMMUNITY) -> Stage:
        """A request of its own that stands there."""
        stage = self.begin(procedure)
        TO[state, S.EXPERT_REVIEW if state is S.WITH_REQUESTER else None](stage)
        assert stage.state is state
        return stage

    def set(self, **settings: Any) -> None:
        """Run the registry by other settings."""
        extensions = self.app.extensions
        extensions["settings"] = replace(extensions["settings"], **settings)


def way(action: Action, number: int) -> tuple[str, dict[str, str]]:
    """Where the form of an action is sent, and what it holds of its own."""
    if action in (A.SUBMIT, A.RESUBMIT):
        return f"/requests/{number}/check", {"sending": action.value}
    if action in (A.REVIEW, A.APPROVE):
        return f"/review/{number}", {"verdict": "comment" if action is A.REVIEW else "approve"}
    if action is A.REGISTER:
        return f"/desk/{number}/register", {"reference": "RFC 8141"}
    return f"/requests/{number}/{action}", {}


def give(stage: Stage, who: Actor) -> None:
    """Give a request to one expert alone."""
    with transaction():
        expert_panels.end_assignments(stage.number, stage.clock())
        expert_panels.assign(stage.number, who.id, stage.clock())


# ---- to a state


def begin(app: Flask, people: Cast, clock: Clock, procedure: DeclaredProcedure) -> Stage:
    """A draft that is filled in."""
    stage = Stage(app, people, clock, procedure)
    informal = procedure is P.INFORMAL
    stage.number = drafts.start(
        factories.command(people.registrant, clock()),
        (INFORMAL if informal else FORMAL).id,
        procedure=P.FAST_TRACK if procedure is P.FAST_TRACK else None,
    )
    saving = drafts.DraftInput(
        fields=factories.template(namespace_identifier="" if informal else stage.name),
        private={},
        organization=stage.organization,
        standard=None if informal else procedure is P.STANDARDS_ACTION,
        profile=factories.TITLED,
    )
    drafts.save(factories.command(people.registrant, clock(), seen=1), stage.number, saving)
    return stage


def begin_revision(app: Flask, people: Cast, clock: Clock, procedure: DeclaredProcedure) -> Stage:
    """A draft that changes a name that was registered before."""
    first = begin(app, people, clock, P.COMMUNITY)
    _register(first)
    stage = Stage(app, people, clock, procedure, first.organization, first.name)
    stage.number = factories.revision(people.registrant, clock(), first.name)
    saving = drafts.DraftInput(
        fields={"purpose": "More names."},
        private={},
        organization=stage.organization,
        standard=procedure is P.STANDARDS_ACTION,
    )
    with read_transaction():
        seen = draft_rows.get_draft(stage.number).lock_version
    drafts.save(factories.command(people.registrant, clock(), seen=seen), stage.number, saving)
    stage.change(procedure=procedure)
    return stage


def register_another(stage: Stage) -> None:
    """Let another revision of the name be registered meanwhile."""
    number = factories.modifiable(stage.people, stage.clock(), stage.name, purpose="Others.")
    at = stage.clock.on(minutes=1)
    factories.act(number, A.REGISTER, stage.people.operator, at, reference=factories.REFERENCE)


def _submit(stage: Stage) -> None:
    stage.do(A.SUBMIT, stage.people.registrant)


def _take(stage: Stage) -> None:
    _submit(stage)
    stage.do(A.TAKE, stage.people.operator)


def _pass(stage: Stage) -> None:
    _take(stage)
    if stage.procedure is P.FAST_TRACK:
        recognize(stage)
    stage.do(A.PASS, stage.people.operator)


def _return_unchecked(stage: Stage) -> None:
    _take(stage)
    stage.do(A.RETURN, stage.people.operator)


def _return_reviewed(stage: Stage) -> None:
    _pass(stage)
    if stage.procedure is P.FAST_TRACK:  # no move of its own leads there
        stage.change(state=S.WITH_REQUESTER, returns_to=S.EXPERT_REVIEW, since=stage.clock())
    else:
        stage.review(stage.people.expert, Verdict.RETURN)


def _approve(stage: Stage) -> None:
    _pass(stage)
    if stage.procedure is P.FAST_TRACK:
        stage.do(A.COMPLETE, stage.people.rival)
    elif stage.procedure is P.STANDARDS_ACTION:
        stage.report()
        stage.decide(A.DIRECT)
    else:
        stage.review(stage.people.leader, Verdict.APPROVE)


def _register(stage: Stage) -> None:
    _approve(stage)
    stage.do(A.REGISTER, stage.people.operator, reference=factories.REFERENCE)


def _withdraw(stage: Stage) -> None:
    _submit(stage)
    stage.do(A.WITHDRAW, stage.people.registrant)


def _decline(stage: Stage) -> None:
    if stage.procedure is P.FAST_TRACK:
        _take(stage)
        stage.do(A.DECLINE, stage.people.operator, details={"rule": "name-taken"})
    elif stage.procedure is P.STANDARDS_ACTION:
        _report(stage)
        stage.decide(A.REFUSE)
    else:
        _pass(stage)
        stage.review(stage.people.leader, Verdict.DECLINE)


def _ask_recognition(stage: Stage) -> None:
    _take(stage)
    stage.do(A.ASK_RECOGNITION, stage.people.operator)


def _report(stage: Stage) -> None:
    _pass(stage)
    stage.report()


def _escalate(stage: Stage) -> None:
    _pass(stage)
    if stage.procedure is P.FAST_TRACK:  # where older software led it
        stage.change(state=S.IESG_EXPERTS, since=stage.clock())
    else:
        deadlock(stage)
        stage.do(A.ESCALATE, stage.people.operator)


def _appeal(stage: Stage) -> None:
    _decline(stage)
    stage.do(A.APPEAL, stage.people.registrant)


def _appeal_again(stage: Stage) -> None:
    _appeal(stage)
    stage.decide(A.UPHOLD)
    stage.do(A.APPEAL_TO_IAB, stage.people.registrant)


Way = Callable[[Stage], object]

TO: Mapping[tuple[State, State | None], Way] = {
    (S.DRAFT, None): lambda _: None,
    (S.NEW, None): _submit,
    (S.VALIDATING_REQUEST, None): _take,
    (S.EXPERT_REVIEW, None): _pass,
    (S.WITH_REQUESTER, S.VALIDATING_REQUEST): _return_unchecked,
    (S.WITH_REQUESTER, S.EXPERT_REVIEW): _return_reviewed,
    (S.ASSIGNABLE, None): _approve,
    (S.ASSIGNED, None): _register,
    (S.MODIFIABLE, None): _approve,
    (S.MODIFIED, None): _register,
    (S.DECLINED, None): _decline,
    (S.WITHDRAWN, None): _withdraw,
    (S.IESG_RECOGNITION, None): _ask_recognition,
    (S.IESG_STANDARD, None): _report,
    (S.IESG_EXPERTS, None): _escalate,
    (S.IESG_APPEAL_1, None): _appeal,
    (S.IESG_APPEAL_2, None): _appeal_again,
}


# ---- to what a move has to show


def recognize(stage: Stage) -> None:
    """Recognize the organization; the rival speaks for it."""
    factories.recognized(stage.people, stage.clock(), stage.organization, stage.people.rival.email)


def deadlock(stage: Stage) -> None:
    """Let two experts contradict each other, so that nobody's review is the leader's."""
    stage.review(stage.people.expert, Verdict.APPROVE)
    stage.review(stage.people.second_expert, Verdict.DECLINE)


def conflict_all(stage: Stage) -> None:
    """Let every expert stand too near."""
    for expert in _panel(stage):
        conflict(stage, expert)


def conflict_all_but_one(stage: Stage) -> None:
    """Let one expert be left, who cannot decide it alone."""
    for expert in _panel(stage):
        if expert.id != stage.people.expert.id:
            conflict(stage, expert)


def recuse_leaders(stage: Stage) -> None:
    """Let every lead expert recuse themselves."""
    for expert in _panel(stage):
        if Grant.LEADER in expert.grants:
            stage.do(A.RECUSE, expert, reason="I know them.")


def _panel(stage: Stage) -> list[Actor]:
    with read_transaction():
        panel = expert_panels.members_of(FORMAL.id, stage.clock())
        return [actor_of(account, stage.clock()) for account in panel]


def answer_all(stage: Stage) -> None:
    """Let an expert answer every question, as advice alone."""
    stage.clock.on(minutes=1)
    second = stage.people.second_expert
    factories.review_whole(stage.number, second, stage.clock(), Verdict.COMMENT)


def conflict(stage: Stage, expert: Actor) -> None:
    """Let an expert declare an interest in the organization."""
    panel_membership.declare_interest(factories.command(expert, stage.clock()), stage.organization)


def remind(stage: Stage) -> None:
    """Remind the registrant twice, and wait."""
    for _ in range(2):
        stage.clock.on(days=8)
        stage.do(A.REMIND, stage.people.operator)


def wait(stage: Stage, days: int = 8) -> None:
    """Let days pass."""
    stage.clock.on(days=days)


def ask_procedure(stage: Stage) -> None:
    """Let the registrant ask for another procedure."""
    stage.do(A.ASK_PROCEDURE, stage.people.registrant, details=another(stage))


def another(stage: Stage) -> dict[str, str]:
    """A procedure other than the present one."""
    chosen = P.COMMUNITY if stage.procedure is P.FAST_TRACK else P.FAST_TRACK
    return {"procedure": chosen.value}


def duplicate(stage: Stage) -> None:
    """Let the registrant ask for the same once more."""
    twin = Stage(stage.app, stage.people, stage.clock, stage.procedure)
    twin.name = stage.name
    made = begin_named(twin)
    stage.other = str(made.number)


def begin_named(stage: Stage) -> Stage:
    """Send a request for a name that is given."""
    made = begin(stage.app, stage.people, stage.clock, stage.procedure)
    if made.procedure is not P.INFORMAL:
        made.name = stage.name
        made.write(namespace_identifier=stage.name)
    made.do(A.SUBMIT, stage.people.registrant)
    return made


def take_the_name(stage: Stage) -> None:
    """Let somebody else register the name first."""
    given = {"namespace_identifier": stage.name}
    number = factories.sent(stage.people.rival, stage.clock(), **given)
    factories.change_request(number, state=S.ASSIGNABLE)
    how: dict[str, Any] = {
        "reference": factories.REFERENCE,
        "details": {"priority": "They are older."},
    }
    factories.act(number, A.REGISTER, stage.people.operator, stage.clock(), **how)


def uphold(stage: Stage) -> None:
    """Let the IESG uphold the denial."""
    stage.do(A.APPEAL, stage.people.registrant)
    stage.decide(A.UPHOLD)


def propose(stage: Stage) -> None:
    """Let the registry only prepare what another registers."""
    extensions = stage.app.extensions
    extensions["settings"] = replace(extensions["settings"], authority="proposal")


def send_on(stage: Stage) -> None:
    """Let the request have gone on to IANA today."""
    stage.change(iana_state=IanaState.SENT, iana_day=stage.clock().date().isoformat())


PREPARE: Mapping[Evidence, Way] = {
    E.PROPOSES: propose,
    E.SENT_ON: send_on,
    E.RECOGNIZED: recognize,
    E.NEW_ITERATION: lambda stage: stage.write(purpose="Better."),
    E.DEADLOCK: deadlock,
    E.REVIEWED: lambda stage: stage.review(stage.people.second_expert, Verdict.APPROVE),
    E.QUESTIONS_ANSWERED: answer_all,
    E.ALL_CONFLICTED: conflict_all,
    E.TOO_FEW_ABLE: conflict_all_but_one,
    E.NO_LEADER: recuse_leaders,
    E.NO_ANSWER: lambda stage: wait(stage, 60),
    E.REMINDERS: remind,
    E.SILENCE: wait,
    E.OVERDUE: lambda stage: wait(stage, 400),
    E.ASKED: ask_procedure,
    E.DUPLICATE: duplicate,
    E.NAME_TAKEN: take_the_name,
    E.NEWER_VERSION: register_another,
    E.APPEAL_UPHELD: uphold,
}


def actor_for(stage: Stage, role: Role) -> Actor:
    """Somebody who is that toward the request."""
    people = stage.people
    return {
        Role.REGISTRANT: people.registrant,
        Role.OPERATOR: people.operator,
        Role.EXPERT: people.expert,
        Role.LEADER: people.leader,
        Role.REPRESENTATIVE: people.rival,
        Role.OUTCOME: people.leader,
    }[role]
