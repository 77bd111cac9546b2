"""The refusals of this room, one exception for each kind of identifier."""


class InvalidIdentifier(ValueError):
    """A text that is not the identifier it was read as.

    Keeps the ``text`` unchanged, with a stable ``code``, a ``message`` for people, the ``position``
    of the fault in code points from 0 (None where the fault has no place) and the ``source`` of the
    rule. ``advice`` is how to fix the fault, the last sentences of the message.
    """

    def __init__(
        self,
        text: str,
        code: str,
        message: str,
        position: int | None,
        source: str,
        advice: str = "",
    ) -> None:
        super().__init__(text, code, message, position, source, advice)
        self.text = text
        self.code = code
        self.message = message
        self.position = position
        self.source = source
        self.advice = advice

    def __str__(self) -> str:
        return self.message


class InvalidURN(InvalidIdentifier):
    """A text outside the grammar of RFC 8141 section 2."""

    def without_advice(self) -> "InvalidURN":
        fact = self.message.removesuffix(self.advice).rstrip()
        return InvalidURN(self.text, self.code, fact, self.position, self.source)


class InvalidARK(InvalidIdentifier):
    """A text that is no ARK by The ARK URI scheme section 4."""
