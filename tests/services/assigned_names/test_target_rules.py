"""The target rule of a prefix: where names lead that have no target of their own."""

import pytest

from app.assigned_names.assigned_name_records import AssignedNameState
from app.problems import assigned_name_codes
from app.services.assigned_names import prefixes
from app.services.assigned_names.name_changes import record_of
from app.services.assigned_names.prefixes import PrefixRules
from app.services.refusals import InvalidInput, Refusal
from app.store.assigned_names import prefix_rows
from app.store.database import transaction
from tests.services.assigned_names.conftest import MASK, NameDesk, revision

RULE = "https://boats.example/${suffix}"
LONG = "https://boats.example/" + 160 * "${pid}"


def _target(desk: NameDesk, name: str) -> str:
    return record_of(desk.known(name)).target


def _say(desk: NameDesk, rule: str) -> None:
    rules = PrefixRules(numbering=MASK, target_rule=rule)
    prefixes.change_prefix(desk.command(), desk.prefix, rules)


def test_a_minted_name_leads_where_the_rule_of_its_prefix_says(desk: NameDesk) -> None:
    made = desk.add("ark:10099/z5", target_rule=RULE)
    (name,) = desk.mint(prefix=made)
    assert _target(desk, name) == f"https://boats.example/{name.removeprefix('ark:10099/z5')}"


def test_a_reserved_name_leads_by_the_rule_once_it_is_public(desk: NameDesk) -> None:
    _say(desk, "https://boats.example/?id=${pid}")
    (name,) = desk.mint(reserved=True)
    assert _target(desk, name) == ""
    desk.change(revision(name, state=AssignedNameState.PUBLIC))
    assert _target(desk, name) == f"https://boats.example/?id={name}"


def test_a_target_of_its_own_comes_before_the_rule_and_stays_when_that_changes(
    desk: NameDesk,
) -> None:
    _say(desk, RULE)
    own, by_rule = desk.mint(2)
    desk.change(revision(own, target="https://own.example/"))
    before = _target(desk, by_rule)
    _say(desk, "https://ships.example/${suffix}")
    assert _target(desk, own) == "https://own.example/"
    assert _target(desk, by_rule) == before
    desk.change(revision(own, target=""))
    assert _target(desk, own).startswith("https://ships.example/")


def test_a_name_that_is_withdrawn_gets_no_target_by_the_rule(desk: NameDesk) -> None:
    (name,) = desk.mint()
    _say(desk, RULE)
    told = {"reason": "Lost.", "since": f"{desk.clock():%Y-%m-%d}"}
    desk.change(revision(name, state=AssignedNameState.WITHDRAWN, **told))
    assert _target(desk, name) == ""


def test_rows_without_a_target_lead_by_the_rule_and_a_row_that_says_nothing_new_changes_nothing(
    desk: NameDesk,
) -> None:
    desk.add("ark:10099/z5", mask="", target_rule="https://boats.example/${value}")
    rows = "name,target\nark:10099/z5a,\nark:10099/z5b,https://own.example/\n"
    assert desk.bring_in(rows, prefix="ark:10099/z5").taken == 2
    assert _target(desk, "ark:10099/z5a") == "https://boats.example/z5a"
    assert _target(desk, "ark:10099/z5b") == "https://own.example/"
    assert desk.bring_in(f"{rows}\n", prefix="ark:10099/z5").same == 2


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("boats.example/${suffix}", "starts with"),
        ("https://${value}.example/", "fixed host"),
        ("https://127.0.0.1/${pid}", "aren't public"),
        ("https://boats.example/${shelf}", "Unknown variable: `shelf`"),
        ("https://boats.example/a b/${pid}", "aren't allowed"),
        (f"https://boats.example/{'a' * 1024}", "1,024 characters"),
        (LONG, "Shorten it to 2,048. Use fewer"),
    ],
)
def test_a_rule_by_which_no_name_can_lead_is_refused_when_it_is_said(
    desk: NameDesk, rule: str, why: str
) -> None:
    with pytest.raises(InvalidInput, match=why) as refused:
        desk.add("ark:10099/z5", target_rule=rule)
    assert refused.value.field == "target_rule"
    with pytest.raises(InvalidInput, match=why):
        _say(desk, rule)


def test_a_rule_whose_targets_are_too_long_meets_no_mint_and_nothing_is_kept(
    desk: NameDesk,
) -> None:
    with transaction():  # as one that was said before such rules were refused
        prefix = prefix_rows.of_id(desk.prefix)
        assert prefix is not None
        prefix.target_rule = LONG
    with pytest.raises(Refusal, match="to 2,048") as refused:
        desk.mint(2)
    assert refused.value.code is assigned_name_codes.TARGET_RULE_MALFORMED
    assert (desk.next_number(), desk.given.next_of("ark:10099/x5")) == (0, 0)
    assert len(desk.mint(2, reserved=True)) == 2


def test_a_rule_that_fills_in_much_is_for_short_names_of_a_prefix_without_a_mask(
    desk: NameDesk,
) -> None:
    desk.add("ark:10099/z5", mask="", target_rule="https://boats.example/" + 100 * "${pid}")
    rows = f"name,target\nark:10099/z5a,\nark:10099/z5{'b' * 20},\n"
    ((line, code, _),) = desk.found(rows, prefix="ark:10099/z5")
    assert (line, code) == (3, "too_long")
