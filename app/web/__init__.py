"""HTTP in, HTTP out, for people who work with the registry."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from http import HTTPStatus

from flask import Flask, redirect

from app.config import Settings
from app.exports.content.file_names import alias_paths, registry_folder
from app.pages.site.chrome import configure_environment
from app.pages.site.published_site import Site
from app.pages.text import numbered_lines
from app.registration.declarations.registries import REGISTRIES, Registry, declared_spaces
from app.registration.declarations.registry_groups import GROUPS
from app.registration.submissions.text_points import BESIDE_TEMPLATE
from app.services.policy import MailSettings, bodies_of, mail_of, number_prefix_of
from app.services.request_status import request_status
from app.services.requests import request_points
from app.web.accounts import form_recovery
from app.web.accounts.held_name_paths import serve_held_names
from app.web.actions import action_buttons, request_steps, request_wording
from app.web.blueprints import DEMO_BLUEPRINT, FORM_BLUEPRINTS, READ_BLUEPRINTS
from app.web.forms import request_forms
from app.web.middleware import (
    group_at_hand,
    problem_responses,
    request_guard,
    response_headers,
    session,
    url_converters,
)
from app.web.middleware.site_chrome import shell
from app.web.public import edition_pages, registry_pages, template_texts
from app.workflow.evidence_inputs import labelled_details


def install_pages(app: Flask, settings: Settings, site: Site, now: Callable[[], datetime]) -> None:
    """Give an application its pages, its error pages and its headers."""
    app.extensions.update(settings=settings, site=site, now=now, started=now())
    url_converters.install(app)
    configure_environment(app.jinja_env)
    bodies = bodies_of(settings)
    app.jinja_env.filters["bodies"] = bodies.put_into
    declared = [field for registry in REGISTRIES.values() for field in registry.fields]
    fields = [*declared, *BESIDE_TEMPLATE]
    app.jinja_env.globals.update(
        act_of=partial(action_buttons.button_of, bodies=bodies),
        answered=request_wording.review_answers,
        mark_of=request_wording.mark_of,
        shape_of=request_wording.shape_of,
        choices_of=action_buttons.choices_of,
        mailed_to=action_buttons.mailed_to,
        has_list=partial(_has_list, mail_of(settings)),
        NUMBER_PREFIX=number_prefix_of(settings),
        BODIES=bodies,
        happened=request_wording.name_event_sentence,
        status_of=partial(request_wording.status_in_words, bodies=bodies),
        impasse_reason=request_status.impasse_reason,
        reader_of=request_wording.reader_of,
        due=request_status.due,
        kind_of=request_wording.kind_of,
        standing=request_wording.section_status,
        steps=request_steps.steps,
        numbered=numbered_lines.numbered,
        is_numbered=numbered_lines.is_numbered,
        told=partial(request_wording.event_sentence, bodies=bodies),
        request_to_iana=request_wording.request_to_iana,
        asks_for=request_wording.asks_for,
        ASKED=request_forms.ASKED,
        way_to=action_buttons.own_page_of,
        LED=action_buttons.LED,
        labelled_details=labelled_details,
        turn_of=partial(request_status.turn_of, bodies=bodies),
        labels={field.name: field.label for field in fields} | request_wording.QUESTION_LABELS,
        answers_as_text=request_points.answers_as_text,
        answers_in=request_points.answers_in,
        section_of={field.name: field.section for field in fields},
    )
    request_guard.install(app)
    problem_responses.install(app)
    form_recovery.install(app)
    response_headers.install(app)
    session.install(app)
    group_at_hand.install(app)
    app.context_processor(lambda: {"chrome": shell()})
    for blueprint in (*FORM_BLUEPRINTS, *READ_BLUEPRINTS):
        app.register_blueprint(blueprint)
    _serve_name_pages(app)
    serve_held_names(app, edition_pages.name_route)
    _serve_groups(app)
    if settings.demo:
        app.register_blueprint(DEMO_BLUEPRINT)


def _has_list(post: MailSettings, registry: Registry) -> bool:
    return bool(post.list_of(registry.id))


def _serve_name_pages(app: Flask) -> None:
    taken = {rule.rule for rule in app.url_map.iter_rules()}
    for space in declared_spaces():
        path = edition_pages.name_route(space)
        if path and path not in taken:
            view = partial(registry_pages.name_page, space=space)
            app.add_url_rule(path, f"public.{space.id}", view)


def _lead_to_lists(app: Flask) -> None:
    for group in GROUPS.values():
        there = registry_folder(group.id)
        view = partial(redirect, there, HTTPStatus.MOVED_PERMANENTLY)
        for way in alias_paths(group):
            app.add_url_rule(way, f"public.{group.id}-way", view)


def _serve_groups(app: Flask) -> None:
    _lead_to_lists(app)
    for group in (each for each in GROUPS.values() if not each.is_root):
        for path, name, view in edition_pages.routes_of(group):
            app.add_url_rule(path, f"editions.{group.id}-{name}", view)
        home = partial(registry_pages.registry, group=group)
        app.add_url_rule(registry_folder(group.id), f"public.{group.id}", home)
        declared = (REGISTRIES[ident] for ident in group.registries)
        for each in (one for one in declared if one.template_page):
            text = partial(template_texts.template_of_name, space=each.space)
            path = each.template_page.format("<path:name>")
            app.add_url_rule(path, f"public.{each.id}-text", text)
