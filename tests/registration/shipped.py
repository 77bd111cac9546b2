"""A registry as the document that it is shipped as."""

from app.registration.records.record_documents import (
    Document,
    head_to,
    person_to,
    registration_to,
)
from app.registration.records.registry_records import RegistrySnapshot


def snapshot_to(snapshot: RegistrySnapshot) -> Document:
    """The whole registry as one document, as it is shipped."""
    return {
        "head": head_to(snapshot),
        "updated": snapshot.updated,
        "records": {
            registry.id: [registration_to(record) for record in registry.records]
            for registry in snapshot.registries
        },
        "people": [person_to(person) for person in snapshot.people],
    }
