"""Who may ask for what: every rule and method, for everybody, against one table."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from werkzeug.exceptions import NotFound

from app.registration.declarations import FORMAL
from app.services import publishing
from app.store import holders, requests
from app.store.database import reading
from tests import factories
from tests.conftest import MakeApp
from tests.factories import PLACE
from tests.web.conftest import PEOPLE, MakeWorld, World
from tests.web.visitor import Visitor

# stranger, registrant of the requests, another registrant, expert, leader of the experts, operator
TABLE = """
GET  /                                        200 200 200 200 200 200
GET  /?q=isbn                                 303 303 303 303 303 303
GET  /assignments/urn-namespaces/             200 200 200 200 200 200
GET  /assignments/urn-formal/isbn             404 404 404 404 404 404
GET  /assignments/urn-formal/quokka           200 200 200 200 200 200
GET  /assignments/urn-informal/quokka         404 404 404 404 404 404
GET  /namespaces/isbn                         200 200 200 200 200 200
GET  /namespaces/ISBN                         301 301 301 301 301 301
GET  /namespaces/numbat                       404 404 404 404 404 404
GET  /editions/                               200 200 200 200 200 200
GET  /editions/?as-of=2026-12-31              302 302 302 302 302 302
GET  /editions/1/                             200 200 200 200 200 200
GET  /editions/99/                            404 404 404 404 404 404
GET  /editions/1..2.json                      200 200 200 200 200 200
GET  /editions/1..99.json                     404 404 404 404 404 404
GET  /editions/compare                        200 200 200 200 200 200
GET  /editions/compare?from=1&to=2            200 200 200 200 200 200
GET  /editions/compare?from=x&to=2            404 404 404 404 404 404
GET  /namespaces/quokka/versions/1            302 302 302 302 302 302
GET  /namespaces/quokka/versions/1/diff       404 404 404 404 404 404
GET  /namespaces/quokka/diff?from=1&to=1      200 200 200 200 200 200
GET  /namespaces/quokka/diff.txt?from=1&to=1  200 200 200 200 200 200
GET  /namespaces/numbat/diff.txt?from=1&to=1  404 404 404 404 404 404
GET  /namespaces/quokka/requests              200 200 200 200 200 200
GET  /help/                                   200 200 200 200 200 200
GET  /help/registering                        200 200 200 200 200 200
GET  /help/example.txt                        200 200 200 200 200 200
GET  /help/which                              200 200 200 200 200 200
GET  /help/which?answers=nny                  200 200 200 200 200 200
GET  /help/procedures                         200 200 200 200 200 200
GET  /tools/ark                               200 200 200 200 200 200
GET  /tools/ark?q=ark:12345/x54xz321%0Anone   200 200 200 200 200 200
GET  /tools/                                  200 200 200 200 200 200
GET  /tools/urn                               200 200 200 200 200 200
GET  /tools/urn?q=urn:isbn:1%0Anone           200 200 200 200 200 200
POST /tools/urn                               200 200 200 200 200 200
GET  /tools/nid                               200 200 200 200 200 200
GET  /tools/nid?q=isbn                        200 200 200 200 200 200
POST /tools/nid                               200 200 200 200 200 200
GET  /tools/template                          200 200 200 200 200 200
GET  /tools/syntax                            200 200 200 200 200 200
GET  /tools/syntax?q=a=%22urn:ex:%22          200 200 200 200 200 200
POST /tools/syntax                            200 200 200 200 200 200
POST /tools/template                          200 200 200 200 200 200
GET  /healthz                                 200 200 200 200 200 200
GET  /readyz                                  200 200 200 200 200 200
GET  /static/ui.css                           200 200 200 200 200 200
GET  /static/../config.py                     404 404 404 404 404 404

GET  /sign-in                                 200 200 200 200 200 200
POST /sign-in                                 200 200 200 200 200 200
GET  /sign-in/guessed                         410 410 410 410 410 410
POST /sign-in/guessed                         410 410 410 410 410 410
POST /sign-out                                303 303 303 303 303 303
GET  /sign-in/{link}                          200 200 200 200 200 200
POST /sign-in/{link}                          303 303 303 303 303 303
GET  /account                                 303 200 200 200 200 200
POST /demo/sign-in/0                          303 303 303 303 303 303
POST /demo/sign-in/5                          404 404 404 404 404 404

