"""Addresses for replies: known again, and no one else's to make."""

from datetime import timedelta
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.services.mail.incoming_mail import read_reply, reply_address
from app.store.accounts import account_rows
from tests.conftest import START

NUMBERS = st.integers(1, 10**9 - 1)
unhurried = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def _generations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody has an account whose first generation counts, but for one who has none."""
    monkeypatch.setattr(
        account_rows, "reply_generation", lambda account: None if account == 7 else 0
    )


@unhurried
@given(NUMBERS, NUMBERS.filter(lambda account: account != 7))
def test_an_address_is_read_as_it_was_made(request: int, account: int) -> None:
    address = reply_address("reply@registry.example", request, account, "secret", at=START)
    for written in (address, address.upper(), address.title()):
        assert read_reply(["other@x.example", written], "secret", START) == (request, account)
    assert read_reply([address], "another secret", START) is None
    assert len(address.partition("@")[0]) == len("reply+") + 40


def test_an_address_counts_for_90_days_and_for_its_generation() -> None:
    address = partial(reply_address, "reply@registry.example", 58, secret="s", at=START)
    own = address(account=3)
    assert read_reply([own], "s", START + timedelta(days=90)) == (58, 3)
    assert read_reply([own], "s", START + timedelta(days=91)) is None
    assert read_reply([address(account=3, generation=1)], "s", START) is None
    assert read_reply([address(account=7)], "s", START) is None


def test_what_an_address_has_no_room_for_is_refused() -> None:
    with pytest.raises(ValueError, match="no room"):
        reply_address("reply@registry.example", 1 << 30, 1, "s", at=START)


TOKEN = reply_address("reply@registry.example", 58, 3, "secret", at=START)[6:46]


@unhurried
@given(st.text(), NUMBERS)
def test_no_other_address_is_one(text: str, number: int) -> None:
    tried = [text, f"reply+{text}@x", f"reply+{number}.1.{text}@x", f"reply+urntok0r{text}@x"]
    assert read_reply(tried, "secret", START) is None


@unhurried
@given(st.integers(0, len(TOKEN) - 1), st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_a_letter_that_differs_makes_it_nobodys(at: int, letter: str) -> None:
    changed = TOKEN[:at] + letter + TOKEN[at + 1 :]
    read = read_reply([f"reply+{changed}@registry.example"], "secret", START)
    assert read == ((58, 3) if changed == TOKEN else None)


def test_the_addresses_of_older_software_count_no_more() -> None:
    for token in ("7.3.0123456789abcdef", "٣.٣.0", "1.2", f"{'9' * 5000}.1.0", "..", ""):
        assert read_reply([f"reply+{token}@registry.example"], "secret", START) is None
