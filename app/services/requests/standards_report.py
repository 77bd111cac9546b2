"""The report of a standards action: a draft from the reviews, and the one that was sent."""

from app.messages.expert_report import ExpertOpinion, ReportedRequest, compose_report
from app.services.requests.detail.request_detail import RequestDetail
from app.workflow.reviews import questions_for
from app.workflow.states import Action


def draft_of(page: RequestDetail, base_url: str) -> str:
    """A report made from the reviews of the newest text, for the leader to change."""
    row, newest = page.row, len(page.iterations)
    latest = [review for review in page.reviews if review.iteration == newest]
    opinions = [ExpertOpinion(one.verdict, one.body, one.answers) for one in latest]
    subject = ReportedRequest(
        number=row.number,
        name=row.registry.space.whole(row.name) if row.name else "an informal namespace",
        organization=row.organization,
        iteration=newest,
        address=f"{base_url}/requests/{row.number}",
    )
    return compose_report(subject, opinions, questions_for(row.procedure))


def sent_report(page: RequestDetail) -> str:
    """The newest report that was sent; empty where none was."""
    sent = [told for told in page.story if told.kind == Action.REPORT.past]  # newest first
    return str(sent[0].details.get("report", "")) if sent else ""
