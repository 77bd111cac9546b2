"""Forms for the managers of a name, and for people who claim one."""

from wtforms import StringField
from wtforms.validators import InputRequired, Length, Optional

from app.registration.declarations.registries import Widget
from app.registration.naans.yearly_question import NaanAnswer
from app.services.delegates.claims import ClaimDecision
from app.web.forms.request_forms import (
    FAST_TRACK,
    ChoiceField,
    CountField,
    IdempotentForm,
    extra_field,
    form_field,
)

_EMAIL = "The address is too long. Enter at most 320 characters."
WORDS = extra_field(
    "reason", "Reason", "Kept permanently and sent to the people concerned.", Widget.TEXT
)
SHOWN = extra_field("shown", "Evidence", "Only the operator can read it.", Widget.TEXT)
TAKER = extra_field("organization", "Organization", "The new registrant.", Widget.LINE)
DECISIONS = (
    (ClaimDecision.GRANT.value, "Accept: add the claimant as a manager"),
    (ClaimDecision.REPLACE.value, "Accept: replace the current managers"),
    (ClaimDecision.REFUSE.value, "Decline the claim"),
)


class RevisionForm(IdempotentForm):
    """By which procedure a registered name is changed."""

    way = ChoiceField(
        [("usual", "Regular review"), (FAST_TRACK, "Fast track")],
        "Choose a procedure.",
        Optional(),
    )


class YearlyAnswerForm(IdempotentForm):
    """What a holder answers who is asked whether all is right."""

    main = "answer"
    answer = ChoiceField([(one.value, one.label) for one in NaanAnswer], "Choose an answer.")


def _email(sentence: str) -> StringField:
    return StringField(validators=[InputRequired(sentence), Length(max=320, message=_EMAIL)])


class DelegateForm(IdempotentForm):
    """One change of who acts: whom it is about, and what the last one says who leaves."""

    main = "address"
    address = StringField(validators=[Optional(), Length(max=320, message=_EMAIL)])
    person = CountField(default=0)
    knowing = StringField()


class ClaimForm(IdempotentForm):
    """A claim, with what shows it; asking the contact on file takes no words."""

    main = "shown"
    shown = form_field(SHOWN)


class TransferForm(IdempotentForm):
    """To whom a name goes, and why."""

    main = "reason"
    organization = form_field(TAKER)
    address = _email("Enter the e-mail address of the new manager.")
    reason = form_field(WORDS)


class ReasonForm(IdempotentForm):
    """Anything that is done with a reason."""

    main = "reason"
    reason = form_field(WORDS)


class ClaimDecisionForm(ReasonForm):
    """The operator's decision on a claim."""

    decision = ChoiceField(DECISIONS, "Choose a decision.")


class TransferDecisionForm(ReasonForm):
    """The operator's decision on a transfer."""

    decision = ChoiceField(
        (
            (ClaimDecision.GRANT.value, "Complete the transfer"),
            (ClaimDecision.REFUSE.value, "Decline the transfer"),
        ),
        "Choose a decision.",
    )
