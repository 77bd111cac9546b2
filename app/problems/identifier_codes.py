"""Faults in the syntax of URNs, ARKs and identifiers to be minted, one row for each."""

from collections.abc import Iterator

from app.identifiers.errors import InvalidARK, InvalidIdentifier, InvalidURN
from app.problems.problem_codes import ProblemCode, ProblemKind

_NAMESTRING = "RFC 8141 section 2"
_PERCENT = "RFC 3986 section 2.1"
_ARK = "The ARK URI scheme section"
_FIX = "Correct the text at the given position."

# the part a fault is in, the words for it, the section
_URN_PARTS = (
    ("nss", "NSS", f"{_NAMESTRING}.2"),
    ("r_component", "r-component", f"{_NAMESTRING}.3.1"),
    ("q_component", "q-component", f"{_NAMESTRING}.3.2"),
    ("f_component", "f-component", f"{_NAMESTRING}.3.3"),
)
_URN_FAULTS = {
    "scheme": "Missing urn:",
    "nid_missing": "Missing NID",
    "nid_too_short": "NID too short",
    "nid_too_long": "NID too long",
    "nid_hyphen": "Hyphen at the start or end of the NID",
    "nid_character": "Invalid character in the NID",
    "question_mark": "Question mark without a component",
}
_ARK_FAULTS = {
    "scheme": ("Missing ark:", f"{_ARK} 4"),
    "too_long": ("ARK too long", f"{_ARK} 7.1.1"),
    "naan_encoded": ("Encoded character in the NAAN", f"{_ARK} 4"),
    "variant_slash": ("Component after a variant", f"{_ARK} 4"),
}
_ARK_STRUCTURE = {"naan": "NAAN", "name": "Name", "component": "component", "variant": "variant"}
_ARK_RUNS = {
    **{part: label for part, label in _ARK_STRUCTURE.items() if part != "naan"},
    "query": "query",
    "fragment": "fragment",
}


def _row(code: str, title: str, source: str) -> ProblemCode:
    return ProblemCode(code, ProblemKind.UNREADABLE, title, source, _FIX)


def _urn_rows() -> Iterator[ProblemCode]:
    for code, title in _URN_FAULTS.items():
        yield _row(code, title, _NAMESTRING)
    for part, label, source in _URN_PARTS:
        yield _row(f"{part}_character", f"Invalid character in the {label}", source)
        yield _row(f"{part}_percent", f"Incomplete percent-encoding in the {label}", _PERCENT)
        if part != "f_component":
            yield _row(f"{part}_missing", f"Empty {label}", source)
            yield _row(f"{part}_start", f"Invalid first character of the {label}", source)


def _ark_rows() -> Iterator[ProblemCode]:
    for code, (title, source) in _ARK_FAULTS.items():
        yield _row(f"ark_{code}", title, source)
    for part, label in _ARK_STRUCTURE.items():
        yield _row(f"ark_{part}_missing", f"Empty {label}", f"{_ARK} 4")
        yield _row(f"ark_{part}_hyphens", f"Only hyphens in the {label}", f"{_ARK} 6")
    for part, label in {"naan": "NAAN", **_ARK_RUNS}.items():
        yield _row(f"ark_{part}_character", f"Invalid character in the {label}", f"{_ARK} 4")
        yield _row(f"ark_{part}_percent", f"Incomplete percent-encoding in the {label}", _PERCENT)
    for part, label in _ARK_RUNS.items():
        yield _row(f"ark_{part}_invisible", f"Invisible character in the {label}", f"{_ARK} 8.1")


_NAME_FAULTS = {
    "scheme": ("Unknown scheme", "RFC 3986 section 3.1"),
    "query": ("Query after the identifier", f"{_ARK} 3.4"),
    "component": ("Component after the identifier", f"{_NAMESTRING}.3"),
    "too_long": (
        "Identifier too long",
        "Rule of this registry: an identifier has at most 1,024 characters",
    ),
}


def _name_rows() -> Iterator[ProblemCode]:
    for code, (title, source) in _NAME_FAULTS.items():
        yield _row(f"assigned_name_{code}", title, source)


URN_CODES = {row.code: row for row in _urn_rows()}
ARK_CODES = {row.code: row for row in _ark_rows()}
NAME_CODES = {row.code: row for row in _name_rows()}
_TABLES: tuple[tuple[type[InvalidIdentifier], str, dict[str, ProblemCode]], ...] = (
    (InvalidURN, "", URN_CODES),
    (InvalidARK, "ark_", ARK_CODES),
    (InvalidIdentifier, "assigned_name_", NAME_CODES),  # last: the others are kinds of it
)


def code_of(error: InvalidIdentifier) -> ProblemCode:
    """The row of a refused identifier. KeyError for a fault without one, which a test forbids."""
    prefix, rows = next((name, rows) for cls, name, rows in _TABLES if isinstance(error, cls))
    return rows[f"{prefix}{error.code}"]
