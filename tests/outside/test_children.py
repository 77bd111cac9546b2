"""Work in a process of its own is bounded, and what it wrote in time is kept."""

import io
import json
import sys
import time
from pathlib import Path

import pytest

from app.identifiers.equivalence import Equivalence, EquivalenceOperation, EquivalenceRule
from app.outside import child_processes
from app.outside.child_processes import ProcessLimits, run_child
from app.outside.syntax_study import LIMITS as PROMISED
from app.outside.syntax_study import run_study, study_in_child
from app.outside.work_queue import QUEUE, WorkQueueFull

MEGABYTE = 1024 * 1024
LIMITS = ProcessLimits(seconds=1.7, processor=3, memory=512 * MEGABYTE, output=16 * MEGABYTE)
SLOW = 20.0  # seconds: ten times what is promised
HEAD = 'name = "urn:ex:" a\n'

# Grammars that would take very long, each with what is sure of it in any case.
TORTURE = {
    "a count of a thousand million": 'a = 999999999"x"',
    "counts within counts": HEAD + 'a = 999999999*999999999( 1*999999( "x" / " " ) )',
    "alternatives that double": HEAD
    + "a = b0\n"
    + "".join(f"b{n} = b{n + 1} b{n + 1} / b{n + 1}\n" for n in range(60))
    + 'b60 = "x" / "y"',
    "2,000 alternatives in a row": HEAD + "a = " + ' ("x" / "y")' * 2000,
    "deep brackets": HEAD + "a = " + "(" * 5000 + '"x"' + ")" * 5000,
    "10,000 rules in a row": HEAD
    + "a = r0\n"
    + "".join(f'r{n} = "x" r{n + 1}\n' for n in range(10_000))
    + 'r10000 = "y"',
    "10,000 rules side by side": HEAD
    + "a = "
    + " / ".join(f"r{n}" for n in range(10_000))
    + "\n"
    + "".join(f'r{n} = "x{n}"\n' for n in range(10_000)),
    "rules that all lead to each other": HEAD
    + "".join(f"a{n} = " + " / ".join(f"a{m} a{n}" for m in range(60)) + "\n" for n in range(60))
    + 'a = a0 / "x"',
    "a megabyte of one literal": HEAD + 'a = "' + "x" * 999_000 + '"',
    "a megabyte of brackets": "a = " + "[" * 999_000,
    "a megabyte of lines": "\n" * 999_000,
    "a megabyte of short lines": HEAD + "a =\n" + " b\n" * 300_000,
    "a megabyte of comments begun": "a = " + "/*" * 450_000,
    "a megabyte of examples": HEAD + "a = 1*ALPHA\n\n" + "urn:ex:abc1 " * 80_000,
    "more than a megabyte": HEAD + 'a = "x"\n' + " " * MEGABYTE,
    "a long example of an ambiguous grammar": HEAD + 'a = *(*(*"x")) / a a\n\nurn:ex:' + "x" * 300,
}


@pytest.mark.parametrize("name", TORTURE)
def test_a_grammar_that_explodes_gets_an_answer_in_time(name: str) -> None:
    found = study_in_child(TORTURE[name], limits=PROMISED)
    assert found.too_large or found.decisions or found.is_empty


def test_a_count_of_a_thousand_million_is_decided() -> None:
    found = study_in_child(HEAD + 'a = 999999999( "x" / " " )')
    assert not found.too_large
    assert [one.code for one in found.problems] == ["not-a-urn"]
    assert "allows a space" in found.problems[0].message


def test_what_is_too_large_is_said_and_what_was_found_before_is_kept() -> None:
    text = TORTURE["10,000 rules in a row"]
    found = study_in_child(text, limits=ProcessLimits(60, 60, 512 * MEGABYTE, 64 * MEGABYTE))
    assert len(found.rules) == 10_003
    assert found.too_large == ("The grammar has too many rules, or rules that are too long.",)


