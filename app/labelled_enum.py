"""Words that are kept or sent, each with a label for people: the base of many enums."""

from enum import StrEnum
from typing import Self


class LabelledEnum(StrEnum):
    """A member's value is what is kept, its ``label`` what people read."""

    label: str

    def __new__(cls, value: str, label: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label or value.replace("-", " ").capitalize()
        return member
