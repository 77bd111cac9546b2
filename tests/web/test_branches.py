"""What a page says only now and then: in each such case it is well made, and says it."""

import io
import re
from collections.abc import Callable

import pytest
from sqlalchemy import delete, select, update

from app.registration.declarations.registries import FORMAL, Procedure
from app.registration.templates.template_writer import format_template
from app.services.experts import fast_track_organizations
from app.services.mail import incoming_mail
from app.services.requests import queues
from app.store.database import db, transaction
from app.store.editions import edition_rows
from app.store.tables import Claim, Host, IncomingMail, Outbox, Request
from app.store.tables.delegates import ClaimState
from app.store.tables.discussion import MailDisposition
from app.workflow.reviews import Verdict
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
    incoming_mail.ingest(RETURNED, START, factories.policy(SECRET))
    return "/desk/mail/"


def _spoken_for(people: Cast) -> str:
    factories.recognized(people, START, "Quoll Society", "speaker@quoll.example")
    return "/desk/organizations/"


def _unpublished(people: Cast) -> str:
    with transaction():
        edition_rows.note_failure(1, "No space is left.", START)
    return "/desk/"


def _bare(people: Cast) -> str:
    factories.queued_mail(START, b"Message-ID: <11@nowhere.example>\n\n")
    return "/desk/mail/"


def _tried(people: Cast) -> str:
    with transaction():
        row = db.session.scalars(select(Outbox).order_by(Outbox.id.desc()).limit(1)).one()
        row.why, row.attempts = "451 Later", 1
    return "/desk/mail/"


def _ended(people: Cast) -> str:
    number = factories.recognized(people, START, "Quoll Society")
    fast_track_organizations.end(factories.command(people.operator, START), number, "It is gone.")
    return "/desk/organizations/"


def _of_one_table(people: Cast) -> str:
    factories.appointed(people, START, "one@experts.example", FORMAL.id)
    return "/desk/experts"


DESK: list[tuple[Callable[[Cast], str], list[str]]] = [
    (_own_claim, ["This is your own request.", "managers None"]),
    (lambda _: "/desk/claims/", ["urn:isbn: claimed on 1 September 2026"]),
    (_quoting, ["Quoted text On Monday Jo wrote: > Where are they?", "(not stored): zoos.csv"]),
    (_returned, ["Bounce reports", "robin@org.example: 5.1.1"]),
    (_spoken_for, ["Representatives: speaker@quoll.example", "Remove representative"]),
    (_ended, ["No longer recognized; was recognized from 2020-01-01"]),
    (_bare, ["No subject From an unknown sender, 1 September 2026.", "No text."]),
    (_tried, ["tried 1 time; will be tried again 451 Later Try now"]),
    (_of_one_table, ["one@experts.example, expert for formal namespaces, since 2026-09-01"]),
    (lambda _: "/desk/people/", ["Add contact"]),
    (_unpublished, ["No worker has reported for 3 days.", "Site status: 1 more problem"]),
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
    assert (
        former
        == "Past appointments ann@experts.example, expert, 2026-09-01 to 2026-09-01. Decision 7"
    )


def test_once_all_is_checked_the_desk_leads_to_what_is_to_be_registered(fresh: World) -> None:
    operator = fresh.visitor("operator")
    with fresh.app.app_context():
        for name in ("new", "checked"):
            factories.change_request(fresh.numbers[name], state=S.WITHDRAWN)
    page = well(operator.get("/desk/"), "Register the most urgent request")
    assert f"/desk/{fresh.numbers['approved']}/register" in page.values("href", "a")


def test_the_desk_says_how_much_waits_how_long_and_what_is_next(fresh: World) -> None:
    page = well(fresh.visitor("operator").get("/desk/"))
    tasks = {
        link.get("href", "").partition("=")[2]: int(link.xpath("string(*[@class='num'])"))
        for link in page.each("//aside//a[starts-with(@href, '/desk/?task=')]")
    }
    assert {"to_check", "to_register"} <= set(tasks)
    numbers = [row.get("href") for row in page.each("//main//table//th/a")]
    assert len(numbers) == len(set(numbers)), "each request is listed once"
    for task, count in tasks.items():
        shown = well(fresh.visitor("operator").get(f"/desk/?task={task}"))
        assert len(shown.each("//main//tbody/tr")) == count, task
    told = page.text("//main//p[@class='lede']")
    waiting = tasks["to_check"] + tasks["to_register"]
    assert told.startswith(f"{waiting} requests waiting for you, the oldest for ")
    assert "Next: due by " in told


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ("task=to_register", lambda row: "Register" in row),
        ("procedure=informal", lambda row: "informal" in row),
        ("overdue=yes", lambda row: "Overdue" in row),
    ],
)
def test_the_desk_is_searched_and_filtered(
    fresh: World, query: str, fits: Callable[[str], bool]
) -> None:
    operator = fresh.visitor("operator")
    every = [row.text_content() for row in operator.get("/desk/").each("//main//tbody/tr")]
    found = [row.text_content() for row in operator.get(f"/desk/?{query}").each("//main//tbody/tr")]
    assert len(found) < len(every)
    assert all(map(fits, found))
    number = re.search(r"Request (\d+)", every[0])[1]  # type: ignore[index]
    assert f"Request {number}" in operator.get(f"/desk/?q={number}").words
    assert "No requests match." in well(operator.get("/desk/?q=nothing+like+it")).words


