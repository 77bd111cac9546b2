"""What the workbench finds stands in the form's Syntax section and beside a review."""

import pytest

from app.grammar.analysis.study_stages import study
from app.outside.work_queue import QUEUE
from app.services.requests.syntax_studies import study_of
from app.web.requests import review_pages
from tests.web.conftest import World

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
pytestmark = ONE_DATABASE
WRONG = 'name = "urn:wombat:" 1*(ALPHA / " ")\n'
FOUND = "name allows a space: urn:wombat: . Write it %20."


def test_the_saved_grammar_is_studied_where_it_is_asked_for(fresh: World) -> None:
    visitor, path = fresh.visitor("registrant"), fresh.path("/requests/{draft}/edit/syntax")
    page = visitor.send(path, {"syntax": WRONG, "then": "grammar"})
    assert page.status == 303
    assert page.headers["Location"].endswith("/edit/syntax?grammar=yes#grammar")
    page = visitor.get(f"{path}?grammar=yes")
    assert "1 rule; names begin with name. Not all are URNs." in page.words
    assert FOUND in page.text("//*[@id='grammar']")
    assert "allows a space" not in visitor.get(path).words
    whole = visitor.post("/tools/syntax", page.form("/tools/syntax"))
    assert FOUND in whole.words


def test_no_other_section_has_a_grammar(fresh: World) -> None:
    visitor = fresh.visitor("registrant")
    page = visitor.get(fresh.path("/requests/{draft}/edit/assignment?grammar=yes"))
    assert not page.each("//*[@id='grammar']")
    assert not page.each("//button[@value='grammar']")


def test_an_expert_reads_what_was_found_and_can_quote_it(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_pages, "study_of_sent", lambda *_: study(WRONG, "wombat"))
    page = fresh.visitor("expert").get(fresh.path("/review/{reviewed}"))
    (panel,) = page.each("//section[@aria-labelledby='checks']")
    assert FOUND in " ".join(panel.text_content().split())
    quotes = [button.get("data-copy") for button in panel.findall(".//button[@data-copy]")]
    assert [quote.split("\n")[0] for quote in quotes] == [f"> 1: {WRONG.strip()}"]


def test_a_section_without_a_grammar_says_so(fresh: World) -> None:
    visitor, path = fresh.visitor("registrant"), fresh.path("/requests/{draft}/edit/syntax")
    visitor.send(path, {"syntax": "In words alone.", "then": "grammar"})
    page = visitor.get(f"{path}?grammar=yes")
    assert "No grammar was found in the Syntax section." in page.words


def test_a_section_that_is_empty_or_cannot_be_studied_now_has_no_panel(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert study_of({"syntax": " "}, "wombat") is None
    monkeypatch.setattr(QUEUE, "patience", 0.05)
    with QUEUE.turn(), QUEUE.turn():
        assert study_of({"syntax": 'a = "urn:wombat:busy"'}, "wombat") is None


def test_a_study_is_kept_until_the_text_changes_unless_something_was_cut(fresh: World) -> None:
    fields = {"syntax": WRONG}
    assert study_of(fields, "Wombat") is study_of(fields, "wombat")
    large = {
        "syntax": 'a = "urn:x1:" r0\n' + "".join(f"r{n} = BIT r{n + 1}\n" for n in range(4000))
    }
    first = study_of(large, "x1")
    assert first is not None
    assert first.too_large
    assert study_of(large, "x1") is not first
