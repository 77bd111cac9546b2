"""What a page says of the registry is of the one whose names it is about, wherever it lies."""

import json
from collections.abc import Iterator

import pytest
from flask import Flask

from app.problems.problem_catalogue import CODES
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.registries import Procedure
from app.registration.declarations.registry_groups import (
    GROUPS,
    NAAN_GROUP,
    URN_GROUP,
    source_for,
    speaks_of_urns,
)
from tests import factories
from tests.conftest import Clock, MakeApp
from tests.web.stages import begin
from tests.web.test_naan_requests import Person, begun, visitor, written
from tests.web.visitor import Page

OF_URNS = "This is a private registry of URN namespaces."
OF_NAANS = "This is a private registry of NAANs."


@pytest.fixture
def app(make_app: MakeApp) -> Iterator[Flask]:
    """The application of a private registry, where people are let in with a click."""
    app = make_app(demo=True, authority="private")
    with app.app_context():
        yield app


def told(page: Page) -> str:
    """The notice of a page."""
    return page.text("//aside[@class='notices']")


def test_pages_about_a_naan_have_the_notice_about_naans(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin, odell = (visitor(app, one.email, clock) for one in (people.registrant, people.operator))
    naan = factories.registered_naan(people, clock())
    number = written(robin)
    there = f"/requests/{number}"
    own = [robin.get(f"{there}/{tail}") for tail in ("edit/registrant", "check", "people")]
    assert robin.send(f"{there}/check").status == 303
    public = [Person(app).get(f"{there}{tail}") for tail in ("", "/iterations/1")]
    assert odell.send(there, action=f"{there}/take").status == 303
    desk = [odell.get(path) for path in (there, f"/desk/{number}/register", f"/desk/naans/{naan}")]
    late = robin.get(f"{there}/edit/registrant")
    assert late.status == 403
    others = [
        Person(app).get("/requests/new/naan"),
        *(robin.get(f"/requests/new?kind={one}") for one in (NAANS.id, SHOULDERS.id)),
        Person(app).get(f"/naans/{naan}"),
        Person(app).get("/assignments/naans/"),
        robin.get(f"/naans/{naan}/revise"),
    ]
    for page in (*own, *public, *desk, late, *others):
        assert OF_NAANS in told(page), (page.title, told(page))
        assert OF_URNS not in told(page)


def test_pages_about_a_namespace_keep_theirs_and_nobody_is_told_what_a_draft_is_of(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    robin = visitor(app, people.registrant.email, clock)
    urn = begin(app, people, clock, Procedure.COMMUNITY)
    draft = begun(robin)
    rival = visitor(app, people.rival.email, clock)
    for page in (
        *(robin.get(path) for path in ("/", "/requests/", f"/requests/{urn.number}/check")),
        Person(app).get(f"/requests/{draft}"),
        rival.get(f"/requests/{draft}/check"),
        Person(app).get("/requests/987"),
    ):
        assert OF_URNS in told(page), page.title
        assert OF_NAANS not in told(page)


@pytest.mark.parametrize("authority", ["official", "proposal"])
def test_in_no_authority_a_page_of_a_naan_speaks_of_namespaces(
    make_app: MakeApp, clock: Clock, authority: str
) -> None:
    app = make_app(demo=True, authority=authority)
    with app.app_context():
        people = factories.cast(clock())
        robin = visitor(app, people.registrant.email, clock)
        number = written(robin)
        for path in (f"/requests/{number}/check", "/requests/new/naan", "/assignments/naans/"):
            said = told(robin.get(path))
            assert "namespace" not in said
            assert ("IANA" in said) is (authority == "proposal")


def test_a_refusal_cites_the_rules_of_the_registry_at_hand(app: Flask, clock: Clock) -> None:
    people = factories.cast(clock())
    robin = visitor(app, people.registrant.email, clock)
    number = written(robin)
    assert robin.send(f"/requests/{number}/check").status == 303
    page = robin.get(f"/requests/{number}/edit/registrant")
    rule = "The registry of NAANs: a text under review changes only after it is returned."
    assert (page.status, rule in page.words) == (403, True), page.words
    assert "RFC 8141" not in page.text("//main")
    program = {"Accept": "application/json"}
    document = json.loads(robin.get(f"/requests/{number}/edit/registrant", headers=program).html)
    assert (document["source"], document["code"]) == (rule, "not_your_turn")


def test_no_rule_of_namespaces_is_cited_for_naans() -> None:
    of_urns = [code for code in CODES.values() if speaks_of_urns(code.source)]
    assert len(of_urns) > 10
    for code in of_urns:
        there = source_for(NAAN_GROUP, code.source)
        assert "8141" not in there and "he registry of NAANs" in there, there
        assert source_for(URN_GROUP, code.source) == code.source
    assert all(
        source_for(group, "RFC 9110 section 15.") == "RFC 9110 section 15."
        for group in GROUPS.values()
    )
