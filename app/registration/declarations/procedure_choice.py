"""Which procedure is whose: a few questions, one after the other until one is answered yes."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.registration.declarations.registries import FORMAL, INFORMAL, Procedure


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureAdvice:
    """Where somebody is led: what they do, why, and how they begin.

    ``registry`` and ``procedure`` are those of the request, or None where none is sent.
    """

    title: str
    why: str
    source: str
    registry: str | None = None
    procedure: Procedure | None = None
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureQuestion:
    """Something that is answered with yes or no; a yes leads to its way."""

    text: str
    help: str
    way: ProcedureAdvice


QUESTIONS = (
    ProcedureQuestion(
        text="Is it only for examples, in documentation or in tests?",
        help="Nobody outside will meet these names.",
        way=ProcedureAdvice(
            title="Use urn:example: and register nothing",
            why="The namespace `example` is kept for this: write `urn:example:` and anything that "
            "a URN can hold after it. Such names are never resolved.",
            source="RFC 6963",
        ),
    ),
    ProcedureQuestion(
        text="Is the namespace registered already, and you want to change what stands there?",
        help="The registrant, the text, or that it is in use at all.",
        way=ProcedureAdvice(
            title="Change the namespace",
            why="Its registrant sends a revision. The name never changes; the new text becomes the "
            "next version, and the earlier ones stay.",
            source="RFC 8141 section 6.2",
            path="/requests/new#changing",
        ),
    ),
    ProcedureQuestion(
        text="Would a number in place of a name do?",
        help="Its URNs begin with `urn:urn-` and the number. The review is simpler, and "
        "the namespace is just as permanent.",
        way=ProcedureAdvice(
            title="Ask for an informal namespace",
            why="You fill in the same template without a name, and the registry gives the next "
            "number at registration.",
            source="RFC 8141 section 5.2",
            registry=INFORMAL.id,
            procedure=Procedure.INFORMAL,
        ),
    ),
    ProcedureQuestion(
        text="Do you ask for a standards organization, a scientific society or a body like them, "
        "which has a specification of the namespace?",
        help="Such bodies are recognized; yours can ask to be recognized with this request.",
        way=ProcedureAdvice(
            title="Take the fast track",
            why="Experts advise, and your organization says when the request is complete. A "
            "specification is needed.",
            source="RFC 8141 section 6.3",
            registry=FORMAL.id,
            procedure=Procedure.FAST_TRACK,
        ),
    ),
    ProcedureQuestion(
        text="Is the namespace to become part of a standard, in the IETF or elsewhere?",
        help="The body that makes the standard then decides, not the experts.",
        way=ProcedureAdvice(
            title="Ask for a formal namespace, by standards action",
            why="You answer yes to the last question about the purpose. The experts write a "
            "report to the body, and it directs the registration.",
            source="RFC 8141 sections 5.1 and 6.4.1, point 7",
            registry=FORMAL.id,
            procedure=Procedure.STANDARDS_ACTION,
        ),
    ),
)

COMMUNITY = ProcedureAdvice(
    title="Ask for a formal namespace",
    why="You choose the name, and the designated experts review it. This is the usual way.",
    source="RFC 8141 sections 5.1 and 6.2",
    registry=FORMAL.id,
    procedure=Procedure.COMMUNITY,
)


def next_question(answers: Sequence[bool]) -> ProcedureQuestion | None:
    """The question that comes after these answers; None when they lead somewhere."""
    if True in answers or len(answers) >= len(QUESTIONS):
        return None
    return QUESTIONS[len(answers)]


def advice_for(answers: Sequence[bool]) -> ProcedureAdvice:
    """Where answers lead: to the way of the first yes, else to the usual one.

    Source: RFC 8141 sections 5 and 6.
    """
    for question, answer in zip(QUESTIONS, answers, strict=False):
        if answer:
            return question.way
    return COMMUNITY
