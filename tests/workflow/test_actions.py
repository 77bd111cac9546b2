"""Actions: each is one row, and whatever a row names is there exactly once."""

import re
from collections.abc import Collection
from enum import Enum

import pytest

from app.messages.notices import NoticeKind
from app.pages.assets import asset_dir
from app.pages.mail.letters import FILES, action_words, mail_template, rivals_words
from app.registration.declarations.registries import Procedure
from app.services.notifications.event_notices import AUDIENCES
from app.services.requests.action_effects import EFFECTS
from app.web.actions.action_buttons import AUDIENCE_WORDS, PAGE_PATHS
from app.workflow.action_rows import ActionEffect, ActionPage, Audience
from app.workflow.actions import Action
from app.workflow.evidence import EvidenceInput
from app.workflow.evidence_inputs import ASKED_FOR
from app.workflow.transitions import TABLES

SAID = {one for one, asked in ASKED_FOR.items() if asked is EvidenceInput.WORDS}
ARGUMENTS = {
    "number": "58",
    "name": "urn:quokka:",
    "other": "59",
    "state": "declined",
    "turn": "operator",
    "procedure": "community",
    "asked": "fast track",
    "body": "",
    "revises": "",
    "sends_on": "",
    "last_appeal": "1 December 2026",
}


@pytest.mark.parametrize(
    ("enum", "keyed"),
    [
        (ActionEffect, EFFECTS),
        (ActionPage, PAGE_PATHS),
        (Audience, AUDIENCES),
        (Audience, AUDIENCE_WORDS),
    ],
)
def test_whatever_a_row_names_has_one_implementation(
    enum: type[Enum], keyed: Collection[Enum]
) -> None:
    assert sorted(keyed, key=str) == sorted(enum, key=str)


def test_nothing_that_a_row_can_name_is_named_by_none() -> None:
    rows = [action.row for action in Action]
    assert {row.effect for row in rows} - {None} == set(ActionEffect)
    assert {action.button.page for action in Action} - {None} == set(ActionPage)
    # Leaders hear of it where reviews contradict each other, and not of an action as such.
    assert {one for row in rows for one in row.tells} == set(Audience) - {Audience.LEADERS}
    assert {EvidenceInput.REPORT} == {one for row in rows for one in row.asks}


def test_no_action_stands_twice() -> None:
    rows = [action.row for action in Action]
    assert len(Action.__members__) == len(rows) == len({row.value for row in rows})
    assert len({row.past for row in rows}) == len({row.story or row.past for row in rows})
    assert all(len(set(row.tells)) == len(row.tells) for row in rows)


def test_whatever_is_said_of_a_request_in_words_goes_to_the_list_too() -> None:
    rows = [row for table in TABLES.values() for row in table]
    asked = {row.action for row in rows if row.evidence & SAID or row.action.button.may}
    spoken = {one for one in asked if not one.row.has_own_use_case} | {Action.REVIEW}
    silent = {one for one in spoken if Audience.LIST not in one.row.tells}
    assert silent == set()


def test_every_action_is_taken_by_a_procedure() -> None:
    assert {row.action for table in TABLES.values() for row in table} == set(Action)


_TOLD = [action for action in Action if action.row.tells]


@pytest.mark.parametrize("action", _TOLD)
def test_what_is_told_of_an_action_is_one_sentence_or_two(action: Action) -> None:
    words = action_words(action, Audience.LIST, ARGUMENTS)
    told = words.what.split("\n\n")
    told += [rivals_words(action, ARGUMENTS)] if Audience.RIVALS in action.row.tells else []
    assert all(what.endswith(".") for what in told)
    assert "urn:quokka:" in told[0]
    if Audience.LIST in action.row.tells:
        assert not re.search(r"\byou", words.what), "everybody reads it"
    for audience in set(action.row.tells) - {Audience.RIVALS}:
        said = action_words(action, audience, ARGUMENTS)
        assert re.fullmatch(r"[A-Z].*\w", said.happened), "a subject goes on behind it"
        assert not said.todo or re.fullmatch(r"[A-Z].*\w", said.todo)


@pytest.mark.parametrize("audience", [Audience.REGISTRANT, Audience.RECEIPT])
@pytest.mark.parametrize("state", ["", "declined"])
def test_who_acts_for_the_registrant_is_spoken_to(audience: Audience, state: str) -> None:
    for action in (action for action in _TOLD if audience in action.row.tells):
        said = action_words(action, audience, ARGUMENTS | {"state": state})
        assert "registrant" not in f"{said.happened} {said.todo} {said.what}", action


@pytest.mark.parametrize("action", _TOLD)
def test_mail_of_the_fast_track_speaks_of_no_approval(action: Action) -> None:
    if action in {row.action for row in TABLES[Procedure.FAST_TRACK]}:
        given = ARGUMENTS | {"procedure": Procedure.FAST_TRACK.value}
        for audience in action.row.tells:
            said = action_words(action, audience, given)
            assert "approv" not in f"{said.happened} {said.todo} {said.what}".lower()


def test_a_denial_tells_how_long_it_can_be_appealed() -> None:
    for action in (Action.DECLINE, Action.REFUSE, Action.UPHOLD):
        said = action_words(action, Audience.REGISTRANT, ARGUMENTS)
        assert "can appeal" in said.what
        assert "until 1 December 2026" in said.what
        for audience in (Audience.REGISTRANT, Audience.LIST):
            final = action_words(action, audience, ARGUMENTS | {"last_appeal": ""})
            assert "can appeal" not in f"{final.todo} {final.what}"


def test_mail_has_a_template_for_each_action_that_is_told_and_for_no_other() -> None:
    folder = asset_dir("templates") / "mail"
    told = {action.value for action in Action if action.row.tells}
    assert {file.stem for file in (folder / "actions").iterdir()} == told
    assert {file.stem for file in folder.glob("[!_]*.txt")} == {
        *(FILES.get(kind, kind) for kind in NoticeKind),
        "trial",
    }
    assert {NoticeKind(audience).value for audience in Audience} == set(Audience)
    rivals = {action for action in Action if Audience.RIVALS in action.row.tells}
    assert {one for one in told if "Rivals" in mail_template(f"actions/{one}").head} == rivals
