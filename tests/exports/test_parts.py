"""Manifests of very many files, in parts."""

from collections.abc import Callable, Iterator
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exports.manifests import manifest_parts
from app.exports.manifests.bundle_files import BadManifest, BundleFile
from app.exports.manifests.manifest import Manifest, ManifestPart, manifest_bytes
from app.exports.manifests.manifest_parts import (
    MANY,
    all_files,
    divide_manifest,
    files_below,
    find_file,
    read_part,
)
from tests.exports.bundle_files import bundle_file
from tests.published.bundles import divide_soon

COUNT = 300


@pytest.fixture(autouse=True, scope="module")
def few_are_many() -> Iterator[None]:
    """What holds of hundreds of thousands of files holds of hundreds."""
    with pytest.MonkeyPatch.context() as patch:
        divide_soon(patch)
        yield


def manifest_of(*files: BundleFile) -> Manifest:
    return Manifest(edition=1, as_of="2026-07-28", made_by="test", files=files)


def file_of(number: int, content: bytes = b"") -> BundleFile:
    return bundle_file(
        f"/n/{number}",
        "text/plain",
        content,
        link=f'</n/{number}x>; title="\\"path\\":\\"/n/0\\""',
        encoded={"br": b"b"},
    )


def large() -> tuple[Manifest, Manifest, dict[str, bytes]]:
    whole = manifest_of(*map(file_of, range(COUNT)))
    with pytest.MonkeyPatch.context() as patch:
        divide_soon(patch)
        return whole, *divide_manifest(whole)


LARGE, HEAD, CONTENTS = large()


def content_of(part: ManifestPart) -> bytes:
    return CONTENTS[part.sha256]


def test_a_short_list_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest_parts, "MANY", MANY)
    small = manifest_of(*map(file_of, range(MANY)))
    assert divide_manifest(small) == (small, {})
    head, _ = divide_manifest(manifest_of(*small.files, bundle_file("/", "text/plain", b"")))
    assert (head.files, len(head.parts) > 10) == ((), True)
    assert divide_manifest(head) == (head, {})


def test_a_long_list_becomes_parts_that_hold_the_same_files() -> None:
    assert HEAD.files == ()
    assert len(manifest_bytes(HEAD)) < len(manifest_bytes(LARGE)) / 10
    assert tuple(all_files(HEAD, content_of)) == LARGE.files
    assert tuple(all_files(LARGE, content_of)) == LARGE.files
    for part in HEAD.parts:
        content = CONTENTS[part.sha256]
        assert (sha256(content).hexdigest(), len(content)) == part[1:]


@given(st.text("/n0123456789", max_size=5))
def test_files_below_a_path_are_found_in_the_parts_that_can_list_them(path: str) -> None:
    wanted = tuple(file for file in LARGE.files if file.path.startswith(path))
    read: list[ManifestPart] = []

    def noted(part: ManifestPart) -> bytes:
        read.append(part)
        return content_of(part)

    assert tuple(files_below(HEAD, path, noted)) == wanted
    assert tuple(files_below(LARGE, path, noted)) == wanted
    assert len(read) <= len(wanted) + 1


@given(st.integers(0, COUNT - 1), st.sampled_from(["changed", "added", "removed"]))
def test_a_file_more_or_less_leaves_nearly_all_parts_as_they_were(number: int, what: str) -> None:
    files = [file for file in LARGE.files if file.path != f"/n/{number}"]
    if what == "changed":
        files.append(file_of(number, b"changed"))
    if what == "added":
        files += [file_of(number), bundle_file(f"/n/{number}.json", "text/plain", b"")]
    head, _ = divide_manifest(manifest_of(*files))
    assert len({*head.parts} - {*HEAD.parts}) <= 2


def test_parts_that_are_known_are_passed_over() -> None:
    known = {part.sha256 for part in HEAD.parts[1:]}
    files = tuple(all_files(HEAD, content_of, without=known))
    assert files == read_part(HEAD.parts[0], content_of(HEAD.parts[0]))


@given(st.sampled_from(HEAD.parts), st.data())
def test_a_file_is_found_in_its_part_without_reading_the_others(
    part: ManifestPart, data: st.DataObject
) -> None:
    files = read_part(part, content_of(part))
    file = data.draw(st.sampled_from(files))
    assert find_file(content_of(part), file.path) == file


@pytest.mark.parametrize("path", ["", "/", "/n", "/n/", "/n/x", '/n/0"', "/n/0\\", "/n/é", "\n"])
def test_what_is_not_in_a_part_is_not_found(path: str) -> None:
    assert [find_file(content, path) for content in CONTENTS.values()] == [None] * len(CONTENTS)


def swapped(content: bytes) -> bytes:
    first, second, rest = content.split(b"\n", 2)
    return b"\n".join([second, first, rest])


def doubled(content: bytes) -> bytes:
    first, rest = content.split(b"\n", 1)
    return b"\n".join([first, first, rest])


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda _: b"\n",
        lambda content: content[:-1],
        lambda content: content + b"\n",
        lambda content: content[1:],
        lambda _: b"[" * 100_000,
        lambda content: b"[]\n" + content,
        lambda content: b"\xff\n" + content,
        lambda content: b"3\n" + content,
        lambda content: content.replace(b'"path":"/n', b'"path":"/..'),
        lambda content: content.replace(b'"length"', b'"size"', 1),
        lambda content: content.replace(b",", b", ", 1),
        lambda content: content.replace(b"text/plain", b"text/plain\\r\\nA: b", 1),
        lambda content: content.split(b"\n", 1)[1],
        swapped,
        doubled,
    ],
)
def test_what_is_no_part_is_refused(damage: Callable[[bytes], bytes]) -> None:
    part = HEAD.parts[1]
    with pytest.raises(BadManifest):
        read_part(part, damage(content_of(part)))


def test_a_part_that_runs_into_the_next_is_refused() -> None:
    first, second, *_ = HEAD.parts
    both = content_of(first) + content_of(second)
    assert read_part(first, both)
    with pytest.raises(BadManifest, match="in order"):
        list(all_files(HEAD, lambda part: both if part == first else content_of(part)))
