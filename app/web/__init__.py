"""HTTP in, HTTP out, for people who work with the registry."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from app.config import Settings
from app.pages.site.published_site import Site, configure
from app.registration.declarations.registries import FIELDS
from app.web.accounts import delegate_pages, form_recovery, sign_in_pages
from app.web.actions import action_buttons, request_wording
from app.web.desk import (
    claim_pages,
    correction_pages,
    desk_pages,
    mail_pages,
    organization_pages,
    panel_pages,
    profile_pages,
    status_pages,
)
from app.web.forms import request_forms
from app.web.middleware import (
    problem_responses,
    request_guard,
    response_headers,
    session,
    url_converters,
)
from app.web.middleware.site_chrome import shell
from app.web.public import (
    edition_pages,
    health_endpoints,
    help_pages,
    registry_pages,
    resolver_pages,
    security_contact,
    syntax_workbench,
    tool_pages,
)
from app.web.requests import (
    discussion_pages,
    draft_pages,
    note_pages,
    request_documents,
    review_pages,
    template_upload,
)
from app.web.requests import request_pages as requests_pages


def install(app: Flask, settings: Settings, site: Site, now: Callable[[], datetime]) -> None:
    """Give an application its pages, its error pages and its headers."""
    app.extensions.update(settings=settings, site=site, now=now)
    url_converters.install(app)
    configure(app.jinja_env)
    app.jinja_env.globals.update(
        act_of=action_buttons.button_of,
        answered=request_wording.review_answers,
        mailed_to=partial(action_buttons.mailed_to, has_list=bool(settings.list_address)),
        HAS_LIST=bool(settings.list_address),
        happened=request_wording.name_event_sentence,
        headline=partial(request_wording.headline, proposal=settings.authority == "proposal"),
        kind_of=request_wording.kind_of,
        sentence_of=request_wording.sentence_of,
        standing=request_wording.section_status,
        steps=request_wording.steps,
        told=request_wording.event_sentence,
        meaning_of=request_wording.meaning_of,
        asks_for=request_wording.asks_for,
        ASKED=request_forms.ASKED,
        way_to=action_buttons.own_page_of,
        LED=action_buttons.LED,
        DETAILS=request_wording.DETAILS,
        turn_of=request_wording.turn_of,
        labels={field.name: field.label for field in FIELDS.values()},
        section_of={field.name: field.section for field in FIELDS.values()},
    )
    request_guard.install(app)  # before the check of tokens, which reads the form
    CSRFProtect(app)
    problem_responses.install(app)
    form_recovery.install(app)
    response_headers.install(app)
    session.install(app)
    app.context_processor(lambda: {"chrome": shell()})
    people_pages = (
        sign_in_pages,
        draft_pages,
        discussion_pages,
        request_documents,
        requests_pages,
        review_pages,
        desk_pages,
    )
    facts = (profile_pages,)
    offices = (
        note_pages,
        correction_pages,
        panel_pages,
        organization_pages,
        delegate_pages,
        claim_pages,
        mail_pages,
        status_pages,
    )
    for_all = (
        registry_pages,
        edition_pages,
        help_pages,
        tool_pages,
        syntax_workbench,
        template_upload,
        resolver_pages,
        health_endpoints,
    )
    for_programs = (security_contact,)
    for room in (*for_all, *for_programs, *people_pages, *offices, *facts):
        app.register_blueprint(room.bp)
    if settings.demo:
        app.register_blueprint(sign_in_pages.demo)
