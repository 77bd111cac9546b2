"""Acting for a registrant, through the web: revisions, people, claims, transfers, links."""

import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.registration.declarations.registries import URN_SPACE
from app.registration.profiles.profile_records import NamespaceProfile
from app.services.accounts import sign_in
from app.services.delegates import delegate_mail
from app.services.registrations import corrections
from app.services.registrations.corrections import Correction, correct
from app.services.registry import template_files
from app.store.database import db, read_transaction
from app.store.requests import request_rows
from app.store.tables import Claim, Event, Outbox
from app.workflow.states import State
from tests import factories
from tests.conftest import START, Clock
from tests.web.conftest import EMAILS, Dump, World
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

TEMPLATE = "Namespace Identifier: isbn\n\nVersion: 2\n\nRegistrant:\n\n   isbn&agency.example\n"


def kinds(world: World, about: str) -> list[str]:
    """What happened to a name, oldest first."""
    with world.app.app_context(), read_transaction():
        found = select(Event.kind).where(Event.about == about).order_by(Event.n)
        return list(db.session.scalars(found))


def newest_token(world: World) -> str:
    """What stands in the link of the newest claim."""
    with world.app.app_context(), read_transaction():
        number = db.session.scalars(select(Claim.number).order_by(Claim.number.desc())).first()
    assert number is not None
    return delegate_mail.token_of_claim(number, world.app.config["SECRET_KEY"])


def recipients(world: World, kind: str) -> set[str]:
    """Who was written to by the newest event of a kind."""
    with world.app.app_context(), read_transaction():
        event = db.session.scalars(
            select(Event.n).where(Event.kind == kind).order_by(Event.n.desc())
        ).first()
        return set(db.session.scalars(select(Outbox.recipient).where(Outbox.event == event)))


def well(page: Page, status: int = 200) -> Page:
    """A page that is as it should be."""
    assert (page.status, faults(page)) == (status, [])
    return page


def followed(visitor: Visitor, page: Page) -> Page:
    """Where an answer leads."""
    assert page.status == 303, page.words[:300]
    return well(visitor.get(page.location))


def on_file(world: World) -> None:
    """Give isbn a text on file, which says how its registrant can be reached."""
    with world.app.app_context():
        template_files.import_templates({"isbn": ("isbn.txt", TEMPLATE)}, START, notice="")


def later(world: World, **by: float) -> World:
    """Let time pass; sessions end meanwhile, so that people sign in again."""
    clock = Clock()
    clock.now = START + timedelta(**by)
    world.app.extensions["now"] = clock
    with world.app.app_context():
        again = {who: sign_in.enter_as(email, clock()).token for who, email in EMAILS.items()}
    return replace(world, tokens=again)


def begun(world: World, who: str = "registrant", name: str = "quokka") -> int:
    """Start a revision as somebody does, and give its number."""
    visitor = world.visitor(who)
    page = visitor.send(f"/namespaces/{name}/revise")
    assert page.status == 303, page.words
    return int(page.location.split("/")[2])


def written(world: World, number: int, who: str = "registrant", **documents: str) -> None:
    """Answer what a revision asks beside its text, and say what differs."""
    visitor = world.visitor(who)
    first = f"/requests/{number}/edit/name-and-purpose"
    answers = {"standard": "no", "purpose": "More than before."}
    assert visitor.send(first, answers).status == 303
    said = {"revision_information": "The society grew.", "status": "stays"} | documents
    page = visitor.send(f"/requests/{number}/edit/documents", said)
    assert page.status == 303, page.words


def approved(world: World, number: int) -> None:
    """Send a revision and bring it to where it waits to be registered."""
    page = world.visitor("registrant").send(f"/requests/{number}/check")
    assert page.status == 303, page.words
    path, operator = f"/requests/{number}", world.visitor("operator")
    for action in ("take", "pass"):
        assert operator.send(path, action=f"{path}/{action}").status == 303
    for expert in ("expert", "leader"):
        assert world.visitor(expert).get(f"/review/{number}").status in {200, 303}
    given = {"verdict": "approve", "reason": "It is clear."}
    assert world.visitor("leader").send(f"/review/{number}", given).status == 303


