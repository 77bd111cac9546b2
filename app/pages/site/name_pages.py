"""The page of one name: its parts, what it is by the registry, and where it leads."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader
from markupsafe import escape

from app.exports.content.file_names import URN_NAMESPACES, registry_folder
from app.pages.namespaces.bound_name_view import BoundNameView
from app.pages.site.template_environment import configure_environment
from app.pages.text.identifier_parts import IdentifierPart
from app.pages.text.unseen_characters import reveal_unseen
from app.pages.tools.urn_tool import LABELS, pieces_of, pieces_of_refused
from app.resolution.judgement import Judgement
from app.resolution.namespace_rules import Possibility
from app.resolution.outcome_documents import (
    NameContext,
    StandingEdition,
    deprecation_words,
    name_path,
    nid_of,
    outcome_headline,
    outcome_reasons,
    outcome_remarks,
    possibility_in_words,
    service_answer_words,
    shorten_text,
)
from app.resolution.urn_resolver import BadSyntax, EqualChoice, ImpossibleName, Unregistered

LONGEST = 400  # characters of a part of a name
_LONGEST_TITLE = 80

# Where what is put in stands in the shell of the pages of names.
TITLE, HEAD, CRUMBS, MAIN = "<!--title-->", "<!--head-->", "<!--crumbs-->", "<!--main-->"
_LIT = ' aria-current="true"'
_NUMBERS = re.compile("<!--numbers ([0-9a-z]{1,5})-->")
_REGISTRY = registry_folder(URN_NAMESPACES)


class NamePages:
    """Makes the pages of names from the page templates in a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(templates), autoescape=True)
        configure_environment(self._environment)

    def page(
        self, shell: str, head: str, context: NameContext, bound: BoundNameView | None = None
    ) -> str:
        """The page of a name in the shell of an edition; ``head`` is HTML for its head.

        ``bound`` is what is known of the name itself, where that is anything.
        """
        outcome = context.outcome
        judgement = outcome.judgement
        title, grounds, said = (
            outcome_headline(outcome, context.standing),
            outcome_reasons(context),
            possibility_in_words(context),
        )
        is_beginning = bool(context.list_path) and isinstance(outcome, BadSyntax | ImpossibleName)
        if is_beginning:  # which is what most who ask for it look for
            form = shorten_text(judgement.normal_form or judgement.text, _LONGEST_TITLE)
            title = f"Identifiers under {form}"
        if bound:  # then its namespace has no say in where it leads
            title, grounds = bound.title, (one for one in grounds if one.code != "no_way")
            said = said if judgement.possibility is Possibility.IMPOSSIBLE else None
        main = self._environment.get_template("published/name.html").render(
            context=context,
            judgement=judgement,
            rules=judgement.rules,
            bound=bound,
            title=title,
            pieces=_pieces(judgement),
            labelled=[(LABELS[p.kind], p) for p in _pieces(judgement) if p.kind in LABELS],
            reasons=tuple(grounds),
            remarks=outcome_remarks(context),
            deprecated=deprecation_words(nid_of(judgement), context.successor),
            said=said,
            is_beginning=is_beginning,
            is_syntax=isinstance(outcome, BadSyntax),
            is_unregistered=isinstance(outcome, Unregistered),
            is_choice=isinstance(outcome, EqualChoice),
            nearest=outcome.nearest if isinstance(outcome, Unregistered) else (),
            nid=nid_of(judgement),
            offered=[(service_answer_words(one.service), one) for one in context.services],
            first_host=_first_host(context),
            path_of=name_path,
            longest=LONGEST,
        )
        title = title_with_edition(context.standing, title)
        return fill_shell(
            shell, str(escape(reveal_unseen(title))), head, main, self._crumbs(context)
        )

    def _crumbs(self, context: NameContext) -> str:
        """Where the page stands: below its namespace, where that has a page, in the registry."""
        links = [("Registry", context.at("/") if context.standing else _REGISTRY)]
        judgement = context.outcome.judgement
        if judgement.rules is not None:
            nid = nid_of(judgement)
            links.append((f"urn:{nid}:", context.at(f"/namespaces/{nid}")))
        return self._environment.get_template("published/name_crumbs.html").render(links=links)


def title_with_edition(standing: StandingEdition | None, title: str) -> str:
    """A title with the edition that a name is shown of, where it is not the current one."""
    return f"{title} in edition {standing.number}" if standing else title


def numbers_told(shell: str) -> tuple[str, str]:
    """With what the numbers begin that hold at the site of a shell alone, empty for none; and the
    shell without that mark.
    """
    found = _NUMBERS.search(shell)
    return (found[1], shell.replace(found[0], "", 1)) if found else ("", shell)


def unlit_shell(shell: str) -> str:
    """A shell for a page that is of none of the lists that the navigation leads to."""
    return shell.replace(_LIT, "", 1)


def fill_shell(shell: str, title: str, head: str, main: str, crumbs: str = "") -> str:
    """A shell with what is put into it, all of it HTML already.

    That of an edition of older software has no place for ``crumbs``.
    """
    shell = shell.replace(TITLE, title)  # of the page, and for those who share it
    for mark, html in ((HEAD, head), (CRUMBS, crumbs), (MAIN, main)):
        before, found, after = shell.partition(mark)
        shell = f"{before}{html}{after}" if found else shell
    return shell


def _first_host(context: NameContext) -> str:
    """The host to which the first service leads; empty where nothing does."""
    return next((urlsplit(one.target).netloc for one in context.services), "")


def _pieces(judgement: Judgement) -> tuple[IdentifierPart, ...]:
    if judgement.urn is None:
        return pieces_of_refused(judgement)
    pieces = pieces_of(judgement.urn)
    return tuple(piece._replace(text=shorten_text(piece.text, LONGEST)) for piece in pieces)
