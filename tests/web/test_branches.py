"""What a page says only now and then: in each such case it is well made, and says it."""

from collections.abc import Callable

import pytest

from app.registration.declarations import Procedure
from app.services import ingesting
from app.store import editions
from app.store.database import transaction
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import START
from tests.factories import Cast
from tests.web import stages
from tests.web.conftest import World
from tests.web.stages import Office, Stage, begin
from tests.web.visitor import Page
from tests.web.wellmade import faults

A, P, S = Action, Procedure, State
ONE_DATABASE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
pytestmark = ONE_DATABASE
SECRET = "of a test"

QUOTING = (
    b"From: who@nowhere.example\nMessage-ID: <9@nowhere.example>\nSubject: Zoos\n"
    b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    b"--b\nContent-Type: text/plain\n\nHere.\n\nOn Monday Jo wrote:\n> Where are they?\n\n"
    b"--b\nContent-Type: text/csv; name=zoos.csv\n"
    b"Content-Disposition: attachment; filename=zoos.csv\n\na,b\n--b--\n"
)
RETURNED = (
    b"From: MAILER-DAEMON@nowhere.example\nMessage-ID: <10@nowhere.example>\n"
    b"Auto-Submitted: auto-replied\nMIME-Version: 1.0\n"
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
    b"--b\nContent-Type: text/plain\n\nSorry.\n\n--b\nContent-Type: message/delivery-status\n\n"
    b"Reporting-MTA: dns; nowhere.example\n\nFinal-Recipient: rfc822; robin@org.example\n"
    b"Action: failed\nStatus: 5.1.1\n\n--b--\n"
)


def well(page: Page, *words: str) -> Page:
    """A page that is as it should be, and says this."""
    assert (page.status, faults(page)) == (200, [])
    for said in words:
        assert said in page.words, page.words
    return page


# ---- the desk


def _own_claim(people: Cast) -> str:
    return f"/desk/claims/{factories.claim(people.operator, 'ietf', START, SECRET)}"


def _quoting(people: Cast) -> str:
    factories.queued_mail(START, QUOTING)
    return "/desk/mail/"


def _returned(people: Cast) -> str:
    ingesting.ingest(RETURNED, START, factories.POST, secret=SECRET)
    return "/desk/mail/"


def _spoken_for(people: Cast) -> str:
    factories.recognized(people, START, "Quoll Society", "speaker@quoll.example")
    return "/desk/organizations/"


def _unpublished(people: Cast) -> str:
    with transaction():
        editions.note_failure(1, "No space is left.", START)
    return "/desk/"


DESK: list[tuple[Callable[[Cast], str], list[str]]] = [
    (_own_claim, ["asked for this yourself, so another operator decides it", "now Nobody"]),
    (lambda _: "/desk/claims/", ["urn:isbn: claimed on 1 September 2026"]),
    (_quoting, ["What it quotes On Monday Jo wrote: > Where are they?", "was not kept: zoos.csv"]),
    (_returned, ["Did not reach robin@org.example: 5.1.1"]),
    (_spoken_for, ["Speaks for it: speaker@quoll.example", "Remove a representative"]),
    (_unpublished, ["Editions that could not be published Edition 1, tried 1 time: No space"]),
]


@pytest.mark.parametrize(("arranged", "words"), DESK)
def test_the_desk_shows_what_is_there_now_and_then(
    fresh: World, arranged: Callable[[Cast], str], words: list[str]
) -> None:
    with fresh.app.app_context():
        path = arranged(factories.cast(START))
    well(fresh.visitor("operator").get(path), *words)


def test_an_appointment_that_ended_stands_among_the_former(fresh: World) -> None:
    with fresh.app.app_context():
        number = factories.appointed(factories.cast(START), START, "ann@experts.example")
    operator, path = fresh.visitor("operator"), f"/desk/experts/{number}/end"
    form = operator.get("/desk/experts").form(path) | {"decision": "Decision 8"}
    assert operator.post(path, form).status == 303
    page = well(operator.get("/desk/experts"))
    former = page.text("//section[@aria-labelledby='former']")
    assert former == "Before ann@experts.example, expert, 2026-09-01 to 2026-09-01. Decision 7"


