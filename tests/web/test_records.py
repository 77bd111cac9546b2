"""A request as documents: its whole record, the report, what to send on, what changed."""

from dataclasses import replace

import pytest
from lxml import etree

from app.registration.templates.template_reader import read_template
from app.services.accounts.rate_limits import LIMITS, RateLimitKind
from app.services.mail.incoming_mail import ingest
from app.services.requests import request_actions
from app.services.requests.request_evidence import ActionInput
from app.workflow.states import Action
from tests import factories
from tests.conftest import START
from tests.web.conftest import World

ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)


def text_of(world: World, path: str) -> str:
    page = world.visitor().get(world.path(path))
    assert page.status == 200
    assert page.headers["Content-Type"].startswith("text/")
    return page.html


def test_the_record_holds_texts_reviews_discussion_and_decisions(world: World) -> None:
    record = text_of(world, "/requests/{again}/record.txt")
    assert record.startswith("Record of registration request ")
    assert record.count("Purpose:") == 2, "both iterations"
    assert "An expert requested changes." in record
    assert "An expert on text 1: Request changes" in record
    assert "Namespace Identifier: quenda" in record
    assert "robin@org.example" not in record
    assert max(map(len, record.splitlines())) <= 78
    said = text_of(world, "/requests/{new}/record.txt")
    assert "Discussion\n==========" in said
    assert "The registrant:\n\nWhat of it?" in said


def test_a_report_can_be_sent_as_text_and_as_markdown(world: World) -> None:
    assert text_of(world, "/requests/{reported}/report.md") == "# Report\n\nIt is fine."
    assert text_of(world, "/requests/{reported}/report.txt") == "Report\n======\n\nIt is fine.\n"


def test_the_message_to_send_on_has_the_text_and_the_report(world: World) -> None:
    message = text_of(world, "/requests/{reported}/message.txt")
    assert message.startswith("Subject: Registration of urn:phascogale: (Escalation)")
    assert "Report\n======" in message
    assert "Namespace Identifier: phascogale" in message


def test_what_changed_between_two_texts_has_an_address(world: World) -> None:
    page = world.visitor().get(world.path("/requests/{again}/diff?from=1&to=2"))
    assert "added: Better." in page.words
    text = world.visitor().get(world.path("/requests/{again}/diff.txt?from=1&to=2"))
    assert "\n+Better.\n" in text.html
    assert "/iteration-1\n+++ request-" in text.html
    (canonical,) = page.each("//link[@rel='canonical']/@href")
    assert canonical.endswith("/diff?from=1&to=2")
    sides = world.visitor().get(world.path("/requests/{again}/diff?from=1&to=2&view=sides"))
    assert [th.text_content() for th in sides.each("//thead//th")][:2] == [
        "Text 1",
        "Text 2",
    ]
    one = world.visitor().get(world.path("/requests/{new}/diff"))
    assert "Only one text has been submitted" in one.words
    assert "Changes from" not in one.title
    twice = world.visitor().get(world.path("/requests/{again}/diff?from=2&to=2"))
    assert "Choose two different texts" in twice.words
    for wrong in ("from=0&to=1", "from=1&to=x", "from=%C2%B2&to=1"):
        page = world.visitor().get(world.path(f"/requests/{{again}}/diff?{wrong}"))
        assert page.status == 404
        assert "has texts 1 to 2. Choose two of them." in page.words


def test_a_comment_that_says_nothing_comes_back_with_its_form(world: World) -> None:
    path = world.path("/requests/{new}")
    page = world.visitor("rival").send(path, {"comment": " "}, action=f"{path}/comments")
    assert page.status == 422
    assert "Enter a comment" in page.words
    assert page.form(f"{path}/comments")["section"] == ""


