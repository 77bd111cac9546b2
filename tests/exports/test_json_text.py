"""JSON written piece by piece."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exports.serialization.json_text import json_bytes
from tests.exports.snapshots import GENERATED, TEXTS

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@GENERATED
@given(st.dictionaries(TEXTS, VALUES, max_size=3))
def test_what_is_written_is_what_the_standard_library_writes(members: dict[str, Any]) -> None:
    expected = json.dumps(members, ensure_ascii=False, indent=2) + "\n"
    assert json_bytes(members).decode() == expected


def test_iterators_become_arrays_at_any_depth() -> None:
    members = {"a": [1, {"b": [], "c": [{"d": "\n"}, {}]}], "e": {}}
    lazy = {"a": iter([1, {"b": iter([]), "c": iter([{"d": "\n"}, {}])}]), "e": {}}
    assert json_bytes(lazy) == json_bytes(members)


@pytest.mark.parametrize("bad", [float("nan"), "\ud800"])
def test_what_json_cannot_hold_is_refused(bad: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_bytes({"a": bad})
