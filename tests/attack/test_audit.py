"""The audit of what is installed fails where it finds a hole, and where it could find none."""

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


@pytest.mark.parametrize("lock", LOCKS)
def test_what_has_a_hole_or_could_not_be_audited_fails_and_says_which(
    tmp_path: Path, lock: str
) -> None:
    done = audit(tmp_path, f'case "$*" in *" {lock}") exit 1;; esac')
    assert done.returncode != 0
    assert f"{lock} has known holes, or could not be audited" in done.stderr
