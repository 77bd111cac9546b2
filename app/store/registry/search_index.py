"""Finding names: their index is written with each version, and asked for what is shown.

Rows come in the order asked for, from a key on: a page costs the same wherever it begins.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Executable,
    Select,
    TextClause,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
)
from sqlalchemy import text as sql
from sqlalchemy.orm import InstrumentedAttribute

from app.exports.content.selection import people_named
from app.exports.search.search_terms import (
    FacetValues,
    ReferenceKind,
    SearchTerm,
    facet_values,
    keys_of,
    person_term,
    terms_of,
)
from app.registration.declarations.registries import REGISTRIES, space_of
from app.registration.records.record_documents import registration_from
from app.registration.records.registry_records import Person, Registration, Status
from app.store.database import built_once, db, insert
from app.store.registry.person_versions import people_of
from app.store.tables import Name, RecordVersion, SearchEntry

_TOLD_OF = tuple(SearchEntry.__table__.columns)
_TOLD = tuple(column for column in _TOLD_OF if not column.primary_key)


# ---- writing


class SearchIndexEntry(NamedTuple):
    """A name's newest version, as its row is made from it."""

    name_id: int
    version_id: int
    record: Registration
    registry: str
    sort_key: str


def index_versions(versions: Sequence[SearchIndexEntry]) -> None:
    """Let names be found as their newest versions tell of them."""
    people = {person.id: person for person in people_of(_named_in(versions))}
    rows = [_row(version, people) for version in versions]
    if rows:
        db.session.execute(_putting(), rows)


def remove(name_id: int) -> None:
    """Remove a name that no edition has from the index."""
    db.session.execute(delete(SearchEntry).where(SearchEntry.name_id == name_id))


@built_once
def _putting() -> Executable:
    added = insert(SearchEntry)
    told = {column.name: added.excluded[column.name] for column in _TOLD}
    return added.on_conflict_do_update(index_elements=["name_id"], set_=told)


def _row(version: SearchIndexEntry, people: Mapping[str, Person]) -> dict[str, Any]:
    registry, record = version.registry, version.record
    cell, keys = facet_values(registry, record), keys_of(record, registry)
    return {
        "name_id": version.name_id,
        "version_id": version.version_id,
        "registry_id": registry,
        "status": cell.status,
        "reference": cell.reference,
        "year": cell.year,
        "changed": (record.updated or "")[:10],
        "by_name": keys.name,
        "by_template": keys.template,
        "by_reference": keys.reference,
        "by_date": keys.date,
        "place": _place(registry, version.sort_key, record.folded),
        "words": terms_of(registry, record, people),
    }


def _place(registry: str, sort_key: str, folded: str) -> str:
    return f"{_order(registry):02d} {sort_key} {folded}"


def _order(registry: str) -> int:
    return tuple(REGISTRIES).index(registry)


def refresh() -> int:
    """Make anew the rows that other software filled otherwise, and say how many they were."""
    kept = {row["name_id"]: dict(row) for row in db.session.execute(select(*_TOLD_OF)).mappings()}
    standing = [_indexed(*row) for row in db.session.execute(_standing())]
    people = {person.id: person for person in people_of(_named_in(standing))}
    rows = [row for row in (_row(one, people) for one in standing) if row != kept[row["name_id"]]]
    if rows:
        db.session.execute(_putting(), rows)
    return len(rows)


def _named_in(versions: Iterable[SearchIndexEntry]) -> set[str]:
    return {ident for version in versions for ident in people_named(version.record)}


def refresh_naming(ident: str) -> None:
    """Look again at the names that refer to a person, who is called otherwise now."""
    db.session.flush()
    naming = _standing().where(_holds((SearchTerm(person_term(ident)),)))
    index_versions([_indexed(*row) for row in db.session.execute(naming)])


def _indexed(version: RecordVersion, registry: str) -> SearchIndexEntry:
    record = registration_from(json.loads(version.document), space_of(registry))
    return SearchIndexEntry(version.name_id, version.id, record, registry, version.sort_key)


def _standing() -> Select[RecordVersion, str]:
    return select(RecordVersion, SearchEntry.registry_id).join(
        SearchEntry, SearchEntry.version_id == RecordVersion.id
    )


