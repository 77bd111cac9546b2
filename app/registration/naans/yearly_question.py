"""The yearly question to each NAAN holder: its dates, its wording, and overdue answers.

Holder, target and contact of a NAAN become outdated unless someone confirms them. So each holder is
asked once a year. The NAAN of a silent holder stays registered and keeps resolving. The operator
gets a list of silent holders.

Source: arks.org, on how to make changes to a NAAN.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from app.registration.naans.naan_records import NaanEntry, NaanRecord
from app.registration.naans.policy_wording import kind_in_words, policy_in_words
from app.registration.naans.quoted_text import quote

__all__ = [
    "DAYS_TO_ANSWER",
    "NaanAnswer",
    "NaanContactDays",
    "NaanQuestion",
    "NaanSilence",
    "NaanSilenceLimits",
    "question_about",
    "question_day",
    "silence_limits",
    "silent_holders",
]

DAYS_TO_ANSWER = 60  # after the question was put


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanContactDays:
    """The dates of contact with the holder of a NAAN or shoulder.

    ``since`` is the day of the registration or import. ``answered`` is the day of the last answer,
    ``changed`` the day of the holder's last change; None if there was none. ``asked`` is the day of
    the first question after these; None if it wasn't sent, for example without a contact.
    """

    name: str
    since: date
    answered: date | None = None
    changed: date | None = None
    asked: date | None = None

    @property
    def heard(self) -> date:
        """The day of the last contact with the holder."""
        return max(self.since, self.answered or self.since, self.changed or self.since)


@dataclass(frozen=True, slots=True)
class NaanSilence:
    """A name with a silent holder: the days of the last contact and of the first question."""

    name: str
    heard: date
    asked: date


def question_day(contact: NaanContactDays, day: date) -> date | None:
    """Return the latest due day of the question, up to ``day``; None if it isn't due yet.

    The question is due on each anniversary of the last contact. For 29 February, that is
    28 February.
    """
    heard = contact.heard
    years = day.year - heard.year
    asked = _years_later(heard, years)
    if asked > day:
        asked, years = _years_later(heard, years - 1), years - 1
    return asked if years > 0 else None


def silent_holders(
    contacts: Iterable[NaanContactDays], day: date, days_to_answer: int = DAYS_TO_ANSWER
) -> tuple[NaanSilence, ...]:
    """Return the names with silent holders on a day, the longest silence first.

    A holder is silent without an answer or a change within ``days_to_answer`` days after the first
    question. Later questions don't extend this time.
    """
    found = (_silence(one, day, days_to_answer) for one in contacts)
    return tuple(sorted(filter(None, found), key=lambda one: (one.heard, one.name)))


def _silence(contact: NaanContactDays, day: date, days_to_answer: int) -> NaanSilence | None:
    due = _years_later(contact.heard, 1)
    asked = max(due, contact.asked or due)
    if day - asked < timedelta(days=days_to_answer):
        return None
    return NaanSilence(contact.name, contact.heard, asked)


@dataclass(frozen=True, slots=True)
class NaanSilenceLimits:
    """The latest days of contact and question that make a holder silent."""

    heard: date
    asked: date


def silence_limits(day: date, days_to_answer: int = DAYS_TO_ANSWER) -> NaanSilenceLimits:
    """Return the latest days for which ``silent_holders`` reports a holder.

    A database query can use them as a filter.
    """
    asked = day - timedelta(days=days_to_answer)
    heard = _years_later(asked, -1)
    after = heard + timedelta(days=1)  # 29 February is asked on the 28th
    return NaanSilenceLimits(after if _years_later(after, 1) <= asked else heard, asked)


def _years_later(day: date, years: int) -> date:
    if day.year + years > date.max.year:
        return date.max
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # the 29th of February
        return day.replace(year=day.year + years, day=28)


class NaanAnswer(StrEnum):
    """The possible answers of a holder."""

    STANDS = "stands"
    CHANGES = "changes"
    CEASES = "ceases"

    @property
    def label(self) -> str:
        """The answer in the words of the holder."""
        return _ANSWERS[self]


_ANSWERS = {
    NaanAnswer.STANDS: "Everything is correct.",
    NaanAnswer.CHANGES: "Something has changed. I'll enter the changes.",
    NaanAnswer.CEASES: "We are ending this. I'll name a successor, if any.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanQuestion:
    """The yearly question: subject, sentences, facts on file and possible answers."""

    subject: str
    sentences: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    answers: tuple[NaanAnswer, ...] = tuple(NaanAnswer)


def question_about(
    record: NaanEntry,
    heard: date,
    answer_by: date,
    beside: Iterable[tuple[str, str]] = (),
) -> NaanQuestion:
    """Return the question to the holder of a NAAN or shoulder.

    Each fact on file is one line; a missing one is "(empty)". ``beside`` has labels and texts of
    further facts, which the record has no field for.
    """
    return NaanQuestion(
        subject=f"Is the record of {_called(record)} correct?",
        sentences=tuple(_sentences(record, heard, answer_by)),
        facts=(*_facts(record), *((label, _line(text)) for label, text in beside)),
    )


def _called(record: NaanEntry) -> str:
    return f"ark:{_line(record.name)}"


def _sentences(record: NaanEntry, heard: date, answer_by: date) -> Iterator[str]:
    what = "NAAN" if isinstance(record, NaanRecord) else "shoulder"
    holder = _line(record.holder) or "an unnamed holder"
    yield (
        f"{holder} holds the {what} {_called(record)}. You last confirmed its record on "
        f"{heard.isoformat()}. We ask once a year."
    )
    yield (
        "The current record, which resolvers use, is below. Check it and reply by "
        f"{answer_by.isoformat()}."
    )
    yield (
        f"If you don't reply, the {what} remains yours and keeps resolving, but it is listed "
        "as unconfirmed."
    )


def _facts(record: NaanEntry) -> Iterator[tuple[str, str]]:
    for label, value in (
        ("Organization", record.holder),
        ("Native name", record.native_name),
        ("Acronym", record.acronym),
        ("Web address", record.where),
        ("Target", record.target),
        ("Text of the policy", record.policy_address),
        ("Test ARK", record.test_ark),
    ):
        yield label, _line(value or "") or "(empty)"
    if isinstance(record, NaanRecord):
        yield "Service provider", _line(record.service_provider or "") or "(empty)"
    yield "Kind of organization", kind_in_words(record)
    for sentence in policy_in_words(record.policy):
        yield "Policy", sentence


def _line(text: str) -> str:
    return quote(text.strip())[1:-1]
