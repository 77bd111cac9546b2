"""What stands behind the plus of a reply address is not shown."""

import pytest

from app.messages.reply_tokens import without_tokens

ADDRESS = "reply@registry.example"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("To: reply+7.3.00ff@registry.example\nHi", "To: reply@registry.example\nHi"),
        ("<mailto:Reply%2B7.3.00ff@Registry.Example>", "<mailto:reply@registry.example>"),
        ("reply+7.3.00ff@registry.example,reply+1@registry.example", f"{ADDRESS},{ADDRESS}"),
        ("reply+7.3.00ff@registry.example.org", "reply+7.3.00ff@registry.example.org"),
        ("noreply+7@registry.example", "noreply+7@registry.example"),
        ("reply+7@other.example and reply@registry.example", None),
        ("reply+" * 50_000, None),
    ],
)
def test_a_token_is_taken_out(text: str, shown: str | None) -> None:
    assert without_tokens(text, ADDRESS) == (text if shown is None else shown)


def test_without_an_address_nothing_is_looked_for() -> None:
    assert without_tokens("+7@", "") == "+7@"
