"""A NAAN is changed by its holder, as a namespace is by its registrant."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from app.published.plane import PublishedPlane
from app.registration.declarations.naan_registries import (
    NAAN_SPACE,
    NAANS,
    SHOULDER_SPACE,
    PrivateNaanField,
)
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP
from app.registration.records.registry_records import Status
from app.services.accounts import sign_in
from app.services.delegates import delegate_scopes
from app.services.delegates.delegation import contacts_on_file
from app.services.editions import edition_build, publication
from app.services.registrations.corrections import find_entry
from app.services.registry.naan_import import import_naans, read_naan_file
from app.services.registry.snapshots import taken_index
from app.store.database import db, read_transaction
from app.store.editions import edition_rows
from app.store.requests import draft_rows, request_rows
from app.store.tables import Outbox
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.published.bundles import ask
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.web.test_naan_requests import Person
from tests.web.visitor import Page
from tests.web.wellmade import faults

MARKER = "Quagga"
_CARRIED = {
    "organization": "Wombat Library",
    "acronym": "WL",
    "web_address": "https://wombat.example/",
}
NEW_TARGET = "https://ark.wombat.example/${content}"


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    """The application, where people are let in with a click."""
    app = make_app(demo=True)
    with app.app_context():
        yield app


def visitor(app: Flask, email: str, clock: Clock) -> Person:
    return Person(app, sign_in.enter_as(email, clock()).token)


def led(who: Person, page: Page) -> Page:
    """Where an answer leads, drawn as it should be."""
    assert page.status == 303, page.words[:400]
    there = who.get(page.location)
    assert (there.status, faults(there)) == (200, []), there.words[:400]
    return there


def begun(who: Person, name: str) -> int:
    """The draft that a holder begins on the page of a name."""
    page = who.send(f"/naans/{name}/revise")
    assert page.status == 303, page.words[:400]
    return int(page.location.split("/")[2])


def saved(who: Person, number: int, section: str, **changed: str) -> None:
    """Change fields of a page of the form, and leave the others as they stand there."""
    path = f"/requests/{number}/edit/{section}"
    page = who.send(path, changed)
    assert page.status == 303, page.words[:600]


def registered(robin: Person, odell: Person, number: int, why: str = "") -> Page:
    """A request sent by one and registered by another; its page."""
    there = f"/requests/{number}"
    assert robin.send(f"{there}/check").status == 303
    assert odell.send(there, action=f"{there}/take").status == 303
    done = odell.send(f"/desk/{number}/register", {"reason": why} if why else {})
    assert done.status == 303, done.words[:600]
    return odell.get(there)


def test_a_holder_changes_where_arks_lead_and_whom_to_write_to(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin, odell, rival = (
        visitor(app, one.email, clock) for one in (people.registrant, people.operator, people.rival)
    )
    naan = factories.registered_naan(people, clock())
    with read_transaction():
        before = find_entry(naan, NAAN_SPACE).record
    assert f"/naans/{naan}/revise" in Person(app).get(f"/naans/{naan}").values("href", "a")
    found = robin.get(f"/requests/revise?name=ark:{naan}")
    shown = led(robin, found)
    assert "namespace" not in shown.text("//main") and "xperts" not in shown.text("//main")
    number = begun(robin, naan)
    there = f"/requests/{number}"
    assert led(robin, robin.get(f"{there}/edit/")).values("value", "input[@name='organization']")
    saved(robin, number, "safety-and-use", target=NEW_TARGET)
    private = {PrivateNaanField.ADDRESS.value: f"{MARKER}@wombat.example"}
    saved(robin, number, "registrant", organization="Wombat Archive", **private)
    for path in ("revision", "check", "edit/registrant"):
        page = robin.get(f"{there}/{path}")
        assert (page.status, faults(page)) == (200, []), path
        assert "namespace" not in page.text("//main"), path
    told = robin.get(f"{there}/revision")
    assert "removed: Libraryadded: Archive" in told.text("//main")
    assert "Modified" in registered(robin, odell, number).words
    with read_transaction():
        after = find_entry(naan, NAAN_SPACE)
        request = request_rows.find_request(number)
        assert request is not None
        opened = edition_rows.get_edition(request.edition or 0).number
    texts, stood = dict(after.record.fields), dict(before.fields)
    assert texts == stood | {"target": NEW_TARGET, "organization": "Wombat Archive"}
    assert after.record.name == before.name
    edition = Person(app).get(f"/naans/editions/{opened}/")
    assert stood["target"] in edition.words and NEW_TARGET in edition.words
    mailed = [str(one.arguments) for one in db.session.scalars(select(Outbox))]
    assert not [one for one in mailed if "namespace" in one or "RFC 8141" in one or MARKER in one]
    for path in (f"/naans/{naan}", f"{there}", f"{there}/iterations/1", f"{there}/revision"):
        for who in (Person(app), rival):
            assert MARKER not in who.get(path).html, path
    assert rival.get(f"/naans/{naan}/revise").location == f"/naans/{naan}/claim"
    assert rival.get(f"/naans/{naan}/people").status == 403


def test_a_change_that_changes_nothing_is_not_sent_and_one_of_the_contact_alone_is(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    number = begun(robin, factories.registered_naan(people, clock()))
    there = f"/requests/{number}"
    for changed in ({}, {PrivateNaanField.ADDRESS.value: "robin@wombat.example"}):
        saved(robin, number, "registrant", **changed)
        assert "Nothing has changed" in robin.get(f"{there}/check").words
        assert robin.send(f"{there}/check").status == 422
    saved(robin, number, "registrant", **{PrivateNaanField.ADDRESS.value: "jo@wombat.example"})
    assert "Nothing has changed" not in robin.get(f"{there}/check").words
    assert "Modified" in registered(robin, odell, number).words


def test_a_promise_that_is_taken_back_and_characters_that_nobody_sees_are_looked_at(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    number = begun(robin, factories.registered_naan(people, clock(), policy="NR, OP"))
    saved(robin, number, "assignment", policy="OP", naan_purpose="maps\u200b of \u202espam")
    look = robin.get(f"/requests/{number}/check").text("//main")
    assert (
        "This withdraws a promise, also for identifiers already assigned: “Identifiers are" in look
    )
    assert "Character 5 of Purpose is U+200B (ZERO WIDTH SPACE), which is invisible" in look
    there = f"/requests/{number}"
    assert robin.send(f"{there}/check").status == 303
    assert odell.send(there, action=f"{there}/take").status == 303
    shown = odell.get(f"/desk/{number}/register").text("//*[@id='checks']/..")
    assert "This withdraws a promise" in shown and "U+200B" in shown
    assert odell.send(f"/desk/{number}/register").status == 422


def test_a_change_that_leaves_the_contact_empty_keeps_the_one_that_was_there(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    naan = factories.registered_naan(people, clock())
    for target in (NEW_TARGET, f"{NEW_TARGET}/2"):
        number = begun(robin, naan)
        saved(robin, number, "safety-and-use", target=target)
        assert "Modified" in registered(robin, odell, number).words
    with read_transaction():
        record = find_entry(naan, NAAN_SPACE).record
        held = delegate_scopes.delegate_scope(naan, space=NAAN_SPACE)
        kept = [one.address for one in contacts_on_file(record, held)]
    assert record.request == number
    assert kept == ["robin@wombat.example"]


def test_who_holds_an_imported_naan_claims_it_from_the_operator(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    import_naans(read_naan_file(file_of(entry_of(LIBRARY), entry_of(SHOULDER))), clock())
    for name in (LIBRARY.naan, f"{SHOULDER.naan}/{SHOULDER.shoulder}"):
        page = led(robin, robin.get(f"/naans/{name}/revise"))
        assert "No e-mail address of the registrant" in page.words and "urn:" not in page.words
        claim, shown = f"/naans/{name}/claim", {"shown": "I am its librarian."}
        led(robin, robin.send(claim, shown, action=f"{claim}/evidence"))
        links = odell.get("/desk/claims/").values("href", "a")
        (path,) = (one for one in links if "/claims/" in one and one[-1].isdigit())
        assert f"ark:{name}" in led_to(odell, path).words
        assert odell.send(path, {"decision": "grant", "reason": "I asked there."}).status == 303
        number = begun(robin, name)
        assert faults(robin.get(f"/requests/{number}/check")) == []
    assert Person(app).get("/naans/99/nobody/revise").status == 404


def test_the_triage_leads_on_with_what_was_typed_and_to_the_change(
    app: Flask, clock: Clock
) -> None:
    import_naans(read_naan_file(file_of(entry_of(LIBRARY))), clock())
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    said = "organization=Wombat+Library&acronym=WL&address=wombat.example"
    page = led_to(robin, f"/requests/new/naan?wish=names&{said}")
    (begin,) = (one for one in page.values("href", "a") if one.startswith("/requests/new?"))
    begin = begin.replace("&amp;", "&")
    fields = led_to(robin, begin).form("/requests/new") | {"registry": NAANS.id}
    form = led(robin, robin.post(begin, fields))
    filled = {name: form.values("value", f"input[@name='{name}']") for name in _CARRIED}
    assert filled == {name: [text] for name, text in _CARRIED.items()}
    page = led_to(robin, "/requests/new/naan?wish=change&organization=Bibliotheek+van+Utopia")
    assert f"/naans/{LIBRARY.naan}/revise" in page.values("href", "a")
    there = f"/requests/new?kind={NAANS.id}"
    assert f"{there}#changing" in page.values("href", "a")
    assert led_to(robin, there).values("value", "input[@name='kind']") == [NAANS.id]
    found = robin.get(f"/requests/revise?kind={NAANS.id}&name={LIBRARY.naan}")
    assert found.location == f"/naans/{LIBRARY.naan}/revise"
    assert robin.get("/requests/revise?name=12345").location == "/namespaces/12345/revise"


def test_a_holder_ceases_and_says_who_follows(app: Flask, clock: Clock, tmp_path: Path) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    naan = factories.registered_naan(people, clock())
    import_naans(read_naan_file(file_of(entry_of(LIBRARY))), clock.on(minutes=1))
    number = begun(robin, naan)
    last = f"/requests/{number}/edit/safety-and-use"
    assert "namespace" not in led_to(robin, last).text("//main")
    for successor, sentence in (
        ("", "Enter the NAAN that replaces it"),
        ("99", "99 isn’t registered"),
        (naan, "itself"),
    ):
        saved(robin, number, "safety-and-use", status="succeeded", successor=successor)
        assert sentence in robin.get(f"/requests/{number}/check").words, successor
    saved(robin, number, "safety-and-use", status="succeeded", successor=f"ark:{LIBRARY.naan}")
    shown = led_to(robin, f"/requests/{number}/check").text("//main")
    assert "This revision retires the NAAN" in shown and f"Use ark:{LIBRARY.naan} instead." in shown
    look = robin.get(f"/requests/{number}/check").text("//main")
    assert f"manage the successor ark:{LIBRARY.naan}" in look
    registered(robin, odell, number, why="The library said that it takes over.")
    with read_transaction():
        record = find_entry(naan, NAAN_SPACE).record
    assert (record.status, record.successor) == (Status.FORMER, LIBRARY.naan)
    other = factories.registered_naan(people, clock(), organization="Numbat Archive")
    number = begun(robin, other)
    for chosen in ("ends", "stays"):
        told = robin.send(
            f"/requests/{number}/edit/safety-and-use",
            {"status": chosen, "successor": f"ark:{LIBRARY.naan}"},
        )
        assert told.status == 422, "a successor that is typed is not dropped"
        assert "no successor" in told.text("//*[@data-told='successor']")
    saved(robin, number, "safety-and-use", status="ends", successor="")
    registered(robin, odell, number)
    edition_build.build_pending(clock(), factories.PLACE)
    published = tmp_path / "laid out"
    for group in (URN_GROUP, NAAN_GROUP):
        publication.lay_out_newest(published, factories.making(), group)
    plane = PublishedPlane(published)
    answer = ask(plane, f"/ark:{naan}/x1")
    assert (answer.status, f'"successor": "{LIBRARY.naan}"' in answer.body.decode()) == (410, True)
    assert ask(plane, f"/ark:{other}/x1").status == 410
    page = ask(plane, f"/naans/{naan}").body.decode()
    assert f"/naans/{LIBRARY.naan}" in page and f"/naans/{naan}/revise" not in page
    former = robin.get(f"/naans/{naan}/revise")
    assert not former.each(f"//form[@action='/naans/{naan}/revise']")
    refused = robin.post(f"/naans/{naan}/revise", {"csrf_token": robin.proof})
    assert refused.status == 422


def test_who_decides_sees_old_and_new_of_each_field_and_others_the_public_ones(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin, odell, rival = (
        visitor(app, one.email, clock) for one in (people.registrant, people.operator, people.rival)
    )
    naan = factories.registered_naan(people, clock())
    number = begun(robin, naan)
    private = {PrivateNaanField.ADDRESS.value: f"{MARKER}@wombat.example"}
    saved(robin, number, "registrant", organization="Wombat Archive", **private)
    saved(robin, number, "safety-and-use", target=NEW_TARGET)
    there = f"/requests/{number}"
    assert robin.send(f"{there}/check").status == 303
    assert odell.send(there, action=f"{there}/take").status == 303
    old = "https://wombat.example/ark:${content}"
    for path in (f"/desk/{number}/register", f"{there}/revision"):
        shown = led_to(odell, path)
        differs = shown.text("//section[@aria-labelledby='differs']")
        for told in (f"removed: {old}", f"added: {NEW_TARGET}", "removed: Libraryadded: Archive"):
            assert told in differs, (path, told)
        assert f"removed: robin@wombat.example added: {MARKER}@wombat.example" in differs, path
        assert "Robin Registrant" not in differs  # what it leaves empty stays
        assert not shown.each("//*[@name='base_version']")  # a NAAN counts no versions of a text
    for who in (Person(app), rival):
        page = led_to(who, f"{there}/revision")
        assert NEW_TARGET in page.words
        assert not [one for one in (MARKER, "robin@wombat.example") if one in page.html]
    assert odell.send(f"/desk/{number}/register").status == 303
    again = begun(robin, naan)
    saved(robin, again, "registrant", **{PrivateNaanField.ADDRESS.value: "desk@wombat.example"})
    differs = led_to(robin, f"/requests/{again}/revision").text("//main")
    assert f"removed: {MARKER}@wombat.example added: desk@wombat.example" in differs


def test_a_deprecated_naan_comes_back_into_use_only_if_its_holder_says_so(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    naan = factories.registered_naan(people, clock())
    import_naans(read_naan_file(file_of(entry_of(LIBRARY))), clock.on(minutes=1))
    given = {"status": "deprecated", "successor": LIBRARY.naan, "reason": "It asked us."}
    led(odell, odell.send(f"/desk/naans/{naan}", given))
    for chosen, becomes in (
        ("stays", (Status.DEPRECATED, LIBRARY.naan)),
        ("restored", (Status.REGISTERED, None)),
    ):
        clock.on(minutes=1)
        number = begun(robin, naan)
        page = led_to(robin, f"/requests/{number}/edit/safety-and-use")
        assert page.values("value", "input[@name='status'][@checked]") == ["stays"]
        assert "Keep it deprecated" in page.words
        for wish in ("ends", "restored", chosen):  # whatever was chosen before
            saved(robin, number, "safety-and-use", status=wish, target=f"{NEW_TARGET}?{chosen}")
        shown = led_to(robin, f"/requests/{number}/edit/safety-and-use")
        assert shown.values("value", "input[@name='status'][@checked]") == [chosen]
        registered(robin, odell, number)
        with read_transaction():
            record = find_entry(naan, NAAN_SPACE).record
        assert (record.status, record.successor) == becomes, chosen
    number = begun(robin, naan)
    refused = robin.send(f"/requests/{number}/edit/safety-and-use", {"status": "restored"})
    assert refused.status == 422


def test_a_mistaken_number_is_voided_and_never_given_again(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    naan = factories.registered_naan(people, clock())
    assert odell.get(f"/desk/names/?name=ark:{naan}").location == f"/desk/naans/{naan}"
    assert robin.get(f"/desk/naans/{naan}").status == 403
    page = led_to(odell, f"/desk/naans/{naan}")
    assert "urn:" not in page.text("//main") and not page.each("//*[@name='references']")
    void = {"status": "former", "reason": "Drawn for the wrong organization."}
    refused = odell.send(f"/desk/naans/{naan}", void)
    assert (refused.status, "by order" in refused.words) == (422, True)
    void["cited"] = "Minutes of the curators, 2026-09-01"
    shown = odell.send(f"/desk/naans/{naan}", void | {"then": "look"})
    assert "Publish correction" in shown.words
    done = led(odell, odell.send(f"/desk/naans/{naan}", void))
    assert "Former" in done.words and f"/naans/{naan}/revise" not in done.html
    with read_transaction():
        assert find_entry(naan, NAAN_SPACE).record.status is Status.FORMER
        assert taken_index(NAAN_SPACE).find_registered(naan) == naan
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert edition_rows.failures(10) == []


def test_what_no_people_wrote_is_told_in_words(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    naan = factories.registered_naan(people, clock(), policy="", naan_purpose="")
    number = begun(robin, naan)
    there = f"/requests/{number}"
    page = robin.get(f"{there}/edit/assignment")
    assert page.text("//label[@for='policy_4']") == "Not declared"
    assert "unspecified is recorded." in page.words
    saved(robin, number, "safety-and-use", target=NEW_TARGET)
    facts = "//dl[@class='facts']"
    assert robin.get(f"{there}/check").text("//*[@id='on_file_since']") == str(clock().date())
    assert robin.send(f"{there}/check").status == 303
    assert odell.send(there, action=f"{there}/take").status == 303
    for path in (there, f"{there}/iterations/1", f"/desk/{number}/register"):
        shown = odell.get(path)
        said = " ".join(" ".join(one.text_content() for one in shown.each(facts)).split())
        assert "Policy not declared" in said and "Purpose not stated" in said, path
        for raw in ("(:unkn)", "unspecified", "T00:00"):
            assert raw not in said, path
    desk = odell.get(f"/desk/naans/{naan}")
    assert desk.text("//label[@for='policy_4']") == "Not declared"


def test_who_declares_a_policy_takes_back_that_nothing_was_declared(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin = visitor(app, people.registrant.email, clock)
    number = begun(robin, factories.registered_naan(people, clock(), policy=""))
    path = f"/requests/{number}/edit/assignment"
    page = robin.send(path, {"policy": ["NR", "(:unkn) unknown"]})
    assert page.status == 303, page.words[:600]
    assert robin.get(path).values("value", "input[@name='policy'][@checked]") == ["NR"]


def test_an_operator_corrects_what_is_public_of_a_naan_by_the_rules_of_the_form(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    odell = visitor(app, people.operator.email, clock)
    naan = factories.registered_naan(people, clock(), policy="NR, OP")
    there = f"/desk/naans/{naan}"
    page = led_to(odell, there)
    assert page.values("value", "input[@name='target']") == [
        "https://wombat.example/ark:${content}"
    ]
    for private in (*PrivateNaanField, "on_file", "on_file_since", "naan_name"):
        assert not page.each(f"//*[@name='{private}']"), private
    assert "robin@wombat.example" not in page.html
    why = {"reason": "The host moved; its holder wrote so.", "policy": "NR, OP"}
    for wrong, told in (
        ({"target": "no address"}, "target"),
        ({"organization": " "}, "organization"),
        ({"organization_kind": "ZZ"}, "organization_kind"),
        ({"test_ark": "ark:12148/x1"}, "test_ark"),
        ({"tenure": "for ever"}, "tenure"),
    ):
        refused = odell.send(there, why | wrong)
        assert (refused.status, faults(refused)) == (422, []), wrong
        assert "Error" in refused.text(f"//*[@data-told='{told}']"), wrong
    assert "Nothing has changed" in odell.send(there, why).words
    changed = {"target": NEW_TARGET, "organization": "Wombat Archive"}
    shown = odell.send(there, why | changed | {"then": "look"})
    assert NEW_TARGET in shown.text("//*[@id='what-changes']/..")
    private = {PrivateNaanField.ADDRESS.value: f"{MARKER}@wombat.example"}
    with read_transaction():
        before = find_entry(naan, NAAN_SPACE).record
    led(odell, odell.send(there, why | changed | private))
    with read_transaction():
        after = find_entry(naan, NAAN_SPACE).record
        kept = draft_rows.private_values(after.request or 0)
    assert dict(after.fields) == dict(before.fields) | changed
    assert after.updated == before.updated and MARKER not in str(kept)
    assert why["reason"] in led_to(odell, there).words
    edition_build.build_pending(clock(), factories.PLACE)
    with read_transaction():
        assert edition_rows.failures(10) == []
    robin = visitor(app, people.registrant.email, clock)
    assert robin.get(there).status == 403


def test_a_correction_leaves_what_was_imported_and_what_nobody_changes(
    app: Flask, clock: Clock
) -> None:
    odell = visitor(app, factories.cast(clock()).operator.email, clock)
    import_naans(read_naan_file(file_of(entry_of(LIBRARY), entry_of(SHOULDER))), clock())
    why = {"reason": "Its holder wrote so."}
    for name, space in (
        (LIBRARY.naan, NAAN_SPACE),
        (f"{SHOULDER.naan}/{SHOULDER.shoulder}", SHOULDER_SPACE),
    ):
        with read_transaction():
            before = find_entry(name, space).record
        ticked = {"policy": dict(before.fields).get("policy", "")}
        done = odell.send(f"/desk/naans/{name}", why | ticked | {"service_provider": "A host"})
        led(odell, done)
        with read_transaction():
            after = find_entry(name, space).record
        assert dict(after.fields) == dict(before.fields) | {"service_provider": "A host"}, name


def led_to(who: Person, path: str) -> Page:
    page = who.get(path)
    assert (page.status, faults(page)) == (200, [])
    return page
