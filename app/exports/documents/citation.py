"""A registration as it is cited: what, whose registry, which edition, where, and on which day."""

from app.exports.content.name_presentation import kind_in_words, presentation_of, whole_name
from app.exports.content.reference_text import fold_space
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry

_SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_TEX = str.maketrans(_SPECIAL)


def citation_line(
    snapshot: RegistrySnapshot, table: SubRegistry, record: Registration, url: str
) -> str:
    """A registration as one line of a list of references."""
    parts = (
        _title(table, record),
        *(fact[0].upper() + fact[1:] for fact in _facts(record)),
        f"In: {fold_space(snapshot.title)}, edition {snapshot.edition} ({snapshot.updated})",
        url,
    )
    return ". ".join(filter(None, parts))


def bibtex_entry(
    snapshot: RegistrySnapshot, table: SubRegistry, record: Registration, url: str
) -> str:
    """The citation of a record as an entry for BibTeX; what TeX takes for commands is escaped."""
    edition = f"{fold_space(snapshot.title)}, edition {snapshot.edition} ({snapshot.updated})"
    members = {
        "title": f"{{{_tex(_title(table, record))}}}",
        "howpublished": _tex(edition),
        "year": (record.date or "")[:4],
        "note": _tex(", ".join(_facts(record))),
        "url": _tex(url),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in members.items() if value]
    return "\n".join((f"@misc{{{record.folded}-{snapshot.edition},", *lines, "}"))


def _title(table: SubRegistry, record: Registration) -> str:
    name = whole_name(presentation_of(table), record) or record.name
    declared = REGISTRIES.get(table.id)
    if not declared:
        return name
    what = kind_in_words(table)
    return f"{name}, {'an' if what[0] in 'aeiou' else 'a'} {what}"


def _facts(record: Registration) -> list[str]:
    facts = {
        "registered": record.date,
        "changed": record.updated,
        "template version": record.version,
        "status": None if record.status == "registered" else record.status,
    }
    return [f"{label} {value}" for label, value in facts.items() if value]


def _tex(text: str) -> str:
    return text.translate(_TEX)
