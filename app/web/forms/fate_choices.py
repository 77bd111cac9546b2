"""What becomes of a name by a revision, as its holder chooses it."""

from app.registration.declarations.registries import Registry
from app.registration.records.registry_records import Status

__all__ = ["ENDS", "STAYS", "SUCCEEDED", "fates_of"]

STAYS, SUCCEEDED, ENDS = "stays", "succeeded", "ends"


def fates_of(registry: Registry) -> tuple[tuple[str, str], ...]:
    """The choices: names of some registries are deprecated, those of others end with their holder.

    Each is a pair of what is sent and what is read.
    """
    ends = "Its holder ceases" if registry.ends_as == Status.FORMER else "It is deprecated"
    return (
        (STAYS, "It stays in use"),
        (SUCCEEDED, f"{ends}, and another {registry.space.label} takes its place"),
        (ENDS, f"{ends}, and none takes its place"),
    )
