"""The table of refusals: each is declared once, used, and has its document and its page."""

import ast
import json
from collections.abc import Callable, Iterator
from functools import cache
from http import HTTPStatus
from pathlib import Path

import pytest

from app.assigned_names.name_schemes import read_assigned_name
from app.identifiers.ark import parse_ark
from app.identifiers.errors import InvalidIdentifier
from app.identifiers.urn import parse_urn
from app.problems import (
    assigned_name_codes,
    identifier_codes,
    operation_codes,
    page_codes,
    publication_codes,
    transport_codes,
    use_case_codes,
)
from app.problems.problem_catalogue import CODES, SECTIONS
from app.problems.problem_codes import ProblemCode, ProblemKind
from app.problems.problem_documents import STATUS, problem_document, status_of
from app.published.http.http_exchange import HttpRequest
from app.published.http.problems import Problem, problem_answer

APP = Path(__file__).resolve().parents[2] / "app"
TABLES = {
    table.__name__.rpartition(".")[2]: table
    for table in (
        assigned_name_codes,
        operation_codes,
        page_codes,
        publication_codes,
        transport_codes,
        use_case_codes,
    )
}
KINDS = {
    "NotFound": {ProblemKind.NOT_FOUND},
    "NotAllowed": {ProblemKind.NOT_ALLOWED},
    "EditConflict": {ProblemKind.CONFLICT},
    "IdempotencyConflict": {ProblemKind.CONFLICT},
    "NameUnavailable": {ProblemKind.CONFLICT},
    "InvalidInput": {ProblemKind.INVALID},
    "InvalidFact": {ProblemKind.INVALID},
    "ProcedureChangeRefused": {ProblemKind.INVALID},
    "RateLimitExceeded": {ProblemKind.TOO_OFTEN},
    "CapacityExhausted": {ProblemKind.BUSY},
    "DivergenceRefusal": {ProblemKind.BUSY},
}
URNS = {
    "scheme": "um:a",
    "nid_missing": "urn:",
    "nid_too_short": "urn:a:b",
    "nid_too_long": f"urn:{'a' * 33}:b",
    "nid_hyphen": "urn:-ab:c",
    "nid_character": "urn:a_b:c",
    "nss_missing": "urn:ab:",
    "nss_start": "urn:ab:/c",
    "nss_character": "urn:ab:c d",
    "nss_percent": "urn:ab:c%",
    "question_mark": "urn:ab:c?d",
    **{
        f"{part}_component_{fault}": f"urn:ab:c{mark}{text}"
        for part, mark in (("r", "?+"), ("q", "?="))
        for fault, text in (("missing", ""), ("start", "/"), ("character", "a b"), ("percent", "%"))
    },
    "f_component_character": "urn:ab:c# ",
    "f_component_percent": "urn:ab:c#%",
}
NAMES = {
    "scheme": "doi:10.1/x",
    "query": "ark:12345/x5?info",
    "component": "urn:example:a#b",
    "too_long": f"urn:example:{'x' * 1_100}",
}
ARKS = {
    "scheme": "art:12345/x",
    "too_long": f"ark:12345/{'x' * 100_000}",
    "naan_missing": "ark:/",
    "naan_hyphens": "ark:--/x",
    "naan_character": "ark:é/x",
    "naan_percent": "ark:1%/x",
    "naan_encoded": "ark:1%41/x",
    "variant_slash": "ark:12345/x.v/c",
    "query_character": "ark:12345/x? ",
    "query_percent": "ark:12345/x?%",
    "query_invisible": "ark:12345/x?\u200b",
    "fragment_character": "ark:12345/x# ",
    "fragment_percent": "ark:12345/x#%",
    "fragment_invisible": "ark:12345/x#\u200b",
    **{
        f"{part}_{fault}": f"ark:12345/{before}{text}"
        for part, before in (("name", ""), ("component", "x/"), ("variant", "x."))
        for fault, text in (
            ("missing", "/y"),
            ("hyphens", "--"),
            ("character", " "),
            ("percent", "%"),
            ("invisible", "\u200b"),
        )
    },
}


