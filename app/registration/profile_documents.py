"""Profiles to JSON-ready values and back, as they are stored, shipped and published.

What has its default is left out, so that a new member changes no document that lacks it.
"""

from dataclasses import fields
from enum import StrEnum
from typing import Any

from app.registration.profiles import (
    CaseRule,
    ExampleName,
    NamespaceProfile,
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
    StatedRule,
)

Document = dict[str, Any]


def profile_to(profile: NamespaceProfile) -> Document:
    """A profile as a document; empty for one that says nothing."""
    return _document(profile)


def profile_from(document: Document) -> NamespaceProfile:
    """A profile from its document.

    Raises ValueError, TypeError or KeyError for what is none, a member too many included.
    """
    pattern, case = document.get("pattern"), document.get("case")
    return NamespaceProfile(
        **{
            **document,
            "examples": tuple(ExampleName(**one) for one in document.get("examples", ())),
            "pattern": NssPattern(**pattern) if pattern else None,
            "case": CaseRule(case) if case else None,
            "rules": tuple(StatedRule(**one) for one in document.get("rules", ())),
            "resolution": resolution_from(document.get("resolution", {})),
            "related": tuple(document.get("related", ())),
        }
    )


def resolution_to(resolution: Resolution) -> Document:
    """How names are resolved, as a document."""
    return _document(resolution)


def resolution_from(document: Document) -> Resolution:
    """How names are resolved, from its document. Raises as ``profile_from``."""
    default = Resolution().resolvability
    return Resolution(
        **{
            **document,
            "resolvability": Resolvability(document.get("resolvability", default)),
            "services": tuple(map(service_from, document.get("services", ()))),
        }
    )


def service_to(service: ResolutionService) -> Document:
    """A service as a document."""
    return _document(service)


def service_from(document: Document) -> ResolutionService:
    """A service from its document. Raises as ``profile_from``."""
    return ResolutionService(**{**document, "kind": ServiceKind(document["kind"])})


def _document(record: Any) -> Document:
    given = ((one.name, getattr(record, one.name), one.default) for one in fields(record))
    return {name: _value(value) for name, value, default in given if value != default}


def _value(value: object) -> object:
    if isinstance(value, tuple):
        return [_value(one) for one in value]
    if isinstance(value, StrEnum):
        return str(value)
    return value if isinstance(value, str | bool | None) else _document(value)
