"""Migrations that landed stay as they are, and each has what keeps it tried."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.store.dumping import DUMPS
from tests.store.landed import FOLDER, LIST, add, landed, not_landed, problems


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "migrations"))


def test_those_that_landed_are_as_they_were() -> None:
    assert problems() == []
    assert len(landed()) >= 10


def test_one_that_was_edited_or_taken_away_is_named(copied: Path) -> None:
    with (copied / "versions" / "0004_discussion.py").open("a") as file:
        file.write("# one word more\n")
    (copied / "versions" / "0007_iteration_studies.py").unlink()
    found = " ".join(problems(copied))
    assert "0004_discussion.py was changed after it landed" in found
    assert "0007_iteration_studies.py landed and is missing" in found
    assert "write a new migration" in found


def test_a_new_one_may_change_until_it_has_its_line(copied: Path) -> None:
    assert [*add(copied), *not_landed(copied)] == [file.name for file in not_landed()]
    new = copied / "versions" / "9999_next.py"
    new.write_text("first")
    assert problems(copied) == []
    assert add(copied) == ["9999_next.py"]
    new.write_text("second")
    assert len(problems(copied)) == 1


def test_the_list_is_one_that_sha256sum_reads(copied: Path) -> None:
    lines = (copied / LIST).read_text().splitlines()
    assert [line.partition("  ")[2] for line in lines if not line.startswith("#")] == [
        f"versions/{name}" for name in landed()
    ]


def test_each_that_landed_has_a_dump_of_both_kinds() -> None:
    kept = {file.name for file in DUMPS.glob("*.sql.xz")}
    for name in landed():
        revision = name.partition("_")[0]
        assert {f"{revision}.{kind}.sql.xz" for kind in ("sqlite", "postgresql")} <= kept


def test_make_check_compares_them() -> None:
    lines = (ROOT / "Makefile").read_text().partition("\ncheck:")[2].partition("\n\n")[0]
    assert "python -m tests.store.landed\n" in f"{lines}\n"
