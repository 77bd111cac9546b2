"""Follows one more format from the registry to a visitor; run where the software has one more."""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import app
from app.bundles.edition_checks import EditionRefused, check_files
from app.bundles.edition_files import accept_choices, edition_files
from app.exports.content.publication_site import PublicationSite
from app.exports.formats.record_files import namespace_files
from app.pages.assets import asset_dir
from app.pages.lists.registry_paths import formats
from app.pages.site.chrome import Chrome
from app.pages.site.published_site import Site
from app.published.plane import PublishedPlane
from app.registration.records.registry_records import plain_words
from tests.exports.snapshots import FULL
from tests.published.bundles import ask, pack

PLACE = PublicationSite("https://urn.example")
HOME = f"/assignments/{FULL.id}/"
WHOLE, ALPHA = f"{HOME}{FULL.id}.names", "/namespaces/alpha"
TYPE = "text/x-names; charset=utf-8"
RECORD = next(record for record in FULL.records() if record.folded == "alpha")
NAME = RECORD.name.encode()


def without_notice(body: bytes) -> bytes:
    """The lines that are names."""
    return b"".join(line for line in body.splitlines(True) if not line.startswith(b"# "))


def published() -> None:
    """The whole and each name are files at their addresses, and Accept chooses them."""
    files = {file.path: (file.media_type, file.content) for file in edition_files(FULL, PLACE)}
    assert files[WHOLE] == files[f"/editions/{FULL.edition}/{FULL.id}.names"]
    assert files[f"{ALPHA}.names"] == (TYPE, NAME)
    noted = replace(FULL, notice="A registry of quokkas.\nIt is not IANA’s.")
    whole = {file.path: file.content for file in edition_files(noted, PLACE)}[WHOLE]
    assert whole == f"# {plain_words((noted.notice,))}\n".encode() + without_notice(files[WHOLE][1])
    pages = dict.fromkeys((HOME, ALPHA), ("text/html", b"<p>"))
    with TemporaryDirectory() as folder:
        pack(pages | files, negotiated=accept_choices(FULL.id)).lay_out(Path(folder))
        site = PublishedPlane(Path(folder))
        for path, content in ((HOME, files[WHOLE][1]), (ALPHA, NAME)):
            answer = ask(site, path, accept="text/x-names")
            assert (answer.body, answer.headers["Content-Type"]) == (content, TYPE)


def listed() -> None:
    """Pages, linked data, JSON and Link headers lead to it."""
    assert ("List of names", WHOLE) in [link[:2] for link in formats(FULL)]
    files = {file.path: file for file in edition_files(FULL, PLACE)}
    for suffix in ("json", "xhtml", "ttl"):
        assert f"{FULL.id}.names".encode() in files[f"{HOME}{FULL.id}.{suffix}"].content
    assert f'<{WHOLE}>; rel="alternate"; type="text/x-names"' in files[f"{HOME}{FULL.id}.xml"].link
    assert f'<{ALPHA}.names>; rel="alternate"' in files[f"{ALPHA}.json"].link
    assert "alpha.names" in dict(namespace_files(FULL, RECORD, PLACE))
    page = Site(asset_dir("templates")).namespace(FULL, RECORD, Chrome())
    assert f'<a href="{ALPHA}.names">List of names</a>' in page


def checked() -> None:
    """An edition whose file of this format lacks a name is not published."""
    files = list(edition_files(FULL, PLACE))
    check_files(files, FULL, frozenset())
    less = [
        file._replace(content=file.content.replace(NAME + b"\n", b""))
        if file.path == WHOLE
        else file
        for file in files
    ]
    try:
        check_files(less, FULL, frozenset())
    except EditionRefused as error:
        assert str(error).startswith("The names file doesn't match")
    else:
        raise AssertionError("A file that lacks a name was taken.")


if __name__ == "__main__":
    assert Path(app.__file__ or "").is_relative_to(sys.argv[1]), app.__file__
    published()
    listed()
    checked()
