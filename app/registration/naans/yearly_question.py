"""The question that goes to the holder of a NAAN each year: when, who is silent, and its words.

Who holds a NAAN, where it leads and whom to write to is worth what it was when somebody last looked
at it. So the holder is asked once a year whether all is right. What a silent holder has stays as it
is, and goes on leading where it leads: the list of them tells the operator whom to look for.

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
    """When the holder of a NAAN or a shoulder was heard of.

    ``since`` is the day from which the holder can be asked: when the name was registered, or taken
    over from a file. ``answered`` is when the question was last answered, ``changed`` when the
    holder last had something changed; None where that never was. ``asked`` is when the question
    was first sent after that; None where it was not, as where nobody is known who could be asked.
    """

    name: str
    since: date
    answered: date | None = None
    changed: date | None = None
    asked: date | None = None

    @property
    def heard(self) -> date:
        """The day on which the holder was last heard of."""
        return max(self.since, self.answered or self.since, self.changed or self.since)


@dataclass(frozen=True, slots=True)
class NaanSilence:
    """A name whose holder is silent: last heard of on one day, and asked first on another."""

    name: str
    heard: date
    asked: date


def question_day(contact: NaanContactDays, day: date) -> date | None:
    """When the holder was last to be asked, on a day or before it; None where it was not yet.

    It is a year after the holder was heard of, and each year after that: for the 29th of February
    the 28th.
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
    """Whose holders are silent on a day, the longest first.

    Silent is who was asked, a year after being heard of or when that was done later, and neither
    answered nor had anything changed within ``days_to_answer``. Later questions begin no new time.
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
    """Whose holder is silent: heard of until one day, and asked, if at all, until another."""

    heard: date
    asked: date


def silence_limits(day: date, days_to_answer: int = DAYS_TO_ANSWER) -> NaanSilenceLimits:
    """The last days by which ``silent_holders`` finds somebody silent on a day.

    Many can so be told apart without looking at each.
    """
    asked = day - timedelta(days=days_to_answer)
    heard = _years_later(asked, -1)
    after = heard + timedelta(days=1)  # who was heard of on a 29th of February is asked on the 28th
    return NaanSilenceLimits(after if _years_later(after, 1) <= asked else heard, asked)


def _years_later(day: date, years: int) -> date:
    """The day of a later year; the last day that can be told where that year cannot."""
    if day.year + years > date.max.year:
        return date.max
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # the 29th of February
        return day.replace(year=day.year + years, day=28)


class NaanAnswer(StrEnum):
    """What a holder can answer."""

    STANDS = "stands"
    CHANGES = "changes"
    CEASES = "ceases"

    @property
    def label(self) -> str:
        """The answer in the words of whoever gives it."""
        return _ANSWERS[self]


_ANSWERS = {
    NaanAnswer.STANDS: "Everything is correct.",
    NaanAnswer.CHANGES: "Something has changed. I'll enter the changes.",
    NaanAnswer.CEASES: "We are ending this. I'll name a successor, if any.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanQuestion:
    """The yearly question: its subject, its sentences, what stands on file, the answers."""

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
    """The question to the holder of a NAAN or a shoulder, last heard of on a day.

    What is on file is told as it is, each value in one line; what is not there, as not told.
    ``beside`` are labels and texts of what no file has a place for.
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
        "The current record is below; resolvers use it. Check it and answer by "
        f"{answer_by.isoformat()}."
    )
    yield (
        f"If you don't answer, the {what} stays yours and keeps resolving, but it is listed "
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
    """A text of somebody else as one line that reads as it is written."""
    return quote(text.strip())[1:-1]
