"""Which spellings are one name: declared with the text, registered, and used by the tools."""

import csv
import io
import json

from app.registration.declarations.registry_groups import URN_GROUP
from app.services.names.rule_book import rule_book
from app.services.registry.snapshots import current_snapshot
from app.services.requests import drafts
from app.store.database import read_transaction
from app.workflow.states import Action
from tests import factories
from tests.conftest import START
from tests.web.conftest import World
from tests.web.visitor import Page, Visitor

ANSWERS = {
    "syntax": "Names are numbers.",
    "case": "ignored",
    "separator": ":",
    "parts": "2-",
    "dropped": "-",
    "decoded": "~",
    "clause": "Hyphens and case make no difference",
}


def saved(visitor: Visitor, number: int, **answers: str) -> Page:
    return visitor.send(f"/requests/{number}/edit/syntax", ANSWERS | answers)


def registered(world: World, **answers: str) -> int:
    """A namespace that declared its rules in the form, and was registered."""
    with world.app.app_context():
        people = factories.cast(START)
        number = factories.draft(people.registrant, START, namespace_identifier="bilbies")
    assert saved(world.visitor("registrant"), number, **answers).status == 303
    with world.app.app_context():
        factories.act(number, Action.SUBMIT, people.registrant, START)
        factories.change_request(number, state="assignable")
        given = {"reference": factories.REFERENCE}
        factories.act(number, Action.REGISTER, people.operator, START, **given)
    return number


def test_what_is_answered_stands_in_the_form_again(fresh: World) -> None:
    visitor, number = fresh.visitor("registrant"), fresh.numbers["draft"]
    assert saved(visitor, number).status == 303
    path = f"/requests/{number}/edit/syntax"
    again = visitor.get(path).form(path)
    assert {name: again[name] for name in ANSWERS} == ANSWERS
    assert saved(visitor, number, case="matters", dropped="", decoded="").status == 303
    again = visitor.get(path).form(path)
    assert (again["case"], again["dropped"], again["clause"]) == ("matters", "", "")


def test_what_cannot_be_told_is_refused_and_what_may_not_be_declared_is_found(fresh: World) -> None:
    visitor, number = fresh.visitor("registrant"), fresh.numbers["draft"]
    refused = saved(visitor, number, parts="all")
    assert refused.status == 422
    assert "Enter both the separator, such as" in refused.words
    assert refused.form(refused.path)["dropped"] == "-"
    page = saved(visitor, number, dropped="a", clause="")
    assert page.status == 422
    assert "differ in a letter or digit would be equivalent" in page.words
    check = visitor.get(f"/requests/{number}/check")
    assert "has no clause." in check.words


def test_the_registered_rules_are_published_and_used_by_the_tools(fresh: World) -> None:
    number = registered(fresh)
    with fresh.app.app_context(), read_transaction():
        records = {r.name: r for t in current_snapshot(URN_GROUP).registries for r in t.records}
        rules = rule_book().find("bilbies")
    assert rules is not None
    assert rules.equivalence == records["bilbies"].equivalence
    assert len(records["bilbies"].equivalence.rules) == 3
    assert not records["urn-8"].equivalence.rules
    page = fresh.visitor().get("/namespaces/bilbies")
    assert "URNs with and without - are equivalent. Hyphens and case" in page.words
    shown = fresh.visitor().get(f"/requests/{number}/iterations/1").words
    assert "Not case-sensitive in part 2 and the rest" in shown
    texts = "urn:bilbies:A:x-y\nurn:bilbies:A:XY\nurn:bilbies:a:xy\nurn:example:x-y\nurn:example:XY"
    tool = fresh.visitor().post("/tools/urn", {"q": texts})
    rows = [" ".join(li.text_content().split()) for li in tool.each("//main/div/ol/li")]
    assert "Equivalent in this namespace to urn:bilbies:A:xy (“Hyphens and case" in rows[0]
    assert "Equivalent to URN 1" in rows[1]
    assert "Equivalent to" not in rows[2] + rows[3] + rows[4]
    file = fresh.visitor().post("/tools/urn", {"q": texts, "then": "jsonl"})
    told = [json.loads(line) for line in file.html.splitlines()]
    assert [one["same_as"] for one in told] == [None, 1, None, None, None]
    assert told[1]["own_form"] == "urn:bilbies:A:xy"
    assert told[1]["clauses"] == ["Hyphens and case make no difference"]


def test_a_name_is_held_to_the_grammar_that_was_registered(fresh: World) -> None:
    grammar = 'A name is a year and a number:\n\n    NSS = 4DIGIT "-" 1*DIGIT\n'
    registered(fresh, syntax=grammar, case="matters", dropped="", decoded="", parts="")
    texts = "urn:bilbies:2024-17\nurn:bilbies:next-year\n"
    tool = fresh.visitor().post("/tools/urn", {"q": texts})
    rows = [" ".join(li.text_content().split()) for li in tool.each("//main/div/ol/li")]
    assert rows[0].startswith("Valid URN 1.")
    assert "It matches the syntax in the registration. Syntax of the reg" in rows[0]
    assert rows[1].startswith("Not valid in its namespace 2.")
    assert "character 1 doesn't match the grammar" in rows[1]
    assert "1 valid, 1 only well-formed" in tool.words
    file = fresh.visitor().post("/tools/urn", {"q": texts, "then": "csv"})
    told = list(csv.DictReader(io.StringIO(file.html)))
    assert [one["possibility"] for one in told] == ["possible", "impossible"]
    assert [one["urn"] for one in told] == ["yes", "no"]


def test_a_former_name_is_told_with_the_one_in_its_place(world: World) -> None:
    tool = world.visitor().post("/tools/urn", {"q": "urn:ad-id:ABCD0001000"})
    assert "ad-id is no longer registered. Use adid." in tool.words
    assert "Did you mean urn:adid:ABCD0001000" in tool.words


def test_a_revision_begins_with_the_registered_rules_and_a_copy_keeps_them(fresh: World) -> None:
    registered(fresh)
    with fresh.app.app_context():
        people = factories.cast(START)
        number = factories.revision(people.registrant, START, "bilbies")
        with read_transaction():
            writing = drafts.open_draft(people.registrant, number, "2026-11-22")
        assert '"drop"' in writing.fields["equivalence"]
        factories.answer(number, people.registrant, START)
        factories.act(number, Action.SUBMIT, people.registrant, START)
        factories.act(number, Action.WITHDRAW, people.registrant, START, reason="Later.")
    visitor = fresh.visitor("registrant")
    page = visitor.send(f"/requests/{number}", action=f"/requests/{number}/copy")
    assert page.status == 303
    copied = visitor.get(page.location.replace("/edit/", "/edit/syntax"))
    assert copied.form(copied.path)["clause"] == ANSWERS["clause"]
