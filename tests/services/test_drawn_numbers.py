"""NAANs that are drawn when a request is registered: none that anybody ever had."""

from dataclasses import replace
from functools import partial
from random import Random

import pytest
from flask import Flask

from app import bundled
from app.config import NOTICES, Settings
from app.registration.declarations.naan_registries import NAANS, SHOULDER_SPACE, SHOULDERS
from app.registration.declarations.registries import REGISTRIES
from app.registration.naans.naan_documents import naan_file_from
from app.registration.naans.naan_records import NaanRecord, fold_naan
from app.registration.naans.shared_naans import RESERVED_NAANS
from app.registration.records.naan_registrations import registration_of
from app.registration.records.registry_records import Registration
from app.services.policy import number_prefix_of
from app.services.refusals import NameUnavailable
from app.services.registrations import name_registration
from app.services.registrations.name_registration import Reference, try_formats
from app.services.registry.record_import import RecordImport, import_records
from app.services.requests.detail.request_detail import preview_registration
from app.services.requests.draft_preview import preview_of
from app.services.requests.drafts import open_draft
from app.store.database import read_transaction, transaction
from app.store.registry import name_rows
from app.store.requests import request_rows
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.store.at_once import Meeting, at_once

TAKEN = ("10000", "10001", "b7291", "xb000")


class _Fixed(Random):
    """Chance that always falls on the same one of those that are free."""

    def __init__(self, place: int = 0) -> None:
        super().__init__()
        self.place = place

    def randrange(self, *_bounds: int) -> int:  # type: ignore[override]  # as it is called here
        return self.place


WHY = "They are one library in two towns."


def _taken(clock: Clock, *naans: str) -> None:
    records = [registration_of(NaanRecord(naan=naan, holder="A library")) for naan in naans]
    under = Registration(name="10002/x5", space=SHOULDER_SPACE, contact=())
    given = {NAANS.id: records, SHOULDERS.id: [under]}
    import_records(RecordImport(records=given), clock())


def _drawn(prefix: str = "", chance: Random | None = None) -> str:
    with transaction():
        return name_registration.given_name(NAANS.id, "", prefix, chance or _Fixed())


def test_the_first_that_is_free_is_none_that_anybody_had(app: Flask, clock: Clock) -> None:
    _taken(clock, *TAKEN)
    assert _drawn() == "10003"  # 10002 has a shoulder, whoever holds it
    assert _drawn("x") == "x0000"
    assert _drawn("xb") == "xb001"


def test_no_number_of_the_list_and_no_special_one_is_ever_drawn() -> None:
    known = [fold_naan(one.naan) for one in naan_file_from(bundled.naans()).naans]
    draw = NAANS.numbering.draw  # type: ignore[union-attr]  # it is drawn
    assert not [naan for naan in known if naan.startswith(Settings().naan_prefix)]
    free = {f"{n:05}" for n in range(10_000, 100_000)} - {*known, *RESERVED_NAANS}
    left = set(sorted(free)[:3])
    told = {draw(_Fixed(n), {*known, *free - left}, "") for n in range(3)}
    assert told == left
    with pytest.raises(ValueError, match="No NAANs are left"):
        draw(_Fixed(), {*known, *free}, "")


def test_where_none_is_left_that_is_told_and_nothing_is_given(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*_given: object) -> str:
        raise ValueError("No NAANs are left with this prefix. Choose another prefix.")

    numbering = replace(NAANS.numbering, draw=none_left)  # type: ignore[type-var]  # one that draws
    monkeypatch.setitem(REGISTRIES, NAANS.id, replace(NAANS, numbering=numbering))
    with pytest.raises(NameUnavailable, match="No NAANs are left"):
        _drawn()


def test_the_name_that_will_be_drawn_is_shown_as_the_site_gives_it_and_not_tried(
    app: Flask, clock: Clock
) -> None:
    people = factories.cast(clock())
    number = factories.checked_naan(people, clock())
    for prefix, likely in (("", "12345"), ("x", "x4k7b"), ("xb", "xbk7b")):
        rules = replace(factories.RULES, number_prefix=prefix)
        with read_transaction():
            seen = preview_registration(
                number, people.operator, clock(), base_url=factories.POST.base_url, rules=rules
            )
            request = request_rows.find_request(number)
            assert request is not None
            assert try_formats(request, Reference(""), clock(), notice="", base_url="x:") is None
        assert seen.neighbours.record.name == likely
        draft = factories.naan_draft(people, clock())
        with read_transaction():
            writing = open_draft(people.registrant, draft, clock().date().isoformat())
            shown = preview_of(writing, (), clock(), factories.POST, prefix).entry
        assert shown is not None
        assert shown.record.name == likely


def test_two_requests_that_are_registered_get_two_numbers(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_registration, "_CHANCE", _Fixed())
    people = factories.cast(clock())
    given = [factories.registered_naan(people, clock()) for _ in range(2)]
    assert given == ["10000", "10001"]


def test_two_who_register_at_once_get_two_numbers(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, meeting = factories.cast(clock()), Meeting()
    numbers = [factories.checked_naan(people, clock()) for _ in range(2)]
    monkeypatch.setattr(name_registration, "_CHANCE", _Fixed())
    known = meeting.before(name_rows.taken_names)
    monkeypatch.setattr(name_rows, "taken_names", known)
    works = [
        partial(factories.act, number, Action.REGISTER, people.operator, clock(), reason=WHY)
        for number in numbers
    ]
    assert at_once(app, *works) == [State.ASSIGNED, State.ASSIGNED]
    assert {factories.assigned(number) for number in numbers} == {"10000", "10001"}


def test_numbers_have_a_prefix_where_they_hold_here_alone() -> None:
    by_authority = {
        authority: number_prefix_of(Settings(authority=authority, naan_prefix="xz"))
        for authority in NOTICES
    }
    assert by_authority == {"official": "", "private": "xz", "proposal": ""}
