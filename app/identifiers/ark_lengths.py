"""How long an ARK may be: nothing is refused that the specification protects.

Source: The ARK URI scheme sections 4 and 7.1.1.
"""

import re

PROTECTED = 255
# A character beyond the first plane takes four octets, each of them three characters when encoded.
_ENCODED_AT_MOST = 12
LONGEST = 8_192
PROTECTED_INFLECTIONS = (None, "", "?", "info")


def is_too_long(match: re.Match[str]) -> bool:
    """Tell whether an Extended ARK of more than 8,192 characters may be refused.

    Protected are 255 characters in all, or 255 in the Basic ARK whose inflection is empty, ``?``,
    ``??`` or ``?info``, counted as they were before anybody encoded them; hyphens count.
    """
    basic_fits = match.end("variants") <= PROTECTED * _ENCODED_AT_MOST
    return not (basic_fits and match["query"] in PROTECTED_INFLECTIONS)
