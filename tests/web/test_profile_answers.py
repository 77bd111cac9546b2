"""What a request says of its namespace for people and programs: asked, checked, registered."""

from app.grammar.expressions.regular_expressions import find_unsafe_pattern
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_answers import check_answers
from app.registration.profiles.profile_records import Resolvability, ServiceKind
from app.registration.profiles.profile_rules import ProfileLimits
from app.registration.templates.sample_template import EXAMPLE_ANSWERS
from app.resolution.record_rules import judge_examples
from app.services.registry.snapshots import current_snapshot
from app.store.database import read_transaction
from app.workflow.states import Action
from tests import factories
from tests.conftest import START
from tests.web.conftest import World
from tests.web.visitor import Page, Visitor
from tests.web.wellmade import faults

NAMING, RESOLVING = "name-and-purpose", "safety-and-use"
LOOKED_UP = {
    "title": "Bilby Book Numbers",
    "names": "books about bilbies",
    "homepage": "https://bilbies.example/",
    "examples": "urn:bilbies:1\nurn:bilbies:2\n\nurn:bilbies:1",
}
SERVICE = {
    "resolvability": "resolved",
    "service_1_kind": "I2C",
    "service_1_target": "https://bilbies.example/{+nss}",
    "service_1_when": "[0-9]+",
    "service_1_language": "en",
    "service_1_is_resolver": "yes",
}


def saved(visitor: Visitor, number: int, section: str, answers: dict[str, str]) -> Page:
    return visitor.send(f"/requests/{number}/edit/{section}", answers)


def told_at(page: Page, question: str) -> str:
    """What is told of one question: beside it, and above the page with a link to it."""
    (above,) = (link.text_content() for link in page.each(f"//a[@href='#{question}']"))
    beside = page.root.get_element_by_id(f"{question}_error_1").text_content()
    assert page.root.get_element_by_id(question) is not None
    assert " ".join(above.split()) in " ".join(beside.split())
    return " ".join(above.split())


def begun(world: World) -> int:
    with world.app.app_context():
        people = factories.cast(START)
        return factories.draft(people.registrant, START, namespace_identifier="bilbies")


def test_what_is_answered_stands_in_the_form_again_with_a_row_for_another_service(
    fresh: World,
) -> None:
    visitor, number = fresh.visitor("registrant"), begun(fresh)
    assert saved(visitor, number, NAMING, LOOKED_UP).status == 303
    assert saved(visitor, number, RESOLVING, SERVICE | {"then": "row"}).status == 303
    naming = visitor.get(f"/requests/{number}/edit/{NAMING}").form(
        f"/requests/{number}/edit/{NAMING}"
    )
    assert {name: naming[name] for name in ("title", "names", "homepage")} == {
        name: LOOKED_UP[name] for name in ("title", "names", "homepage")
    }
    assert naming["examples"].splitlines() == ["urn:bilbies:1", "urn:bilbies:2"]
    path = f"/requests/{number}/edit/{RESOLVING}"
    resolving = visitor.get(path).form(path)
    assert {name: resolving[name] for name in SERVICE} == SERVICE
    assert resolving["service_2_target"] == ""
    taken_back = {"service_1_target": "", "resolvability": "none declared"}
    assert saved(visitor, number, RESOLVING, taken_back).status == 303
    assert "service_2_target" not in visitor.get(path).form(path)


def test_a_preview_shows_in_words_what_is_answered(fresh: World) -> None:
    visitor, number = fresh.visitor("registrant"), begun(fresh)
    service = (
        "Services Description: https://bilbies.example/{+nss}; for identifiers that match "
        "[0-9]+; language en; is a URN resolver"
    )
    for section, answers, told in (
        (NAMING, LOOKED_UP, "Identified resources books about bilbies"),
        (RESOLVING, SERVICE, service),
    ):
        page = visitor.get(saved(visitor, number, section, answers | {"then": "preview"}).location)
        assert faults(page) == []
        assert told in page.text("//section[@id='preview']")
        assert "I2C" not in page.text("//section[@id='preview']")
    assert "books about" not in page.text("//section[@id='preview']"), "that is of another page"


def test_an_example_is_to_be_compared_with_that_answers_the_same_questions(fresh: World) -> None:
    visitor, number = fresh.visitor("registrant"), begun(fresh)
    shown = visitor.get("/help/registering")
    told = shown.text("//section[@aria-labelledby='looked_up']")
    for question in ("Title", "Identified resources", "Homepage", "Examples", "Services"):
        assert question in told
    limits = ProfileLimits(unsafe_in=find_unsafe_pattern, judge=judge_examples)
    assert list(check_answers(EXAMPLE_ANSWERS, "example", limits)) == []
    for section in (NAMING, RESOLVING):
        page = visitor.get(f"/requests/{number}/edit/{section}")
        link = page.text("//a[@href='/help/registering#looked_up']")
        assert link == "See an example"


