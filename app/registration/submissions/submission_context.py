"""What is known of a request beside its text: what it is held against when it is checked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.identifiers.errors import Finding
from app.registration.profiles.profile_rules import ProfileLimits
from app.registration.profiles.profile_wording import ProfileFact
from app.registration.submission_findings import SubmissionFinding


class GrammarRemark(Protocol):
    """A finding of a grammar study, from any program that made the study."""

    @property
    def code(self) -> str:
        """A stable code."""

    @property
    def line(self) -> int:
        """The line of the finding, from 1."""

    @property
    def field(self) -> str:
        """The field of the template that the line is in; "" where that isn't known."""

    @property
    def sentence(self) -> str:
        """The problem, how to fix it, and the other lines with the same problem."""

    @property
    def source(self) -> str:
        """The rule that it is by."""

    @property
    def quoted(self) -> str:
        """What stands on the line."""

    @property
    def severity(self) -> str:
        """How grave it is, as whoever studied the grammar judged it."""


class StudiedGrammar(Protocol):
    """The findings of a study of the grammar in a template."""

    @property
    def findings(self) -> Sequence[GrammarRemark]:
        """What was found, problems first."""

    @property
    def too_large(self) -> Sequence[str]:
        """What could not be studied, in sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrantMatch:
    """A registered name, its holder, who may be the one who asks for another, and why, in words."""

    name: str
    holder: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisedText:
    """How a revision stands to what is registered.

    ``successor_problem`` says why it cannot name its successor so, ``successor_advice`` what to
    look at in it; ``undone`` are the fields in which it would undo words of a newer version, with
    the first of these words, and ``undone_facts`` what it would undo of what the registry says
    beside the text. It ``changes_nothing`` where all stands so already, and
    ``advice`` tells what to look at in what it changes. ``is_stale`` as long as
    that version is not its base, and ``is_left_behind`` where its name went to another registrant
    before it was sent.
    """

    changes_nothing: bool = False
    advice: tuple[Finding, ...] = ()
    successor_problem: str = ""
    successor_advice: str = ""
    is_stale: bool = False
    undone: tuple[tuple[str, str], ...] = ()
    undone_facts: tuple[ProfileFact, ...] = ()
    is_left_behind: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionContext:
    """What a submission is held against; what is not given is not judged.

    ``rivals`` are the open requests for the name or one that reads like it, by number, and
    ``at_iana`` is the other request for which IANA registered the name.
    ``above_problem`` says why no name can be given under the one that it lies under, and
    ``above_advice`` what to look at where another holds that.
    ``alike`` are the names whose holder may be the one who asks. ``site_hosts`` are the hosts of
    the site that is asked, to which it leads nobody on.
    ``in_texts`` is what ``check_texts`` found, where that is known, ``limits`` what may be
    declared for programs. ``asks_standard`` tells that the question of a standard is still open
    to an answer, ``organization`` who asks for it, and nobody has an address at ``void_domain``.
    """

    rivals: Sequence[tuple[int, str]] = ()
    at_iana: int | None = None
    above_problem: str = ""
    above_advice: str = ""
    alike: Sequence[RegistrantMatch] = ()
    site_hosts: Collection[str] = ()
    in_texts: Collection[SubmissionFinding] | None = None
    limits: ProfileLimits | None = None
    asks_standard: bool = False
    organization: str | None = None
    revision: RevisedText | None = None
    grammar: StudiedGrammar | None = None
    void_domain: str = ""


NO_CONTEXT = SubmissionContext()
