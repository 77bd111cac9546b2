"""Revisions: who begins one, what it begins with, and what becomes of what is registered."""

from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.identifiers.equivalence import Equivalence, EquivalenceOperation, EquivalenceRule
from app.registration.declarations.registries import FORMAL, URN_SPACE, Procedure
from app.registration.profiles.profile_answers import (
    NOTHING,
    ProfileAnswers,
    profile_in,
    with_answers,
    write_profile,
)
from app.registration.profiles.profile_records import (
    NamespaceProfile,
    Resolution,
    ResolutionService,
    ServiceKind,
)
from app.registration.records.registry_records import (
    Person,
    Purpose,
    Registration,
    Status,
    Xref,
    XrefType,
)
from app.services.accounts.actors import Actor
from app.services.refusals import EditConflict, InvalidInput, NotFound
from app.services.registrations import name_registration
from app.services.registrations.corrections import Correction, correct
from app.services.registrations.name_registration import STATED, Reference
from app.services.registry import base_version, snapshots, template_files
from app.services.requests import drafts, revisions, text_findings
from app.store.accounts import delegate_rows
from app.store.database import db, read_transaction, transaction
from app.store.registry import record_versions as names
from app.store.registry.record_versions import StoredVersion
from app.store.requests import iteration_rows, request_rows
from app.store.tables import Outbox
from app.store.tables.delegates import DelegateOrigin
from app.workflow.engine import ActionRefused, EvidenceMissing, RoleMissing
from app.workflow.reviews import Verdict
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.store.at_once import Meeting, at_once


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    return factories.cast(clock())


def latest(name: str = "quokka") -> StoredVersion:
    with read_transaction():
        version = names.find_latest("nid", name)
        assert version is not None
        return version


def text_of(number: int) -> dict[str, str]:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return drafts.writing_of(request, "2026-09-09").fields


def state_of(number: int) -> tuple[State, str | None]:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        return State(request.state), request.returns_to


def test_a_revision_begins_with_what_is_registered(quokka: Cast, clock: Clock) -> None:
    number = revisions.start(
        factories.command(quokka.registrant, clock()), "quokka", space=URN_SPACE
    )
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        assert (request.purpose, request.base_version, request.base_record) == ("revision", 1, 1)
        assert request.asked_name == "quokka"
        writing = drafts.open_draft(quokka.registrant, number, "2026-09-09")
    registered = dict(latest().record.fields)
    assert writing.is_revision
    assert writing.organization == "Quokka Society"
    assert writing.fields == registered | {
        "version": "2",
        "date": "2026-09-09",
        "status": "registered",
        "successor": "",
        "profile": write_profile(latest().record.profile),
    }
    found = [(finding.field, finding.code) for finding in writing.problems]
    about = "revision_information"
    assert sorted(found) == [("purpose", "missing"), (about, "missing"), (about, "nothing-changed")]


def test_only_who_acts_for_a_name_revises_it(quokka: Cast, clock: Clock) -> None:
    for actor in (quokka.rival, quokka.operator, quokka.expert):
        with pytest.raises(EvidenceMissing, match="Only a manager of the registration"):
            revisions.start(factories.command(actor, clock()), "quokka", space=URN_SPACE)
        with read_transaction():
            assert revisions.revisable("quokka", actor, URN_SPACE) is None
    with pytest.raises(NotFound, match="No namespace `numbat`"):
        revisions.start(factories.command(quokka.registrant, clock()), "numbat", space=URN_SPACE)
    with read_transaction():
        assert revisions.revisable("Quokka", quokka.registrant, URN_SPACE) is not None


def test_the_same_form_begins_one_revision(quokka: Cast, clock: Clock) -> None:
    key = factories.key()
    first, second = (
        revisions.start(
            factories.command(quokka.registrant, clock(), key=key), "quokka", space=URN_SPACE
        )
        for _ in range(2)
    )
    assert first == second
    with read_transaction():
        found = revisions.revisable("quokka", quokka.registrant, URN_SPACE)
        assert found is not None
        assert found.open_requests == (first,)


