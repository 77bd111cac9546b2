"""Registering: a name is given once, for ever, and only if every format can hold it."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from app.exports.formats.exporters import FORMATS
from app.exports.serialization.xml_values import XmlValueError
from app.pages.lists.registry_list import row_of
from app.registration.declarations.registries import TEMPLATE_FIELDS, Format
from app.registration.declarations.registry_groups import URN_GROUP
from app.registration.profiles.profile_documents import profile_to
from app.registration.profiles.profile_records import ExampleName, NamespaceProfile
from app.registration.records.record_documents import canonical_json
from app.registration.records.registry_records import (
    Registration,
    Status,
    TemplateStyle,
    Xref,
    XrefType,
)
from app.services.editions import edition_build
from app.services.refusals import InvalidInput, NameUnavailable
from app.services.registrations import name_registration
from app.services.registrations.name_registration import Reference, suggested_reference, xref_of
from app.services.registry.snapshots import current_snapshot
from app.services.requests import drafts
from app.services.requests.detail.request_detail import preview_registration
from app.store.database import read_transaction, write_transaction
from app.store.registry import name_rows
from app.store.registry import record_versions as names
from app.store.requests import iteration_rows, request_rows
from app.store.tables.accounts import Grant
from app.workflow.engine import EvidenceMissing
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.services.test_corrections import corrected
from tests.store.schema import dump


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


def register(number: int, people: Cast, clock: Clock, reference: Reference | None) -> State:
    return factories.act(number, Action.REGISTER, people.operator, clock(), reference=reference)


@pytest.mark.parametrize(
    ("reference", "xref"),
    [
        (Reference("RFC 8141"), Xref(XrefType.RFC, "rfc8141")),
        (Reference(" rfc08141 "), Xref(XrefType.RFC, "rfc8141")),
        (
            Reference("https://quokka.example/a?b=c#d", " Quokka Society "),
            Xref(XrefType.URI, "https://quokka.example/a?b=c#d", "Quokka Society"),
        ),
    ],
)
def test_a_reference_is_an_rfc_or_an_address_with_its_owner(
    reference: Reference, xref: Xref
) -> None:
    assert xref_of(reference) == xref


@pytest.mark.parametrize(
    "reference",
    [
        Reference(""),
        Reference("RFC"),
        Reference("RFC 123456"),
        Reference("RFC ８１４１"),
        Reference("the web"),
        Reference("javascript:alert(1)", "Quokka Society"),
        Reference("ftp://quokka.example/", "Quokka Society"),
        Reference("https://quokka.example/"),
        Reference("https://quokka.example/", "   "),
        Reference("https://quokka.example/\n", "Quokka\0Society"),
        Reference("https://quokka.example/", "Quokka\x0bSociety"),
        Reference("https://quokka.example/", "Quokka\ufffeSociety"),
        Reference("https://quokka.example/", "Quokka\ud800Society"),
        Reference("https://quokka.example/a b", "Quokka Society"),
        Reference("https://[quokka.example/", "Quokka Society"),
        Reference("https://quokka.example/%zz", "Quokka Society"),
        Reference("https://quokka.example/" + "a" * 500, "Quokka Society"),
    ],
)
def test_what_the_registry_could_not_refer_to_is_refused(reference: Reference) -> None:
    with pytest.raises(InvalidInput):
        xref_of(reference)
    assert name_registration.missing_in_reference(reference)


@pytest.mark.parametrize(
    ("documentation", "suggested"),
    [
        ("See RFC 8141 and https://x.example/.", Reference("RFC 8141")),
        ("See <https://x.example/spec>.", Reference("https://x.example/spec", "Quokka Society")),
        ("", Reference("", "Quokka Society")),
    ],
)
def test_the_likely_reference_is_suggested(documentation: str, suggested: Reference) -> None:
    assert suggested_reference(documentation, "Quokka Society") == suggested


def test_a_formal_record_has_its_template_and_its_reference(people: Cast, clock: Clock) -> None:
    number = factories.registered(people, clock(), purpose="To name quokkas.")
    with read_transaction():
        found = names.find_record("nid", "quokka")
    assert found is not None
    registry, record = found
    template = Xref(
        XrefType.URI, "http://127.0.0.1:8000/assignments/urn-formal/quokka", "quokka-template"
    )
    assert registry == "urn-namespaces-1"
    assert (record.template, record.contact) == ((template,), None)
    assert record.references == (Xref(XrefType.URI, "https://quokka.example/", "Quokka Society"),)
    assert (record.style, record.version, record.request) == (TemplateStyle.RFC8141, 1, number)
    order = [field.name for field in TEMPLATE_FIELDS if field.name in dict(record.fields)]
    assert [name for name, _ in record.fields] == order, "in the order of the template"
    assert dict(record.fields)["purpose"] == "To name quokkas."


def test_an_informal_record_has_its_number_and_its_contact(people: Cast, clock: Clock) -> None:
    factories.registered(people, clock(), informal=True)
    with read_transaction():
        found = names.find_record("nid", "urn-9")
    assert found is not None
    record = found[1]
    linked = Xref(XrefType.URI, "http://127.0.0.1:8000/assignments/urn-informal/urn-9", "urn-9")
    assert (record.template, record.references) == ((), (linked,))
    assert record.contact == (Xref(XrefType.URI, "https://quokka.example/", "Quokka Society"),)
    assert dict(record.fields)["namespace_identifier"] == "urn-9"


def test_an_informal_template_shows_its_own_number_and_what_was_sent_stays(
    people: Cast, clock: Clock
) -> None:
    syntax = 'nid = "urn-" n\nn = number-assigned-by-IANA\n\nSuch as urn:urn-n:12 in any case.'
    example = ExampleName(urn="urn:urn-n:12")
    profile = canonical_json(profile_to(NamespaceProfile(title="Quokkas", examples=(example,))))
    for name in ("urn-9", "urn-10"):
        number = factories.draft(people.registrant, clock(), informal=True, syntax=syntax)
        saving = drafts.DraftInput(fields={}, private={}, profile=profile)
        drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
        factories.act(number, Action.SUBMIT, people.registrant, clock())
        factories.change_request(number, state=State.ASSIGNABLE)
        register(number, people, clock, factories.REFERENCE)
        with read_transaction():
            found, sent = names.find_record("nid", name), iteration_rows.find_iteration(number, 1)
        assert found is not None
        assert sent is not None
        assert sent.fields["syntax"] == syntax
        digits = name.removeprefix("urn-")
        assert dict(found[1].fields)["syntax"] == (
            f'nid = "urn-" n\nn = "{digits}"\n\nSuch as urn:{name}:12 in any case.'
        )
        assert [one.urn for one in found[1].profile.examples] == [f"urn:{name}:12"]


def test_a_record_no_format_can_hold_is_not_registered(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = factories.assignable(people.registrant, clock())
    before = dump()
    exporter = FORMATS[Format.TXT]

    def refuse(snapshot: Any, _place: Any) -> Any:
        (record,) = snapshot.records()
        raise XmlValueError("`quokka` is too good for text.", record.name)

    with monkeypatch.context() as patched:
        patched.setitem(FORMATS, Format.TXT, replace(exporter, make=refuse))
        with pytest.raises(InvalidInput, match="too good for text"):
            register(number, people, clock, factories.REFERENCE)
    assert dump() == before
    assert register(number, people, clock, factories.REFERENCE) is State.ASSIGNED
    assert edition_build.build_pending(clock(), factories.PLACE) == [1, 2]


@pytest.mark.parametrize("ahead", [True, False])
def test_formats_are_tried_before_anybody_waits_and_else_under_the_lock(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch, *, ahead: bool
) -> None:
    number = factories.assignable(people.registrant, clock())
    waiting: list[bool] = []
    exporter = FORMATS[Format.TXT]

    def note(snapshot: Any, place: Any) -> Any:
        waiting.append(_is_writing())
        return exporter.make(snapshot, place)

    if not ahead:  # another registration came between, and so the record is another
        monkeypatch.setattr(name_registration, "try_formats", lambda *_, **__: None)
    with monkeypatch.context() as patched:
        patched.setitem(FORMATS, Format.TXT, replace(exporter, make=note))
        register(number, people, clock, factories.REFERENCE)
    assert waiting == [not ahead]


def _is_writing() -> bool:
    try:
        with write_transaction():
            return False
    except RuntimeError:
        return True


def test_a_reference_has_to_be_given(people: Cast, clock: Clock) -> None:
    number = factories.assignable(people.registrant, clock())
    with pytest.raises(InvalidInput, match="Enter the reference"):
        register(number, people, clock, None)


@pytest.mark.usefixtures("quokka")
def test_a_name_that_was_given_a_moment_ago_is_refused_in_words(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = factories.assignable(people.rival, clock(), namespace_identifier="wombat")
    factories.change_request(number, asked_name="quokka")
    before = dump()
    monkeypatch.setattr(name_rows, "is_taken", lambda *_: False)  # as it was a moment ago
    with pytest.raises(NameUnavailable, match="registered for another request"):
        register(number, people, clock, factories.REFERENCE)
    assert dump() == before


def test_a_collision_is_reported_only_where_there_is_one(people: Cast, clock: Clock) -> None:
    number = factories.assignable(people.registrant, clock())
    with pytest.raises(EvidenceMissing, match="still available"):
        factories.act(number, Action.COLLISION, people.operator, clock())
    informal = factories.assignable(people.registrant, clock(), informal=True)
    with pytest.raises(Exception, match="is not available for a request"):
        factories.act(informal, Action.COLLISION, people.operator, clock())


@pytest.mark.parametrize("name", ["quokka", "zzz", "0aa", "isn", "isnz"])
def test_a_row_is_shown_between_the_neighbours_that_it_gets(
    people: Cast, clock: Clock, name: str
) -> None:
    number = factories.assignable(people.registrant, clock(), namespace_identifier=name)
    with read_transaction():
        look = preview_registration(
            number,
            people.operator,
            clock(),
            base_url=factories.POST.base_url,
            rules=factories.RULES,
            reference=factories.REFERENCE,
        )
    register(number, people, clock, factories.REFERENCE)
    with read_transaction():
        table = current_snapshot(URN_GROUP).registries[0]
    records = [one for one in table.records if one.status is not Status.FORMER]
    place = [record.name for record in records].index(name)
    shown = [row.record.name for row in look.neighbours.rows]
    assert look.neighbours.record == records[place]
    assert shown == [one.name for one in records[max(0, place - 1) : place + 2]]


def test_the_next_number_is_shown_before_it_is_given(people: Cast, clock: Clock) -> None:
    number = factories.assignable(people.registrant, clock(), informal=True)
    with read_transaction():
        look = preview_registration(
            number, people.operator, clock(), base_url="http://x", rules=factories.RULES
        )
    assert look.neighbours.record.name == "urn-9"
    assert [row.record.name for row in look.neighbours.rows] == ["urn-8", "urn-9"]
    assert look.may


def test_neighbours_are_shown_as_the_published_table_shows_them(people: Cast, clock: Clock) -> None:
    with read_transaction():
        published = current_snapshot(URN_GROUP)
    table, who = published.registries[0], {person.id: person for person in published.people}
    former = table.records[3]
    corrected(people, clock, former.name, status=Status.FORMER, cited="Order 7 of 2026")
    name = f"{former.folded}-x"
    number = factories.assignable(people.registrant, clock(), namespace_identifier=name)
    with read_transaction():
        look = preview_registration(
            number, people.operator, clock(), base_url="http://x", rules=factories.RULES
        )
    rows = {row.record.folded: row for row in look.neighbours.rows}
    assert len(rows) == 3
    assert former.folded not in rows, "it stands in no table of names in use"
    for record in table.records:
        row, shown = rows.get(record.folded), row_of(table, record, who)
        if row:
            assert (row.template, row.references, row.titles) == (
                shown.template,
                shown.references,
                shown.titles,
            )


def test_whoever_wrote_a_request_does_not_register_it(people: Cast, clock: Clock) -> None:
    author = factories.person(people.registrant.email, clock(), Grant.OPERATOR)
    number = factories.assignable(people.registrant, clock())
    with pytest.raises(EvidenceMissing, match="Ask another operator"):
        factories.act(number, Action.REGISTER, author, clock(), reference=factories.REFERENCE)
    with read_transaction():
        look = preview_registration(
            number, author, clock(), base_url="http://x", rules=factories.RULES
        )
    assert not look.may


REGISTRANT = "Herbarium Union, 1 Plant Road, Exampleton\n\nE-mail: urn@herbarium.example"


def entry_of(name: str) -> Registration:
    with read_transaction():
        found = names.find_record("nid", name)
    assert found is not None
    return found[1]


def test_the_organization_is_published_as_it_was_answered(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    texts = {"registrant": REGISTRANT}
    saving = drafts.DraftInput(fields=texts, private={}, organization="Herbarium  Union")
    drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
    factories.act(number, Action.SUBMIT, people.registrant, clock())
    factories.change_request(number, state=State.ASSIGNABLE)
    register(number, people, clock, factories.REFERENCE)
    record = entry_of("quokka")
    assert (record.profile.title, record.profile.holder) == (
        "Quokka Identifiers",
        "Herbarium Union",
    )


def test_a_revision_publishes_another_organization(people: Cast, clock: Clock) -> None:
    factories.registered(people, clock())
    number = factories.revision(people.registrant, clock())
    factories.answer(number, people.registrant, clock(), organization="Herbarium Union")
    factories.to_modifiable(number, people.registrant, clock())
    factories.act(number, Action.REGISTER, people.operator, clock(), reference=factories.REFERENCE)
    assert entry_of("quokka").profile.holder == "Herbarium Union"


@pytest.mark.parametrize("informal", [False, True])
@pytest.mark.parametrize("left_out", ["profile", "organization"])
def test_nothing_is_sent_or_registered_without_a_title_or_an_organization(
    people: Cast, clock: Clock, left_out: str, informal: bool
) -> None:
    number = factories.draft(people.registrant, clock(), informal=informal)
    given: dict[str, Any] = {"fields": {}, "private": {}, left_out: ""}
    saving = drafts.DraftInput(**given)
    drafts.save(factories.command(people.registrant, clock(), seen=2), number, saving)
    with pytest.raises(EvidenceMissing):
        factories.act(number, Action.SUBMIT, people.registrant, clock())
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        (found,) = drafts.writing_of(request, "2026-09-01").problems
    assert found.question == {"profile": "title"}.get(left_out, left_out)


def test_an_older_request_without_an_organization_is_not_registered(
    people: Cast, clock: Clock
) -> None:
    number = factories.sent(people.registrant, clock())
    factories.change_request(number, state=State.ASSIGNABLE, organization="")
    with pytest.raises(EvidenceMissing):
        register(number, people, clock, factories.REFERENCE)
