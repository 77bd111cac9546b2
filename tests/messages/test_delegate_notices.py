"""What is written to those who act for a registrant: whole sentences, each with its name."""

import pytest

from app.messages.delegate_notices import DelegateNoticeKind
from app.pages.mail.letters import delegate_words

FILLED = {
    "name": "urn:quokka:",
    "who": "Robin",
    "organization": "Wombats",
    "day": "15 September 2026",
}


@pytest.mark.parametrize("tale", DelegateNoticeKind)
def test_every_tale_can_be_told(tale: DelegateNoticeKind) -> None:
    words = delegate_words(tale, FILLED)
    told = words.what
    assert "{" not in told
    assert "urn:quokka:" in told
    assert told.endswith(".")
    assert words.todo[0].isupper()
    assert len(f"{words.todo}: {FILLED['name']}") < 72
