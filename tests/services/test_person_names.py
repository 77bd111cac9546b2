"""A name is what people see of somebody: it shows itself, and it is nobody else's office."""

import pytest
from flask import Flask

from app.services.notifications.person_names import choose_name
from app.services.refusals import InvalidInput
from tests import factories
from tests.conftest import Clock

UNSEEN = ["\u115f", "\u3164", "\u2800", "\u17b4", "\ufe0f", "a\u034fb", "a\u00adb", "\U000e0101a"]
ADDRESSES = ["ａ＠ｂ", "＜a＞", "=?utf-8?q?a?=", "=?UTF-8?B?YQ==?= b"]
SIGNS = ["1234", "…", "🦘"]
ROLES = [
    *("The operator", "operator", "OPERATOR of the registry", "An expert", "experts", "IANA"),
    *("The IESG", "the URN Registry", "Тhе ореrаtоr", "0perator", "the-operator", "ＩＡＮＡ"),
    *("Opérator", "The organization's representative", "(operator)", "The leader"),
]


@pytest.mark.parametrize("name", [*UNSEEN, *ADDRESSES, *SIGNS, *ROLES])
def test_no_name_hides_itself_or_speaks_for_the_registry(
    app: Flask, clock: Clock, name: str
) -> None:
    del app
    rival = factories.cast(clock()).rival
    with pytest.raises(InvalidInput) as error:
        choose_name(factories.command(rival, clock()), name)
    assert error.value.field == "name"


def test_names_of_people_are_taken_whatever_their_script(app: Flask, clock: Clock) -> None:
    del app
    rival = factories.cast(clock()).rival
    for name in ("", "Riva Lombard", "Ян Оперский", "山田太郎", "O’Brien 3rd", "Ianace Expertova"):
        choose_name(factories.command(rival, clock()), name)
