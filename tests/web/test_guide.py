"""The help pages: how a request goes, and each procedure as a picture, in words and as a table."""

import pytest

from app.pages.drawing import NOT_DRAWN, drawing
from app.registration.declarations import Procedure
from app.workflow.transitions import TABLES
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
    assert words == sorted(labels + inside)
    for sentence in (NOT_DRAWN, *of.sentences):
        assert sentence in page.text(at)
    assert len(page.each(f"{at}//tbody/tr")) == len(TABLES[procedure])


def test_a_picture_needs_no_style_that_the_policy_forbids(world: World) -> None:
    page = world.visitor().get("/help/procedures")
    assert page.values("style") == []
    assert page.values("id") == sorted(set(page.values("id")), key=page.values("id").index)
