"""``urn-registry names prefix``: what there is, what is said of it, and what changes of that."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, SetUp

PREFIX, OTHER = "urn:isbn:97895118", "urn:isbn:97895119"


@pytest.fixture
def held(run: Run, set_up: SetUp) -> str:
    set_up()
    run("account", "add", "o@example.org")
    run("account", "grant", "o@example.org", "operator")
    add = ("names", "prefix", "add")
    rules = (
        *("--mask", "sequence4+isbn", "--label", "Books", "--holder-name", "The Press"),
        *("--policy", "By the shelf."),
    )
    assert run(*add, PREFIX, "--holder", "h@example.org", *rules)[0] == 0
    assert run(*add, OTHER, "--holder", "j@example.org", "--persistence", "For ever.")[0] == 0
    assert run("names", "mint", PREFIX, "--count", "2", "--reserve")[0] == 0
    return PREFIX


def listed(run: Run, *more: str) -> list[dict[str, Any]]:
    code, told, _ = run("names", "prefix", "list", "--json", *more)
    assert code == 0
    return [json.loads(line) for line in told.splitlines()]


def shown(run: Run, prefix: str, *more: str) -> dict[str, Any]:
    code, told, words = run("names", "prefix", "show", prefix, "--json", *more)
    assert code == 0, words
    document: dict[str, Any] = json.loads(told)
    return document


def test_all_prefixes_are_listed_and_those_of_somebody(run: Run, held: str) -> None:
    first, second = listed(run)
    assert first == {
        "prefix": held,
        "label": "Books",
        "holder_name": "The Press",
        "names": {"reserved": 2, "public": 0, "withdrawn": 0},
        "ended": None,
        "holders": ["h@example.org"],
    }
    assert (second["prefix"], second["holders"]) == (OTHER, ["j@example.org"])
    (own,) = listed(run, "--as", "h@example.org")
    assert (own["prefix"], own["role"], "holders" in own) == (held, "holder", False)
    assert listed(run, "--as", "o@example.org") == []
    assert run("names", "prefix", "list")[1].splitlines() == [
        f"{held}: 2 reserved; Books; public owner name: The Press; owner: h@example.org",
        f"{OTHER}: no identifiers; owner: j@example.org",
    ]
    assert run("names", "prefix", "list", "--as", "h@example.org")[1] == (
        f"{held}: 2 reserved; Books; public owner name: The Press; role: holder\n"
    )
    assert run("names", "prefix", "list", "--as", "n@example.org")[0] == 1


def test_a_long_list_of_prefixes_is_told_whole(
    run: Run, held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.services.assigned_names import prefix_lists

    whole, pages = prefix_lists.all_prefixes, []

    def by_one(at: Any, after: str = "") -> prefix_lists.PrefixPage:
        pages.append(after)
        return whole(at, after, 1)

    monkeypatch.setattr(prefix_lists, "all_prefixes", by_one)
    assert [one["prefix"] for one in listed(run)] == [held, OTHER]
    assert pages == ["", held]


def test_what_is_said_of_a_prefix_is_shown(run: Run, held: str) -> None:
    document = shown(run, held)
    (person,) = document.pop("people")
    assert (person["name"], person["role"], person["until"]) == ("h@example.org", "holder", None)
    assert document == {
        **{key: value for key, value in listed(run)[0].items() if key != "holders"},
        "mask": "sequence4+isbn",
        "pattern": "",
        "target_rule": "",
        "policy": "By the shelf.",
        "persistence": "",
        "closed": "",
        "why": "",
        "next": [f"{held}{rest}" for rest in ("00033", "00040", "00057")],
        "within": [],
    }
    lines = run("names", "prefix", "show", held)[1].splitlines()
    assert lines[:5] == [
        *(f"prefix: {held}", "identifiers: 2 reserved", "label: Books", "holder name: The Press"),
        "mask: sequence4+isbn",
    ]
    assert lines[-1].startswith("holder: h@example.org, since ")
    assert run("names", "prefix", "show", held, "--as", "j@example.org")[0] == 1
    assert run("names", "prefix", "show", held, "--as", "o@example.org")[0] == 0


def test_what_is_said_otherwise_of_a_prefix_leaves_the_rest_as_it_is(run: Run, held: str) -> None:
    change = ("names", "prefix", "change", held)
    before = shown(run, held)
    assert run(*change, "--persistence", "Ten years.", "--policy", "")[0] == 0
    assert shown(run, held) == before | {"persistence": "Ten years.", "policy": ""}
    code, _, words = run(*change, "--persistence", "Ten years.")
    assert code == 0 and "already" in words
    code, _, words = run(*change)
    assert code == 2 and "--mask" in words
    code, _, words = run(*change, "--mask", "")
    assert code == 1 and "mask is in use" in words
    code, _, words = run(*change, "--target-rule", "ftp://a.example/")
    assert code == 1 and "Enter a full address" in words
    code, _, words = run(*change, "--label", "Maps", "--as", "j@example.org")
    assert code == 1 and "Prefix not found" in words


def test_what_somebody_else_says_of_a_prefix_meanwhile_is_not_overwritten(
    run: Run, held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.services.assigned_names import prefix_lists

    change, look = ("names", "prefix", "change", held), prefix_lists.prefix_detail

    def changed_after(*asked: Any) -> prefix_lists.HeldPrefixDetail:
        monkeypatch.setattr(prefix_lists, "prefix_detail", look)
        detail = look(*asked)
        assert run(*change, "--policy", "By the year.")[0] == 0
        return detail

    monkeypatch.setattr(prefix_lists, "prefix_detail", changed_after)
    code, _, words = run(*change, "--label", "Maps")
    assert (code, "Another user changed this prefix" in words) == (1, True)
    document = shown(run, held)
    assert (document["label"], document["policy"]) == ("Books", "By the year.")


def test_what_the_end_of_a_prefix_means_is_told_and_it_ends_only_where_asked(
    run: Run, held: str
) -> None:
    end = ("names", "prefix", "end", held, "--reason", "The press is closed.")
    code, _, words = run(*end, "--dry-run")
    assert code == 0
    assert "Would permanently close" in words
    assert "Identifiers that stay: 2 reserved" in words
    assert run("names", "mint", held)[0] == 0
    assert run(*end, "--as", "j@example.org")[0] == 1
    assert run(*end)[0] == 0
    assert run("names", "mint", held)[0] == 1
    assert listed(run)[0]["ended"] and "closed to new identifiers" in shown(run, held)["closed"]
    for more in ((), ("--dry-run",)):
        code, _, words = run(*end, *more)
        assert code == 1 and "is already closed" in words


def test_within_a_prefix_that_has_ended_none_is_added_by_anybody(run: Run, held: str) -> None:
    assert run("names", "prefix", "end", held, "--reason", "The press is closed.")[0] == 0
    add = ("names", "prefix", "add", f"{held}0", "--holder", "h@example.org")
    for more in ((), ("--as", "h@example.org"), ("--as", "o@example.org")):
        code, _, words = run(*add, *more)
        assert code == 1 and f"{held} was closed" in words and "add prefixes within it" in words
    document = shown(run, held)
    assert (document["within"], document["why"]) == ([], "The press is closed.")
    assert "reason: The press is closed." in run("names", "prefix", "show", held)[1]
    told = run("names", "prefix", "delegate", held, "j@example.org")[2]
    assert (
        "j@example.org can change identifiers under" in told and "closed to new identifiers" in told
    )


def test_what_a_file_would_change_is_told_and_nothing_is_kept(
    run: Run, held: str, tmp_path: Path
) -> None:
    name, other = f"{held}00019", f"{held}0002x"
    file = tmp_path / "names.csv"
    file.write_text(f"name,state,target\n{name},public,https://a.example/\n{other},public,\n")
    take = ("names", "import", str(file), "--prefix", held)
    for _ in range(2):  # nothing of the file is kept, so that it is looked through once more
        code, told, words = run(*take, "--dry-run")
        assert (code, told) == (1, "")
        assert f"line 2: {name}: State: Public (before: Reserved)\n" in words
        assert f"line 2: {name}: Target: https://a.example/ (before: none)\n" in words
        assert "line 3: refused: " in words
        assert "rows: 2, would be new: 0, would change: 1 (withdrawn permanently: 0)" in words
        assert "would be refused: 1" in words
    assert run(*take)[2].count("imported: 1,") == 1
    code, _, words = run(*take, "--dry-run")
    assert "would change: 0" in words and "unchanged: 1" in words and "add --again" in words
    words = run(*take)[2]
    assert "Nothing was imported now" in words
    words = run(*take, "--again")[2]
    assert "Nothing was imported now" not in words and "imported: 0," in words


def test_of_what_a_long_file_would_change_the_first_is_told_and_how_much_more_there_is(
    run: Run, held: str, tmp_path: Path
) -> None:
    names = [f"{held}00019", f"{held}00026"]
    labels = ",".join(f"e{number}" for number in range(14))
    rows = [f"{name},{','.join([value] * 14)}" for value in "abcdef" for name in names]
    file = tmp_path / "names.csv"
    file.write_text("\n".join([f"name,{labels}", *rows, *["bad,"] * 50]))
    code, _, words = run("names", "import", str(file), "--prefix", held, "--dry-run")
    assert code == 1 and "findings are shown" in words
    assert f"line 4: {names[0]}: e11: b (before: a)\nline 4: {names[0]}: 2 more changes" in words
    assert "Only the first 10 of 12 changes are shown." in words
