"""The page of one ARK: what it is made of, whose it is, and where it leads or why nowhere."""

import re
from dataclasses import replace
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import escape

from app.exports.content.file_names import NAANS, registry_folder
from app.identifiers.ark import parse_ark
from app.identifiers.errors import InvalidARK
from app.pages.namespaces.bound_name_view import BoundNameView
from app.pages.site.name_pages import LONGEST, fill_shell, numbers_told, title_with_edition
from app.pages.site.template_environment import configure_environment
from app.pages.text.identifier_parts import ARK_LABELS, IdentifierPart, pieces_of_ark
from app.pages.text.unseen_characters import reveal_unseen
from app.pages.tools.ark_registry_view import ArkRegistryView, registry_view_of
from app.registration.declarations.naan_registries import NAAN_SPACE
from app.registration.declarations.registries import alone_sentence
from app.registration.naans.naan_targets import host_of
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
from app.resolution.outcome_documents import name_path, shorten_text

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
        pieces = _pieces(request.normal_form)
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
        """Where the page stands: below its NAAN and shoulder, so far as these have pages."""
        below = ((rules.prefix, context.path_of(rules.prefix)) for rules in context.holders[::-1])
        home = context.at("/") if context.standing else registry_folder(NAANS)
        links = [("NAANs", home), *(one for one in below if one[1])]
        return self._environment.get_template("published/name_crumbs.html").render(links=links)


def _view(context: ArkNameContext, *, is_bound: bool) -> ArkRegistryView:
    """Whose it is; where a NAAN or a shoulder leads is no news of itself, nor of a bound name."""
    outcome = context.outcome
    view = registry_view_of(ArkJudgement(outcome, context.holders, ()), "")
    is_led = not (is_bound or isinstance(outcome, NaanAlone | ShoulderAlone))
    return view if is_led else replace(view, label="")


def _alone(context: ArkNameContext, numbers: str) -> str:
    """That an ARK is of a number that holds at its site alone, as the page of that number says."""
    return alone_sentence(NAAN_SPACE, context.outcome.request.naan, numbers) if numbers else ""


def _pages_of_holders(context: ArkNameContext) -> list[tuple[str, str]]:
    pages = ((prefix_words(rules), context.path_of(rules.prefix)) for rules in context.holders)
    return [(label, path) for label, path in pages if path]


def _nearest(context: ArkNameContext) -> list[tuple[str, str]]:
    outcome = context.outcome
    near = outcome.nearest if isinstance(outcome, UnregisteredNaan) else ()
    return [(naan, context.path_of(naan) or context.at(f"/names/ark:{naan}")) for naan in near]


def _pieces(form: str) -> tuple[IdentifierPart, ...]:
    """The parts of an ARK in normal form; none of a NAAN alone and of what is no ARK."""
    try:
        pieces = pieces_of_ark(parse_ark(form))
    except InvalidARK:
        return ()
    return tuple(piece._replace(text=shorten_text(piece.text, LONGEST)) for piece in pieces)
