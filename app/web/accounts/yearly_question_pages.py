"""The yearly question: whether all that is told of a name is right."""

from http import HTTPStatus

from flask import Blueprint, redirect, render_template
from flask.typing import ResponseReturnValue

from app.registration.declarations.registries import URN_SPACE, IdentifierSpace
from app.registration.naans.yearly_question import NaanAnswer
from app.services.delegates import yearly_questions
from app.web.actions.form_submission import command_of, redirect_with_notice, submit_form
from app.web.forms.delegate_forms import YearlyAnswerForm
from app.web.middleware.problem_responses import answer_form
from app.web.middleware.session import now, required_actor

bp = Blueprint("yearly_questions", __name__)

# The page below that of the name on which an answer goes on, and what is said there.
_THEN = {
    NaanAnswer.STANDS: ("people", "Thank you. We will ask again in a year."),
    NaanAnswer.CHANGES: ("revise", "Thank you. Start your change request here."),
    NaanAnswer.CEASES: (
        "revise?at=end",  # of the form, where it asks what becomes of the name
        "Thank you. To mark the entry as retired, start a change request here.",
    ),
}


@bp.get(f"/namespaces/<name>/{yearly_questions.PAGE}")
def question(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """What stands on file, and three answers; others are led to the claim."""
    required_actor()
    return _question(name, space, YearlyAnswerForm(formdata=None))


def _question(
    name: str, space: IdentifierSpace, form: YearlyAnswerForm, status: int = HTTPStatus.OK
) -> ResponseReturnValue:
    look = yearly_questions.question_of(name, required_actor(), now().date(), space=space)
    if look is None:
        return redirect(space.page_below(name, "claim"), 303)
    form.reopen(look.seen)
    return answer_form(
        form.problems(),
        status,
        lambda: render_template("delegates/answer.html", look=look, form=form),
    )


@bp.post(f"/namespaces/<name>/{yearly_questions.PAGE}")
def answer_question(name: str, space: IdentifierSpace = URN_SPACE) -> ResponseReturnValue:
    """Answer it, and go on where the change is made, if one is."""
    required_actor()
    form = YearlyAnswerForm()

    def use() -> NaanAnswer:
        said = NaanAnswer(str(form.answer.data))
        yearly_questions.answer(command_of(form), name, said, space=space)
        return said

    def done(said: NaanAnswer) -> ResponseReturnValue:
        page, sentence = _THEN[said]
        return redirect_with_notice(sentence, space.page_below(name, page))

    return submit_form(
        form, use, done, again=lambda problem: _question(name, space, form, problem.status)
    )
