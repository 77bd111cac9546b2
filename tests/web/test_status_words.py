"""What pages say of appeals, dates, previews and requests that were sent, as the facts are."""

from datetime import timedelta

from app.registration.declarations.registries import Procedure
from app.workflow.states import Action, State
from tests import factories
from tests.web.stages import Office

A, P, S = Action, Procedure, State


def test_withdrawing_an_appeal_is_offered_as_that(office: Office) -> None:
    registrant = office.people.registrant
    for state in (S.IESG_APPEAL_1, S.EXPERT_REVIEW):
        stage = office.at(state)
        words = stage.get(f"/requests/{stage.number}", registrant).words
        assert ("Withdraw appeal" in words) is (state is S.IESG_APPEAL_1)
        assert ("Withdraw request" in words) is (state is not S.IESG_APPEAL_1)


def test_a_recognition_is_not_dated_before_it_was_asked_for(office: Office) -> None:
    stage = office.at(S.IESG_RECOGNITION, P.FAST_TRACK)
    operator, today = office.people.operator, office.clock().date()
    given = factories.DECISION | {"reason": "They are one."}
    early = given | {"date": (today - timedelta(days=1)).isoformat()}
    refused = stage.send(A.RECOGNIZE, operator, early)
    assert refused.status == 422
    assert "before the question" in refused.words
    assert stage.send(A.RECOGNIZE, operator, given | {"date": today.isoformat()}).status == 303


def test_the_register_preview_shows_no_made_up_reference(office: Office) -> None:
    stage, operator = office.at(S.ASSIGNABLE), office.people.operator
    path = f"/desk/{stage.number}/register"
    for query, lacks in (
        ("?reference=&label=Quokka+Society", ""),
        ("?reference=https://quokka.example/&label=", "Enter the organization"),
    ):
        words = stage.get(path + query, operator).words
        assert "to be entered" not in words
        assert lacks in words
    page = stage.get(f"{path}?reference=https://quokka.example/&label=Quokka+Society", operator)
    (row,) = page.each("//tr[contains(@class, 'ok-bg')]")
    assert "Quokka Society" in row.text_content()
    assert "No reference yet" not in page.words


def test_ones_own_request_that_was_sent_is_not_with_them_now(office: Office) -> None:
    stage, registrant = office.at(S.NEW), office.people.registrant
    page = stage.get(f"/requests/{stage.number}/edit/registrant", registrant)
    assert page.status == 403
    assert "Not allowed" not in page.words
    assert "isn’t waiting for you" in page.words
    assert f"Request {stage.number} can’t be changed" in page.words


def test_the_header_counts_the_requests_that_wait_for_their_registrant(office: Office) -> None:
    stage, registrant = office.at(S.WITH_REQUESTER), office.people.registrant
    counted = "//nav//a[@href='/requests/yours']/span[@class='count']"
    (badge,) = stage.get("/help/", registrant).each(counted)
    rows = stage.get("/requests/yours", registrant).each("//tbody/tr")
    assert badge.text_content() == str(sum("Your turn" in row.text_content() for row in rows))


def test_the_operator_is_told_that_it_is_their_turn(office: Office) -> None:
    for state in (S.NEW, S.VALIDATING_REQUEST, S.ASSIGNABLE):
        stage = office.at(state)
        page = f"/requests/{stage.number}"
        assert "Your turn" in stage.get(page, office.people.operator).words
        assert "Your turn" not in stage.get(page, office.people.registrant).words


def test_the_page_of_a_new_request_names_the_next_number(office: Office) -> None:
    stage = office.at(S.ASSIGNABLE, P.INFORMAL)
    for _ in range(2):
        shown = stage.get("/requests/new", office.people.registrant).words
        assert "such as urn-" not in shown
        preview = stage.get(f"/desk/{stage.number}/register", office.people.operator)
        (heading,) = preview.each("//h1")
        name = heading.text_content().split()[1].removeprefix("urn:").strip(":")
        assert f"The next number is {name}." in shown
        stage.do(A.REGISTER, office.people.operator, reference=factories.REFERENCE)
        stage = office.at(S.ASSIGNABLE, P.INFORMAL)
