"""A state is its member, its moves and its words: the recipe is followed in a copy."""

from pathlib import Path

from tests.how_to.recipes import (
    PiecePlace,
    copy_software,
    follow,
    pieces_of,
    put_piece,
    run_there,
    try_there,
)
from tests.how_to.test_add_an_action import PLACES as OF_ACTION

_STATUS = "app/services/request_status/request_status.py"
WORDS = {
    "_NEXT": PiecePlace(_STATUS, '    State.WITH_REQUESTER: "The registrant'),
    "_HEADLINES": PiecePlace(_STATUS, '    State.WITH_REQUESTER: "Waiting'),
    "_STEPS_OF": PiecePlace("app/web/actions/request_steps.py", "    State.IESG_RECOGNITION: ("),
}
PLACES = (
    PiecePlace("app/workflow/states.py", "    WITH_REQUESTER = ("),
    PiecePlace(
        "app/workflow/transitions.py", "    _sent_back(S.VALIDATING_REQUEST, A.RETURN, R.OPERATOR"
    ),
    PiecePlace("tests/workflow/expected.py", "validating-request | return | operator"),
    *WORDS.values(),
    PiecePlace("app/workflow/deadlines.py", '        "informal/expert-review": 14,'),
    PiecePlace("tests/workflow/test_states.py", "OURS = {", replaces=True),
    PiecePlace("tests/workflow/test_states.py", "        State.ASSIGNABLE,\n"),
    PiecePlace(
        "tests/workflow/test_engine.py",
        "        (_case(S.NEW), {R.OPERATOR}, (A.TAKE,)),",
        replaces=True,
    ),
)
LOAD = """
from importlib import import_module
for module in {modules}:
    try:
        import_module(module)
    except LookupError as error:
        print(error)
        break
"""


def _module(file: str) -> str:
    return file.removesuffix(".py").replace("/", ".")


def test_a_state_is_its_member_its_moves_its_words_and_what_is_expected(tmp_path: Path) -> None:
    folder = copy_software(tmp_path)
    follow(folder, "An action", OF_ACTION)
    follow(folder, "A state", PLACES)
    done = try_there(folder, "tests/workflow")
    assert done.returncode == 0, done.stdout[-3000:]


def test_a_state_without_words_is_refused_before_any_page_is_shown(tmp_path: Path) -> None:
    """The first table that misses it hides the others: each gets its row in turn."""
    folder = copy_software(tmp_path)
    of_states, *rest = zip(pieces_of("A state"), PLACES, strict=True)
    put_piece(folder, *of_states)
    words = {place: piece for piece, place in rest}
    missing = {table: (words[place], place) for table, place in WORDS.items()}
    load = LOAD.format(modules=[_module(place.file) for place in WORDS.values()])
    while missing:
        told = run_there(folder, "-c", load).stdout.splitlines()[-1]
        assert "has no row for State.PUT_OFF" in told
        assert "docs/how-to/add-a-state.md" in told
        (table,) = (table for table in missing if f"{table} of " in told)
        put_piece(folder, *missing.pop(table))
    loaded = run_there(folder, "-c", load)
    assert (loaded.stdout, loaded.stderr) == ("", "")
