"""A return is answered where it was asked, and its reviewers see the answer beside the change."""

import re

import pytest

from app.registration.declarations.registries import Procedure
from app.services.requests import queues
from app.store.database import read_transaction
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.web.stages import Office, Stage

ASKED = (
    "Who are you?\n\n> Syntax, line 1: nss\n\nWhich letters? See https://example.org/letters.\n\n"
    "> Security and Privacy\n\nSay <b>more</b>."
)
WHY = "It is said in the specification."


@pytest.fixture
def returned(office: Office) -> Stage:
    """A request with a comment on a field, which an expert returned with three points."""
    stage = office.at(State.EXPERT_REVIEW, Procedure.COMMUNITY)
    factories.comment(
        stage.number, office.people.rival, office.clock.on(minutes=1), "Assignment: who?"
    )
    office.clock.on(minutes=1)
    factories.review(
        stage.number, office.people.expert, Verdict.RETURN, office.clock(), reason=ASKED
    )
    return stage


def _keys(html: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r'name="(answer_[a-z]+_\d+_\d+)"', html)))


def test_what_was_asked_stands_beside_its_field_in_the_editor(
    returned: Stage, office: Office
) -> None:
    robin, base = office.people.registrant, f"/requests/{returned.number}/edit"
    syntax = returned.get(f"{base}/syntax", robin).html
    assert syntax.index("Which letters?") < syntax.index('<textarea id="syntax"')
    assert '<a href="https://example.org/letters"' in syntax
    assert "An expert</strong> asks" in syntax
    assert "Say &lt;b&gt;more" not in syntax  # it is of another section
    assert "1 question to answer" in syntax
    assert "Who are you?" in syntax  # what is said of the whole stands on every page
    safety = returned.get(f"{base}/safety-and-use", robin).html
    assert "Say &lt;b&gt;more&lt;/b&gt;." in safety
    assignment = returned.get(f"{base}/assignment", robin).html
    assert "who?" in assignment
    assert "Answer (optional)" in assignment


def test_what_is_said_of_what_people_look_up_stands_there_and_beside_its_change(
    office: Office,
) -> None:
    people, stage = office.people, office.at(State.EXPERT_REVIEW, Procedure.COMMUNITY)
    office.clock.on(minutes=1)
    said = {"comment": "Which?", "section": "equivalence"}
    comments = f"/requests/{stage.number}/comments"
    assert stage.post(comments, people.rival, said).status == 303
    assert "on Equivalent spellings" in stage.get(f"/requests/{stage.number}", people.rival).words
    asked = "> Homepage\n\nWhere do people read more?"
    factories.review(stage.number, people.expert, Verdict.RETURN, office.clock(), reason=asked)
    robin, base = people.registrant, f"/requests/{stage.number}"
    (box,) = stage.get(f"{base}/edit/syntax", robin).each("//details[@id='equivalence']")
    assert "Which?" in "".join(box.itertext())
    first = f"{base}/edit/name-and-purpose"
    page = stage.get(first, robin)
    (box,) = page.each("//details[@id='profile']")
    assert "Where do people read more?" in "".join(box.itertext())
    assert "Comments on the whole text" not in page.words
    visitor = stage.visitor(robin)
    typed = visitor.get(first).form(first) | {"homepage": "https://boxes.example/"}
    assert visitor.post(first, typed).status == 303
    check = visitor.get(f"{base}/check")
    assert f"{first}#profile" in check.values("href", "a")
    assert "Key facts" in check.words
    assert "Key facts : changed" in check.words or "Key facts: changed" in check.words
    assert stage.send(Action.RESUBMIT, robin).status == 303
    review = stage.get(f"/review/{stage.number}", people.expert)
    (box,) = review.each("//section[@aria-labelledby='asked']")
    shown = " ".join("".join(box.itertext()).split())
    assert "You, Key facts" in shown
    assert "homepage: https://boxes.example/" in shown


