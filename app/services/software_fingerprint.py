"""What tells one state of the software from another, so that nothing made by another is kept."""

import platform
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from app.pages.assets import software_files

_NAME = re.compile(r"[A-Za-z0-9._-]+")


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
    for name, version in sorted(_libraries().items()):
        digest.update(f"{name} {version}\0".encode())
    digest.update(platform.python_version().encode())
    return digest.hexdigest()[:16]


def _libraries() -> dict[str, str]:
    """The version of each library that this software needs, and of those that they need."""
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
    """An installed library; None for one that other systems, or older versions of Python, need."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needed_by(library: Distribution) -> Iterator[str]:
    """The libraries that one needs, but for those of its extras.

    A driver of PostgreSQL makes no file, and a host may have it or not.
    """
    for line in library.requires or ():
        match = _NAME.match(line)
        if match and "extra ==" not in line:
            yield re.sub("[-_.]+", "-", match[0]).lower()
