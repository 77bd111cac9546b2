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
    "How its names begin, as in ark:12345/x5 or urn:example:part:",
    Widget.LINE,
    LONGEST_PREFIX,
)
HOLDER = extra_field(
    "holder",
    "Holder’s e-mail address",
    "Who decides on its names. Not public. Leave it empty to hold it yourself.",
    Widget.EMAIL,
)
# What is said of a prefix: what is asked for at once, and what can wait.
FIRST_RULES = (
    extra_field("label", "What its names are of", "A few words.", Widget.LINE),
    extra_field(
        "numbering",
        "Mask",
        "What minted names look like behind the prefix. In reedeedk, r gives them in mixed order, "
        "e is a letter or digit, d a digit, and k at the end a check character; for URNs alone, as "
        "ARKs are to tell nothing, sequence6 counts in six digits. Leave it empty where names "
        "are brought in alone.",
        Widget.LINE,
    ),
)
FURTHER_RULES = (
    extra_field(
        "holder_name",
        "Held by",
        "Who holds it, for everybody to read with it and with each of its names, as in Baltic Port "
        "Authority. Of accounts and addresses nothing is told. Leave it empty to tell nobody.",
        Widget.LINE,
    ),
    extra_field(
        "pattern",
        "Pattern",
        "A regular expression of what may stand behind the prefix, as in [0-9]{4}(?:/[a-z]+)?. "
        "Names that are minted, bound, reserved or brought in from now on follow it. Leave it "
        "empty for any.",
        Widget.LINE,
        LONGEST_PATTERN,
    ),
    extra_field(
        "target_rule",
        "Where its names lead",
        "For names without a target of their own, as in https://example.org/${suffix}: suffix is "
        "what follows the prefix, value what follows its NAAN or namespace, pid the whole name. It "
        "counts for names that are given or changed from now on.",
        Widget.LINE,
        LONGEST_RULE,
    ),
    extra_field(
        "policy",
        "Policy",
        "How names are given under it; everybody reads it with each of them.",
        Widget.TEXT,
    ),
    extra_field(
        "persistence",
        "What is promised",
        "Of all names under it; everybody reads it with each of them. Leave it empty for nothing.",
        Widget.TEXT,
    ),
)
RULES = (*FIRST_RULES, *FURTHER_RULES)
# Of a prefix that has ended: what is told of the names that it has, and where changed ones lead.
RULES_OF_ENDED = tuple(
    replace(field, help=field.help.replace("given or changed", "changed"))
    for field in RULES
    if field.name not in {"numbering", "pattern"}
)
EMAIL = extra_field("email", "E-mail address", "Of somebody who signed in here.", Widget.EMAIL)
UNTIL = extra_field(
    "until",
    "Their last day",
    "As in 2027-06-30. Leave it empty until further notice. Names that they gave stay.",
    Widget.LINE,
)
WITHDRAWN_FOR = extra_field(
    "reason", "Why", "In a sentence; everybody reads it.", Widget.LINE, FIELD_LIMITS["reason"]
)
USED_INSTEAD = extra_field(
    "successor",
    "What to use instead",
    "Another name, as in ark:12345/x5abc, if there is one.",
    Widget.LINE,
    FIELD_LIMITS["successor"],
)
# What is told of a name.
DESCRIBED = (
    extra_field(
        "target",
        "Where it leads",
        "An https:// address. Empty: where the rule of its prefix says, or nowhere.",
        Widget.LINE,
        FIELD_LIMITS["target"],
    ),
    *(
        extra_field(label, label.capitalize(), hint, Widget.LINE, FIELD_LIMITS["element"])
        for label, hint in zip(
            KERNEL,
            (
                "Who made it, or is responsible for it.",
                "What it is called.",
                "When it was made, as in 2026 or 2026-09-01.",
                "Where it is kept, besides the address.",
            ),
            strict=True,
        )
    ),
    extra_field(
        "further",
        "More of it",
        "Other elements of its ERC, a line each, as in: how: a photograph",
        Widget.TEXT,
    ),
    extra_field(
        "persistence",
        "What is promised of it",
        "In a sentence. Leave it empty for nothing.",
        Widget.LINE,
        FIELD_LIMITS["persistence"],
    ),
)
REDIRECTS = tuple((str(status), words) for status, words in REDIRECT_WORDS.items())
MOVED = tuple(
    extra_field(name, label, hint, Widget.LINE, FIELD_LIMITS["target"])
    for name, label, hint in (
        ("begins", "Targets that begin with", "As in https://old.example.org/"),
        ("instead", "Are to begin with", "As in https://new.example.org/boats/"),
    )
)
ONLY_PREFIX = extra_field(
    "prefix",
    "Only names under this prefix",
    "Leave it empty for all prefixes of yours; each name goes to the innermost one.",
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


_DAY = "Write a day as in 2027-06-30, or leave it empty."


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
    extra_field("rest", "What stands behind the prefix", "", Widget.LINE, LONGEST_NAME),
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
    redirect=ChoiceField(REDIRECTS, "Choose what is at the address."),
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
