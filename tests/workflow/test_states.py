"""The words of the workflow."""

import re

from app.workflow.evidence import Evidence
from app.workflow.states import Action, Role, State, Turn

IANA = {
    "New",
    "Validating Request",
    "With Requester",
    "Expert Review",
    "IESG Escalation",
    "Assignable",
    "Assigned",
    "Modifiable",
    "Modified",
}
OURS = {"Draft", "Declined", "Withdrawn"}


def test_the_words_of_the_states_are_the_published_ones_and_three_of_our_own() -> None:
    assert {state.word for state in State} == IANA | OURS


def test_who_does_not_know_ianas_words_is_told_a_plain_one_first() -> None:
    assert State.VALIDATING_REQUEST.words == "Being checked (Validating Request)"
    assert State.WITH_REQUESTER.words == "Waiting for registrant (With Requester)"
    assert State.EXPERT_REVIEW.words == "Expert Review"
    assert "Requester" not in "".join(state.plain for state in State)


def test_the_names_of_the_states_say_their_words() -> None:
    for state in State:
        if state.turn is not Turn.IESG:
            assert state.value == state.word.lower().replace(" ", "-")


def test_what_the_iesg_is_asked_is_said_there_and_only_there() -> None:
    asked = [state for state in State if state.question]
    assert {state.word for state in asked} == {"IESG Escalation"}
    assert len({state.question for state in asked}) == len(asked) == 5


def test_nobody_has_the_turn_in_a_final_state_and_somebody_in_every_other() -> None:
    final = {State.ASSIGNED, State.MODIFIED, State.DECLINED, State.WITHDRAWN}
    assert {state for state in State if state.is_final} == final
    assert {state for state in State if state.turn is Turn.NOBODY} == final
    assert {state.turn for state in State} == set(Turn) - {Turn.IANA}, "no state is of IANA"


def test_whose_turn_it_is() -> None:
    turns = {turn: {state for state in State if state.turn is turn} for turn in Turn}
    assert turns[Turn.REGISTRANT] == {State.DRAFT, State.WITH_REQUESTER}
    assert turns[Turn.EXPERTS] == {State.EXPERT_REVIEW}
    assert turns[Turn.OPERATOR] == {
        State.NEW,
        State.VALIDATING_REQUEST,
        State.ASSIGNABLE,
        State.MODIFIABLE,
    }


def test_only_a_draft_is_private_and_only_two_states_are_in_the_registry() -> None:
    assert [state for state in State if state.is_private] == [State.DRAFT]
    assert [state for state in State if state.is_registered] == [State.ASSIGNED, State.MODIFIED]


def test_every_name_fits_into_a_url_as_it_is() -> None:
    for name in (*State, *Action, *Role, *Turn, *Evidence):
        assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", name)


def test_no_two_actions_leave_the_same_kind_of_event() -> None:
    assert len({action.past for action in Action}) == len(Action)


def test_every_action_has_a_button_and_every_role_a_phrase() -> None:
    assert Action.PASS_ON.label == "Pass on"
    assert Action.APPEAL_TO_IAB.label == "Appeal to the IAB"
    assert len({action.label for action in Action}) == len(Action)
    assert all(role.label.startswith(("the ", "a ")) for role in Role)


def test_names_are_found_by_their_value() -> None:
    assert State("expert-review") is State.EXPERT_REVIEW
    assert Action("pass-on") is Action.PASS_ON
    assert f"{State.NEW}" == "new"


def test_every_piece_of_evidence_has_a_sentence_of_its_own_that_ends() -> None:
    assert len({evidence.sentence for evidence in Evidence}) == len(Evidence)
    assert all(re.fullmatch(r"[A-Z].*\.", evidence.sentence) for evidence in Evidence)
