"""Where the actor of a request comes from: each source knows one proof of who is asking."""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol, cast

from flask import Flask, current_app, g

from app.services.accounts.actors import Actor

_SOURCES = "actor_sources"


class ActorSource(Protocol):
    """One kind of proof that a request may carry, such as the cookie of a session.

    A bearer token (RFC 6750) would be looked up by a second one.
    """

    def find_actor(self, at: datetime) -> Actor | None:
        """Who the present request acts for; None where it carries no proof of this kind."""

    def note_use(self, actor: Actor, at: datetime) -> None:
        """Note that the proof was used; called once for a request that was answered."""


def install(app: Flask, sources: Iterable[ActorSource]) -> None:
    """Let an application find actors by these, of which the first that knows one counts."""
    app.extensions[_SOURCES] = tuple(sources)


def find_actor(at: datetime) -> Actor | None:
    """Who the present request acts for, if anybody; looked up once for each request."""
    if "actor" not in g:
        g.actor, g.actor_source = _ask_sources(at)
    return cast(Actor | None, g.actor)


def _ask_sources(at: datetime) -> tuple[Actor, ActorSource] | tuple[None, None]:
    for source in cast(tuple[ActorSource, ...], current_app.extensions[_SOURCES]):
        actor = source.find_actor(at)
        if actor is not None:
            return actor, source
    return None, None


def forget_actor() -> None:
    """Let the actor be looked up again, since the proof changed."""
    g.pop("actor", None)
    g.pop("actor_source", None)


def note_use(at: datetime) -> None:
    """Let the source by which the actor was found note that; nothing where nobody was."""
    source: ActorSource | None = g.get("actor_source")
    if source is not None:
        source.note_use(cast(Actor, g.actor), at)
