"""The moves as the procedures tell them, written by hand and without a look at the tables.

A line is: source | action | role | procedures | purposes | evidence | target. Procedures are
c (community), s (standards action), f (fast track), i (informal); purposes are n (new) and
r (revision). ``[x]`` behind With Requester, as a source: a resubmission goes back to x; as
a target: it will. ``{x}`` behind a target: the procedure afterwards.

No row leads a fast track to the experts' escalation any more. Requests that stood there when the
software was upgraded go on from there.
"""

from dataclasses import dataclass
from itertools import product

from app.registration.declarations.registries import Procedure
from app.registration.records.registry_records import Purpose
from app.workflow.states import Action, Role, State
from app.workflow.transitions import Evidence

MOVES = """
- | start | registrant | csfi | n | | draft
- | revise | registrant | csfi | r | authorised fixed-name base-version | draft
draft | submit | registrant | csfi | nr | hard-rules procedure standard-answer posted | new
draft | discard | registrant | csfi | nr | | same
new | take | operator | csfi | nr | | validating-request

validating-request | pass | operator | cs | n | hard-rules no-party | expert-review
validating-request | pass | operator | i | n | hard-rules no-name no-party | expert-review
validating-request | pass | operator | csi | r | hard-rules differences no-party | expert-review
validating-request | pass | operator | f | n | hard-rules specification authorization recognized \
    no-party \
    | expert-review
validating-request | pass | operator | f | r | hard-rules specification authorization recognized \
    differences no-party | expert-review
validating-request | ask-recognition | operator | f | n | hard-rules specification authorization \
    not-recognized no-party | iesg-recognition
validating-request | ask-recognition | operator | f | r | hard-rules specification authorization \
    not-recognized differences no-party | iesg-recognition
validating-request | return | operator | csfi | nr | reason | with-requester[validating-request]
validating-request | decline | operator | csfi | nr | rule reason no-party | declined

expert-review | review | expert | csfi | nr | current no-conflict checks-answered relation | same
expert-review | take-on | expert | csfi | nr | no-conflict | same
expert-review | recuse | expert | csfi | nr | current reason | same
expert-review | pass-on | expert | csfi | nr | current | same
expert-review | return | expert | csi | nr | comments current no-conflict | \
    with-requester[expert-review]
expert-review | approve | outcome | ci | nr | reviews current no-conflict | target*
expert-review | report | leader | s | nr | report body reviewed questions-answered current \
    no-conflict | iesg-standard
expert-review | report | expert | s | nr | report body reviewed questions-answered no-leader \
    current no-conflict | iesg-standard
expert-review | decline | outcome | ci | nr | reason reviews current no-conflict | declined
expert-review | complete | representative | f | nr | specification posted hard-rules | target*
with-requester[expert-review] | complete | representative | f | nr | specification posted \
    hard-rules | target*
iesg-experts | complete | representative | f | nr | specification posted hard-rules | target*
expert-review | escalate | leader operator | csi | nr | deadlock | iesg-experts
expert-review | escalate | leader operator | csi | nr | all-conflicted | iesg-experts
expert-review | escalate | leader operator | ci | nr | too-few-able | iesg-experts
expert-review | escalate | leader operator | s | nr | no-leader | iesg-experts
expert-review | escalate | leader operator | csi | nr | no-answer | iesg-experts

with-requester[expert-review] | resubmit | registrant | csfi | nr | new-iteration posted \
    hard-rules | expert-review
with-requester[validating-request] | resubmit | registrant | csfi | nr | new-iteration posted \
    hard-rules | validating-request
with-requester | remind | operator | csfi | nr | silence | same
with-requester | lapse | operator | csi | nr | reminders silence | withdrawn
validating-request expert-review with-requester | merge | operator | csfi | nr | \
    duplicate no-party | withdrawn

validating-request expert-review with-requester | ask-procedure | registrant | csf | nr | \
    reason other-procedure | same
validating-request expert-review with-requester | ask-procedure | registrant | i | n | \
    reason other-procedure | same
validating-request expert-review with-requester | drop-procedure | registrant | csf | nr | \
    asked | same
validating-request expert-review with-requester | drop-procedure | registrant | i | n | \
    asked | same
validating-request expert-review with-requester | refuse-procedure | operator | csf | nr | \
    asked reason no-party | same
validating-request expert-review with-requester | refuse-procedure | operator | i | n | \
    asked reason no-party | same
validating-request expert-review with-requester | change-procedure | operator | csf | nr | \
    asked reason other-procedure no-party | validating-request{asked}
validating-request expert-review with-requester | change-procedure | operator | i | n | \
    asked reason other-procedure no-party | validating-request{asked}

iesg-recognition | recognize | operator | f | nr | decision reference date no-party \
    | expert-review
iesg-recognition | refuse-recognition | operator | f | nr | decision reference date no-party | \
    validating-request{community}
iesg-standard | direct | operator | s | nr | directions report reference date no-party | target*
iesg-standard | ask-changes | operator | s | nr | reference date no-party \
    | with-requester[expert-review]
iesg-standard | refuse | operator | s | nr | reference date no-party | declined
iesg-standard | no-standard | operator | s | nr | reference date no-party \
    | expert-review{community}
iesg-experts | answer | operator | csfi | nr | explanation reference date no-party | expert-review
iesg-experts | answer | operator | csfi | nr | temporary-expert reference date no-party \
    | expert-review

declined | appeal | registrant | csfi | nr | grounds in-period first-appeal | iesg-appeal-1
declined | appeal-to-iab | registrant | csfi | nr | grounds in-period first-appeal appeal-upheld \
    | iesg-appeal-2
iesg-appeal-1 iesg-appeal-2 | overturn | operator | csfi | nr | decision reference date no-party \
    not-judged | expert-review
iesg-appeal-1 iesg-appeal-2 | overturn-and-approve | operator | csfi | nr | decision reference \
    date no-party not-judged | target*
iesg-appeal-1 iesg-appeal-2 | uphold | operator | csfi | nr | decision reference date no-party \
    not-judged | declined

assignable | register | operator | csf | n | hard-rules name-free first-sent other-person | assigned
assignable | register | operator | i | n | hard-rules number other-person | assigned
assignable | collision | operator | csf | n | name-taken | with-requester[validating-request]
modifiable | register | operator | csfi | r | hard-rules base-latest authority other-person | \
    modified
modifiable | stale | operator | csfi | r | newer-version | with-requester[validating-request]
assignable | send-on | operator | csfi | n | proposes not-sent-on day ticket | same
modifiable | send-on | operator | csfi | r | proposes not-sent-on day ticket | same
assignable | enter-answer | operator | csfi | n | sent-on day explanation | same
modifiable | enter-answer | operator | csfi | r | sent-on day explanation | same
assignable | enter-registration | operator | csfi | n | sent-on day ticket no-party | same
modifiable | enter-registration | operator | csfi | r | sent-on day ticket no-party | same
assignable | enter-refusal | operator | csfi | n | sent-on day decision no-party | declined
modifiable | enter-refusal | operator | csfi | r | sent-on day decision no-party | declined
assignable | reopen | leader | csi | n | reason | expert-review
assignable | reopen | operator | csfi | n | reason no-party | expert-review
modifiable | reopen | leader | csi | r | reason | expert-review
modifiable | reopen | operator | csfi | r | reason no-party | expert-review

new validating-request with-requester expert-review iesg-experts | withdraw | registrant | csfi \
    | nr | | withdrawn
iesg-recognition | withdraw | registrant | f | nr | | withdrawn
iesg-standard | withdraw | registrant | s | nr | | withdrawn
assignable | withdraw | registrant | csfi | n | | withdrawn
modifiable | withdraw | registrant | csfi | r | | withdrawn
iesg-appeal-1 iesg-appeal-2 | withdraw | registrant | csfi | nr | | declined

new validating-request expert-review iesg-experts iesg-appeal-1 iesg-appeal-2 | raise-delay | \
    registrant | csi | nr | overdue not-flagged | same
iesg-standard | raise-delay | registrant | s | nr | overdue not-flagged | same
assignable | raise-delay | registrant | csi | n | overdue not-flagged | same
modifiable | raise-delay | registrant | csi | r | overdue not-flagged | same

declined withdrawn | copy | registrant | csfi | nr | | same
assigned | correct | operator | csfi | n | reason | same
assigned | replace | operator | csfi | n | reason replacement | same
assigned | note-dispute | operator | csfi | n | court-reference | same
assigned | note-appeal | operator | csfi | n | grounds | same
assigned | settle | operator | csfi | n | outcome effect reference date | same
modified | correct | operator | csfi | r | reason | same
modified | replace | operator | csfi | r | reason replacement | same
modified | note-dispute | operator | csfi | r | court-reference | same
modified | note-appeal | operator | csfi | r | grounds | same
modified | settle | operator | csfi | r | outcome effect reference date | same
"""


