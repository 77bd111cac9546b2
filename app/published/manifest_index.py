"""What a manifest says of a path: of one path among a million as quickly as among ten."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from app.exports.manifests.bundle_files import BadManifest, BlobReference, BundleFile
from app.exports.manifests.manifest import STANDING, Manifest
from app.exports.manifests.manifest_parts import find_file
from app.published.blobs import BlobFolder, DamagedBlob
from app.published.http.representation import MediaTypeOffer

_PARTS_HELD = 512


class ManifestIndex:
    """Finds the files of one manifest, and what Accept may choose; the parts as needed.

    ``named`` are the bytes that the manifest itself names, by SHA-256.
    """

    def __init__(self, manifest: Manifest, blobs: BlobFolder) -> None:
        self._files = {file.path: file for file in manifest.files}
        self._parts = manifest.parts
        self._firsts = [part.path for part in manifest.parts]
        self._read = lru_cache(maxsize=_PARTS_HELD)(blobs.read)
        self._rules = {path: targets for path, targets in manifest.negotiated if path[-1] != "}"}
        self._stems = [
            (path.removesuffix(STANDING), targets)
            for path, targets in manifest.negotiated
            if path.endswith(STANDING)
        ]
        self.named = {part.sha256: BlobReference(*part) for part in manifest.parts} | {
            blob.sha256: blob for file in manifest.files for blob in file.blobs
        }

    @property
    def listed(self) -> Iterable[str]:
        return self._files

    def find(self, path: str) -> BundleFile | None:
        """The file at a path. Raises DamagedBlob where the part that would list it is not whole."""
        if not self._parts:
            return self._files.get(path)
        at = bisect_right(self._firsts, path) - 1
        try:
            return find_file(self._read(self._parts[at]), path) if at >= 0 else None
        except BadManifest as error:
            raise DamagedBlob(f"The part of {path} isn't a list of files: {error}") from error

    def find_offer(self, path: str) -> MediaTypeOffer | None:
        files = [file for target in self._targets(path) if (file := self.find(target))]
        if not files or [file.path for file in files] == [path]:
            return None
        return MediaTypeOffer(tuple(f.media_type for f in files), tuple(f.path for f in files))

    def _targets(self, path: str) -> Iterator[str]:
        if path in self._rules:
            yield from self._rules[path]
            return
        for stem, targets in self._stems:
            rest = path.removeprefix(stem)
            if rest and rest != path:
                yield from (target.replace(STANDING, rest) for target in targets)
