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

WORDS = {
    "app/pages/text/next_steps.py": "    State.WITH_REQUESTER: ",
    "app/web/actions/request_wording.py": "    State.WITH_REQUESTER: ",
    "app/web/actions/request_steps.py": "    State.IESG_RECOGNITION: (",
}
PLACES = (
    PiecePlace("app/workflow/states.py", "    WITH_REQUESTER = ("),
    PiecePlace(
        "app/workflow/transitions.py", "    _sent_back(S.VALIDATING_REQUEST, A.RETURN, R.OPERATOR"
    ),
    PiecePlace("tests/workflow/expected.py", "validating-request | return | operator"),
    *(PiecePlace(file, before) for file, before in WORDS.items()),
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
    missing = {place.file: (piece, place) for piece, place in rest if place.file in WORDS}
    load = LOAD.format(modules=[*map(_module, WORDS)])
    while missing:
        told = run_there(folder, "-c", load).stdout.splitlines()[-1]
        assert "has no row for State.PUT_OFF" in told
        assert "docs/how-to/add-a-state.md" in told
        (file,) = (file for file in missing if f"of {_module(file)} " in told)
        put_piece(folder, *missing.pop(file))
    loaded = run_there(folder, "-c", load)
    assert (loaded.stdout, loaded.stderr) == ("", "")
