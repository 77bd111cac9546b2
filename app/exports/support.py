"""The schema and the style sheet that the XML names, shipped beside this module."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from app.exports.content.file_names import registry_file
from app.registration.records.registry_records import RegistrySnapshot

SUPPORT_TYPES = {"rng": "application/xml", "xsl": "application/xslt+xml"}


def support_files(snapshot: RegistrySnapshot) -> Iterator[tuple[str, bytes]]:
    """The RELAX NG schema and the XSLT style sheet, under the names that the XML gives them."""
    for suffix in SUPPORT_TYPES:
        yield registry_file(snapshot, suffix), _shipped(suffix)


@cache
def _shipped(suffix: str) -> bytes:
    return files("app.exports").joinpath(f"registry.{suffix}").read_bytes()
