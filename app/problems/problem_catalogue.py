"""Every declared refusal, by the tables they stand in."""

from types import ModuleType
from typing import NamedTuple

from app.problems import (
    assigned_name_codes,
    operation_codes,
    page_codes,
    publication_codes,
    transport_codes,
    use_case_codes,
)
from app.problems.identifier_codes import ARK_CODES, NAME_CODES, URN_CODES
from app.problems.problem_codes import ProblemCode


class ProblemSection(NamedTuple):
    """Refusals that people meet at one place, under one heading."""

    heading: str
    codes: tuple[ProblemCode, ...]


def _declared(table: ModuleType) -> tuple[ProblemCode, ...]:
    return tuple(row for row in vars(table).values() if isinstance(row, ProblemCode))


SECTIONS = (
    ProblemSection("Forms and requests", _declared(use_case_codes)),
    ProblemSection("Identifiers under a prefix", _declared(assigned_name_codes)),
    ProblemSection("Pages", _declared(page_codes)),
    ProblemSection("Published files and resolution", _declared(publication_codes)),
    ProblemSection("The server", _declared(transport_codes)),
    ProblemSection("Invalid URNs", tuple(URN_CODES.values())),
    ProblemSection("Invalid ARKs", tuple(ARK_CODES.values())),
    ProblemSection("Identifiers that can’t be assigned", tuple(NAME_CODES.values())),
    ProblemSection("Operator commands", _declared(operation_codes)),
)
CODES = {row.code: row for section in SECTIONS for row in section.codes}
