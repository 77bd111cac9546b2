"""In a private registry the list of experts that editions publish is its panel."""

import pytest
from flask import Flask

from app.exports.formats.exporters import FORMATS
from app.exports.formats.xml import xml_bytes
from app.registration.declarations.formats import Format
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.declarations.registries import FORMAL, INFORMAL
from app.registration.declarations.registry_groups import NAAN_GROUP, URN_GROUP
from app.services.accounts.actors import Actor
from app.services.experts import panel_membership
from app.services.refusals import InvalidInput
from app.services.registrations.corrections import InvalidFact
from app.services.registrations.head_corrections import (
    HeadCorrection,
    correct_head,
    look_at_head,
    standing_head,
)
from app.services.registry.snapshots import (
    NOBODY,
    UNNAMED,
    bundled_snapshot,
    current_snapshot,
    import_xml,
    snapshot_of,
    tables_with_panel,
)
from app.store.accounts import account_rows, expert_panels
from app.store.database import read_transaction, transaction
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast

FORMS = (Format.XML, Format.JSON, Format.TXT, Format.XHTML, Format.TTL)
AS_IS = HeadCorrection()
WHY = "Who decides is said."
IANAS = [table.expert for table in bundled_snapshot().registries]
PANEL = f"Lee (team leader), Ellis Example, {UNNAMED}"


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people, of whose experts two have public names and one gave an address."""
    cast = factories.cast(clock())
    named(cast.expert, "Ellis  Example")
    named(cast.second_expert, "emery@experts.example")
    named(cast.leader, "Lee")
    return cast


def named(actor: Actor, name: str) -> None:
    with transaction():
        account_rows.get_account(actor.id).name = name


def listed() -> list[str]:
    with read_transaction():
        return [table.expert for table in current_snapshot(URN_GROUP).registries]


def correct(people: Cast, clock: Clock, said: HeadCorrection = AS_IS, **rules: str) -> int:
    with read_transaction():
        seen = standing_head().edition
    command = factories.command(people.operator, clock(), seen=seen, **rules)
    return correct_head(command, said, reason=WHY)


def dismiss(people: Cast, clock: Clock, *who: Actor) -> None:
    with read_transaction():
        mails = {one.email for one in who}
        ended = [one.id for one in panel_membership.panel() if one.email in mails]
    for ident in ended:
        command = factories.command(people.operator, clock.on(hours=1))
        panel_membership.dismiss(command, ident, "It was decided: minutes of May.")


def test_a_registration_names_the_panel_in_every_format_and_never_an_address(
    people: Cast, clock: Clock
) -> None:
    factories.registered(people, clock())
    assert listed() == [PANEL, PANEL]
    with read_transaction():
        first, now = snapshot_of(1), current_snapshot(URN_GROUP)
        files = {form: list(FORMATS[form].make(now, factories.PLACE)) for form in FORMS}
    assert [table.expert for table in first.registries] == IANAS
    for form, made in files.items():
        text = " ".join(b"".join(data for _, data in made).decode().split())
        assert ("Ellis Example" in text, "emery" in text) == (True, False), form


def test_a_registry_without_experts_names_none(people: Cast, clock: Clock) -> None:
    factories.registered_naan(people, clock())
    with read_transaction():
        tables = current_snapshot(NAAN_GROUP).registries
        assert [table.expert for table in tables] == ["" for _ in NAAN_GROUP.registries]
        assert tables_with_panel() == {FORMAL.id, INFORMAL.id}
    command = factories.command(people.operator, clock())
    for registry, label in ((NAANS.id, "NAAN"), (SHOULDERS.id, "shoulder")):
        with pytest.raises(InvalidInput, match=f"Experts don’t review a {label}"):
            panel_membership.appoint(command, "jo@x.example", "expert", registry, "Minutes.")
    with read_transaction():
        assert account_rows.find_account("jo@x.example") is None


def test_who_is_dismissed_leaves_with_the_next_edition(people: Cast, clock: Clock) -> None:
    correct(people, clock)
    dismiss(people, clock, people.second_expert)
    assert listed() == [PANEL, PANEL]
    correct(people, clock)
    assert listed() == ["Lee (team leader), Ellis Example"] * 2
    dismiss(people, clock, people.expert, people.leader)
    correct(people, clock)
    assert listed() == [NOBODY, NOBODY]


def test_an_official_registry_keeps_the_experts_that_it_names(people: Cast, clock: Clock) -> None:
    told = HeadCorrection(title="Names", experts={FORMAL.id: "Jo Doe"})
    correct(people, clock, told, authority="official")
    assert listed() == ["Jo Doe", IANAS[1]]


def test_the_experts_of_a_panel_are_not_typed(people: Cast, clock: Clock) -> None:
    told = HeadCorrection(experts={INFORMAL.id: "Jo Doe"})
    with pytest.raises(InvalidFact, match="come from the panel") as refused:
        correct(people, clock, told)
    assert refused.value.fact == f"expert-{INFORMAL.id}"
    with read_transaction(), pytest.raises(InvalidFact, match="come from the panel"):
        look_at_head(told, clock())
    with read_transaction():
        said = list(look_at_head(AS_IS, clock()).sentences())
    assert any("Ellis Example became an expert" in line for line in said), said


def test_an_import_leaves_the_panel_where_names_were_given_here(people: Cast, clock: Clock) -> None:
    factories.registered(people, clock())
    file = xml_bytes(bundled_snapshot())
    import_xml(file, clock.on(days=1), notice="Ours.", lists_panel=True)
    assert listed() == [PANEL, PANEL]
    assert import_xml(file, clock.on(days=1), notice="Ours.", lists_panel=True).is_empty


def test_a_registry_without_a_panel_keeps_what_it_says(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expert_panels, "appointments", list)
    correct(people, clock, HeadCorrection(title="Names", experts={FORMAL.id: "Jo Doe"}))
    assert listed() == ["Jo Doe", IANAS[1]]
