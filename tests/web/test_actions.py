"""Acting on a request: refusals come back with the words, and nothing is done twice."""

import pytest

from app.registration.declarations.registries import FORMAL, Procedure
from app.registration.records.registry_records import Purpose
from app.store.database import db, read_transaction
from app.store.event_log import event_rows
from app.store.requests import request_rows
from app.workflow.engine import ProcedureCase
from app.workflow.reviews import questions_for, verdicts_for
from app.workflow.states import State
from tests.web.conftest import Dump, World
from tests.web.visitor import Page, answering
from tests.web.wellmade import faults


def state_of(world: World, name: str) -> str:
    """Where a request stands."""
    with world.app.app_context(), read_transaction():
        request = request_rows.find_request(world.numbers[name])
        return request.state if request else "gone"


def kinds(world: World, name: str) -> list[str]:
    """What happened to a request, oldest first."""
    with world.app.app_context(), read_transaction():
        return [event.kind for event in event_rows.of_request(world.numbers[name])]


def at_reason(page: Page) -> str:
    """What is said at the field for words, which the summary leads to."""
    (control,) = page.each("//textarea[@name='reason'][@aria-invalid='true']")
    assert page.each(f"//a[@class='problem'][@href='#{control.get('id')}']")
    return page.text(f"//*[@id='{control.get('aria-describedby').split()[0]}']")


@pytest.mark.usefixtures("fleeting")
@pytest.mark.parametrize(
    ("name", "action", "said"),
    [
        ("checked", "return", "Enter a reason."),
        ("checked", "decline", "Enter a reason."),
        ("approved", "reopen", "Enter a reason."),
    ],
)
def test_an_action_that_needs_words_asks_for_them_at_the_field(
    world: World, name: str, action: str, said: str
) -> None:
    path = world.path(f"/requests/{{{name}}}")
    operator = world.visitor("operator")
    for words in ("", "  \r\n "):
        rule = {"rule": "name-taken"} if action == "decline" else {}
        page = operator.send(path, {"reason": words} | rule, action=f"{path}/{action}")
        assert page.status == 422
        assert faults(page) == []
        assert page.title.startswith("Error: ")
        assert said in at_reason(page)


@pytest.mark.usefixtures("fleeting")
def test_a_book_of_a_reason_comes_back_at_its_field(world: World) -> None:
    path = world.path("/requests/{checked}")
    page = world.visitor("operator").send(path, {"reason": "x" * 8001}, action=f"{path}/return")
    assert page.status == 422
    assert "at most 8000 characters" in at_reason(page)
    assert page.form(f"{path}/return")["reason"] == "x" * 8001


def test_the_second_of_two_who_act_is_told_and_keeps_the_words(fresh: World) -> None:
    path = fresh.path("/requests/{checked}")
    one, other = fresh.visitor("operator"), fresh.visitor("operator")
    opened = other.get(path).form(f"{path}/return")
    assert one.send(path, action=f"{path}/pass").status == 303
    page = other.post(f"{path}/return", opened | {"reason": "My words."})
    assert page.status == 409
    assert "This request changed after you opened it." in page.words
    assert page.text("//textarea") == "My words."  # its button is gone, and they are not
    assert kinds(fresh, "checked") == ["submitted", "taken", "passed"]


def test_the_second_of_two_experts_sees_what_changed_and_can_send_again(fresh: World) -> None:
    path = fresh.path("/review/{reviewed}")
    one, other = fresh.visitor("expert"), fresh.visitor("leader")
    opened = other.get(path).form(path) | {"verdict": "return", "reason": "Mine.", "name": "no"}
    assert one.send(path, {"verdict": "comment", "reason": "A question."}).status == 303
    page = other.post(path, opened)
    assert page.status == 409
    assert faults(page) == []
    assert "This request changed after you opened it." in page.words
    again = page.form(path)
    assert (again["verdict"], again["reason"], again["name"]) == ("return", "Mine.", "no")
    assert other.post(path, again).status == 303
    assert state_of(fresh, "reviewed") == State.WITH_REQUESTER


