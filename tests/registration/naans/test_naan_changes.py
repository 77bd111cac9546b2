"""What differs between two states of the registry of NAANs, in words."""

from collections import Counter
from dataclasses import fields, replace
from itertools import pairwise

import pytest
from hypothesis import given, settings

from app.registration.naans.naan_changes import NaanChangeKind, naan_changes, with_changes
from app.registration.naans.naan_records import (
    NaanFile,
    NaanRecord,
    NaanRow,
    UnreadValue,
    name_key,
    records_by_name,
)
from tests.registration.naans.made_records import LIBRARY, RECORDS, SHOULDER
from tests.torture.conftest import rounds

GOING = NaanRecord(naan="24680")


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (
            replace(GOING, target="http://a.example/${pid}"),
            replace(GOING, target="https://a.example/${pid}"),
            "24680: the target changed from `http:` to `https:`; the rest is unchanged.",
        ),
        (
            replace(GOING, target="http://a.example/${pid}"),
            replace(GOING, target="https://b.example/${pid}"),
            "24680: the target changed from `http://a.example/${pid}` to `https://b.example/${pid}`.",
        ),
        (
            GOING,
            replace(GOING, status=303),
            "24680: the status of the target changed from `302` to `303`.",
        ),
        (GOING, replace(GOING, acronym="UTO"), "24680: the acronym is now `UTO`; was empty."),
        (replace(GOING, acronym="UTO"), GOING, "24680: the acronym changed from `UTO` to empty."),
        (
            replace(GOING, policy_address=""),
            GOING,
            "24680: the address of the policy is now empty; was empty.",
        ),
        (
            GOING,
            replace(GOING, unread=(UnreadValue("/a", "[1]"),)),
            '24680: unrecognized values changed from nothing to `{"/a": "[1]"}`.',
        ),
        (
            replace(GOING, holder="Utopia"),
            replace(GOING, holder="a\u200bb`"),
            (
                "24680: the holder changed from `Utopia` to "
                "`a(U+200B (ZERO WIDTH SPACE))b(a backtick)`."
            ),
        ),
        (
            replace(GOING, naan="b7280"),
            replace(GOING, naan="B7280"),
            "B7280: the spelling of the NAAN changed from `b7280` to `B7280`.",
        ),
    ],
)
def test_a_fact_that_changed_is_told_in_a_sentence(
    before: NaanRow, after: NaanRow, sentence: str
) -> None:
    assert [one.sentence for one in naan_changes([before], [after])] == [sentence]


def test_what_came_and_what_went_is_told_once_and_what_moved_is_not() -> None:
    other = replace(LIBRARY, naan="13579", holder="")
    assert naan_changes([LIBRARY, other], [other, LIBRARY]) == ()
    told = naan_changes([LIBRARY, SHOULDER], [LIBRARY, other])
    assert [(one.kind, one.sentence) for one in told] == [
        (NaanChangeKind.GONE, "24680/x5: shoulder of `Rare Books` removed."),
        (NaanChangeKind.NEW, "13579: new NAAN of an unnamed holder."),
    ]


def test_every_difference_of_the_dated_states_is_told_once_and_leads_to_the_next(
    naan_states: list[tuple[bytes, NaanFile]],
) -> None:
    states = [file.records for _, file in naan_states]
    for before, after in pairwise(states):
        changes = naan_changes(before, after)
        assert Counter((one.name, one.fact) for one in changes) == _differences(before, after)
        assert records_by_name(with_changes(before, changes)) == records_by_name(after)
        assert all(one.sentence.startswith(f"{one.name}: ") for one in changes)
    assert len(naan_changes(states[-2], states[-1])) == 10


def _differences(
    before: tuple[NaanRow, ...], after: tuple[NaanRow, ...]
) -> Counter[tuple[str, str]]:
    """The names that came or went, and the facts that differ, each once."""
    old, new = records_by_name(before), records_by_name(after)
    names = [(name, "") for name in old.keys() ^ new.keys()]
    facts = [
        (name, one.name)
        for name in old.keys() & new.keys()
        for one in fields(new[name])
        if getattr(old[name], one.name) != getattr(new[name], one.name)
    ]
    return Counter([*names, *facts])


@settings(max_examples=rounds(40, 20), deadline=None)
@given(RECORDS, RECORDS)
def test_changes_lead_from_any_state_to_any_other(one: list[NaanRow], other: list[NaanRow]) -> None:
    kept = [replace(record, naan="24680") for record in one[:1]]
    after = [
        *(record for record in other if name_key(record.name) not in records_by_name(kept)),
        *kept,
    ]
    changes = naan_changes(one, after)
    assert records_by_name(with_changes(one, changes)) == records_by_name(after)
    assert all(change.sentence.isprintable() for change in changes)
