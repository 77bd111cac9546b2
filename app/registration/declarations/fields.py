"""What a field of a template is: how it is called, asked for and read."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.identifiers.errors import Finding

ENDING = "ending"  # the field of a record that says how a former name ended
VOIDED = "voided"  # it was given by mistake


class Widget(StrEnum):
    """How a form asks for a field."""

    NID = "nid"
    LINE = "line"
    EMAIL = "email"
    TEXT = "text"
    FILLED_IN = "filled in"  # by the software, at the time of sending


class Requirement(StrEnum):
    """When a field must be filled in."""

    ALWAYS = "always"
    FORMAL = "formal"
    FAST_TRACK = "fast track"
    REVISION = "revision"
    NEW = "new"  # where a name is asked for: of who holds one it is known
    NEVER = "never"


class FormSection(StrEnum):
    """The pages of the form, in the order in which people are asked."""

    NAME_AND_PURPOSE = "name-and-purpose"
    REGISTRANT = "registrant"
    SYNTAX = "syntax"
    ASSIGNMENT = "assignment"
    SAFETY_AND_USE = "safety-and-use"
    DOCUMENTS = "documents"

    @property
    def heading(self) -> str:
        """The heading of the page."""
        return self.value.replace("-", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Hint:
    """One point that reviewers look for in a field, and where it is asked.

    ``words`` are the beginnings of words by which a text may speak of it; one of several words
    holds the spaces between them.
    """

    text: str
    source: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a template: what it is called, how it is asked for, who may read it.

    ``least`` is how many letters and digits it takes to say anything there at all, and ``longest``
    how many characters a line takes where that is not what any line does. ``choices`` are
    the texts that it takes, where there are but a few, with what each says, and ``takes_several``
    tells whether it takes more than one, with commas; ``wording`` says what stands in a record and
    is no word of people, empty for all else; ``check`` finds what has to be changed in
    what was filled in, ``advise`` what somebody should look at; ``check_here`` finds what cannot
    be at a site that has some hosts.
    """

    name: str
    label: str
    help: str
    widget: Widget
    required: Requirement
    section: FormSection
    source: str
    public: bool = True
    hints: tuple[Hint, ...] = ()
    missing: str = ""
    least: int = 0
    longest: int = 0
    choices: tuple[tuple[str, str], ...] = ()
    takes_several: bool = False
    wording: Callable[[str], str] | None = None
    check: Callable[[str], Iterable[Finding]] | None = None
    advise: Callable[[str], Iterable[Finding]] | None = None
    check_here: Callable[[str, Collection[str]], Iterable[Finding]] | None = None

    @property
    def is_long(self) -> bool:
        """Whether the field takes paragraphs, in Markdown."""
        return self.widget is Widget.TEXT

    def chosen(self, text: str) -> tuple[str, ...]:
        """The choices that a text names, as it names them; a text of words is one."""
        if not self.takes_several or not text:
            return (text,)
        return tuple(dict.fromkeys(one.strip() for one in text.split(",") if one.strip()))

    def worded(self, text: str) -> str:
        """A text as people read it: what its choices say, or what is said of it where it is no
        word of people; any other text as it is.
        """
        words = self.wording(text) if self.wording else ""
        if words:
            return words
        known = dict(self.choices)
        chosen = self.chosen(text)
        return ", ".join(known[one] for one in chosen) if set(chosen) <= set(known) else text
