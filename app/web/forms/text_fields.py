"""How a form takes the text of a declared field: as a line, as paragraphs, or from ticks."""

from collections.abc import Callable

from wtforms import StringField, TextAreaField

from app.identifiers.nid import nid_typed
from app.registration.declarations.registries import Field


class SeveralField(StringField):
    """Several of a few answers, in one text with commas between them."""

    wording: Callable[[str], str] | None = None

    def process_formdata(self, valuelist: list[str]) -> None:
        """Take what was ticked; nothing where nothing was.

        What stands for nothing, as ``(:unkn) unknown`` does, is no answer beside others.
        """
        ticked = [one for one in valuelist if one.strip()]
        said = [one for one in ticked if not (self.wording and self.wording(one))]
        self.data = ", ".join(said or ticked)


def _several_field_of(declared: Field) -> type[SeveralField]:
    class SeveralAnswersField(SeveralField):
        wording = staticmethod(declared.wording) if declared.wording else None

    return SeveralAnswersField


def text_field_of(declared: Field) -> type[StringField]:
    """The field of a form that takes what a declared one holds."""
    if declared.takes_several:
        return _several_field_of(declared)
    return TextAreaField if declared.is_long else StringField


def name_typed(scheme: str, text: str | None) -> str | None:
    """Return a name without blanks and without the scheme that someone pasted with it."""
    if not text:
        return text
    begun, colon, rest = text.strip().partition(":")
    if scheme and colon and begun.lower() == scheme:
        return rest.removeprefix("/")
    return nid_typed(text)
