"""Parts of addresses that are words of the declarations, or numbers that a database can hold."""

from flask import Flask
from werkzeug.routing import BaseConverter, IntegerConverter, ValidationError

from app.registration.declarations.registries import FormSection
from app.workflow.states import Action


class NumberConverter(IntegerConverter):
    """A request's number; longer ones than any database holds are not found."""

    regex = r"[1-9][0-9]{0,17}"


class SectionConverter(BaseConverter):
    """A page of the form."""

    def to_python(self, value: str) -> FormSection:
        """The section of this name, or nothing at this address."""
        if value not in set(FormSection):
            raise ValidationError
        return FormSection(value)


class ActionConverter(BaseConverter):
    """An action on a request."""

    def to_python(self, value: str) -> Action:
        """The action of this name, or nothing at this address."""
        if value not in set(Action):
            raise ValidationError
        return Action(value)


def install(app: Flask) -> None:
    """Make them known to the routes."""
    app.url_map.converters.update(
        number=NumberConverter, section=SectionConverter, action=ActionConverter
    )
