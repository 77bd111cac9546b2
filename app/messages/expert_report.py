"""The experts' report to the body that approves a standard, made from their reviews."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.messages.notices import WIDTH, fold_lines
from app.workflow.reviews import ReviewQuestion, Verdict

_HEADING = re.compile(r"^(#+) +(.*)$", re.MULTILINE)
_VERDICTS = {
    Verdict.APPROVE: "recommends registration",
    Verdict.DECLINE: "recommends against registration",
    Verdict.RETURN: "asks for changes",
    Verdict.COMMENT: "comments",
}


@dataclass(frozen=True, slots=True)
class ExpertOpinion:
    verdict: Verdict
    words: str
    answers: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRequest:
    number: int
    name: str
    organization: str
    iteration: int
    address: str


def compose_report(
    subject: ReportedRequest, opinions: Sequence[ExpertOpinion], questions: Sequence[ReviewQuestion]
) -> str:
    """A report in Markdown: the request, what the experts found, each point of the review.

    Source: RFC 8141 section 6.2.
    """
    parts = [
        f"# Report of the designated experts on {subject.name}",
        (
            f"Request {subject.number} from {subject.organization or 'the registrant'}, "
            f"text {subject.iteration}: {subject.address}"
        ),
        (
            "The registrant intends this namespace for a standard. The experts therefore report to "
            "the standards body. It directs the registration (RFC 8141 "
            "section 6.2)."
        ),
        "## Expert reviews",
        *(_opinion(n, opinion) for n, opinion in enumerate(opinions, 1)),
        *([] if opinions else ["No expert has reviewed this text."]),
        "## Points of RFC 8141 section 5.1",
        *(_point(question, opinions) for question in questions),
    ]
    return "\n\n".join(parts) + "\n"


def _opinion(n: int, opinion: ExpertOpinion) -> str:
    words = opinion.words.strip() or "No comment."
    return f"Expert {n} {_VERDICTS[opinion.verdict]}:\n\n{words}"


def _point(question: ReviewQuestion, opinions: Sequence[ExpertOpinion]) -> str:
    given = [opinion.answers.get(question.key, "") or "no answer" for opinion in opinions]
    return f"- {question.label} {', '.join(given) or 'no answer'} ({question.source})"


def report_as_text(markdown: str) -> str:
    """A report as plain text of 72 columns, its headings underlined."""

    def underlined(found: re.Match[str]) -> str:
        line = "=" if len(found[1]) == 1 else "-"
        title = fold_lines(found[2])
        return f"{title}\n{line * min(WIDTH, len(title))}"

    parts = markdown.strip().split("\n\n")
    return "\n\n".join(fold_lines(_HEADING.sub(underlined, part)) for part in parts) + "\n"
