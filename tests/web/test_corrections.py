"""The operator's pages for corrections: preview first, errors at the field, no text lost."""

from dataclasses import replace

import pytest

from app.registration.declarations.registries import URN_SPACE
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_records import NssPattern
from app.registration.records.registry_records import Status
from app.registration.submissions.submission_rules import fit_text
from app.services.registrations.corrections import find_entry
from app.services.registrations.head_corrections import find_person, standing_head
from app.services.registry.bundled_profiles import bundled_profiles
from app.services.registry.snapshots import current_snapshot
from app.store.database import db, read_transaction
from app.store.tables import Event
from app.store.tables.registry import Cause
from app.web.forms.correction_forms import PROFILE_FACTS
from app.web.forms.profile_forms import COLUMNS, answers_shown
from tests.web.conftest import Dump, World
from tests.web.visitor import Page
from tests.web.wellmade import faults

NAME, HEAD, PERSON = "/desk/names/isbn", "/desk/registry", "/desk/people/Juha_Hakala"
BECAUSE = {"reason": "It was misspelt."}
CHANGED = {NAME: {"date": "2001-01-01"}, HEAD: {"notes": "A note."}, PERSON: {"org": "Quokkas"}}


def edition(world: World) -> int:
    with world.app.app_context(), read_transaction():
        return current_snapshot(URN_GROUP).edition


def at(page: Page, name: str) -> str:
    """What is said at a field, which the summary leads to."""
    (control,) = page.each(f"//*[@name='{name}'][@aria-invalid='true']")
    assert page.each(f"//a[@class='problem'][@href='#{control.get('id')}']")
    return page.text(f"//*[@id='{control.get('aria-describedby').split()[0]}']")


def test_the_desk_leads_to_an_entry_whatever_its_case(world: World) -> None:
    operator = world.visitor("operator")
    assert "/desk/names/" in operator.get("/desk/").values("action", "form")
    for typed in ("%20ISBN%20", "urn:isbn", "urn:isbn:"):
        assert operator.get(f"/desk/names/?name={typed}").location == "/desk/names/isbn", typed
    assert "/desk/names/isbn" in operator.get("/namespaces/isbn").values("href", "a")
    assert "/desk/registry" in operator.get("/desk/").values("href", "a")
    assert PERSON in operator.get(HEAD).values("href", "a")


@pytest.mark.parametrize("path", CHANGED)
def test_a_look_shows_what_changes_and_then_one_button_publishes_it(
    fresh: World, path: str
) -> None:
    operator, before = fresh.visitor("operator"), edition(fresh)
    page = operator.send(path, {**CHANGED[path], "then": "look"})
    assert page.status == 200
    assert faults(page) == []
    assert page.each("//h2[@id='what-changes']")
    assert "Publish correction" in page.words
    (typed,) = set(CHANGED[path].items()) & set(page.form(path).items())
    assert edition(fresh) == before
    done = operator.post(path, page.form(path) | BECAUSE)
    assert done.status == 303
    assert edition(fresh) == before + 1
    assert dict([typed]) == CHANGED[path]


def test_what_the_page_leaves_out_stays_as_it_is(fresh: World) -> None:
    with fresh.app.app_context(), read_transaction():
        before = find_entry("isbn", URN_SPACE).record
    fields = {"date": "2001-01-01", "lock_version": "1", **BECAUSE}
    assert fresh.visitor("operator").post(NAME, fields).status == 303
    with fresh.app.app_context(), read_transaction():
        entry = find_entry("isbn", URN_SPACE)
    assert (entry.record.date, entry.cause) == ("2001-01-01", Cause.CORRECTION)
    assert entry.record.references == before.references


@pytest.mark.parametrize("path", CHANGED)
def test_without_a_reason_nothing_is_corrected(world: World, dump: Dump, path: str) -> None:
    before = dump()
    page = world.visitor("operator").send(path, CHANGED[path])
    assert page.status == 422
    assert faults(page) == []
    assert "Enter the reason" in at(page, "reason")
    assert page.title.startswith("Error: ")
    assert dump() == before


