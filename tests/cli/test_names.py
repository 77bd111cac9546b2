"""``urn-registry names``: who begins is told what comes first, and a lost race is a sentence."""

import json

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from app.services.assigned_names import minting
from tests.cli.conftest import Run, SetUp

PREFIX = "urn:isbn:97895118"
ADD = ("names", "prefix", "add", PREFIX, "--holder", "h@example.org", "--mask", "sequence4+isbn")


def test_what_comes_before_the_first_prefix_is_told_and_works(run: Run, set_up: SetUp) -> None:
    set_up()
    code, _, words = run(*ADD)
    assert code == 1
    assert "urn-registry account grant EMAIL operator" in words
    assert run("account", "add", "o@example.org")[0] == 0
    assert run("account", "grant", "o@example.org", "operator")[0] == 0
    assert run(*ADD)[0] == 0
    assert run("names", "mint", PREFIX)[1] == '{"name": "urn:isbn:9789511800019"}\n'


def test_a_name_is_minted_bound_and_withdrawn(run: Run, set_up: SetUp) -> None:
    set_up()
    run("account", "add", "o@example.org")
    run("account", "grant", "o@example.org", "operator")
    run(*ADD)
    name = "urn:isbn:9789511800019"
    run("names", "mint", PREFIX)
    assert run("names", "bind", name, "--target", "https://repository.example/1")[0] == 0
    code, told, _ = run("names", "withdraw", name, "--reason", "Pulped before it was sold.")
    assert (code, told) == (0, f'{{"name": "{name}"}}\n')
    row = json.loads(run("names", "export", "--format", "jsonl", "--prefix", PREFIX)[1])
    assert row["state"] == "withdrawn"
    assert "Pulped before it was sold." in row.values()


def test_names_lead_by_the_target_rule_that_a_prefix_was_added_with(
    run: Run, set_up: SetUp
) -> None:
    set_up()
    run("account", "add", "o@example.org")
    run("account", "grant", "o@example.org", "operator")
    code, _, words = run(*ADD, "--target-rule", "books.example/${suffix}")
    assert code == 1 and "An address begins with `https://` or `http://`." in words
    assert run(*ADD, "--target-rule", "https://books.example/${value}")[0] == 0
    run("names", "mint", PREFIX)
    row = json.loads(run("names", "export", "--format", "jsonl", "--prefix", PREFIX)[1])
    assert row["target"] == "https://books.example/9789511800019"


def test_under_a_prefix_that_nobody_holds_it_is_told_how_one_is_added(
    run: Run, set_up: SetUp
) -> None:
    set_up()
    code, _, words = run("names", "mint", PREFIX)
    assert code == 1
    assert "urn-registry names prefix add" in words


@pytest.mark.parametrize("error", [OperationalError, IntegrityError])
def test_who_loses_a_race_is_told_in_a_sentence(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch, error: type[OperationalError]
) -> None:
    def lose(*_: object, **__: object) -> int:
        raise error("INSERT a secret", {}, Exception("deadlock detected\nDETAIL: a secret"))

    set_up()
    run("account", "add", "o@example.org")
    run("account", "grant", "o@example.org", "operator")
    run(*ADD)
    monkeypatch.setattr(minting, "mint", lose)
    code, _, words = run("names", "mint", PREFIX)
    assert code == 2
    assert words.startswith("The database broke this off: deadlock detected. ")
    assert "run the command again" in words
    assert "secret" not in words