def test_a_revision_goes_on_the_fast_track_but_not_into_another_table(
    quokka: Cast, clock: Clock
) -> None:
    command = factories.command(quokka.registrant, clock())
    number = revisions.start(command, "quokka", Procedure.FAST_TRACK, space=URN_SPACE)
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        assert request.procedure == Procedure.FAST_TRACK
    command = factories.command(quokka.registrant, clock())
    with pytest.raises(InvalidInput, match="A formal namespace stays formal"):
        revisions.start(command, "quokka", Procedure.INFORMAL, space=URN_SPACE)


def correction(people: Cast, clock: Clock, name: str, **facts: Any) -> None:
    correct(
        factories.command(people.operator, clock(), seen=latest(name).n),
        name,
        Correction(**facts),
        reason="It has to be.",
        space=URN_SPACE,
    )


def test_a_former_name_is_not_revised(quokka: Cast, clock: Clock) -> None:
    correction(quokka, clock, "quokka", status=Status.FORMER, cited="Order 7")
    with pytest.raises(InvalidInput, match="entry is former"):
        revisions.start(factories.command(quokka.registrant, clock()), "quokka", space=URN_SPACE)


def test_the_name_is_fixed(quokka: Cast, clock: Clock) -> None:
    number = factories.revision(quokka.registrant, clock())
    with pytest.raises(InvalidInput, match="never changes"):
        factories.change_text(number, quokka.registrant, clock(), namespace_identifier="wombat")
    factories.change_text(number, quokka.registrant, clock(), namespace_identifier="QUOKKA")
    assert text_of(number)["namespace_identifier"] == "quokka"


def test_a_revision_is_the_next_version_in_a_new_edition(quokka: Cast, clock: Clock) -> None:
    before = latest()
    clock.on(days=30)
    number = factories.modifiable(quokka, clock(), purpose="More names.")
    state = factories.act(
        number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT
    )
    after = latest()
    assert state is State.MODIFIED
    assert (after.n, after.edition, after.record.version) == (2, before.edition + 1, 2)
    assert (after.record.date, after.record.updated) == (before.record.date, "2026-10-01")
    assert after.record.references == before.record.references
    assert after.sort_key == before.sort_key
    fields = dict(after.record.fields)
    assert (fields["purpose"], fields["version"], fields["date"]) == (
        "More names.",
        "2",
        "2026-10-01",
    )
    assert after.record.request == number
    assert after.record.status is Status.REGISTERED
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        assert (request.assigned_name, request.edition) == ("quokka", after.edition)


def test_another_reference_replaces_the_one_that_stands(quokka: Cast, clock: Clock) -> None:
    number = factories.modifiable(quokka, clock())
    given = Reference("RFC 9999")
    factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=given)
    assert [xref.data for xref in latest().record.references] == ["rfc9999"]


def test_a_revision_that_changes_nothing_is_not_sent_whatever_it_says_of_itself(
    quokka: Cast, clock: Clock
) -> None:
    number = revisions.start(
        factories.command(quokka.registrant, clock()), "quokka", space=URN_SPACE
    )
    factories.change_text(number, quokka.registrant, clock(), revision_information="It grew.")
    factories.answer(number, quokka.registrant, clock())
    with pytest.raises(EvidenceMissing):
        factories.act(number, Action.SUBMIT, quokka.registrant, clock())
    with read_transaction():
        found = drafts.open_draft(quokka.registrant, number, "2026-09-09").problems
    assert [finding.code for finding in found] == ["nothing-changed"]


def test_a_revision_says_what_differs(quokka: Cast, clock: Clock) -> None:
    number = factories.revision(quokka.registrant, clock(), revision_information="")
    factories.answer(number, quokka.registrant, clock())
    with pytest.raises(EvidenceMissing, match="Fix the findings"):
        factories.act(number, Action.SUBMIT, quokka.registrant, clock())