PROCEDURES = {
    "c": Procedure.COMMUNITY,
    "s": Procedure.STANDARDS_ACTION,
    "f": Procedure.FAST_TRACK,
    "i": Procedure.INFORMAL,
}
PURPOSES = {"n": Purpose.NEW, "r": Purpose.REVISION}
APPROVED = {Purpose.NEW: State.ASSIGNABLE, Purpose.REVISION: State.MODIFIABLE}
RETURNS = (State.VALIDATING_REQUEST, State.EXPERT_REVIEW)


@dataclass(frozen=True, kw_only=True)
class Expected:
    """One move, spelled out for one procedure, purpose, state and role."""

    procedure: Procedure
    purpose: Purpose
    source: State | None
    kept: State | None
    action: Action
    role: Role
    evidence: frozenset[Evidence]
    target: State
    returns_to: State | None
    becomes: str


def read(moves: str = MOVES) -> tuple[Expected, ...]:
    """Every line of the moves, multiplied out."""
    lines = (line for line in moves.splitlines() if line)
    return tuple(move for line in lines for move in _moves(line))


def _moves(line: str) -> list[Expected]:
    sources, action, roles, procedures, purposes, evidence, goal = map(str.strip, line.split("|"))
    place, becomes = goal.rstrip("}").split("{") if "{" in goal else (goal, "")
    found = []
    for (source, kept), role, procedure, purpose in product(
        (pair for word in sources.split() for pair in _sources(word)),
        roles.split(),
        (PROCEDURES[letter] for letter in procedures),
        (PURPOSES[letter] for letter in purposes),
    ):
        target, returns_to = _target(place, source, kept, purpose)
        found.append(
            Expected(
                procedure=procedure,
                purpose=purpose,
                source=source,
                kept=kept,
                action=Action(action),
                role=Role(role),
                evidence=frozenset(map(Evidence, evidence.split())),
                target=target,
                returns_to=returns_to,
                becomes=becomes,
            )
        )
    return found


def _bracketed(word: str) -> tuple[State, State | None]:
    name, _, kept = word.rstrip("]").partition("[")
    return State(name), State(kept) if kept else None


def _sources(word: str) -> list[tuple[State | None, State | None]]:
    if word == "-":
        return [(None, None)]
    state, kept = _bracketed(word)
    if state is State.WITH_REQUESTER and kept is None:
        return [(state, back) for back in RETURNS]
    return [(state, kept)]


def _target(
    place: str, source: State | None, kept: State | None, purpose: Purpose
) -> tuple[State, State | None]:
    if place == "same":
        assert source is not None
        return source, kept
    return (APPROVED[purpose], None) if place == "target*" else _bracketed(place)