def test_a_review_of_a_text_that_was_replaced_comes_back_for_the_newest(fresh: World) -> None:
    path = fresh.path("/review/{reviewed}")
    leader, registrant = fresh.visitor("leader"), fresh.visitor("registrant")
    opened = leader.get(path).form(path)
    assert (
        fresh.visitor("expert")
        .send(path, {"verdict": "return", "reason": "It is not one name."})
        .status
        == 303
    )
    number = fresh.numbers["reviewed"]
    registrant.send(f"/requests/{number}/edit/syntax", {"syntax": "Better."})
    assert registrant.send_again(number).status == 303
    page = leader.post(path, opened | {"verdict": "approve", "reason": "Fine."})
    assert page.status == 409
    assert page.form(path)["iteration"] == "2"
    assert leader.post(path, page.form(path)).status == 303


@pytest.mark.usefixtures("fleeting")
def test_a_review_offers_what_the_procedure_has_and_takes_nothing_else(world: World) -> None:
    path = world.path("/review/{reviewed}")
    page = world.visitor("expert").get(path)
    case = ProcedureCase(*_case(world, "reviewed"))
    offered = page.values("value", "input[@name='verdict']")
    assert offered == [verdict.value for verdict in verdicts_for(case)]
    for question in questions_for(case.procedure):
        assert page.each(f"//input[@name='{question.key}']")
    form = page.form(path)
    for wrong in ("", "register", "APPROVE", "approve\0"):
        page = world.visitor("expert").post(path, form | {"verdict": wrong})
        assert page.status == 422
        assert faults(page) == []
        assert page.each("//a[@class='problem'][@href='#verdict']")
    page = world.visitor("expert").post(path, form | {"verdict": "approve", "benefit": "maybe"})
    assert page.status == 422
    assert page.each("//a[@class='problem'][@href='#benefit']")


def _case(world: World, name: str) -> tuple[Procedure, Purpose, State]:
    with world.app.app_context(), read_transaction():
        request = request_rows.find_request(world.numbers[name])
        assert request is not None
        purpose = Purpose(request.purpose)
        return Procedure(request.procedure), purpose, State(request.state)


def test_an_approval_over_findings_asks_for_a_sentence_at_the_field(fresh: World) -> None:
    number, registrant = fresh.numbers["returned"], fresh.visitor("registrant")
    registrant.send(f"/requests/{number}/edit/documents", {"documentation": ""})
    assert registrant.send_again(number).status == 303
    page = fresh.visitor("expert").send(f"/review/{number}", {"verdict": "approve"})
    assert page.status == 422
    assert faults(page) == []
    assert "Give a reason" in at_reason(page)
    again = page.form(page.path) | {"reason": "It is written elsewhere."}
    assert fresh.visitor("expert").post(page.path, again).status == 303


@pytest.mark.usefixtures("fleeting")
@pytest.mark.parametrize(
    ("fields", "name", "said"),
    [
        ({"reference": "here"}, "reference", "Enter the reference as an RFC"),
        ({"reference": "javascript:alert(1)"}, "reference", "Enter the reference as an RFC"),
        ({"reference": "https://a.example/", "label": ""}, "reference", "Enter the organization"),
        ({"reference": "https://a.example/", "label": "a\nb"}, "label", "must be one line"),
        ({"reference": "https://a.example/\0"}, "reference", "U+0000"),
    ],
)
def test_a_reference_that_cannot_be_used_is_refused_at_its_field(
    world: World, fields: dict[str, str], name: str, said: str
) -> None:
    path = world.path("/desk/{approved}/register")
    page = world.visitor("operator").send(path, {"label": "Org"} | fields)
    assert page.status == 422
    assert faults(page) == []
    assert page.each(f"//a[@class='problem'][@href='#{name}']")
    assert said in page.words


