"""A number that a private registry gives holds there alone, and every page and letter says so."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from app.published.plane import PublishedPlane
from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE
from app.registration.declarations.registries import URN_SPACE, alone_sentence
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP
from app.services.editions import edition_build, publication
from app.services.registry.naan_import import import_naans, read_naan_file
from app.store.database import db
from app.store.tables import Outbox
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.published.bundles import ask
from tests.registration.naans.made_records import LIBRARY, SHOULDER, entry_of, file_of
from tests.web.test_naan_requests import Person, composed, given_naan, registered, visitor, written

ALONE = "It begins with x and is valid only on this site: no other NAAN begins so."
TO_COME = "It will begin with x and is valid only on this site"
LIST, NAAN_LIST = "urn@lists.example", "arks@lists.example"


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    """The application of a private registry with a list of URN namespaces alone."""
    app = make_app(demo=True, authority="private", list_address=LIST)
    with app.app_context():
        yield app


@pytest.mark.parametrize(
    ("space", "folded", "prefix", "is_told"),
    [
        (NAAN_SPACE, "x1234", "x", ALONE),
        (SHOULDER_SPACE, "x1234/x5", "x", ALONE),
        (NAAN_SPACE, "", "x", f"{TO_COME}: no other NAAN begins so."),
        (SHOULDER_SPACE, "", "x", ""),
        (NAAN_SPACE, "12345", "x", ""),
        (NAAN_SPACE, "x1234", "", ""),
        (URN_SPACE, "xml", "x", ""),
        (URN_SPACE, "", "x", ""),
    ],
)
def test_it_is_said_of_numbers_that_begin_as_those_of_the_site_do(
    space: object, folded: str, prefix: str, is_told: str
) -> None:
    assert alone_sentence(space, folded, prefix) == is_told  # type: ignore[arg-type]


def test_pages_lists_and_letters_say_that_a_number_holds_here_alone(
    app: Flask, clock: Clock
) -> None:
    number = registered(app, clock)
    naan = given_naan(app, number)
    import_naans(read_naan_file(file_of(entry_of(LIBRARY))), clock.on(minutes=1))
    stranger = Person(app)
    for path in (f"/naans/{naan}", f"/requests/{number}", f"/requests/{number}/iterations/1"):
        assert ALONE in stranger.get(path).words, path
    assert ALONE in stranger.get(f"/tools/ark?q=ark:{naan}/b7").words
    assert "valid only" not in stranger.get("/tools/ark?q=ark:24680/b7").text("//main")
    listed = stranger.get("/assignments/naans/")
    assert "Entries that start with x are valid only in this registry." in listed.words
    assert "valid only" not in stranger.get("/assignments/naans/?q=24680").text("//main")
    assert "valid only" not in stranger.get("/naans/24680").text("//main")
    letters = [composed(one) for one in db.session.scalars(select(Outbox))]
    given = [one.get_content() for one in letters if one["Subject"].startswith("Registered: ")]
    asked = [one.get_content() for one in letters if "a new NAAN" in one["Subject"]]
    assert given and all(ALONE in " ".join(text.split()) for text in given)
    assert asked and all(TO_COME in " ".join(text.split()) for text in asked)


def test_the_page_of_a_name_under_a_number_says_it_too(
    app: Flask, clock: Clock, tmp_path: Path
) -> None:
    naan = given_naan(app, registered(app, clock))
    import_naans(read_naan_file(file_of(entry_of(LIBRARY))), clock.on(minutes=1))
    edition_build.build_pending(clock(), factories.PLACE)
    making = factories.making()
    chrome = replace(making.chrome, number_prefix="x")
    publication.lay_out_newest(tmp_path, replace(making, chrome=chrome), NAAN_GROUP)
    publication.lay_out_newest(tmp_path, making, URN_GROUP)
    plane = PublishedPlane(tmp_path)
    there = f"/names/ark:{naan}%2Fb7"
    for path in (there, f"/ark:{naan}/b7?info"):
        page = ask(plane, path, accept="text/html").body.decode()
        assert ALONE in page, path
        assert "<!--" not in page
    others = ask(plane, "/names/ark:24680%2Fb7", accept="text/html").body.decode()
    assert "valid only on this site" not in others


def test_a_request_says_it_while_its_number_is_to_come(app: Flask, clock: Clock) -> None:
    robin = visitor(app, factories.cast(clock()).registrant.email, clock)
    number = written(robin)
    assert robin.send(f"/requests/{number}/check").status == 303
    assert TO_COME in robin.get(f"/requests/{number}").words
    urn = factories.sent(factories.cast(clock()).registrant, clock())
    assert "valid only on this site" not in robin.get(f"/requests/{urn}").text("//main")


def test_an_official_registry_gives_numbers_that_hold_everywhere(
    make_app: MakeApp, clock: Clock
) -> None:
    app = make_app(demo=True, authority="official")
    with app.app_context():
        number = registered(app, clock)
        naan = given_naan(app, number)
        assert naan.isdigit()
        for path in (f"/naans/{naan}", f"/requests/{number}", "/assignments/naans/"):
            assert "valid only on this site" not in Person(app).get(path).words


def test_a_request_for_a_naan_goes_to_the_list_of_naans_or_to_none(
    make_app: MakeApp, clock: Clock
) -> None:
    for own in ("", NAAN_LIST):
        app = make_app(demo=True, list_address=LIST, naan_list_address=own)
        with app.app_context():
            people = factories.cast(clock())
            robin = visitor(app, people.registrant.email, clock)
            number = written(robin)
            check = robin.get(f"/requests/{number}/check")
            assert ("Message to the mailing list" in check.words) is bool(own)
            assert robin.send(f"/requests/{number}/check").status == 303
            there = f"/requests/{number}"
            assert ("sent to the mailing list" in robin.get(there).words) is bool(own)
            said = robin.send(there, {"comment": "Which?"}, action=f"{there}/comments")
            assert said.status == 303, said.words
            letters = [composed(one) for one in db.session.scalars(select(Outbox))]
            told = {str(one["To"]) for one in letters}
            assert LIST not in told and (NAAN_LIST in told) is bool(own)
            assert not [one for one in letters if LIST in one.as_string()]


def test_a_shoulder_that_is_given_here_under_a_shared_naan_is_told_as_holding_here_alone(
    app: Flask, clock: Clock
) -> None:
    shared, file = replace(LIBRARY, naan="99152"), replace(SHOULDER, naan="99152", shoulder="fk4")
    import_naans(read_naan_file(file_of(entry_of(shared), entry_of(file))), clock.on(minutes=1))
    people = factories.cast(clock())
    name = factories.registered_shoulder(people, clock(), "99152/x7", shoulder_label="Of maps")
    told = "It is valid only on this site: other resolvers for ark:99152"
    stranger = Person(app)
    assert told in stranger.get(f"/naans/{name}").words
    assert told not in stranger.get("/naans/99152/fk4").words
    tool = stranger.get("/tools/ark?q=ark:99152/x7-ab").text("//main")
    assert told in tool and "n2t.net/ark:99152/x7ab" not in tool
    assert "n2t.net/ark:99152/fk4ab" in stranger.get("/tools/ark?q=ark:99152/fk4ab").text("//main")


def test_the_page_of_a_shoulder_tells_its_label_its_mask_and_how_it_leads_on(
    app: Flask, clock: Clock
) -> None:
    import_naans(
        read_naan_file(file_of(entry_of(replace(LIBRARY, naan="99152")))), clock.on(minutes=1)
    )
    people = factories.cast(clock())
    told = {"shoulder_label": "Of maps", "mask": "x7.reedeedk", "target_status": "307"}
    name = factories.registered_shoulder(people, clock(), "99152/x7", **told)
    page = Person(app).get(f"/naans/{name}").text("//main")
    robin = visitor(app, people.registrant.email, clock)
    asked = robin.get(f"/naans/{name}/answer").text("//main")
    for shown in (page, asked):
        assert "Of maps" in shown and "x7.reedeedk" in shown and "307" in shown


def test_where_people_look_for_a_list_leads_to_it_before_an_edition_is_laid_out(app: Flask) -> None:
    stranger = Person(app)
    for way in ("/naans/", "/naans", "/assignments/naans"):
        assert (stranger.get(way).status, stranger.get(way).location) == (
            301,
            "/assignments/naans/",
        )
    assert stranger.get("/assignments/urn-namespaces").location == "/assignments/urn-namespaces/"
