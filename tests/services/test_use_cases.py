"""A use case: one commit, one answer for a key, whatever is sent twice, at once or refused."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.problems import use_case_codes
from app.registration.declarations.registries import FORMAL
from app.services.accounts import sign_in
from app.services.accounts.actors import Actor
from app.services.delegates import delegate_links
from app.services.idempotency import digest_of, plain_value
from app.services.refusals import IdempotencyConflict, InvalidInput, NotAllowed
from app.services.requests import comments, drafts, request_actions
from app.services.requests.drafts import DraftInput
from app.services.requests.request_evidence import ActionInput
from app.services.use_cases import Command, command_at_next_edition, operators_only, use_case
from app.store import counters
from app.store.accounts import account_rows, idempotency_keys
from app.store.database import db, read_transaction, transaction
from app.store.digests import sha256
from app.store.tables import Event
from app.store.tables.accounts import Grant
from app.store.tables.requests import EventSubject
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import ROOT, Clock
from tests.factories import Cast
from tests.store.at_once import at_once

pytestmark = pytest.mark.postgresql

KEY = "k" * 22


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def _record(command: Command, words: str) -> int:
    what = {"about": "quokka", "subject": EventSubject.NAME}
    return command.append_event("tried", **what, role="operator", reason=words)


@use_case("write for a test", check=operators_only("Operators write."), beside={"ahead"})
def write(command: Command, words: str, more: str = "", *, ahead: object = None) -> int:
    """Write an event, then look at what was given."""
    n = _record(command, words)
    if not words:
        raise InvalidInput(use_case_codes.VALUE_MISSING, "Write something.")
    return n


@use_case("move for a test")
def move(command: Command, words: str) -> State:
    """Answer by a state."""
    _record(command, words)
    return State.NEW


@use_case("be silent in a test")
def be_silent(command: Command) -> None:
    """Answer nothing."""
    _record(command, "")


def written() -> int:
    with read_transaction():
        return db.session.scalar(select(func.count()).where(Event.kind == "tried")) or 0


def kept(command: Command, digest: str, response: str) -> None:
    """What other software kept under the key of a command."""
    actor, key = command.actor.id, command.key
    with transaction():
        assert idempotency_keys.claim(actor, key, digest, command.at)
        idempotency_keys.keep_answer(actor, key, response)


def test_a_key_that_comes_again_gets_its_answer_and_writes_nothing(
    people: Cast, clock: Clock
) -> None:
    command = factories.command(people.operator, clock(), key=KEY)
    first = write(command, "Once.", ahead=object())
    later = replace(command, at=clock.on(minutes=1), seen=9, policy=factories.policy("other"))
    assert write(later, words="Once.", more="", ahead=object()) == first
    assert written() == 1
    with read_transaction():
        event = db.session.get(Event, first)
        assert event is not None
        assert (event.at, event.actor, event.kind) == (command.at, people.operator.id, "tried")
    assert write(replace(command, actor=people.second_operator), "Once.") == first + 1


@pytest.mark.parametrize(
    "other",
    [
        lambda command: write(command, "Twice."),
        lambda command: write(command, "Once.", "More."),
        lambda command: move(command, "Once."),
        be_silent,
    ],
    ids=["another argument", "one more", "another use case", "no argument"],
)
def test_a_key_that_comes_with_something_else_is_refused(
    people: Cast, clock: Clock, other: Callable[[Command], object]
) -> None:
    command = factories.command(people.operator, clock(), key=KEY)
    write(command, "Once.")
    with pytest.raises(IdempotencyConflict, match="with different content"):
        other(command)
    assert written() == 1


def test_a_refusal_keeps_nothing_and_leaves_the_key_free(people: Cast, clock: Clock) -> None:
    command = factories.command(people.operator, clock(), key=KEY)
    with pytest.raises(InvalidInput, match="Write something"):
        write(command, "")
    assert written() == 0
    assert write(command, "Now.") > 0
    with pytest.raises(NotAllowed, match="Operators write"):
        write(replace(command, actor=people.rival), "Now.")


def test_who_lost_a_role_since_the_page_was_asked_for_is_refused(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = factories.command(people.operator, clock(), key=KEY)
    done = write(command, "Once.")
    clock.on(seconds=1)
    with monkeypatch.context() as waiting:
        waiting.setattr(counters, "hold", lambda _: _revoke(people.second_operator, clock()))
        with pytest.raises(NotAllowed, match="operators can publish an edition"):
            correct(factories.command(people.second_operator, clock()))
    with transaction():
        _revoke(people.operator, clock())
    with pytest.raises(NotAllowed, match="Operators write"):
        write(replace(command, key=factories.key()), "Twice.")
    assert write(command, "Once.") == done  # what was done is told
    assert written() == 1


def _revoke(actor: Actor, at: datetime) -> None:
    assert account_rows.end_grants(actor.id, Grant.OPERATOR, at)


@use_case("correct for a test")
def correct(command: Command) -> None:
    """Open an edition, as a correction does."""
    _record(command_at_next_edition(command), "")


def test_of_one_form_sent_by_many_at_once_each_gets_the_same_answer(
    app: Flask, people: Cast, clock: Clock
) -> None:
    command = factories.command(people.operator, clock(), key=KEY)
    results = at_once(app, *[partial(write, command, "Once.")] * 6)
    assert len(set(results)) == 1, results
    assert written() == 1


UNFIT = {"a\0": 1, "\r\n\ud83d": 2, "\x1b[2J": 0, "line\rend": 4}


def sending(people: Cast, clock: Clock, words: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """Words as each caller may bring them, with the field that they stand in."""
    at, odell = clock(), factories.command(people.operator, clock())
    number = factories.draft(people.registrant, at)
    seen = factories.command(people.registrant, at, seen=factories.lock_of(number))
    yield "words", partial(write, odell, words)
    yield "more", partial(write, odell, "Once.", words)
    given = ActionInput(details={"directions": words})
    yield "directions", partial(request_actions.carry_out, odell, number, Action.TAKE, given)
    for field, draft in (
        ("purpose", DraftInput(fields={"purpose": words}, private={})),
        ("successor", DraftInput(fields={}, private={}, successor=words)),
    ):
        yield field, partial(drafts.save, seen, number, draft)
    yield "reason", partial(delegate_links.object_to, "token", words, at, factories.POST)
    grant = partial(sign_in.grant, "new@org.example", Grant.EXPERT, at)
    yield "name", partial(grant, name=words)  # from the command line
    yield "why", partial(grant, why=words)
    yield "why", partial(sign_in.revoke, people.operator.email, Grant.OPERATOR, at, why=words)


@pytest.mark.parametrize(("words", "at"), UNFIT.items())
def test_a_text_that_nothing_can_keep_is_refused_at_its_field_whoever_calls(
    people: Cast, clock: Clock, words: str, at: int
) -> None:
    for field, send in sending(people, clock, words):
        with pytest.raises(InvalidInput, match="be displayed") as refused:
            send()
        told = refused.value
        assert (told.code, told.field) == (use_case_codes.TEXT_UNFIT, field)
        assert told.position == (None if field == "purpose" else at)
    assert written() == 0


def test_the_ends_of_lines_are_fit_as_browsers_and_mail_write_them(
    people: Cast, clock: Clock
) -> None:
    assert write(factories.command(people.operator, clock()), "One.\r\nTwo.\n\tThree.")


# as older software left them, for other words of the same use case or for none that is known now
OLDER = sha256('{"note":[1,"Ring them."]}')


@pytest.mark.parametrize("digest", [OLDER, "3." + OLDER[2:]], ids=["older", "newer"])
def test_what_other_software_was_asked_is_answered_with_what_it_did(
    people: Cast, clock: Clock, digest: str
) -> None:
    uses: list[tuple[Callable[..., Any], tuple[Any, ...], str, Any]] = [
        (write, ("Once.",), "17", 17),
        (move, ("Once.",), '"new"', State.NEW),
        (be_silent, (), "null", None),
    ]
    for use, given, response, answer in uses:
        command = factories.command(people.operator, clock())
        kept(command, digest, f'{{"answer":{response}}}')
        assert use(command, *given) == answer
    assert written() == 0


@pytest.mark.parametrize(("use", "response"), [(write, '"new"'), (write, "null"), (move, "17")])
def test_the_answer_of_something_else_that_older_software_did_is_given_to_nobody(
    people: Cast, clock: Clock, use: Callable[..., Any], response: str
) -> None:
    command = factories.command(people.operator, clock())
    kept(command, OLDER, f'{{"answer":{response}}}')
    with pytest.raises(IdempotencyConflict):
        use(command, "Once.")


def test_forms_that_older_software_took_are_not_taken_twice(people: Cast, clock: Clock) -> None:
    number = factories.sent(people.registrant, clock())
    asked = factories.command(people.operator, clock())
    kept(asked, sha256(f'{{"note":[{number},"Ring them."]}}'), '{"answer":null}')
    comments.note(asked, number, "Ring them.")
    with read_transaction():
        assert comments.notes_of(number, people.operator) == ()
    began = factories.command(people.registrant, clock())
    digest = sha256(f'{{"procedure":"community","start":"{FORMAL.id}"}}')
    kept(began, digest, f'{{"answer":{number}}}')
    assert drafts.start(began, FORMAL.id) == number


# ---- what is asked, as one text


@dataclass(frozen=True)
class Given:
    """What somebody gives; ``more`` may have been added later."""

    words: str
    more: tuple[str, ...] = ()


class Answer(StrEnum):
    """An enum that is stored by its values."""

    YES = "yes"


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Given("a"), {"words": "a"}),
        (Given("a", ("b",)), {"words": "a", "more": ["b"]}),
        ({Answer.YES: {Answer.YES}}, {"yes": ["yes"]}),
        (frozenset({"b", "a", 1}), ["a", "b", 1]),
        (date(2026, 9, 1), "2026-09-01"),
        (datetime(2026, 9, 1, 8, tzinfo=UTC), "2026-09-01T08:00:00+00:00"),
        ((None, True, 0, ""), [None, True, 0, ""]),
    ],
)
def test_arguments_are_put_into_json_by_one_rule(value: Any, plain: Any) -> None:
    assert plain_value(value) == plain


def test_what_has_no_form_in_json_is_no_argument_of_a_use_case() -> None:
    for value in (object(), b"octets", 0.5, Given):
        with pytest.raises(TypeError, match="no form in JSON"):
            plain_value({"value": value})


def test_a_digest_is_told_from_those_of_older_software_and_fits_where_they_do() -> None:
    digest = digest_of({"asked": Given("a")})
    assert len(digest) == len(OLDER)
    assert not set(digest) <= set("0123456789abcdef")


# ---- how use cases are written


def _uses(path: Path) -> Iterator[str]:
    """The names by which use cases of a module stand in digests."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "use_case":
            (name,) = (one for one in node.args if isinstance(one, ast.Constant))
            yield str(name.value)


def test_no_two_use_cases_stand_under_one_name() -> None:
    modules = sorted((ROOT / "app/services").rglob("*.py"))
    names = Counter(name for path in modules for name in _uses(path))
    assert names.total() > 30
    assert [name for name, count in names.items() if count > 1] == []


def _reaches(path: Path, module: str, functions: set[str]) -> bool:
    """Whether a module uses one of these functions of another, by whichever import."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imported = {
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith(module)
        for alias in node.names
    }
    called = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == module
    }
    return bool((imported | called) & functions)


@pytest.mark.parametrize(
    ("module", "functions", "only"),
    [
        ("idempotency_keys", {"claim", "keep_answer", "answer_of"}, "app/services/idempotency.py"),
        ("idempotency", {"run_idempotent"}, "app/services/use_cases.py"),
    ],
)
def test_keys_are_claimed_in_one_place_and_by_use_cases_alone(
    module: str, functions: set[str], only: str
) -> None:
    paths = sorted((ROOT / "app").rglob("*.py"))
    using = [path for path in paths if _reaches(path, module, functions)]
    assert [str(path.relative_to(ROOT)) for path in using] == [only]
