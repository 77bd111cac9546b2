"""The forms of those who act, or want to act, for a registrant."""

from wtforms import StringField
from wtforms.validators import InputRequired, Length, Optional

from app.registration.declarations.registries import Widget
from app.services.delegates.claims import ClaimDecision
from app.web.forms import FAST_TRACK, Count, KeyedForm, OneOf, beside, form_field

_EMAIL = "An e-mail address has 320 characters at most."
WORDS = beside("reason", "Your words", "Kept for ever, and sent to whom it concerns.", Widget.TEXT)
SHOWN = beside("shown", "What shows it", "Only the operator reads it.", Widget.TEXT)
TAKER = beside("organization", "Organization", "The new registrant.", Widget.LINE)
DECISIONS = (
    (ClaimDecision.GRANT.value, "Let them act, beside those who do"),
    (ClaimDecision.REPLACE.value, "Let them act in place of those who do"),
    (ClaimDecision.REFUSE.value, "Refuse it"),
)


class ReviseForm(KeyedForm):
    """By which procedure a registered name is changed."""

    way = OneOf(
        [("usual", "As usual"), (FAST_TRACK, "On the fast track")],
        "Choose one of these ways.",
        Optional(),
    )


def _email(sentence: str) -> StringField:
    return StringField(validators=[InputRequired(sentence), Length(max=320, message=_EMAIL)])


class PeopleForm(KeyedForm):
    """One change of who acts: whom it is about, and what the last one says who leaves."""

    main = "address"
    address = StringField(validators=[Optional(), Length(max=320, message=_EMAIL)])
    person = Count(default=0)
    knowing = StringField()


class ClaimForm(KeyedForm):
    """A claim, with what shows it; asking the contact on file takes no words."""

    main = "shown"
    shown = form_field(SHOWN)


class TransferForm(KeyedForm):
    """To whom a name goes, and why."""

    main = "reason"
    organization = form_field(TAKER)
    address = _email("Enter the e-mail address of who acts for the new registrant.")
    reason = form_field(WORDS)


class WordsForm(KeyedForm):
    """Anything that is done with a reason."""

    main = "reason"
    reason = form_field(WORDS)


class DecideForm(WordsForm):
    """The operator's decision on a claim."""

    decision = OneOf(DECISIONS, "Choose what becomes of the claim.")


class DecideTransferForm(WordsForm):
    """The operator's decision on a transfer."""

    decision = OneOf(
        ((ClaimDecision.GRANT.value, "Carry it out"), (ClaimDecision.REFUSE.value, "Refuse it")),
        "Choose what becomes of the transfer.",
    )
