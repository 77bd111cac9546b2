"""The day of which a file of NAANs says that it is."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["day_in_head", "day_in_metadata"]

_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENTS = ("updated", "modified_date", "created_date")  # of a file, the one that says most first


def day_in_metadata(metadata: Mapping[str, Any]) -> str:
    """The day that the metadata of a file say, such as ``2024-11-07``; empty where they say none.

    Raises nothing. Source: ``metadata`` in ``naan_records.json``, which the ARK Alliance publishes.
    """
    return next(_days(metadata), "")


def day_in_head(head: str) -> str:
    """The day of a file by what an edition keeps of it, as JSON; empty where that says none.

    Raises ValueError for what is no JSON.
    """
    return day_in_metadata(json.loads(head or "{}").get("metadata", {}))


def _days(metadata: Mapping[str, Any]) -> Iterator[str]:
    for name in _MOMENTS:
        if found := _DAY.match(metadata.get(name) or ""):
            yield found[0]
