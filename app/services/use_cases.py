"""The shape of what changes the registry: a command, and a use case that carries it out once.

A use case is a function of a command and of arguments of its own. ``use_case`` gives it its one
commit, and gives its answer again where the key of the command comes again.
"""

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from inspect import Signature, signature
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from app.services.accounts.actors import Actor, require_operator, with_roles_at
from app.services.idempotency import key_reused, plain_value, run_idempotent
from app.services.input_texts import require_storable
from app.services.policy import MailSettings, Policy, ProcedureSettings
from app.store.editions import edition_rows
from app.store.event_log import event_rows

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Somebody who does something now, once, by which rules and on what they saw.

    ``seen`` is the version or the last event that they knew of; None where nothing can have
    changed. The same ``key`` from the same person is the same command.
    """

    actor: Actor
    at: datetime
    key: str
    policy: Policy
    seen: int | None = None

    @property
    def rules(self) -> ProcedureSettings:
        """The rules of the procedures."""
        return self.policy.procedures

    @property
    def post(self) -> MailSettings:
        """Where mail goes."""
        return self.policy.mail

    def append_event(self, kind: str, **said: Any) -> int:
        """Keep in the record what is done by this command; gives the event's number.

        ``said`` is what a ``NewEvent`` tells besides who did it, when, and its kind.
        """
        event = event_rows.NewEvent(at=self.at, kind=kind, actor=self.actor.id, **said)
        return event_rows.append(event, secrets.token_hex(16))


UseCase = Callable[Concatenate[Command, Asked], Answer]
Check = Callable[..., None]


def _no_check(*_args: Any, **_named: Any) -> None:
    """Where everything is looked at in the transaction."""


def use_case(
    name: str,
    *,
    check: Check = _no_check,
    beside: Collection[str] = (),
    judges: Collection[str] = (),
) -> Callable[[UseCase[Asked, Answer]], UseCase[Asked, Answer]]:
    """Let a function carry a command out once, in one transaction that is kept whole or not.

    ``name`` stands for the function in the digest of what is asked, and is never changed.
    ``check`` gets what the function gets, before the transaction and also where the key comes
    again. The roles of the actor are read anew in the transaction: who lost one since the page
    was asked for is refused. ``beside`` names arguments that say nothing of what is asked,
    ``judges`` those whose texts the function refuses itself, at fields of its own. It gives
    None, an int, or a member of an enum of texts.

    What it raises leaves the key free for another try. Raises IdempotencyConflict where the key
    did something else, and InvalidInput for a text that nothing can keep.
    """

    def declared(work: UseCase[Asked, Answer]) -> UseCase[Asked, Answer]:
        shape = signature(work)

        @wraps(work)
        def carried_out(command: Command, /, *args: Asked.args, **named: Asked.kwargs) -> Answer:
            given = shape.bind(command, *args, **named).arguments
            asked = {"use case": name, "asked": plain_value(_asked(shape, given, beside))}
            require_storable(
                {one: text for one, text in asked["asked"].items() if one not in judges}
            )
            check(command, *args, **named)

            def did() -> Answer:
                current = _with_current_roles(command)
                if current.actor != command.actor:
                    check(current, *args, **named)
                return work(current, *args, **named)

            answer = run_idempotent(command.actor.id, command.key, asked, command.at, did)
            return cast(Answer, _read(answer, shape.return_annotation))

        return carried_out

    return declared


def _with_current_roles(command: Command) -> Command:
    at = max(command.at, edition_rows.clock_time(command.at))
    return replace(command, actor=with_roles_at(command.actor, at))


def command_at_next_edition(command: Command) -> Command:
    """A command at the moment of the edition that it opens; nobody else opens one meanwhile.

    It may have waited for that, so that it is asked once more whether it is still an operator's.
    Raises NotAllowed.
    """
    current = _with_current_roles(replace(command, at=edition_rows.next_moment(command.at)))
    require_operator(current.actor, "Only operators can publish an edition.")
    return current


def operators_only(sentence: str) -> Check:
    """The check that lets the registry's operators pass, and tells others the sentence."""
    return lambda command, *_, **__: require_operator(command.actor, sentence)


def _asked(shape: Signature, given: Mapping[str, Any], beside: Collection[str]) -> dict[str, Any]:
    own = list(given)[1:]
    defaults = {name: shape.parameters[name].default for name in own}
    return {
        name: given[name] for name in own if name not in beside and given[name] != defaults[name]
    }


def _read(answer: Any, kind: Callable[[Any], Any] | None) -> Any:
    if kind is None:
        return None
    try:
        return kind(answer)
    except (TypeError, ValueError) as error:
        raise key_reused() from error
