"""What the page of a bound name, and its citation, show of elements that share a label."""

import pytest

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.assigned_names.bound_names import BoundOutcome, write_bound_erc
from app.pages.namespaces.ark_prefix_view import bound_name_view

TOLD = (("x", "1"), ("who", "A"), ("who", "B"), ("where", "Here"), ("where", "There"), ("x", "2"))
OUTCOME = BoundOutcome(AssignedNameRecord(name="ark:12345/x5a", elements=TOLD))


def test_all_elements_of_a_label_are_shown_in_their_order() -> None:
    shown = [(one.label, one.text) for one in bound_name_view(OUTCOME).facts[1:]]
    assert shown == [
        ("Who", "A"),
        ("Who", "B"),
        ("Where", "Here"),
        ("Where", "There"),
        ("x", "1"),
        ("x", "2"),
    ]


def test_many_elements_are_gone_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def values_of(_: AssignedNameRecord, label: str) -> tuple[str, ...]:
        asked.append(label)
        return ("A",)

    monkeypatch.setattr(AssignedNameRecord, "values_of", values_of)
    many = tuple((f"label{number}", "a") for number in range(100))
    outcome = BoundOutcome(AssignedNameRecord(name="ark:12345/x5a", elements=many))
    shown = {label for label, *_ in bound_name_view(outcome).facts}
    assert {label for label, _ in many} <= shown
    assert len(asked) < 20


def test_a_citation_has_all_elements_of_a_label() -> None:
    (erc,) = write_bound_erc(OUTCOME)
    assert "who:   A ; B\n" in erc
    assert "where: ark:12345/x5a ; Here ; There\n" in erc
