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
        text="Do you need URNs only for examples, documentation or tests?",
        help="No one else will use them.",
        way=ProcedureAdvice(
            title="Use urn:example: without registration",
            why="The namespace `example` is reserved for this. Write `urn:example:` and any "
            "text allowed in a URN. These URNs never resolve.",
            source="RFC 6963",
        ),
    ),
    ProcedureQuestion(
        text="Is the namespace already registered, and do you want to change it?",
        help="Its registrant, its text or its status.",
        way=ProcedureAdvice(
            title="Change the namespace",
            why="The registrant submits a revision. The NID never changes. The new text "
            "becomes the next version; earlier versions are kept.",
            source="RFC 8141 section 6.2",
            path="/requests/new#changing",
        ),
    ),
    ProcedureQuestion(
        text="Is a number enough, instead of a name?",
        help="URNs begin with `urn:urn-` and a number. The review is simpler, and the "
        "namespace is just as permanent.",
        way=ProcedureAdvice(
            title="Request an informal namespace",
            why="Fill in the same template without a NID. The registry assigns the next "
            "number at registration.",
            source="RFC 8141 section 5.2",
            registry=INFORMAL.id,
            procedure=Procedure.INFORMAL,
        ),
    ),
    ProcedureQuestion(
        text="Do you represent a standards organization, scientific society or similar body "
        "with a specification of the namespace?",
        help="Recognized bodies can use the fast track. You can ask for recognition in your "
        "request.",
        way=ProcedureAdvice(
            title="Use the fast track",
            why="Experts advise, and your organization decides when the request is complete. "
            "A specification is required.",
            source="RFC 8141 section 6.3",
            registry=FORMAL.id,
            procedure=Procedure.FAST_TRACK,
        ),
    ),
    ProcedureQuestion(
        text="Is the namespace part of a standard, at the IETF or elsewhere?",
        help="Then the standards body decides, not the experts.",
        way=ProcedureAdvice(
            title="Request a formal namespace by standards action",
            why="Answer “Yes” to the standards question on the form. The experts report to "
            "the standards body, which decides.",
            source="RFC 8141 sections 5.1 and 6.4.1, point 7",
            registry=FORMAL.id,
            procedure=Procedure.STANDARDS_ACTION,
        ),
    ),
)

COMMUNITY = ProcedureAdvice(
    title="Request a formal namespace",
    why="You choose the NID, and designated experts review the request. Most namespaces are "
    "registered this way.",
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