def test_nothing_is_sent_again_before_all_of_it_is_answered_and_the_page_says_what_is_not(
    returned: Stage, office: Office
) -> None:
    robin, path = office.people.registrant, f"/requests/{returned.number}/check"
    returned.write(syntax="nss = 1*DIGIT")
    page = returned.get(path, robin)
    assert "2 questions to answer" in page.html
    assert "Not ready to submit" in page.html
    assert page.each("//h2[@id='since']")
    assert "<ins>" in page.html
    keys = _keys(page.html)
    assert len(keys) == 4
    refused = returned.send(Action.RESUBMIT, robin, dict.fromkeys(keys, ""))
    assert refused.status == 422
    assert f'href="#{keys[0]}"' in refused.html
    kept = returned.post(path, robin, {"then": "keep", "sending": "resubmit", keys[0]: "changed"})
    assert kept.status == 303
    assert "1 question to answer" in returned.get(path, robin).html
    words = {f"{key}_words": WHY for key in keys if key not in keys[:1]}
    sent = returned.send(
        Action.RESUBMIT, robin, dict.fromkeys(keys, "left") | words | {keys[0]: ""}
    )
    assert sent.status == 303
    assert returned.state is State.EXPERT_REVIEW


def test_the_answers_stand_on_the_page_in_the_record_and_on_the_list_and_not_in_the_template(
    returned: Stage, office: Office
) -> None:
    robin = office.people.registrant
    returned.write(syntax="nss = 1*DIGIT", security_and_privacy="None is known.")
    key = _keys(returned.get(f"/requests/{returned.number}/check", robin).html)[0]
    answer = {key: "left", f"{key}_words": WHY}
    assert returned.send(Action.RESUBMIT, robin, answer).status == 303
    base = f"/requests/{returned.number}"
    public = returned.get(base, office.people.rival).html
    assert WHY in public
    assert "&gt; Syntax" not in public
    assert WHY in returned.get(f"{base}/record.txt", office.people.rival).html
    assert WHY not in returned.get(f"{base}/iterations/2.txt", office.people.rival).html


def test_the_reviewer_sees_all_of_it_on_one_page(returned: Stage, office: Office) -> None:
    people, clock = office.people, office.clock
    returned.write(
        syntax="nss = 1*DIGIT\nn = DIGT",
        documentation="https://example.org/spec",
        security_and_privacy="None is known.",
    )
    key = next(
        key
        for key in _keys(returned.get(f"/requests/{returned.number}/check", people.registrant).html)
    )
    answer = {key: "left", f"{key}_words": WHY}
    assert returned.send(Action.RESUBMIT, people.registrant, answer).status == 303
    factories.comment(returned.number, people.rival, clock.on(minutes=1), "I agree.")
    factories.review(returned.number, people.second_expert, Verdict.APPROVE, clock.on(minutes=1))
    page = returned.get(f"/review/{returned.number}", people.expert)
    assert page.words.index("You, The whole text") < page.words.index(WHY)  # what they asked
    assert "<ins>" in page.html  # the change
    assert "I agree." in page.words
    assert "1 of 2 approvals" in page.words
    assert "One more approval is needed. Then the operator registers it" in page.words
    assert '<a href="https://example.org/spec" rel="nofollow noopener">' in page.html
    assert '<li id="syntax_2">n = DIGT</li>' in page.html  # numbered lines
    assert 'href="#syntax_2"' in page.html  # where the finding leads to
    assert "&gt; Syntax" not in page.text("//section[@aria-labelledby='said']")
    leader = returned.get(f"/review/{returned.number}", people.leader)
    assert "Waiting for your review" in page.words
    with read_transaction():
        is_awaited = queues.waits_for(people.leader, returned.number)  # as their queue has it
    assert ("Waiting for your review" in leader.words) is is_awaited
    assert "your review decides" in leader.words


