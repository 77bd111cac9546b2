"""Migrations that landed are never edited again: their digests stand beside them.

``python -m tests.store.landed`` ends with 1 where one changed or is missing. ``--add`` writes a
line for each that has none, which is done in the commit that lands it, and says which.
"""

import hashlib
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "migrations"
LIST = "landed.sha256"


def landed(folder: Path = FOLDER) -> dict[str, str]:
    lines = (folder / LIST).read_text().splitlines()
    pairs = (line.split() for line in lines if line and not line.startswith("#"))
    return {Path(path).name: digest for digest, path in pairs}


def problems(folder: Path = FOLDER) -> list[str]:
    return [
        f"migrations/versions/{name} {what}: databases that have it stay as they are. Put it back "
        "as it was, and write a new migration."
        for name, digest in landed(folder).items()
        if (what := _what_happened(folder / "versions" / name, digest))
    ]


def _what_happened(file: Path, digest: str) -> str:
    if not file.is_file():
        return "landed and is missing"
    return "" if _digest(file) == digest else "was changed after it landed"


def not_landed(folder: Path = FOLDER) -> list[Path]:
    known = landed(folder)
    return sorted(file for file in (folder / "versions").glob("*.py") if file.name not in known)


def add(folder: Path = FOLDER) -> list[str]:
    new = not_landed(folder)
    with (folder / LIST).open("a") as lines:
        lines.writelines(f"{_digest(file)}  versions/{file.name}\n" for file in new)
    return [file.name for file in new]


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def main() -> int:
    found = problems()
    sys.stderr.writelines(f"{problem}\n" for problem in found)
    if not found and "--add" in sys.argv[1:]:
        sys.stderr.writelines(f"{name} landed.\n" for name in add())
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
