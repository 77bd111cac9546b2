"""What the bodies above the experts are called: those of IANA, or a registry's own."""

import re
from dataclasses import dataclass

_NAMED = re.compile(r"\bIESG\b|\bIAB\b")


@dataclass(frozen=True, slots=True)
class BodyNames:
    """Who decides what goes beyond the experts and hears appeals, and who hears the last one.

    Each is a name that ``the`` can stand before. Source: RFC 8141 section 6; RFC 2026 section 6.5.
    """

    escalation: str = "IESG"
    appeals: str = "IAB"

    def put_into(self, sentence: str) -> str:
        """A sentence of ours, which speaks of the IESG and the IAB, with these bodies."""
        names = {"IESG": self.escalation, "IAB": self.appeals}
        return _NAMED.sub(lambda found: names[found[0]], sentence)


IANA_BODIES = BodyNames()


def named_body(body: str) -> str:
    """A body as a sentence names it: the IESG and the IAB with an article, also where the operator
    left that out.
    """
    return f"the {body}" if _NAMED.fullmatch(body) else body