def register(world: World, number: int, **given: str) -> Page:
    """Register a revision as the operator does, keeping what is referred to."""
    return world.visitor("operator").send(f"/desk/{number}/register", given)


def state_of(world: World, number: int) -> State:
    """Where a request stands."""
    with world.app.app_context(), read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return State(request.state)


# ---- revisions


def test_a_registration_is_changed_from_its_page_to_the_next_edition(fresh: World) -> None:
    registrant = fresh.visitor("registrant")
    page = well(registrant.get("/namespaces/quokka"))
    assert "/namespaces/quokka/revise" in page.values("href", "a")
    assert "/namespaces/quokka/revise" in well(registrant.get("/requests/new")).values("href", "a")
    well(registrant.get("/namespaces/quokka/revise"))
    number = begun(fresh)
    written(fresh, number)
    form = well(registrant.get(f"/requests/{number}/edit/name-and-purpose"))
    assert "namespace_identifier" not in form.form(form.path)
    assert "You are changing urn:quokka:" in form.words
    documents = well(registrant.get(f"/requests/{number}/edit/documents"))
    assert "added: More than before." in documents.words
    assert (
        "The namespace remains in use." in well(registrant.get(f"/requests/{number}/check")).words
    )
    approved(fresh, number)
    assert f"/requests/{number}/revision" in fresh.visitor().get(f"/requests/{number}").values(
        "href", "a"
    )
    shown = well(fresh.visitor().get(f"/requests/{number}/revision"))
    assert "The society grew." in shown.words
    assert "added: More than before." in shown.words
    assert "Changed" in well(fresh.visitor("operator").get(f"/desk/{number}/register")).words
    assert register(fresh, number).status == 303
    assert state_of(fresh, number) is State.MODIFIED
    page = well(registrant.get("/namespaces/quokka"))
    assert "Version 2" in page.words
    assert "More than before." in page.words


def test_whoever_does_not_act_for_a_name_is_led_to_the_claim(fresh: World) -> None:
    for who in ("rival", "operator", "expert"):
        page = fresh.visitor(who).get("/namespaces/quokka/revise")
        assert (page.status, page.location) == (303, "/namespaces/quokka/claim")
    stranger = fresh.visitor().get("/namespaces/quokka/revise")
    assert stranger.location.startswith("/sign-in?next=")
    found = fresh.visitor("rival").get("/requests/revise?name=urn:ISBN:")
    assert found.location == "/namespaces/isbn/revise"


def test_a_name_slipped_into_a_form_is_not_taken(fresh: World) -> None:
    number, registrant = begun(fresh), fresh.visitor("registrant")
    path = f"/requests/{number}/edit/name-and-purpose"
    given = {"namespace_identifier": "wombat", "standard": "no"}
    assert registrant.send(path, given).status == 303
    assert "urn:quokka:" in registrant.get(path).words
    assert "urn:wombat:" not in registrant.get(f"/requests/{number}/check").words


def test_a_revision_says_what_differs_before_it_is_sent(fresh: World) -> None:
    number, registrant = begun(fresh), fresh.visitor("registrant")
    page = registrant.send(f"/requests/{number}/edit/documents", {"revision_information": " "})
    assert "Describe the changes from the registered version." in well(page, 422).words
    check = well(registrant.get(f"/requests/{number}/check"))
    assert "Describe the changes from the registered version." in check.words
    assert not check.each("//button[normalize-space(.)='Submit request']")


