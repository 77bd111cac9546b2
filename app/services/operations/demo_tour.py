"""A short tour of the demo."""

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

# The path of a page, or "" if the demo has no such page, for example without sample data.
_Place = Callable[[datetime], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TourStop:
    """A page of the tour: ``place`` finds its path, ``sentence`` says what to see there.

    ``beside`` are identifiers whose own pages show more.
    """

    place: _Place
    sentence: str
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTourStop:
    """A stop with the path of its page and those of related identifiers."""

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
    """Return the path of the library's NAAN, which is random."""
    holder = account_rows.find_account(f"{HOLLIS}@{DOMAIN}")
    held = prefix_rows.given_by(holder.id, at) if holder else []
    return NAAN_SPACE.page.format(read_prefix(held[0][0].text).registered) if held else ""


TOUR: tuple[TourStop, ...] = (
    TourStop(
        place=_at("/"),
        sentence="Search for any identifier here. Try the ISBN of a book, or a topic.",
    ),
    TourStop(
        place=_namespace("isbn"),
        sentence="A namespace registered by IANA: its purpose, syntax, resolvers and registrant.",
    ),
    TourStop(
        place=_at("/requests/"),
        sentence="All requests: the current step, who acts next, and the due date. This page is "
        "public.",
    ),
    TourStop(
        place=_request_for("birdsong"),
        sentence="A request: its text, the discussion, the changes an expert asked for, and the "
        "next step.",
    ),
    TourStop(
        place=_namespace("old-bridges"),
        sentence="A namespace requested, registered and later revised here. Two of its URNs: one "
        "redirects, one was withdrawn.",
        beside=("urn:old-bridges:bridge:1", "urn:old-bridges:bridge:3"),
    ),
    TourStop(
        place=_naan,
        sentence="A NAAN of a library, used for its logbooks: the form of its ARKs, their targets "
        "and its policies.",
    ),
    TourStop(
        place=_at(URN_GROUP.editions),
        sentence="Each change creates an edition of the registry. Editions and their files are "
        "kept permanently.",
    ),
    TourStop(
        place=_at("/sign-in"),
        sentence="Now sign in with one click and try the registry as a registrant, an expert or "
        "the operator.",
    ),
)


def stops(at: datetime) -> tuple[FoundTourStop, ...]:
    """Return the stops of the tour whose pages exist."""
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