PARSERS: dict[str, Callable[[str], object]] = {
    "": parse_urn,
    "ark": parse_ark,
    "assigned_name": read_assigned_name,
}


def met(kind: str, text: str) -> InvalidIdentifier:
    with pytest.raises(InvalidIdentifier) as refused:
        parsers: dict[str, Callable[[str], object]] = {
            "ark": parse_ark,
            "assigned_name": read_assigned_name,
            "": parse_urn,
        }
        parsers[kind](text)
    return refused.value


@pytest.mark.parametrize(
    ("kind", "texts", "declared"),
    [
        ("", URNS, identifier_codes.URN_CODES),
        ("ark", ARKS, identifier_codes.ARK_CODES),
        ("assigned_name", NAMES, identifier_codes.NAME_CODES),
    ],
    ids=["urn", "ark", "name"],
)
def test_every_fault_of_an_identifier_is_drawn_and_declared(
    kind: str, texts: dict[str, str], declared: dict[str, ProblemCode]
) -> None:
    prefix = f"{kind}_" if kind else ""
    drawn = {name: met(kind, text) for name, text in texts.items()}
    assert {name: error.code for name, error in drawn.items()} == {name: name for name in texts}
    assert {f"{prefix}{name}" for name in texts} == set(declared)
    for error in drawn.values():
        assert identifier_codes.code_of(error).source == error.source
        assert error.position is not None


def test_each_code_stands_once_and_says_what_to_do() -> None:
    assert sum(len(section.codes) for section in SECTIONS) == len(CODES)
    assert set(STATUS) == set(ProblemKind)
    for row in CODES.values():
        assert row.code == row.code.lower()
        assert row.code.replace("_", "").isalnum()
        assert row.title
        assert row.source
        assert row.remedy.endswith(".")
        assert status_of(row) >= HTTPStatus.BAD_REQUEST


def test_every_declared_code_is_used_and_no_other_is() -> None:
    named = {
        (node.value.id, node.attr)
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in TABLES
    }
    declared = {
        (name, constant)
        for name, table in TABLES.items()
        for constant, row in vars(table).items()
        if isinstance(row, ProblemCode)
    }
    assert named == declared


def test_a_refusal_is_made_with_a_code_of_its_kind() -> None:
    wrong = [
        f"{call.lineno}: {ast.unparse(call)[:80]}"
        for tree in trees()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and _name_of(call.func) in KINDS
        if not _is_of_its_kind(call)
    ]
    assert wrong == []


def test_codes_are_declared_in_their_tables_alone() -> None:
    assert not any(
        isinstance(node, ast.Call) and _name_of(node.func) == "ProblemCode"
        for tree in trees()
        for node in ast.walk(tree)
    )


def _is_of_its_kind(call: ast.Call) -> bool:
    kinds = KINDS[_name_of(call.func)]
    given = [row for arg in call.args if (row := _row_of(arg))]
    if _name_of(call.func) == "InvalidFact":  # its code is of one kind unless it says another
        return all(row.kind in kinds for row in given)
    return bool(given) and given[0].kind in kinds


def _row_of(node: ast.expr) -> ProblemCode | None:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        table = TABLES.get(node.value.id)
        row = getattr(table, node.attr, None)
        return row if isinstance(row, ProblemCode) else None
    return None


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


@cache
def trees() -> tuple[ast.Module, ...]:
    """The code of the software but the tables themselves."""
    return tuple(_read())


def _read() -> Iterator[ast.Module]:
    for path in sorted(APP.rglob("*.py")):
        if path.parent.name != "problems":
            yield ast.parse(path.read_text())


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_both_planes_write_one_document(code: ProblemCode) -> None:
    request = HttpRequest("GET", "/x", "/x", "", {})
    answer = problem_answer(Problem(code, "So it is."), request)
    assert answer.status == status_of(code)
    assert answer.body == problem_document(code, status_of(code), "So it is.")
    assert isinstance(answer.body, bytes)
    assert json.loads(answer.body) == {
        "type": f"/problems/{code.code}",
        "title": code.title,
        "status": int(status_of(code)),
        "detail": "So it is.",
        "code": code.code,
        "source": code.source,
    }
