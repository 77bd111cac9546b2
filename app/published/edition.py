"""A bundle on disk -> one edition to answer from."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from app.exports.manifests.bundle_files import BadManifest, BlobReference, BundleFile
from app.exports.manifests.bundle_paths import (
    HISTORY,
    MANIFEST,
    blob_path,
    bundle_path,
    edition_path,
    find_owner,
)
from app.exports.manifests.manifest import Manifest, parse_as_of, read_manifest
from app.published.blobs import LARGEST_READ, BlobFolder, DamagedBlob, ManifestIndex
from app.published.http.problems import (
    MediaTypeOffer,
    Representation,
    RepresentationForm,
    represent_file,
)
from app.published.names.edition_names import (
    EditionArks,
    EditionNames,
    plain_shell,
    read_arks,
    read_names,
)

# Of an edition with too many files to hold, the answers that are asked for most are held.
_MOST_HELD, _MOST_HELD_LASTING = 1_024, 64

Found = Representation | MediaTypeOffer | str


class BrokenBundle(ValueError):
    """A bundle that is not the one its name promises."""


class PublishedEdition:
    """Everything that one manifest answers.

    ``files`` are those that lie ready in memory, ``names`` is what resolves URNs and ``arks`` what
    resolves ARKs. A lasting edition holds what stays at its own addresses for ever: it is answered
    from disk, and to everybody alike.
    """

    def __init__(
        self,
        manifest: Manifest,
        blobs: BlobFolder,
        *,
        link: str | None = None,
        is_lasting: bool = False,
        content: bytes = b"",
    ) -> None:
        self.link, self.content = link, content
        self.number, self.moment = manifest.edition, parse_as_of(manifest.as_of)
        self.modified = manifest.last_modified  # what Last-Modified says of every file
        self.redirects, self.registry = dict(manifest.redirects), manifest.registry
        self.catalogue = ManifestIndex(manifest, blobs)
        self.files: dict[str, Representation] = {}
        self.names: EditionNames | None = None
        self.arks: EditionArks | None = None
        self._make = _making(self.catalogue, self.modified, is_lasting)

    @property
    def shell(self) -> str:
        rules = self.arks or self.names
        return rules.shell if rules else plain_shell()

    def look_up(self, path: str) -> Found | None:
        """Raises DamagedBlob where the manifest cannot be read so far."""
        return self.find(path) or self.redirects.get(path) or self.catalogue.find_offer(path)

    def find(self, path: str) -> Representation | None:
        """Raises DamagedBlob."""
        try:
            return self.files.get(path) or self._make(path)
        except KeyError:
            return None

    def hold(self, blobs: BlobFolder, earlier: "PublishedEdition") -> None:
        """Read and verify every file that is listed; bytes that ``earlier`` holds are shared.
        Raises DamagedBlob."""
        held = {form.etag: form.body for file in earlier.files.values() for form in _forms(file)}
        for path in self.catalogue.listed:
            file = self._make(path)
            for form in _forms(file):
                _hold(form, blobs, held)
            self.files[path] = file


def empty_edition(blobs: BlobFolder) -> PublishedEdition:
    return PublishedEdition(Manifest(edition=0, as_of="1970-01-01", made_by="nobody"), blobs)


def read_edition(
    blobs: BlobFolder, link: str, earlier: PublishedEdition, own_hosts: Iterable[str] = ()
) -> PublishedEdition:
    """The edition of the bundle at ``link``; no ARK is led to ``own_hosts``. Raises OSError,
    BadManifest, BrokenBundle or DamagedBlob where the bundle is not whole."""
    content = (blobs.folder / link / MANIFEST).read_bytes()
    manifest = read_manifest(content)
    if Path(bundle_path(manifest)).name != Path(link).name:
        raise BrokenBundle(f"The manifest in {link} doesn't match its SHA-256 name.")
    edition = PublishedEdition(manifest, blobs, link=link, content=content)
    edition.hold(blobs, earlier)
    edition.names = read_names(edition.catalogue, blobs, earlier.names)
    hosts = (urlsplit(edition.registry).netloc, *own_hosts)
    edition.arks = read_arks(edition.catalogue, blobs, hosts, earlier.arks)
    return edition


def _forms(file: Representation) -> list[RepresentationForm]:
    return list(file.forms.values())


def _hold(form: RepresentationForm, blobs: BlobFolder, held: dict[str, bytes | None]) -> None:
    if form.blob.length > LARGEST_READ:
        blobs.open(form.blob).close()
        return
    form.body = held.get(form.etag)
    if form.body is None:
        form.body = held[form.etag] = blobs.read(form.blob)


def _making(
    catalogue: ManifestIndex, modified: datetime, is_lasting: bool
) -> Callable[[str], Representation]:
    # Without a word of the edition, which is then let go with the last who uses it.
    @lru_cache(maxsize=_MOST_HELD_LASTING if is_lasting else _MOST_HELD)
    def make(path: str) -> Representation:
        file = catalogue.find(path)
        if file is None:
            raise KeyError(path)  # since an exception is not cached, and unknown paths are many
        is_personal = file.is_page and not is_lasting
        return represent_file(
            file,
            modified,
            offer=catalogue.find_offer(path) or (_page_of_edition(file) if is_personal else None),
            is_personal=is_personal,
            is_held=not is_lasting,
        )

    return make


def _page_of_edition(file: BundleFile) -> MediaTypeOffer | None:
    """The page is made anew with every edition, so that one catalogue does not list both."""
    if find_owner(file.path) is None:
        return None
    return MediaTypeOffer((file.media_type,), (file.path,))


_NAME = re.compile(r"([1-9][0-9]{0,17})\.json")
_EDITION_MOST_HELD = 32


class EditionHistory:
    """Finds the edition that a path belongs to; each is read when it is asked for."""

    def __init__(self, blobs: BlobFolder) -> None:
        self._blobs = blobs
        # They never change, so what is held needs no second look.
        self._edition = lru_cache(maxsize=_EDITION_MOST_HELD)(self._read)
        self._moments: dict[int, datetime] = {}

    def find(self, path: str) -> PublishedEdition | None:
        """Raises DamagedBlob where its list is not whole."""
        owner = find_owner(path)
        try:
            return self._edition(owner) if owner is not None else None
        except KeyError:
            return None

    def find_file(self, path: str) -> Representation | None:
        """Raises DamagedBlob."""
        owner = self.find(path)
        return owner.find(path) if owner else None

    def find_list(self, number: int) -> BlobReference | None:
        """The bytes that list an edition's files. Raises DamagedBlob."""
        path = self._blobs.folder / edition_path(number)
        try:
            digest = path.readlink().name
            length = (self._blobs.folder / blob_path(digest)).stat().st_size
        except FileNotFoundError:
            if path.is_symlink():
                raise DamagedBlob(f"The list of edition {number} is missing.") from None
            return None
        except OSError as error:
            raise DamagedBlob(str(error)) from error
        return BlobReference(path.name, digest, length)

    def numbers(self) -> list[int]:
        try:
            names = [path.name for path in (self._blobs.folder / HISTORY).iterdir()]
        except OSError:
            return []
        return sorted(int(match[1]) for match in map(_NAME.fullmatch, names) if match)

    def moment(self, number: int) -> datetime:
        """Raises DamagedBlob."""
        try:
            known = self._moments.get(number)
            return known or self._moments.setdefault(number, self._edition(number).moment)
        except KeyError:
            raise DamagedBlob(f"The list of edition {number} is missing.") from None

    def _read(self, number: int) -> PublishedEdition:
        listed = self.find_list(number)
        if listed is None:
            raise KeyError(number)  # not cached: it may come
        try:
            manifest = read_manifest(self._blobs.read(listed))
        except BadManifest as error:
            raise DamagedBlob(str(error)) from error
        if manifest.edition != number:
            raise DamagedBlob(f"The list of edition {number} is for edition {manifest.edition}.")
        return PublishedEdition(manifest, self._blobs, is_lasting=True)
