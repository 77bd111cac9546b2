"""What helps an expert write a review: a saved draft, and precedents."""

from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.web.stages import Office
from tests.web.visitor import Page
from tests.web.wellmade import faults

TYPED = {"verdict": "return", "reason": "Say who assigns <b>names</b>.", "benefit": "yes"}
BOOKS = "Numbers of books and monographs in all formats, which publishers print."


def _precedents(page: Page) -> str:
    return page.text("//section[@aria-labelledby='precedents']")


def test_a_draft_is_private_to_its_author_and_ends_with_their_review(office: Office) -> None:
    people, stage = office.people, office.at(State.EXPERT_REVIEW)
    path = f"/review/{stage.number}"
    expert = stage.visitor(people.expert)
    saved = expert.post(path, expert.get(path).form(path) | TYPED | {"then": "save"})
    assert saved.status == 303
    page = stage.get(path, people.expert)  # in another browser
    assert {**page.form(path), **TYPED} == page.form(path)
    assert "Draft saved" in page.words
    assert "reviewed" not in stage.kinds
    for other in (people.second_expert, people.leader, people.operator, people.registrant):
        for where in (path, f"/requests/{stage.number}", f"/requests/{stage.number}/record.txt"):
            assert "who assigns" not in stage.get(where, other).html
    answers = expert.get(path).form(path) | {"verdict": "approve", "reason": "Fine."}
    assert expert.post(path, answers).status == 303
    assert stage.kinds[-1] == "reviewed"
    after = stage.get(path, people.expert)
    assert after.form(path)["reason"] == ""
    assert "Draft saved" not in after.words


def test_the_script_saves_an_unfinished_review_and_gets_a_short_page(office: Office) -> None:
    people, stage = office.people, office.at(State.EXPERT_REVIEW)
    path = f"/review/{stage.number}"
    expert = stage.visitor(people.expert)
    shown = expert.get(path)
    assert shown.each("//form[@id='review'][@data-autosave]")
    answer = expert.post(path, shown.form(path) | {"reason": "Half a", "then": "look"})
    assert (answer.status, answer.headers["Location"]) == (303, f"{path}?saved=yes")
    page = expert.get(f"{path}?saved=yes")
    assert list(faults(page)) == []
    assert page.each("//*[@data-saved]")
    assert not page.each("//form[@id='review']")
    assert expert.get(path).form(path)["reason"] == "Half a"
    expert.post(path, expert.get(path).form(path) | {"reason": "", "then": "look"})
    assert "Draft saved" not in expert.get(path).words


def test_a_draft_that_cannot_be_kept_is_refused_with_its_text(office: Office) -> None:
    people, stage = office.people, office.at(State.EXPERT_REVIEW)
    path = f"/review/{stage.number}"
    expert = stage.visitor(people.expert)
    form = expert.get(path).form(path)
    for reason in ("a" * 8001, "a\0b"):
        page = expert.post(path, form | {"reason": reason, "then": "save"})
        assert page.status == 422
        assert page.values("href", "a").count("#reason") == 1
    assert "Draft saved" not in expert.get(path).words
    stage.change(state=State.VALIDATING_REQUEST)
    gone = expert.post(path, form | TYPED | {"then": "save"})
    assert gone.status == 403
    assert "who assigns" in gone.words  # it comes back
    assert stage.post(path, people.rival, TYPED | {"then": "save"}).status == 403


def test_after_a_newer_text_the_draft_says_so_and_precedents_follow_the_text(
    office: Office,
) -> None:
    people, stage = office.people, office.at(State.EXPERT_REVIEW)
    path = f"/review/{stage.number}"
    expert = stage.visitor(people.expert)
    expert.post(path, expert.get(path).form(path) | TYPED | {"then": "save"})
    assert "about iteration" not in expert.get(path).words
    stage.review(people.second_expert, Verdict.RETURN)
    stage.write(purpose=BOOKS)
    assert stage.send(Action.RESUBMIT, people.registrant).status == 303
    page = expert.get(path)
    assert "You wrote this draft about text 1." in page.words
    (first, *_) = page.each("//section[@aria-labelledby='precedents']//li//a")
    assert first.get("href") == "/namespaces/isbn"
    assert "<strong>books</strong>" in page.html
    assert "Searched for: " in _precedents(page)


def test_precedents_are_searched_by_other_words_without_the_request_itself(
    office: Office,
) -> None:
    people, stage = office.people, office.at(State.EXPERT_REVIEW)
    other = office.at(State.EXPERT_REVIEW)
    factories.review(
        other.number,
        people.expert,
        Verdict.COMMENT,
        office.clock.on(minutes=1),
        reason="Say how the check digit of each name is computed.",
    )
    path = f"/review/{stage.number}"
    found = stage.get(f"{path}?q=check+digits", people.expert)
    link = f"//section[@aria-labelledby='precedents']//a[@href='/requests/{other.number}']"
    assert found.text(link) == f"Request {other.number}"
    assert "<strong>check</strong> <strong>digit</strong>" in found.html
    assert "Comment" in _precedents(found)
    own = stage.get(f"/review/{other.number}?q=check+digits", people.leader)
    assert "No past review matches" in _precedents(own)
    for words in ("zzzz", "a" * 5000, "the", "&q=%3Cb%3E"):
        page = stage.get(f"{path}?q={words}", people.expert)
        assert page.status == 200
    assert stage.get(f"{path}?q=%00", people.expert).status == 400
    assert "No namespace matches" in _precedents(stage.get(f"{path}?q=zzzz", people.expert))
