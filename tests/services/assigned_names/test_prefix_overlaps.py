"""Prefixes and registered shoulders never overlap, whoever comes first."""

import pytest

from app.problems import assigned_name_codes as codes
from app.registration.declarations.naan_registries import (
    SHOULDERS,
)
from app.registration.records.registry_records import Purpose, Status, Submission
from app.services.assigned_names import prefixes
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import InvalidInput, NotAllowed, Refusal
from app.services.requests import drafts
from app.services.requests.text_findings import check_of
from app.store.assigned_names import prefix_rows
from app.store.database import read_transaction
from app.store.requests import request_rows
from tests import factories
from tests.services.assigned_names.conftest import NameDesk, register_shoulder, revision


def test_no_prefix_is_put_around_a_shoulder_that_is_registered_for_somebody_else(
    desk: NameDesk,
) -> None:
    people = desk.people
    naan = factories.registered_naan(people, desk.clock())
    register_shoulder(desk, f"{naan}/s5", people.rival)
    for actor in (people.registrant, people.operator):
        for around in ("s", ""):
            with pytest.raises(Refusal, match=f"ark:{naan}/s5, a shoulder") as refused:
                desk.add(f"ark:{naan}/{around}", actor=actor)
            assert refused.value.code is codes.PREFIX_TAKEN
    with pytest.raises(NotAllowed, match=f"owners of ark:{naan}/s5"):
        desk.add(f"ark:{naan}/s5b", actor=people.registrant)
    assert desk.add(f"ark:{naan}/x", actor=people.registrant)


def test_a_shoulder_of_nobody_here_is_somebody_elses_and_one_no_longer_in_use_nobodys(
    desk: NameDesk,
) -> None:
    register_shoulder(desk, "10099/s5")
    with pytest.raises(Refusal, match="ark:10099/s5, a shoulder"):
        desk.add("ark:10099/s")
    register_shoulder(desk, "10099/t5", status=Status.FORMER)
    assert desk.add("ark:10099/t")


def test_around_a_shoulder_of_ones_own_a_prefix_is_held(desk: NameDesk) -> None:
    register_shoulder(desk, "10099/s5", desk.people.registrant)
    assert desk.add("ark:10099/s")


def test_within_a_shoulder_registered_later_its_holder_decides_and_the_prefix_gives_no_names(
    desk: NameDesk,
) -> None:
    around = desk.add("ark:10099/s", "sddd")
    register_shoulder(desk, "10099/s0", desk.people.rival)
    own = desk.command()
    assert desk.mint(prefix=around) == ["ark:10099/s100"]  # the first hundred begin with s0
    with pytest.raises(InvalidInput, match="registered shoulder within"):
        desk.change(revision("ark:10099/s0b", target="https://evil.example/"))
    with pytest.raises(NotAllowed, match="owners of ark:10099/s0"):
        prefixes.add_prefix(own, "ark:10099/s0b", own.actor.email, PrefixRules())
    rival = desk.command(actor=desk.people.rival)
    assert prefixes.add_prefix(rival, "ark:10099/s0", rival.actor.email, PrefixRules())


def test_a_request_for_a_shoulder_is_told_of_prefixes_that_others_hold(desk: NameDesk) -> None:
    people = desk.people
    desk.add("ark:10099/s55")
    number = drafts.start(desk.command(actor=people.rival), SHOULDERS.id)
    submission = Submission(
        registry=SHOULDERS.id, purpose=Purpose.NEW, fields={"naan_name": "10099/s5"}
    )
    with read_transaction():
        request = request_rows.find_request(number)
        assert request is not None
        found = check_of(request, submission, "").problems
        assert [one.code for one in found if "ark:10099/s55" in one.message] == ["name-above"]
        apart = Submission(
            registry=SHOULDERS.id, purpose=Purpose.NEW, fields={"naan_name": "10099/t5"}
        )
        assert "name-above" not in [one.code for one in check_of(request, apart, "").problems]
        assert [one.text for one in prefix_rows.overlapping("ark:10099/S55B")] == ["ark:10099/s55"]
