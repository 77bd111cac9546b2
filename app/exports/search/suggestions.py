"""What is offered while somebody types: each namespace with its title and what it names, each NAAN
with its holder, and other words by which they are found.

A registry of more names than ``MOST_SUGGESTED`` has a file without any, so that nobody fetches
megabytes for a field; the field then does without.
"""

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from app.exports.content.name_presentation import space_among
from app.exports.content.selection import current_records
from app.exports.search.search_terms import SAY_NOTHING, words_of
from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.registration.records.registry_records import Registration, RegistrySnapshot

MOST_SUGGESTED = 2_000  # names
_LONGEST = 120  # characters of a title, and of what is named
_MOST_WORDS = 200  # characters of those by which a name is found and that are not shown
_SHORTEST_WORD = 3  # characters of one of them


class Suggestion(NamedTuple):
    """A folded name, its title, and what the names under it name; these two may be empty.

    The title of a NAAN is its holder. ``words`` are others by which it is found, folded, with
    spaces between them: of its description and its holder.
    """

    nid: str
    title: str = ""
    names: str = ""
    words: str = ""


def suggestion_of(record: Registration, registry: str = "") -> Suggestion:
    """What is offered of a record of a registry: where that has columns of its own, the first is
    its title."""
    profile, declared = record.profile, REGISTRIES.get(registry)
    fields = dict(record.fields)
    column = declared.columns[0].text(fields) if declared and declared.columns else ""
    title, names = _cut(profile.title or column), _cut(profile.names)
    shown = {*words_of(f"{record.folded} {title} {names}"), *SAY_NOTHING}
    holder = (fields.get(name, "") for name in (declared.holder_fields if declared else ()))
    of_holder = " ".join(text for text in holder if column and "://" not in text)
    told = dict.fromkeys(words_of(f"{profile.description} {profile.holder} {of_holder}"))
    words = [word for word in told if word not in shown and len(word) >= _SHORTEST_WORD]
    return Suggestion(record.folded, title, names, _as_far(words))


def suggestions_in(records: Iterable[Registration]) -> tuple[Suggestion, ...]:
    """What is offered of many records, in their order; nothing where they are too many."""
    return _at_most(suggestion_of(record) for record in records)


def suggestions_bytes(snapshot: RegistrySnapshot) -> bytes:
    """The names in use as JSON, a row a line, with what each member of a row is called, how a name
    is written as a whole, and where its page is.
    """
    rows = _at_most(
        suggestion_of(record, table.id)
        for table in snapshot.registries
        for record in current_records(table)
    )
    return "".join(_document(rows, space_among(snapshot))).encode()


def _at_most(offered: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    found = tuple(offered)
    return found if len(found) <= MOST_SUGGESTED else ()


def _document(rows: tuple[Suggestion, ...], space: IdentifierSpace) -> Iterator[str]:
    told = {"columns": Suggestion._fields, "written": space.written, "page": space.page}
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    yield f'{json.dumps(told)[:-1]}, "rows": [\n{lines}\n]}}\n'


def _as_far(words: list[str]) -> str:
    text = " ".join(words)
    return text if len(text) <= _MOST_WORDS else text[: text.rindex(" ", 0, _MOST_WORDS + 1)]


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1].rstrip()}…"


def suggested_names(body: bytes) -> list[str]:
    """The names that a file of suggestions holds."""
    return [row[0] for row in json.loads(body)["rows"]]
