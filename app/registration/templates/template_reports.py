"""What a template's text holds, as JSON-ready values, and such values as fields again."""

import json
from dataclasses import asdict
from typing import Any

from app.registration.declarations.registries import TEMPLATE_FIELDS
from app.registration.submissions.submission_rules import InvalidText, fit_text
from app.registration.templates.field_values import (
    asked_nid,
    field_value_diagnostics,
    find_date,
    find_version,
)
from app.registration.templates.template_lint import LintFinding
from app.registration.templates.template_reader import read_template, read_title
from app.registration.templates.text_encodings import DecodedText

_NO_OBJECT = "Send a JSON object with the fields of a template."
_FIELDS = {field.name: field for field in TEMPLATE_FIELDS}


class UnreadableFields(ValueError):
    """JSON that does not hold the fields of a template; the message says what is wrong."""


def template_report(decoded: DecodedText) -> dict[str, Any]:
    """What was read of a template: its style, fields, and what has no place or is odd.

    ``read_as`` gives what the short fields mean, null where nobody knows. Raises nothing.

    Source: RFC 8141 appendix A.
    """
    read = read_template(decoded.text)
    day = find_date(read.fields.get("date", ""))
    odd = (*decoded.problems, *read.problems, *field_value_diagnostics(read.fields, read.parts))
    return {
        "style": str(read.style),
        "title": read.title,
        "fields": read.fields,
        "unplaced": [asdict(piece) for piece in read.unplaced],
        "problems": [asdict(one) for one in sorted(odd, key=lambda one: one.line)],
        "parts": [
            {
                "field": part.field or None,
                "heading": part.heading,
                "line": part.line,
                "last_line": part.last_line,
            }
            for part in read.parts
        ],
        "read_as": {
            "namespace_identifier": asked_nid(read.fields.get("namespace_identifier", "")) or None,
            "version": find_version(read.fields.get("version", "")),
            "date": day and day.isoformat(),
        },
        "encoding": decoded.encoding,
    }


def lint_report(file: str, found: LintFinding) -> dict[str, Any]:
    """One thing that was found in a file."""
    return {"file": file, **asdict(found), "is_problem": found.is_problem}


def fields_in(text: str) -> dict[str, str]:
    """The fields of a template that a JSON text holds, alone or as ``template_report`` gives them.

    Raises UnreadableFields for what is no JSON object, a field that the template has not, one
    that is told twice, and a value that is no text or that no field takes.
    """
    read = _object_in(text)
    held = read.get("fields", read)
    if not isinstance(held, dict):
        raise UnreadableFields(_NO_OBJECT)
    return {name: _fitted(name, value) for name, value in held.items()}


def report_title(text: str) -> str:
    """The title in a JSON text as ``template_report`` gives it; empty where it has none.

    Raises UnreadableFields for what is no JSON object, and for a title that no template has, since
    it would be read as something else.
    """
    read = _object_in(text)
    title = read.get("title", "") if "fields" in read else ""
    if title and (not isinstance(title, str) or read_title(title) != title):
        raise UnreadableFields("The title must be one line of text.")
    return title


def _object_in(text: str) -> dict[str, Any]:
    try:
        read = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UnreadableFields(f"Not valid JSON: {error}.") from error
    if not isinstance(read, dict):
        raise UnreadableFields(_NO_OBJECT)
    return read


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a member appears twice in one object")
    return dict(pairs)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _fitted(name: str, value: object) -> str:
    if name not in _FIELDS:
        known = ", ".join(_FIELDS)
        raise UnreadableFields(f"Templates have no field {name[:40]!a}. Use {known}.")
    if not isinstance(value, str):
        raise UnreadableFields(f"{name} must be text.")
    try:
        return fit_text(_FIELDS[name], value)
    except InvalidText as error:
        raise UnreadableFields(str(error)) from error