def test_a_comment_is_written_beside_a_review_and_neither_loses_what_was_typed(
    office: Office,
) -> None:
    people, stage = office.people, office.at(State.EXPERT_REVIEW)
    path = f"/review/{stage.number}"
    visitor = stage.visitor(people.expert)
    shown = visitor.get(path)
    then = {"then": "comment"}
    typed = {"verdict": "approve", "reason": "It is <b>fine</b>.", "benefit": "yes"}
    both = shown.form(path) | typed | {"comment": "Which `list`?", "section": "syntax"}
    unsent = visitor.post(path, both)  # the review goes away with its page, and a comment with it
    assert (unsent.status, unsent.values("href", "a").count("#comment")) == (422, 1)
    assert {**unsent.form(path), **typed, "comment": "Which `list`?"} == unsent.form(path)
    empty = visitor.post(path, unsent.form(path) | then | {"comment": " "})
    assert (empty.status, empty.values("href", "a").count("#comment")) == (422, 1)
    said = visitor.post(path, empty.form(path) | then | {"comment": "Which `list`?"})
    assert said.status == 200
    assert "Which <code>list</code>?" in said.html
    kept = said.form(path)
    assert {**kept, **typed, "comment": "", "section": ""} == kept
    again = visitor.post(path, empty.form(path) | then | {"comment": "Which `list`?"})
    assert again.html.count("Which <code>list</code>?") == 1  # once, however often it comes
    assert again.text("//details[@id='comments']//strong") == "You"
    own, others = (
        stage.get(f"/requests/{stage.number}", who).text("//article[1]//strong")
        for who in (people.expert, people.second_expert)
    )
    assert (own, others) == ("You", "An expert")
    assert visitor.post(path, kept).status == 303
    assert stage.state is State.EXPERT_REVIEW
    assert stage.kinds[-2:] == ["commented", "reviewed"]


def test_a_review_that_was_typed_on_an_older_text_is_not_given_to_a_newer_one_by_a_comment(
    office: Office,
) -> None:
    people, stage = office.people, office.at(State.EXPERT_REVIEW)
    path = f"/review/{stage.number}"
    visitor = stage.visitor(people.expert)
    typed = visitor.get(path).form(path) | {"verdict": "approve", "comment": "Why?"}
    factories.review(
        stage.number, people.second_expert, Verdict.COMMENT, office.clock.on(minutes=1)
    )
    said = visitor.post(path, typed | {"then": "comment"})
    assert said.status == 200
    assert visitor.post(path, said.form(path)).status == 409
    stage.change(state=State.VALIDATING_REQUEST)
    gone = visitor.post(path, typed | {"then": "comment", "reason": "Long."})
    assert gone.status == 403
    assert "Long." in gone.words
    assert stage.kinds.count("commented") == 1


@pytest.mark.parametrize("then", [{"then": "comment"}, {}])
@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "same-origin", "Origin": "null"}])
def test_a_comment_beside_a_review_that_is_over_comes_back_with_it(
    office: Office, headers: dict[str, str], then: dict[str, str]
) -> None:
    """Whatever a browser says of where the form came from: it has the token of its page."""
    people, stage = office.people, office.at(State.EXPERT_REVIEW)
    path = f"/review/{stage.number}"
    visitor = stage.visitor(people.leader)
    review = visitor.get(path).form(path) | {"verdict": "decline", "reason": "Who owns it?"}
    assert visitor.post(path, review | {"comment": ""}).status == 303
    assert stage.state is not State.EXPERT_REVIEW
    happened = stage.kinds
    gone = visitor.post(path, review | {"comment": "Which list?"} | then, headers=headers)
    assert gone.status == 403
    assert "Who owns it?" in gone.words
    assert "Which list?" in gone.words
    assert f"/requests/{stage.number}" in gone.words
    assert stage.kinds == happened


def test_an_answer_that_is_not_taken_leaves_everything_typed_on_its_page(
    returned: Stage, office: Office
) -> None:
    robin, base = office.people.registrant, f"/requests/{returned.number}"
    pages = {f"{base}/edit/syntax": {"syntax": "nss = 1*8DIGIT"}, f"{base}/check": {"then": "keep"}}
    for path, own in pages.items():
        key = _keys(returned.get(path, robin).html)[0]
        for wrong in ({f"{key}_words": "x" * 201}, {"answer_review_999_1_words": "To whom?"}):
            typed = returned.visitor(robin).get(path).form(path) | {key: "left"} | own
            page = returned.post(path, robin, {**typed, f"{key}_words": WHY, **wrong})
            assert page.status == 422
            assert own.items() <= {**page.form(path), "then": "keep"}.items()
            linked = [href.removeprefix("#") for href in page.values("href", "a[@class='problem']")]
            assert linked == [name for name in wrong if name.startswith(key)]
            assert set(linked) <= set(page.values("id"))
            assert "200 characters" in page.words or "To whom?" in page.words
            assert "1*8DIGIT" not in returned.get(f"{base}/check", robin).html