def test_what_a_revision_changes_beside_its_template_stands_wherever_it_is_judged(
    fresh: World,
) -> None:
    number, registrant = begun(fresh), fresh.visitor("registrant")
    edit = f"/requests/{number}/edit"
    told = {"standard": "no", "homepage": "https://quokkas.example/", "names": "marsupials"}
    assert registrant.send(f"{edit}/name-and-purpose", told).status == 303
    said = {"revision_information": "A homepage.", "status": "stays"}
    assert registrant.send(f"{edit}/documents", said).status == 303
    pages = {"check": well(registrant.get(f"/requests/{number}/check"))}
    assert registrant.send(f"/requests/{number}/check").status == 303
    operator = fresh.visitor("operator")
    for action in ("take", "pass"):
        path = f"/requests/{number}"
        assert operator.send(path, action=f"{path}/{action}").status == 303
    pages["revision"] = well(fresh.visitor().get(f"/requests/{number}/revision"))
    pages["review"] = well(fresh.visitor("expert").get(f"/review/{number}"))
    for where, page in pages.items():
        (change,) = page.each("//*[@id='change_profile']/..")
        words = " ".join("".join(change.itertext()).split())
        assert "added: identified resources: marsupials" in words, where
        assert "homepage: https://quokkas.example/" in words, where
        assert "No differences" not in page.words, where
    (box,) = pages["review"].each("//details[@id='revised']")
    assert "open" in box.attrib, "the first review is of the change"
    assert "The namespace remains in use." in pages["review"].words


def outdated(world: World) -> int:
    """A revision that waits to be registered while another was."""
    numbers = begun(world), begun(world)
    for number in numbers:
        written(world, number)
        approved(world, number)
    assert register(world, numbers[1]).status == 303
    return numbers[0]


def _offers(page: Page, number: int) -> list[str]:
    """What of registering and reporting a page offers."""
    ways = page.values("href", "a") + page.values("action", "form")
    told = [way.rpartition(f"/{number}")[2] for way in ways]
    return [way for way in told if way in ("/register", "/stale")]


def test_a_revision_of_the_newest_version_is_registered_and_not_reported(fresh: World) -> None:
    number = begun(fresh)
    written(fresh, number)
    approved(fresh, number)
    page = fresh.visitor("operator").get(f"/requests/{number}")
    assert _offers(page, number) == ["/register"]
    assert "A newer version" not in page.words


def test_an_outdated_revision_goes_back_and_takes_the_newer_base(fresh: World) -> None:
    number, registrant = outdated(fresh), fresh.visitor("registrant")
    path, operator = f"/requests/{number}", fresh.visitor("operator")
    page = well(operator.get(path))
    assert "A newer version was registered after you began this revision" in page.words
    assert _offers(page, number) == ["/stale"]  # what would be refused is not offered
    assert operator.get(f"/desk/{number}/register").location == path
    with fresh.app.app_context():
        seen = {"key": factories.key(), "lock_version": str(factories.lock_of(number))}
    page = well(operator.post(f"/desk/{number}/register", seen | {"label": "Ours"}), 422)
    assert "A newer version was registered." in page.words
    assert operator.send(path, {"reason": ""}, action=f"{path}/stale").status == 303
    assert state_of(fresh, number) is State.WITH_REQUESTER
    look = well(registrant.get(f"{path}/revision"))
    assert "Version 2 was registered" in look.words
    stranger = well(fresh.visitor().get(f"{path}/revision"))
    assert "Continue from the newer version" not in stranger.words
    old = look.form(f"{path}/revision")
    page = followed(registrant, registrant.post(f"{path}/revision", old))
    assert "based on the newest version" in page.words
    page = well(registrant.post(f"{path}/revision", old), 422)
    assert "already based on" in page.words
    again = {
        "revision_information": "In line with version 2.",
        "additional_information": "It names frogs as well.",
        "status": "stays",
    }
    assert registrant.send(f"{path}/edit/documents", again).status == 303
    assert registrant.send(f"{path}/check").status == 303
    assert state_of(fresh, number) is State.VALIDATING_REQUEST