def test_a_desk_that_lists_a_part_alone_says_that_there_may_be_more(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "MOST_SHOWN", 1)
    page = well(fresh.visitor("operator").get("/desk/"))
    assert "at most 1 request per task" in page.words
    told = page.text("//main//p[@class='lede']")
    assert told.startswith("2 or more requests waiting for you, the oldest for ")


def test_where_nothing_waits_the_desk_says_so(fresh: World) -> None:
    with fresh.app.app_context(), transaction():
        waiting = Request.state.not_in((S.ASSIGNED, S.MODIFIED))
        ended = update(Request).where(waiting).values(state=S.WITHDRAWN, returns_to=None)
        db.session.execute(ended)
        decided = {"state": ClaimState.REFUSED, "decided": START, "reason": "No."}
        db.session.execute(update(Claim).values(decided))
        db.session.execute(update(Outbox).values(state="sent", why=""))
        discarded = update(IncomingMail).where(IncomingMail.filed == MailDisposition.QUEUED)
        db.session.execute(discarded.values(filed=MailDisposition.DISCARDED))
        db.session.execute(delete(Host))
    with fresh.app.app_context():
        factories.host()
    operator = fresh.visitor("operator")
    page = well(operator.get("/desk/"), "Nothing to do.", "Claims and transfers 0")
    assert not page.each("//main//table")
    well(operator.get("/desk/mail/"), "No failed messages.", "0 messages.")


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


def _said_on_a_section(office: Office) -> tuple[Stage, str]:
    stage = office.at(S.NEW)
    factories.comment(stage.number, office.people.rival, office.clock(), section="syntax")
    return stage, "/requests/{}"


def _reviewed(office: Office) -> tuple[Stage, str]:
    stage = office.at(S.EXPERT_REVIEW)
    stage.review(office.people.expert, Verdict.APPROVE)
    return stage, "/requests/{}"


def _read_alike(office: Office) -> tuple[Stage, str]:
    first, second = office.begin(), office.begin()
    second.write(namespace_identifier=f"{first.name}-l")
    first.write(namespace_identifier=f"{first.name}-1")
    for stage in (first, second):
        stage.do(A.SUBMIT, office.people.registrant)
    return second, "/requests/{}"


def _merged(office: Office) -> tuple[Stage, str]:
    stage = office.at(S.VALIDATING_REQUEST)
    stages.duplicate(stage)
    assert stage.send(A.MERGE, office.people.operator, {"other": stage.other}).status == 303
    return office.of(int(stage.other)), "/requests/{}"


def _unnamed(office: Office) -> tuple[Stage, str]:
    stage = office.begin()
    stage.write(namespace_identifier="")
    return stage, "/requests/yours"


def _standard(office: Office) -> tuple[Stage, str]:
    stage = office.at(S.EXPERT_REVIEW, P.STANDARDS_ACTION)
    stage.review(office.people.leader, Verdict.RETURN)
    return stage, "/requests/{}/edit/name-and-purpose"


REQUESTS: list[tuple[Callable[[Office], tuple[Stage, str]], str, list[str]]] = [
    (_to_complete, "registrant", ["Edit the text before you complete it"]),
    (_said_on_a_section, "rival", [" on Syntax, 1 September 2026"]),
    (_reviewed, "expert", ["Review it again"]),
    (_read_alike, "rival", ["-1: (similar)"]),
    (_merged, "rival", ["Replaces request"]),
    (_unnamed, "registrant", ["A formal namespace, request"]),
    (_standard, "registrant", ["Part of a standard: yes"]),
    (_to_report, "leader", ["Send report to the standards body"]),
    (_directed, "rival", ["Published at: https://decisions.example/7 Decided on: 2026-09-01"]),
    (_asked_again, "leader", ["Declined on 1 September 2026. Because."]),
    (_lost, "expert", ["registered for another request in edition"]),
    (_conflicted, "expert", ["Remove "]),
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
        "\n  Published at: https://decisions.example/7\n  Decided on: 2026-09-01\n",
        "\nSecond words.\n\nEarlier: First words.\n",
    ):
        assert words in text


def test_the_record_of_an_informal_request_says_what_it_does_not_have(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW, P.INFORMAL), office.people
    stage.change(organization="")
    stage.review(people.leader, Verdict.COMMENT)
    factories.comment(stage.number, people.rival, office.clock(), section="syntax")
    text = stage.get(f"/requests/{stage.number}/record.txt", people.rival).html
    for words in (
        "\nRequest: a new informal namespace\n",
        "\nOrganization: not given\n",
        "  The lead expert on text 1: ",
        " on Syntax:\n",
    ):
        assert words in text


