"""What is written to those who act for a registrant: whole sentences, each with its name."""

import pytest

from app.messages.delegate_notices import DelegateNoticeKind
from app.pages.mail.letters import compose_letter, delegate_words
from tests.conftest import START

FILLED = {
    "name": "urn:quokka:",
    "who": "Robin",
    "organization": "Wombats",
    "day": "15 September 2026",
    "at_desk": "",
}


NOTHING_TO_DO = {
    *("claimed", "delisted", "joined", "kept", "left", "stopped", "transferred"),
    *("prefix-closed", "prefix-ended", "prefix-ended-closed"),
}


@pytest.mark.parametrize("at_desk", ["", "yes"])
@pytest.mark.parametrize("tale", DelegateNoticeKind)
def test_a_subject_says_what_happened_and_what_its_reader_is_to_do(
    tale: DelegateNoticeKind, at_desk: str
) -> None:
    words = delegate_words(tale, FILLED | {"at_desk": at_desk})
    said = {"happened": words.happened, "todo": words.todo, "what": words.what}
    letter = compose_letter(
        "delegate",
        {"name": FILLED["name"], "reason": "", "link": "https://urn.example/", **said},
        sender="registry@urn.example",
        recipient="ana@org.example",
        message_id="<1@urn.example>",
        date=START,
    )
    begun = f"{words.happened}: quokka"
    assert letter["Subject"] == (f"{begun}. {words.todo}" if words.todo else begun)
    assert len(letter["Subject"]) < 90
    assert bool(words.todo) is (tale not in NOTHING_TO_DO or bool(at_desk and tale == "claimed"))
    assert not words.happened.startswith(("A ", "The ")), "a verb says what happened"


def test_a_letter_that_older_software_left_is_sent_with_its_subject() -> None:
    letter = compose_letter(
        "holding",
        {"name": "urn:quokka:", "todo": "A claim", "what": "w.", "reason": "", "link": "l"},
        sender="registry@urn.example",
        recipient="ana@org.example",
        message_id="<1@urn.example>",
        date=START,
    )
    assert letter["Subject"] == "A claim: quokka"


@pytest.mark.parametrize("tale", DelegateNoticeKind)
def test_every_tale_can_be_told(tale: DelegateNoticeKind) -> None:
    words = delegate_words(tale, FILLED)
    told = words.what
    assert "{" not in told
    assert "urn:quokka:" in told
    assert told.endswith(".")
    assert words.happened[0].isupper()
