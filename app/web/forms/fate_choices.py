"""What becomes of a name by a revision, as its holder chooses it."""

from app.registration.declarations.registries import Registry
from app.registration.records.registry_records import Status

__all__ = ["ENDS", "RESTORED", "STAYS", "SUCCEEDED", "fates_of", "stays_deprecated"]

STAYS, RESTORED, SUCCEEDED, ENDS = "stays", "restored", "succeeded", "ends"


def stays_deprecated(registry: Registry, stands: Status) -> bool:
    """Whether a name is deprecated that its holder cannot deprecate: an operator did so.

    Then it stays so, unless its holder says in words of their own that it comes back into use.
    """
    return stands is Status.DEPRECATED and registry.ends_as != Status.DEPRECATED


def fates_of(registry: Registry, stands: Status) -> tuple[tuple[str, str], ...]:
    """The choices: names of some registries are deprecated, those of others end with their holder.

    Each is a pair of what is sent and what is read. ``stands`` is how the name stands now.
    """
    ends = "End it" if registry.ends_as == Status.FORMER else "Deprecate it"
    stays = (
        ((STAYS, "Keep it deprecated"), (RESTORED, "Return to use"))
        if stays_deprecated(registry, stands)
        else ((STAYS, "Keep in use"),)
    )
    return (
        *stays,
        (SUCCEEDED, f"{ends}, with a successor"),
        (ENDS, f"{ends}, with no successor"),
    )
