"""Kinds of column that several tables share."""

from enum import StrEnum

from sqlalchemy import CheckConstraint


def one_of(column: str, words: type[StrEnum], name: str | None = None) -> CheckConstraint:
    """A CHECK that a column holds a word of the enumeration, which stays the one list."""
    listed = ", ".join("'" + word.value.replace("'", "''") + "'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=name or column)


def folded_ascii(column: str) -> tuple[CheckConstraint, CheckConstraint]:
    """CHECKs that a name stands in the form in which names are compared, one per database.

    Anything outside ASCII is longer in octets than in characters.
    """
    octets = {"sqlite": f"length(CAST({column} AS BLOB))", "postgresql": f"octet_length({column})"}
    sqlite, postgresql = (
        CheckConstraint(
            f"{column} = lower({column}) AND length({column}) = {length}", name=column
        ).ddl_if(dialect=dialect)
        for dialect, length in octets.items()
    )
    return sqlite, postgresql
