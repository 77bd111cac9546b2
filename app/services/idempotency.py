"""Doing a write once, however often it is sent."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from app.problems import use_case_codes
from app.registration.records.record_documents import canonical_json
from app.services.refusals import IdempotencyConflict
from app.store.accounts import idempotency_keys
from app.store.database import transaction
from app.store.digests import sha256


def run_idempotent(
    actor: int, key: str, asked: Mapping[str, Any], at: datetime, work: Callable[[], Any]
) -> Any:
    """Do the work in one transaction and give its JSON-ready answer.

    The same key from the same person gives the first answer again and does nothing; sent
    while the first still works, it waits. A refusal leaves the key free for another try.
    Raises IdempotencyConflict where the key comes with something else to do.
    """
    wanted = sha256(canonical_json(dict(asked)))
    with transaction():
        if idempotency_keys.claim(actor, key, wanted, at):
            answer = work()
            idempotency_keys.keep_answer(actor, key, canonical_json({"answer": answer}))
            return answer
        before = idempotency_keys.answer_of(actor, key)
    if before.request_sha256 != wanted:
        raise IdempotencyConflict(
            use_case_codes.KEY_REUSED,
            "This form was sent already, with another content. Open it anew.",
        )
    return json.loads(before.response)["answer"]
