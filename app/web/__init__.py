"""HTTP in, HTTP out, for people who work with the registry."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from app.config import Settings
from app.pages.site.published_site import Site, configure
from app.registration.declarations.registries import FIELDS
from app.web import (
    acts,
    claims,
    converters,
    corrections,
    desk,
    discussion,
    editions,
    experts,
    forms,
    giving_back,
    guide,
    headers,
    health,
    holding,
    intake,
    mail,
    notes,
    operations,
    organizations,
    placing,
    problems,
    profile_corrections,
    public,
    records,
    registrant,
    resolvers,
    review,
    security_contact,
    session,
    signing,
    syntax_tool,
    tools,
    wording,
)
from app.web import requests as requests_pages
from app.web.shell import shell


def install(app: Flask, settings: Settings, site: Site, now: Callable[[], datetime]) -> None:
    """Give an application its pages, its error pages and its headers."""
    app.extensions.update(settings=settings, site=site, now=now)
    converters.install(app)
    configure(app.jinja_env)
    app.jinja_env.globals.update(
        act_of=acts.act_of,
        answered=wording.answered,
        mailed_to=partial(acts.mailed_to, has_list=bool(settings.list_address)),
        HAS_LIST=bool(settings.list_address),
        happened=wording.happened,
        headline=partial(wording.headline, proposal=settings.authority == "proposal"),
        kind_of=wording.kind_of,
        sentence_of=wording.sentence_of,
        standing=wording.standing,
        steps=wording.steps,
        told=wording.told,
        meaning_of=wording.meaning_of,
        asks_for=wording.asks_for,
        ASKED=forms.ASKED,
        way_to=acts.way_to,
        LED=acts.LED,
        DETAILS=wording.DETAILS,
        turn_of=wording.turn_of,
        labels={field.name: field.label for field in FIELDS.values()},
        section_of={field.name: field.section for field in FIELDS.values()},
    )
    intake.install(app)  # before the check of tokens, which reads the form
    CSRFProtect(app)
    problems.install(app)
    giving_back.install(app)
    headers.install(app)
    session.install(app)
    app.context_processor(lambda: {"chrome": shell()})
    people_pages = (signing, registrant, discussion, records, requests_pages, review, desk)
    facts = (profile_corrections,)
    offices = (notes, corrections, experts, organizations, holding, claims, mail, operations)
    for_all = (public, editions, guide, tools, syntax_tool, placing, resolvers, health)
    for_programs = (security_contact,)
    for room in (*for_all, *for_programs, *people_pages, *offices, *facts):
        app.register_blueprint(room.bp)
    if settings.demo:
        app.register_blueprint(signing.demo)
