"""For operators and what balances load: whether the process lives, and whether it can work."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from app.bundles.name_copies import NameCopyWriter
from app.pages.text.phrases import count_phrase, duration_phrase
from app.registration.declarations.registry_groups import GROUPS
from app.services.assigned_names import name_feed
from app.services.operations import database_binding, site_condition
from app.services.operations.database_binding import DatabaseFailure, DatabaseFault, SecretMismatch
from app.services.operations.heartbeats import edition_in
from app.services.operations.site_condition import (
    AlertKind,
    MailCondition,
    SiteCondition,
)
from app.web.middleware.session import now, settings, signing_secret, this_host

bp = Blueprint("health", __name__)

_AWAY = "database away"  # when this process last found that
_AWAITED = {"status": "no edition is published on this host yet"}
_NAMES_DAMAGED = {"status": "the copy of identifiers is damaged; the worker is rebuilding it"}
_NAMES_UNREADABLE = {"status": "the copy of identifiers cannot be read"}
_NAMES_AWAITED = {"status": "new identifiers have not been copied to this host yet"}


@bp.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Answer that the process is alive."""
    return {"status": "ok"}


@bp.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Report whether this host can serve requests, and the condition of the site.

    503 means that clients would notice: the database is missing or saves nothing, no edition is
    published on this host yet, or its copy of identifiers is missing or stale, so that identifiers
    would resolve to old targets. Waiting mail or a missing worker doesn't take a host out of use.
    """
    try:
        if not database_binding.is_current(current_app.extensions["migrations"]):
            return {"status": "the database is not set up for this software"}, 503
        signing_secret()
        site = site_condition.site_condition(this_host())
        if site.database:
            return _told(site) | {"status": site.database.state}, 503
        is_awaited = site.edition is not None and _edition_here() is None
        if is_awaited:
            return _told(site) | _AWAITED, 503
        copy = NameCopyWriter(settings().names_dir)
        if copy.finds_damage():
            return _told(site) | _NAMES_DAMAGED, 503
        if copy.path.is_file() and copy.feed() is None:
            return _told(site) | _NAMES_UNREADABLE, 503
        lacks = name_feed.awaits_names(copy, now())
        told = _told(site)
        return (told | _NAMES_AWAITED, 503) if lacks else told
    except SecretMismatch:
        return {"status": "the secret key on this host differs from the registry’s"}, 503
    except DatabaseFailure as error:
        current_app.extensions[_AWAY] = now()
        return {"status": _state(database_binding.fault_of(error))}, 503


def _state(fault: DatabaseFault | None) -> str:
    return fault.state if fault else "the database is not available"


def _edition_here() -> int | None:
    return edition_in(settings().published_dir)


def _told(site: SiteCondition) -> dict[str, Any]:
    groups = _groups()
    awaited = [ident for ident, one in groups.items() if one["newest"] and not one["here"]]
    own = [one.matter for one in site.troubles_here if one.host]
    own += [AlertKind.PUBLICATION for _ in awaited]
    of_site = [one.matter for one in site.troubles_here if not one.host]
    # until then the host was stopped, or no sign of life could be saved
    if _is_recent("started") or _is_recent(_AWAY):
        own = list(filter(AlertKind.WORKER.__ne__, own))
        of_site = list(filter(AlertKind.WORKER.__ne__, of_site))
    matters = _kinds(sorted(own + of_site, key=list(AlertKind).index))
    return {
        "status": "degraded" if matters else "ready",
        "troubles": matters,
        "troubles of": {
            "this host": _kinds(own),
            "the site": _kinds(of_site),
            "other hosts": _kinds([one.matter for one in site.troubles_elsewhere]),
        },
        "database": site.database.trouble if site.database else "there",
        "worker": _worker(site),
        "hosts": _hosts(site),
        "edition": {"newest": site.edition, "here": _edition_here()},
        **({"groups": groups} if groups else {}),
        "publication": _publication(site, awaited),
        "names": _names(site),
        "mail": _mail(site.mail),
        "mail server": _server(site),
        "disk": (
            f"{site.here.free_share:.0%} free" if site.here and site.here.is_seen else "not known"
        ),
    }


def _is_recent(what: str) -> bool:
    moment: datetime | None = current_app.extensions.get(what)
    return moment is not None and abs(now() - moment) <= site_condition.UNSEEN


def _kinds(matters: Iterable[AlertKind]) -> list[str]:
    return list(dict.fromkeys(map(str, matters)))


def _groups() -> dict[str, dict[str, int | None]]:
    """The editions of the groups besides that of the site itself, by the group's id.

    One that is not here yet is awaited at its own paths, and is no reason to send people elsewhere.
    """
    published = settings().published_dir
    return {
        ident: {"newest": number, "here": edition_in(published / GROUPS[ident].folder)}
        for ident, number in site_condition.newest_editions().items()
    }


def _worker(site: SiteCondition) -> str:
    here = site.here
    if here is None:
        return "never seen on this host" if site.seen else "never seen"
    ago = duration_phrase(abs(here.unseen))
    if here.is_seen:
        return f"seen {ago} ago"
    # its signs of life may be among what the database does not save
    return (
        f"not known: the worker last reported {ago} ago"
        if site.database
        else (f"not seen for {ago}")
    )


def _hosts(site: SiteCondition) -> dict[str, int]:
    return {
        "seen": len(site.seen),
        "not seen": len(site.hosts) - len(site.seen),
        "behind": sum(host.is_behind for host in site.seen),
    }


def _publication(site: SiteCondition, awaited: Sequence[str]) -> str:
    if site.database:
        return "stopped: the database saves no new data"
    if site.unbuilt:
        return f"{count_phrase(len(site.unbuilt), 'edition')} cannot be published"
    if site.divergence:
        return "stopped: published editions differ from the database"
    if not site.seen:
        return "stopped: no worker is running"
    if awaited:
        return f"waiting on this host: {', '.join(awaited)}"
    failing = sum(bool(host.trouble) for host in site.seen)
    if failing:
        return f"fails on {count_phrase(failing, 'host')}"
    late = sum(one.matter is AlertKind.PUBLICATION for one in site.troubles)
    return f"is late on {count_phrase(late, 'host')}" if late else "ok"


def _names(site: SiteCondition) -> str:
    return "stopped: an older backup was restored" if site.names else "ok"


def _mail(mail: MailCondition) -> str:
    if not mail.waiting or mail.oldest is None:
        return "no messages waiting"
    return (
        f"{count_phrase(mail.waiting, 'message')} waiting, the oldest for "
        f"{duration_phrase(mail.oldest)}"
    )


def _server(site: SiteCondition) -> str:
    if site.seen and not any(host.sends for host in site.seen):
        return "none is set"
    heard = site.last_heard
    if heard is None or heard.heard is None:
        return "not asked yet"
    ago = duration_phrase(heard.heard)
    return f"took no mail {ago} ago" if heard.said else f"took mail {ago} ago"
