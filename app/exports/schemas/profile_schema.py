"""The schema of a profile in the published JSON, made from the declarations of profiles.

A member that has its default is left out of the JSON, so that only one without is required.

Source: JSON Schema, draft 2020-12.
"""

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from app.exports.schemas.subschemas import (
    ANY_TEXT,
    Schema,
    array_schema,
    described_schema,
    enum_schema,
    object_schema,
)
from app.registration.profiles.profile_documents import document_name
from app.registration.profiles.profile_records import NamespaceProfile

_MEANT = {
    "NamespaceProfile.title": "The namespace in a few words",
    "NamespaceProfile.names": "What its URNs name: books",
    "NamespaceProfile.description": "The same in sentences",
    "NamespaceProfile.holder": "Who answers for the namespace",
    "NamespaceProfile.homepage_source": "Where the homepage is told, if not by the registration",
    "NamespaceProfile.case": "Whether upper and lower case make a difference",
    "NamespaceProfile.rules": "What makes two names equal, in sentences",
    "NamespaceProfile.check": "The algorithm by which names are checked",
    "NamespaceProfile.resolution": "How names are resolved (RFC 8141 section 6.4.6)",
    "NamespaceProfile.components": "What is said of r-, q- and f-components",
    "NamespaceProfile.related": "Other namespaces, in lower case",
    "EquivalenceStatement.unapplied": "What of it names are not compared by here, in a sentence",
    "NssPattern.expression": "A regular expression, as Python reads it, of the whole NSS",
    "NssPattern.is_exact": "Where it says which names there can be; else it is necessary only",
    "ResolutionService.kind": "What it gives for a name (RFC 2483 section 4)",
    "ResolutionService.target": "A template of RFC 6570, of nss and the groups of the pattern",
    "ResolutionService.when": "A pattern of those NSS that it is for",
    "ResolutionService.takes_r": "It understands r-components",
    "ResolutionService.is_resolver": "It is a resolver of URNs itself",
    "ResolutionService.is_registrants": "The registration names it",
    "ResolutionService.is_sure": "False where nobody saw it answer so",
    "Resolution.says": "The words of the registration, in short",
    "Resolution.is_choice": "Its services are equals, and who asks chooses",
    "Resolution.sends_normal_form": "A service gets names in the normal form of the namespace",
    "Resolution.extends_names": "What follows a name may be handed on to where that leads",
}


def profile_schema() -> Schema:
    """The schema of a profile as ``app.registration.profiles.profile_documents`` writes it."""
    return _object(NamespaceProfile) | {"minProperties": 1}


def _object(record: type) -> Schema:
    types = get_type_hints(record)
    every = {one.name: _member(record, one, types[one.name]) for one in fields(record)}
    required = {one.name: every[one.name] for one in fields(record) if _is_required(one)}
    optional = {name: each for name, each in every.items() if name not in required}
    return object_schema(required, **dict(_named(optional)))


def _named(optional: Schema) -> Iterator[tuple[str, Schema]]:
    """Members by their names in documents; editions that stand have older names for some."""
    for member, schema in optional.items():
        name = document_name(member)
        yield name, schema
        if name != member:
            yield member, {**schema, "description": f"Now `{name}`", "deprecated": True}


def _is_required(member: Field[Any]) -> bool:
    return member.default is MISSING and member.default_factory is MISSING


def _member(record: type, member: Field[Any], type_: Any) -> Schema:
    meant = _MEANT.get(f"{record.__name__}.{member.name}", "")
    return described_schema(meant, _value(type_)) if meant else _value(type_)


def _value(type_: Any) -> Schema:
    """Of one type; a type that profiles do not have yet is a TypeError where this is loaded."""
    given = [each for each in get_args(type_) if each not in (NoneType, Ellipsis)]
    if get_origin(type_) is tuple:
        return array_schema(_value(given[0]))
    if given:  # such a type or None, which is left out
        return _value(given[0])
    if isinstance(type_, type) and is_dataclass(type_):
        return _object(type_)
    if issubclass(type_, StrEnum):
        return enum_schema(type_)
    return {bool: {"type": "boolean"}, str: ANY_TEXT}[type_]
