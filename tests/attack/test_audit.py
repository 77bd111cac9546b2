"""`make audit` fails for known vulnerabilities and, in other words, when it can't look for them."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock")


def audit(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run ``make audit`` with an auditor of the test's own."""
    auditor = folder / "bin" / "pip-audit"
    auditor.parent.mkdir()
    auditor.write_text(f"#!/bin/sh\n{script}\n")
    auditor.chmod(0o755)
    made = folder / "made"
    made.touch()
    line = ["make", "--old-file", str(made), "audit", f"AUDIT={folder}"]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)


def test_both_locks_are_audited_by_their_hashes_and_strictly(tmp_path: Path) -> None:
    done = audit(tmp_path, 'echo "asked: $*"')
    asked = [line for line in done.stdout.splitlines() if line.startswith("asked: ")]
    assert done.returncode == 0
    assert [line.split()[-1] for line in asked] == list(LOCKS)
    for option in ("--strict", "--require-hashes", "--disable-pip"):
        assert all(option in line for line in asked)


WRITES = 'while [ "$1" != --output ]; do shift; done; echo "Name Version ID" > "$2"; exit 1'


@pytest.mark.parametrize("lock", LOCKS)
def test_known_vulnerabilities_and_a_failed_audit_are_told_apart(tmp_path: Path, lock: str) -> None:
    done = audit(tmp_path, f'case "$*" in *" {lock}") exit 1;; esac')
    assert "Error 3" in done.stderr
    assert f"{lock} could not be audited" in done.stderr
    assert "vulnerabilities" not in done.stderr
    other = tmp_path / "other"
    other.mkdir()
    done = audit(other, f'case "$*" in *" {lock}") {WRITES};; esac')
    assert "Error 1" in done.stderr
    assert f"{lock} has known vulnerabilities" in done.stderr
    assert "Name Version ID" in done.stdout
    assert "could not be audited" not in done.stderr


def test_both_locks_are_reported_whatever_becomes_of_the_first(tmp_path: Path) -> None:
    done = audit(tmp_path, f'case "$*" in *" {LOCKS[0]}") {WRITES};; *) exit 1;; esac')
    assert "Error 1" in done.stderr
    assert f"{LOCKS[0]} has known vulnerabilities" in done.stderr
    assert f"{LOCKS[1]} could not be audited" in done.stderr


def test_a_list_of_an_earlier_audit_counts_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "found").write_text("Name Version ID")
    assert "could not be audited" in audit(tmp_path, "exit 1").stderr
