"""A document of a registry's former days: each step tells what was put and what went."""

import pytest

from app.registration.records.record_documents import Document
from app.registration.records.registry_history import history_read

FIRST: Document = {
    "head": {"id": "urn-namespaces", "registries": [{"id": "urn-namespaces-1", "title": "Old"}]},
    "updated": "2001-01-01",
    "records": {"urn-namespaces-1": [{"name": "able"}, {"name": "zebra"}]},
    "people": [{"id": "Ann"}, {"id": "Bob"}],
}
STEP: Document = {
    "updated": "2002-02-02",
    "put": {"urn-namespaces-1": [{"name": "middle"}, {"name": "able", "date": "2000-01-01"}]},
    "gone": {"urn-namespaces-1": ["zebra"]},
    "people": [{"id": "Amy"}],
    "people_gone": ["Bob"],
}


def test_a_step_changes_what_it_tells_and_leaves_the_rest() -> None:
    head = {"id": "urn-namespaces", "registries": [{"id": "urn-namespaces-1", "title": "New"}]}
    last = {"updated": "2003-03-03", "head": head}
    first, second, third = history_read({"first": FIRST, "steps": [STEP, last]})
    assert [record.name for record in first.records()] == ["able", "zebra"]
    assert [(record.name, record.date) for record in second.records()] == [
        ("able", "2000-01-01"),
        ("middle", None),
    ]
    assert [person.id for person in second.people] == ["Amy", "Ann"]
    assert (first.updated, second.updated) == ("2001-01-01", "2002-02-02")
    assert list(third.records()) == list(second.records())
    assert [one.registries[0].title for one in (first, second, third)] == ["Old", "Old", "New"]


def test_what_did_not_stand_there_cannot_go() -> None:
    step = {"updated": "2002-02-02", "gone": {"urn-namespaces-1": ["quokka"]}}
    with pytest.raises(KeyError):
        history_read({"first": FIRST, "steps": [step]})
