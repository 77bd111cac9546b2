"""What pages say follows the state and the procedure, and offers nothing that is refused."""

from app.exports.editions.edition_list import EditionKind
from app.registration.declarations.registries import URN_SPACE, Procedure
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.editions import version_history
from app.store.accounts import delegate_rows
from app.store.database import read_transaction, transaction
from app.store.tables.delegates import DelegateOrigin
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.web.stages import Office

A, P, S = Action, Procedure, State


def test_the_fast_track_never_speaks_of_approval(office: Office) -> None:
    people = office.people
    stage = office.at(S.EXPERT_REVIEW, P.FAST_TRACK)
    review = stage.get(f"/review/{stage.number}", people.expert)
    assert "In favor" in review.words
    stage.review(people.expert, Verdict.APPROVE)
    stage.review(people.second_expert, Verdict.DECLINE)
    shown = [
        stage.get(f"/requests/{stage.number}", people.registrant),
        stage.get(f"/requests/{stage.number}/check", people.registrant),
        stage.get(f"/requests/{stage.number}/record.txt", people.registrant),
        review,
    ]
    assert "would" not in shown[0].words, "advice decides nothing"
    office.clock.on(minutes=1)
    speaker = factories.person(people.rival.email, office.clock())
    stage.do(A.COMPLETE, speaker)
    shown += [stage.get(f"/requests/{stage.number}", who) for who in (people.operator, speaker)]
    for page in shown:
        assert "approv" not in page.words.lower(), page.path
    assert "Completed on" in shown[-1].words


def test_a_draft_on_the_fast_track_says_so_where_it_opens(office: Office) -> None:
    for procedure in (P.FAST_TRACK, P.COMMUNITY):
        stage = office.at(S.DRAFT, procedure)
        opened = stage.get(
            f"/requests/{stage.number}/edit/name-and-purpose", office.people.registrant
        )
        assert "You are requesting a formal namespace" in opened.words
        assert ("on the fast track" in opened.words) is (procedure is P.FAST_TRACK)


def test_who_does_not_speak_for_the_organization_is_offered_no_completion(office: Office) -> None:
    stage, own = office.at(S.EXPERT_REVIEW, P.FAST_TRACK), office.people.registrant
    path = f"/requests/{stage.number}"
    assert f"{path}/complete" not in stage.get(path, own).values("action", "form")
    page = stage.get(f"{path}/check", own)
    assert "Only a representative of the organization" in page.words
    assert "Submit again" not in page.words


def test_the_steps_stay_where_a_request_waits_or_was_declined(office: Office) -> None:
    stage = office.at(S.WITH_REQUESTER)
    path = f"/requests/{stage.number}"
    page = stage.get(path, office.people.registrant)
    assert "Expert review: waiting for the registrant" in page.words
    stage.write(purpose="Better than before, as the comments asked.")
    office.clock.on(minutes=1)
    sent = stage.send(A.RESUBMIT, office.people.registrant)
    assert sent.status == 303
    again = stage.get(path, office.people.registrant).words
    assert "operator checks" not in again
    stage.review(office.people.leader, Verdict.DECLINE)
    words = stage.get(path, office.people.registrant).text("//ol[@class='track']")
    assert " ".join(words.split()) == "Submitted Operator check Expert review Declined"


def test_a_revision_that_was_just_begun_shows_no_error(office: Office) -> None:
    stage = office.at(S.ASSIGNABLE)
    stage.do(A.REGISTER, office.people.operator, reference=factories.REFERENCE)
    number = factories.revision(office.people.registrant, office.clock(), stage.name)
    for section in ("name-and-purpose", "registrant", "syntax"):
        page = stage.get(f"/requests/{number}/edit/{section}", office.people.registrant)
        assert (page.status, page.title.startswith("Error")) == (200, False), section
    found = stage.get(
        f"/requests/{number}/edit/name-and-purpose?found=yes", office.people.registrant
    )
    assert found.title.startswith("Error"), "whom the last page led there sees what is missing"


def test_the_desk_tells_a_revision_as_the_page_of_its_edition_does(office: Office) -> None:
    people, stage = office.people, office.at(S.ASSIGNED)
    at = office.clock.on(minutes=1)
    number = factories.modifiable(people, at, stage.name, purpose="Better.")
    factories.act(number, A.REGISTER, people.operator, at, reference=factories.REFERENCE)
    page = stage.get(f"/desk/names/{stage.name}", people.operator)
    first, second = page.each("//section[@aria-labelledby='history']//li")
    assert ": Registered" in " ".join(first.text_content().split())
    assert ": Registration changed" in " ".join(second.text_content().split())
    with read_transaction():
        rows = version_history.history(URN_GROUP)
    assert [row.occasion for row in rows[-2:]] == [
        EditionKind.REGISTRATION.occasion,
        EditionKind.REVISION.occasion,
    ]


def test_an_operator_is_told_before_that_another_one_corrects_their_name(office: Office) -> None:
    stage, operator = office.at(S.ASSIGNABLE), office.people.operator
    stage.do(A.REGISTER, operator, reference=factories.REFERENCE)
    path = f"/desk/names/{stage.name}"
    assert "Another operator must make this correction." not in stage.get(path, operator).words
    with transaction():
        held = delegate_rows.find_name(URN_SPACE, stage.name)
        assert held is not None
        delegate_rows.add(held, operator.id, DelegateOrigin.INVITED, office.clock())
    assert "Another operator must make this correction." in stage.get(path, operator).words
