"""Editions, their stored bytes, and the work of publishing them.

An edition is asked for by its number among all, the key by which tables refer to it, or by its
own number in a group of registries.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from flask import current_app
from sqlalchemy import ColumnElement, Integer, Select, bindparam, func, select

from app.registration.declarations.registry_groups import RegistryGroup, notice_for
from app.store import counters
from app.store.clocks import has_come
from app.store.counters import next_number
from app.store.database import add_missing, add_row, built_once, db
from app.store.digests import sha256
from app.store.edition_groups import group_at
from app.store.tables import Blob, DivergentManifest, Edition, EditionManifest, Publication
from app.store.tables.editions import EditionOrigin, PublicationResult
from app.store.tables.packed_bytes import pack_bytes
from app.store.tables.registry import Cause

COUNTER = "edition"
CLOCK = "now"  # the application's extension that tells the time
_LONGEST_WAIT = 300  # seconds until an edition that cannot be built is tried again
_SECOND = timedelta(seconds=1)
_LEAST = timedelta(microseconds=1)  # between two editions: the databases keep no less


def clock_time(default: datetime) -> datetime:
    clock = current_app.extensions.get(CLOCK)
    moment: datetime = clock() if clock else default
    return moment


@contextmanager
def clock_of(clock: Callable[[], datetime]) -> Iterator[None]:
    """Let the application tell another clock's time meanwhile, as for what is told of the past."""
    extensions = current_app.extensions
    kept = extensions.get(CLOCK)
    extensions[CLOCK] = clock
    try:
        yield
    finally:
        if kept is None:
            del extensions[CLOCK]
        else:
            extensions[CLOCK] = kept


def next_moment(at: datetime) -> datetime:
    """The moment of the edition that is opened next; nobody else opens one before the commit.

    The clock is read when nobody else can open an edition any more, since who asks first may
    come to it last. The moments of editions only ever grow: after a clock was set back they
    count on from the last one, a microsecond each, until the clock has come there. Nobody
    waits for it, since that could take years. ``at`` is when it was asked for, and what
    counts in an application without a clock.
    """
    counters.hold(COUNTER)
    return _after(latest_moment(), max(at, clock_time(at)))


def _after(last: datetime | None, moment: datetime) -> datetime:
    return moment if last is None else max(moment, last + _LEAST)


def latest_moment() -> datetime | None:
    """The latest moment of any edition; of a past out of order it is not the newest one's."""
    return db.session.scalar(_latest_moment())


@built_once
def _latest_moment() -> Select[datetime | None]:
    return select(func.max(Edition.as_of))


def add_edition(
    group: RegistryGroup,
    *,
    as_of: datetime,
    updated: str,
    origin: EditionOrigin,
    cause: Cause,
    notice: str,
) -> int:
    """Open the next edition of a group, and give its key; the transaction that does so fills it."""
    n = next_number(COUNTER)
    last, moment = db.session.execute(_last_in_group(), {"group": group.id}).one()
    as_of = _after(moment, as_of)
    notice = notice_for(group, notice)
    said = {"updated": updated, "origin": origin, "cause": cause, "notice": notice}
    add_row(Edition, n=n, group_id=group.id, number=(last or 0) + 1, as_of=as_of, **said)
    add_row(Publication, edition=n, result=PublicationResult.PENDING, next_at=as_of)
    return n


@built_once
def _last_in_group() -> Select[int | None, datetime | None]:
    return select(func.max(Edition.number), func.max(Edition.as_of)).where(_is_of_group())


def _is_of_group() -> ColumnElement[bool]:
    return Edition.group_id == bindparam("group")


def latest_edition(group: RegistryGroup) -> Edition | None:
    """The newest edition of a group, built or not."""
    return db.session.scalars(_latest_edition(), {"group": group.id}).one_or_none()


@built_once
def _latest_edition() -> Select[Edition]:
    return select(Edition).where(_is_of_group()).order_by(Edition.n.desc()).limit(1)


def last_opened() -> Edition | None:
    """The newest edition of any group, built or not."""
    return db.session.scalars(_last_opened()).one_or_none()


@built_once
def _last_opened() -> Select[Edition]:
    return select(Edition).order_by(Edition.n.desc()).limit(1)


def first_of(group: RegistryGroup, origin: EditionOrigin) -> Edition | None:
    """The oldest edition of a group that was made here, or that was taken over."""
    made = select(Edition).where(Edition.group_id == group.id, Edition.origin == origin)
    return db.session.scalars(made.order_by(Edition.n).limit(1)).one_or_none()