def test_a_child_studies_as_this_process_does() -> None:
    rule = EquivalenceRule(EquivalenceOperation.FOLD_CASE, "Case does not count.")
    found = study_in_child(HEAD + "a = 1*ALPHA", "ex", "name", Equivalence((rule,)))
    assert found.start == "name"
    assert found.joins[0].clause == "Case does not count."
    document: dict[str, object] = {
        "text": HEAD,
        "nid": None,
        "start": None,
        "equivalence": {"rules": []},
    }
    output = io.BytesIO()
    run_study(io.BytesIO(json.dumps(document).encode()), output)
    *parts, last = map(json.loads, output.getvalue().splitlines())
    assert parts[0]["rules"][0]["name"] == "name"
    assert last == {"is_whole": True}


def test_half_of_a_surrogate_pair_goes_through() -> None:
    assert study_in_child(HEAD + 'a = "\ud800"').problems[0].code == "literal"


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        child_processes, "_arguments", lambda module: [sys.executable, "-I", module]
    )
    return tmp_path / "child.py"


def bounded(limits: ProcessLimits) -> str:
    return (
        "import sys, time\n"
        "from app.outside.child_processes import ProcessLimits, limit_process\n"
        f"limit_process({limits!r})\n"
        "print(len(sys.stdin.read()), flush=True)\n"
    )


def test_what_a_child_wrote_before_its_time_was_over_is_kept(child: Path) -> None:
    child.write_text(bounded(LIMITS) + "print('half', end='', flush=True)\ntime.sleep(600)\n")
    written = run_child(str(child), b"abc", ProcessLimits(2, 3, 512 * MEGABYTE, MEGABYTE))
    assert not written.is_whole
    assert written.lines == (b"3",)


def test_a_child_that_ends_is_whole(child: Path) -> None:
    child.write_text(bounded(LIMITS))
    written = run_child(
        str(child), b"x" * 3 * MEGABYTE, ProcessLimits(30, 30, 512 * MEGABYTE, MEGABYTE)
    )
    assert written.is_whole
    assert written.lines == (b"3145728",)


@pytest.mark.parametrize(
    "code",
    [
        "x = bytearray(400 * 1024 * 1024)",
        "while True: pass",
        "raise SystemExit(3)",
        "open('written', 'w', buffering=1).write('x\\n')",
        "print('x' * 2 * 1024 * 1024)",
    ],
)
def test_a_child_gets_no_more_than_its_limits(
    child: Path, code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    child.write_text(bounded(ProcessLimits(60, 1, 256 * MEGABYTE, MEGABYTE)) + code)
    written = run_child(str(child), b"", ProcessLimits(60, 1, 256 * MEGABYTE, MEGABYTE))
    assert not written.is_whole
    assert written.lines[:1] == (b"0",)


def test_what_a_child_started_ends_with_it(child: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    child.write_text(
        "import subprocess, sys, time\n"
        f"code = 'import time; time.sleep(3); open({str(mark)!r}, \"w\")'\n"
        "subprocess.Popen([sys.executable, '-c', code])\n"
        "time.sleep(600)\n"
    )
    run_child(str(child), b"", ProcessLimits(1, 3, 512 * MEGABYTE, MEGABYTE))
    time.sleep(4)
    assert not mark.exists()


def test_no_more_children_are_started_than_are_let(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QUEUE, "patience", 0.05)
    with QUEUE.turn(), QUEUE.turn(), pytest.raises(WorkQueueFull):
        study_in_child(HEAD)


def test_a_child_knows_nothing_of_the_environment(
    child: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("URN_REGISTRY_SECRET_KEY", "quoll")
    child.write_text("import os\nprint(sorted(set(os.environ) - {'LC_CTYPE'}))\n")
    written = run_child(str(child), b"", ProcessLimits(30, 30, 512 * MEGABYTE, MEGABYTE))
    assert written.lines == (b"[]",)
