"""The page of one name: its parts, what it is by the registry, and where it leads."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader
from markupsafe import escape

from app.identifiers.urn_checks import CheckedURN
from app.pages.pieces import Piece
from app.pages.site import configure
from app.pages.urn_tool import LABELS, pieces_of, pieces_of_refused
from app.pages.visible import revealed
from app.registration.profiles import ResolutionService, Resolvability, ServiceKind
from app.resolution.judging import Ground, Judgement, Possibility
from app.resolution.name_paths import name_path
from app.resolution.outcomes import (
    BadSyntax,
    Destination,
    EqualChoice,
    Impossible,
    NotLed,
    Outcome,
    Unregistered,
    Withdrawn,
)

LONGEST = 400  # characters of a part of a name
_LONGEST_TITLE = 80
_OF_URNS = "RFC 8141 section 5"

# Where what is put in stands in the shell of the pages of names.
TITLE, HEAD, MAIN = "<!--title-->", "<!--head-->", "<!--main-->"

GIVES = {
    ServiceKind.LOCATION: "the resource’s location",
    ServiceKind.LOCATIONS: "the resource’s locations",
    ServiceKind.RESOURCE: "the resource",
    ServiceKind.RESOURCES: "the resource in several forms",
    ServiceKind.DESCRIPTION: "a description",
    ServiceKind.DESCRIPTIONS: "descriptions",
    ServiceKind.NAME: "another name",
    ServiceKind.NAMES: "other names",
    ServiceKind.EQUALITY: "whether two names are of the same",
}
_RESOLVED = {
    Resolvability.ELSEWHERE: "How its names are resolved is documented elsewhere.",
    Resolvability.METADATA: "Its names lead to descriptions only.",
    Resolvability.AUTHORIZED: "Only those who are authorized get to what its names stand for.",
    Resolvability.UNDECLARED: "Its registration declares no service that resolves its names.",
    Resolvability.NOT_RESOLVED: "Its names are not meant to be resolved: they name, and lead "
    "nowhere. That is no fault.",
    Resolvability.RESOLVED: "No service on file answers for this name.",
}
_POSSIBLE = {
    Possibility.POSSIBLE: ("ok", "This can be a name of `{}`."),
    Possibility.NOT_RULED_OUT: ("ok", "Nothing in its registration rules out this name of `{}`."),
    Possibility.NOT_FIXED: (
        "look",
        "The registration of `{}` does not fix which names there can be, so that this may be one.",
    ),
    Possibility.IMPOSSIBLE: ("problem", "This cannot be a name of `{}`."),
}


class NameContext(NamedTuple):
    """What a page of a name says beside what came of it.

    ``services`` are all that know the name, ``successor`` the namespace to use instead, ``mended``
    a URN that a text without a URN's syntax may have been meant for. ``home`` is the address of
    the registry where this is a copy of it, otherwise empty.
    """

    outcome: Outcome
    services: tuple[Destination, ...] = ()
    successor: str = ""
    mended: str = ""
    home: str = ""


def headline(outcome: Outcome) -> str:
    """What came of a name, as a title."""
    judgement = outcome.judgement
    match outcome:
        case BadSyntax():
            return "Not a URN"
        case Unregistered():
            return f"Namespace {_nid(judgement)} is not registered"
        case Impossible():
            return f"No name of {_nid(judgement)}"
        case Withdrawn():
            return f"Namespace {_nid(judgement)} is no longer registered"
        case EqualChoice():
            return f"Choose where {_shortened(judgement.normal_form, _LONGEST_TITLE)} leads"
        case _:
            return _shortened(judgement.normal_form, _LONGEST_TITLE)


def reasons(context: NameContext) -> Iterator[Ground]:
    """Why it came so, the most important first, each with its clause."""
    outcome = context.outcome
    judgement, rules = outcome.judgement, outcome.judgement.rules
    match outcome:
        case BadSyntax() if judgement.error:
            yield Ground(judgement.error.code, judgement.error.message, judgement.error.source)
        case Unregistered():
            words = f"Nobody has registered `{_nid(judgement)}`, so that this is no URN yet."
            yield Ground("unregistered", words, _OF_URNS)
        case Withdrawn():
            instead = f" Use `{context.successor}` instead." if context.successor else ""
            words = f"`{_nid(judgement)}` was a namespace once, and its name stays taken.{instead}"
            yield Ground("withdrawn", words, "RFC 8141 section 5.1")
        case Impossible():
            yield from judgement.grounds or [
                Ground("impossible", f"`{_nid(judgement)}` can have no such name.", _OF_URNS)
            ]
        case NotLed() if rules:
            said = (
                rules.resolution.resolvability if outcome.is_meant else Resolvability.NOT_RESOLVED
            )
            yield Ground("no_way", _RESOLVED[said], "")


def detail(context: NameContext) -> str:
    """The reasons in one text; empty where none is needed."""
    return " ".join(ground.message for ground in reasons(context))


class NamePages:
    """Makes the pages of names from the page templates in a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(templates), autoescape=True)
        configure(self._environment)

    def page(self, shell: str, head: str, context: NameContext) -> str:
        """The page of a name in the shell of an edition; ``head`` is HTML for its head."""
        outcome = context.outcome
        judgement = outcome.judgement
        main = self._environment.get_template("published/name.html").render(
            context=context,
            judgement=judgement,
            rules=judgement.rules,
            title=headline(outcome),
            pieces=_pieces(judgement),
            labelled=[(LABELS[p.kind], p) for p in _pieces(judgement) if p.kind in LABELS],
            reasons=tuple(reasons(context)),
            said=_said(judgement),
            is_syntax=isinstance(outcome, BadSyntax),
            is_unregistered=isinstance(outcome, Unregistered),
            is_choice=isinstance(outcome, EqualChoice),
            nearest=outcome.nearest if isinstance(outcome, Unregistered) else (),
            nid=_nid(judgement),
            offered=[(gives(one.service), one) for one in context.services],
            path_of=name_path,
            longest=LONGEST,
        )
        title = str(escape(revealed(headline(outcome))))
        return filled(shell, title, head, main)


def filled(shell: str, title: str, head: str, main: str) -> str:
    """A shell with what is put into it, all of it HTML already."""
    for mark, html in ((TITLE, title), (HEAD, head)):
        before, _, after = shell.partition(mark)
        shell = f"{before}{html}{after}"
    before, _, after = shell.partition(MAIN)
    return f"{before}{main}{after}"


def gives(service: ResolutionService) -> str:
    """What a service gives, in words."""
    return GIVES[service.kind]


def _said(judgement: Judgement) -> tuple[str, str] | None:
    if judgement.possibility is None:
        return None
    kind, words = _POSSIBLE[judgement.possibility]
    return kind, words.format(_nid(judgement))


def _nid(judgement: Judgement) -> str:
    return judgement.urn.nid.lower() if judgement.urn else ""


def _pieces(judgement: Judgement) -> tuple[Piece, ...]:
    if judgement.urn is None:
        return pieces_of_refused(CheckedURN(1, judgement.text, None, judgement.error, None, None))
    pieces = pieces_of(judgement.urn)
    return tuple(piece._replace(text=_shortened(piece.text, LONGEST)) for piece in pieces)


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