GET  /requests/                               200 200 200 200 200 200
GET  /requests/pending                        200 200 200 200 200 200
GET  /requests/decided                        200 200 200 200 200 200
GET  /requests/decided?after=x                404 404 404 404 404 404
GET  /requests/yours                          303 200 200 200 200 200
GET  /requests/new                            200 200 200 200 200 200
POST /requests/new                            401 303 303 303 303 303

POST /requests/new/template                   401 303 303 303 303 303

GET  /requests/{draft}                        404 303 404 404 404 404
GET  /requests/{new}                          200 200 200 200 200 200
GET  /requests/{checked}                      200 200 200 200 200 200
GET  /requests/{reviewed}                     200 200 200 200 200 200
GET  /requests/{returned}                     200 200 200 200 200 200
GET  /requests/{approved}                     200 200 200 200 200 200
GET  /requests/{registered}                   200 200 200 200 200 200
GET  /requests/{withdrawn}                    200 200 200 200 200 200
GET  /requests/{absent}                       404 404 404 404 404 404
GET  /requests/{new}/iterations/1             200 200 200 200 200 200
GET  /requests/{new}/iterations/2             404 404 404 404 404 404
GET  /requests/{draft}/iterations/1           404 404 404 404 404 404

GET  /requests/{draft}/edit/                  303 303 303 303 303 303
GET  /requests/{draft}/edit/registrant        303 200 404 404 404 404
GET  /requests/{returned}/edit/registrant     303 200 404 404 404 404
GET  /requests/{new}/edit/registrant          303 403 404 404 404 404
GET  /requests/{draft}/edit/nothing           404 404 404 404 404 404
POST /requests/{draft}/edit/registrant        401 303 404 404 404 404
POST /requests/{returned}/edit/registrant     401 303 404 404 404 404
POST /requests/{new}/edit/registrant          401 403 404 404 404 404
POST /requests/{registered}/edit/registrant   401 403 404 404 404 404
GET  /requests/{draft}/check                  303 200 404 404 404 404
GET  /requests/{returned}/check               303 200 404 404 404 404
GET  /requests/{new}/check                    303 403 404 404 404 404
POST /requests/{draft}/check                  401 303 404 404 404 404
POST /requests/{returned}/check               401 422 403 403 403 403
POST /requests/{new}/check                    401 403 404 404 404 404
POST /requests/{draft}/discard                401 303 303 303 303 303
POST /requests/{new}/discard                  401 403 303 303 303 303

