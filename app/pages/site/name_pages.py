"""The page of one name: its parts, what it is by the registry, and where it leads."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader
from markupsafe import escape

from app.exports.content.file_names import NAANS, URN_NAMESPACES, registry_folder
from app.exports.content.name_presentation import presentation_of
from app.exports.content.selection import people_named
from app.identifiers.ark import parse_ark
from app.identifiers.errors import InvalidARK
from app.pages.lists.registry_list import RegistryListRow, RegistryListView, row_of
from app.pages.namespaces.ark_prefix_view import BoundNameView
from app.pages.namespaces.timeline import HistoryRow
from app.pages.site.chrome import configure_environment
from app.pages.text.markdown import reveal_unseen
from app.pages.text.phrases import ARK_LABELS, IdentifierPart, pieces_of_ark
from app.pages.tools.ark_tool import ArkRegistryView, registry_view_of
from app.pages.tools.urn_tool import LABELS, pieces_of, pieces_of_refused
from app.registration.declarations.naan_registries import NAAN_SPACE
from app.registration.declarations.registries import alone_sentence
from app.registration.naans.naan_targets import host_of
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    SubRegistry,
)
from app.resolution.ark_documents import (
    ArkJudgement,
    ArkNameContext,
    ark_headline,
    ark_reasons,
    prefix_words,
)
from app.resolution.ark_resolver import (
    NaanAlone,
    ShoulderAlone,
    UnregisteredNaan,
)
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
    return next((urlsplit(one.target).netloc for one in context.services), "")


def _pieces(judgement: Judgement) -> tuple[IdentifierPart, ...]:
    if judgement.urn is None:
        return pieces_of_refused(judgement)
    pieces = pieces_of(judgement.urn)
    return tuple(piece._replace(text=shorten_text(piece.text, LONGEST)) for piece in pieces)


# What stands beside the NAAN and the shoulder, or below with a link of its own.
_OF_PREFIX = "about_prefix"  # that nothing is known of what is named
_SHOWN = re.compile("led|holder|policy_.*|meant|nearest")


class ArkNamePages:
    """Makes the pages of ARKs from the page templates in a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(templates), autoescape=True)
        configure_environment(self._environment)

    def page(self, shell: str, context: ArkNameContext, bound: BoundNameView | None = None) -> str:
        """The page of an ARK in the shell of an edition; ``bound`` is what is known of its name."""
        outcome = context.outcome
        request = outcome.request
        title = bound.title if bound else ark_headline(outcome)
        grounds = [one for one in ark_reasons(outcome) if not (bound and one.code == _OF_PREFIX)]
        pieces = _ark_pieces(request.normal_form)
        view = _view(context, is_bound=bound is not None)
        numbers, shell = numbers_told(shell)
        main = self._environment.get_template("published/ark.html").render(
            alone=_alone(context, numbers),
            context=context,
            bound=bound,
            title=title,
            text=shorten_text(request.normal_form or request.text, LONGEST),
            pieces=pieces,
            labelled=[(ARK_LABELS[one.kind], one) for one in pieces if one.kind in ARK_LABELS],
            normal_form=request.normal_form,
            reasons=[one for one in grounds if not _SHOWN.fullmatch(one.code)],
            is_unregistered=isinstance(outcome, UnregisteredNaan),
            nearest=_nearest(context),
            view=view,
            host=host_of(view.link) if view.label else "",
            pages=_pages_of_holders(context),
            path_of=name_path,
            now=name_path(request.normal_form or request.text),
            longest=LONGEST,
        )
        title = title_with_edition(context.standing, title)
        return fill_shell(shell, str(escape(reveal_unseen(title))), "", main, self._crumbs(context))

    def _crumbs(self, context: ArkNameContext) -> str:
        below = ((rules.prefix, context.path_of(rules.prefix)) for rules in context.holders[::-1])
        home = context.at("/") if context.standing else registry_folder(NAANS)
        links = [("NAANs", home), *(one for one in below if one[1])]
        return self._environment.get_template("published/name_crumbs.html").render(links=links)


def _view(context: ArkNameContext, *, is_bound: bool) -> ArkRegistryView:
    outcome = context.outcome
    view = registry_view_of(ArkJudgement(outcome, context.holders, ()), "")
    is_led = not (is_bound or isinstance(outcome, NaanAlone | ShoulderAlone))
    return view if is_led else replace(view, label="")


def _alone(context: ArkNameContext, numbers: str) -> str:
    return alone_sentence(NAAN_SPACE, context.outcome.request.naan, numbers) if numbers else ""


def _pages_of_holders(context: ArkNameContext) -> list[tuple[str, str]]:
    pages = ((prefix_words(rules), context.path_of(rules.prefix)) for rules in context.holders)
    return [(label, path) for label, path in pages if path]


def _nearest(context: ArkNameContext) -> list[tuple[str, str]]:
    outcome = context.outcome
    near = outcome.nearest if isinstance(outcome, UnregisteredNaan) else ()
    return [(naan, context.path_of(naan) or context.at(f"/names/ark:{naan}")) for naan in near]


def _ark_pieces(form: str) -> tuple[IdentifierPart, ...]:
    try:
        pieces = pieces_of_ark(parse_ark(form))
    except InvalidARK:
        return ()
    return tuple(piece._replace(text=shorten_text(piece.text, LONGEST)) for piece in pieces)


def people_shown(snapshot: RegistrySnapshot, view: RegistryListView) -> tuple[Person, ...]:
    """All people beside all names; beside some names, those whom these refer to."""
    if view.shown == view.total:
        return snapshot.people
    rows = (row.record for table in view.tables for row in table.rows)
    named = {ident for record in rows for ident in people_named(record)}
    return tuple(person for person in snapshot.people if person.id in named)


def record_extract(
    snapshot: RegistrySnapshot,
    table: SubRegistry,
    record: Registration,
    people: Mapping[str, Person],
) -> RegistrySnapshot:
    """The registry with one record, so that its page takes no longer in a larger registry."""
    named = tuple(people[ident] for ident in sorted(people_named(record)) if ident in people)
    tables = (replace(table, records=(record,)),)
    return replace(snapshot, registries=tables, people=named)


def standing_edition(snapshot: RegistrySnapshot, history: Sequence[HistoryRow]) -> RegistrySnapshot:
    """The edition from which on a record stands as it does; its page changes with it alone."""
    if not history:
        return snapshot
    return replace(snapshot, edition=history[0].edition, updated=history[0].date)


def rows_below(
    snapshot: RegistrySnapshot, people: Mapping[str, Person]
) -> dict[str, list[RegistryListRow]]:
    """The names that lie under another one, by the key of that: shoulders by their NAAN."""
    found: dict[str, list[RegistryListRow]] = {}
    for table in snapshot.registries:
        for record in table.records if presentation_of(table).under else ():
            above = record.space.above(record.folded)
            found.setdefault(above, []).append(row_of(table, record, people))
    return found


def rows_related(
    table: SubRegistry, record: Registration, people: Mapping[str, Person]
) -> tuple[RegistryListRow, ...]:
    """Names that have to do with a name, as far as its profile tells them."""
    named = (Registration(name=name, space=record.space) for name in record.profile.related)
    return tuple(row_of(table, one, people) for one in named)
