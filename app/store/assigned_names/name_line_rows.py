"""Which line of changes of names this database has, and the hosts that told their numbers in it."""

from collections import Counter
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, case, delete, func, or_, select, text

from app.store import clocks
from app.store.database import add_missing, db, insert
from app.store.tables import (
    AssignedNameVersion,
    Event,
    GivenNumber,
    Host,
    NameHost,
    NameLine,
    Prefix,
)

_ROW = 1
_GONE = timedelta(days=7)  # a host that was not there for so long before is waited for no more
_RETIRED = timedelta(days=1)  # likewise for a host that was stopped cleanly
_MAY_ASK = "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')"
_SYSTEM = "SELECT system_identifier FROM pg_control_system()"
# the server's line of its own, which a restored or promoted one leaves, and what is made anew here
_PLACE = """
SELECT concat_ws(' ', substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8), oid,
                 'name_line'::regclass::oid, 'assigned_name'::regclass::oid)
FROM pg_database WHERE datname = current_database()
"""


def place() -> str:
    if db.engine.dialect.name != "postgresql":
        return ""
    # where it is refused to ask, the rest has to do
    system = db.session.scalar(text(_SYSTEM)) if db.session.scalar(text(_MAY_ASK)) else ""
    return f"{system} {db.session.scalar(text(_PLACE))}"


def find() -> NameLine | None:
    """The line that this database has; None before the first name."""
    return db.session.scalars(_line()).one_or_none()


def held(telling: str, stands: str) -> NameLine:
    """The line, made where there is none. Who asks holds the changes of names.

    Where the database does not stand where it stood, all hosts are to tell their numbers anew, in
    a ``telling`` of its own. The first line is called as the telling in which it begins: one
    without a name, as older software left it, could not be told from that of another registry.
    """
    if find() is None:
        told = {"line": telling, "former": "", "lost": "", "telling": telling, "place": stands}
        add_missing(NameLine, [{"id": _ROW, **told}])
    row = db.session.scalars(_line().execution_options(populate_existing=True)).one()
    if not (row.line or row.lost):
        row.line = telling
    if row.place != stands:
        row.place = stands
        begin_telling(row, telling)
    return row


def end_line(row: NameLine, line: str) -> None:
    """Keep that a line of changes ended, of which this database may know nothing."""
    if line != row.line and not has_ended(row, line):
        row.former = f"{row.former}{line},"


def has_ended(row: NameLine, line: str) -> bool:
    return line in row.former.split(",")[:-1]


def _line() -> Select[NameLine]:
    return select(NameLine)


def begin_telling(row: NameLine, telling: str) -> None:
    """Make all hosts report their numbers again, except hosts that left before the backup."""
    newest = db.session.scalar(select(func.max(NameHost.seen)))
    if newest is not None:
        was_stopped = NameHost.id.not_in(select(Host.id))
        _forget(
            or_(
                NameHost.seen < newest - _GONE,
                and_(was_stopped, NameHost.seen < newest - _RETIRED),
            )
        )
    row.telling = telling
    db.session.flush()


def awaited(row: NameLine) -> list[str]:
    """List the hosts that haven't reported their numbers: labels, with the id if not unique."""
    late = [host for host in all_hosts() if host.telling != row.telling]
    if not late:
        return []
    by_id = {host.id: host.label for host in all_hosts()}
    by_id |= {found.id: found.label for found in db.session.execute(select(Host.id, Host.label))}
    labels = Counter(by_id.values())
    return [host.label if labels[host.label] <= 1 else f"{host.label} ({host.id})" for host in late]


def all_hosts() -> list[NameHost]:
    """List every host that has reported numbers, by its label."""
    return list(db.session.scalars(select(NameHost).order_by(NameHost.label, NameHost.id)))


def find_host(ident: str) -> NameHost | None:
    return db.session.get(NameHost, ident, populate_existing=True)


def keep_host(ident: str, label: str, telling: str) -> None:
    """Keep that a host told its numbers."""
    told = {"label": label, "telling": telling, "seen": clocks.database_now()}
    made = insert(NameHost).values(id=ident, **told)
    db.session.execute(made.on_conflict_do_update(index_elements=["id"], set_=told))


def forget_host(ident: str) -> bool:
    """Stop waiting for a host; return False if its id is unknown."""
    return _forget(NameHost.id == ident)


def _forget(which: ColumnElement[bool]) -> bool:
    gone = delete(NameHost).where(which).returning(NameHost.id)
    return bool(db.session.scalars(gone.execution_options(synchronize_session=False)).all())


def following_number(prefix: str) -> int:
    """The number below which all are given, as hosts told it; 0 where none did."""
    found = select(GivenNumber.following).where(GivenNumber.prefix == prefix)
    return db.session.scalar(found) or 0


def order_seed(prefix: str) -> str:
    """Return the order seed of a prefix that a host reported, or "" if none did."""
    found = select(GivenNumber.order_seed).where(GivenNumber.prefix == prefix)
    return db.session.scalar(found) or ""


def raise_number(prefix: str, following: int, seed: str = "") -> None:
    """Keep that all numbers below one are given; a lower one than is kept changes nothing.

    ``seed`` is the order seed by which they were given; the first one that is kept stays.
    """
    made = insert(GivenNumber).values(prefix=prefix, following=following, order_seed=seed)
    higher = case((GivenNumber.following < following, following), else_=GivenNumber.following)
    first = case((GivenNumber.order_seed == "", seed), else_=GivenNumber.order_seed)
    db.session.execute(
        made.on_conflict_do_update(
            index_elements=[GivenNumber.prefix], set_={"following": higher, "order_seed": first}
        )
    )


def known_numbers() -> dict[str, tuple[int, str]]:
    """Return what follows the highest number, and the order seed, for each prefix that this
    database or a host knows."""
    prefixes = db.session.execute(select(Prefix.text, Prefix.next_number, Prefix.order_seed))
    found = {row.text: (row.next_number, row.order_seed) for row in prefixes}
    told = select(GivenNumber.prefix, GivenNumber.following, GivenNumber.order_seed)
    for row in db.session.execute(told):
        following, seed = found.get(row.prefix, (0, ""))
        found[row.prefix] = max(following, row.following), row.order_seed or seed
    return found


def leaf_of(change: int) -> str:
    """The leaf of the event by which a change was made, which no other has; empty for none."""
    found = (
        select(Event.leaf)
        .join(AssignedNameVersion, AssignedNameVersion.event == Event.n)
        .where(AssignedNameVersion.change == change)
    )
    return db.session.scalar(found) or ""


def unseen(row: NameHost) -> timedelta:
    now: datetime = db.session.execute(select(clocks.database_now())).scalar_one()
    return abs(now - row.seen)
