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
    "NamespaceProfile.names": "What its URNs identify, such as books",
    "NamespaceProfile.description": "A description in sentences",
    "NamespaceProfile.holder": "The organization responsible for the namespace",
    "NamespaceProfile.homepage_source": ("The source of the homepage, if not the registration"),
    "NamespaceProfile.case": "Whether the namespace is case-sensitive",
    "NamespaceProfile.rules": "When two URNs are equivalent, in sentences",
    "NamespaceProfile.check": "The algorithm of the check digit",
    "NamespaceProfile.resolution": "How URNs are resolved (RFC 8141 section 6.4.6)",
    "NamespaceProfile.components": "The use of r-, q- and f-components",
    "NamespaceProfile.related": "Other namespaces, in lower case",
    "EquivalenceStatement.unapplied": ("A rule that this registry doesn't apply, in a sentence"),
    "NssPattern.expression": "A regular expression, in Python syntax, for the whole NSS",
    "NssPattern.is_exact": (
        "True if every match is valid; otherwise a match is necessary but not sufficient"
    ),
    "ResolutionService.kind": "What it returns for an identifier (RFC 2483 section 4)",
    "ResolutionService.target": (
        "An RFC 6570 template that uses nss and the groups of the pattern"
    ),
    "ResolutionService.when": "A pattern of the NSSs that it resolves",
    "ResolutionService.takes_r": "It supports r-components",
    "ResolutionService.is_resolver": "It is a resolver of URNs itself",
    "ResolutionService.is_registrants": "It is named in the registration",
    "ResolutionService.is_sure": "False if no one has confirmed that it answers",
    "Resolution.says": "A summary of the registration",
    "Resolution.is_choice": "The services are equivalent, and the reader chooses",
    "Resolution.sends_normal_form": (
        "URNs are sent to services in the normal form of the namespace"
    ),
    "Resolution.extends_names": "Text after the URN is passed on to the target",
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