@pytest.mark.parametrize(
    ("path", "field", "value", "said"),
    [
        (NAME, "references_2_value", "see the web", "not a reference"),
        (NAME, "template_1_value", "see the web", "not a reference"),
        (NAME, "date", "soon", "a date"),
        (NAME, "successor", "numbat", "is not in"),
        (NAME, "homepage", "javascript:alert(1)", "https://"),
        (NAME, "pattern", "(a+)+b", "repetition"),
        (NAME, "service_1_target", "https://127.0.0.1/{+nss}", "public"),
        (NAME, "name", "not a name", "letters"),
        (NAME, "reason", "\x07", "U+0007"),
        (HEAD, "rule-urn-namespaces-1", "\x07", "U+0007"),
        (PERSON, "uris", "a%b", "URI"),
    ],
)
@pytest.mark.parametrize("then", [{}, {"then": "look"}], ids=["publish", "look"])
def test_what_cannot_be_held_is_told_at_its_field(
    world: World, dump: Dump, path: str, field: str, value: str, said: str, then: dict[str, str]
) -> None:
    before = dump()
    page = world.visitor("operator").send(path, BECAUSE | {field: value} | then)
    assert page.status == 422
    assert said in at(page, field)
    assert dump() == before


def test_an_entry_that_has_a_number_has_a_contact_and_keeps_its_name(world: World) -> None:
    operator = world.visitor("operator")
    fields = operator.get("/desk/names/urn-1").form("/desk/names/urn-1")
    assert ("contact_1_value" in fields, "name" in fields) == (True, False)
    fields = operator.get(NAME).form(NAME)
    assert ("contact_1_value" in fields, "name" in fields) == (False, True)


@pytest.mark.parametrize("ident", ["%ff", "%C3%A9", "x" * 3000, "..%2f", "%E2%80%AE"])
def test_an_address_that_no_entry_can_have_is_not_found(world: World, ident: str) -> None:
    operator = world.visitor("operator")
    for folder in ("names", "people"):
        assert operator.get(f"/desk/{folder}/{ident}").status == 404
        page = operator.post(f"/desk/{folder}/{ident}", BECAUSE | {"lock_version": "1"})
        assert page.status == 404


@pytest.mark.parametrize("ident", ["%00", "a%00b"])
def test_an_address_with_a_control_character_is_refused_as_unreadable(
    world: World, ident: str
) -> None:
    operator = world.visitor("operator")
    for folder in ("names", "people"):
        assert operator.get(f"/desk/{folder}/{ident}").status == 400
        page = operator.post(f"/desk/{folder}/{ident}", BECAUSE | {"lock_version": "1"})
        assert page.status == 400


def test_a_name_that_is_taken_and_a_status_that_is_none_are_refused(
    world: World, dump: Dump
) -> None:
    before, operator = dump(), world.visitor("operator")
    assert operator.send(NAME, BECAUSE | {"name": "issn"}).status == 409
    assert operator.send(NAME, BECAUSE | {"status": "reserved"}).status == 422
    assert operator.send(NAME, BECAUSE).status == 422  # nothing would change
    assert dump() == before


@pytest.mark.parametrize("path", CHANGED)
def test_the_second_of_two_operators_sees_what_would_be_undone(fresh: World, path: str) -> None:
    operator, other = fresh.visitor("operator"), {NAME: {"date": "1999-09-09"}}
    late = operator.get(path).form(path)
    assert operator.send(path, CHANGED[path] | BECAUSE).status == 303
    page = operator.post(path, late | other.get(path, {}) | BECAUSE)
    assert page.status == 409
    assert faults(page) == []
    assert "after you opened it" in page.words
    assert page.each("//h2[@id='what-changes']")
    assert operator.post(path, page.form(path)).status == 303


