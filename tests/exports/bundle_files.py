"""Entries of a bundle's files, made from their bytes."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from app.exports.manifests.bundle_files import ALWAYS_ASK, FOR_EVER, BundleFile, EncodedForm
from app.exports.manifests.bundle_paths import HISTORY


def bundle_file(
    path: str,
    media_type: str,
    content: bytes,
    cache_control: str = ALWAYS_ASK,
    *,
    link: str = "",
    encoded: Mapping[str, bytes] | None = None,
) -> BundleFile:
    """The entry for these bytes and what each coding makes of them.

    Raises BadManifest where ``BundleFile`` does.
    """
    return BundleFile(
        path=path,
        media_type=media_type,
        sha256=sha256(content).hexdigest(),
        length=len(content),
        cache_control=cache_control,
        link=link,
        forms=tuple(
            EncodedForm(coding, sha256(form).hexdigest(), len(form))
            for coding, form in (encoded or {}).items()
        ),
    )


def file_in_edition(file: BundleFile, edition: int, name: str) -> BundleFile:
    """A file of a bundle at its edition's own address, where its bytes stay for ever."""
    return replace(file, path=f"/{HISTORY}/{edition}/{name}", cache_control=FOR_EVER)
