"""How the messages of the corpus are built."""

import base64
import quopri
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

HOST = "registry.example"
OURS = f"<urn.58.00112233445566aa@{HOST}>"
HEAD = {
    "From": "Robin Example <robin@org.example>",
    "To": "registry@registry.example",
    "Subject": "Re: [urn 58] quokka",
    "Date": "Tue, 01 Sep 2026 14:00:00 +0200",
    "Message-ID": "<1@org.example>",
}
MIXED = {"Content-Type": "multipart/mixed; boundary=bb"}
FLOWED = {"Content-Type": "text/plain; charset=utf-8; format=flowed"}
HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass(frozen=True)
class Case:
    name: str
    raw: bytes
    expected: Mapping[str, Any] = field(default_factory=dict)


def raw(body: str | bytes = "Hello", /, **headers: str | None) -> bytes:
    given = HEAD | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}" for name, value in given.items() if value is not None]
    data = body if isinstance(body, bytes) else body.encode()
    return "\n".join(lines).encode() + b"\n\n" + data


def typed(body: str | bytes, headers: Mapping[str, str], /, **more: str | None) -> bytes:
    given: dict[str, str | None] = {name.replace("-", "_"): text for name, text in headers.items()}
    return raw(body, **(given | more))


def in_charset(text: str, charset: str, encoding: str = "8bit", label: str = "") -> bytes:
    data = text.encode(charset)
    if encoding == "base64":
        data = base64.encodebytes(data)
    elif encoding == "quoted-printable":
        data = quopri.encodestring(data)
    return raw(
        data,
        Content_Type=f"text/plain; charset={label or charset}",
        Content_Transfer_Encoding=encoding,
    )


def parts(*bodies: str, kind: str = "multipart/mixed", **headers: str | None) -> bytes:
    inside = "".join(f"--bb\n{body}\n" for body in bodies)
    kind += "; boundary=bb" if "boundary" not in kind else ""
    return raw(f"{inside}--bb--\n", Content_Type=kind, MIME_Version="1.0", **headers)


def written(**options: Any) -> EmailMessage:
    message = EmailMessage()
    for name, value in HEAD.items():
        message[name] = value
    message.set_content("Hello from a library\n", **options)
    return message


def with_file() -> bytes:
    message = written()
    message.add_attachment(b"\x00" * 1000, "application", "pdf", filename="Grüße.pdf")
    return bytes(message)


def with_html() -> bytes:
    message = written()
    message.add_alternative("<p>Hello from <b>HTML</b></p>", subtype="html")
    return bytes(message)


def forwarded() -> bytes:
    inner = written()
    message = written()
    message.add_attachment(inner)
    return bytes(message)
