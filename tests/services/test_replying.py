"""Addresses for replies: known again, and no one else's to make."""

from hypothesis import given
from hypothesis import strategies as st

from app.services.replying import read_reply, reply_address

NUMBERS = st.integers(1, 10**9 - 1)


@given(NUMBERS, NUMBERS)
def test_an_address_is_read_as_it_was_made(request: int, account: int) -> None:
    address = reply_address("reply@registry.example", request, account, "secret")
    assert read_reply(["other@x.example", address], "secret") == (request, account)
    assert read_reply([address], "another secret") is None
    assert address.startswith(f"reply+{request}.{account}.")


@given(st.text(), NUMBERS)
def test_no_other_address_is_one(text: str, number: int) -> None:
    assert read_reply([text, f"reply+{text}@x", f"reply+{number}.1.{text}@x"], "secret") is None


def test_numbers_of_other_scripts_and_of_any_length_are_none() -> None:
    for token in ("٣.٣.0", "1.2", "1.2.3.4", f"{'9' * 5000}.1.0", "..", ""):
        assert read_reply([f"reply+{token}@registry.example"], "secret") is None
