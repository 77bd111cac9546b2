"""``urn-registry names``: who begins is told what comes first, and a lost race is a sentence."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from app.assigned_names.assigned_name_records import AssignedNameRecord, AssignedNameState
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


def test_of_many_lost_names_some_are_told_and_the_file_has_all(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    set_up()
    names = [f"urn:isbn:{number}" for number in range(30)]

    def verify(_begin: object, _copied: object, lost: Callable[[object], None]) -> Iterator[str]:
        yield "A batch has another digest."
        for name in names:
            lost(AssignedNameRecord(name=name, state=AssignedNameState.RESERVED))
            yield f"{name} is not in the database."

    monkeypatch.setattr("app.services.assigned_names.name_feed.verify_names", verify)
    code, told, words = run("names", "verify", "--lost", str(tmp_path / "lost.jsonl"))
    assert code == 1
    assert told.count("is not in the database") == 20
    assert (
        "10 more lost identifiers aren't shown. Lost identifiers: 30. Other problems: 1." in words
    )
    assert (tmp_path / "lost.jsonl").read_text().count("urn:isbn:") == 30


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
    assert code == 1 and "starts with `https://` or `http://`" in words
    assert run(*ADD, "--target-rule", "https://books.example/${value}")[0] == 0
    run("names", "mint", PREFIX)
    row = json.loads(run("names", "export", "--format", "jsonl", "--prefix", PREFIX)[1])
    assert row["target"] == "https://books.example/9789511800019"


def test_names_follow_the_pattern_that_a_prefix_was_added_with(
    run: Run, set_up: SetUp, tmp_path: Path
) -> None:
    set_up()
    run("account", "add", "o@example.org")
    run("account", "grant", "o@example.org", "operator")
    code, _, words = run(*ADD, "--pattern", "(?:[0-9]+)*")
    assert code == 1 and "may double the time" in words
    code, _, words = run(*ADD, "--pattern", "[0-9]{4}")
    assert code == 1 and "doesn't match the pattern" in words  # there is a check character
    assert run(*ADD, "--pattern", "[0-9]{5}")[0] == 0
    assert run("names", "mint", PREFIX)[1] == '{"name": "urn:isbn:9789511800019"}\n'
    file = tmp_path / "names.csv"
    file.write_text(f"name,target\n{PREFIX}0002x,\n")
    code, _, words = run("names", "import", str(file), "--prefix", PREFIX)
    assert code == 1 and f"line 2: refused: pattern: {PREFIX}0002x: `0002x` doesn't" in words


def test_a_name_of_a_mask_that_looks_like_another_is_told_where_a_file_is_brought_in(
    run: Run, set_up: SetUp, tmp_path: Path
) -> None:
    set_up()
    run("account", "add", "o@example.org")
    run("account", "grant", "o@example.org", "operator")
    file = tmp_path / "names.csv"
    for prefix, *mask in (("urn:mace:bO",), ("urn:mace:b0", "--mask", "sequence3")):
        added = run("names", "prefix", "add", prefix, "--holder", "h@example.org", *mask)
        assert added[0] == 0, added
        file.write_text(f"name,target\n{prefix}001,\n")
        code, _, words = run("names", "import", str(file), "--prefix", prefix)
        told = "line 2: warning: look_alike: `urn:mace:b0001` looks like `urn:mace:bO001`"
        assert (code, told in words) == (0, bool(mask))


@pytest.fixture
def prepared(run: Run, set_up: SetUp) -> str:
    set_up()
    run("account", "add", "o@example.org")
    run("account", "grant", "o@example.org", "operator")
    assert run(*ADD)[0] == 0
    return str(json.loads(run("names", "mint", PREFIX)[1])["name"])


def exported(run: Run, *more: str) -> list[dict[str, str]]:
    lines = run("names", "export", "--format", "jsonl", "--prefix", PREFIX, *more)[1]
    return [json.loads(line) for line in lines.splitlines()]


def test_each_thing_that_bind_is_told_is_kept_and_what_it_is_not_told_stays(
    run: Run, prepared: str
) -> None:
    told = {"target": "https://a.example/1", "what": "A book", "who": "Robin", "when": "2026"}
    more = {"where": "Shelf 7", "persistence": "For ever.", "redirect": "303"}
    options = [text for name, value in (told | more).items() for text in (f"--{name}", value)]
    assert run("names", "bind", prepared, *options) == (0, f'{{"name": "{prepared}"}}\n', "")
    (row,) = exported(run)
    assert {name: str(row[name]) for name in (*told, *more)} == told | more
    assert run("names", "bind", prepared, "--what", "A map", "--redirect", "307")[0] == 0
    (row,) = exported(run)
    assert (row["what"], row["who"], row["target"]) == ("A map", "Robin", told["target"])
    assert run("names", "bind", prepared, "--target", "")[0] == 0
    assert not exported(run)[0].get("target")


def test_what_bind_refuses_is_told_and_changes_nothing(run: Run, prepared: str) -> None:
    for options, why in (
        (("--target", "javascript:x"), "Enter a full address"),
        (("--target", "http://10.0.0.1/"), "in a private network"),
        ((), "no changes"),
    ):
        code, told, words = run("names", "bind", prepared, *options)
        assert (code, told) == (1, "") and why in words
    code, _, words = run("names", "bind", "urn:isbn:9789511800018", "--what", "x")
    assert code == 1 and "isn't valid" in words  # a wrong check digit
    assert len(exported(run)) == 1


def test_names_are_exported_in_each_form_to_a_file_or_as_they_come(
    run: Run, prepared: str, tmp_path: Path
) -> None:
    forms = {"csv": f"\n{prepared},", "jsonl": f'"name": "{prepared}"', "anvl": f"name: {prepared}"}
    for form, held in forms.items():
        code, told, _ = run("names", "export", "--prefix", PREFIX, "--format", form)
        file = tmp_path / f"names.{form}"
        assert (
            run("names", "export", "--as", "h@example.org", "--format", form, "-o", str(file))[0]
            == 0
        )
        assert code == 0 and told.encode() == file.read_bytes()
        assert held.replace(" ", "") in told.replace(" ", "").replace("\r", "")
    assert run("names", "export")[0] == 2
    assert run("names", "export", "--as", "o@example.org")[1].count("urn:") == 0


def test_somebody_is_let_give_names_until_a_day_and_no_more(run: Run, prepared: str) -> None:
    delegate = ("names", "prefix", "delegate", PREFIX, "d@example.org")
    mint = ("names", "mint", PREFIX, "--as", "d@example.org")
    assert run(*delegate)[0] == 1  # nobody has the address
    run("account", "add", "d@example.org")
    assert run(*mint)[0] == 1
    code, _, words = run(*delegate, "--until", "2030-01-31")
    assert code == 0 and "until 2030-01-31" in words
    assert run(*mint)[0] == 0
    assert run(*delegate, "--until", "2030-01-31")[0] == 1  # they do already
    assert run(*delegate, "--until", "2030-02-28")[0] == 0
    assert run(*delegate, "--until", "2020-01-31")[0] == 1
    assert run(*delegate, "--until", "soon")[0] == 2
    assert "no longer has access" in run(*delegate, "--end")[2]
    assert run(*mint)[0] == 1
    assert run(*delegate, "--as", "d@example.org")[0] == 1
    assert run(*delegate, "--holder")[0] == 0
    assert run(*delegate[:-1], "h@example.org", "--end", "--as", "d@example.org")[0] == 0
    assert run("names", "mint", PREFIX, "--as", "h@example.org")[0] == 1


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
    assert "deadlock detected. " in words
    assert "run the command again" in words.lower()
    assert "secret" not in words
