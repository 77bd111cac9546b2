"""An action is a row, its moves, a mail and what is expected: the recipe is followed in a copy."""

from pathlib import Path

from tests.how_to.recipes import PiecePlace, copy_software, follow, try_there

EXPECTED = "tests/workflow/expected.py"
PLACES = (
    PiecePlace("app/workflow/actions.py", "    WITHDRAW = ActionRow("),
    PiecePlace(
        "app/workflow/transitions.py", "    _sent_back(S.VALIDATING_REQUEST, A.RETURN, R.OPERATOR"
    ),
    PiecePlace("templates/mail/actions/postpone.txt"),
    PiecePlace(EXPECTED, "validating-request | return | operator"),
    PiecePlace(
        "tests/workflow/test_engine.py",
        "            (A.PASS, A.RETURN, A.DECLINE, A.MERGE",
        replaces=True,
    ),
)


def test_an_action_is_its_row_its_moves_its_mail_and_what_is_expected(tmp_path: Path) -> None:
    folder = copy_software(tmp_path)
    follow(folder, "An action", PLACES)
    done = try_there(folder, "tests/workflow")
    assert done.returncode == 0, done.stdout[-3000:]


def test_a_move_that_nobody_expects_is_seen(tmp_path: Path) -> None:
    folder = copy_software(tmp_path)
    follow(folder, "An action", PLACES, but=EXPECTED)
    done = try_there(folder, "tests/workflow/test_tables.py", "-vvv", "-k", "exactly_where")
    assert (done.returncode, "Action.POSTPONE" in done.stdout) == (1, True), done.stdout[-3000:]