def test_once_all_is_checked_the_desk_leads_to_what_is_to_be_registered(fresh: World) -> None:
    operator = fresh.visitor("operator")
    with fresh.app.app_context():
        for name in ("new", "checked"):
            factories.change_request(fresh.numbers[name], state=S.WITHDRAWN)
    page = well(operator.get("/desk/"), "Register the oldest")
    assert f"/desk/{fresh.numbers['approved']}/register" in page.values("href", "a")


# ---- requests


def _to_complete(office: Office) -> tuple[Stage, str]:
    return office.at(S.EXPERT_REVIEW, P.FAST_TRACK), "/requests/{}"


def _to_report(office: Office) -> tuple[Stage, str]:
    return office.at(S.EXPERT_REVIEW, P.STANDARDS_ACTION), "/review/{}"


def _directed(office: Office) -> tuple[Stage, str]:
    return office.at(S.ASSIGNABLE, P.STANDARDS_ACTION), "/requests/{}"


def _asked_again(office: Office) -> tuple[Stage, str]:
    declined = office.at(S.DECLINED)
    again = begin(office.app, office.people, office.clock, P.COMMUNITY)
    again.write(namespace_identifier=declined.name)
    for action, who in ((A.SUBMIT, "registrant"), (A.TAKE, "operator"), (A.PASS, "operator")):
        again.do(action, getattr(office.people, who))
    return again, "/review/{}"


def _lost(office: Office) -> tuple[Stage, str]:
    stage = office.at(S.EXPERT_REVIEW)
    stages.take_the_name(stage)
    return stage, "/review/{}"


def _conflicted(office: Office) -> tuple[Stage, str]:
    stage = office.at(S.EXPERT_REVIEW)
    stages.conflict(stage, office.people.expert)
    return stage, "/review/you"


REQUESTS: list[tuple[Callable[[Office], tuple[Stage, str]], str, list[str]]] = [
    (_to_complete, "registrant", ["Change the text before it is completed"]),
    (_to_report, "leader", ["Send the report to the body that approves the standard"]),
    (_directed, "rival", ["Read it: https://decisions.example/7 Decided on: 2026-08-01"]),
    (_asked_again, "leader", ["Declined on 1 September 2026. Because."]),
    (_lost, "expert", ["The name was given to another request, in edition"]),
    (_conflicted, "expert", ["It is over"]),
]


@pytest.mark.parametrize(("arranged", "who", "words"), REQUESTS)
def test_a_request_says_what_is_so_now_and_then(
    office: Office,
    arranged: Callable[[Office], tuple[Stage, str]],
    who: str,
    words: list[str],
) -> None:
    stage, path = arranged(office)
    well(stage.get(path.format(stage.number), getattr(office.people, who)), *words)


def test_a_record_as_text_has_reports_decisions_and_words_that_were_changed(
    office: Office,
) -> None:
    stage, people = office.at(S.ASSIGNABLE, P.STANDARDS_ACTION), office.people
    ident = factories.comment(stage.number, people.rival, office.clock(), "First words.")
    path = f"/requests/{stage.number}/comments/{ident}"
    assert stage.post(path, people.rival, {"comment": "Second words."}).status == 303
    text = stage.get(f"/requests/{stage.number}/record.txt", people.rival).html
    for words in (
        "# Report\n\nIt is fine.\n",
        "\n  Read it: https://decisions.example/7\n  Decided on: 2026-08-01\n",
        "\nSecond words.\n\nEarlier: First words.\n",
    ):
        assert words in text


def test_a_draft_is_shown_as_the_list_will_read_it_and_with_its_likely_reference(
    office: Office,
) -> None:
    office.set(list_address="urn@lists.example")
    stage = office.begin()
    stage.write(documentation="See RFC 8141.")
    page = well(
        stage.get(f"/requests/{stage.number}/check", office.people.registrant),
        "The operator chooses the reference; this is the first RFC or address",
        "The message to the list To: urn@lists.example",
    )
    assert "It refers to nothing yet" not in page.words


def test_a_revision_that_is_behind_says_so_before_it_is_sent(world: World) -> None:
    path = world.path("/requests/{outdated}")
    page = well(
        world.visitor("registrant").get(f"{path}/check"),
        "A newer version was registered meanwhile. Look at what changed",
    )
    assert f"{path}/revision" in page.values("href", "a")
