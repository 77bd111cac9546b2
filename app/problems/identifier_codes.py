"""Why a text is no URN, no ARK or no name of either: a row for each fault."""

from collections.abc import Iterator

from app.identifiers.errors import InvalidARK, InvalidIdentifier, InvalidURN
from app.problems.problem_codes import ProblemCode, ProblemKind

_NAMESTRING = "RFC 8141 section 2"
_PERCENT = "RFC 3986 section 2.1"
_ARK = "The ARK URI scheme section"
_MEND = "Mend the text at the position that is named."

# the part a fault is in, the words for it, the section
_URN_PARTS = (
    ("nss", "NSS", f"{_NAMESTRING}.2"),
    ("r_component", "r-component", f"{_NAMESTRING}.3.1"),
    ("q_component", "q-component", f"{_NAMESTRING}.3.2"),
    ("f_component", "f-component", f"{_NAMESTRING}.3.3"),
)
_URN_FAULTS = {
    "scheme": "A URN begins with urn:",
    "nid_missing": "No NID",
    "nid_too_short": "Too short a NID",
    "nid_too_long": "Too long a NID",
    "nid_hyphen": "A hyphen at an end of the NID",
    "nid_character": "A character that no NID has",
    "question_mark": "A question mark that opens no component",
}
_ARK_FAULTS = {
    "scheme": ("An ARK begins with ark:", f"{_ARK} 4"),
    "too_long": ("Too long an ARK", f"{_ARK} 7.1.1"),
    "naan_encoded": ("A NAAN with an encoded character", f"{_ARK} 4"),
    "variant_slash": ("A component after a variant", f"{_ARK} 4"),
}
_ARK_STRUCTURE = {"naan": "NAAN", "name": "Name", "component": "component", "variant": "variant"}
_ARK_RUNS = {
    **{part: label for part, label in _ARK_STRUCTURE.items() if part != "naan"},
    "query": "query",
    "fragment": "fragment",
}


def _row(code: str, title: str, source: str) -> ProblemCode:
    return ProblemCode(code, ProblemKind.UNREADABLE, title, source, _MEND)


def _urn_rows() -> Iterator[ProblemCode]:
    for code, title in _URN_FAULTS.items():
        yield _row(code, title, _NAMESTRING)
    for part, label, source in _URN_PARTS:
        yield _row(f"{part}_character", f"A character that no {label} has", source)
        yield _row(f"{part}_percent", f"A lone percent sign in the {label}", _PERCENT)
        if part != "f_component":
            yield _row(f"{part}_missing", f"An empty {label}", source)
            yield _row(f"{part}_start", f"A character that begins no {label}", source)


def _ark_rows() -> Iterator[ProblemCode]:
    for code, (title, source) in _ARK_FAULTS.items():
        yield _row(f"ark_{code}", title, source)
    for part, label in _ARK_STRUCTURE.items():
        yield _row(f"ark_{part}_missing", f"An empty {label}", f"{_ARK} 4")
        yield _row(f"ark_{part}_hyphens", f"A {label} of hyphens alone", f"{_ARK} 6")
    for part, label in {"naan": "NAAN", **_ARK_RUNS}.items():
        yield _row(f"ark_{part}_character", f"A character that no {label} has", f"{_ARK} 4")
        yield _row(f"ark_{part}_percent", f"A lone percent sign in the {label}", _PERCENT)
    for part, label in _ARK_RUNS.items():
        yield _row(f"ark_{part}_invisible", f"An unseen character in the {label}", f"{_ARK} 8.1")


_NAME_FAULTS = {
    "scheme": ("No scheme that names have here", "RFC 3986 section 3.1"),
    "query": ("A query behind a name", f"{_ARK} 3.4"),
    "component": ("A component behind a name", f"{_NAMESTRING}.3"),
    "too_long": ("Too long a name", "Rule of this registry: a name has 1,024 characters at most"),
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
