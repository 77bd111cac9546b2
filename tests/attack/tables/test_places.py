"""The table of places is whole: what pages, code, mail and commands take in stands in it."""

import argparse
import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from werkzeug.exceptions import HTTPException

from app.cli import _parser
from app.web.forms import request_forms
from app.workflow.evidence import EvidenceInput
from tests.attack.tables.conftest import Readings
from tests.attack.tables.places import COMMANDS, FIELDS, HEADERS, HIDDEN, MAIL_HEADERS, QUERIES
from tests.attack.tables.routes import place_of
from tests.conftest import ROOT
from tests.web.conftest import World
from tests.web.visitor import Page

ON_SQLITE = pytest.mark.parametrize("make_world", ["sqlite"], indirect=True)
# The fields of a delivery report (RFC 3464), which come as a body of their own.
_OF_REPORTS = {"action", "status", "diagnostic-code", "final-recipient", "original-recipient"}
# Each row of a form has the fields of its first row.
_ROW = re.compile("^(service|references|template|contact)_[0-9]+_")
_PARTS = {"content-id", "preference"}


@ON_SQLITE
def test_every_field_of_every_form_is_in_the_table(world: World, readings: Readings) -> None:
    listed = {"POST": FIELDS, "GET": QUERIES}
    missing = {
        (endpoint, name)
        for reading in readings.shown
        for method, endpoint, name in _fields(world, reading.page)
        if name not in listed[method].get(endpoint, frozenset()) | HIDDEN
    }
    assert sorted(missing) == []


def _fields(world: World, page: Page) -> Iterator[tuple[str, str, str]]:
    """The fields on a page: the method, who answers, the name."""
    if not page.headers.get("Content-Type", "").startswith("text/html"):
        return
    for form in page.each("//form"):
        method = str(form.get("method") or "get").upper()
        for action in {form.get("action") or page.path, *form.xpath(".//@formaction")}:
            endpoint = _endpoint(world, urlsplit(action).path, method)
            for name in form.xpath(".//*[not(self::form)]/@name"):
                yield method, endpoint, _ROW.sub(r"\1_1_", str(name))


def _endpoint(world: World, path: str, method: str) -> str:
    try:
        endpoint, values = world.app.url_map.bind("").match(path, method)
    except HTTPException:
        return path  # nobody's, so that it stands in no table
    section = str(values.get("section", ""))
    return place_of(world, str(endpoint), values.get("number"), section)


@ON_SQLITE
def test_every_route_that_writes_has_its_fields_in_the_table(world: World) -> None:
    rules = world.app.url_map.iter_rules()
    assert {place.partition("/")[0] for place in FIELDS} == {
        rule.endpoint for rule in rules if "POST" in (rule.methods or set())
    }


def test_what_an_action_may_ask_for_is_in_the_table() -> None:
    asked = {ask.value for ask in request_forms.ASKED} | {
        EvidenceInput.PROCEDURE.value,
        request_forms.REASON.name,
    }
    assert asked <= FIELDS["requests.act"]


def test_every_name_that_a_view_reads_itself_is_in_the_table() -> None:
    known = {name for table in (FIELDS, QUERIES) for names in table.values() for name in names}
    known |= HIDDEN | set(HEADERS)
    files = sorted((ROOT / "app" / "web").glob("**/*.py"))
    read = {(file.name, name) for file in files for name in _names_read(file)}
    assert len(read) > 15
    assert sorted(one for one in read if one[1] not in known) == []


def _names_read(file: Path) -> Iterator[str]:
    """What stands in ``request.args.get(...)`` and its like, as a text or a constant."""
    module = importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            source, name = node.func.value, node.args[0]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
            source, name = node.comparators[0], node.left
        else:
            continue
        if _is_of_request(source):
            yield from _constant(name, module)


def _is_of_request(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="request"), attr=taken):
            return taken in {"args", "form", "files", "headers", "values"}
    return False


def _constant(node: ast.expr, module: Any) -> Iterator[str]:
    """A name that is written out, or that a constant of the module holds."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.Name) and isinstance(getattr(module, node.id, None), str):
        yield str(getattr(module, node.id))


def test_every_header_of_mail_that_is_read_is_in_the_table() -> None:
    known = {name.lower() for name in MAIL_HEADERS} | _OF_REPORTS | _PARTS
    read = {name for file in (ROOT / "app/messages").glob("*.py") for name in _mail_headers(file)}
    assert "subject" in read
    assert read - known == set()


def _mail_headers(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="message" | "self" | "entity"), attr=asked),
                args=[ast.Constant(value=str(name))],
            ) if asked in {"get", "all"}:
                yield name.lower()


_FILES = {"file", "text", "nid"}


def test_every_command_that_reads_a_file_is_in_the_table() -> None:
    listed = {" ".join(line.split()[:2]) for line in COMMANDS.splitlines() if line}
    assert {name for name in _commands(_parser(), ()) if name not in listed} == set()


def _commands(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[str]:
    """The commands that take a file, or a text that can come from standard input."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from _commands(inner, (*path, name))
        elif action.dest in _FILES and not action.option_strings:
            yield " ".join(path)