def test_what_cannot_be_used_is_found_at_its_section_before_it_is_sent(fresh: World) -> None:
    visitor, number = fresh.visitor("registrant"), begun(fresh)
    for target, said in (
        ("https://10.0.0.1/{+nss}", "private network"),
        ("http://bilbies.example/{+nss}", "Use `https://`"),
        ("https://bilbies.example/{id}", "is not a variable"),
    ):
        page = saved(visitor, number, RESOLVING, SERVICE | {"service_1_target": target})
        assert page.status == 422
        assert said.replace("`", "") in page.words
        assert told_at(page, "service_1_target").startswith("Service 1, address: ")
    exploding = SERVICE | {"service_1_when": "(a+)+b"}
    assert saved(visitor, number, RESOLVING, exploding).status == 422
    contradicting = SERVICE | {"resolvability": "not meant to be resolved"}
    page = saved(visitor, number, RESOLVING, contradicting)
    assert "have a service" in told_at(page, "resolvability")
    other = saved(visitor, number, NAMING, LOOKED_UP | {"examples": "urn:isbn:1"})
    assert other.status == 422
    assert "Enter a URN of bilbies" in told_at(other, "examples")
    assert other.root.get_element_by_id("purpose").get("aria-invalid") is None
    assert "Enter a URN of bilbies" in other.words
    assert "Enter a URN of bilbies" in visitor.get(f"/requests/{number}/check").words


def test_an_example_outside_the_grammar_of_its_own_request_forbids_to_send_it(
    fresh: World,
) -> None:
    visitor = fresh.visitor("registrant")
    syntax = "NSS = 1*DIGIT\n\nSuch as urn:bilbies:12.\n"
    with fresh.app.app_context():
        people = factories.cast(START)
        number = factories.draft(
            people.registrant, START, namespace_identifier="bilbies", syntax=syntax
        )
    assert saved(visitor, number, NAMING, LOOKED_UP).status == 303
    assert "is no name" not in visitor.get(f"/requests/{number}/check").words
    page = saved(visitor, number, NAMING, LOOKED_UP | {"examples": "urn:bilbies:1\nurn:bilbies:b"})
    assert page.status == 422
    told = told_at(page, "examples")
    assert told.startswith("Examples 2: The grammar in Syntax doesn't match b")
    assert told in " ".join(visitor.get(f"/requests/{number}/check").words.split())


def test_a_target_that_was_hardly_meant_so_is_told_and_may_be_sent(fresh: World) -> None:
    visitor, number = fresh.visitor("registrant"), begun(fresh)
    for target, said in (
        ("https://bilbies.example/{nss}", "encodes twice"),
        (
            "https://bilbies.example/",
            "The address has no variable, so all URNs resolve to one page.",
        ),
        ("https://bilbies.example/{+nss}", ""),
    ):
        page = saved(visitor, number, RESOLVING, SERVICE | {"service_1_target": target})
        assert page.status == 303
        words = visitor.get(f"/requests/{number}/check").words
        assert ("Service 1, address: " in words) is bool(said)
        assert said in words


def test_it_is_registered_with_the_name_and_a_revision_begins_with_it(fresh: World) -> None:
    visitor, number = fresh.visitor("registrant"), begun(fresh)
    assert saved(visitor, number, NAMING, LOOKED_UP).status == 303
    assert saved(visitor, number, RESOLVING, SERVICE).status == 303
    assert "books about bilbies" in visitor.get(f"/requests/{number}/check").words
    with fresh.app.app_context():
        people = factories.cast(START)
        factories.act(number, Action.SUBMIT, people.registrant, START)
        factories.change_request(number, state="assignable")
    page = fresh.visitor("operator").get(f"/desk/{number}/register")
    assert faults(page) == []
    assert "Identifiers resolve to these services after registration." in page.words
    assert SERVICE["service_1_target"] in page.words
    with fresh.app.app_context():
        given = {"reference": factories.REFERENCE}
        factories.act(number, Action.REGISTER, people.operator, START, **given)
    shown = fresh.visitor().get(f"/requests/{number}/iterations/1").words
    assert "Bilby Book Numbers" in shown
    with fresh.app.app_context(), read_transaction():
        (record,) = (r for r in current_snapshot(URN_GROUP).records() if r.name == "bilbies")
    profile = record.profile
    assert (profile.title, profile.homepage) == (LOOKED_UP["title"], LOOKED_UP["homepage"])
    assert profile.holder == "Quokka Society"
    assert [example.urn for example in profile.examples] == ["urn:bilbies:1", "urn:bilbies:2"]
    assert profile.resolution.resolvability is Resolvability.RESOLVED
    (service,) = profile.resolution.services
    assert (service.kind, service.target) == (
        ServiceKind.DESCRIPTION,
        SERVICE["service_1_target"],
    )
    assert service.is_registrants
    assert service.is_resolver
