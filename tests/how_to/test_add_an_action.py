"""An action is a row, its moves, a mail and what is expected: the recipe is followed in a copy."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

RECIPE = ROOT / "docs" / "how-to" / "add-a-state.md"
# Where each piece of the recipe goes: before a line of a file, which stands there once.
PLACES = (
    ("app/workflow/actions.py", "    WITHDRAW = ActionRow("),
    ("app/workflow/transitions.py", "    _sent_back(S.VALIDATING_REQUEST, A.RETURN, R.OPERATOR"),
    ("templates/mail/actions/postpone.txt", ""),
    ("tests/workflow/expected.py", "validating-request | return | operator"),
)
WALKS = "exactly_where or told_is_enough or every_action or mail_has or what_is_told_of"


def _copy(folder: Path) -> Path:
    """The software and the tests of the workflow, to be changed; all other tests by a link."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("app", "templates", "tests/workflow"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for one in (ROOT / "tests").iterdir():
        if one.name not in ("workflow", "__pycache__"):
            (folder / "tests" / one.name).symlink_to(one)
    for name in ("static", "migrations", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def _add(file: Path, piece: str, before: str) -> None:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    assert text.count(before) == 1
    file.write_text(text.replace(before, piece + before), encoding="utf-8")


def _walked(folder: Path) -> subprocess.CompletedProcess[str]:
    files = [f"tests/workflow/{name}.py" for name in ("test_tables", "test_actions")]
    quiet = ["-q", "-n0", "-p", "no:cacheprovider", "--rootdir", str(folder), "-k", WALKS]
    return subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *quiet, *files],
        env=os.environ | {"PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("pieces", [len(PLACES), len(PLACES) - 1], ids=["whole", "unexpected"])
def test_an_action_is_its_row_its_moves_its_mail_and_what_is_expected(
    tmp_path: Path, pieces: int
) -> None:
    texts = re.findall(r"```\n(.*?)```", RECIPE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(texts) == len(PLACES)
    folder = _copy(tmp_path)
    for text, (file, before) in list(zip(texts, PLACES, strict=True))[:pieces]:
        _add(folder / file, text, before)
    done = _walked(folder)
    assert (done.returncode == 0) == (pieces == len(PLACES)), done.stdout[-3000:]
    assert ("Action.POSTPONE" in done.stdout) or done.returncode == 0
