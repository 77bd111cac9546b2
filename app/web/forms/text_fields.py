"""How a form takes the text of a declared field: as a line, as paragraphs, or from ticks."""

from wtforms import StringField, TextAreaField

from app.identifiers.nid import nid_typed
from app.registration.declarations.registries import Field


class SeveralField(StringField):
    """Several of a few answers, in one text with commas between them."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Take what was ticked; nothing where nothing was."""
        self.data = ", ".join(one for one in valuelist if one.strip())


def text_field_of(declared: Field) -> type[StringField]:
    """The field of a form that takes what a declared one holds."""
    if declared.takes_several:
        return SeveralField
    return TextAreaField if declared.is_long else StringField


def name_typed(scheme: str, text: str | None) -> str | None:
    """A name that was pasted as names begin with it; what cannot be shown is left to be refused."""
    if not text or not text.isprintable():
        return text
    begun, colon, rest = text.strip().partition(":")
    if scheme and colon and begun.lower() == scheme:
        return rest.removeprefix("/")
    return nid_typed(text)
