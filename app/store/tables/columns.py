"""Kinds of column that several tables share."""

from collections.abc import Iterable
from enum import StrEnum

from sqlalchemy import CheckConstraint


def enum_check(column: str, words: Iterable[StrEnum]) -> CheckConstraint:
    """A CHECK that a column holds a word of an enumeration, which stays the one list."""
    return CheckConstraint(f"{column} IN ({_listed(words)})", name=column)


def presence_check(column: str, state: str, words: Iterable[StrEnum]) -> CheckConstraint:
    """A CHECK that a column is filled in exactly where another holds one of these words."""
    rule = f"({column} IS NOT NULL) = ({state} IN ({_listed(words)}))"
    return CheckConstraint(rule, name=f"{column}_present")


def _listed(words: Iterable[StrEnum]) -> str:
    return ", ".join("'" + word.value.replace("'", "''") + "'" for word in words)


def folded_ascii_check(column: str) -> tuple[CheckConstraint, CheckConstraint]:
    """CHECKs that a name stands in the form in which names are compared, one per database."""
    octets = {"sqlite": f"length(CAST({column} AS BLOB))", "postgresql": f"octet_length({column})"}
    sqlite, postgresql = (
        CheckConstraint(
            f"{column} = lower({column}) AND length({column}) = {length}", name=column
        ).ddl_if(dialect=dialect)
        for dialect, length in octets.items()
    )
    return sqlite, postgresql