def test_a_renamed_name_leads_from_its_page_to_the_new_one(fresh: World) -> None:
    operator = fresh.visitor("operator")
    assert operator.send("/desk/names/quokka", BECAUSE | {"name": "quokkas"}).status == 303
    assert "/namespaces/quokkas" in operator.get("/namespaces/quokka").values("href", "a")
    assert operator.get("/namespaces/quokkas").status == 200
    page = operator.get("/desk/names/quokka")
    assert "It was misspelt." in page.words


def test_a_head_and_a_person_are_shown_as_they_were_corrected(fresh: World) -> None:
    operator = fresh.visitor("operator")
    rule = {"rule-urn-namespaces-2": "First come [RFC 8126]."}
    assert operator.send(HEAD, rule | BECAUSE).status == 303
    assert operator.send(PERSON, {"name": "J. H.", "uris": "mailto:j@x.example"} | BECAUSE).status
    with fresh.app.app_context(), read_transaction():
        assert [
            p if isinstance(p, str) else p.data for p in standing_head().snapshot.registries[1].rule
        ] == ["First come ", "rfc8126", "."]
        assert find_person("Juha_Hakala")[0].uris == ("mailto:j@x.example",)


def test_a_look_at_a_new_name_tells_what_experts_would_ask_of_it(world: World) -> None:
    page = world.visitor("operator").send(NAME, {"name": "i5bn", "then": "look"})
    assert faults(page) == []
    assert "renamed to" in page.words
    assert "Questions that experts would ask" in page.words
    page = world.visitor("operator").send(NAME, {"name": "platypuses", "then": "look"})
    assert "Questions that experts" not in page.words


def test_a_day_to_come_is_refused_at_its_field(world: World, dump: Dump) -> None:
    before = dump()
    for path in (NAME, PERSON):
        page = world.visitor("operator").send(path, BECAUSE | {"updated": "2999-01-01"})
        assert page.status == 422
        assert "future" in at(page, "updated")
    assert dump() == before


def test_the_title_of_the_registry_is_corrected_where_its_notes_are(fresh: World) -> None:
    operator = fresh.visitor("operator")
    fields = operator.get(HEAD).form(HEAD) | {"title": "Names of quokkas"} | BECAUSE
    assert operator.post(HEAD, fields).status == 303
    with fresh.app.app_context(), read_transaction():
        assert current_snapshot(URN_GROUP).title == "Names of quokkas"
    assert "Names of quokkas" in operator.get(f"/editions/{edition(fresh)}/").words


ALL_OF_IT = {
    "title": "Book numbers",
    "description": "Numbers of books.",
    "holder": "Society of Books",
    "references_2_type": "rfc",
    "references_2_value": "8254, Section 2",
    "status": "deprecated",
    "service_1_target": "https://books.example/{+nss}",
}


def test_one_correction_changes_all_of_an_entry_with_one_reason_and_one_event(
    fresh: World,
) -> None:
    operator, before = fresh.visitor("operator"), edition(fresh)
    page = operator.send(NAME, ALL_OF_IT | {"then": "look"})
    for label in ("Title", "Description", "Registrant", "References", "Status", "Services"):
        (row,) = page.each(f"//tr[normalize-space(th)='{label}']")
        assert row.xpath(".//del | .//ins"), label
    assert "RFC 8254, Section 2" in page.text("//ins[contains(., 'RFC')]")
    assert operator.post(NAME, page.form(NAME) | BECAUSE).status == 303
    assert edition(fresh) == before + 1
    with fresh.app.app_context(), read_transaction():
        entry = find_entry("isbn", URN_SPACE)
        events = db.session.query(Event).filter(Event.edition == entry.edition)
        told = [(event.kind, event.reason) for event in events]
    assert told == [("corrected", BECAUSE["reason"])]
    record = entry.record
    assert (record.profile.title, record.profile.holder) == ("Book numbers", "Society of Books")
    assert (record.status, record.references[-1].data) == (Status.DEPRECATED, "rfc8254")
    assert record.profile.resolution.services[0].target == ALL_OF_IT["service_1_target"]


