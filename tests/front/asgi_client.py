"""Asks an ASGI application as a server would, without one."""

import asyncio
from typing import Any, NamedTuple

from app.front.asgi import AsgiApplication


class Told(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


async def ask(
    application: AsgiApplication,
    target: str,
    method: str = "GET",
    body: bytes = b"",
    peer: str = "127.0.0.1",
    version: str = "1.1",
    **headers: str,
) -> Told:
    path, _, query = target.partition("?")
    fields = {"host": "127.0.0.1"} | ({"content-length": str(len(body))} if body else {})
    fields |= {name.replace("_", "-").lower(): value for name, value in headers.items()}
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "http_version": version,
        "client": (peer, 1),
        "server": ("127.0.0.1", 8000),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in fields.items()],
    }
    sent: list[Any] = []
    waiting = [{"type": "http.request", "body": body}]

    async def receive() -> Any:
        return waiting.pop() if waiting else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    await application(scope, receive, send)
    begun, *pieces = sent
    named = {name.decode().lower(): value.decode("latin-1") for name, value in begun["headers"]}
    return Told(begun["status"], named, b"".join(piece["body"] for piece in pieces))
