"""A field is one row: the recipe is followed in a copy of the software."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

RECIPE = ROOT / "docs" / "how-to" / "add-a-field.md"
ROWS = Path("app/registration/declarations/template_fields.py")
BEFORE = '    Field(\n        name="revision_information",'


def test_a_row_puts_a_field_into_form_page_diff_text_and_exports(tmp_path: Path) -> None:
    row, listed = re.findall(r"```\n(.*?)```", RECIPE.read_text(encoding="utf-8"), re.DOTALL)
    ignored = shutil.ignore_patterns("*.pyc.*")  # what is compiled goes along, to save seconds
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=ignored)
    for folder in ("templates", "static"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    text = (tmp_path / ROWS).read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    (tmp_path / ROWS).write_text(text.replace(BEFORE, row + BEFORE), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.how_to.added_field", str(tmp_path), listed],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