def test_a_form_that_nobody_changed_changes_nothing(world: World) -> None:
    operator = world.visitor("operator")
    with world.app.app_context(), read_transaction():
        names = [one.folded for one in current_snapshot(URN_GROUP).records()]
    for name in names:
        page = operator.send(f"/desk/names/{name}", {"then": "look"})
        assert "No changes" in page.words, (name, page.words[:500])


def test_what_is_published_is_what_the_preview_showed(world: World) -> None:
    page = world.visitor("operator").send(NAME, ALL_OF_IT | {"then": "look"})
    shown = [one.get("name") for one in page.each("//form//input[not(@type='hidden')]")]
    assert shown == []
    assert page.form(NAME).items() >= ALL_OF_IT.items()


@pytest.mark.parametrize("then", ["edit", "references", "template", "services"])
def test_editing_again_or_another_row_keeps_what_was_typed_even_where_it_is_wrong(
    world: World, dump: Dump, then: str
) -> None:
    before, operator = dump(), world.visitor("operator")
    typed = ALL_OF_IT | BECAUSE | {"date": "soon", "references_3_value": "not one"}
    page = operator.post(NAME, operator.get(NAME).form(NAME) | typed | {"then": then})
    assert page.status == 200
    assert faults(page) == []
    assert page.form(NAME).items() >= typed.items()
    one_more = {"references": "references_4_", "template": "template_3_", "services": "service_5_"}
    added = {group for group, row in one_more.items() if row in "".join(page.values("name"))}
    assert added == {then} - {"edit"}
    assert dump() == before


def test_a_form_has_a_bounded_number_of_rows(world: World) -> None:
    operator = world.visitor("operator")
    form = operator.get(NAME).form(NAME)
    for number in ("20", "99", "100", "9" * 40):
        more = {f"references_{number}_value": "RFC 1", "then": "references"}
        page = operator.post(NAME, form | more)
        assert page.status == 200
        assert len(page.each("//*[starts-with(@id, 'references_')][@name]")) <= 40


def test_the_address_of_the_second_form_leads_to_the_one_form(fresh: World) -> None:
    operator = fresh.visitor("operator")
    old = operator.get(f"{NAME}/profile")
    assert (old.status, old.location) == (301, NAME)
    assert operator.get("/desk/names/ISBN/profile").location == NAME
    assert operator.get("/desk/names/numbat/profile").status == 404
    sent = operator.post(f"{NAME}/profile", {"title": "Books"})
    assert (sent.status, sent.location) == (308, NAME)  # the browser sends the form on


def test_a_part_of_the_form_leaves_the_rest_of_the_profile_as_it_is(fresh: World) -> None:
    operator = fresh.visitor("operator")
    with fresh.app.app_context(), read_transaction():
        before = find_entry("isbn", URN_SPACE).record
    form = operator.get(NAME).form(NAME)
    part = {name: form[name] for name in ("key", "lock_version")} | {"names": "monographs"}
    assert operator.post(NAME, part | BECAUSE).status == 303
    with fresh.app.app_context(), read_transaction():
        after = find_entry("isbn", URN_SPACE).record
    assert after == replace(before, profile=replace(before.profile, names="monographs"))


def test_where_the_first_correction_makes_the_second_impossible_the_text_is_kept(
    fresh: World,
) -> None:
    operator = fresh.visitor("operator")
    late = operator.get("/desk/names/quokka").form("/desk/names/quokka")
    assert operator.send("/desk/names/quokka", BECAUSE | {"name": "quokkas"}).status == 303
    typed = {"title": "Small marsupials", "name": "quolls"} | BECAUSE
    page = operator.post("/desk/names/quokka", late | typed)
    assert page.status == 409
    assert page.form("/desk/names/quokka").items() >= typed.items()


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
    for field in PROFILE_FACTS:
        assert fit_text(field, said[field.name]) == said[field.name].strip()
    for service in profile.resolution.services:
        for field in COLUMNS.values():
            told = getattr(service, field.name)
            assert fit_text(field, told) == told
