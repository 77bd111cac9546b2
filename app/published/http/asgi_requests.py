"""Requests as an ASGI server hands them on."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from app.published.http.headers import EncodedHeaders
from app.published.http.http_exchange import HttpRequest, join_fields, split_target


def request_of_scope(scope: Mapping[str, Any], target: str | None = None) -> HttpRequest:
    """The request of a connection scope.

    ``target`` is what was sent, where a server's own part of the work knows it: the scope has its
    path and its query, and may lack the rest of a target in absolute form.
    """
    if target is None:
        target = _target_of(scope)
    client = scope.get("client")
    peer = client[0] if client else None
    return request_of_fields(scope["method"], target, scope["headers"], scope["http_version"], peer)


def request_of_fields(
    method: str, target: str, fields: EncodedHeaders, version: str, peer: str | None
) -> HttpRequest:
    """The request of a head; names of ``fields`` are in lower case."""
    if target[:1] == "/" and "%" not in target and "#" not in target:
        path, _, query = target.partition("?")  # nearly all are so
    else:
        path, query = split_target(method, target)
    return HttpRequest(method, target, path, query, _headers_of(fields), version, peer)


def _target_of(scope: Mapping[str, Any]) -> str:
    raw = scope.get("raw_path")
    path = raw.decode("latin-1") if raw is not None else quote(scope["path"])
    query: bytes = scope["query_string"]
    return f"{path}?{query.decode('latin-1')}" if query else path


def _headers_of(fields: EncodedHeaders) -> dict[str, str]:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in fields}
    if len(headers) == len(fields):
        return headers
    return join_fields((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields)
