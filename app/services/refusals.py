"""Why a use case is refused, each reason a kind of its own. The edge gives it a status."""

from datetime import timedelta

from app.identifiers.errors import spell_text
from app.problems import use_case_codes
from app.problems.problem_codes import ProblemCode
from app.registration.declarations.registries import IdentifierSpace


class Refusal(Exception):
    """A use case that was not carried out; the message says why and what to do.

    ``code`` is a row of ``app.problems``, which has the rule. ``field`` names what was given
    wrong, ``position`` where in it.
    """

    def __init__(
        self, code: ProblemCode, message: str, field: str = "", position: int | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.message = code, message
        self.field, self.position = field, position

    @property
    def source(self) -> str:
        """The rule it follows from."""
        return self.code.source


class NotFound(Refusal):
    """There is no such thing, or it is not the asker's to see."""


class NameUnregistered(NotFound):
    """Nobody has the name, in whatever case it was written."""

    def __init__(self, name: str, space: IdentifierSpace, told: str = "") -> None:
        code = use_case_codes.NAME_UNKNOWN if space.scheme else use_case_codes.NAMESPACE_UNKNOWN
        super().__init__(code, told or _missing(name[:80], space), "name")


def _missing(name: str, space: IdentifierSpace) -> str:
    written = spell_text(space.whole(name) if space.scheme else name)
    return f"No {space.label} {written} is registered. Check the spelling."


class NotAllowed(Refusal):
    """What was asked for is there, but not for this person."""


class EditConflict(Refusal):
    """Somebody changed it since the asker opened it; nothing of theirs was saved."""


class IdempotencyConflict(Refusal):
    """A key of idempotency came again with another content."""


class NameUnavailable(Refusal):
    """The name was given to somebody else."""


class InvalidInput(Refusal):
    """What was given cannot be used as it is."""


class MalformedDay(Refusal):
    """What is no day, or is not written as one; says how it is written."""


class RateLimitExceeded(Refusal):
    """Asked too often: after ``wait`` it will do, or where that is None, after doing something."""

    def __init__(self, code: ProblemCode, message: str, wait: timedelta | None = None) -> None:
        super().__init__(code, message)
        self.wait = wait


class EditionAwaited(Refusal):
    """Published, but not laid out on this host yet; after ``wait`` it may be."""

    wait = timedelta(seconds=30)


class CapacityExhausted(Refusal):
    """Too much is at work at this moment; after ``wait`` it will do."""

    wait = timedelta(seconds=5)