def test_whoever_changed_the_same_lines_decides_on_the_page_of_what_changes(fresh: World) -> None:
    number, other = begun(fresh), begun(fresh)
    written(fresh, number)
    registrant, path = fresh.visitor("registrant"), f"/requests/{number}/revision"
    ours = {"standard": "no", "purpose": "Ours, and no less."}
    assert registrant.send(f"/requests/{number}/edit/name-and-purpose", ours).status == 303
    written(fresh, other)
    approved(fresh, other)
    assert register(fresh, other).status == 303
    assert (
        "undo the words “More than before.”"
        in well(registrant.get(f"/requests/{number}/check")).words
    )
    for section in ("check", "edit/name-and-purpose"):
        shown = well(registrant.get(f"/requests/{number}/{section}"))
        assert "Open “What changes”" in shown.words
        ways = [
            " ".join(link.text_content().split()) for link in shown.each(f"//a[@href='{path}']")
        ]
        assert any(way.startswith("What changes") for way in ways), section
    page = followed(registrant, registrant.post(path, well(registrant.get(path)).form(path)))
    assert "based on the newest version" in page.words
    assert "Conflicts" in page.words
    assert "More than before." in page.words
    check = well(registrant.get(f"/requests/{number}/check"))
    assert "Choose which text to keep" in check.words
    page = followed(registrant, registrant.post(path, well(page).form(path)))
    assert "Your text is unchanged." in page.words
    assert "Conflicts" not in page.words
    assert "would undo words" not in well(registrant.get(f"/requests/{number}/check")).words


def test_what_both_said_beside_the_text_is_decided_there_too(fresh: World) -> None:
    number, registrant = begun(fresh), fresh.visitor("registrant")
    ours = {"standard": "no", "purpose": "Ours.", "title": "Our quokkas"}
    assert registrant.send(f"/requests/{number}/edit/name-and-purpose", ours).status == 303
    with fresh.app.app_context():
        people = factories.cast(START)
        with read_transaction():
            seen = corrections.find_entry("quokka", URN_SPACE).n
        said = Correction(profile=NamespaceProfile(title="The quokkas"))
        order = factories.command(people.operator, START, seen=seen)
        correct(order, "quokka", said, reason="They asked.", space=URN_SPACE)
    check, path = f"/requests/{number}/check", f"/requests/{number}/revision"
    told = "Title: the registry changed this to “The quokkas”"
    page = well(registrant.get(check))
    assert told in page.words
    at = f"/requests/{number}/edit/name-and-purpose?found=yes#title"
    assert "Title" in [link.text_content() for link in page.each(f"//a[@href='{at}']")]
    assert "Choose which text to keep" in page.words
    page = well(registrant.get(path))
    assert "Registry: The quokkas This revision: Our quokkas" in page.words
    page = followed(registrant, registrant.post(path, page.form(path)))
    assert "Registry: The quokkas" not in page.words
    assert told not in well(registrant.get(check)).words


def test_a_namespace_is_deprecated_with_a_registered_successor(fresh: World) -> None:
    number, registrant = begun(fresh), fresh.visitor("registrant")
    given = {"revision_information": "It is over.", "status": "succeeded"}
    path = f"/requests/{number}/edit/documents"
    page = registrant.send(path, given | {"successor": "unheard-of"})
    assert "`unheard-of` isn’t registered." in page.words.replace("unheard-of", "`unheard-of`", 1)
    page = registrant.send(path, given | {"successor": ""})
    assert "or choose that there is none." in well(page, 422).words
    assert registrant.send(path, given | {"status": "ends"}).status == 303
    check = well(registrant.get(f"/requests/{number}/check"))
    assert "It has no successor." in check.words
    written(fresh, number, status="succeeded", successor="urn:isbn:")
    check = well(registrant.get(f"/requests/{number}/check"))
    assert "Use urn:isbn: instead." in check.words
    approved(fresh, number)
    assert register(fresh, number).status == 303
    page = well(fresh.visitor().get("/namespaces/quokka"))
    assert "Deprecated. Existing identifiers stay valid. Use urn:isbn: instead." in page.words