def get_edition(n: int) -> Edition:
    """An edition by its key; KeyError where there is none."""
    edition = db.session.get(Edition, n)
    if edition is None:
        raise KeyError(n)
    return edition


def find_numbered(group: RegistryGroup, number: int) -> Edition | None:
    """An edition of a group by its number there."""
    asked = select(Edition).where(Edition.group_id == group.id, Edition.number == number)
    return db.session.scalars(asked).one_or_none()


def number_of(n: int | None) -> int | None:
    """The number in its group of an edition, by its key; None for none."""
    return None if n is None else get_edition(n).number


def numbers_of(keys: Collection[int]) -> dict[int, int]:
    """The number in its group of each of these editions, by their keys."""
    if not keys:
        return {}
    rows = db.session.execute(select(Edition.n, Edition.number).where(Edition.n.in_(keys)))
    return {row[0]: row[1] for row in rows}


def keys_of(group: RegistryGroup) -> dict[int, int]:
    """The key of each edition of a group, by its number there, oldest first."""
    rows = select(Edition.number, Edition.n).where(Edition.group_id == group.id)
    return {row[0]: row[1] for row in db.session.execute(rows.order_by(Edition.n))}


def unbuilt(at: datetime | None = None) -> list[int]:
    """Editions of all groups whose files are to be made, oldest first; with a moment, those due."""
    waiting = select(Publication.edition).where(Publication.result != PublicationResult.BUILT)
    if at is not None:
        due = has_come(Publication.next_at, at, timedelta(seconds=_LONGEST_WAIT))
        waiting = waiting.where((Publication.result == PublicationResult.PENDING) | due)
    return list(db.session.scalars(waiting.order_by(Publication.edition)))


def newest_built(group: RegistryGroup) -> int | None:
    """The newest edition of a group whose files are there."""
    found = select(func.max(Publication.edition)).join(Edition, Edition.n == Publication.edition)
    is_built = Publication.result == PublicationResult.BUILT
    return db.session.scalar(found.where(Edition.group_id == group.id, is_built))


def failures(most: int) -> list[tuple[int, int, str]]:
    """The newest editions of all groups that could not be built: key, attempts, why."""
    return [
        (n, attempts, why) for n, attempts, why in db.session.execute(_failed(), {"most": most})
    ]


def standing_failures(most: int) -> list[tuple[int, int, str]]:
    """Of ``failures`` those that keep the newest state of a group from being published."""
    found = db.session.execute(_failed_of_groups()).all()
    if not found:  # as nearly always
        return []
    newest = {row[0]: row[1] for row in db.session.execute(_newest_built_of_groups())}
    standing = [(n, tries, why) for n, tries, why, group in found if n > newest.get(group, 0)]
    return standing[:most]


@built_once
def _newest_built_of_groups() -> Select[str, int]:
    return (
        select(Edition.group_id, func.max(Edition.n))
        .join(Publication, Publication.edition == Edition.n)
        .where(Publication.result == PublicationResult.BUILT)
        .group_by(Edition.group_id)
    )


@built_once
def _failed_of_groups() -> Select[int, int, str, str]:
    return (
        select(Publication.edition, Publication.attempts, Publication.why, Edition.group_id)
        .join(Edition, Edition.n == Publication.edition)
        .where(Publication.result == PublicationResult.FAILED)
        .order_by(Publication.edition.desc())
    )


@built_once
def _failed() -> Select[int, int, str]:
    return (
        select(Publication.edition, Publication.attempts, Publication.why)
        .where(Publication.result == PublicationResult.FAILED)
        .order_by(Publication.edition.desc())
        .limit(bindparam("most", type_=Integer()))
    )


