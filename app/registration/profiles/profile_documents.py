"""Profiles to JSON-ready values and back, as they are stored, shipped and published.

What has its default is left out, so that a new member changes no document that lacks it. A fact
has one name in all of them, which is that of the member without its ``is_``.
"""

from dataclasses import fields
from enum import StrEnum
from typing import Any, TypeVar

from app.registration.profiles.profile_records import (
    CaseRule,
    EquivalenceStatement,
    ExampleName,
    NamespaceProfile,
    NssPattern,
    Resolution,
    ResolutionService,
    Resolvability,
    ServiceKind,
)

Document = dict[str, Any]

_NAMES = {
    "is_exact": "exact",
    "is_registrants": "registrant",
    "is_sure": "sure",
    "is_resolver": "resolver",
    "is_choice": "choice",
}
# Documents that were stored, sent or published before have the names of the members themselves,
# and lines of rules had `re`: those are read as well, and written no more.
_MEMBERS = {name: member for member, name in _NAMES.items()} | {"re": "expression"}

_Record = TypeVar(
    "_Record",
    NamespaceProfile,
    ExampleName,
    NssPattern,
    EquivalenceStatement,
    Resolution,
    ResolutionService,
)


def document_name(member: str) -> str:
    """What a member of a profile, or of its parts, is called in documents."""
    return _NAMES.get(member, member)


def profile_to(profile: NamespaceProfile) -> Document:
    """A profile as a document; empty for one that says nothing."""
    return _document(profile)


def profile_from(document: Document) -> NamespaceProfile:
    """A profile from its document.

    Raises ValueError, TypeError or KeyError for what is none, a member too many included.
    """
    pattern, case = document.get("pattern"), document.get("case")
    profile = NamespaceProfile(
        **{
            **document,
            "examples": tuple(_typed(ExampleName(**one)) for one in document.get("examples", ())),
            "pattern": pattern_from(pattern) if pattern else None,
            "case": CaseRule(case) if case else None,
            "rules": tuple(
                _typed(EquivalenceStatement(**one)) for one in document.get("rules", ())
            ),
            "resolution": resolution_from(document.get("resolution", {})),
            "related": tuple(document.get("related", ())),
        }
    )
    if not all(isinstance(other, str) for other in profile.related):
        raise TypeError("A related namespace must be text.")
    return _typed(profile)


def stored_profile(document: Document) -> NamespaceProfile:
    """A profile as it is stored or published, without the members that this software does not know.

    Newer software may have written it. Raises as ``profile_from`` for what is known and wrong.
    """
    known = _known(NamespaceProfile, document)
    if pattern := known.get("pattern"):
        known["pattern"] = _known(NssPattern, pattern)
    known["resolution"] = _stored_resolution(known.get("resolution", {}))
    for name, kind in (("examples", ExampleName), ("rules", EquivalenceStatement)):
        known[name] = [_known(kind, one) for one in known.get(name, ())]
    return profile_from(known)


def _stored_resolution(document: Document) -> Document:
    known = _known(Resolution, document)
    kinds = set(ServiceKind)
    services = (one for one in known.get("services", ()) if one["kind"] in kinds)
    known["services"] = [_known(ResolutionService, one) for one in services]
    if known.get("resolvability") not in set(Resolvability):
        known.pop("resolvability", None)
    return known


def _known(kind: type[Any], document: Document) -> Document:
    names = {one.name for one in fields(kind)}
    return {name: value for name, value in _by_member(document).items() if name in names}


def _by_member(document: Document) -> Document:
    return {_MEMBERS.get(name, name): value for name, value in document.items()}


def _members(document: Document) -> Document:
    told = {**document}  # which a text or a list cannot be
    members = _by_member(told)
    if len(members) < len(told):
        raise TypeError("A fact appears under two names. Remove the older one.")
    return members


def pattern_to(pattern: NssPattern) -> Document:
    """A pattern as a document."""
    return _document(pattern)


def pattern_from(document: Document) -> NssPattern:
    """A pattern from its document. Raises as ``profile_from``."""
    return _typed(NssPattern(**_members(document)))


def resolution_to(resolution: Resolution) -> Document:
    """How names are resolved, as a document."""
    return _document(resolution)


def resolution_from(document: Document) -> Resolution:
    """How names are resolved, from its document. Raises as ``profile_from``."""
    default = Resolution().resolvability
    resolution = Resolution(
        **{
            **_members(document),
            "resolvability": Resolvability(document.get("resolvability", default)),
            "services": tuple(map(service_from, document.get("services", ()))),
        }
    )
    return _typed(resolution)


def service_from(document: Document) -> ResolutionService:
    """A service from its document. Raises as ``profile_from``."""
    given = {**_members(document), "kind": ServiceKind(document["kind"])}
    return _typed(ResolutionService(**given))


def _typed(record: _Record) -> _Record:
    for name, wanted in _PLAIN[type(record)]:
        value = getattr(record, name)
        if type(value) is not wanted:
            said = "a text" if wanted is str else "true or false"
            raise TypeError(f"`{document_name(name)}` is {value!r:.80}, but must be {said}.")
    return record


def _plain_members(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((one.name, one.type) for one in fields(kind) if one.type in (str, bool))


_PLAIN = {
    kind: _plain_members(kind)
    for kind in (
        *(NamespaceProfile, ExampleName, NssPattern, EquivalenceStatement),
        *(Resolution, ResolutionService),
    )
}


def _document(record: Any) -> Document:
    given = ((one.name, getattr(record, one.name), one.default) for one in fields(record))
    told = ((name, value) for name, value, default in given if value != default)
    return {document_name(name): _value(value) for name, value in told}


def _value(value: object) -> object:
    if isinstance(value, tuple):
        return [_value(one) for one in value]
    if isinstance(value, StrEnum):
        return str(value)
    return value if isinstance(value, str | bool | None) else _document(value)
