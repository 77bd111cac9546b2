"""What the bodies above the experts are called: those of IANA, or a registry's own."""

import re
from dataclasses import dataclass

_NAMED = re.compile(r"\b(IESG|IAB)\b( Escalation\b)?")


@dataclass(frozen=True, slots=True)
class BodyNames:
    """Who decides what goes beyond the experts and hears appeals, and who hears the last one.

    Each is a name that ``the`` can stand before. Source: RFC 8141 section 6; RFC 2026 section 6.5.
    """

    escalation: str = "IESG"
    appeals: str = "IAB"

    def put_into(self, sentence: str, typed: str = "") -> str:
        """A sentence of ours, which speaks of the IESG and the IAB, with these bodies.

        ``typed`` is a body that somebody named, which stays as it stands in the sentence.
        """
        body = named_body(typed)
        own = next((one for one in (body, _begun(body)) if one and one in sentence), "")
        first, *rest = sentence.split(own) if own else [sentence]
        said = (_NAMED.sub(self._named, part) for part in rest)
        return own.join((_begun_by(first, _NAMED.sub(self._named, first)), *said))

    def _named(self, found: re.Match[str]) -> str:
        name = self.escalation if found[1] == "IESG" else self.appeals
        if found[2] and self == NEUTRAL_BODIES:
            return found[2].strip()  # the word for the state says enough
        return name + (found[2] or "")


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


def _begun_by(before: str, after: str) -> str:
    return _begun(after) if before[:1].isupper() else after


IANA_BODIES = BodyNames()
NEUTRAL_BODIES = BodyNames("governing body", "appeals body")


def body_names(*, is_official: bool, escalation: str = "", appeals: str = "") -> BodyNames:
    """The bodies of a registry by what it calls them; an empty name is not chosen.

    Those of IANA decide where names are IANA's alone; another registry's are called by what they
    do until it names them.
    """
    usual = IANA_BODIES if is_official else NEUTRAL_BODIES
    return BodyNames(escalation or usual.escalation, appeals or usual.appeals)


def named_body(body: str) -> str:
    """A body as a sentence names it: the IESG and the IAB with an article, also where the operator
    left that out.
    """
    return f"the {body}" if body in (IANA_BODIES.escalation, IANA_BODIES.appeals) else body
