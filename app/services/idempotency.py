"""Doing a write once, however often it is sent."""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any

from app.problems import use_case_codes
from app.registration.declarations.identifier_spaces import IdentifierSpace
from app.registration.records.record_documents import canonical_json
from app.services.refusals import IdempotencyConflict
from app.store.accounts import idempotency_keys
from app.store.accounts.idempotency_keys import IdempotentAnswer
from app.store.database import transaction
from app.store.digests import sha256

# Before each digest. One without it is of other software, which put what is asked into words its
# own way: older software left the 64 hexadecimal digits of a hash and nothing else.
_MARK = "2."


def run_idempotent(
    actor: int, key: str, asked: Mapping[str, Any], at: datetime, work: Callable[[], Any]
) -> Any:
    """Do the work in one transaction and give its JSON-ready answer.

    The same key from the same person gives the first answer again and does nothing; sent
    while the first still works, it waits. A refusal leaves the key free for another try.
    Raises IdempotencyConflict where the key comes with something else to do. Where other software
    was asked nobody can tell, and its answer is given.
    """
    digest = digest_of(asked)
    with transaction():
        if idempotency_keys.claim(actor, key, digest, at):
            answer = work()
            idempotency_keys.keep_answer(actor, key, canonical_json({"answer": answer}))
            return answer
        before = idempotency_keys.answer_of(actor, key)
    if _differs(before, digest):
        raise key_reused()
    return json.loads(before.response)["answer"]


def _differs(before: IdempotentAnswer, digest: str) -> bool:
    return before.request_sha256.startswith(_MARK) and before.request_sha256 != digest


def key_reused() -> IdempotencyConflict:
    """The refusal of a key that did something else."""
    return IdempotencyConflict(
        use_case_codes.KEY_REUSED,
        "This form was already submitted with different content. Reload the page and try again.",
    )


def digest_of(asked: Mapping[str, Any]) -> str:
    """What is asked as one short text: marked, and as long as a hash in hexadecimal."""
    whole = sha256(canonical_json(plain_value(asked)))
    return (_MARK + whole)[: len(whole)]


def plain_value(value: Any) -> Any:
    """A value in what JSON has: the members of a record by their names, those of a set in order.

    A member that stands at its default is left out, so that one which is added later changes no
    digest. A space of names is what it is called. Raises TypeError for what has no such form.
    """
    if value is None or isinstance(value, str | int | bool):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, IdentifierSpace):
        return value.id
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain_value(getattr(value, one.name)) for one in _said(value)}
    if isinstance(value, Mapping):
        return {str(plain_value(name)): plain_value(member) for name, member in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain_value, value), key=json.dumps)
    if isinstance(value, list | tuple):
        return [plain_value(member) for member in value]
    raise TypeError(f"an argument of a use case has no form in JSON: {type(value).__name__}")


def _said(value: Any) -> list[Field[Any]]:
    return [one for one in fields(value) if getattr(value, one.name) != _default(one)]


def _default(one: Field[Any]) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()
