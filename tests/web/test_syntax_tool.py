"""The syntax workbench: anybody pastes a grammar and gets an answer in its place."""

import io
from dataclasses import replace

import pytest

from app.outside import syntax_study
from app.outside.work_queue import QUEUE
from app.pages.tools.workbench_view import MOST_CHARACTERS
from app.registration.declarations.registries import FORMAL, Procedure
from app.registration.records.registry_records import Submission
from app.registration.submissions.submission_rules import SubmissionContext, check_submission
from app.services.requests.syntax_studies import study_syntax
from app.web.actions.request_wording import mark_of
from tests import factories
from tests.web.conftest import World
from tests.web.visitor import Page

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
pytestmark = ONE_DATABASE
WRONG = 'name ::= "urn:quoll:" year | word\nyear = 4DIGIT\nword = "urn:quoll:" 1*(ALPHA / " ")\n'


def studied(world: World, **given: str) -> Page:
    return world.visitor().post("/tools/syntax", given)


def test_a_grammar_is_studied_where_it_was_asked_for(world: World) -> None:
    for page in (
        studied(world, q=WRONG),
        world.visitor().get("/tools/syntax", query_string={"q": WRONG}),
    ):
        assert page.status == 200
        assert "3 rules, 3 problems, 0 notes" in page.words
        assert "word allows a space: urn:quoll: . Encode it as %20." in page.words
        assert "Replace ::=." in page.words


def test_what_was_taken_can_be_corrected_and_studied_again(world: World) -> None:
    page = studied(world, q=WRONG, nid="quoll")
    (taken,) = page.each('//textarea[@id="taken_rules"]')
    text = (taken.text or "").strip()
    assert text.startswith('name = "urn:quoll:" year / word')
    again = studied(world, q=text.replace(' / " "', ""), nid="quoll")
    assert "3 rules, 0 problems, 0 notes" in again.words
    assert "No errors found in these rules." in again.words


def test_a_finding_carries_its_quote(world: World) -> None:
    page = studied(world, q=WRONG)
    quotes = [button.get("data-copy") for button in page.each("//main//button[@data-copy]")]
    assert any(quote.startswith("> 3: word = ") and "allows a space" in quote for quote in quotes)


def test_the_start_and_the_namespace_can_be_said(world: World) -> None:
    page = studied(world, q=WRONG, start="year", nid="urn:Numbat:")
    assert "Start rule: year, checked as an NSS." in page.words
    assert "urn:numbat:0000" in page.words
    assert "The rule day doesn't exist." in studied(world, q=WRONG, start="day").words


def test_rules_of_equivalence_are_tried(world: World) -> None:
    rules = '{"rules": [{"do": "fold-case", "clause": "Case does not count."}]}'
    page = studied(world, q='name = "urn:quoll:" 1*ALPHA', equivalence=rules)
    assert "urn:quoll:a and urn:quoll:A: Case does not count." in page.words


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"nid": "a_b"}, "isn’t a NID"),
        ({"equivalence": "{"}, "aren’t valid JSON"),
        ({"equivalence": "[" * 60}, "valid JSON"),
        ({"equivalence": '{"rules": [{"do": "drop", "clause": "x"}]}'}, "needs characters"),
        ({"q": "a" * (MOST_CHARACTERS + 1)}, "Enter only the grammar."),
    ],
)
def test_what_cannot_be_studied_is_said_and_given_back(
    world: World, given: dict[str, str], says: str
) -> None:
    page = studied(world, **{"q": WRONG, **given})
    assert page.status == 422
    assert says in page.words
    (typed,) = page.each('//textarea[@id="syntax"]')
    assert (typed.text or "").strip() == {"q": WRONG, **given}["q"].strip()


def test_a_file_goes_before_what_is_typed(world: World) -> None:
    visitor = world.visitor()
    page = visitor.post(
        "/tools/syntax", {"q": "Words.", "file": (io.BytesIO(b'a = "urn:ex:b"'), "a.txt")}
    )
    assert "1 rule, 0 problems" in page.words


def test_a_text_without_a_grammar_is_told(world: World) -> None:
    assert "No grammar found in this text." in studied(world, q="Words alone.").words


def test_a_study_that_is_cut_off_does_not_claim_that_there_is_no_grammar(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syntax_study, "LIMITS", replace(syntax_study.LIMITS, seconds=0.001))
    words = studied(world, q=WRONG).words
    assert "The analysis stopped at its time or memory limit." in words
    assert "No grammar found" not in words
    assert "No errors found" not in words


def test_what_is_too_large_is_told(world: World) -> None:
    text = 'a = "urn:ex:" b\nb = r0\n' + "".join(f'r{n} = "x" r{n + 1}\n' for n in range(4000))
    page = studied(world, q=text[:99_000])
    assert page.status == 200
    assert "Too large to check." in page.words


def test_too_many_studies_at_once_are_put_off(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QUEUE, "patience", 0.05)
    with QUEUE.turn(), QUEUE.turn():
        page = studied(world, q=WRONG)
    assert page.status == 503
    assert "Try again in a few seconds." in page.words


def test_what_is_found_is_as_grave_in_the_workbench_as_in_a_request(world: World) -> None:
    """`DIGT` is to be looked at, wherever it is told."""
    text = 'name = "urn:quokka:" 4DIGT "/" 1*ALPHA'
    registry, fields = FORMAL.id, factories.template(syntax=text)
    found = check_submission(
        Submission(registry=registry, fields=fields),
        Procedure.COMMUNITY,
        context=SubmissionContext(grammar=study_syntax(text, "quokka")),
    )
    marks = [(mark_of(one), one.message) for one in found if one.code.startswith("grammar-")]
    assert [mark for mark, message in marks if "`DIGT`" in message] == ["Warning:"]
    words = studied(world, q=text, nid="quokka").words
    for mark, message in marks:
        assert f"{mark} {message.replace('`', '')}" in words
