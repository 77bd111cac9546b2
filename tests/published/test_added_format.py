"""A format is a row and a module: the recipe is followed, and nothing else is to be changed."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import app
from app.exports.formats.exporters import FORMATS
from app.registration.declarations import formats
from app.registration.declarations.formats import Format

APP = Path(app.__file__ or "").parent
ROOT = APP.parent
ROWS = Path(formats.__file__ or "")
MOST = 2  # of which a document's own links may speak: the list of editions has XML and JSON

RECIPE = ROOT / "docs" / "how-to" / "add-a-format.md"
LISTING = ("json", "namespace", "rdf", "txt")
ABOUT_ALL = (
    "the_head_says_what_the_registry_is",
    "a_record_has_a_file_in_each_form",
    "a_change_of_the_record_or_of_its_person",
    "a_name_alone_has_its_own_statements",
    "a_former_name_alone_says_so",
    "the_page_has_ianas_order",
)


def test_a_format_more_is_a_row_and_a_module(tmp_path: Path) -> None:
    row, module = re.findall(r"```\n(.*?)```", RECIPE.read_text(encoding="utf-8"), re.DOTALL)
    ignored = shutil.ignore_patterns("*.pyc.*")  # what is compiled goes along, to save seconds
    grown = shutil.copytree(APP, tmp_path / "app", ignore=ignored)
    for folder in ("templates", "static"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    rows, last = grown / ROWS.relative_to(APP), "    JSONLD = "
    text = rows.read_text()
    rows.write_text(text.replace(last, row + last))
    (grown / "exports" / "formats" / "names.py").write_text(module)
    done = _run_there(tmp_path, "tests.published.added_format", str(tmp_path))
    assert done.returncode == 0, done.stderr
    # what tests say of all forms follows the row; they are found by path, and so is the copy
    files = [str(ROOT / "tests" / "exports" / f"test_{name}.py") for name in LISTING]
    alone = ("--noconftest", "--import-mode=importlib", "-n0", "-p", "no:cacheprovider", "-q")
    done = _run_there(tmp_path, "pytest", *alone, "-k", " or ".join(ABOUT_ALL), *files)
    assert done.returncode == 0, done.stdout[-3000:]
    assert f"{len(ABOUT_ALL)} passed" in done.stdout


def _run_there(folder: Path, module: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", module, *words],
        env=os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_format_has_one_module_that_is_called_after_its_suffix() -> None:
    assert list(FORMATS) == list(Format)
    rows = {
        file.stem
        for file in (APP / "exports" / "formats").glob("*.py")
        if "\nFORMAT = ExportFormat(" in file.read_text()
    }
    assert rows == set(map(str, Format))
    assert len({form.media_type for form in Format}) == len(Format)
    assert all(form.media_type and form.label for form in Format)


def test_nothing_but_the_rows_lists_suffixes_or_media_types_of_formats() -> None:
    tables = [
        f"{file.relative_to(ROOT)}: {ast.unparse(node)}"
        for file in sorted(APP.rglob("*.py"))
        if file != ROWS
        for node in ast.walk(ast.parse(file.read_text()))
        if len(set(_formats_in(node))) > MOST
    ]
    assert tables == []


def _formats_in(node: ast.AST) -> Iterator[Format]:
    """The formats that a table in the source names, by member, suffix or media type."""
    if isinstance(node, ast.Dict):
        parts = [*filter(None, node.keys), *node.values]
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        parts = [*node.elts]
    else:
        return
    for part in parts:
        if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "Format":
            yield Format[part.attr]
        elif isinstance(part, ast.Constant):
            yield from (f for f in Format if part.value in (str(f), f.media_type, f.bare_type))