def test_of_three_texts_two_are_chosen_to_be_compared(office: Office) -> None:
    stage, people = office.at(S.EXPERT_REVIEW), office.people
    for purpose in ("Better.", "Best."):
        stage.review(people.leader, Verdict.RETURN)
        stage.write(purpose=purpose)
        stage.do(A.RESUBMIT, people.registrant)
    path = f"/requests/{stage.number}/diff"
    page = well(stage.get(path, people.rival), "Compare two of the 3 texts")
    chosen = page.form(path)
    assert (chosen["from"], chosen["to"]) == ("2", "3")


def test_a_draft_is_shown_as_the_list_will_read_it_and_with_its_likely_reference(
    office: Office,
) -> None:
    office.set(list_address="urn@lists.example")
    stage = office.begin()
    stage.write(documentation="See RFC 8141.")
    page = well(
        stage.get(f"/requests/{stage.number}/check", office.people.registrant),
        "The operator chooses the reference",
        "Message to the mailing list To: urn@lists.example",
    )
    assert "The reference is missing" not in page.words


def test_a_revision_that_is_behind_says_so_before_it_is_sent(world: World) -> None:
    path = world.path("/requests/{outdated}")
    page = well(
        world.visitor("registrant").get(f"{path}/check"),
        "A newer version was registered after you began",
    )
    assert f"{path}/revision" in page.values("href", "a")


# ---- names


def test_what_becomes_of_a_deprecated_name_is_told_in_its_revision(fresh: World) -> None:
    operator, registrant = fresh.visitor("operator"), fresh.visitor("registrant")
    corrected = {"status": "deprecated", "successor": "isbn", "reason": "It ended."}
    assert operator.send("/desk/names/quokka", corrected).status == 303
    begun = registrant.send("/namespaces/quokka/revise")
    assert begun.status == 303
    number = begun.location.split("/")[2]
    path, documents = f"/requests/{number}/revision", f"/requests/{number}/edit/documents"
    well(registrant.get(path), "The namespace remains deprecated. Use urn:isbn: instead.")
    assert registrant.send(documents, {"status": "stays"}).status in {303, 422}
    well(registrant.get(path), "returns the namespace to use")


def test_whoever_acts_for_a_name_can_object_to_its_transfer(fresh: World) -> None:
    registrant, rival = fresh.visitor("registrant"), fresh.visitor("rival")
    invited = fresh.path("/links/{invitation}")
    assert rival.send(invited).status == 303
    with fresh.app.app_context():
        factories.ask_transfer(factories.cast(START).registrant, "quokka", START, SECRET)
    well(rival.get("/namespaces/quokka/transfer"), "Object to the transfer")
    well(registrant.get("/namespaces/quokka/transfer"), "Cancel the transfer")


# ---- tools


TOOLS = [
    ("ark", "ark:13030/xf93gt2q", "Check character Valid for the NAAN and Name"),
    (
        "ark",
        "ark:13030/xf93gt2r",
        "Check character Not valid, if the last character is a check character",
    ),
    ("ark", "\n".join(f"ark:12345/x{n}" for n in range(201)), "first 200 of 201"),
    ("urn", "urn:example:1", "1 line: 1 valid."),
    (
        "syntax",
        'name = "urn:ex:" word\nword = %s"a" / %i"b"\n\nurn:ex:b urn:ex:A',
        "Examples in the text Matches urn:ex:b line 4",
    ),
]


@pytest.mark.parametrize(("tool", "asked", "words"), TOOLS)
def test_a_tool_says_what_is_so_now_and_then(
    world: World, tool: str, asked: str, words: str
) -> None:
    well(world.visitor().get(f"/tools/{tool}", query_string={"q": asked}), words)


def test_of_many_urns_of_one_namespace_the_first_are_shown(world: World) -> None:
    text = "urn:isbn:1, urn:isbn:2, urn:isbn:3, urn:isbn:4"
    well(world.visitor().post("/tools/nid", {"q": text}), "urn:isbn:2, urn:isbn:3 …")


def test_a_file_that_cannot_be_read_is_refused_at_its_field(world: World) -> None:
    given = {"file": (io.BytesIO(b"name = \xff\xfe\x00"), "grammar.txt")}
    page = world.visitor().post("/tools/syntax", given)
    assert faults(page) == []
    (file,) = page.each("//input[@type='file'][@aria-invalid='true']")
    assert page.each(f"//*[@id='{file.get('aria-describedby').split()[0]}']")


def test_what_was_left_out_of_a_template_is_told_line_by_line(world: World) -> None:
    broken = "\n\nJo                      Informational                      [Page 1]\n\f\n"
    text = format_template(factories.template()).replace("\n\nSyntax:", f"{broken}\nSyntax:")
    page = world.visitor().post("/tools/template", {"text": text})
    well(page, "is in no field: Jo Informational [Page 1]")


def test_changing_what_is_registered_begins_at_its_own_place(world: World) -> None:
    page = well(world.visitor().get("/help/which?answers=ny"), "Change the namespace")
    assert "/requests/new#changing" in page.values("href", "a")