# ---- asking


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchIndexQuery:
    registries: tuple[str, ...]
    terms: tuple[SearchTerm, ...] = ()
    statuses: tuple[Status, ...] = tuple(Status)
    reference: ReferenceKind | None = None
    year: str = ""


class SearchIndexOrder(NamedTuple):
    """How rows are sorted: by a key of ``SortKeys``, or in the registry's own order without one."""

    key: str = ""
    descending: bool = False


class SearchIndexHit(NamedTuple):
    """A record that was asked for, and its table."""

    registry: str
    record: Registration


def cells(registries: tuple[str, ...], terms: tuple[SearchTerm, ...] = ()) -> Counter[FacetValues]:
    if any(REGISTRIES[each].facets for each in registries):
        return _cells_of_records(registries, terms)
    grouped = (SearchEntry.registry_id, SearchEntry.status, SearchEntry.reference, SearchEntry.year)
    here = SearchEntry.registry_id.in_(registries)
    query = select(*grouped, func.count()).where(here).group_by(*grouped)
    if terms:
        query = query.where(_holds(terms))
    return Counter(
        {
            FacetValues(registry, Status(status), ReferenceKind(reference), year): count
            for registry, status, reference, year, count in db.session.execute(query)
        }
    )


def _cells_of_records(
    registries: tuple[str, ...], terms: tuple[SearchTerm, ...]
) -> Counter[FacetValues]:
    here = _documents().where(SearchEntry.registry_id.in_(registries))
    found = _found(here.where(_holds(terms)) if terms else here)
    return Counter(facet_values(hit.registry, hit.record) for hit in found)


def count(wanted: SearchIndexQuery) -> int:
    here = SearchEntry.registry_id.in_(wanted.registries)
    query = select(func.count()).select_from(SearchEntry).where(here, *_filters(wanted))
    return db.session.scalar(query) or 0


def page(
    wanted: SearchIndexQuery, order: SearchIndexOrder, most: int, after: str = ""
) -> list[SearchIndexHit]:
    """At most ``most`` names, from the one after ``after`` on; LookupError if none is so."""
    found: list[SearchIndexHit] = []
    for part in _parts(wanted, order, _begin(after, wanted) if after else None):
        rows = db.session.execute(part.limit(most - len(found)))
        found += (_hit(*row) for row in rows)
        if len(found) >= most:
            break
    return found


def dated(
    day: str, most: int, registries: tuple[str, ...]
) -> tuple[list[SearchIndexHit], list[SearchIndexHit]]:
    """The first of the names in use that were registered, and that were changed, on a day."""
    in_use = (
        _documents()
        .where(SearchEntry.status != Status.FORMER, SearchEntry.registry_id.in_(registries))
        .order_by(SearchEntry.place)
        .limit(most)
    )
    changed = in_use.where(SearchEntry.changed == day, SearchEntry.by_date != day)
    return _found(in_use.where(SearchEntry.by_date == day)), _found(changed)


def newest(most: int, registries: tuple[str, ...]) -> list[SearchIndexHit]:
    """The names in use that were registered last, the newest first."""
    here = SearchEntry.registry_id.in_(registries)
    in_use = _documents().where(SearchEntry.status != Status.FORMER, SearchEntry.by_date > "", here)
    return _found(in_use.order_by(SearchEntry.by_date.desc(), SearchEntry.place).limit(most))


def beneath(record: Registration) -> list[SearchIndexHit]:
    """The names that lie under another one, such as the shoulders of a NAAN, in their order."""
    registries = [each.id for each in REGISTRIES.values() if each.space.under is record.space]
    begins = Name.folded.startswith(f"{record.folded}/", autoescape=True)
    here = SearchEntry.registry_id.in_(registries)
    named = _documents().join(Name, Name.id == SearchEntry.name_id).where(here, begins)
    return _found(named.order_by(SearchEntry.place)) if registries else []


def neighbours_of(
    registry: str, sort_key: str, folded: str
) -> tuple[Registration | None, Registration | None]:
    """The records in use before and after a name, where it stands or would stand in its table."""
    asked = {"registry": registry, "place": _place(registry, sort_key, folded)}
    before, after = _found(_before(), asked), _found(_behind(), asked)
    return (before[0].record if before else None), (after[0].record if after else None)


@built_once
def _before() -> Select[str, str]:
    return (
        _in_table().where(SearchEntry.place < bindparam("place")).order_by(SearchEntry.place.desc())
    )


