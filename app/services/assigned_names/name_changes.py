"""Changing names that were given: where they lead, what is said of them, their withdrawal."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.assigned_names.assigned_name_records import NameRevision
from app.assigned_names.name_schemes import read_assigned_name
from app.identifiers import InvalidIdentifier
from app.problems import assigned_name_codes, use_case_codes
from app.services.accounts.actors import Actor
from app.services.assigned_names import prefix_rights
from app.services.assigned_names.ended_delegations import with_ends_kept
from app.services.assigned_names.minting import check_count
from app.services.assigned_names.name_batches import GivenNumbers, write_batch
from app.services.assigned_names.name_change_plans import ChangedNames, PrefixInUse, plan_changes
from app.services.assigned_names.prefix_rights import (
    locked_prefix,
    require_changing_role,
    require_open,
)
from app.services.refusals import EditConflict, InvalidInput, NotFound, Refusal
from app.services.use_cases import Command, use_case
from app.store.assigned_names import assigned_name_rows, prefix_rows
from app.store.assigned_names.assigned_name_rows import StoredAssignedName
from app.store.database import read_transaction
from app.store.tables import Prefix
from app.store.tables.assigned_names import BatchKind

__all__ = ["change_names", "chosen_name", "prefix_of_name", "preview_changes", "read_name"]


def read_name(text: str) -> str:
    """The normal form of a name that somebody wrote. Raises InvalidInput."""
    try:
        return read_assigned_name(text.strip())
    except InvalidIdentifier as error:
        raise InvalidInput(
            assigned_name_codes.ASSIGNED_NAME_REFUSED, error.message, "name", error.position
        ) from error


def chosen_name(beginning: str, rest: str, within: tuple[str, ...]) -> str:
    """The normal form of a name that a prefix and what stands behind it make.

    ``within`` are prefixes that were delegated from it. Raises InvalidInput for what is no name of
    the prefix, or one that others give.
    """
    name = read_name(f"{beginning}{rest.strip().removeprefix(beginning)}")
    told = ""
    if not prefix_rights.read(beginning).holds(name):
        told = f"Enter the part after {beginning}."
    elif name[:-1].startswith(within):
        told = f"{name} is under a delegated prefix within {beginning}."
    if told:
        raise InvalidInput(assigned_name_codes.ASSIGNED_NAME_REFUSED, told, "name")
    return name


def prefix_of_name(name: str) -> Prefix:
    """The prefix that a name was given under; of a name that was not given, the innermost that it
    is under. Raises NotFound.

    What is delegated later takes no names from whoever gave them.
    """
    stored = assigned_name_rows.known([name]).get(name)
    given_under = prefix_rows.of_id(stored.prefix) if stored is not None else None
    if given_under is not None:
        return given_under
    around = prefix_rows.enclosing(name[:-1])
    if not around:
        raise NotFound(
            assigned_name_codes.PREFIX_UNKNOWN, f"{name} isn't under any prefix of this registry."
        )
    return around[0]


@with_ends_kept
@use_case("change names", beside=("given",))
def change_names(
    command: Command,
    revisions: tuple[NameRevision, ...],
    reason: str = "",
    *,
    given: GivenNumbers,
    only_new: bool = False,
) -> int:
    """Change names under one prefix, or give names that its holder made; gives the event's number.

    A prefix that has ended gets no names, and those that it has are changed all the same. All are
    changed or none; with ``only_new`` none that was given before. Raises NotFound, NotAllowed,
    Refusal, and InvalidInput with what is wrong with the first that is refused.
    """
    check_count(len(revisions))
    prefix = locked_prefix(prefix_of_name(revisions[0].name).id)
    role = require_changing_role(prefix, command.actor, command.at)
    known = assigned_name_rows.known({one.name for one in revisions})
    _see_unchanged(command, revisions, known)
    if only_new and known:
        sentence = f"{min(known)} is already assigned. Open it in the list to change it."
        raise InvalidInput(assigned_name_codes.ASSIGNED_NAME_REFUSED, sentence, "name")
    if any(one.name not in known for one in revisions):
        require_open(prefix)
    made = plan_changes(PrefixInUse.of(prefix, command.at), revisions, known)
    _require_all(made, revisions)
    if not made.changes:
        raise Refusal(
            assigned_name_codes.ASSIGNED_NAME_REFUSED, "Nothing to save: there are no changes."
        )
    return write_batch(
        command,
        prefix,
        BatchKind.CHANGED,
        made.changes,
        given=given,
        role=role,
        reason=reason.strip(),
    )


def preview_changes(
    actor: Actor, at: datetime, revisions: tuple[NameRevision, ...]
) -> ChangedNames:
    """What would come of revisions of names under one prefix, of which nothing is kept.

    Raises what ``change_names`` does, but for what the time between brings.
    """
    with read_transaction():
        check_count(len(revisions))
        prefix = prefix_of_name(revisions[0].name)
        require_changing_role(prefix, actor, at)
        known = assigned_name_rows.known({one.name for one in revisions})
        made = plan_changes(PrefixInUse.of(prefix, at), revisions, known)
        _require_all(made, revisions)
        return made


def _require_all(made: ChangedNames, revisions: Sequence[NameRevision]) -> None:
    """Raise Refusal, or InvalidInput, with what is wrong with the first that is refused."""
    if not made.refused:
        return
    place = min(made.refused)
    finding = next(found for at, found in made.findings if at == place)
    if finding.code == assigned_name_codes.ASSIGNED_NAME_WITHDRAWN.code:
        raise Refusal(assigned_name_codes.ASSIGNED_NAME_WITHDRAWN, finding.message)
    which = f"{revisions[place].name}: " if len(revisions) > 1 else ""
    raise InvalidInput(
        assigned_name_codes.ASSIGNED_NAME_REFUSED, f"{which}{finding.message}", finding.field
    )


def _see_unchanged(
    command: Command, revisions: Sequence[NameRevision], known: Mapping[str, StoredAssignedName]
) -> None:
    """Raise EditConflict where a name was changed since its page was shown."""
    if not command.seen or len(revisions) != 1:
        return
    stored = known.get(revisions[0].name)
    if stored is not None and stored.n != command.seen:
        sentence = f"Another user changed {stored.name} after you opened it. Reload the page."
        raise EditConflict(use_case_codes.EDIT_CONFLICT, sentence)
