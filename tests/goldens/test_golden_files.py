"""A text that differs from the kept one is told, and kept where that is asked for."""

from pathlib import Path

import pytest

from tests.goldens import golden_files
from tests.goldens.golden_files import WRITE, check

DIFFERS = r"-two\n\+other\n three\n\nIf it is meant: python -m tests.goldens --write"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is kept."""
    monkeypatch.setattr(golden_files, "KEPT", tmp_path)
    monkeypatch.delenv(WRITE, raising=False)
    file = tmp_path / "numbers.txt"
    file.write_text("one\ntwo\nthree\n")
    return file


def test_a_line_that_differs_is_shown(kept: Path) -> None:
    check(kept.name, ["one", "two", "three"])
    with pytest.raises(pytest.fail.Exception, match=DIFFERS):
        check(kept.name, ["one", "other", "three"])
    with pytest.raises(pytest.fail.Exception, match="-three"):
        check(kept.name, ["one", "two"])


def test_the_first_lines_are_compared_alone_where_no_more_are_made(kept: Path) -> None:
    check(kept.name, ["one", "two"], is_whole=False)
    with pytest.raises(pytest.fail.Exception, match="-two"):
        check(kept.name, ["one", "other"], is_whole=False)


def test_what_is_made_is_kept_where_that_is_asked_for(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(WRITE, "write")
    check(kept.name, ["other"])
    assert kept.read_text() == "other\n"
    monkeypatch.delenv(WRITE)
    check(kept.name, ["other"])
