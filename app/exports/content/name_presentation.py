"""How the published forms speak of the names of a space."""

from dataclasses import dataclass

from app.exports.content.file_names import registry_folder
from app.registration.declarations.registries import REGISTRIES
from app.registration.records.registry_records import Registration, RegistrySnapshot, SubRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePresentation:
    """What a column of names is headed, and what a name is in full and where its page is."""

    heading: str
    member: str = ""
    whole: str = ""
    page: str = ""


_SPACES = {
    "nid": NamePresentation(
        heading="URN Namespace", member="urn", whole="urn:{}:", page="/namespaces/{}"
    ),
}
_UNDECLARED = NamePresentation(heading="Name")


def presentation_of(registry: SubRegistry) -> NamePresentation:
    """The space that a table's names belong to; a plain one for a table nobody declared."""
    declared = REGISTRIES.get(registry.id)
    return _SPACES.get(declared.space, _UNDECLARED) if declared else _UNDECLARED


def whole_name(space: NamePresentation, record: Registration) -> str:
    """A name with what stands around it in use, such as ``urn:isbn:``; empty if nothing does."""
    return space.whole.format(record.folded)


def kind_of(registry: SubRegistry) -> str:
    """A word for the names of one table, such as ``formal``; its id where none is declared."""
    declared = REGISTRIES.get(registry.id)
    return declared.kind if declared else registry.id


def registry_path(snapshot: RegistrySnapshot) -> str:
    """The page of a whole registry, below which its files lie."""
    return registry_folder(snapshot.id)


def template_path(registry: SubRegistry, record: Registration) -> str:
    """Where the text of a registered template is; LookupError for a table nobody declared."""
    return f"/assignments/urn-{REGISTRIES[registry.id].kind}/{record.folded}"
