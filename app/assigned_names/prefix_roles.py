"""Roles under a prefix."""

from app.labelled_enum import LabelledEnum

__all__ = ["PrefixRole"]


class PrefixRole(LabelledEnum):
    """A delegate assigns identifiers; an owner also decides on delegates and settings."""

    HOLDER = "holder", "Owner"
    DELEGATE = "delegate", "Delegate"
