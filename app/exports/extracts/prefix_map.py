"""Namespaces as prefixes of compact names, for programs that write ``isbn:978...``.

An extended prefix map is a list of records: a prefix, the beginning of a URI that it stands for,
other spellings of both, and a pattern of what comes after. No spelling stands twice in it. A
context of JSON-LD tells the prefixes alone. Former names are in neither.

Source: the extended prefix maps that Bioregistry publishes and the library ``curies`` reads;
JSON-LD 1.1 sections 4.1.1 and 9.15.1; RFC 8141 section 3.1 for spellings.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.exports.content.name_presentation import presentation_of, whole_name
from app.exports.content.selection import current_records
from app.exports.serialization.json_text import json_bytes
from app.registration.profiles.profile_records import NssPattern
from app.registration.records.registry_records import Registration, RegistrySnapshot
from app.resolution.record_rules import told_pattern_of

# An escape, a class of characters, or what begins a group with a name; each read before the next.
# A class that nothing ends goes to the end, so that no text is read more than once.
_NAMED_GROUP = re.compile(r"(\\.|\[\^?+\]?+(?:\\.|[^\]\\])*+\]?+)|\(\?P<\w++>", re.DOTALL)
_BACK = "(?P="


def prefix_map_bytes(snapshot: RegistrySnapshot) -> bytes:
    """The extended prefix map as JSON, a record a line."""
    lines = (json.dumps(record, ensure_ascii=False) for record in prefix_records(snapshot))
    return "[\n{}\n]\n".format(",\n".join(lines)).encode()


def context_bytes(snapshot: RegistrySnapshot) -> bytes:
    """The prefixes as a context of JSON-LD.

    Each stands for a text that ends in a colon, so that JSON-LD takes it for a prefix as it is.
    """
    notice = {"notice": snapshot.notice} if snapshot.notice else {}
    prefixes = {record.folded: uri for record, uri in _prefixed(snapshot)}
    return json_bytes({**notice, "@context": prefixes})


def prefix_records(snapshot: RegistrySnapshot) -> Iterator[dict[str, Any]]:
    """The records of the map, in the order of the registry; the prefix in lower case first."""
    every = list(_prefixed(snapshot))
    taken = {record.folded for record, _ in every}
    for record, uri in every:
        others = [each for each in _spellings(record) if each not in taken]
        taken.update(others)
        pattern = told_pattern_of(record)
        yield {
            "prefix": record.folded,
            "uri_prefix": uri,
            **({"prefix_synonyms": others} if others else {}),
            **_uri_synonyms(others),
            **({"pattern": anchor_pattern(pattern)} if pattern else {}),
        }


def anchor_pattern(pattern: NssPattern) -> str:
    """A pattern that a program may search with, which finds whole texts alone.

    Groups lose their names, which each language of patterns writes in its own way.
    """
    expression = pattern.expression
    if _BACK not in expression:
        expression = _NAMED_GROUP.sub(lambda found: found[1] or "(?:", expression)
    return f"^(?:{expression})$"


def _prefixed(snapshot: RegistrySnapshot) -> Iterator[tuple[Registration, str]]:
    for table in snapshot.registries:
        space = presentation_of(table)
        for record in current_records(table) if space.written else ():
            yield record, whole_name(space, record)


def _spellings(record: Registration) -> Iterator[str]:
    yield from dict.fromkeys((record.name, record.folded.upper()))


def _uri_synonyms(names: list[str]) -> Mapping[str, list[str]]:
    spelt = [uri for name in names for uri in (f"urn:{name}:", f"URN:{name}:")]
    return {"uri_prefix_synonyms": spelt} if spelt else {}


def mapped_prefixes(body: bytes) -> list[str]:
    """The prefixes that a prefix map holds."""
    return [record["prefix"] for record in json.loads(body)]


def context_prefixes(body: bytes) -> list[str]:
    """The prefixes that a context declares."""
    return [*json.loads(body)["@context"]]
