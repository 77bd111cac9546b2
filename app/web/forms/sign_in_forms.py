"""The form of people who are not signed in."""

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField
from wtforms.validators import InputRequired, Length


class SignInForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF comes without types
    """Asking for a link to sign in."""

    email = StringField(
        validators=[
            InputRequired("Enter your e-mail address."),
            Length(max=320, message="This e-mail address is too long. Use at most 320 characters."),
        ]
    )
    next = HiddenField()
    kept = HiddenField()