def test_where_the_version_is_unknown_the_operator_states_it(fresh: World) -> None:
    registrant = fresh.visitor("registrant")
    evidence = {"shown": "I run it."}
    action = "/namespaces/3gpp/claim"
    assert registrant.send(action, evidence, action=f"{action}/evidence").status == 303
    with fresh.app.app_context(), read_transaction():
        number = db.session.scalars(select(Claim.number).order_by(Claim.number.desc())).first()
    decided = {"decision": "grant", "reason": "I called them."}
    assert fresh.visitor("operator").send(f"/desk/claims/{number}", decided).status == 303
    number = begun(fresh, name="3gpp")
    page = well(registrant.get(f"/requests/{number}/revision"))
    assert "no template of" in page.words
    sections = {
        "name-and-purpose": {"purpose": "Mobile telephony.", "standard": "no"},
        "registrant": {"registrant": "3GPP", "organization": "3GPP"},
        "syntax": {"syntax": "Letters."},
        "assignment": {"assignment": "By them."},
        "safety-and-use": {
            "security_and_privacy": "None known.",
            "interoperability": "None known.",
            "resolution": "Not intended.",
        },
    }
    for section, answers in sections.items():
        assert registrant.send(f"/requests/{number}/edit/{section}", answers).status == 303
    written(fresh, number)
    approved(fresh, number)
    page = well(register(fresh, number), 422)
    assert "Enter the registered version" in page.words
    look = fresh.visitor("operator").send(
        f"/desk/{number}/register", {"then": "look", "base_version": "1", "reference": "RFC 5279"}
    )
    assert "base_version=1" in look.location
    well(fresh.visitor("operator").get(look.location))
    assert register(fresh, number, base_version="1").status == 303
    assert "Version 2" in well(fresh.visitor().get("/namespaces/3gpp")).words


def test_what_happened_to_a_name_is_told_in_words_alone(fresh: World) -> None:
    with fresh.app.app_context():
        people = factories.cast(START)
        said = Correction(profile=NamespaceProfile(title="The quokkas"))
        order = factories.command(people.operator, START, seen=1)
        correct(order, "quokka", said, reason="They asked.", space=URN_SPACE)
        factories.disputed(people, START, "quokka")
    page = well(fresh.visitor("registrant").get("/namespaces/quokka/people"))
    assert re.search(r"Corrected\. quokka: [^`{]{3,200} They asked\.", page.words)
    assert "Published at: https://court.example/7" in page.words
    assert not set("`{") & set(page.text("//section[@aria-labelledby='happened']"))


# ---- people


def test_somebody_is_invited_joins_writes_and_leaves(fresh: World) -> None:
    path, registrant, rival = (
        "/namespaces/quokka/people",
        *map(fresh.visitor, ("registrant", "rival")),
    )
    assert EMAILS["rival"] in well(registrant.get(path)).words  # whom the world has invited
    link = fresh.path("/links/{invitation}")
    for _ in range(2):
        assert "Invitation to manage urn:quokka:" in well(rival.get(link)).words
    assert "sent to another address" in well(fresh.visitor("expert").get(link)).words
    assert fresh.visitor("expert").post(link).status == 403
    stranger = well(fresh.visitor().get(link))
    assert "Sign in with the address" in stranger.words
    assert not any("next=" in href for href in stranger.values("href", "a"))
    used = rival.get(link).form(link)
    page = followed(rival, rival.post(link, used))
    assert "You now manage urn:quokka:." in page.words
    page = followed(rival, rival.post(link, used))  # the same form, sent twice
    assert "You now manage urn:quokka:." in page.words
    assert kinds(fresh, "quokka").count("person joined") == 1
    assert fresh.visitor("expert").post(link, used).status == 410
    assert fresh.visitor().post(link, used).status == 410
    spent = well(rival.post(link), 410)
    assert "was used or canceled" in spent.words
    assert well(rival.get(link), 410)
    number = begun(fresh, "rival")
    written(fresh, number, "rival")
    assert well(registrant.get(f"/requests/{number}/check"))  # the other sees it too
    rows = well(registrant.get("/requests/yours")).words
    assert f"Request {number}" in rows
    page = registrant.post(f"{path}/leave", registrant.get(path).form(f"{path}/leave"))
    assert page.status == 303
    assert registrant.get(f"/requests/{number}/check").status == 404
    assert registrant.get(path).status == 403
    assert kinds(fresh, "quokka") == ["person invited", "person joined", "person left"]


