"""What somebody may do under a prefix."""

from app.labelled_enum import LabelledEnum

__all__ = ["PrefixRole"]


class PrefixRole(LabelledEnum):
    """A delegate gives names; a holder also says who else does, and what is promised of them."""

    HOLDER = "holder", "Holder"
    DELEGATE = "delegate", "Delegate"