POST /requests/{draft}/withdraw               401 409 404 404 404 404
POST /requests/{new}/take                     401 403 403 403 403 303
POST /requests/{new}/pass                     401 409 409 409 409 409
POST /requests/{new}/withdraw                 401 303 403 403 403 403
POST /requests/{checked}/take                 401 409 409 409 409 409
POST /requests/{checked}/pass                 401 403 403 403 403 303
POST /requests/{checked}/return               401 403 403 403 403 303
POST /requests/{checked}/decline              401 403 403 403 403 303
POST /requests/{checked}/withdraw             401 303 403 403 403 403
POST /requests/{reviewed}/return              401 403 403 422 422 403
POST /requests/{reviewed}/decline             401 403 403 403 403 403
POST /requests/{reviewed}/withdraw            401 303 403 403 403 403
POST /requests/{returned}/withdraw            401 303 403 403 403 403
POST /requests/{approved}/reopen              401 403 403 403 303 303
POST /requests/{approved}/collision           401 403 403 403 403 422
POST /requests/{approved}/withdraw            401 303 403 403 403 403
POST /requests/{registered}/withdraw          401 409 409 409 409 409
POST /requests/{withdrawn}/take               401 409 409 409 409 409
POST /requests/{new}/review                   404 404 404 404 404 404
POST /requests/{new}/register                 404 404 404 404 404 404
POST /requests/{new}/submit                   404 404 404 404 404 404
POST /requests/{new}/direct                   401 409 409 409 409 409
POST /requests/{new}/notes                    401 403 403 403 403 303
POST /requests/{draft}/notes                  401 403 403 403 403 404
POST /requests/{withdrawn}/copy               401 303 403 403 403 403
POST /requests/{new}/copy                     401 409 409 409 409 409
GET  /requests/{new}/iterations/1.txt         200 200 200 200 200 200
GET  /requests/{new}/iterations/2.txt         404 404 404 404 404 404
GET  /requests/{draft}/iterations/1.txt       404 404 404 404 404 404
GET  /requests/{new}/internet-draft.xml       200 200 200 200 200 200
GET  /requests/{draft}/internet-draft.xml     404 200 404 404 404 404
GET  /requests/{absent}/internet-draft.xml    404 404 404 404 404 404
GET  /requests/{draft}/draft.txt              303 200 404 404 404 404
GET  /requests/{new}/draft.txt                303 403 404 404 404 404
GET  /requests/{new}/record.txt               200 200 200 200 200 200
GET  /requests/{draft}/record.txt             404 404 404 404 404 404
GET  /requests/{new}/message.txt              200 200 200 200 200 200
GET  /requests/{new}/report.txt               404 404 404 404 404 404
GET  /requests/{new}/report.md                404 404 404 404 404 404
GET  /requests/{reported}/report.txt          200 200 200 200 200 200
GET  /requests/{reported}/report.md           200 200 200 200 200 200
GET  /requests/{again}/diff                   200 200 200 200 200 200
GET  /requests/{again}/diff?from=1&to=7       404 404 404 404 404 404
GET  /requests/{again}/diff.txt               200 200 200 200 200 200
GET  /requests/{draft}/diff.txt               404 404 404 404 404 404
GET  /requests/{draft}/diff                   404 404 404 404 404 404
POST /requests/{absent}/take                  401 404 404 404 404 404

GET  /review/you                              303 403 403 200 200 403
POST /review/you/organization                 401 403 403 303 303 403
POST /review/you/interest                     401 403 403 303 303 403
POST /review/you/absence                      401 403 403 303 303 403
POST /review/you/nothing                      401 403 403 404 404 403
POST /review/you/absence/77/end               401 403 403 404 404 403
POST /review/you/absence/{absence}/end        401 403 403 303 404 403
POST /review/you/nothing/1/end                401 403 403 404 404 403
GET  /review/                                 303 403 403 200 200 403
GET  /review/{reviewed}                       303 403 403 200 200 403
GET  /review/{experts}                        303 403 403 303 200 403
GET  /review/{new}                            303 403 403 303 303 403
GET  /review/{draft}                          303 403 403 404 404 403
POST /review/{reviewed}                       401 403 403 303 303 403
POST /review/{experts}                        401 403 403 403 303 403
POST /review/{new}                            401 403 403 409 409 403
POST /review/{registered}                     401 403 403 409 409 403
POST /review/{draft}                          401 403 403 404 404 403

GET  /desk/                                   303 403 403 403 403 200
GET  /desk/{approved}/register                303 403 403 403 403 200
GET  /desk/{new}/register                     303 403 403 403 403 303
GET  /desk/{draft}/register                   303 403 403 403 403 404
POST /desk/{approved}/register                401 403 403 403 403 303
POST /desk/{new}/register                     401 403 403 403 403 409
POST /desk/{registered}/register              401 403 403 403 403 409
POST /desk/{draft}/register                   401 403 403 403 403 404

