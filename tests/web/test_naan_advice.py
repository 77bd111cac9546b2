"""Who asks for a NAAN, and who decides, are told what stands against it before it is given."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO

import pytest
from flask import Flask

from app.exports.extracts.naan_files import naan_csv_bytes, naan_records_bytes
from app.exports.formats.txt import txt_files
from app.exports.formats.xml import xml_bytes
from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE, SHOULDERS
from app.registration.declarations.registry_groups import NAAN_GROUP
from app.services.registry.naan_import import import_naans, read_naan_file
from app.services.registry.snapshots import current_snapshot
from app.store.accounts import delegate_rows
from app.store.database import read_transaction, transaction
from app.store.tables.delegates import DelegateOrigin
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.web.test_naan_requests import ANSWERS, begun, visitor, written
from tests.web.visitor import Visitor

WOMBATS = replace(
    LIBRARY,
    naan="13579",
    holder="National Wombat Institution",
    native_name="Vombatejo",
    acronym="WOMBI",
    where="https://www.wombats.example",
    target="https://lodging.example/${pid}",
)
HERE = "pid.example.org"


@pytest.fixture
def app(make_app: MakeApp, clock: Clock) -> Iterator[Flask]:
    """The application, where two organizations have NAANs, and the site has a second name."""
    app = make_app(demo=True, own_hosts=(HERE,))
    with app.app_context():
        file = file_of(entry_of(LIBRARY), entry_of(WOMBATS), entry_of(SHOULDER))
        import_naans(read_naan_file(file), clock.on(minutes=1))
        yield app


def test_who_asks_and_who_decides_are_told_of_naans_that_may_be_the_same_holders(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    number = written(robin)
    there = f"/requests/{number}"
    plain = ANSWERS["registrant"] | {"native_name": "", "acronym": ""}
    for given, is_told in (
        ({"organization": "Wombat"}, True),
        ({"organization": "Vombatejo"}, True),
        ({"organization": "WOMBI"}, True),
        ({"organization": "Another", "native_name": "National Wombat Institution"}, True),
        ({"organization": "Another", "acronym": "wombi"}, True),
        ({"organization": "Another", "web_address": "https://shop.wombats.example/"}, True),
        ({"organization": "Another"}, False),
        ({"organization": "Wombat Institution, Utopia"}, True),
    ):
        page = robin.send(f"{there}/edit/registrant", plain | given)
        assert page.status == 303, page.words
        check = robin.get(f"{there}/check")
        assert ("National Wombat Institution has ark:13579" in check.words) is is_told, given
        assert ("/naans/13579" in check.values("href", "main//a")) is is_told, given
    assert robin.send(f"{there}/check").status == 303
    for step in ("", "take"):
        if step:
            assert odell.send(there, action=f"{there}/{step}").status == 303
        page = odell.get(there)
        assert "National Wombat Institution has ark:13579" in page.text("//*[@id='checks']/..")
        assert "/naans/13579" in page.values("href", "main//a")


def test_who_decides_sees_what_was_found_where_they_decide_and_says_why_it_is_given(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    number = written(robin, ANSWERS | {"registrant": ANSWERS["registrant"] | {"acronym": "WOMBI"}})
    there, deciding = f"/requests/{number}", f"/desk/{number}/register"
    assert robin.send(f"{there}/check").status == 303
    assert odell.send(there, action=f"{there}/take").status == 303
    page = odell.get(deciding)
    assert "National Wombat Institution has ark:13579" in page.text("//*[@id='checks']/..")
    assert "/naans/13579" in page.values("href", "main//a")
    assert page.each("//main//textarea[@name='reason']")
    for said in ({}, {"reason": "."}):
        refused = odell.send(deciding, said)
        assert refused.status == 422
        assert "Give a reason" in refused.text("//*[@id='reason_error_1']")
    words = "They are a museum, and no library."
    assert odell.send(deciding, {"reason": words}).status == 303
    assert words in robin.get(there).text("//main")


def test_where_nothing_is_found_nobody_is_asked_why(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    number = written(robin)
    there, deciding = f"/requests/{number}", f"/desk/{number}/register"
    assert robin.send(f"{there}/check").status == 303
    assert odell.send(there, action=f"{there}/take").status == 303
    page = odell.get(deciding)
    assert "Warning:" not in page.words and "warning" not in page.words
    assert not page.each("//main//textarea[@name='reason']")
    assert odell.send(deciding).status == 303


def test_a_shoulder_is_compared_with_no_holder(app: Flask, clock: Clock) -> None:
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    number = begun(robin, SHOULDERS.id)
    robin.send(f"/requests/{number}/edit/registrant", ANSWERS["registrant"])
    assert "ark:13579" not in robin.get(f"/requests/{number}/check").words


@pytest.mark.parametrize(
    ("target", "is_refused"),
    [
        (f"https://{HERE}/ark:${{content}}", True),
        (f"https://{HERE.upper()}.:8443/ark:${{content}}", True),
        (f"http://{HERE}/{{+pid}}", True),
        (f"https://{HERE}.evil.example/ark:${{content}}", False),
        (f"https://other.example/{HERE}/ark:${{content}}", False),
    ],
)
def test_a_target_at_this_site_is_refused_for_it_would_lead_back(
    app: Flask, clock: Clock, target: str, is_refused: bool
) -> None:
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    number = begun(robin)
    page = robin.send(f"/requests/{number}/edit/safety-and-use", {"target": target})
    assert page.status == (422 if is_refused else 303), page.words
    if is_refused:
        assert "redirect to itself" in page.text("//*[@data-told='target']")


@pytest.mark.parametrize("shared", ["99152", "99166", "99999"])
def test_who_wants_a_shoulder_under_a_shared_naan_finds_its_beginning_written(
    app: Flask, clock: Clock, shared: str
) -> None:
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    wish = {"99152": "terms", "99166": "agents", "99999": "tests"}[shared]
    asked = robin.get("/requests/new/naan", query_string={"wish": wish})
    (begin,) = (path for path in asked.values("href", "a") if "kind=naan-shoulders" in path)
    page = robin.post(begin, robin.get(begin).form("/requests/new") | {"registry": SHOULDERS.id})
    assert page.status == 303, page.words
    form = robin.get(page.location.removeprefix("http://localhost"))
    form = form if form.status == 200 else robin.get(form.location)
    assert form.values("value", "input[@name='naan_name']") == [f"{shared}/"]
    done = robin.send(page.location, {"naan_name": f"{shared}/x7"})
    assert done.status == 303, done.words


def test_who_saves_wrong_answers_and_leaves_is_led_to_what_is_wrong(
    app: Flask, clock: Clock
) -> None:
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    number = begun(robin)
    there = f"/requests/{number}/edit/safety-and-use"
    left = robin.send(there, {"target": "", "then": "close"})
    assert (left.status, left.location.endswith("/requests/")) == (303, True)
    wrong = robin.send(there, {"target": "javascript:alert(1)", "then": "close"})
    assert wrong.status == 303 and wrong.location.endswith(f"/requests/{number}/check")
    page = robin.get(f"/requests/{number}/check")
    assert "does not begin with" in page.words and "Saved." in page.words


def test_a_successor_is_as_long_as_a_name_can_be(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin = visitor(app, people.registrant.email, clock)
    assert SHOULDER_SPACE.may_be_name("12345/" + "x" * 32 + "/" + "x" * 11)
    assert len("12345/" + "x" * 32 + "/" + "x" * 11) == SHOULDER_SPACE.longest
    assert not SHOULDER_SPACE.may_be_name("12345/" + "x" * 32 + "/" + "x" * 12)
    naan = factories.registered_naan(people, clock())
    page = robin.send(f"/naans/{naan}/revise")
    assert page.status == 303, page.words
    number = int(page.location.split("/requests/")[1].split("/")[0])
    there = f"/requests/{number}/edit/safety-and-use"
    for given in ("ark:13579", "ark:/13579", " 13579 "):
        page = robin.send(there, {"status": "succeeded", "successor": given})
        assert page.status in (303, 422), page.words
        assert "is too long" not in page.words
        assert "13579" in robin.get(there).values("value", "input[@name='successor']")


def test_a_namespace_that_is_free_is_told_apart_from_the_naan_of_that_name(
    app: Flask, clock: Clock
) -> None:
    naan = factories.registered_naan(factories.cast(clock()), clock())
    page = Visitor(app).get(f"/namespaces/{naan}")
    assert page.status == 404
    assert "This NID is available." in page.words
    assert f"/naans/{naan}" in page.values("href", "main//a")
    assert "This NID is available." in Visitor(app).get("/namespaces/quaggas").words


@pytest.mark.postgresql
def test_the_list_of_naans_is_sorted_by_the_words_of_its_columns(app: Flask) -> None:
    page = Visitor(app).get("/assignments/naans/")
    sorts = [path for path in page.values("href", "th//a") if "sort=" in path]
    assert {"?sort=organization", "?sort=host", "?sort=name", "?sort=date"} == set(sorts)
    order = [
        Visitor(app).get(f"/assignments/naans/?sort={word}&order=desc").each("//tbody/tr/@id")
        for word in ("organization", "template")
    ]
    assert order[0] == order[1] != []
    new = Visitor(app).get("/assignments/naans/?sort=organization")
    assert "isn’t a value" not in new.words and "isn't a value" not in new.words
    assert "sort" in new.values("name", "input[@type='hidden']")
    assert "organization" in new.values("value", "input[@name='sort']")
    odd = Visitor(app).get("/assignments/naans/?sort=x")
    assert "x isn't a value of sort." in odd.words.replace("’", "'")
    urns = Visitor(app).get("/assignments/urn-namespaces/?sort=template")
    assert "template" in urns.values("value", "input[@name='sort']")


def test_the_desk_finds_a_naan_by_its_number_alone_and_its_page_leads_there(
    app: Flask, clock: Clock
) -> None:
    odell = visitor(app, factories.cast(clock()).operator.email, clock)
    for typed in ("13579", "%20ark:13579", "naans/13579", "/naans/13579"):
        assert odell.get(f"/desk/names/?name={typed}").location == "/desk/naans/13579", typed
    assert "ark:12345" in odell.get("/desk/").text("//*[@aria-labelledby='to-correct']")
    assert "/desk/naans/13579" in odell.get("/naans/13579").values("href", "a")
    assert "/desk/naans/13579" in odell.get("/naans/13579/claim").values("href", "a")
    assert "/desk" not in "".join(Visitor(app).get("/naans/13579").values("href", "a"))


def test_the_first_page_finds_a_naan_as_pages_write_it(app: Flask, clock: Clock) -> None:
    assert Visitor(app).get("/?q=NAAN%2013579").location == "/naans/13579"
    assert Visitor(app).get("/?q=13579").location == "/naans/13579"


def test_a_ceased_naan_that_is_voided_loses_its_successor_and_offers_no_revision(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    odell, desk = visitor(app, people.operator.email, clock), "/desk/naans/13579"
    ceased = {"status": "former", "successor": "24680", "reason": "They have 24680."}
    assert odell.send(desk, ceased).status == 303
    voiding = {"status": "voided", "reason": "It was a mistake."}
    shown = odell.send(desk, voiding | {"then": "look"})
    changes = shown.text("//section[@aria-labelledby='what-changes']")
    assert "successor 24680 removed; voided, because it was registered by mistake." in changes
    assert odell.send(desk, voiding).status == 303
    assert odell.get(desk).form(desk)["successor"] == ""
    with transaction():
        held = delegate_rows.find_name(NAAN_SPACE, "13579")
        assert held is not None
        delegate_rows.add(held, people.registrant.id, DelegateOrigin.INVITED, clock())
    robin = visitor(app, people.registrant.email, clock)
    page = robin.get("/naans/13579/revise")
    assert "You can’t change it." in page.words
    assert not page.each("//main//button[contains(., 'Start revision')]")
    assert "/naans/13579/revise" not in robin.get("/requests/new?kind=naans").values("href", "a")


def test_a_voided_naan_is_told_as_such_by_its_page_its_files_and_the_search(
    app: Flask, clock: Clock
) -> None:
    odell = visitor(app, factories.cast(clock()).operator.email, clock)
    desk = "/desk/naans/13579"
    shown = odell.send(desk, {"status": "voided", "reason": "They have 24680.", "then": "look"})
    assert "13579 voided, because it was registered by mistake" in shown.words, shown.words
    assert odell.send(desk, {"status": "voided", "reason": "They have 24680."}).status == 303
    page = odell.get("/naans/13579").text("//main")
    assert "registered by mistake" in page
    assert odell.get(desk).form(desk)["status"] == "voided"
    found = odell.get("/assignments/naans/?q=13579")
    assert "1 former entry matches." in found.words
    assert "/assignments/naans/?q=13579&status=former" in found.values("href", "a")
    with read_transaction():
        snapshot = current_snapshot(NAAN_GROUP)
    rows = {row["naan"]: row for row in csv.DictReader(StringIO(naan_csv_bytes(snapshot).decode()))}
    assert rows["13579"]["state"] == "voided" and rows["24680"]["state"] == "registered"
    told = "13579 was registered by mistake"
    for made in (xml_bytes(snapshot), *(body for _, body in txt_files(snapshot))):
        assert told in " ".join(made.decode().split())
    assert b"13579" not in naan_records_bytes(snapshot)
