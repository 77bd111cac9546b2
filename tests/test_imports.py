"""Imports: no circle among the modules, and none of what is not there, in code kept as text too."""

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from tests.conftest import ROOT

_IN_TEXT = re.compile(r"^[\s\"'`]*from (app(?:\.\w+)+) import ([\w, ]+)", re.MULTILINE)
_MODULES = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted((ROOT / "app").rglob("*.py"))
}


def imported_by(module: str, text: str) -> set[str]:
    """Which modules of the software a module imports while it is imported itself."""
    return {one for one in _asked(module, ast.parse(text)) if one in _MODULES and one != module}


def _asked(module: str, tree: ast.Module) -> Iterator[str]:
    package = module if _MODULES[module].stem == "__init__" else module.rpartition(".")[0]
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: -node.level + 1 or None] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            inner = [f"{origin}.{name.name}" for name in node.names]
            # what is imported from a room may be a module, or a name of its own
            modules = [one for one in inner if one in _MODULES]
            yield from modules if len(modules) == len(inner) else [*modules, origin]


def circle_among(graph: dict[str, set[str]]) -> list[str]:
    """Modules of which each imports the next, and the last the first; none where there are none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    # whichever comes first would find half of another, which hangs on who is asked for what
    graph = {name: imported_by(name, file.read_text()) for name, file in _MODULES.items()}
    assert circle_among(graph) == []


def test_a_circle_would_be_found() -> None:
    assert circle_among({"a": {"b"}, "b": {"c"}, "c": {"a"}})


@pytest.mark.parametrize("room", ["tests", "docs", "migrations"])
def test_what_code_in_a_text_imports_is_there(room: str) -> None:
    missing = [
        f"{file.relative_to(ROOT)}: {module}.{name}"
        for file in _texts(ROOT / room)
        for module, names in _IN_TEXT.findall(file.read_text())
        for name in re.findall(r"\w+", names.partition(" as ")[0])
        if module in _MODULES and not _has(module, name)
    ]
    assert missing == []


def _texts(room: Path) -> Iterator[Path]:
    yield from (file for file in sorted(room.rglob("*")) if file.suffix in {".py", ".md"})


def _has(module: str, name: str) -> bool:
    return f"{module}.{name}" in _MODULES or hasattr(import_module(module), name)
