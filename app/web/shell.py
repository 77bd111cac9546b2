"""What stands round every page for the person who asks."""

from typing import cast

from flask import get_flashed_messages, request
from flask_wtf.csrf import generate_csrf

from app.config import Settings
from app.pages.chrome import Chrome, Entry, Flash
from app.services.actors import Actor
from app.services.registry import NOTICES
from app.services.showing import waiting
from app.web.session import current_actor, settings

_REGISTRY = "/assignments/urn-namespaces/"


def public_shell(chosen: Settings) -> Chrome:
    """The shell that a visitor without an account sees; published pages carry it."""
    return Chrome(
        demo=chosen.demo,
        notice=NOTICES[chosen.authority],
        nav=(Entry("Registry", _REGISTRY), Entry("Requests", "/requests/")),
        account=Entry("Sign in", "/sign-in"),
        canonical=chosen.base_url,
        new_request="/requests/new",
    )


def shell() -> Chrome:
    """The shell for whoever asks, with what waits for them and what was just done."""
    chosen, actor = settings(), current_actor()
    plain = public_shell(chosen)
    said = cast(list[tuple[str, str]], get_flashed_messages(with_categories=True))
    return Chrome(
        demo=plain.demo,
        notice=plain.notice,
        nav=plain.nav + _for(actor),
        account=Entry("Your account", "/account") if actor else plain.account,
        actor=actor.shown if actor else None,
        flashes=tuple(Flash(kind, text) for kind, text in said),
        canonical=plain.canonical,
        csrf_token=generate_csrf(),
        new_request=plain.new_request,
    ).at(request.path)


def _for(actor: Actor | None) -> tuple[Entry, ...]:
    if actor is None or not (actor.is_expert or actor.is_operator):
        return ()
    counts = waiting(actor)
    review = (Entry("Review", "/review/", count=counts.review),) if actor.is_expert else ()
    desk = (Entry("Desk", "/desk/", count=counts.desk),) if actor.is_operator else ()
    return review + desk