GET  /desk/experts                            303 403 403 403 403 200
POST /desk/experts                            401 403 403 403 403 303
POST /desk/experts/{appointed}/end            401 403 403 403 403 303
POST /desk/experts/777/end                    401 403 403 403 403 404
GET  /desk/organizations/                     303 403 403 403 403 200
POST /desk/organizations/                     401 403 403 403 403 303
POST /desk/organizations/{recognized}/add     401 403 403 403 403 303
POST /desk/organizations/{recognized}/remove  401 403 403 403 403 422
POST /desk/organizations/{recognized}/end     401 403 403 403 403 303
POST /desk/organizations/{recognized}/sell    401 403 403 403 403 404
POST /desk/organizations/777/add              401 403 403 403 403 404
GET  /desk/mail/                              303 403 403 403 403 200
POST /desk/mail/{failed}/again                401 403 403 403 403 303
POST /desk/mail/                              401 403 403 403 403 303
POST /desk/mail/queue/{queued}/place          401 403 403 403 403 303
POST /desk/mail/queue/{queued}/discard        401 403 403 403 403 303
POST /desk/mail/queue/{template}/draft        401 403 403 403 403 303
POST /desk/mail/queue/9999/draft              401 403 403 403 403 404
POST /desk/mail/queue/9999/place              401 403 403 403 403 404
POST /desk/mail/queue/9999/discard            401 403 403 403 403 404
POST /desk/mail/9999/again                    401 403 403 403 403 404
POST /desk/mail/addresses/{marked}/clear      401 403 403 403 403 303
POST /desk/mail/addresses/9999/clear          401 403 403 403 403 404
POST /account/mail                            401 303 303 303 303 303
POST /requests/{new}/comments                 401 303 303 303 303 303
POST /requests/{draft}/comments               401 404 404 404 404 404
POST /requests/{new}/comments/{comment}       401 303 403 403 403 403
POST /requests/{again}/comments/{comment}     401 404 404 404 404 404
GET  /desk/replies                            303 403 403 403 403 200
POST /desk/replies                            401 403 403 403 403 303
POST /desk/replies/remove                     401 403 403 403 403 303
GET  /namespaces/quokka/revise                303 200 303 303 303 303
GET  /namespaces/numbat/revise                404 404 404 404 404 404
POST /namespaces/quokka/revise                401 303 303 303 303 303
GET  /requests/revise                         303 303 303 303 303 303
GET  /requests/revise?name=isbn               303 303 303 303 303 303
GET  /requests/{revision}/revision            404 200 404 404 404 404
GET  /requests/{new}/revision                 404 404 404 404 404 404
POST /requests/{revision}/revision            401 422 404 404 404 404
GET  /requests/{outdated}/revision            404 200 404 404 404 404
POST /requests/{outdated}/revision            401 303 404 404 404 404
GET  /requests/{revision}/edit/documents      303 200 404 404 404 404
GET  /requests/{revision}/check               303 200 404 404 404 404

GET  /namespaces/quokka/people                303 200 403 403 403 200
GET  /namespaces/numbat/people                303 404 404 404 404 404
POST /namespaces/quokka/people/invite         401 303 403 403 403 403
POST /namespaces/quokka/people/call-off       401 303 403 403 403 403
POST /namespaces/quokka/people/remove         401 422 403 403 403 403
POST /namespaces/quokka/people/leave          401 422 403 403 403 403
POST /namespaces/quokka/people/rename         404 404 404 404 404 404
GET  /requests/{draft}/people                 303 200 404 404 404 404
GET  /requests/{registered}/people            303 303 403 403 403 303
POST /requests/{draft}/people/invite          401 303 404 404 404 404
POST /requests/{draft}/people/leave           401 422 404 404 404 404

GET  /namespaces/isbn/claim                   200 200 200 200 200 200
GET  /namespaces/quokka/claim                 200 303 200 200 200 200
GET  /namespaces/numbat/claim                 404 404 404 404 404 404
POST /namespaces/isbn/claim/contact           401 422 422 422 422 422
POST /namespaces/isbn/claim/evidence          401 303 422 303 303 303
POST /namespaces/quokka/claim/evidence        401 422 303 303 303 303
GET  /namespaces/quokka/transfer              303 200 403 403 403 404
POST /namespaces/quokka/transfer              401 303 403 403 403 403
POST /namespaces/quokka/transfer/stop         401 404 403 403 403 403
GET  /namespaces/dunnart/transfer             303 200 403 403 403 404
POST /namespaces/dunnart/transfer             401 422 403 403 403 403
POST /namespaces/dunnart/transfer/stop        401 303 403 403 403 403

GET  /links/{invitation}                      200 200 200 200 200 200
GET  /links/guessed                           410 410 410 410 410 410
POST /links/{invitation}                      401 403 303 403 403 403
POST /links/guessed                           410 410 410 410 410 410

