"""What programs are told of a name that is not registered."""

from dataclasses import asdict

from app.resolution.judgement import unregistered_ground
from app.resolution.outcome_documents import nearest_to
from app.services.names.availability import UnregisteredName
from app.services.request_status.request_status import RequestSummary, status_of
from app.web.middleware.session import now, policy


def unregistered_sentences(known: UnregisteredName) -> str:
    """What is known of a free name, for programs that read sentences."""
    sentences = [unregistered_ground(known.name).message]
    sentences += [f"{finding.message} ({finding.source})" for finding in known.problems]
    named = policy().mail.bodies.put_into
    for row in known.asking:
        sentences.append(f"Request {row.number} asks for it: {named(row.standing)}. {_status(row)}")
    return " ".join(sentences)


def unregistered_members(known: UnregisteredName) -> dict[str, object]:
    """A free name for programs: findings as `nid check` writes them, requests by their address."""
    return {
        "nid": known.name,
        "problems": [asdict(finding) for finding in known.problems],
        "advisories": [asdict(finding) for finding in known.advisories],
        "requests": [
            {
                "number": row.number,
                "state": policy().mail.bodies.put_into(row.state.word),
                "status": _status(row),
                "url": f"/requests/{row.number}",
            }
            for row in known.asking
        ],
        "nearest": nearest_to(known.alike),
        "titled": [
            {"name": one.name, "title": one.title.striptags(), "url": one.href}
            for one in known.titled
        ],
        "suggested": list(known.suggested),
        "request_a_name": "/requests/new",
    }


def _status(row: RequestSummary) -> str:
    rules = policy()
    is_proposal = rules.procedures.is_proposal
    return status_of(row, now(), is_proposal=is_proposal, bodies=rules.mail.bodies).headline
