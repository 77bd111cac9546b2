"""What the command line and programs get: the answers of this room as JSON objects."""

from collections.abc import Iterable
from dataclasses import asdict

from app.identifiers.errors import InvalidIdentifier, InvalidURN, NidKind
from app.identifiers.nid import NidIndex, check_nid, nid_typed
from app.identifiers.urn import URN, parse_urn, urn_equivalent

_URN_PARTS = (
    "nid",
    "nss",
    "r_component",
    "q_component",
    "f_component",
    "assigned_name",
    "normal_form",
)


def urn_report(text: str) -> dict[str, object]:
    """Tell what a text is as a URN, part by part, or why it is none."""
    urn, error = _read(text)
    return {
        "input": text,
        "valid": error is None,
        **{part: getattr(urn, part, None) for part in _URN_PARTS},
        "rfc2141_valid": urn is not None and urn.rfc2141_valid,
        "error": error and error_report(error),
    }


def normal_form_report(text: str) -> dict[str, object]:
    report = urn_report(text)
    return {key: report[key] for key in ("input", "valid", "normal_form", "error")}


def compare_report(a: str, b: str) -> dict[str, object]:
    """Raises InvalidURN, which keeps the text."""
    return {"equivalent": urn_equivalent(a, b)}


def nid_report(
    text: str, kind: NidKind, registered: NidIndex | Iterable[str] = frozenset()
) -> dict[str, object]:
    """Check a NID and give the report as an object."""
    report = check_nid(nid_typed(text), kind, registered)
    return {
        "input": text,
        "valid": report.valid,
        "kind": report.kind.value,
        "problems": [asdict(finding) for finding in report.problems],
        "advisories": [asdict(finding) for finding in report.advisories],
    }


def error_report(error: InvalidIdentifier) -> dict[str, object]:
    return {key: getattr(error, key) for key in ("code", "message", "position", "source")}


def _read(text: str) -> tuple[URN | None, InvalidURN | None]:
    try:
        return parse_urn(text), None
    except InvalidURN as error:
        return None, error