def test_the_last_one_says_that_nobody_will_act(fresh: World) -> None:
    path, registrant = "/namespaces/quokka/people", fresh.visitor("registrant")
    form = registrant.get(path).form(f"{path}/leave")
    page = well(registrant.post(f"{path}/leave", form), 422)
    assert "without a manager" in page.words
    form = page.form(f"{path}/leave") | {"knowing": "yes"}
    assert registrant.post(f"{path}/leave", form).status == 303
    assert "This entry has no manager" in well(fresh.visitor("operator").get(path)).words
    assert "This entry has no manager here yet." in registrant.get("/namespaces/quokka/claim").words


def test_a_page_that_is_behind_is_shown_anew(fresh: World) -> None:
    path, registrant = "/namespaces/quokka/people", fresh.visitor("registrant")
    old = registrant.get(path).form(f"{path}/invite")
    assert registrant.post(f"{path}/invite", old | {"address": "a@org.example"}).status == 303
    again = old | {"address": "b@org.example", "key": "another-key"}
    page = well(registrant.post(f"{path}/invite", again), 409)
    assert "after you opened it" in page.words
    assert page.form(f"{path}/invite")["address"] == "b@org.example"
    page = well(
        registrant.post(f"{path}/invite", page.form(f"{path}/invite") | {"address": ""}), 422
    )
    assert page.each("//a[@class='problem'][@href='#address']")


def test_one_of_those_who_wrote_a_request_is_removed(fresh: World) -> None:
    number = fresh.numbers["draft"]
    path, registrant = f"/requests/{number}/people", fresh.visitor("registrant")
    invited = registrant.get(path).form(f"{path}/invite") | {"address": EMAILS["rival"]}
    assert registrant.post(f"{path}/invite", invited).status == 303
    link = f"/links/{newest_token(fresh)}"
    rival = fresh.visitor("rival")
    page = followed(rival, rival.send(link))
    assert page.path == path
    form = page.form(f"{path}/remove")
    assert rival.post(f"{path}/remove", form).status == 303
    assert registrant.get(path).status == 404
    assert registrant.get(f"/requests/{number}/check").status == 404
    assert rival.get(f"/requests/{number}/check").status == 200


# ---- claims


def test_the_contact_on_file_claims_by_a_link_that_no_page_tells(fresh: World) -> None:
    on_file(fresh)
    path, rival = "/namespaces/isbn/claim", fresh.visitor("expert")
    page = well(rival.get(path))
    assert "an address in the section Registrant" in page.words
    assert "agency.example" not in page.html
    page = followed(rival, rival.post(f"{path}/contact", page.form(f"{path}/contact")))
    assert "Link sent" in page.words
    assert "agency.example" not in page.html
    assert recipients(fresh, "link asked") == {"isbn@agency.example"}
    link = f"/links/{newest_token(fresh)}"
    foreign = well(fresh.visitor("registrant").get(link))
    assert "Another account" in foreign.words
    assert fresh.visitor("registrant").post(link).status == 403
    assert fresh.visitor().post(link).status == 401
    assert well(rival.get(link)).headers["Referrer-Policy"] == "no-referrer"
    assert followed(rival, rival.send(link)).path == "/namespaces/isbn/people"
    assert well(rival.get("/namespaces/isbn/revise"))
    assert begun(fresh, "expert", "isbn")
    assert kinds(fresh, "isbn") == ["claimed", "link asked", "claimed by the contact"]


