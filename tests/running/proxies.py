"""A server in front of another, as people put one there, and a browser that comes by it."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode, urlsplit

_HIDDEN = re.compile(r'<input type="hidden"\s+name="(\w+)"\s+value="([^"]*)">')
CLIENT = "203.0.113.9"
SAID = "X-Test-Client"  # in whose name a request of a test comes by the proxy


def _handler(choose: Callable[[], str], patience: float) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Passes a request on, and says for whom."""

        def _pass_on(self) -> None:
            connection = HTTPConnection(choose(), timeout=patience)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            client = self.headers.get(SAID, CLIENT)
            added = {"X-Forwarded-For": client, "X-Forwarded-Proto": "https", "Via": "1.1 proxy"}
            connection.request(self.command, self.path, body, dict(self.headers) | added)
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {"server", "date", "connection", "transfer-encoding"}:
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
            connection.close()

        do_GET = do_POST = _pass_on  # noqa: N815 — as its base calls them

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

    return Handler


@contextmanager
def proxy(address: str) -> Iterator[str]:
    """The address of a server that passes on what comes in to another."""
    behind = urlsplit(address).netloc
    with proxy_to(lambda: behind) as site:
        yield site


@contextmanager
def proxy_to(choose: Callable[[], str], port: int = 0, patience: float = 30) -> Iterator[str]:
    """The same, where a host and its port are chosen for each request."""
    with ThreadingHTTPServer(("127.0.0.1", port), _handler(choose, patience)) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(10)


class Browser:
    """Keeps its cookies, and fills in forms."""

    def __init__(self, site: str, client: str = CLIENT) -> None:
        self._host, self._client = urlsplit(site).netloc, client
        self._cookies: dict[str, str] = {}
        self.location = ""  # where the last answer led

    def get(self, path: str) -> tuple[int, str]:
        """Read a page: its status and text."""
        return self._ask("GET", path)

    def post(self, path: str, fields: dict[str, str]) -> tuple[int, str]:
        """Send a form as a page of the site would."""
        return self._ask("POST", path, urlencode(fields))

    def send(self, path: str, **fields: str) -> tuple[int, str]:
        """Open a page, fill its form in and send it."""
        shown = self.get(path)[1]
        (form,) = (part for part in shown.split("<form")[1:] if f'action="{path}"' in part)
        return self.post(path, dict(_HIDDEN.findall(form)) | fields)

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        connection = HTTPConnection(self._host, timeout=30)
        headers = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin", SAID: self._client}
        if self._cookies:
            headers["Cookie"] = "; ".join(
                f"{name}={value}" for name, value in self._cookies.items()
            )
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        text, self.location = answer.read().decode(), answer.headers.get("Location", "")
        connection.close()
        return answer.status, text
