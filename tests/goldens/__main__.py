"""Compares everything that is kept with what is made now; ``--write`` keeps what is made.

Written or not, it is compared in a process with another order of sets and in another time zone.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.goldens.golden_files import WRITE
from tests.run import compile_once, write_to_memory

_TESTS = str(Path(__file__).resolve().parent)
_PYTEST = ["-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "--durations=0", _TESTS]


def _run(seed: str, zone: str, *, is_writing: bool) -> int:
    """Make everything at its full count, in a process of its own."""
    asked = {"TORTURE": "yes", "PYTHONHASHSEED": seed, "TZ": zone}
    environment = os.environ | asked | {WRITE: "write" if is_writing else ""}
    return subprocess.run([sys.executable, *_PYTEST], env=environment, check=False).returncode


def main() -> int:
    """Write where that is asked for, and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.goldens", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep what is made now")
    given = parser.parse_args()
    write_to_memory()
    compile_once()
    failed = _run("1", "UTC", is_writing=True) if given.write else 0
    return failed or _run("2", "Asia/Tokyo", is_writing=False)


if __name__ == "__main__":
    sys.exit(main())
