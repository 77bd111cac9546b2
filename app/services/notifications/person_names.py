"""The name under which somebody is shown where they sign, are appointed or act for a name."""

from app.problems import use_case_codes
from app.services.refusals import InvalidInput
from app.services.use_cases import Command, use_case
from app.store.accounts import account_rows
from app.store.tables.requests import EventSubject

LONGEST_PERSON_NAME = 100
_OF_ADDRESSES = "@<>"


@use_case("choose name")
def choose_name(command: Command, name: str) -> None:
    """Be shown under another name from now on, or under none; what was signed stays as it was.

    The record has that a name was chosen, not which. Raises InvalidInput for a name that could be
    taken for an address, or that holds what nobody sees.
    """
    chosen = _checked(" ".join(name.split()))
    account_rows.set_name(command.actor.id, chosen)
    command.append_event(
        "name chosen",
        about=str(command.actor.id),
        subject=EventSubject.ACCOUNT,
        role="account",
    )


def _checked(name: str) -> str:
    if len(name) > LONGEST_PERSON_NAME:
        raise InvalidInput(
            use_case_codes.VALUE_TOO_LONG,
            f"A name has {LONGEST_PERSON_NAME} characters at most. Shorten it.",
            field="name",
        )
    if any(sign in name for sign in _OF_ADDRESSES):
        raise InvalidInput(
            use_case_codes.TEXT_UNFIT,
            "A name has none of @, < and >, so that nobody takes it for an address. Leave it out.",
            field="name",
        )
    if not name.isprintable():
        raise InvalidInput(
            use_case_codes.TEXT_UNFIT,
            "The name holds a character that nobody sees. Type it anew.",
            field="name",
        )
    return name
