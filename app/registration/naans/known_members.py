"""Members that a file of NAANs may have, and no others: whatever is read is published, for ever.

The schema PublicNAAN and the file that it describes have these. The registry of the ARK Alliance
keeps contacts in files of its own; what somebody called one, in which language, nobody can list.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from app.registration.naans.json_values import member_place

__all__ = ["without_unknown"]

_Members = Mapping[str, Any]  # each with those that it may have itself

_NOTHING: _Members = {}
_ENTRY: _Members = {
    **dict.fromkeys(("what", "where", "when", "rtype", "naan", "shoulder"), _NOTHING),
    **dict.fromkeys(("test_identifier", "service_provider", "purpose"), _NOTHING),
    "who": dict.fromkeys(("name", "name_native", "acronym"), _NOTHING),
    "target": dict.fromkeys(("url", "http_code"), _NOTHING),
    "na_policy": dict.fromkeys(("orgtype", "policy", "tenure", "policy_url"), _NOTHING),
}
_METADATA = ("version", "created_date", "modified_date", "description", "updated")
_FILE: _Members = {"metadata": dict.fromkeys(_METADATA, _NOTHING), "data": _ENTRY}


def without_unknown(document: Any) -> tuple[Any, list[str]]:
    """A file of NAANs with the members that it may have, and where others stood.

    A list has members where its items have. What stands in place of a text, such as an object, is
    left without members. Raises nothing.

    Source: the schema PublicNAAN of the ARK Alliance, and ``naan_records.json`` beside it.
    """
    left: list[str] = []
    return _known(document, _FILE, "", left), left


def _known(value: Any, may_have: _Members, place: str, left: list[str]) -> Any:
    if isinstance(value, dict):
        return dict(_members(value, may_have, place, left))
    if isinstance(value, list):
        return [_known(one, may_have, f"{place}/{at}", left) for at, one in enumerate(value)]
    return value


def _members(
    value: dict[str, Any], may_have: _Members, place: str, left: list[str]
) -> Iterator[tuple[str, Any]]:
    for name, inner in value.items():
        at = member_place(place, name)
        if name in may_have:
            yield name, _known(inner, may_have[name], at, left)
        else:
            left.append(at)
