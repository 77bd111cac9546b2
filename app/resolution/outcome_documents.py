"""What came of a name, for programs: members of a JSON document."""

from typing import Any

from app.registration.records.registry_records import Status
from app.resolution.judgement import Ground, Judgement
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcomes import (
    BadSyntax,
    Destination,
    EqualChoice,
    ImpossibleName,
    Outcome,
    ResolvedName,
    Unregistered,
    UnresolvedName,
    Withdrawn,
)

Document = dict[str, Any]

WORDS: dict[type[Outcome], str] = {
    BadSyntax: "bad syntax",
    Unregistered: "not registered",
    ImpossibleName: "impossible",
    Withdrawn: "withdrawn",
    UnresolvedName: "no further way",
    ResolvedName: "led",
    EqualChoice: "choice",
}


def outcome_to(outcome: Outcome, services: tuple[Destination, ...] = ()) -> Document:
    """What came of a name; empty members are left out. ``services`` are all that know the name."""
    judgement = outcome.judgement
    members = {
        "outcome": WORDS[type(outcome)],
        **_name_to(judgement),
        "possibility": judgement.possibility and str(judgement.possibility),
        "grounds": [_ground_to(one) for one in judgement.grounds],
        "notes": [_ground_to(one) for one in judgement.notes],
        "corrected": judgement.corrected,
        "nearest": list(outcome.nearest) if isinstance(outcome, Unregistered) else [],
        "namespace": judgement.rules and _namespace_to(judgement.rules),
        "services": [destination_to(one) for one in services],
    }
    empty: tuple[object, ...] = (None, "", [])  # and not 0, which is a position
    return {name: value for name, value in members.items() if value not in empty}


def destination_to(destination: Destination) -> Document:
    """A service and where it has the name. ``registrant``: the registration names it."""
    service = destination.service
    members = {
        "target": destination.target,
        "service": str(service.kind),
        "type": service.media_type,
        "language": service.language,
        "country": service.country,
    }
    told = {name: value for name, value in members.items() if value}
    return {**told, "registrant": destination.is_registrants, "sure": service.is_sure}


def _name_to(judgement: Judgement) -> Document:
    urn, error = judgement.urn, judgement.error
    if urn is None:
        told = error and {"code": error.code, "position": error.position, "clause": error.source}
        return {"text": judgement.text, **(told or {})}
    own = judgement.own_form if judgement.own_form != judgement.normal_form else ""
    parts = {"nid": urn.nid.lower(), "nss": judgement.normal_form.split(":", 2)[2]}
    return {"urn": judgement.normal_form, **parts, "own_form": own, "by": list(judgement.clauses)}


def _ground_to(ground: Ground) -> Document:
    return {"code": ground.code, "message": ground.message, "clause": ground.clause}


def _namespace_to(rules: NamespaceRules) -> Document:
    status = "" if rules.status is Status.REGISTERED else str(rules.status)
    members = {
        "name": rules.name,
        "kind": rules.kind,
        "title": rules.title,
        "names": rules.names,
        "status": status,
        "successor": rules.successor,
        "resolution": str(rules.resolution.resolvability),
        "says": rules.resolution.says,
    }
    return {name: value for name, value in members.items() if value}
