"""A shoulder under a NAAN that somebody holds is given where the holder asks or has agreed."""

import json

import pytest
from flask import Flask
from sqlalchemy import select

from app.registration.declarations.naan_registries import SHOULDERS
from app.services.accounts.actors import Actor
from app.services.registry.naan_import import import_naans, read_naan_file
from app.services.requests import drafts
from app.store.database import db, read_transaction
from app.store.tables import Outbox
from app.workflow.engine import EvidenceMissing
from app.workflow.evidence import Evidence
from app.workflow.states import Action, State
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast
from tests.registration.naans.made_records import LIBRARY, entry_of, file_of

AGREED = "Robin Roe of the library agreed by telephone."


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """Those who act; a NAAN came from a file, so that nobody here acts for its holder."""
    import_naans(read_naan_file(file_of(entry_of(LIBRARY))), clock.on(minutes=1))
    return factories.cast(clock())


def _asked(people: Cast, asking: Actor, name: str, clock: Clock) -> int:
    """A request for a shoulder that the operator looks at."""
    number = drafts.start(factories.command(asking, clock()), SHOULDERS.id)
    answers = {
        "naan_name": name,
        "organization": "Evil Twin",
        "organization_kind": "NP",
        "web_address": "https://evil.example/",
        "target": "https://evil.example/ark:${content}",
    }
    private = {"naan_contact": "Ellis Example", "naan_address": "ellis@evil.example"}
    saving = drafts.DraftInput(fields=answers, private=private, organization="Evil Twin")
    drafts.save(factories.command(asking, clock(), seen=1), number, saving)
    factories.act(number, Action.SUBMIT, asking, clock.on(minutes=1))
    factories.act(number, Action.TAKE, people.operator, clock.on(minutes=1))
    return number


def _letters(address: str, name: str) -> list[str]:
    with read_transaction():
        rows = list(db.session.scalars(select(Outbox).order_by(Outbox.id)))
        told = [json.loads(row.arguments) for row in rows if row.recipient == address]
    return [one["happened"] for one in told if one.get("name") == name]


def test_under_a_naan_that_is_held_here_a_stranger_gets_one_with_the_holders_agreement_alone(
    people: Cast, clock: Clock
) -> None:
    naan = factories.registered_naan(people, clock.on(minutes=1))
    number = _asked(people, people.rival, f"{naan}/zz7", clock)
    for words in ("", "."):
        with pytest.raises(EvidenceMissing) as refused:
            factories.act(
                number, Action.REGISTER, people.operator, clock.on(minutes=1), reason=words
            )
        assert any(Evidence.HOLDER_AGREES in way for way in refused.value.ways)
    assert "record how the holder agreed" in str(refused.value)
    done = factories.act(
        number, Action.REGISTER, people.operator, clock.on(minutes=1), reason=AGREED
    )
    assert done is State.ASSIGNED


def test_the_holder_hears_when_it_is_asked_for_and_when_it_is_given(
    people: Cast, clock: Clock
) -> None:
    naan = factories.registered_naan(people, clock.on(minutes=1))
    name = f"ark:{naan}/zz7"
    number = _asked(people, people.rival, f"{naan}/zz7", clock)
    assert _letters(people.registrant.email, name) == ["Requested under your NAAN"]
    factories.act(number, Action.REGISTER, people.operator, clock.on(minutes=1), reason=AGREED)
    heard = ["Requested under your NAAN", "Registered under your NAAN"]
    assert _letters(people.registrant.email, name) == heard
    assert not set(heard) & set(_letters(people.rival.email, name))


def test_who_acts_for_the_holder_needs_no_agreement_and_gets_no_second_letter(
    people: Cast, clock: Clock
) -> None:
    naan = factories.registered_naan(people, clock.on(minutes=1))
    number = _asked(people, people.registrant, f"{naan}/zz7", clock)
    done = factories.act(number, Action.REGISTER, people.operator, clock.on(minutes=1))
    assert done is State.ASSIGNED
    told = _letters(people.registrant.email, f"ark:{naan}/zz7")
    assert not {"Requested under your NAAN", "Registered under your NAAN"} & set(told)


def test_under_a_naan_whose_holder_has_no_account_here_how_it_agreed_is_said_too(
    people: Cast, clock: Clock
) -> None:
    number = _asked(people, people.rival, "24680/zz7", clock)
    with pytest.raises(EvidenceMissing):
        factories.act(number, Action.REGISTER, people.operator, clock.on(minutes=1))
    done = factories.act(
        number, Action.REGISTER, people.operator, clock.on(minutes=1), reason=AGREED
    )
    assert done is State.ASSIGNED


def test_under_a_shared_naan_nobody_is_asked(people: Cast, clock: Clock) -> None:
    number = _asked(people, people.rival, "99152/zz7", clock)
    done = factories.act(number, Action.REGISTER, people.operator, clock.on(minutes=1))
    assert done is State.ASSIGNED
