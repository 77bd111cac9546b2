"""The forms of those who give names under a prefix."""

from dataclasses import replace
from datetime import date

from wtforms import BooleanField, IntegerField, StringField
from wtforms.validators import Length

from app.assigned_names.assigned_name_records import KERNEL, REDIRECT_WORDS
from app.assigned_names.name_checks import FIELD_LIMITS
from app.assigned_names.name_patterns import LONGEST_PATTERN
from app.assigned_names.name_prefixes import LONGEST_PREFIX
from app.assigned_names.name_schemes import LONGEST_NAME
from app.assigned_names.target_rules import LONGEST_RULE
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
    "The start of its identifiers, such as ark:12345/x5 or urn:example:part:",
    Widget.LINE,
    LONGEST_PREFIX,
)
HOLDER = extra_field(
    "holder",
    "Owner’s e-mail address",
    "The owner decides about its identifiers. Not public. Leave empty to own it yourself.",
    Widget.EMAIL,
)
# What is said of a prefix: what is asked for at once, and what can wait.
FIRST_RULES = (
    extra_field("label", "Description", "The items it identifies, in a few words.", Widget.LINE),
    extra_field(
        "numbering",
        "Mask",
        "The pattern of minted identifiers. In reedeedk, r is random order, e a letter or "
        "digit, d a digit, k a check character. For URNs, sequence6 counts in six digits. "
        "Leave empty if you only import.",
        Widget.LINE,
    ),
)
FURTHER_RULES = (
    extra_field(
        "holder_name",
        "Owner",
        "Shown publicly with the prefix and its identifiers, such as Baltic Port Authority. "
        "Leave empty to show none. Accounts and e-mail addresses are never shown.",
        Widget.LINE,
    ),
    extra_field(
        "pattern",
        "Pattern",
        "A regular expression for the text after the prefix, such as [0-9]{4}(?:/[a-z]+)?. It "
        "applies to new identifiers. Leave empty to allow any.",
        Widget.LINE,
        LONGEST_PATTERN,
    ),
    extra_field(
        "target_rule",
        "Target",
        "For identifiers without their own target, such as https://example.org/${suffix}. "
        "`suffix` is the text after the prefix, `value` the text after the NAAN or NID, `pid` "
        "the whole identifier. It applies to new and changed identifiers.",
        Widget.LINE,
        LONGEST_RULE,
    ),
    extra_field(
        "policy",
        "Policy",
        "How identifiers are assigned. Public.",
        Widget.TEXT,
    ),
    extra_field(
        "persistence",
        "Promise",
        "For all identifiers under this prefix. Public. Leave empty for none.",
        Widget.TEXT,
    ),
)
RULES = (*FIRST_RULES, *FURTHER_RULES)
# Of a prefix that has ended: what is told of the names that it has, and where changed ones lead.
RULES_OF_ENDED = tuple(
    replace(field, help=field.help.replace("new and changed", "changed"))
    for field in RULES
    if field.name not in {"numbering", "pattern"}
)
EMAIL = extra_field("email", "E-mail address", "Of a user who has signed in here.", Widget.EMAIL)
UNTIL = extra_field(
    "until",
    "Last day",
    "YYYY-MM-DD. Leave empty for no end date. Their identifiers stay.",
    Widget.LINE,
)
WITHDRAWN_FOR = extra_field(
    "reason", "Why", "One sentence. Public.", Widget.LINE, FIELD_LIMITS["reason"]
)
USED_INSTEAD = extra_field(
    "successor",
    "Replacement",
    "Another identifier, such as ark:12345/x5abc, if there is one.",
    Widget.LINE,
    FIELD_LIMITS["successor"],
)
# What is told of a name.
DESCRIBED = (
    extra_field(
        "target",
        "Target",
        "An https:// address. If empty, the prefix's target applies, if any.",
        Widget.LINE,
        FIELD_LIMITS["target"],
    ),
    *(
        extra_field(label, label.capitalize(), hint, Widget.LINE, FIELD_LIMITS["element"])
        for label, hint in zip(
            KERNEL,
            (
                "The creator or responsible organization.",
                "The title.",
                "The date of creation, such as 2026 or 2026-09-01.",
                "The location, other than the target.",
            ),
            strict=True,
        )
    ),
    extra_field(
        "further",
        "More metadata",
        "Other ERC elements, one per line, for example: how: a photograph",
        Widget.TEXT,
    ),
    extra_field(
        "persistence",
        "Promise",
        "One sentence. Leave empty for none.",
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
    "Only names under this prefix",
    "Leave empty for all your prefixes. Each identifier belongs to its longest prefix.",
    Widget.LINE,
    LONGEST_PREFIX,
)
_COUNT = "Enter a whole number from 1 to 10,000."


class CountedField(IntegerField):
    """How many; no number is told as that, and not as a fault."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Take a number of a few digits. Raises ValueError for anything else."""
        text = valuelist[0].strip() if valuelist else ""
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise ValueError(_COUNT)
        self.data = int(text)


_DAY = "Enter the date as YYYY-MM-DD, or leave it empty."


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


# A prefix that somebody is to hold, what is said of one, and why one ends.
PrefixForm = plain_form(PREFIX, *RULES, holder=StringField(validators=[Length(max=320)]))
PrefixRulesForm = plain_form(*RULES)
PrefixEndForm = plain_form(REASON)


class MintForm(IdempotentForm):
    """How many names are given now."""

    main = "count"
    count = CountedField(default=1)
    reserved = BooleanField()


# One name of somebody's own choice.
CHOSEN = (
    extra_field("rest", "Identifier after the prefix", "", Widget.LINE, LONGEST_NAME),
    DESCRIBED[0],
)
ChosenNameForm = plain_form(*CHOSEN, kept=BooleanField())


class DelegateAddressForm(IdempotentForm):
    """Whom names are given by from now on."""

    main = "email"
    email = StringField(validators=[Length(max=320)])
    until = LastDayField()
    holder = BooleanField()


# What is told of a name; why it is withdrawn, and what to use instead.
NameChangeForm = plain_form(
    *DESCRIBED,
    redirect=ChoiceField(REDIRECTS, "Choose what the address shows."),
    anywhere=BooleanField(),
    public=BooleanField(),
)
WithdrawalForm = plain_form(WITHDRAWN_FOR, USED_INSTEAD)


class NameFileForm(IdempotentForm):
    """A file of names; the page of its preview carries it in place of the choice of a file."""

    main = "file"
    prefix = form_field(ONLY_PREFIX)
    file = StringField()
    carried = StringField()
    again = BooleanField()


# How targets begin, and how they are to begin.
MovedTargetsForm = plain_form(*MOVED)
