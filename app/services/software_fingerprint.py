"""What tells one state of the software from another, so that nothing made by another is kept."""

import json
import os
import platform
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path

from app.pages.assets import software_files

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_COMMIT = 12  # characters of a commit
_PATIENCE = 5.0  # seconds that git is given


@cache
def fingerprint() -> str:
    """A digest of all of the software, of the libraries that it needs, and of Python.

    No list says which modules, page templates, tables and libraries a file or a page is made
    from, so that none can be missing there. The price: after a change of anything at all they
    are made anew, once. Hosts with the same software have the same fingerprint.
    """
    digest = sha256()
    for name, file in software_files():
        digest.update(f"{name}\0{sha256(file.read_bytes()).hexdigest()}\0".encode())
    for name, release in sorted(_libraries().items()):
        digest.update(f"{name} {release}\0".encode())
    digest.update(platform.python_version().encode())
    return digest.hexdigest()[:16]


@cache
def version_words() -> str:
    """Name the version and the commit, or the fingerprint if no commit is known.

    Example: ``urn-registry 0.2.0 (commit 1a2b3c4d5e6f)``.
    """
    commit = _commit_installed() or _commit_checked_out()
    which = f"commit {commit}" if commit else f"fingerprint {fingerprint()}"
    return f"urn-registry {version('urn-registry')} ({which})"


def _commit_installed() -> str:
    try:
        origin = json.loads(distribution("urn-registry").read_text("direct_url.json") or "{}")
        return str(origin["vcs_info"]["commit_id"])[:_COMMIT]
    except (KeyError, TypeError, ValueError):
        return ""


def _commit_checked_out() -> str:
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return ""
    words = ("describe", "--always", "--dirty", f"--abbrev={_COMMIT}", "--exclude=*")
    try:
        told = subprocess.run(  # noqa: S603 — our own words
            ("git", "-C", str(root), *words),  # noqa: S607 — as the service finds it
            capture_output=True, text=True, timeout=_PATIENCE, check=True,
            env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"},
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):  # no git, or a checkout of another user
        return ""
    return told.stdout.strip()


def _libraries() -> dict[str, str]:
    found: dict[str, str] = {}
    waiting = ["urn-registry"]
    while waiting:
        name = waiting.pop()
        installed = None if name in found else _find(name)
        if installed is not None:
            found[name] = installed.version
            waiting += _needed_by(installed)
    return found


def _find(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needed_by(library: Distribution) -> Iterator[str]:
    for line in library.requires or ():
        match = _NAME.match(line)
        if match and "extra ==" not in line:
            yield re.sub("[-_.]+", "-", match[0]).lower()
