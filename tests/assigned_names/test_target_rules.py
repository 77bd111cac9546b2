"""Target rules fill in names of either scheme."""

import pytest

from app.assigned_names.name_checks import TargetRule
from app.assigned_names.name_prefixes import read_prefix


@pytest.mark.parametrize(
    ("prefix", "name", "told"),
    [
        ("ark:12345/x5", "ark:12345/x5ab", "12345/x5ab 12345 x5ab ab"),
        ("urn:example:boats:", "urn:example:boats:a/1", "example:boats:a/1 example boats:a/1 a/1"),
    ],
)
def test_each_variable_is_filled_in_for_names_of_each_scheme(
    prefix: str, name: str, told: str
) -> None:
    for variable, value in zip(
        ("pid", "content", "prefix", "value", "suffix"), (name, *told.split()), strict=True
    ):
        rule = TargetRule(read_prefix(prefix), f"https://a.example/?b=${{{variable}}}")
        assert rule.target_of(name) == f"https://a.example/?b={value}"