def test_a_link_that_is_too_old_leads_to_another(fresh: World) -> None:
    on_file(fresh)
    path, rival = "/namespaces/isbn/claim", fresh.visitor("expert")
    form = rival.get(path).form(f"{path}/contact")
    assert rival.post(f"{path}/contact", form).status == 303
    link = f"/links/{newest_token(fresh)}"
    form = rival.get(link).form(link)
    rival = later(fresh, days=8).visitor("expert")
    assert "expired" in well(rival.get(link), 410).words
    assert rival.post(link, form).status == 410


def test_a_link_may_be_behind_what_happened(fresh: World) -> None:
    on_file(fresh)
    path = "/namespaces/isbn/claim"
    links = []
    for who in ("expert", "leader"):
        visitor = fresh.visitor(who)
        form = visitor.get(path).form(f"{path}/contact")
        assert visitor.post(f"{path}/contact", form).status == 303
        links.append(f"/links/{newest_token(fresh)}")
    assert fresh.visitor("leader").send(links[1]).status == 303
    page = well(fresh.visitor("expert").send(links[0]), 422)
    assert "has another manager" in page.words


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("decision", "said"),
    [("grant", "Claim granted"), ("refuse", "Claim refused")],
)
def test_the_operator_decides_a_claim_at_the_desk(fresh: World, decision: str, said: str) -> None:
    number, operator = fresh.numbers["claim"], fresh.visitor("operator")
    desk = well(operator.get("/desk/claims/"))
    assert f"/desk/claims/{number}" in desk.values("href", "a")
    path = f"/desk/claims/{number}"
    page = well(operator.get(path))
    assert "I am on their board." in page.words
    assert EMAILS["rival"] in page.words
    for given, wrong in (({}, "Choose a decision"), ({"decision": decision}, "Enter the reason")):
        assert wrong in well(operator.send(path, given), 422).words
    given = {"decision": decision, "reason": "I called them."}
    form = operator.get(path).form(path)
    assert followed(operator, operator.post(path, form | given))
    late = operator.post(path, form | given | {"key": "another-key"})
    assert "decided this" in well(late, 409).words
    assert "I called them." in well(operator.get(path)).words
    allowed = fresh.visitor("rival").get("/namespaces/isbn/revise").status
    assert allowed == (200 if decision == "grant" else 303)
    with fresh.app.app_context(), read_transaction():
        told = db.session.scalars(
            select(Outbox.arguments).where(
                Outbox.recipient == EMAILS["rival"], Outbox.template == "holding"
            )
        )
        assert said in {json.loads(one)["happened"] for one in told}


def test_a_claim_is_private_to_the_operator(world: World) -> None:
    page = well(world.visitor("rival").get("/namespaces/isbn/claim"))
    assert "1 September 2026" in page.words
    for who in ("stranger", "registrant", "expert"):
        page = world.visitor(who).get("/namespaces/isbn/claim")
        assert "I am on their board." not in page.html
        assert EMAILS["rival"] not in page.html


@pytest.mark.usefixtures("fleeting")
def test_a_claim_shows_something(world: World) -> None:
    path = "/namespaces/isbn/claim"
    page = world.visitor("registrant").send(path, {"shown": " "}, action=f"{path}/evidence")
    assert "Enter evidence" in well(page, 422).words
    assert page.each("//textarea[@name='shown'][@aria-invalid='true']")


# ---- transfers


TRANSFER = "/namespaces/quokka/transfer"
TO_WOMBATS = {
    "organization": "Wombats",
    "address": "w@wombat.example",
    "reason": "They merged.",
}


def asked(world: World) -> int:
    """Ask for a transfer as the registrant does, and give its number."""
    registrant = world.visitor("registrant")
    page = followed(registrant, registrant.send(TRANSFER, TO_WOMBATS))
    assert "Transfer to Wombats" in page.words
    with world.app.app_context(), read_transaction():
        number = db.session.scalars(select(Claim.number).order_by(Claim.number.desc())).first()
    assert number is not None
    return number


