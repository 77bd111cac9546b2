"""The same bytes come through the server that is used, which sends large files itself."""

from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from app.published.blobs import LARGEST_READ
from tests.published.bundles import PAGE, lasting, pack
from tests.published.served import under_gunicorn

LARGE = b"".join(b"%09d\n" % number for number in range(3 * LARGEST_READ // 10))
FILES = {
    "/large.txt": ("text/plain", LARGE),
    PAGE: ("text/html; charset=utf-8", b"<h1>Registry</h1>"),
}


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HTTPConnection]:
    folder = tmp_path_factory.mktemp("published")
    lasting(1, {"large.txt": ("text/plain", LARGE)}).lay_out_for_ever(folder)
    pack(FILES, codings=["gzip"]).lay_out(folder)
    with under_gunicorn(folder) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        yield connection
        connection.close()


def get(
    connection: HTTPConnection, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    return response.status, dict(response.getheaders()), response.read()


@pytest.mark.parametrize("path", ["/large.txt", "/editions/1/large.txt"])
def test_large_files_come_whole_in_part_and_not_at_all(
    connection: HTTPConnection, path: str
) -> None:
    status, headers, body = get(connection, path)
    assert (status, body) == (200, LARGE)
    assert headers["Content-Length"] == str(len(LARGE))
    assert get(connection, path, Range="bytes=5-1999999")[::2] == (206, LARGE[5:2_000_000])
    assert get(connection, path, Range="bytes=-9")[::2] == (206, LARGE[-9:])
    assert get(connection, path, Range="bytes=99999999-")[0] == 416
    assert get(connection, path, "HEAD")[::2] == (200, b"")
    status, unchanged, body = get(connection, path, **{"If-None-Match": headers["ETag"]})
    assert (status, body, unchanged["ETag"]) == (304, b"", headers["ETag"])


def test_the_connection_stays_good_for_the_next_request(connection: HTTPConnection) -> None:
    for _ in range(3):
        assert get(connection, "/large.txt")[2] == LARGE
        assert get(connection, PAGE)[2] == FILES[PAGE][1]
        assert get(connection, "/none")[0] == 404
    assert get(connection, "/readyz")[0] == 200
