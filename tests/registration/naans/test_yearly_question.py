"""Holders are asked once a year whether all is right; who does not answer is listed as silent."""

from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.registration.naans.naan_records import NaanFile, NaanRecord
from app.registration.naans.yearly_question import (
    DAYS_TO_ANSWER,
    NaanAnswer,
    NaanContactDays,
    question_about,
    question_day,
    silence_limits,
    silent_holders,
)
from tests.registration.naans.made_records import LIBRARY, SHOULDER

DAYS = st.dates(date(2001, 1, 1), date(2060, 12, 31))
CONTACTS = st.builds(
    NaanContactDays,
    name=st.sampled_from(["24680", "13579", "24680/x5"]),
    since=DAYS,
    answered=st.none() | DAYS,
    changed=st.none() | DAYS,
    asked=st.none() | DAYS,
)


def of(since: str, answered: str = "", changed: str = "") -> NaanContactDays:
    """A holder and when it was heard of."""
    days = [date.fromisoformat(day) if day else None for day in (answered, changed)]
    return NaanContactDays(
        name="24680", since=date.fromisoformat(since), answered=days[0], changed=days[1]
    )


@pytest.mark.parametrize(
    ("contact", "day", "asked", "is_silent"),
    [
        (of("2025-03-01"), "2026-02-28", "", False),
        (of("2025-03-01"), "2026-03-01", "2026-03-01", False),
        (of("2025-03-01"), "2026-04-29", "2026-03-01", False),
        (of("2025-03-01"), "2026-04-30", "2026-03-01", True),
        (of("2025-03-01"), "2027-03-02", "2027-03-01", True),
        (of("2025-03-01", answered="2026-04-29"), "2027-04-28", "", False),
        (of("2025-03-01", changed="2026-04-29"), "2027-04-29", "2027-04-29", False),
        (of("2025-03-01", answered="2026-04-29", changed="2026-05-01"), "2027-04-30", "", False),
        (of("2025-03-01", answered="2024-01-01"), "2026-02-28", "", False),
        (of("2024-02-29"), "2025-02-27", "", False),
        (of("2024-02-29"), "2025-02-28", "2025-02-28", False),
        (of("2024-02-29"), "2028-02-28", "2027-02-28", True),
        (of("2024-02-29"), "2028-02-29", "2028-02-29", True),
        (of("2030-01-01"), "2026-01-01", "", False),
        (of("9999-06-01"), "9999-12-31", "", False),
    ],
)
def test_a_holder_is_asked_a_year_after_being_heard_of_and_silent_when_that_is_not_answered(
    contact: NaanContactDays, day: str, asked: str, is_silent: bool
) -> None:
    found = question_day(contact, date.fromisoformat(day))
    assert (found.isoformat() if found else "") == asked
    silent = silent_holders([contact], date.fromisoformat(day))
    assert [one.name for one in silent] == (["24680"] if is_silent else [])


@given(contacts=st.lists(CONTACTS, max_size=4), day=DAYS, later=st.integers(0, 900))
def test_who_is_silent_was_asked_stays_so_until_heard_of_and_the_longest_is_first(
    contacts: list[NaanContactDays], day: date, later: int
) -> None:
    silent = silent_holders(contacts, day)
    assert [one.heard for one in silent] == sorted(one.heard for one in silent)
    heard = [one.heard for one in contacts if one.heard in {each.heard for each in silent}]
    assert sorted(heard) == [one.heard for one in silent]
    for one in silent:
        assert one.heard < one.asked <= day - timedelta(days=DAYS_TO_ANSWER)
    assert set(silent) <= set(silent_holders(contacts, day + timedelta(days=later)))
    answered = [NaanContactDays(name=one.name, since=one.since, answered=day) for one in contacts]
    within = day + timedelta(days=365 + DAYS_TO_ANSWER - 1)
    assert silent_holders(answered, min(within, day + timedelta(days=later))) == ()


def test_who_was_asked_late_has_as_long_to_answer() -> None:
    late = NaanContactDays(name="24680", since=date(2024, 3, 1), asked=date(2026, 9, 1))
    assert silent_holders([late], date(2026, 10, 30)) == ()
    (silent,) = silent_holders([late], date(2026, 10, 31))
    assert (silent.heard, silent.asked) == (late.since, late.asked)


@given(contact=CONTACTS, day=DAYS)
@example(NaanContactDays(name="24680", since=date(2024, 2, 29)), date(2025, 4, 29))
@example(NaanContactDays(name="24680", since=date(2024, 2, 29)), date(2025, 4, 28))
@example(NaanContactDays(name="24680", since=date(2023, 3, 1)), date(2024, 4, 29))
def test_the_limits_of_a_day_tell_who_is_silent(contact: NaanContactDays, day: date) -> None:
    limits = silence_limits(day)
    is_late = contact.asked is None or contact.asked <= limits.asked
    assert bool(silent_holders([contact], day)) == (contact.heard <= limits.heard and is_late)


def test_the_question_tells_what_stands_and_what_can_be_answered() -> None:
    days = date(2025, 3, 1), date(2026, 4, 30)
    naan, shoulder = question_about(LIBRARY, *days), question_about(SHOULDER, *days)
    assert naan.subject == "Is the record of ark:24680 correct?"
    assert "Rare Books holds the shoulder ark:24680/x5." in shoulder.sentences[0]
    assert "2025-03-01" in naan.sentences[0]
    assert "reply by 2026-04-30" in naan.sentences[1]
    assert ("Target", LIBRARY.target) in naan.facts
    assert ("Service provider", "(empty)") in naan.facts
    assert "Service provider" not in dict(shoulder.facts)
    assert [one.label[:3] for one in naan.answers] == ["Eve", "Som", "We "]
    assert naan.answers == tuple(NaanAnswer)
    odd = question_about(NaanRecord(naan="1\n", holder="\u202ea`\r\nBcc: x"), *days)
    for text in (odd.subject, *odd.sentences, *(value for _, value in odd.facts)):
        assert text.isprintable()


def test_every_holder_on_file_can_be_asked(naan_states: list[tuple[bytes, NaanFile]]) -> None:
    for record in naan_states[-1][1].records:
        asked = question_about(record, date(2025, 3, 1), date(2026, 4, 30))
        told = (asked.subject, *asked.sentences, *(value for _, value in asked.facts))
        assert all(text and text.isprintable() and "None" not in text[:5] for text in told)