GET  /desk/claims/                            303 403 403 403 403 200
GET  /desk/claims/{claim}                     303 403 403 403 403 200
GET  /desk/claims/{absent}                    303 403 403 403 403 404
POST /desk/claims/{claim}                     401 403 403 403 403 303
POST /desk/claims/{absent}                    401 403 403 403 403 404

GET  /desk/names/                             303 403 403 403 403 303
GET  /desk/names/?name=isbn                   303 403 403 403 403 303
GET  /desk/names/isbn                         303 403 403 403 403 200
GET  /desk/names/ISBN                         303 403 403 403 403 301
GET  /desk/names/numbat                       303 403 403 403 403 404
POST /desk/names/isbn                         401 403 403 403 403 303
POST /desk/names/numbat                       401 403 403 403 403 404
POST /desk/names/isbn/disputes                401 403 403 403 403 303
POST /desk/names/numbat/disputes              401 403 403 403 403 404
GET  /desk/registry                           303 403 403 403 403 200
POST /desk/registry                           401 403 403 403 403 303
GET  /desk/people/                            303 403 403 403 403 200
POST /desk/people/                            401 403 403 403 403 303
GET  /desk/people/Juha_Hakala                 303 403 403 403 403 200
GET  /desk/people/Nobody                      303 403 403 403 403 404
POST /desk/people/Juha_Hakala                 401 403 403 403 403 303
POST /desk/people/Nobody                      401 403 403 403 403 404
"""


class Row(NamedTuple):
    """What everybody gets for one method and path."""

    method: str
    path: str
    statuses: tuple[int, ...]


ROWS = [
    Row(method, path, tuple(map(int, statuses)))
    for method, path, *statuses in (line.split() for line in TABLE.splitlines() if line)
]

CORRECTED = {"lock_version": "1", "reason": "It was misspelt."}

FIELDS: dict[str, dict[str, str]] = {
    "signing.ask": {"email": "somebody@org.example"},
    "registrant.start": {"registry": FORMAL.id},
    "placing.read": {"text": "Purpose: to try it."},
    "placing.draft": {"text": "Purpose: to try it.", "registry": FORMAL.id},
    "registrant.save": {"registrant": "Quokka Society", "organization": "Quokkas"},
    "requests.act": {"reason": "Because."},
    "corrections.note_dispute": {
        "kind": "dispute",
        "court": "https://court.example/7",
        "lock_version": "1",
    },
    "mail.paste": {"message": "From: a@b.example\nSubject: Hello\n\nWho are you?\n"},
    "mail.place": {"number": "2"},
    "discussion.say": {"comment": "What of old names?"},
    "discussion.change": {"comment": "What of very old names?"},
    "discussion.choose": {"news": "y"},
    "notes.note": {"note": "Ask them by telephone."},
    "notes.keep": {"title": "Missing", "body": "Something is missing."},
    "notes.remove": {"title": "Thanks"},
    "experts.say": {
        "organization": "Quokkas",
        "interest": "Wombats",
        "first": "2027-01-01",
        "last": "2027-01-31",
    },
    "experts.appoint": {
        "email": "new@experts.example",
        "decision": "Decision 8",
        "role": "expert",
        "registry": "",
    },
    "experts.dismiss": {"decision": "Decision 9"},
    "organizations.add": {
        "name": "Numbat Institute",
        "since": "2020-01-01",
        "decision": "Decision 1",
        "reference": "https://numbats.example/",
    },
    "organizations.change": {"email": "speaker@numbats.example", "reason": "It is gone."},
    "review.send": {"verdict": "approve", "reason": "It is fine.", "iteration": "1"},
    "desk.register": {"reference": "RFC 8141"},
    "holding.change_people": {"address": "new@org.example", "person": "1"},
    "holding.change_people_of_request": {"address": "new@org.example"},
    "holding.ask": {"shown": "I am on their board."},
    "holding.ask_transfer": {
        "organization": "Wombats",
        "address": "w@wombat.example",
        "reason": "They merged.",
    },
    "holding.stop_transfer": {"reason": "It is ours."},
    "claims.decide": {"decision": "refuse", "reason": "Nobody knows them there."},
    "corrections.correct_name": CORRECTED | {"date": "2001-01-01"},
    "corrections.correct_head": CORRECTED | {"notes": "A note."},
    "corrections.add_person": CORRECTED | {"id": "Jane_Doe", "name": "Jane Doe"},
    "corrections.correct_person": CORRECTED | {"org": "Quokkas"},
}


class Route(NamedTuple):
    """What answers a row."""

    rule: str
    endpoint: str
    number: int | None
    name: str


def route_of(world: World, row: Row) -> Route | None:
    """The rule that a row is about; None where there is none, so that the row says 404."""
    path = world.path(row.path).partition("?")[0]
    try:
        rule, values = world.app.url_map.bind("").match(path, row.method, return_rule=True)
    except NotFound:
        return None
    return Route(rule.rule, rule.endpoint, values.get("number"), values.get("name", ""))


def form_for(world: World, row: Row) -> dict[str, str]:
    """What a page of this site would send."""
    route = route_of(world, row)
    if route is None:
        return {}
    fields = FIELDS.get(route.endpoint, {}) | {"key": factories.key()}
    with world.app.app_context(), reading():
        request = requests.find_request(route.number) if route.number else None
        if request is not None:
            saving = route.endpoint == "registrant.save"
            seen = requests.get_draft(request.number) if saving else request
            fields["lock_version"] = str(seen.lock_version)
            fields["sending"] = "submit" if request.state == "draft" else "resubmit"
        if route.endpoint.startswith("holding."):
            fields["lock_version"] = str(_seen(route))
    return fields


def _seen(route: Route) -> int:
    """What the page of those who act was made from: the last thing that happened."""
    if route.endpoint == "holding.take_newer" and route.number:
        return requests.get_draft(route.number).lock_version
    held = holders.find_name(route.name)
    return holders.last_event(held or holders.Held(request=route.number))


def ask(visitor: Visitor, world: World, row: Row) -> int:
    """The status that somebody gets."""
    path = world.path(row.path)
    if row.method == "POST":
        return visitor.post(path, form_for(world, row)).status
    return visitor.get(path).status


@pytest.fixture(scope="module")
def world(make_world: MakeWorld, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world whose editions are built, as they are a moment after each decision."""
    made = make_world(tmp_path_factory.mktemp("world"))
    with made.app.app_context():
        publishing.build_pending(None, PLACE)
    return made


