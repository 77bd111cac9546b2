"""What follows from a text alone is found when it is sent, and read back by everybody."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import delete, select

from app.pages.text.template_diff import difference
from app.registration.submissions import submission_rules
from app.services.policy import ProcedureSettings
from app.services.registry.base_version import comparable_text
from app.services.requests import text_studies
from app.services.requests.detail.request_detail import RequestDetail, show_request
from app.services.requests.text_studies import difference_between, study_some
from app.store.database import db, transaction
from app.store.tables import IterationStudy
from app.workflow.states import Action
from tests import factories
from tests.conftest import Clock
from tests.factories import REFERENCE, Cast

OUTSIDE = "Such as urn:example:é, and urn:example:a?+b."


@dataclass
class Counted:
    """How often something was done."""

    times: int = 0


@pytest.fixture
def people(app: Flask, clock: Clock) -> Cast:
    """A registry's people."""
    return factories.cast(clock())


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """How often a text was looked through, or two compared."""
    counted = Counted()
    for name in ("check_texts", "alignment"):
        monkeypatch.setattr(text_studies, name, _counting(getattr(text_studies, name), counted))
    return counted


def _counting(work: Callable[..., Any], counted: Counted) -> Callable[..., Any]:
    def done(*given: Any) -> Any:
        counted.times += 1
        return work(*given)

    return done


def resent(people: Cast, clock: Clock, **fields: str) -> int:
    """A request that was sent, returned and sent again with these texts."""
    number = factories.returned(people, clock())
    factories.change_text(number, people.registrant, clock(), **fields)
    factories.act(number, Action.RESUBMIT, people.registrant, clock())
    return number


def seen(number: int, people: Cast, clock: Clock) -> RequestDetail:
    return show_request(number, people.expert, clock(), ProcedureSettings())


def forget() -> None:
    """As older software left a text that was sent."""
    with transaction():
        db.session.execute(delete(IterationStudy))


def test_what_is_found_in_a_text_is_found_once_and_read_by_everybody(
    people: Cast, clock: Clock, found: Counted
) -> None:
    number = resent(people, clock, syntax=OUTSIDE)
    sent_with = found.times
    page = seen(number, people, clock)
    assert {"outside-ascii", "r-component"} <= {finding.code for finding in page.findings}
    old, new = page.iterations[0], page.iterations[1]
    before, after = (comparable_text(one.fields, one.organization) for one in (old, new))
    assert difference_between(number, old, new) == difference(before, after)
    assert found.times == sent_with


def test_a_text_of_older_software_is_studied_by_the_worker_once(
    people: Cast, clock: Clock, found: Counted
) -> None:
    number = resent(people, clock, syntax=OUTSIDE)
    before = seen(number, people, clock)
    forget()
    assert seen(number, people, clock).findings == before.findings
    assert study_some() == 2
    found.times = 0
    assert seen(number, people, clock).findings == before.findings
    assert (found.times, study_some()) == (0, 0)


def test_other_rules_study_a_text_anew_and_readers_wait_for_nothing(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = resent(people, clock, syntax="Letters.")
    monkeypatch.setattr(text_studies, "VERSION", text_studies.VERSION + 1)
    assert study_some() == 2
    kept = db.session.execute(
        select(IterationStudy.k, IterationStudy.checks).where(IterationStudy.request == number)
    )
    assert sorted(map(tuple, kept)) == [(1, text_studies.VERSION), (2, text_studies.VERSION)]


def test_what_depends_on_the_registry_is_looked_up_anew(people: Cast, clock: Clock) -> None:
    earlier = factories.approved(people, clock())
    number = factories.sent(people.rival, clock())
    assert "taken" not in {finding.code for finding in seen(number, people, clock).findings}
    factories.act(earlier, Action.REGISTER, people.operator, clock(), reference=REFERENCE)
    assert {"taken", "registered"} & {f.code for f in seen(number, people, clock).findings}


def test_checks_for_a_text_that_was_sent_go_through_what_is_kept(
    people: Cast, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = factories.sent(people.registrant, clock())
    monkeypatch.setattr(text_studies, "findings_of", lambda *_: ())
    monkeypatch.setattr(submission_rules, "check_examples", lambda _: 1 / 0)
    assert seen(number, people, clock).findings is not None
