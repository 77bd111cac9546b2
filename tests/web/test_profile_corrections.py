"""The operator corrects what people look up of a namespace, and where its names lead."""

import pytest
from app.web.desk.profile_pages import FACTS

from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_records import NssPattern
from app.registration.submissions.submission_rules import fit_text
from app.services.registrations.corrections import find_entry
from app.services.registry.bundled_profiles import bundled_profiles
from app.services.registry.snapshots import current_snapshot
from app.store.database import read_transaction
from app.web.forms.profile_forms import COLUMNS, answers_shown
from tests.web.conftest import World
from tests.web.wellmade import faults

PATH = "/desk/names/3gpp/profile"
GIVEN = {
    "title": "Numbers of books",
    "names": "books",
    "examples": "urn:3gpp:featurephones",
    "pattern": "[a-z.-]+",
    "resolvability": "resolved",
    "service_1_target": "https://books.example/{+nss}",
}


def test_a_look_shows_what_changes_and_one_button_publishes_it(fresh: World) -> None:
    operator = fresh.visitor("operator")
    page = operator.send(PATH, GIVEN | {"then": "look", "reason": "It was missing."})
    assert page.status == 200
    assert faults(page) == []
    assert "Publish correction" in page.words
    done = operator.post(PATH, page.form(PATH))
    assert done.status == 303
    with fresh.app.app_context(), read_transaction():
        profile = find_entry("3gpp", URN_SPACE).record.profile
        (service,) = profile.resolution.services
    assert (profile.title, profile.names) == ("Numbers of books", "books")
    assert service.target == "https://books.example/{+nss}"
    again = operator.get(PATH).form(PATH)
    assert {name: again[name] for name in GIVEN} == GIVEN
    alone = operator.post(
        PATH, {"names": "monographs", "reason": "Shorter.", **_keys(operator.get(PATH).form(PATH))}
    )
    assert alone.status == 303
    with fresh.app.app_context(), read_transaction():
        after = find_entry("3gpp", URN_SPACE).record.profile
    assert (after.names, after.title, after.pattern) == (
        "monographs",
        profile.title,
        profile.pattern,
    )
    assert after.resolution == profile.resolution


def _keys(form: dict[str, str]) -> dict[str, str]:
    return {name: form[name] for name in ("key", "lock_version")}


def test_what_is_shipped_of_each_namespace_is_taken_by_the_form_as_it_stands(fresh: World) -> None:
    operator = fresh.visitor("operator")
    for name in ("gsma", "lex", "gs1"):
        path = f"/desk/names/{name}/profile"
        said = {"names": "other things", "then": "look", "reason": "Said better."}
        page = operator.send(path, said)
        assert page.status == 200, (name, page.words)
        assert "Publish correction" in page.words


@pytest.mark.parametrize("name", sorted(bundled_profiles()))
def test_no_fact_that_is_shipped_is_longer_than_its_field(name: str) -> None:
    profile = bundled_profiles()[name].profile
    pattern = profile.pattern or NssPattern(expression="")
    said = answers_shown(profile) | {
        "description": profile.description,
        "holder": profile.holder,
        "pattern": pattern.expression,
        "pattern_source": pattern.source,
    }
    for field in FACTS:
        assert fit_text(field, said[field.name]) == said[field.name].strip()
    for service in profile.resolution.services:
        for field in COLUMNS.values():
            told = getattr(service, field.name)
            assert fit_text(field, told) == told


def test_another_row_keeps_what_was_typed_and_changes_nothing(fresh: World) -> None:
    operator = fresh.visitor("operator")
    with fresh.app.app_context(), read_transaction():
        before = current_snapshot(URN_GROUP).edition
    page = operator.send(PATH, GIVEN | {"then": "row", "reason": "Because."})
    shown = page.form(PATH)
    assert {name: shown[name] for name in GIVEN} == GIVEN
    assert (shown["reason"], shown["service_2_target"]) == ("Because.", "")
    with fresh.app.app_context(), read_transaction():
        assert current_snapshot(URN_GROUP).edition == before


def test_what_cannot_stand_is_told_at_its_field(fresh: World) -> None:
    operator = fresh.visitor("operator")
    wrong = {
        "pattern": "(a+)+b",
        "service_1_target": "https://127.0.0.1/{+nss}",
        "homepage": "javascript:alert(1)",
        "reason": "Because.",
    }
    page = operator.send(PATH, GIVEN | wrong)
    assert page.status == 422
    for name in ("pattern", "service_1_target", "homepage"):
        assert page.each(f"//*[@name='{name}'][@aria-invalid='true']"), name
