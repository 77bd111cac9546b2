"""What came of a name, for programs: members of a JSON document."""

from collections.abc import Iterable
from typing import Any

from app.registration.records.registry_records import Status
from app.resolution.judgement import Ground, Judgement, Possibility
from app.resolution.name_paths import name_path
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcome_wording import StandingEdition
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
from app.resolution.urn_checks import sentences_of

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


def outcome_to(
    outcome: Outcome,
    services: tuple[Destination, ...] = (),
    grounds: tuple[Ground, ...] | None = None,
) -> Document:
    """What came of a name; empty members are left out.

    ``services`` are all that know the name, ``grounds`` why it came so, where the judgement does
    not say that, as of a name that an earlier edition lacks.
    """
    judgement = outcome.judgement
    grounds = judgement.grounds if grounds is None else grounds
    members = {
        "outcome": WORDS[type(outcome)],
        **_name_to(judgement),
        "possibility": _possibility_of(judgement),
        "grounds": [ground_to(one) for one in grounds],
        "notes": [ground_to(one) for one in judgement.notes],
        "why": sentences_of((*grounds, *judgement.notes)),
        "corrected": judgement.corrected,
        "correction": judgement.correction and judgement.correction.why,
        "nearest": nearest_to(outcome.nearest) if isinstance(outcome, Unregistered) else [],
        "namespace": judgement.rules and namespace_to(judgement.rules),
        "services": [destination_to(one) for one in services],
    }
    empty: tuple[object, ...] = (None, "", [])  # and not 0, which is a position
    return {name: value for name, value in members.items() if value not in empty}


def standing_to(standing: StandingEdition | None, name: str) -> Document:
    """The edition that a name is shown of, and where it is told what it is now; nothing for the
    current one."""
    if standing is None:
        return {}
    return {"edition": standing.number, "as_of": standing.day, "current": name_path(name)}


def destination_to(destination: Destination) -> Document:
    """A service as profiles tell it, ``target`` being where it has the name."""
    service = destination.service
    members = {
        "kind": str(service.kind),
        "target": destination.target,
        "media_type": service.media_type,
        "language": service.language,
        "country": service.country,
    }
    told = {name: value for name, value in members.items() if value}
    return {**told, "registrant": destination.is_registrants, "sure": service.is_sure}


def ground_to(ground: Ground) -> Document:
    return {"code": ground.code, "message": ground.message, "source": ground.clause}


def nearest_to(names: Iterable[str]) -> list[Document]:
    return [{"name": name, "url": f"/namespaces/{name}"} for name in names]


def _name_to(judgement: Judgement) -> Document:
    urn, error = judgement.urn, judgement.error
    if urn is None:
        told = error and {"code": error.code, "position": error.position, "source": error.source}
        return {"input": judgement.text, **(told or {})}
    own = judgement.own_form if judgement.own_form != judgement.normal_form else ""
    return {
        "normal_form": judgement.normal_form,
        "nid": urn.nid.lower(),
        "nss": judgement.normal_form.split(":", 2)[2],
        "own_form": own,
        "clauses": list(judgement.clauses),
    }


def _possibility_of(judgement: Judgement) -> str:
    rules, found = judgement.standing, judgement.possibility
    is_unknown = found is Possibility.NOT_FIXED and rules is not None and not rules.has_profile
    return "" if found is None or is_unknown else str(found)


def namespace_to(rules: NamespaceRules) -> Document:
    """A namespace as a document: what is told of it with each of its names."""
    status = "" if rules.status is Status.REGISTERED else str(rules.status)
    members = {
        "name": rules.name,
        "kind": rules.kind,
        "title": rules.title,
        "names": rules.names,
        "example": rules.example,
        "status": status,
        "successor": rules.successor,
        "resolvability": str(rules.resolution.resolvability) if rules.has_profile else "",
        "says": rules.resolution.says,
    }
    return {name: value for name, value in members.items() if value}
