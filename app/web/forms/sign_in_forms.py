"""The form of people who are not signed in."""

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField
from wtforms.validators import InputRequired, Length


class SignInForm(FlaskForm):  # type: ignore[misc]  # Flask-WTF comes without types
    """Asking for a link to sign in."""

    email = StringField(
        validators=[
            InputRequired("Enter your e-mail address."),
            Length(max=320, message="Enter an e-mail address of at most 320 characters."),
        ]
    )
    next = HiddenField()
    kept = HiddenField()
