"""The layout of a bundle."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exports.manifests.bundle_files import (
    FOR_EVER,
    BadManifest,
    BundleFile,
    DigestMismatch,
    EncodedForm,
    verify_bytes,
)
from app.exports.manifests.bundle_paths import blob_path, bundle_path, edition_path, find_edition
from app.exports.manifests.manifest import (
    Manifest,
    ManifestPart,
    manifest_bytes,
    parse_as_of,
    read_manifest,
)
from tests.exports.bundle_files import bundle_file, file_in_edition

XML = bundle_file("/a/b.xml", "application/xml; charset=utf-8", b"<a/>")
PAGE = bundle_file("/", "text/html; charset=utf-8", b"<h1>A</h1>", "max-age=5")


def manifest_of(**members: Any) -> Manifest:
    known: dict[str, Any] = {
        "edition": 7,
        "as_of": "2026-07-28",
        "made_by": "test",
        "files": (XML, PAGE),
    }
    return Manifest(**(known | members))


MANIFEST = manifest_of(redirects=(("/a", "/a/"),))

names = st.text("abcXYZ019-._~:@", min_size=1).filter(lambda name: name not in {".", ".."})
paths = st.lists(names, max_size=4).map(lambda parts: "/" + "/".join(parts))
files = st.builds(
    bundle_file,
    paths,
    st.sampled_from(["text/html; charset=utf-8", "application/xml", "image/svg+xml"]),
    st.binary(max_size=9),
    st.sampled_from(["no-cache", FOR_EVER]),
    link=st.sampled_from(["", '</a.json>; rel="alternate"; type="application/json"']),
    encoded=st.dictionaries(st.sampled_from(["br", "zstd", "gzip"]), st.binary(max_size=9)),
)
rules = st.sampled_from([("/a", ("/a/", "/a.xml")), ("/n/{}", ("/n/{}", "/n/{}.json"))])
digests = st.integers(0, 2**256 - 1).map("{:064x}".format)
parts = st.lists(st.builds(ManifestPart, paths, digests, st.integers(0, 2**40)), max_size=4).map(
    lambda parts: tuple({part.path: part for part in sorted(parts)}.values())
)
manifests = st.builds(
    Manifest,
    edition=st.integers(0, 2**62),
    as_of=st.sampled_from(["2015-04-29", "2026-07-28T09:30:00Z", "2026-07-28T09:30:00.5+02:00"]),
    made_by=st.text("abc019 .", min_size=1),
    files=st.lists(files, max_size=5, unique_by=lambda file: file.path).map(tuple),
    redirects=st.just((("/zz-from", "/to/"),)),
    negotiated=st.lists(rules, unique=True).map(tuple),
    registry=st.sampled_from(["", "https://registry.example"]),
    corrections=st.sampled_from([(), (("doi", "d0i"), ("isan", ""))]),
)
divided_manifests = st.builds(
    Manifest,
    edition=st.integers(0, 9),
    as_of=st.just("2026-07-28"),
    made_by=st.just("test"),
    parts=parts,
)


@given(manifests | divided_manifests)
def test_a_manifest_is_read_back_from_its_bytes(manifest: Manifest) -> None:
    assert read_manifest(manifest_bytes(manifest)) == manifest


@given(manifests, st.randoms(use_true_random=False))
def test_the_order_of_the_files_does_not_change_the_bytes(manifest: Manifest, random: Any) -> None:
    shuffled = list(manifest.files)
    random.shuffle(shuffled)
    other = Manifest(
        edition=manifest.edition,
        as_of=manifest.as_of,
        made_by=manifest.made_by,
        files=tuple(shuffled),
        redirects=manifest.redirects,
        registry=manifest.registry,
        corrections=tuple(reversed(manifest.corrections)),
        negotiated=tuple(reversed(manifest.negotiated)),
    )
    assert other == manifest
    assert manifest_bytes(other) == manifest_bytes(manifest)


@given(st.integers(0, len(manifest_bytes(MANIFEST)) - 1), st.binary(max_size=3))
def test_a_changed_manifest_is_refused_or_is_canonical_again(at: int, new: bytes) -> None:
    content = manifest_bytes(MANIFEST)
    content = content[:at] + new + content[at + 1 :]
    try:
        manifest = read_manifest(content)
    except BadManifest as error:
        assert error.given is not None
    else:
        assert manifest_bytes(manifest) == content


def test_a_member_at_its_default_is_not_written() -> None:
    written = json.loads(manifest_bytes(MANIFEST))["files"]
    assert [file.get("cache_control") for file in written] == ["max-age=5", None]


def test_a_manifest_with_nothing_new_has_the_bytes_that_it_always_had() -> None:
    assert manifest_bytes(manifest_of(files=(XML,), redirects=(("/a", "/a/"),))) == (
        b'{"as_of":"2026-07-28","edition":7,"files":[{"length":4,'
        b'"media_type":"application/xml; charset=utf-8","path":"/a/b.xml",'
        b'"sha256":"29114363f749a0226b6988dda3ca2492a954117ab6b5f382706c20300dabc079"}],'
        b'"format":1,"made_by":"test","redirects":{"/a":"/a/"}}'
    )


def test_a_file_names_the_bytes_of_each_of_its_forms() -> None:
    file = bundle_file("/a", "text/plain", b"aaaa", encoded={"br": b"b", "gzip": b"gg"})
    assert [(form.coding, form.length) for form in file.forms] == [("br", 1), ("gzip", 2)]
    assert [blob.length for blob in file.blobs] == [4, 1, 2]
    assert {blob.path for blob in file.blobs} == {"/a"}
    for blob, content in zip(file.blobs, (b"aaaa", b"b", b"gg"), strict=True):
        assert verify_bytes(blob, content) == content
        with pytest.raises(DigestMismatch):
            verify_bytes(blob, content + b"x")


def test_a_file_of_an_edition_stays_at_its_address_for_ever() -> None:
    file = bundle_file("/a/b.xml", "application/xml", b"<a/>", link="<x>", encoded={"br": b"b"})
    kept = file_in_edition(file, 7, "b.xml")
    assert (kept.path, kept.cache_control) == ("/editions/7/b.xml", FOR_EVER)
    assert (kept.link, [blob.sha256 for blob in kept.blobs]) == (
        "<x>",
        [blob.sha256 for blob in file.blobs],
    )
    assert edition_path(7) == "editions/7.json"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "JSON"),
        (b"\xff", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b"[]", "a manifest of format 1"),
        (b'{"format":2}', "a manifest of format 1"),
        (b'{"format":1}', "invalid or missing: 'edition'"),
        (manifest_bytes(MANIFEST) + b"\n", "canonical"),
        (manifest_bytes(MANIFEST).replace(b'"edition":7', b'"edition":6,"edition":7'), "canonical"),
        (manifest_bytes(MANIFEST).replace(b'"edition":7', b'"edition":7.0'), "edition"),
        (manifest_bytes(MANIFEST).replace(b'"edition":7', b'"edition":true'), "edition"),
        (manifest_bytes(MANIFEST).replace(b'"length":4', b'"length":-4'), "length"),
        (manifest_bytes(MANIFEST).replace(b'"length":4', b'"length":4,"size":4'), "size"),
        (manifest_bytes(MANIFEST).replace(b'"/a/"', b"3"), "two different paths"),
        (manifest_bytes(MANIFEST).replace(b'{"/a":"/a/"}', b"[]"), "invalid or missing"),
        (
            manifest_bytes(MANIFEST).replace(b'"length":4', b'"length":9223372036854775808'),
            "whole number",
        ),
        (manifest_bytes(MANIFEST).replace(b'"length":4', b'"forms":3,"length":4'), "invalid"),
        (manifest_bytes(MANIFEST).replace(b'"length":4', b'"forms":[[]],"length":4'), "invalid"),
        (manifest_bytes(MANIFEST).replace(b'"length":4', b'"forms":[],"length":4'), "canonical"),
        (manifest_bytes(MANIFEST).replace(b'"redirects"', b'"parts":[],"redirects"'), "canonical"),
        (manifest_bytes(MANIFEST).replace(b'"redirects"', b'"parts":[[1]],"redirects"'), "invalid"),
        (
            manifest_bytes(MANIFEST).replace(b'"redirects"', b'"negotiated":[],"redirects"'),
            "invalid or missing",
        ),
    ],
)
def test_what_is_no_manifest_is_refused_in_words(content: bytes, words: str) -> None:
    with pytest.raises(BadManifest, match=words):
        read_manifest(content)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a",
        "//a",
        "/a//b",
        "/a/../b",
        "/..",
        "/.",
        "/a?b",
        "/a#b",
        "/a%20b",
        "/a b",
        "/é",
        "/a\n",
    ],
)
def test_a_path_that_could_leave_its_folder_or_is_not_decoded_is_refused(path: str) -> None:
    with pytest.raises(BadManifest) as refusal:
        bundle_file(path, "text/plain", b"")
    assert refusal.value.given == path


@pytest.mark.parametrize("path", ["/", "/a", "/a/", "/.well-known/x", "/urn:isbn:0/a..b", "/~a@b"])
def test_a_plain_path_is_taken(path: str) -> None:
    assert bundle_file(path, "text/plain", b"").path == path


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("media_type", "text/html\r\nSet-Cookie: a=b"),
        ("media_type", "html"),
        ("cache_control", "no-cache\n"),
        ("cache_control", ""),
        ("sha256", "A" * 64),
        ("sha256", "../../etc/passwd"),
        ("length", "4"),
        ("length", 2**63),
        ("link", "</a>; rel=next\r\nSet-Cookie: a=b"),
        ("link", "</\xe9>; rel=next"),
        ("forms", (EncodedForm("gzip\r\n", "0" * 64, 1),)),
        ("forms", (EncodedForm("identity", "0" * 64, 1),)),
        ("forms", (EncodedForm("gzip", "../x", 1),)),
        ("forms", (EncodedForm("gzip", "0" * 64, -1),)),
        ("forms", (EncodedForm("gzip", "0" * 64, 1), EncodedForm("gzip", "1" * 64, 1))),
    ],
)
def test_a_file_that_no_header_or_folder_can_carry_is_refused(member: str, value: Any) -> None:
    known: dict[str, Any] = {
        "path": "/",
        "media_type": "text/html",
        "sha256": "0" * 64,
        "length": 0,
    }
    with pytest.raises(BadManifest):
        BundleFile(**(known | {member: value}))


@pytest.mark.parametrize(
    "members",
    [
        {"files": (XML, bundle_file("/a/b.xml", "text/plain", b""))},
        {"redirects": (("/a/b.xml", "/"),)},
        {"redirects": (("/x", "/y"), ("/x", "/z"))},
        {"redirects": (("/x", "/x"),)},
        {"redirects": (("/x", "/y"), ("/y", "/x"))},
        {"redirects": (("/x", "//example.org/"),)},
        {"redirects": (("/x", "https://example.org/"),)},
        {"as_of": "2026-02-30"},
        {"as_of": "2026-07-28T09:30:00"},
        {"as_of": "20260728"},
        {"as_of": "0001-01-01T00:00:00+23:00"},
        {"made_by": ""},
        {"registry": "javascript:alert(1)"},
        {"registry": "https://registry.example/a path"},
        {"registry": 7},
        {"corrections": (("doi", "d0i\n"),)},
        {"corrections": (("doi", "d0i"), ("doi", "d1i"))},
        {"edition": -1},
        {"negotiated": (("/a/{}", ("/a/b.json",)),)},
        {"negotiated": (("/a", ("/a/{}",)),)},
        {"negotiated": (("/{}/a", ("/{}/b",)),)},
        {"negotiated": (("/a/{}{}", ("/a/{}",)),)},
        {"negotiated": (("/a/../{}", ("/a/{}",)),)},
        {"negotiated": (("/a", ("https://example.org/",)),)},
        {"negotiated": (("/a", ("/a", 3)),)},
        {"negotiated": (("/a", ("/b",)), ("/a", ("/c",)))},
        {"negotiated": (("/x", ("/b",)),), "redirects": (("/x", "/y"),)},
        {"parts": (ManifestPart("/a", "0" * 64, 1),)},
        {"files": (), "parts": (ManifestPart("/b", "0" * 64, 1), ManifestPart("/a", "0" * 64, 1))},
        {"files": (), "parts": (ManifestPart("/a", "0" * 64, 1), ManifestPart("/a", "1" * 64, 1))},
        {"files": (), "parts": (ManifestPart("a", "0" * 64, 1),)},
        {"files": (), "parts": (ManifestPart("/a", "../x", 1),)},
        {"files": (), "parts": (ManifestPart("/a", "0" * 64, -1),)},
    ],
)
def test_a_manifest_that_contradicts_itself_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(BadManifest):
        manifest_of(**members)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-07-28", datetime(2026, 7, 28, tzinfo=UTC)),
        ("2026-07-28T09:30:00Z", datetime(2026, 7, 28, 9, 30, tzinfo=UTC)),
        ("2026-07-28T01:30:00+02:00", datetime(2026, 7, 27, 23, 30, tzinfo=UTC)),
    ],
)
def test_the_moment_of_an_edition_is_told_in_utc(text: str, moment: datetime) -> None:
    assert parse_as_of(text) == moment


def test_only_the_promised_bytes_are_verified() -> None:
    assert verify_bytes(XML, b"<a/>") == b"<a/>"
    for content in (b"<b/>", b"<a/> ", b""):
        with pytest.raises(DigestMismatch, match=r"/a/b\.xml"):
            verify_bytes(XML, content)


def test_only_html_is_a_page() -> None:
    types = ["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml", "text/plain"]
    pages = [bundle_file("/", media_type, b"").is_page for media_type in types]
    assert pages == [True, True, False, False]


def test_a_bundle_lies_at_a_path_that_tells_its_edition_and_content() -> None:
    path = bundle_path(MANIFEST)
    assert path != bundle_path(manifest_of(made_by="other"))
    assert find_edition(path) == 7
    assert blob_path(XML.sha256) == f"blobs/{XML.sha256[:2]}/{XML.sha256}"


@pytest.mark.parametrize("path", ["", "bundles/7", "/tmp/bundles/7-0123456789abcdef", "bundles/x"])
def test_another_path_tells_no_edition(path: str) -> None:
    assert find_edition(path) is None
