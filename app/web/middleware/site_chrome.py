"""What stands round every page for the person who asks."""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from flask import g, get_flashed_messages, request
from flask_wtf.csrf import generate_csrf
from werkzeug.local import LocalProxy

from app.config import Settings
from app.exports.content.file_names import registry_folder
from app.pages.lists.registry_paths import formats, suggestions_path
from app.pages.site.chrome import Chrome, Flash, GroupLink, NavigationLink
from app.registration.declarations.registries import REGISTRIES, DeclaredProcedure, Registry
from app.registration.declarations.registry_groups import GROUPS, RegistryGroup
from app.registration.records.registry_records import RegistrySnapshot, SubRegistry
from app.services.accounts.actors import Actor
from app.services.assigned_names.prefix_lists import gives_names
from app.services.delegates.claims import count_to_decide
from app.services.policy import PROPOSAL, number_prefix_of
from app.services.requests.queues import QueueCounts, waiting_counts
from app.web.middleware.group_at_hand import group_at_hand
from app.web.middleware.session import current_actor, now, settings
from app.web.middleware.site_paths import REGISTRY


def public_shell(chosen: Settings) -> Chrome:
    """The shell that a visitor without an account sees; published pages carry it."""
    others = _others(gives=chosen.authority != PROPOSAL) if chosen.naans else ()
    return Chrome(
        demo=chosen.demo,
        notice=chosen.notice,
        operator=chosen.operator,
        nav=(
            NavigationLink("URNs" if others else "Registry", REGISTRY),
            *(NavigationLink(other.title, other.href) for other in others),
            NavigationLink("Requests", "/requests/"),
            NavigationLink("Tools", "/tools/"),
            NavigationLink("Help", "/help/"),
        ),
        account=NavigationLink("Sign in", "/sign-in"),
        footer=(
            NavigationLink("Help", "/help/"),
            NavigationLink("Procedures", "/help/procedures"),
            *_of_operator(chosen),
        ),
        others=others,
        canonical=chosen.base_url,
        new_request="/requests/new",
        name_check="/tools/nid",
        appointments="/appointments/",
        number_prefix=number_prefix_of(chosen),
    )


def _of_operator(chosen: Settings) -> Iterator[NavigationLink]:
    told = {"Contact": chosen.contact, "Privacy": chosen.privacy, "Imprint": chosen.imprint}
    return (NavigationLink(label, href) for label, href in told.items() if href)


def _others(*, gives: bool) -> tuple[GroupLink, ...]:
    return tuple(_link_to(group, gives=gives) for group in GROUPS.values() if not group.is_root)


def _link_to(group: RegistryGroup, *, gives: bool) -> GroupLink:
    registries, named = [REGISTRIES[each] for each in group.registries], _named(group)
    first = registries[0]
    return GroupLink(
        title=group.title,
        href=registry_folder(group.id),
        about=group.about,
        rules=group.rules,
        rules_at=group.rules_at,
        guide=group.guide,
        downloads=tuple(formats(named)),
        asked_at=(first.asked_first or f"/requests/new?kind={first.id}") if gives else "",
        label=first.space.label,
        invitation=first.invitation,
        procedures=_procedures(registries),
        has_experts=any(one.has_experts for one in registries),
        suggestions=suggestions_path(named),
    )


def _procedures(registries: list[Registry]) -> tuple[DeclaredProcedure, ...]:
    return tuple(one for registry in registries for one in registry.procedures)


def _named(group: RegistryGroup) -> RegistrySnapshot:
    tables = tuple(SubRegistry(id=each, title=each) for each in group.registries)
    return RegistrySnapshot(id=group.id, title=group.title, updated="", registries=tables)


def shell() -> Chrome:
    """The shell for whoever asks, with what waits for them and what was just done."""
    # the token is made when a form asks for it: a page without one gives nobody a cookie
    plain = replace(public_shell(settings()), csrf_token=cast(str, LocalProxy(generate_csrf)))
    if g.get("is_bare"):  # the database cannot be asked who it is
        return replace(plain, account=None).at(request.path)
    actor = current_actor()
    counts = waiting_counts(actor) if actor else None
    own = _for(actor, counts) if actor and counts else ()
    turns = counts.requests if counts else 0
    yours = NavigationLink("Your requests", "/requests/yours", count=turns)
    said = cast(list[tuple[str, str]], get_flashed_messages(with_categories=True))
    return replace(
        plain,
        nav=(*plain.nav, *((yours,) if yours.count else ()), *own),
        own=(yours, *own) if actor else (),
        account=NavigationLink("Your account", "/account") if actor else plain.account,
        actor=actor.shown if actor else None,
        desk="/desk" if actor and actor.is_operator else "",
        flashes=tuple(Flash(kind, text) for kind, text in said),
    ).at(request.path, group=group_at_hand() if plain.notice else None)


def _for(actor: Actor, counts: QueueCounts) -> tuple[NavigationLink, ...]:
    names = (NavigationLink("Your identifiers", "/prefixes/"),) if gives_names(actor, now()) else ()
    review = (NavigationLink("Review", "/review/", count=counts.review),) if actor.is_expert else ()
    return names + review + (_desk(counts.desk) if actor.is_operator else ())


def _desk(count: int) -> tuple[NavigationLink, ...]:
    return (NavigationLink("Desk", "/desk/", count=count + count_to_decide(now())),)