def test_the_row_can_be_looked_at_with_another_reference(world: World) -> None:
    path = world.path("/desk/{approved}/register")
    page = world.visitor("operator").get(f"{path}?reference=RFC+8141&label=")
    assert "[RFC8141]" in page.words
    assert page.form(path)["reference"] == "RFC 8141"


ONCE = [
    ("registrant", "/requests/{draft}/check", "", {}),
    ("registrant", "/requests/{returned}/check", "", {}),
    ("registrant", "/requests/{draft}/check", "/requests/{draft}/discard", {}),
    ("registrant", "/requests/{new}", "/requests/{new}/withdraw", {"reason": "Enough."}),
    ("operator", "/requests/{new}", "/requests/{new}/take", {}),
    ("operator", "/requests/{checked}", "/requests/{checked}/return", {"reason": "Mend it."}),
    ("expert", "/review/{reviewed}", "", {"verdict": "approve", "reason": "Fine."}),
    ("leader", "/review/{reviewed}", "", {"verdict": "decline", "reason": "It is not one name."}),
    ("operator", "/desk/{approved}/register", "", {"reference": "RFC 8141"}),
    ("registrant", "/requests/new", "", {"registry": FORMAL.id}),
]


@pytest.mark.parametrize(("who", "page", "action", "fields"), ONCE)
def test_a_form_that_is_sent_twice_is_carried_out_once(
    fresh: World, who: str, page: str, action: str, fields: dict[str, str]
) -> None:
    visitor, path = fresh.visitor(who), fresh.path(page)
    if page == "/requests/{returned}/check":
        visitor.send(fresh.path("/requests/{returned}/edit/syntax"), {"syntax": "Better."})
    target = fresh.path(action) or path
    form = answering(visitor.get(path).form(target)) | fields
    first = visitor.post(target, form)
    before = written(fresh)
    second = visitor.post(target, form)
    assert first.status == second.status == 303, (first.words, second.words)
    assert first.location == second.location
    assert written(fresh) == before


def written(world: World) -> dict[str, int]:
    """How many rows each table has."""
    with world.app.app_context(), db.engine.connect() as connection:
        tables = db.metadata.sorted_tables
        return {table.name: len(connection.execute(table.select()).all()) for table in tables}


def test_a_key_that_was_used_for_something_else_is_replaced(fresh: World) -> None:
    path, visitor = fresh.path("/requests/{checked}"), fresh.visitor("operator")
    form = visitor.get(path).form(f"{path}/pass")
    assert visitor.post(f"{path}/pass", form).status == 303
    page = visitor.post(f"{path}/return", form | {"reason": "Other words."})
    assert page.status == 409
    assert "different content" in page.words
    other = fresh.visitor("registrant").get(path).form(f"{path}/withdraw")
    assert other["key"] != form["key"]


@pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
def test_a_form_that_failed_gets_another_key_and_goes_through_at_last(fresh: World) -> None:
    path, visitor = fresh.path("/requests/{checked}"), fresh.visitor("operator")
    form = visitor.get(path).form(f"{path}/return")
    page = visitor.post(f"{path}/return", form)
    assert page.status == 422
    again = page.form(f"{path}/return")
    assert again["key"] != form["key"]
    assert visitor.post(f"{path}/return", again | {"reason": "Words."}).status == 303


def test_the_old_page_of_a_form_that_failed_can_be_sent_as_well(fresh: World) -> None:
    path, visitor = fresh.path("/requests/{checked}"), fresh.visitor("operator")
    form = visitor.get(path).form(f"{path}/return")
    assert visitor.post(f"{path}/return", form).status == 422
    assert visitor.post(f"{path}/return", form | {"reason": "Words."}).status == 303


def test_what_is_not_asked_for_changes_no_request(world: World, dump: Dump) -> None:
    before = dump()
    extra = {"state": "assigned", "role": "operator", "verdict": "approve", "registrant": "1"}
    path = world.path("/requests/{checked}/return")
    assert world.visitor("operator").post(path, extra).status == 409
    assert dump() == before
