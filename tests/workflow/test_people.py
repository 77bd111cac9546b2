"""Nobody decides alone, and nobody decides their own request."""

import pytest

from app.registration.records.organization_names import are_alike
from app.workflow.separation_of_duties import (
    ConflictOfInterest,
    Parties,
    SeparationOfDuties,
    conflicts_of,
    who_may_decide,
    who_may_enter_appeal,
    who_may_register,
    without_judging,
)
from app.workflow.states import Role

PARTIES = Parties(
    authors=frozenset({"ann", "bob"}),
    organization="Example  Society",
    interested=frozenset({"ida"}),
    recused=frozenset({"rex"}),
)
OPERATORS = {"ann", "eve", "oli"}


@pytest.mark.parametrize(
    ("people", "may"),
    [(3, {"oli"}), (2, {"eve", "oli"}), (1, {"ann", "eve", "oli"})],
)
def test_who_wrote_who_approved_and_who_registers(people: int, may: set[str]) -> None:
    found = who_may_register(
        OPERATORS, authors=["ann"], approvers=["eve"], rule=SeparationOfDuties(people)
    )
    assert found == may


@pytest.mark.parametrize(
    ("people", "may"),
    [(3, {"eve", "oli"}), (2, {"eve", "oli"}), (1, {"ann", "eve", "oli"})],
)
def test_who_wrote_a_request_does_not_decide_it_as_an_operator(people: int, may: set[str]) -> None:
    assert who_may_decide(OPERATORS, authors=["ann"], rule=SeparationOfDuties(people)) == may


def test_three_people_are_the_default() -> None:
    assert who_may_register(OPERATORS, authors=["ann"], approvers=["eve"]) == {"oli"}
    assert who_may_register({"eve"}, authors=[], approvers=["eve", "exa"]) == frozenset()


@pytest.mark.parametrize(
    ("expert", "organization", "found"),
    [
        ("ann", "", (ConflictOfInterest.AUTHOR,)),
        ("bob", "", (ConflictOfInterest.AUTHOR,)),
        ("eve", " example society ", (ConflictOfInterest.ORGANIZATION,)),
        ("eve", "EXAMPLE SOCIETY", (ConflictOfInterest.ORGANIZATION,)),
        ("ida", "", (ConflictOfInterest.INTEREST,)),
        ("rex", "", (ConflictOfInterest.RECUSED,)),
        ("ann", "Example Society", (ConflictOfInterest.AUTHOR, ConflictOfInterest.ORGANIZATION)),
        ("eve", "Another Society", ()),
        ("eve", "", ()),
    ],
)
def test_every_conflict_is_named(
    expert: str, organization: str, found: tuple[ConflictOfInterest, ...]
) -> None:
    assert conflicts_of(expert, PARTIES, organization=organization) == found


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Org Same", "Org Same Ltd.", True),
        ("Org Same", "ORG-SAME, Inc.", True),
        ("The Quokka Society e.V.", "Quokka Society", True),
        ("Bär & Co. KG", "Bar", True),
        ("Quokka Society", "Quoka Society", True),
        ("Quokka Society", "Quokka Societies", False),
        ("Quokka Society", "Wombat Society", False),
        ("BBCX", "BBCY", False),
        ("BBCXX", "BBCXY", True),
        ("Committee 46", "Committee 47", False),
        ("Limited", "Limited Ltd", True),
        ("", "", False),
        ("Ltd.", "", False),
    ],
)
def test_organizations_that_differ_by_a_legal_form_or_a_letter_are_asked_about(
    one: str, other: str, alike: bool
) -> None:
    assert (are_alike(one, other), are_alike(other, one)) == (alike, alike)


@pytest.mark.parametrize(
    ("people", "may"), [(3, {"eve"}), (2, {"eve", "oli"}), (1, {"eve", "oli"})]
)
def test_who_judged_a_request_does_not_enter_what_was_decided_on_the_appeal(
    people: int, may: set[str]
) -> None:
    rule = SeparationOfDuties(people)
    assert who_may_enter_appeal({"eve", "oli"}, judges=["oli", "ann"], rule=rule) == may


@pytest.mark.parametrize(
    "written", ["Universite\u0301", "Univer\u00adsité", "Université\u200b", "Ｕniversité"]
)
def test_no_unseen_character_makes_an_expert_of_the_same_organization_a_stranger(
    written: str,
) -> None:
    asked = Parties(authors=frozenset({"ann"}), organization=written)
    found = conflicts_of("eve", asked, organization="Université")
    assert found == (ConflictOfInterest.ORGANIZATION,)


def test_nobody_shares_an_organization_that_is_not_named() -> None:
    unnamed = Parties(authors=frozenset({"ann"}))
    assert conflicts_of("eve", unnamed, organization="") == ()
    assert conflicts_of("eve", unnamed, organization="  ") == ()


def test_an_author_judges_only_where_one_person_is_enough() -> None:
    assert conflicts_of("ann", PARTIES, rule=SeparationOfDuties(2)) == (ConflictOfInterest.AUTHOR,)
    assert conflicts_of("ann", PARTIES, rule=SeparationOfDuties(1)) == ()
    assert conflicts_of("rex", PARTIES, rule=SeparationOfDuties(1)) == (ConflictOfInterest.RECUSED,)


def test_an_expert_with_a_conflict_keeps_every_role_but_the_judging_ones() -> None:
    roles = frozenset(Role)
    assert roles - without_judging(roles) == {Role.EXPERT, Role.LEADER}


def test_every_conflict_tells_the_expert_why() -> None:
    assert all(conflict.sentence.startswith(("You ", "Your ")) for conflict in ConflictOfInterest)
    acts = ConflictOfInterest.AUTHOR.sentence  # said too to whom a name came by a transfer
    assert acts.startswith("You wrote this request or manage it")
