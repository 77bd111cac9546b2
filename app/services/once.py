"""Doing a write once, however often it is sent."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from app.registration.documents import canonical
from app.services.refusals import SentBefore
from app.store import accounts
from app.store.counters import sha256
from app.store.database import transaction


def once(
    actor: int, key: str, asked: Mapping[str, Any], at: datetime, work: Callable[[], Any]
) -> Any:
    """Do the work in one transaction and give its JSON-ready answer.

    The same key from the same person gives the first answer again and does nothing.
    Raises SentBefore where the key comes with something else to do.
    """
    wanted = sha256(canonical(dict(asked)))
    try:
        with transaction():
            before = accounts.answer_of(actor, key)
            if before is None:
                answer = work()
                accounts.keep_answer(actor, key, wanted, canonical({"answer": answer}), at)
                return answer
    except accounts.KeyInUse:
        with transaction():
            before = accounts.answer_of(actor, key)
    if before is None or before.request_sha256 != wanted:
        raise SentBefore("This form was sent already, with another content. Open it anew.")
    return json.loads(before.response)["answer"]
