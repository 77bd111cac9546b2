"""A short tour through the demonstration: where one looks, and at what."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.assigned_names.name_prefixes import read_prefix
from app.registration.declarations.naan_registries import NAAN_SPACE
from app.registration.declarations.registries import FORMAL
from app.registration.declarations.registry_groups import URN_GROUP
from app.resolution.name_paths import name_path
from app.services.operations.demo_registry import HOLLIS
from app.services.requests import queues
from app.store.accounts import account_rows
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.database import read_transaction
from app.store.demonstration import DOMAIN
from app.store.registry import record_versions

# A path, for a moment; empty where the demonstration has no such page, as without its requests.
_Place = Callable[[datetime], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TourStop:
    """A page of the tour: ``place`` finds its address, ``sentence`` says what to look at there.

    ``beside`` are names whose own pages show more of it, where they are given.
    """

    place: _Place
    sentence: str
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTourStop:
    """A stop as it is there: the path of its page, and those of names beside it."""

    path: str
    sentence: str
    beside: tuple[tuple[str, str], ...] = ()


def _at(path: str) -> _Place:
    return lambda _: path


def _namespace(name: str) -> _Place:
    def find(_: datetime) -> str:
        is_there = record_versions.find_record(FORMAL.space.id, name) is not None
        return FORMAL.space.page.format(name) if is_there else ""

    return find


def _request_for(name: str) -> _Place:
    def find(at: datetime) -> str:
        found = queues.about(name, at)
        return f"/requests/{found[0].number}" if found else ""

    return find


def _naan(at: datetime) -> str:
    """That of the library, which was drawn by chance."""
    holder = account_rows.find_account(f"{HOLLIS}@{DOMAIN}")
    held = prefix_rows.given_by(holder.id, at) if holder else []
    return NAAN_SPACE.page.format(read_prefix(held[0][0].text).registered) if held else ""


TOUR: tuple[TourStop, ...] = (
    TourStop(
        place=_at("/"),
        sentence="The first page takes a name apart and finds any of them. Type in the number of a "
        "book, or what a name is to be for.",
    ),
    TourStop(
        place=_namespace("isbn"),
        sentence="A namespace that IANA registered: what its names name, which there can be, where "
        "they lead, and who holds it.",
    ),
    TourStop(
        place=_at("/requests/"),
        sentence="Who asks for a name, and whose turn it is, since when and until when. Everybody "
        "can read along.",
    ),
    TourStop(
        place=_request_for("birdsong"),
        sentence="One request, from its first text on: what was said of it, what an expert wants "
        "changed, and what comes next.",
    ),
    TourStop(
        place=_namespace("old-bridges"),
        sentence="A namespace that was asked for and registered here, and changed since. Names are "
        "given in it: one that leads on, and one that was withdrawn.",
        beside=("urn:old-bridges:bridge:1", "urn:old-bridges:bridge:3"),
    ),
    TourStop(
        place=_naan,
        sentence="A NAAN that was given here to a library, which names its logbooks under it: how "
        "its ARKs look, where they lead, and what is promised.",
    ),
    TourStop(
        place=_at(URN_GROUP.editions),
        sentence="Each change makes an edition of the registry, which is kept for ever: what it "
        "changed, and its files as they were.",
    ),
    TourStop(
        place=_at("/sign-in"),
        sentence="Now be somebody: one click, and you see what an expert sees, or the operator, or "
        "who asks for a name.",
    ),
)


def stops(at: datetime) -> tuple[FoundTourStop, ...]:
    """The tour through this demonstration: the stops whose pages are there."""
    with read_transaction():
        found = ((stop, stop.place(at)) for stop in TOUR)
        return tuple(
            FoundTourStop(path=path, sentence=stop.sentence, beside=_given(stop.beside))
            for stop, path in found
            if path
        )


def _given(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    known = assigned_name_rows.known(set(names)) if names else {}
    return tuple((name, name_path(name)) for name in names if name in known)
