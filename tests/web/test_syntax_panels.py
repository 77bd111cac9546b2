"""What the workbench finds stands in the form's Syntax section and beside a review."""

import pytest

from app.outside.work_queue import QUEUE
from app.services.requests import text_findings
from app.services.requests.syntax_studies import (
    GrammarSource,
    grammar_of,
    grammar_source,
    study_again,
)
from tests.grammar.studies import study
from tests.web.conftest import World

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
pytestmark = ONE_DATABASE
WRONG = 'name = "urn:wombat:" 1*(ALPHA / " ")\n'
FOUND = "name allows a space: urn:wombat: . Encode it as %20."


def test_the_saved_grammar_is_studied_where_it_is_asked_for(fresh: World) -> None:
    visitor, path = fresh.visitor("registrant"), fresh.path("/requests/{draft}/edit/syntax")
    page = visitor.send(path, {"syntax": WRONG, "then": "grammar"})
    assert page.status == 303
    assert page.headers["Location"].endswith("/edit/syntax?grammar=yes#grammar")
    page = visitor.get(f"{path}?grammar=yes")
    assert "1 rule, starting from name." in page.words
    assert "Findings: 2 warnings" in page.text("//*[@id='grammar']")
    for shown in (page, visitor.get(path)):
        assert f"Line 1: {FOUND}" in shown.text("//*[@data-told='syntax']")
    assert not visitor.get(path).each("//*[@id='grammar']")
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
    found = study(WRONG, "wombat")
    monkeypatch.setattr(text_findings, "grammar_of", lambda _: found)
    page = fresh.visitor("expert").get(fresh.path("/review/{reviewed}"))
    (panel,) = page.each("//section[@aria-labelledby='checks']")
    assert FOUND in " ".join(panel.text_content().split())
    quotes = [button.get("data-copy") for button in panel.findall(".//button[@data-copy]")]
    assert {quote.split("\n")[0] for quote in quotes} == {f"> Syntax, line 1: {WRONG.strip()}"}
    assert len(quotes) == len(found.findings)


def test_a_section_without_a_grammar_says_so(fresh: World) -> None:
    visitor, path = fresh.visitor("registrant"), fresh.path("/requests/{draft}/edit/syntax")
    visitor.send(path, {"syntax": "In words alone.", "then": "grammar"})
    page = visitor.get(f"{path}?grammar=yes")
    assert "No grammar was found in the Syntax section." in page.words


def test_a_section_that_is_empty_has_no_panel_and_one_that_cannot_be_studied_now_says_so(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert grammar_source({"syntax": " "}, "wombat") is None
    monkeypatch.setattr(QUEUE, "patience", 0.05)
    with QUEUE.turn(), QUEUE.turn():
        (busy,) = grammar_of(source_of('a = "urn:wombat:busy"')).too_large
    assert busy.startswith("The server is busy")


def source_of(text: str, nid: str = "wombat") -> GrammarSource:
    given = grammar_source({"syntax": text}, nid)
    assert given is not None
    return given


def test_a_study_is_kept_until_the_text_changes_and_tried_again_where_somebody_asks(
    fresh: World,
) -> None:
    assert grammar_of(source_of(WRONG, "Wombat")) is grammar_of(source_of(WRONG))
    large = source_of('a = "urn:x1:" r0\n' + "".join(f"r{n} = BIT r{n + 1}\n" for n in range(4000)))
    first = grammar_of(large)
    assert first.too_large
    assert grammar_of(large) is first, "whoever opens a page costs no study each time"
    assert study_again(large) is not first