@built_once
def _behind() -> Select[str, str]:
    return _in_table().where(SearchEntry.place > bindparam("place")).order_by(SearchEntry.place)


def _in_table() -> Select[str, str]:
    return (
        _documents()
        .where(
            SearchEntry.registry_id == bindparam("registry"), SearchEntry.status != Status.FORMER
        )
        .limit(1)
    )


def _found(query: Select[str, str], asked: Mapping[str, str] | None = None) -> list[SearchIndexHit]:
    return [
        _hit(registry, document) for registry, document in db.session.execute(query, asked or {})
    ]


def _hit(registry: str, document: str) -> SearchIndexHit:
    return SearchIndexHit(registry, registration_from(json.loads(document), space_of(registry)))


def _documents() -> Select[str, str]:
    return select(SearchEntry.registry_id, RecordVersion.document).join(
        RecordVersion, RecordVersion.id == SearchEntry.version_id
    )


def _begin(after: str, wanted: SearchIndexQuery) -> SearchEntry:
    named = select(SearchEntry).join(Name, Name.id == SearchEntry.name_id)
    here = Name.space.in_({REGISTRIES[each].space.id for each in wanted.registries})
    asked = named.where(Name.folded == after, here).order_by(SearchEntry.place)
    row = db.session.scalars(asked.limit(1)).one_or_none()
    if row is None:
        raise LookupError(after)
    return row


def _column(order: SearchIndexOrder) -> InstrumentedAttribute[str]:
    column: InstrumentedAttribute[str] = getattr(SearchEntry, f"by_{order.key}")
    return column


def _parts(
    wanted: SearchIndexQuery, order: SearchIndexOrder, begin: SearchEntry | None
) -> Iterator[Select[str, str]]:
    for registry in wanted.registries:
        if begin and _order(registry) < _order(begin.registry_id):
            continue
        here = begin if begin and begin.registry_id == registry else None
        part = _documents().where(SearchEntry.registry_id == registry, *_filters(wanted))
        yield from _sorted(part, order, here)


def _sorted(
    part: Select[str, str], order: SearchIndexOrder, begin: SearchEntry | None
) -> Iterator[Select[str, str]]:
    if not order.key:
        yield _from(part, begin).order_by(SearchEntry.place)
        return
    column = _column(order)
    begins_with_key = begin is not None and bool(getattr(begin, column.key))
    if begin is None or begins_with_key:
        keyed = part.where(column > "")
        if begin is not None:
            keyed = keyed.where(_beyond(column, getattr(begin, column.key), begin.place, order))
        yield keyed.order_by(column.desc() if order.descending else column, SearchEntry.place)
    rest = begin if begin is not None and not begins_with_key else None
    yield _from(part.where(column == ""), rest).order_by(SearchEntry.place)


def _from(part: Select[str, str], begin: SearchEntry | None) -> Select[str, str]:
    return part if begin is None else part.where(SearchEntry.place > begin.place)


def _beyond(
    column: InstrumentedAttribute[str], key: str, place: str, order: SearchIndexOrder
) -> ColumnElement[bool]:
    here, beyond = (
        (column <= key, column < key) if order.descending else (column >= key, column > key)
    )
    return and_(here, or_(beyond, SearchEntry.place > place))


def _filters(wanted: SearchIndexQuery) -> Iterator[ColumnElement[bool] | TextClause]:
    if wanted.statuses != tuple(Status):
        yield SearchEntry.status.in_(wanted.statuses)
    if wanted.reference:
        yield SearchEntry.reference == wanted.reference
    if wanted.year:
        yield SearchEntry.year == wanted.year
    if wanted.terms:
        yield _holds(wanted.terms)


def _holds(terms: tuple[SearchTerm, ...]) -> TextClause:
    if db.engine.dialect.name == "sqlite":
        words = " AND ".join(f'"{term.text}"{" *" if term.is_prefix else ""}' for term in terms)
        matching = "SELECT rowid FROM search_text WHERE search_text MATCH :asked_words"
        return sql(f"search.name_id IN ({matching})").bindparams(asked_words=words)
    words = " & ".join(f"'{term.text}'{':*' if term.is_prefix else ''}" for term in terms)
    return sql("search.vector @@ CAST(:asked_words AS tsquery)").bindparams(asked_words=words)
