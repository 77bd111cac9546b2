"""The help pages: how a request goes, and each procedure as a picture, in words and as a table."""

import pytest

from app.pages.diagrams.procedure_graph import NOT_DRAWN, drawing
from app.pages.diagrams.procedure_tables import rows_of
from app.registration.declarations.procedure_choice import next_question
from app.registration.declarations.registries import Procedure
from app.registration.templates.sample_template import EXAMPLE
from app.registration.templates.template_writer import format_template
from app.workflow.body_names import body_names
from tests.web.conftest import World
from tests.web.visitor import Page

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
pytestmark = ONE_DATABASE


def section(page: Page, procedure: Procedure) -> str:
    """Where a procedure stands on the page, as a path to its parts."""
    anchor = procedure.replace(" ", "-")
    assert page.each(f"//h2[@id='{anchor}']")
    return f"//section[@aria-labelledby='{anchor}']"


def test_help_leads_to_every_procedure_and_is_in_the_navigation(world: World) -> None:
    page = world.visitor().get("/help/")
    for procedure in Procedure:
        assert f"/help/procedures#{procedure.replace(' ', '-')}" in page.values("href")
    assert page.text("//nav[@aria-label='Main']//a[@aria-current]") == "Help"
    assert "/help/" in world.visitor().get("/requests/").values("href")


@pytest.mark.parametrize("procedure", Procedure)
def test_a_procedure_is_a_picture_with_its_words_and_its_table(
    world: World, procedure: Procedure
) -> None:
    page, of = world.visitor().get("/help/procedures"), drawing(procedure)
    at = section(page, procedure)
    picture = f"{at}//svg[@role='img'][starts-with(@aria-label, 'The shortest way')]"
    assert len(page.each(f"{picture}//path")) == len(of.arrows)
    assert len(page.each(f"{picture}//rect")) == len(of.boxes) - 1, "the beginning is a dot"
    words = sorted(" ".join(text.text_content().split()) for text in page.each(f"{picture}//text"))
    labels = [label for arrow in of.arrows for label in arrow.labels]
    inside = [word for box in of.boxes for word in (box.word, box.detail) if word]
    said = body_names(is_official=False).put_into
    assert words == sorted(map(said, labels + inside))
    for sentence in (NOT_DRAWN, *of.sentences):
        assert said(sentence) in page.text(at)
    assert len(page.each(f"{at}//tbody/tr")) == len(rows_of(procedure))


def test_a_picture_needs_no_style_that_the_policy_forbids(world: World) -> None:
    page = world.visitor().get("/help/procedures")
    assert page.values("style") == []
    assert page.values("id") == sorted(set(page.values("id")), key=page.values("id").index)


def test_a_few_questions_lead_to_a_request_of_the_right_kind(world: World) -> None:
    visitor, path, asked = world.visitor(), "/help/which", 0
    while next_question([False] * asked):
        page = visitor.get(path)
        assert next_question([False] * asked).text in page.words.replace("`", "")  # type: ignore[union-attr]  # asked above
        path, asked = f"/help/which?answers={'n' * (asked + 1)}", asked + 1
        assert path in page.values("href")
    assert "Request a formal namespace" in visitor.get(path).words
    page = visitor.get("/help/which?answers=nny")
    assert "Request an informal namespace" in page.words
    start = visitor.get("/requests/new?kind=urn-namespaces-2")
    assert "/requests/new?kind=urn-namespaces-2" in page.values("href")
    assert start.each("//button[@name='registry'][@class='btn']/@value") == ["urn-namespaces-2"]
    fast = visitor.get("/help/which?answers=nnny").values("href")
    assert "/requests/new?kind=fast-track" in fast


@pytest.mark.parametrize("answers", ["x", "yn", "n" * 50, "%C3%BF", "nyn"])
def test_answers_that_nobody_was_asked_for_begin_anew(world: World, answers: str) -> None:
    page = world.visitor().get(f"/help/which?answers={answers}")
    assert page.status == 200
    assert "Question 1 of at most" in page.words


def test_the_way_from_an_idea_shows_a_request_that_is_whole(world: World) -> None:
    page = world.visitor().get("/help/registering")
    assert "The structure of a URN, in ABNF" in page.words
    for path in ("/help/which", "/tools/nid", "/tools/urn", "/requests/new"):
        assert path in page.values("href")
    assert world.visitor().get("/help/example.txt").html == format_template(EXAMPLE)


def test_the_way_into_arks_has_its_steps_in_order_and_is_linked_where_arks_are(
    world: World,
) -> None:
    visitor = world.visitor()
    page = visitor.get("/help/ark")
    steps = [f"#{ident}" for ident in ("what", "naan", "ask", "form", "resolve", "promise")]
    assert page.each("//main//ol[1]/li/a/@href")[:6] == steps
    assert [f"#{ident}" for ident in page.each("//main//h2/@id")][:6] == steps
    for shared in ("99152", "99166", "99999"):
        assert shared in page.text("//*[@id='shared']")
    for path in ("/help/", "/tools/ark"):
        assert "/help/ark" in visitor.get(path).values("href")


def test_the_names_that_were_given_are_found_from_the_tools_and_the_help(world: World) -> None:
    for path in ("/help/", "/tools/"):
        assert "/names/under/" in world.visitor().get(path).values("href")
