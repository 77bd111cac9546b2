"""The page of what lies under a beginning of names: whose it is, its prefixes and its names."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader
from markupsafe import escape

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
from app.assigned_names.bound_names import ListedRegistration, NameListing
from app.exports.content.file_names import NAANS, URN_NAMESPACES, registry_folder
from app.pages.site.chrome import NAME_STATE_TAGS, configure_environment
from app.pages.site.name_pages import fill_shell, unlit_shell
from app.pages.text.markdown import reveal_unseen
from app.resolution.judgement import Ground
from app.resolution.outcome_documents import (
    UNDER,
    name_path,
    names_under_path,
    shorten_text,
    successor_path,
)

_LONGEST = 200  # characters of a value that are shown in a row
_LONGEST_TITLE = 80
_COUNTED = "sequence"
_SIGNS = (  # of masks, with what each stands for
    ("r", "random order"),
    ("e", "letter or digit"),
    ("d", "digit"),
    ("k", "check character, detects typing errors"),
    (_COUNTED, "counts up"),
)


class ListedNameRow(NamedTuple):
    """A name in the list. ``path`` is its page, empty for one that has none; ``target`` where it
    leads, ``instead`` the name to use in its place; ``tag`` the shape of a state that people look
    for."""

    name: str
    path: str
    what: str
    who: str
    target: str
    state: str
    tag: str
    since: str
    instead: str


class NameListPages:
    """Makes the lists of names from the page templates in a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(templates), autoescape=True)
        configure_environment(self._environment)

    def page(
        self,
        shell: str,
        listing: NameListing,
        whose: tuple[ListedRegistration, ...],
        *,
        is_first: bool,
        json_path: str,
    ) -> str:
        """The page of a list in the shell of an edition; ``is_first``: nothing stands before it.

        ``json_path`` is where the same is for programs.
        """
        title = _title(listing.beginning)
        main = self._environment.get_template("published/names_under.html").render(
            listing=listing,
            whose=whose,
            itself=_row(listing.itself) if listing.itself else None,
            rows=[_row(one) for one in listing.names],
            title=title,
            is_first=is_first,
            json_path=json_path,
            own_path=names_under_path(listing.beginning),
            path_of=name_path,
            instead_path=successor_path,
            under=names_under_path,
            short=lambda text: shorten_text(text, _LONGEST),
            signs=_signs_of(listing),
        )
        links = list(_crumbs(listing, whose))
        template = self._environment.get_template("published/name_crumbs.html")
        crumbs = template.render(links=links) if links else ""
        head = f'<link rel="alternate" type="application/json" href="{escape(json_path)}">'
        shell = shell if listing.beginning else unlit_shell(shell)  # names of every registry
        return fill_shell(shell, str(escape(reveal_unseen(title))), head, main, crumbs)

    def refusal(
        self, shell: str, headline: str, grounds: Iterable[Ground], near: Iterable[str]
    ) -> str:
        """The page that says why no names begin so, with beginnings that were perhaps meant."""
        main = self._environment.get_template("published/names_refused.html").render(
            headline=headline, grounds=grounds, near=near, under=names_under_path
        )
        return fill_shell(shell, str(escape(reveal_unseen(headline))), "", main)


def _title(beginning: str) -> str:
    if not beginning:
        return "Assigned identifiers"
    return f"Identifiers under {shorten_text(beginning, _LONGEST_TITLE)}"


def _signs_of(listing: NameListing) -> list[tuple[str, str]]:
    shown = listing.prefixes + ((listing.innermost,) if listing.innermost else ())
    masks = [one.mask for one in shown if one.mask]
    drawn = "".join(one for one in masks if not one.startswith(_COUNTED))
    return [
        (sign, words)
        for sign, words in _SIGNS
        if sign in drawn or any(one.startswith(sign) for one in masks if sign == _COUNTED)
    ]


def _row(record: AssignedNameRecord) -> ListedNameRow:
    told = record.told
    state = told.state
    is_public, is_kept = state is AssignedNameState.PUBLIC, state is AssignedNameState.RESERVED
    return ListedNameRow(
        name=told.name,
        path="" if is_kept else name_path(told.name),
        what=shorten_text(told.element("what"), _LONGEST),
        who=shorten_text(told.element("who"), _LONGEST),
        target=shorten_text(told.target, _LONGEST) if is_public else "",
        state=state.label,
        tag=NAME_STATE_TAGS[state],
        since=told.since,
        instead=told.successor,
    )


def _crumbs(
    listing: NameListing, whose: tuple[ListedRegistration, ...]
) -> Iterator[tuple[str, str]]:
    if not listing.beginning:
        return
    is_of_arks = listing.beginning.startswith("ark:")
    home = ("NAANs", NAANS) if is_of_arks else ("Registry", URN_NAMESPACES)
    yield home[0], registry_folder(home[1])
    for one in reversed(whose):
        if one.path:
            yield one.words, one.path
    yield "Assigned identifiers", UNDER
    for prefix in listing.enclosing:
        if prefix.prefix != listing.beginning:
            yield prefix.prefix, names_under_path(prefix.prefix)
