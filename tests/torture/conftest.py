"""How often the tests of this folder do what they do."""

import os

WHOLE = os.environ.get("TORTURE") == "yes"


def rounds(whole: int, least: int) -> int:
    """The full count for `make torture`, else the least that fails on a broken build."""
    return whole if WHOLE else least