def packed_bytes(bodies: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Bytes packed before they are kept, since nobody else writes while one keeps them."""
    return {name: pack_bytes(body) for name, body in bodies.items()}


def keep_bytes(bodies: Mapping[str, bytes]) -> None:
    """Keep bytes by their hashes; equal ones are kept once, whichever editions hold them."""
    add_missing(Blob, [{"sha256": name, "content": bodies[name]} for name in sorted(bodies)])


def keep_files(edition: int, digest: str) -> bool:
    """Keep which list is that of an edition's files; False if somebody was quicker."""
    publication = _publication(edition)
    if publication.result == PublicationResult.BUILT:
        return False
    db.session.add(EditionManifest(edition=edition, sha256=digest))
    publication.result, publication.why = PublicationResult.BUILT, ""
    publication.attempts += 1
    db.session.flush()
    return True


def retry_unbuilt(group: RegistryGroup, since: int) -> list[int]:
    """Have the unbuilt editions of a group from one on built at once, and return their keys."""
    rows = select(Publication).join(Edition, Edition.n == Publication.edition)
    unbuilt = Publication.result != PublicationResult.BUILT
    rows = rows.where(Edition.group_id == group.id, Publication.edition >= since, unbuilt)
    rows = rows.order_by(Publication.edition).with_for_update(of=Publication)
    held = list(db.session.scalars(rows))
    for row in held:
        row.result = PublicationResult.PENDING
    db.session.flush()
    return [row.edition for row in held]


def note_failure(edition: int, why: str, at: datetime | None) -> None:
    """Note why an edition could not be built; it is tried again later, and later each time."""
    publication = _publication(edition)
    if publication.result == PublicationResult.BUILT:
        return
    publication.result, publication.why = PublicationResult.FAILED, why
    publication.attempts += 1
    wait = timedelta(seconds=min(2**publication.attempts, _LONGEST_WAIT))
    publication.next_at = (at or publication.next_at) + wait


def _publication(edition: int) -> Publication:
    return db.session.scalars(
        select(Publication).where(Publication.edition == edition).with_for_update()
    ).one()


def let_stand(edition: int, manifest: bytes) -> None:
    """Let a list of files, which was published first, be an edition's in place of its own."""
    digest = sha256(manifest)
    keep_bytes({digest: manifest})
    db.session.add(DivergentManifest(edition=edition, sha256=digest))
    db.session.flush()


def manifest_digest(edition: int) -> str:
    """The SHA-256 of the list of an edition's files; KeyError where it is not built."""
    row = db.session.execute(_digests().where(EditionManifest.edition == edition)).one_or_none()
    digest: str | None = row and row.sha256
    if digest is None:
        raise KeyError(edition)
    return digest


def manifest_digests() -> dict[int, str]:
    """The SHA-256 of each edition's list of files, of all groups, oldest first."""
    rows = db.session.execute(_digests().order_by(EditionManifest.edition))
    return {row.edition: row.sha256 for row in rows}


def _digests() -> Select[int, str]:
    stands = func.coalesce(DivergentManifest.sha256, EditionManifest.sha256)
    return select(EditionManifest.edition, stands.label("sha256")).outerjoin(
        DivergentManifest, DivergentManifest.edition == EditionManifest.edition
    )


def built(group: RegistryGroup, until: int | None = None) -> list[int]:
    """The editions of a group whose files are there, oldest first, before one if it is given."""
    rows = select(EditionManifest.edition).join(Edition, Edition.n == EditionManifest.edition)
    rows = rows.where(Edition.group_id == group.id).order_by(EditionManifest.edition)
    return list(
        db.session.scalars(rows if until is None else rows.where(EditionManifest.edition < until))
    )


def all_editions(group: RegistryGroup, until: int | None = None) -> list[Edition]:
    """Every edition of a group, built or not, oldest first; up to and with one if it is given."""
    rows = select(Edition).where(Edition.group_id == group.id).order_by(Edition.n)
    return list(db.session.scalars(rows if until is None else rows.where(Edition.n <= until)))


def every_edition() -> list[Edition]:
    """Every edition of every group, built or not, oldest first."""
    return list(db.session.scalars(select(Edition).order_by(Edition.n)))


def last_modified(n: int) -> datetime:
    """What Last-Modified says of an edition: its moment, and a second more than the one before.

    HTTP counts in seconds, and the moments of a past out of order do not even grow.
    """
    latest: datetime | None = None
    for edition in all_editions(group_at(n), until=n):
        floor = edition.as_of.replace(microsecond=0)
        latest = floor if latest is None else max(floor, latest + _SECOND)
    if latest is None:
        raise KeyError(n)
    return latest


def find_as_of(group: RegistryGroup, moment: datetime) -> Edition | None:
    """The edition of a group that stood at a moment, None where there was none yet."""
    stood = select(Edition).where(Edition.group_id == group.id, Edition.as_of <= moment)
    return db.session.scalars(stood.order_by(Edition.n.desc()).limit(1)).one_or_none()


def contents(digests: Sequence[str]) -> dict[str, bytes]:
    """Stored bytes by their hashes; those that are not stored are left out."""
    rows = db.session.execute(select(Blob.sha256, Blob.content).where(Blob.sha256.in_(digests)))
    return {row.sha256: row.content for row in rows}


def content(digest: str) -> bytes:
    """Stored bytes by their hash; KeyError where they are not."""
    found = db.session.scalar(select(Blob.content).where(Blob.sha256 == digest))
    if found is None:
        raise KeyError(digest)
    return found
