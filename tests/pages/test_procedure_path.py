"""A procedure as people walk it: the straight way, whose turn it is, and what else can happen."""

import itertools

import pytest

from app.pages.diagrams.procedure_graph import drawing
from app.pages.diagrams.procedure_layout import ProcedureStep, plain_word, procedure_path
from app.registration.declarations.naan_registries import NaanProcedure
from app.registration.declarations.registries import (
    DeclaredProcedure,
    Procedure,
    declared_procedures,
)
from app.workflow.deadlines import DUE_DAYS
from app.workflow.states import State


def path_of(procedure: DeclaredProcedure, *, proposes: bool = False) -> tuple[ProcedureStep, ...]:
    return procedure_path(drawing(procedure, proposes=proposes), DUE_DAYS)


@pytest.mark.parametrize("procedure", declared_procedures())
def test_each_procedure_is_walked_from_a_draft_to_a_registration(
    procedure: DeclaredProcedure,
) -> None:
    steps = path_of(procedure)
    registered = f"{State.ASSIGNED.plain} or {State.MODIFIED.plain}"
    assert (steps[0].word, steps[-1].word) == (State.DRAFT.plain, registered)
    assert all(step.onward for step in steps[:-1])
    assert (steps[-1].onward, steps[-1].turn, steps[-1].days) == ("", "", None)


def test_whose_turn_it_is_and_for_how_long_is_told() -> None:
    review = next(step for step in path_of(Procedure.COMMUNITY) if "Expert" in step.word)
    assert (review.turn, review.days) == ("Experts act next", 28)
    informal = next(step for step in path_of(Procedure.INFORMAL) if "Expert" in step.word)
    assert informal.days == 14
    assert {step.days for step in path_of(NaanProcedure.NAAN)} <= {None, 2, 5}


@pytest.mark.parametrize("procedure", declared_procedures())
def test_what_leads_elsewhere_stands_beside_its_step(procedure: DeclaredProcedure) -> None:
    graph = drawing(procedure)
    told = [sentence for step in path_of(procedure) for sentence in step.aside]
    way = graph.way
    onward = set(itertools.pairwise(way))
    leaving = [
        arrow
        for arrow in graph.arrows
        if arrow.source in way
        and arrow.source.states
        and (arrow.source, arrow.target) not in onward
    ]
    assert len(told) == len(leaving)
    for arrow in leaving:
        assert any(plain_word(arrow.target) in sentence for sentence in told)


def test_what_is_only_prepared_ends_with_what_is_approved() -> None:
    assert path_of(Procedure.COMMUNITY, proposes=True)[-1].word == State.ASSIGNABLE.plain
