"""What came of a name, in words for people; pages and problem documents say the same."""

from collections.abc import Iterator
from typing import NamedTuple

from app.registration.profiles.profile_records import ResolutionService, Resolvability
from app.registration.profiles.profile_wording import GIVES, RESOLVED
from app.registration.records.registry_records import Status
from app.resolution.judgement import Ground, Judgement, Possibility, nid_words
from app.resolution.outcomes import (
    BadSyntax,
    Destination,
    EqualChoice,
    ImpossibleName,
    Outcome,
    Unregistered,
    UnresolvedName,
    Withdrawn,
)

_LONGEST_TITLE = 80
_OF_URNS = "RFC 8141 section 5"
_SUCCESSION = (str(Status.DEPRECATED), str(Status.FORMER))  # codes of grounds
_NO_WAY = {
    **RESOLVED,
    Resolvability.RESOLVED: ("The registry has no service that resolves this URN."),
}
_POSSIBLE = {
    Possibility.POSSIBLE: ("ok", "Valid {} URN."),
    Possibility.NOT_RULED_OUT: ("ok", "No error found in this {} URN."),
    Possibility.NOT_FIXED: (
        "look",
        "Can't tell if this is a valid {} URN: the registration doesn't define the syntax.",
    ),
    Possibility.IMPOSSIBLE: ("problem", "Not a valid {} URN."),
}


class StandingEdition(NamedTuple):
    """An edition by whose rules a name is judged: its day, and ``folder``, where it is."""

    number: int
    day: str
    folder: str

    def at(self, path: str) -> str:
        """Where the edition has what is at a path of the site today."""
        return f"{self.folder}{path.removeprefix('/')}"


class NameContext(NamedTuple):
    """What a page of a name says beside what came of it.

    ``services`` are all that know the name, ``successor`` the namespace to use instead. ``home`` is
    the address of the registry where this is a copy of it, otherwise empty. ``standing`` is the
    edition that the name is shown of; None for the current one. ``list_path`` is where names that
    begin so are listed; empty where there are none.
    ``prefix_words`` say of a prefix that it is one, and who holds it.
    """

    outcome: Outcome
    services: tuple[Destination, ...] = ()
    successor: str = ""
    home: str = ""
    standing: StandingEdition | None = None
    list_path: str = ""
    prefix_words: str = ""

    def at(self, path: str) -> str:
        """Where what is at a path of the site is in the edition that the name is shown of."""
        return self.standing.at(path) if self.standing else path


def outcome_headline(outcome: Outcome, standing: StandingEdition | None = None) -> str:
    """What came of a name, as a title."""
    judgement = outcome.judgement
    match outcome:
        case BadSyntax():
            return "Not a URN"
        case Unregistered():
            return unregistered_headline(nid_of(judgement), standing)
        case ImpossibleName():
            return f"Not a valid {nid_words(nid_of(judgement)).strip(chr(96))} URN"
        case Withdrawn():
            return f"Namespace {nid_of(judgement)} is no longer registered"
        case EqualChoice():
            return f"Choose a target for {shorten_text(judgement.normal_form, _LONGEST_TITLE)}"
        case _:
            return shorten_text(judgement.normal_form, _LONGEST_TITLE)


def unregistered_headline(nid: str, standing: StandingEdition | None = None) -> str:
    """The title of what is told of a name that nobody has, folded, or had in an edition."""
    return f"urn:{nid}: {'was' if standing else 'is'} not registered"


def outcome_reasons(context: NameContext) -> Iterator[Ground]:
    """Why it came so, the most important first, each with its clause."""
    outcome = context.outcome
    judgement, rules = outcome.judgement, outcome.judgement.rules
    match outcome:
        case BadSyntax() if judgement.error:
            yield Ground(judgement.error.code, judgement.error.message, judgement.error.source)
        case Unregistered() if context.standing:
            told = f"Edition {context.standing.number} has no namespace `{nid_of(judgement)}`."
            yield Ground("unregistered", told, _OF_URNS)
        case Unregistered():
            yield from judgement.grounds
        case Withdrawn():
            instead = f" Use `{context.successor}` instead." if context.successor else ""
            words = (
                f"The namespace `{nid_of(judgement)}` is no longer registered. Its NID is never "
                f"reused.{instead}"
            )
            yield Ground("withdrawn", words, "RFC 8141 section 5.1")
        case ImpossibleName():
            yield from judgement.grounds or [
                Ground("impossible", f"Not a valid {nid_words(nid_of(judgement))} URN.", _OF_URNS)
            ]
        case UnresolvedName() if rules:
            said = (
                rules.resolution.resolvability if outcome.is_meant else Resolvability.NOT_RESOLVED
            )
            unknown = f"{_source_words(context)} no resolver for `{nid_of(judgement)}`."
            yield Ground("no_way", _NO_WAY[said] if rules.has_profile else unknown, "")


def outcome_detail(context: NameContext) -> str:
    """The reasons in one text; empty where none is needed."""
    return " ".join(ground.message for ground in outcome_reasons(context))


def deprecation_words(name: str, successor: str) -> str:
    """What is told of a deprecated namespace: what to use instead, where there is something."""
    instead = f" Use `{successor}` for new names." if successor else ""
    return f"The namespace `{name}` is deprecated.{instead}"


def outcome_remarks(context: NameContext) -> tuple[Ground, ...]:
    """What is told beside, but for what became of the namespace, which a page says by itself."""
    return tuple(note for note in context.outcome.judgement.notes if note.code not in _SUCCESSION)


def service_answer_words(service: ResolutionService) -> str:
    """What a service gives, in words."""
    return GIVES[service.kind]


def possibility_in_words(context: NameContext) -> tuple[str, str] | None:
    """Whether there can be such a name: a word for its kind, and a sentence."""
    judgement = context.outcome.judgement
    if judgement.possibility is None or judgement.standing is None:
        return None
    kind, words = _POSSIBLE[judgement.possibility]
    if judgement.possibility is Possibility.NOT_FIXED and not judgement.standing.has_profile:
        source = f"{_source_words(context)[0].lower()}{_source_words(context)[1:]}"
        words = f"Can't tell if this is a valid {{}} URN: {source} no syntax rules for it."
    return kind, words.format(nid_words(nid_of(judgement)))


def _source_words(context: NameContext) -> str:
    return f"{'This edition' if context.standing else 'The registry'} has"


def nid_of(judgement: Judgement) -> str:
    """The folded NID of a judged text; empty for one that has none."""
    return judgement.urn.nid.lower() if judgement.urn else ""


def shorten_text(text: str, longest: int) -> str:
    """A text of so many characters at most, and a sign where more were."""
    return text if len(text) <= longest else f"{text[:longest]}…"