def test_a_comment_too_many_comes_back_with_its_words(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = replace(LIMITS[RateLimitKind.COMMENTS_OF_PERSON], most=1)
    monkeypatch.setitem(LIMITS, RateLimitKind.COMMENTS_OF_PERSON, limit)
    path = fresh.path("/requests/{new}")
    rival = fresh.visitor("rival")
    for status in (303, 429):
        page = rival.send(path, {"comment": "For zoos only?"}, action=f"{path}/comments")
        assert page.status == status
    assert "in 60 minutes." in page.words
    assert page.headers["Retry-After"] == "3600"
    assert page.form(f"{path}/comments")["comment"] == "For zoos only?"
    assert fresh.visitor().get(path).html.count("For zoos only?") == 1


def test_where_the_list_keeps_a_comment_is_a_link_that_vouches_for_nothing(fresh: World) -> None:
    number = fresh.numbers["new"]
    url = "https://lists.example/a?b=c&d='"
    raw = (
        "Authentication-Results: mx.example; dmarc=pass header.from=org.example\n"
        f"From: robin@org.example\nSubject: [urn {number}] x\nMessage-ID: <1@x.example>\n"
        f"Archived-At: <{url}>\n\nI use them.\n"
    )
    with fresh.app.app_context():
        policy = factories.policy(factories.SECRET)
        ingest(raw.encode(), START, policy, authserv_id="mx.example")
    page = fresh.visitor().get(f"/requests/{number}")
    link = '<a href="https://lists.example/a?b=c&amp;d=&#39;" rel="nofollow noopener">'
    assert page.html.count(link) == 1


def test_each_text_that_was_sent_can_be_had_as_it_is_mailed(world: World) -> None:
    first = text_of(world, "/requests/{again}/iterations/1.txt")
    second = text_of(world, "/requests/{again}/iterations/2.txt")
    assert first != second
    assert read_template(second).fields["namespace_identifier"] == "quenda"
    page = world.visitor().get(world.path("/requests/{again}"))
    assert world.path("/requests/{again}/iterations/2.txt") in page.html
    assert world.path("/requests/{again}/internet-draft.xml") in page.html


def test_a_draft_can_be_had_as_text_and_as_an_internet_draft_by_its_author(world: World) -> None:
    author = world.visitor("registrant")
    check = author.get(world.path("/requests/{draft}/check"))
    for path in ("/requests/{draft}/draft.txt", "/requests/{draft}/internet-draft.xml"):
        assert world.path(path) in check.html
        page = author.get(world.path(path))
        assert page.status == 200
        assert "dibbler" in page.html


def test_a_request_can_be_had_as_an_internet_draft(world: World) -> None:
    page = world.visitor().get(world.path("/requests/{again}/internet-draft.xml"))
    assert page.headers["Content-Type"] == "application/rfc+xml"
    assert page.headers["Content-Disposition"].startswith('attachment; filename="draft-')
    root = etree.fromstring(page.html.encode())
    assert root.get("docName", "").endswith("-urn-quenda-01")
    assert b"robin@org.example" not in etree.tostring(root)
    assert root.findtext(".//section[@anchor='field_purpose']/t")


def test_who_asked_for_a_name_that_another_got_is_told_what_to_do(fresh: World) -> None:
    with fresh.app.app_context():
        people = factories.cast(START)
        loser = factories.in_review(people, START, namespace_identifier="Bettong")
        winner, reference = fresh.numbers["approved"], factories.REFERENCE
        factories.act(winner, Action.REGISTER, people.operator, START, reference=reference)
    for who, path in (
        ("stranger", "/requests/"),
        ("registrant", "/requests/"),
        ("leader", "/review/"),
    ):
        page = fresh.visitor(who).get(f"{path}{loser}")
        assert page.status == 200
        assert "registered for another request in edition" in page.words
        assert "choose another identifier and submit again" in page.words
        assert "rival@" not in page.html


def test_what_experts_answered_stands_with_their_reviews(fresh: World) -> None:
    number = fresh.numbers["reviewed"]
    given = {"verdict": "approve", "reason": "Well done.", "stability": "yes", "name": "unclear"}
    sent = fresh.visitor("expert").send(f"/review/{number}", given)
    assert sent.status == 303
    pages = [
        fresh.visitor().get(f"/requests/{number}"),
        fresh.visitor("leader").get(f"/review/{number}"),
    ]
    record = fresh.visitor().get(f"/requests/{number}/record.txt")
    for page in (*pages, record):
        assert "or can the namespace continue without it? Yes" in page.words
        assert "Is the NID free of conflicts? Unclear" in page.words
    for page in (pages[0], record):
        assert "An expert approved the request." in page.words


def test_a_registry_that_prepares_requests_offers_a_message_and_no_name(fresh: World) -> None:
    fresh.app.extensions["settings"] = replace(
        fresh.app.extensions["settings"], authority="proposal"
    )
    number, operator = fresh.numbers["approved"], fresh.visitor("operator")
    page = operator.get(f"/requests/{number}")
    assert "Waiting for the operator to send it to IANA" in page.words
    assert "Register it" not in page.words
    led = operator.get(f"/desk/{number}/register")
    assert (led.status, led.location) == (303, f"/requests/{number}")
    message = text_of(fresh, f"/requests/{number}/message.txt")
    assert "The request is approved. Please register the template below." in message
    assert "next edition" not in message
    with fresh.app.app_context():
        assert "/message.txt" in page.html
        at = fresh.app.extensions["now"]()
        people, day = factories.cast(at), at.date().isoformat()
        for action in (Action.SEND_ON, Action.ENTER_REGISTRATION):
            seen = factories.lock_of(number)
            command = factories.command(people.operator, at, seen=seen, authority="proposal")
            given = ActionInput(details={"day": day, "ticket": "#1234"})
            request_actions.carry_out(command, number, action, given)
    ended = operator.get(f"/requests/{number}")
    assert "State Registered at IANA Kind" in " ".join(ended.words.split())
    assert "/message.txt" not in ended.html
    assert operator.get(f"/requests/{number}/message.txt").status == 404
    record = text_of(fresh, f"/requests/{number}/record.txt")
    assert "State: Registered at IANA\n" in record


@ONE_DATABASE
def test_pages_have_a_plain_word_for_a_state_and_ianas_beside_it(world: World) -> None:
    at = world.path("/requests/{returned}")
    for path in (at, "/requests/"):
        words = " ".join(world.visitor().get(path).words.split())
        assert "Waiting for registrant With Requester" in words, path
    assert (
        "State: Waiting for registrant (With Requester)"
        in world.visitor().get(f"{at}/record.txt").html
    )
    assert "Text (iteration) Text 1" in " ".join(world.visitor().get(at).words.split())
    told = world.visitor().get("/help/procedures").words
    assert "“Waiting for registrant” for With Requester" in told


@ONE_DATABASE
def test_operators_put_kept_words_in_where_they_write(fresh: World) -> None:
    operator, at = fresh.visitor("operator"), fresh.path("/requests/{checked}")
    kept = {"title": "Greeting", "body": "Thank you for your request."}
    assert operator.send("/desk/replies", kept).status == 303
    page = operator.get(at)
    into = {
        button.get("data-into")
        for button in page.each("//button[@data-into]")
        if button.get("data-copy") == kept["body"]
    }
    assert {"comment", "reason_return", "reason_decline"} <= into
    assert into <= set(page.values("id"))
    assert "data-into" not in fresh.visitor("registrant").get(at).html