def test_a_transfer_waits_and_is_carried_out(fresh: World) -> None:
    draft = begun(fresh)
    number, operator = asked(fresh), fresh.visitor("operator")
    path = f"/desk/claims/{number}"
    assert "open to objections until 15 September 2026" in operator.get("/desk/claims/").words
    given = {"decision": "grant", "reason": "Both agree."}
    page = well(operator.send(path, given), 422)
    assert "can object until then" in page.words
    then = later(fresh, days=14)
    operator = then.visitor("operator")
    assert "ready to decide" in well(operator.get("/desk/claims/")).words
    assert operator.send(path, given).status == 303
    assert then.visitor("registrant").get("/namespaces/quokka/people").status == 403
    left = well(then.visitor("registrant").get(f"/requests/{draft}/check"))
    (told,) = left.each("//section[@aria-labelledby='to-change']")
    assert told.findtext("h2") == "You can’t submit this"
    assert "only the new registrant can" in told.text_content()
    assert "Not ready to submit" not in left.words
    people = well(operator.get("/namespaces/quokka/people"))
    assert "w@wombat.example" in people.words
    assert kinds(fresh, "quokka")[-2:] == ["transfer asked", "transferred"]
    assert recipients(fresh, "transferred") == {"w@wombat.example", EMAILS["registrant"]}


def test_a_transfer_is_stopped_by_the_old_side(fresh: World) -> None:
    number, registrant = asked(fresh), fresh.visitor("registrant")
    assert "A transfer to Wombats" in well(registrant.get("/namespaces/quokka/people")).words
    stop = f"{TRANSFER}/stop"
    page = well(registrant.send(TRANSFER, {"reason": ""}, action=stop), 422)
    assert "Enter the reason" in page.words
    page = registrant.send(TRANSFER, {"reason": "A mistake."}, action=stop)
    assert "Transfer stopped." in followed(registrant, page).words
    then = later(fresh, days=15)
    page = then.visitor("operator").get(f"/desk/claims/{number}")
    assert "A mistake." in well(page).words
    assert not page.each("//button[normalize-space(.)='Decide']")


def test_the_contact_on_file_objects_without_an_account(fresh: World) -> None:
    on_file(fresh)
    grant = {"decision": "grant", "reason": "I called them."}
    claim = f"/desk/claims/{fresh.numbers['claim']}"
    assert fresh.visitor("operator").send(claim, grant).status == 303
    rival = fresh.visitor("rival")
    assert rival.send("/namespaces/isbn/transfer", TO_WOMBATS).status == 303
    assert recipients(fresh, "transfer asked") == {"isbn@agency.example"}
    link, stranger = f"/links/{newest_token(fresh)}", fresh.visitor()
    assert "Object to the transfer of urn:isbn:" in well(stranger.get(link)).words
    page = well(stranger.send(link, {"reason": " "}), 422)
    assert "Enter the reason" in page.words
    used = stranger.get(link).form(link) | {"reason": "We know nothing of it."}
    for _ in range(2):  # the same form, sent twice
        page = stranger.post(link, used)
        assert (page.status, page.location) == (303, "/")
    for other in ({"reason": "Again."}, used | {"reason": "Again."}):
        assert stranger.post(link, other).status == 410
    assert kinds(fresh, "isbn").count("transfer objected") == 1


@pytest.mark.usefixtures("fleeting")
def test_a_transfer_says_to_whom(world: World) -> None:
    registrant = world.visitor("registrant")
    for left_out, said in (
        ("organization", "Enter the new registrant"),
        ("address", "Enter the e-mail"),
    ):
        page = registrant.send(TRANSFER, TO_WOMBATS | {left_out: ""})
        assert said in well(page, 422).words


def test_looking_changes_nothing(world: World, dump: Dump) -> None:
    before = dump()
    for path in ("/links/{invitation}", "/desk/claims/{claim}", "/requests/{revision}/revision"):
        for who in ("stranger", "registrant", "rival", "operator"):
            world.visitor(who).get(world.path(path))
    assert dump() == before
