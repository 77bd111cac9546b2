"""The form of an expert's review."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from wtforms.validators import Optional

from app.registration.declarations.registries import DeclaredProcedure, Widget
from app.web.forms.request_forms import ActionForm, ChoiceField, extra_field, form_field
from app.workflow.evidence import EvidenceInput
from app.workflow.reviews import ReviewQuestion, Verdict, questions_for

RELATION = extra_field(
    EvidenceInput.RELATION.value,
    "Difference between your organization and the registrant",
    ("One sentence. Public. If the organizations are the same, recuse yourself instead."),
    Widget.LINE,
)


class ReviewForm(ActionForm):
    """An expert's review: the outcome, the answers to what is asked, and words."""

    questions: tuple[ReviewQuestion, ...] = ()
    relation = form_field(RELATION)

    @property
    def answers(self) -> dict[str, str]:
        """The answers that were given, by question."""
        given = {question.key: self[question.key].data for question in self.questions}
        return {key: answer for key, answer in given.items() if answer}

    @property
    def written(self) -> dict[str, str]:
        """Everything that was filled in, by field."""
        names = ("verdict", self.main, RELATION.name)
        given = {name: self[name].data or "" for name in names} | self.answers
        return {name: text for name, text in given.items() if text}

    @property
    def details(self) -> dict[str, str]:
        """What is asked of an expert whose organization reads like the registrant's."""
        return {RELATION.name: self.relation.data} if self.relation.data else {}


def review_form(verdicts: Iterable[Verdict], procedure: DeclaredProcedure) -> type[ReviewForm]:
    """The form of a review: the outcomes that are possible, what the procedure asks."""
    return _review_form(tuple(verdicts), procedure)


@cache
def _review_form(verdicts: tuple[Verdict, ...], procedure: DeclaredProcedure) -> type[ReviewForm]:
    questions = questions_for(procedure)
    possible = [(verdict.value, verdict.label_in(procedure)) for verdict in verdicts]
    unanswered = ("", "No answer")
    members: dict[str, Any] = {
        "verdict": ChoiceField(possible, "Choose an outcome."),
        "questions": questions,
    }
    for question in questions:
        answers = [(answer.value, answer.value.capitalize()) for answer in question.answers]
        members[question.key] = ChoiceField(
            [unanswered, *answers], f"{question.label} Choose an answer.", Optional()
        )
    return type("ReviewForm", (ReviewForm,), members)