def test_the_operator_passes_none_that_says_nothing(
    quokka: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = factories.sent_revision(quokka.registrant, clock())
    factories.act(number, Action.TAKE, quokka.operator, clock())
    monkeypatch.setattr("app.services.registry.base_version.tells_differences", lambda _: False)
    with pytest.raises(EvidenceMissing, match="Describe the changes"):
        factories.act(number, Action.PASS, quokka.operator, clock())


# ---- what is registered meanwhile


def outdated(people: Cast, clock: Clock) -> int:
    """A revision that waits to be registered, of a version that another has replaced."""
    number = factories.modifiable(people, clock(), purpose="Ours.")
    other = factories.modifiable(people, clock(), syntax="Theirs.")
    factories.act(other, Action.REGISTER, people.operator, clock(), reference=factories.KEPT)
    return number


def test_an_outdated_revision_is_not_registered_but_goes_back(quokka: Cast, clock: Clock) -> None:
    number = outdated(quokka, clock)
    with pytest.raises(EvidenceMissing, match="A newer version was registered"):
        factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    factories.act(number, Action.STALE, quokka.operator, clock())
    assert state_of(number) == (State.WITH_REQUESTER, State.VALIDATING_REQUEST)


def test_of_two_revisions_of_one_base_one_is_registered(
    app: Flask, quokka: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    # tried without looking at the base again: on PostgreSQL both are registered
    numbers = [factories.modifiable(quokka, clock(), purpose=each) for each in ("One.", "Two.")]
    monkeypatch.setattr(name_registration, "open_edition", Meeting().before(snapshots.open_edition))
    works = [
        partial(factories.act, number, Action.REGISTER, operator, clock(), reference=factories.KEPT)
        for number, operator in zip(numbers, (quokka.operator, quokka.second_operator), strict=True)
    ]
    results = at_once(app, *works)
    assert results.count(State.MODIFIED) == 1
    (refused,) = [result for result in results if isinstance(result, Exception)]
    assert isinstance(refused, EditConflict | EvidenceMissing)
    assert (latest().n, latest().record.version) == (2, 2)
    states = sorted(state_of(number)[0] for number in numbers)
    assert states == [State.MODIFIABLE, State.MODIFIED]


def test_one_that_is_not_outdated_does_not_go_back_as_such(quokka: Cast, clock: Clock) -> None:
    number = factories.modifiable(quokka, clock())
    with pytest.raises(EvidenceMissing, match="based on the newest version"):
        factories.act(number, Action.STALE, quokka.operator, clock())


def test_the_newer_version_is_shown_and_taken_as_the_base(quokka: Cast, clock: Clock) -> None:
    number = outdated(quokka, clock)
    factories.act(number, Action.STALE, quokka.operator, clock())
    with read_transaction():
        look = revisions.look(number, quokka.registrant, "2026-09-09")
    assert look.newer is not None
    assert [field.name for field in look.newer.changed] == ["syntax"]
    assert (look.version, look.newest, look.next_version) == (1, 2, 2)
    with pytest.raises(EditConflict, match="Someone else saved"):
        revisions.take_newer(
            factories.command(quokka.registrant, clock(), seen=look.lock_version - 1), number
        )
    revisions.take_newer(
        factories.command(quokka.registrant, clock(), seen=look.lock_version), number
    )
    with pytest.raises(InvalidInput, match="based on the registered version"):
        revisions.take_newer(
            factories.command(quokka.registrant, clock(), seen=look.lock_version + 1), number
        )
    texts = text_of(number)
    assert (texts["version"], texts["purpose"], texts["syntax"]) == ("3", "Ours.", "Theirs.")
    factories.act(number, Action.RESUBMIT, quokka.registrant, clock())
    factories.change_request(number, state=State.MODIFIABLE, returns_to=None)
    factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    assert (latest().record.version, dict(latest().record.fields)["purpose"]) == (3, "Ours.")


def newer_words(number: int) -> str:
    """What is said of newer words that a sent text, or the draft of the next, would undo."""
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        sent = text_findings.check_of_sent(request)
        found = sent.problems if sent else drafts.writing_of(request, "2026-09-09").problems
    lost = [one for one in found if one.code == "undoes-newer"]
    return "; ".join(f"{one.field}, {one.message.partition('undo the words ')[2]}" for one in lost)


def take_newer(number: int, cast: Cast, clock: Clock) -> revisions.Revision:
    with read_transaction():
        look = revisions.look(number, cast.registrant, "2026-09-09")
    revisions.take_newer(
        factories.command(cast.registrant, clock(), seen=look.lock_version), number
    )
    with read_transaction():
        return revisions.look(number, cast.registrant, "2026-09-09")


def test_newer_words_are_merged_or_wait_for_whoever_changed_the_same_lines(
    quokka: Cast, clock: Clock
) -> None:
    number = factories.revision(quokka.registrant, clock(), purpose="Ours.", syntax="Mine.")
    factories.answer(number, quokka.registrant, clock())
    other = factories.modifiable(quokka, clock(), syntax="Theirs.", security_and_privacy="Safer.")
    factories.act(other, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    told = newer_words(number)
    assert "syntax, “Theirs.”" in told
    assert "security_and_privacy, “Safer.”" in told

    look = take_newer(number, quokka, clock)
    texts = text_of(number)
    assert (texts["syntax"], texts["security_and_privacy"]) == ("Mine.", "Safer.")
    assert look.newer is None
    assert look.unmerged is not None
    assert [field.name for field in look.unmerged.changed] == ["syntax"]
    assert "syntax, “Theirs.”" in newer_words(number), "it is not undone in silence"
    third = factories.modifiable(quokka, clock(), resolution="Elsewhere.")
    factories.act(third, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    look = take_newer(number, quokka, clock)
    assert look.unmerged is not None
    assert [field.name for field in look.unmerged.changed] == ["syntax"], "it still waits"
    with pytest.raises(EvidenceMissing):
        factories.act(number, Action.SUBMIT, quokka.registrant, clock())
    factories.change_text(number, quokka.registrant, clock(), purpose="Ours still.")
    assert newer_words(number), "another page decides nothing about it"
    factories.change_text(number, quokka.registrant, clock(), syntax="Mine.\nTheirs.")
    assert not newer_words(number)
    factories.act(number, Action.SUBMIT, quokka.registrant, clock())


def test_whoever_wrote_other_words_may_keep_them(quokka: Cast, clock: Clock) -> None:
    number = factories.outdated(quokka, clock(), "numbat")
    factories.change_text(number, quokka.registrant, clock(), purpose="Ours.")
    assert take_newer(number, quokka, clock).unmerged is not None
    assert take_newer(number, quokka, clock).unmerged is None
    assert (newer_words(number), text_of(number)["purpose"]) == ("", "Ours.")


def test_a_version_that_is_registered_is_outdated_by_none(quokka: Cast, clock: Clock) -> None:
    numbers = []
    for words in ("First.", "Second."):
        numbers.append(factories.modifiable(quokka, clock(), purpose=words))
        factories.act(
            numbers[-1], Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT
        )
    for number in numbers:
        with read_transaction():
            request = request_rows.find_request(number)
            assert request is not None
            assert revisions.look(number, None, "2026-09-09").newer is None
            sent = text_findings.check_of_sent(request)
        assert sent is not None
        assert not {one.code for one in sent.findings} & {"undoes-newer", "newer-version"}


def test_nobody_else_takes_a_newer_base(quokka: Cast, clock: Clock) -> None:
    number = outdated(quokka, clock)
    with pytest.raises(NotFound):
        revisions.take_newer(factories.command(quokka.rival, clock(), seen=1), number)
    new = factories.draft(quokka.registrant, clock(), namespace_identifier="numbat")
    with pytest.raises(NotFound, match="has no earlier version"):
        revisions.take_newer(factories.command(quokka.registrant, clock(), seen=2), new)


def test_a_correction_of_facts_outdates_no_revision(quokka: Cast, clock: Clock) -> None:
    number = factories.modifiable(quokka, clock())
    correction(quokka, clock, "quokka", date="2001-01-01")
    factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    assert (latest().record.date, latest().record.version) == ("2001-01-01", 2)


def test_rules_given_to_a_name_after_its_revision_was_begun_stay(
    quokka: Cast, clock: Clock
) -> None:
    """The text that was begun changes neither the title nor the rules."""
    number = factories.revision(quokka.registrant, clock())
    rules = Equivalence((EquivalenceRule(EquivalenceOperation.DROP, "Hyphens do not count.", "-"),))
    corrected_to(Correction(profile=QUOKKAS, equivalence=rules), quokka, clock)
    factories.to_modifiable(number, quokka.registrant, clock())
    factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=factories.REFERENCE)
    record = latest().record
    assert (record.version, record.profile.title, record.equivalence) == (2, "Quokkas", rules)


def answered(number: int, cast: Cast, clock: Clock, **answers: str) -> None:
    """A draft whose author answered anew what is asked beside the text."""
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        writing = drafts.writing_of(request, "2026-09-09")
        profile = with_answers(profile_in(writing.fields), ProfileAnswers(**answers))
    saving = drafts.DraftInput(fields={}, private={}, profile=write_profile(profile))
    command = factories.command(cast.registrant, clock(), seen=writing.lock_version)
    drafts.save(command, number, saving)


QUOKKAS = NamespaceProfile(title="Quokkas")
TAKEN = {"own": "My quokkas", "newer": "The quokkas", "other": "Quite other quokkas"}


def corrected(title: str, cast: Cast, clock: Clock, named: str) -> None:
    """The operator's correction of what a namespace says of itself."""
    said = NamespaceProfile(title=title, names=named)
    corrected_to(Correction(profile=said), cast, clock)


def corrected_to(correction: Correction, cast: Cast, clock: Clock) -> None:
    order = factories.command(cast.operator, clock.on(minutes=1), seen=latest().n)
    correct(order, "quokka", correction, reason="As they asked.", space=URN_SPACE)


def test_all_that_a_revision_changes_is_shown_and_nothing_that_it_leaves(
    quokka: Cast, clock: Clock
) -> None:
    rule = EquivalenceRule(EquivalenceOperation.DROP, "Hyphens do not count.", "-")
    service = ResolutionService(kind=ServiceKind.RESOURCE, target="https://q.example/{nss}")
    profile = NamespaceProfile(title="Quokkas", resolution=Resolution(services=(service,)))
    given = Correction(profile=profile, equivalence=Equivalence((rule,)))
    corrected_to(given, quokka, clock)
    number = revisions.start(
        factories.command(quokka.registrant, clock()), "quokka", space=URN_SPACE
    )

    def changed() -> dict[str, str]:
        with read_transaction():
            look = revisions.look(number, quokka.registrant, "2026-09-09")
        return {
            field.label: "".join(f"[{one.text}]" for one in field.pieces if one.kind != "same")
            for field in look.changes.changed
        }

    assert changed() == {}
    told: dict[str, Any] = {"services": NOTHING, "equivalence": "", "organization": "Quokkas Ltd"}
    factories.answer(number, quokka.registrant, clock(), **told)
    found = changed()
    assert "[Quokkas Ltd]" in found.pop("Organization")
    assert "Hyphens do not count." in found.pop("Equivalent spellings")
    assert "https://q.example/" in found.pop("Key facts")
    assert found == {}


@pytest.mark.parametrize(
    ("takes", "is_stale"), [("own", False), ("newer", False), ("own", True), ("other", True)]
)
def test_what_both_changed_beside_the_text_waits_for_whoever_writes(
    quokka: Cast, clock: Clock, takes: str, is_stale: bool
) -> None:
    corrected("Quokkas", quokka, clock, "animals")
    number = factories.revision(quokka.registrant, clock(), purpose="Ours.")
    factories.answer(number, quokka.registrant, clock())
    answered(number, quokka, clock, title="My quokkas", names="animals")
    assert not told_of_facts(number)
    corrected("The quokkas", quokka, clock, "marsupials")
    if is_stale:
        other = factories.modifiable(quokka, clock(), security_and_privacy="Safer.")
        factories.act(other, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    told = told_of_facts(number)
    assert ["Title" in one and "“The quokkas”" in one for one in told] == [True], told
    with pytest.raises(EvidenceMissing):
        factories.act(number, Action.SUBMIT, quokka.registrant, clock())
    if is_stale:
        look = take_newer(number, quokka, clock)
        assert [(one.own, one.newer) for one in look.facts] == [("My quokkas", "The quokkas")]
        factories.change_text(number, quokka.registrant, clock(), purpose="Ours still.")
        assert told_of_facts(number), "taking the base decides nothing about it, nor another page"
    if takes == "own":
        assert take_newer(number, quokka, clock).facts == ()
    else:
        answered(number, quokka, clock, title=TAKEN[takes], names="marsupials")
    assert not told_of_facts(number)
    factories.act(number, Action.SUBMIT, quokka.registrant, clock())
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        sent = iteration_rows.find_iteration(number, request.iterations)
        assert sent is not None
        assert profile_in(sent.fields).title == TAKEN[takes]


def told_of_facts(number: int) -> list[str]:
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        found = drafts.writing_of(request, "2026-09-09").problems
    facts = [one for one in found if one.code == "undoes-newer" and one.question]
    assert all((one.field, one.question) == ("purpose", "title") for one in facts)
    return [one.message for one in facts]


def test_whoever_sent_it_still_acts_for_the_registrant(quokka: Cast, clock: Clock) -> None:
    number = factories.modifiable(quokka, clock())
    with transaction():
        held = delegate_rows.find_name(URN_SPACE, "quokka")
        assert held is not None
        delegate_rows.end(held, [quokka.registrant.id], clock())
        delegate_rows.add(held, quokka.rival.id, DelegateOrigin.EVIDENCE, clock())
    with pytest.raises(EvidenceMissing, match="registrant of record agrees"):
        factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    with pytest.raises(RoleMissing):
        factories.act(number, Action.WITHDRAW, quokka.registrant, clock())
    factories.act(number, Action.WITHDRAW, quokka.rival, clock())


# ---- names that came from elsewhere


def holding(actor: Actor, name: str, clock: Clock) -> None:
    """Let somebody act for a name."""
    with transaction():
        held = delegate_rows.find_name(URN_SPACE, name)
        assert held is not None
        delegate_rows.add(held, actor.id, DelegateOrigin.EVIDENCE, clock())


TEMPLATE = """Namespace Registration for ISBN

Namespace Identifier: isbn

Version: 3

Date: 2017-01-01

Registrant:

   International ISBN Agency
   isbn&agency.example

Purpose:

   Books.

Syntax: ten or thirteen digits
"""


def test_of_a_text_on_file_all_is_known_that_its_headings_tell(people: Cast, clock: Clock) -> None:
    template_files.import_templates({"isbn": ("isbn.txt", TEMPLATE)}, clock(), notice="")
    holding(people.registrant, "isbn", clock)
    number = revisions.start(factories.command(people.registrant, clock()), "isbn", space=URN_SPACE)
    fields = text_of(number)
    assert fields["version"] == "4"
    assert fields["registrant"] == "International ISBN Agency\nisbn&agency.example"
    assert (fields["purpose"], fields["syntax"]) == ("Books.", "ten or thirteen digits")
    with read_transaction():
        look = revisions.look(number, people.registrant, "2026-09-09")
    assert (look.version, look.changes.changed) == (3, ())


def test_of_facts_alone_the_references_are_known(people: Cast, clock: Clock) -> None:
    holding(people.registrant, "isbn", clock)
    number = revisions.start(factories.command(people.registrant, clock()), "isbn", space=URN_SPACE)
    fields = text_of(number)
    assert fields["documentation"] == "https://www.isbn-international.org"
    assert fields["version"] == ""


def test_where_no_version_is_known_the_operator_states_it(people: Cast, clock: Clock) -> None:
    holding(people.registrant, "isbn", clock)
    before = latest("isbn")
    number = factories.modifiable(
        people, clock(), "isbn", **factories.template(namespace_identifier="isbn")
    )
    with read_transaction():
        sent = iteration_rows.find_iteration(number, 1)
        assert sent is not None
        assert "version" not in sent.fields

    def register(stated: str) -> State:
        details = {STATED: stated}
        given: dict[str, Any] = {"reference": factories.KEPT, "details": details}
        return factories.act(number, Action.REGISTER, people.operator, clock(), **given)

    for stated in ("", "one", "-1", "99999", "²"):
        with pytest.raises(InvalidInput, match="Enter the registered version"):
            register(stated)
    assert register(" 2 ") is State.MODIFIED
    after = latest("isbn").record
    assert (after.version, dict(after.fields)["version"]) == (3, "3")
    assert (after.date, after.name) == (before.record.date, before.record.name)
    assert after.references == before.record.references
    assert after.has_template


def test_an_informal_name_keeps_its_number_and_its_contact(people: Cast, clock: Clock) -> None:
    holding(people.registrant, "urn-1", clock)
    before = latest("urn-1").record
    fields = factories.template(namespace_identifier="urn-1")
    number = factories.modifiable(people, clock(), "urn-1", **fields)
    factories.act(
        number,
        Action.REGISTER,
        people.operator,
        clock(),
        reference=factories.KEPT,
        details={STATED: "1"},
    )
    after = latest("urn-1").record
    assert (after.name, after.contact, after.version) == (before.name, before.contact, 2)
    assert after.references[0].data.endswith("/assignments/urn-informal/urn-1")


def test_what_no_field_takes_is_left_out(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    assert base_version.fit_to_field(FORMAL.named["purpose"], "a\x07b\nc") == "a b\nc"
    assert base_version.fit_to_field(FORMAL.named["purpose"], "x" * 70_000) == ""
    person = Person(id="A_B", name="A. B.", org="")
    monkeypatch.setattr(base_version, "people_of", lambda _: (person,))
    record = Registration(name="x", references=(Xref(XrefType.PERSON, "A_B"),))
    with read_transaction():
        assert base_version.organization_of(record) == "A. B."
        assert base_version.organization_of(Registration(name="x")) == ""


# ---- deprecation


def test_a_revision_deprecates_with_a_successor_or_says_there_is_none(
    quokka: Cast, clock: Clock
) -> None:
    for successor, version in (("isbn", 2), ("-", 3)):
        number = factories.revision(quokka.registrant, clock())
        factories.answer(
            number, quokka.registrant, clock(), status="deprecated", successor=successor
        )
        factories.to_modifiable(number, quokka.registrant, clock())
        with read_transaction():
            look = revisions.look(number, None, "2026-09-09")
        assert look.fate.is_deprecated
        assert look.fate.successor == successor.strip("-")
        with read_transaction():
            posted = db.session.scalars(
                select(Outbox.arguments).where(Outbox.template == "list").order_by(Outbox.id)
            ).all()[-1]
        instead = "It has no successor." if successor == "-" else "Use urn:isbn: instead."
        assert f"This revision deprecates the namespace. {instead}" in posted
        factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
        record = latest().record
        assert (record.status, record.version) == (Status.DEPRECATED, version)
        assert record.successor == (None if successor == "-" else successor)


def test_a_deprecated_namespace_can_come_back_into_use(quokka: Cast, clock: Clock) -> None:
    correction(quokka, clock, "quokka", status=Status.DEPRECATED, successor="isbn")
    number = factories.revision(quokka.registrant, clock())
    assert text_of(number)["status"] == "deprecated"
    factories.answer(number, quokka.registrant, clock(), status="registered", successor="")
    factories.to_modifiable(number, quokka.registrant, clock())
    with read_transaction():
        assert revisions.look(number, None, "2026-09-09").restores
    factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    assert (latest().record.status, latest().record.successor) == (Status.REGISTERED, None)


def test_a_revision_begun_before_its_namespace_was_deprecated_leaves_it_so(
    quokka: Cast, clock: Clock
) -> None:
    number = factories.revision(quokka.registrant, clock())
    correction(quokka, clock, "quokka", status=Status.DEPRECATED, successor="isbn")
    with read_transaction():
        look = revisions.look(number, quokka.registrant, "2026-09-09")
    assert (look.restores, look.fate.is_deprecated) == (False, True)
    factories.to_modifiable(number, quokka.registrant, clock())
    factories.act(number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT)
    assert (latest().record.status, latest().record.successor) == (Status.DEPRECATED, "isbn")


@pytest.mark.parametrize(
    ("successor", "said"),
    [
        ("numbat", "`numbat` isn’t registered"),
        ("quokka", "can’t replace itself"),
        ("", "choose that there is none"),
    ],
)
def test_a_successor_is_a_registered_name(
    quokka: Cast, clock: Clock, successor: str, said: str
) -> None:
    number = factories.revision(quokka.registrant, clock())
    factories.answer(number, quokka.registrant, clock(), status="deprecated", successor=successor)
    with read_transaction():
        found = drafts.open_draft(quokka.registrant, number, "2026-09-09").problems
    assert [finding.message for finding in found if said in finding.message]
    with pytest.raises(ActionRefused):
        factories.act(number, Action.SUBMIT, quokka.registrant, clock())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"status": "former"}, "put back into use or deprecated"),
        ({"successor": "x" * 33}, "at most 32 characters"),
    ],
)
def test_no_other_fate_can_be_saved(
    quokka: Cast, clock: Clock, given: dict[str, str], said: str
) -> None:
    number = factories.revision(quokka.registrant, clock())
    with pytest.raises(InvalidInput, match=said):
        factories.answer(number, quokka.registrant, clock(), **given)


def test_a_new_name_is_not_deprecated(people: Cast, clock: Clock) -> None:
    number = factories.draft(people.registrant, clock())
    with pytest.raises(InvalidInput, match="Only a registered namespace"):
        factories.answer(number, people.registrant, clock(), status="deprecated")


# ---- who sees it


def test_a_draft_is_seen_by_those_who_act_and_a_sent_revision_by_all(
    quokka: Cast, clock: Clock
) -> None:
    number = factories.revision(quokka.registrant, clock())
    with read_transaction():
        assert revisions.look(number, quokka.registrant, "2026-09-09").is_draft
    for actor in (None, quokka.rival, quokka.operator):
        with read_transaction(), pytest.raises(NotFound):
            revisions.look(number, actor, "2026-09-09")
    factories.answer(number, quokka.registrant, clock())
    factories.act(number, Action.SUBMIT, quokka.registrant, clock())
    with read_transaction():
        look = revisions.look(number, None, "2026-09-09")
    assert not look.is_draft
    assert look.information == "The society grew."
    for missing in (99, 1):  # no such request, and one for a new name
        with read_transaction(), pytest.raises(NotFound):
            revisions.look(missing, None, "2026-09-09")


def test_a_revision_goes_the_whole_way(quokka: Cast, clock: Clock) -> None:
    number = factories.sent_revision(quokka.registrant, clock())
    factories.act(number, Action.TAKE, quokka.operator, clock())
    factories.act(number, Action.PASS, quokka.operator, clock())
    factories.review(number, quokka.expert, Verdict.APPROVE, clock())
    state = factories.review(number, quokka.second_expert, Verdict.APPROVE, clock())
    assert state is State.MODIFIABLE
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        assert request.purpose == Purpose.REVISION
    state = factories.act(
        number, Action.REGISTER, quokka.operator, clock(), reference=factories.KEPT
    )
    assert state is State.MODIFIED
