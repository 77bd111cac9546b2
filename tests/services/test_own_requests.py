"""A registrant's own requests begin with those that wait for them."""

from app.services.requests.queues import RequestSeries, series_page
from tests import factories
from tests.conftest import Clock
from tests.factories import Cast


def test_what_waits_for_its_registrant_stands_before_drafts_and_all_others(
    quokka: Cast, clock: Clock
) -> None:
    back = factories.returned(quokka, clock.on(minutes=1), namespace_identifier="wombat")
    begun = factories.draft(quokka.registrant, clock.on(minutes=1), namespace_identifier="bilby")
    away = factories.sent(quokka.registrant, clock.on(minutes=1), namespace_identifier="numbat")
    rows = series_page(RequestSeries.YOURS, quokka.registrant, clock()).rows
    assert [row.number for row in rows[:3]] == [back, begun, away]
