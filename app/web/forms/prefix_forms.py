"""Forms for prefixes and the identifiers under them."""

from dataclasses import replace
from datetime import date

from wtforms import BooleanField, IntegerField, StringField
from wtforms.validators import Length

from app.assigned_names.assigned_name_records import KERNEL, REDIRECT_WORDS
from app.assigned_names.name_checks import FIELD_LIMITS, LONGEST_RULE
from app.assigned_names.name_prefixes import LONGEST_PATTERN, LONGEST_PREFIX
from app.assigned_names.name_schemes import LONGEST_NAME
from app.registration.declarations.registries import Widget
from app.web.forms.request_forms import (
    REASON,
    ChoiceField,
    IdempotentForm,
    extra_field,
    form_field,
    plain_form,
)

PREFIX = extra_field(
    "prefix",
    "Prefix",
    "The start of the identifiers, for example ark:12345/x5 or urn:example:part:",
    Widget.LINE,
    LONGEST_PREFIX,
)
HOLDER = extra_field(
    "holder",
    "Owner’s e-mail address",
    "Not public. Leave this empty to own the prefix yourself.",
    Widget.EMAIL,
)
USUAL_MASK = "reedeedk"
# The settings of a prefix: first the ones that most people need.
FIRST_RULES = (
    extra_field(
        "label", "Description", "A few words, for example “Photographs of ships”.", Widget.LINE
    ),
    extra_field(
        "numbering",
        "Mask",
        f"The pattern for new identifiers. {USUAL_MASK} suits most collections. Leave "
        "it empty if you only import identifiers.",
        Widget.LINE,
    ),
)
FURTHER_RULES = (
    extra_field(
        "holder_name",
        "Owner’s name",
        "Public, for example Baltic Port Authority. Leave this empty to publish no name.",
        Widget.LINE,
    ),
    extra_field(
        "pattern",
        "Pattern",
        "A regular expression for the text after the prefix, for example [0-9]{4}(?:/[a-z]+)?. "
        "New identifiers must match it.",
        Widget.LINE,
        LONGEST_PATTERN,
    ),
    extra_field(
        "target_rule",
        "Target rule",
        "The target for identifiers that have none of their own, for example "
        "https://example.org/${suffix}. ${suffix} is the text after the prefix, ${value} the text "
        "after the NAAN or namespace, and ${pid} the full identifier. Changes apply to identifiers "
        "that you assign or change later.",
        Widget.LINE,
        LONGEST_RULE,
    ),
    extra_field("policy", "Policy", "How you assign identifiers. Public.", Widget.TEXT),
    extra_field(
        "persistence",
        "Persistence statement",
        "Your commitment to keep all identifiers working, for example for how long. Public.",
        Widget.TEXT,
    ),
)
RULES = (*FIRST_RULES, *FURTHER_RULES)
# The settings that still have an effect once a prefix is closed.
RULES_OF_ENDED = tuple(
    replace(field, help=field.help.replace("assign or change", "change"))
    for field in RULES
    if field.name not in {"numbering", "pattern"}
)
EMAIL = extra_field("email", "E-mail address", "The person needs an account here.", Widget.EMAIL)
UNTIL = extra_field(
    "until",
    "Last day",
    "For example 2027-06-30. Leave this empty for no end date.",
    Widget.LINE,
)
WITHDRAWN_FOR = extra_field(
    "reason", "Reason", "Public. One sentence.", Widget.LINE, FIELD_LIMITS["reason"]
)
USED_INSTEAD = extra_field(
    "successor",
    "Successor",
    "If another identifier replaces this one, enter it, for example ark:12345/x5abc.",
    Widget.LINE,
    FIELD_LIMITS["successor"],
)
# The fields of an identifier.
DESCRIBED = (
    extra_field(
        "target",
        "Target",
        "An https:// address. If you leave it empty, the target rule of the prefix applies.",
        Widget.LINE,
        FIELD_LIMITS["target"],
    ),
    *(
        extra_field(label, label.capitalize(), hint, Widget.LINE, FIELD_LIMITS["element"])
        for label, hint in zip(
            KERNEL,
            (
                "The creator, or the person or organization responsible.",
                "The title or name of the object.",
                "The date, for example 2026 or 2026-09-01.",
                "The location of the object, other than its target.",
            ),
            strict=True,
        )
    ),
    extra_field(
        "further",
        "Other elements",
        "One per line as label: value, for example how: a photograph",
        Widget.TEXT,
    ),
    extra_field(
        "persistence",
        "Persistence statement",
        "Your commitment to keep this identifier working, in one sentence. Public.",
        Widget.LINE,
        FIELD_LIMITS["persistence"],
    ),
)
REDIRECTS = tuple((str(status), words) for status, words in REDIRECT_WORDS.items())
MOVED = tuple(
    extra_field(name, label, hint, Widget.LINE, FIELD_LIMITS["target"])
    for name, label, hint in (
        ("begins", "Current start of the target", "For example https://old.example.org/"),
        ("instead", "New start of the target", "For example https://new.example.org/boats/"),
    )
)
ONLY_PREFIX = extra_field(
    "prefix",
    "Prefix (optional)",
    "Import only identifiers under this prefix. Leave this empty to import under all your "
    "prefixes.",
    Widget.LINE,
    LONGEST_PREFIX,
)
_COUNT = "Enter a whole number from 1 to 10,000."


class CountedField(IntegerField):
    """A count, with its own error message."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Take a number of a few digits. Raises ValueError for anything else."""
        text = valuelist[0].strip() if valuelist else ""
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise ValueError(_COUNT)
        self.data = int(text)


_DAY = "Enter a date as YYYY-MM-DD, for example 2027-06-30."


class LastDayField(StringField):
    """A day, or none."""

    day: date | None = None

    def process_formdata(self, valuelist: list[str]) -> None:
        """Take a day of the calendar. Raises ValueError for anything else."""
        self.data = valuelist[0].strip() if valuelist else ""
        if not self.data:
            return
        try:
            self.day = date.fromisoformat(self.data)
        except ValueError:
            raise ValueError(_DAY) from None


PrefixForm = plain_form(PREFIX, *RULES, holder=StringField(validators=[Length(max=320)]))
PrefixRulesForm = plain_form(*RULES)
PrefixEndForm = plain_form(REASON)


class MintForm(IdempotentForm):
    """How many identifiers to mint."""

    main = "count"
    count = CountedField(default=1)
    reserved = BooleanField()


CHOSEN = (
    extra_field("rest", "Text after the prefix", "", Widget.LINE, LONGEST_NAME),
    DESCRIBED[0],
)
ChosenNameForm = plain_form(*CHOSEN, kept=BooleanField())


class DelegateAddressForm(IdempotentForm):
    """A new owner or delegate."""

    main = "email"
    email = StringField(validators=[Length(max=320)])
    until = LastDayField()
    holder = BooleanField()


NameChangeForm = plain_form(
    *DESCRIBED,
    redirect=ChoiceField(REDIRECTS, "Choose a redirect."),
    anywhere=BooleanField(),
    public=BooleanField(),
)
WithdrawalForm = plain_form(WITHDRAWN_FOR, USED_INSTEAD)


class NameFileForm(IdempotentForm):
    """A file of identifiers. The preview page carries the file in a hidden field."""

    main = "file"
    prefix = form_field(ONLY_PREFIX)
    file = StringField()
    carried = StringField()
    again = BooleanField()


MovedTargetsForm = plain_form(*MOVED)