def wrong_for(world: World, who: str) -> list[str]:
    """What somebody gets that the table does not say."""
    place = PEOPLE.index(who)
    answered = {row: ask(world.visitor(who), world, row) for row in ROWS}
    return [
        f"{row.method} {row.path}: {status}, not {row.statuses[place]}"
        for row, status in answered.items()
        if status != row.statuses[place]
    ]


@pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("fleeting")
@pytest.mark.parametrize("who", PEOPLE)
def test_everybody_gets_what_the_table_says(world: World, who: str) -> None:
    assert wrong_for(world, who) == []


@pytest.mark.parametrize("make_world", ["postgresql"], indirect=True)
@pytest.mark.usefixtures("fleeting")
def test_each_route_answers_as_it_does_on_the_other_database(world: World) -> None:
    assert wrong_for(world, "operator") == []


def test_no_route_is_missing_in_the_table(world: World) -> None:
    routes = ((row.method, route_of(world, row)) for row in ROWS)
    listed = {(route.rule, method) for method, route in routes if route}
    assert listed == set(_routes(world))


def _routes(world: World) -> Iterator[tuple[str, str]]:
    for rule in world.app.url_map.iter_rules():
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            yield rule.rule, method


def test_every_row_speaks_of_everybody() -> None:
    assert {len(row.statuses) for row in ROWS} == {len(PEOPLE)}
    assert len({(row.method, row.path) for row in ROWS}) == len(ROWS)


def test_without_the_demonstration_nobody_signs_in_by_a_click(make_app: MakeApp) -> None:
    visitor = Visitor(make_app())
    assert visitor.post("/demo/sign-in/0").status == 404
    assert "/demo/" not in visitor.get("/sign-in").html
