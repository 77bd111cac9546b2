"""The link to what a copy of the registry is made from: lists of what is published, and bytes."""

import json
import re
from hashlib import sha256
from urllib.parse import parse_qs

from app.exports.manifests.bundle_files import ALWAYS_ASK, FOR_EVER, BlobReference, BundleFile
from app.exports.manifests.bundle_paths import MANIFEST, copies_path
from app.published.chain import EditionView
from app.published.edition import PublishedEdition
from app.published.edition_history import EditionHistory
from app.published.http.file_answers import send_file
from app.published.http.http_exchange import READS, HttpAnswer, HttpRequest
from app.published.http.problems import NOT_ALLOWED, problem_answer
from app.published.http.representation import Representation, represent_file

_LIST = re.compile(r"editions/([1-9][0-9]{0,17})\.json")
_BLOBS = "blobs/"
_BLOB = re.compile(r"blobs/([0-9a-f]{64})")
_JSON, _BYTES = "application/json", "application/octet-stream"


class ReplicationFiles:
    """The lists of what is published, and the bytes by their digests."""

    def answer(self, request: HttpRequest, view: EditionView) -> HttpAnswer | None:
        """A list or its bytes, which nobody can change; None where neither is at the path."""
        root = copies_path(view.group)
        if not request.path.startswith(root):
            return None
        reads, name = request.method in READS, request.path.removeprefix(root)
        if reads and not name.startswith(_BLOBS):  # those are alike in all editions
            view.check_current()
        found = _find_for_copies(name, request, view.edition, view.history)
        if found is None:
            return None
        return (
            send_file(found, view.blobs, request) if reads else problem_answer(NOT_ALLOWED, request)
        )


def _find_for_copies(
    name: str, request: HttpRequest, edition: PublishedEdition, history: EditionHistory
) -> Representation | None:
    path = request.path
    if name == MANIFEST:
        return _written(path, edition.content, edition) if edition.content else None
    if name == "editions.json":
        numbers = json.dumps({"editions": history.numbers()}).encode()
        return _written(path, numbers, edition)
    if match := _LIST.fullmatch(name):
        listed = history.find_list(int(match[1]))
        return listed and _stored(path, _JSON, listed, edition)
    match = _BLOB.fullmatch(name)
    blob = match and _find_blob(match[1], request.query, edition, history)
    return _stored(path, _BYTES, blob, edition) if blob else None


def _find_blob(
    digest: str, query: str, edition: PublishedEdition, history: EditionHistory
) -> BlobReference | None:
    try:
        wanted = parse_qs(query, max_num_fields=1).get("path", [""])[0]
    except ValueError:
        return None
    lasting = history.find(wanted)  # an edition's page is of the current edition all the same
    owners = (edition, lasting) if lasting else (edition,)
    return next((blob for owner in owners if (blob := _named(digest, wanted, owner))), None)


def _named(digest: str, path: str, owner: PublishedEdition) -> BlobReference | None:
    if digest in owner.catalogue.named:
        return owner.catalogue.named[digest]
    file = owner.catalogue.find(path)
    return next((blob for blob in file.blobs if blob.sha256 == digest), None) if file else None


def _written(path: str, content: bytes, edition: PublishedEdition) -> Representation:
    blob = BlobReference(path, sha256(content).hexdigest(), len(content))
    made = _represented(path, _JSON, blob, ALWAYS_ASK, edition)
    made.plain.body = content
    return made


def _stored(
    path: str, media_type: str, blob: BlobReference, edition: PublishedEdition
) -> Representation:
    return _represented(path, media_type, blob, FOR_EVER, edition)


def _represented(
    path: str, media_type: str, blob: BlobReference, cache_control: str, edition: PublishedEdition
) -> Representation:
    file = BundleFile(
        path=path,
        media_type=media_type,
        sha256=blob.sha256,
        length=blob.length,
        cache_control=cache_control,
    )
    return represent_file(file, edition.modified)
