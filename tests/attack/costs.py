"""What anybody may ask without an account, with the worst that is known to be asked there.

A row is a method, a rule of the application, a path, and the kinds of input that are tried there,
with ``nothing`` for an address that takes none. An attacker who finds something worse adds it to
its kind; a route that is new needs a row. Every run tries the worst of a large kind (``WORST``),
and ``make torture`` all of it.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote

TABLE = """
GET  | / | / | query
GET  | /account | /account | nothing
POST | /account/mail | /account/mail | field
POST | /account/name | /account/name | field
POST | /account/sessions/end | /account/sessions/end | nothing
POST | /account/sessions/<mark>/end | /account/sessions/x/end | nothing
GET  | /.well-known/security.txt | /.well-known/security.txt | nothing
GET  | /appointments/ | /appointments/ | nothing
GET  | /assignments/urn-<any(formal, informal):kind>/<name> | /assignments/urn-formal/isbn | nothing
GET  | /assignments/urn-namespaces | /assignments/urn-namespaces | query
GET  | /assignments/urn-namespaces/ | /assignments/urn-namespaces/ | query headers
GET | /assignments/urn-namespaces/urn-namespaces | /assignments/urn-namespaces/urn-namespaces | next
GET  | /assignments/naans | /assignments/naans | query
GET  | /assignments/naans/naans | /assignments/naans/naans | query
GET  | /naans | /naans | query
GET  | /naans/ | /naans/ | query
GET  | /assignments/naans/ | /assignments/naans/ | query headers
GET  | /naans/<name> | /naans/ | word
GET  | /naans/<path:name> | /naans/12345/ | word
GET  | /naans/<path:name>/claim | /naans/12345/claim | nothing
POST | /naans/<path:name>/claim/<any(contact,evidence):way> | /naans/12345/claim/contact | field
GET  | /naans/editions/ | /naans/editions/ | nothing
GET  | /naans/editions/<number:before>..<number:after>.json | /naans/editions/1..2.json | nothing
GET  | /naans/editions/<number:number>/ | /naans/editions/1/ | nothing
GET  | /naans/editions/<number:number>/<file> | /naans/editions/1/naans.json | nothing
GET  | /naans/editions/<number:number>/naans/<name> | /naans/editions/1/naans/12345 | nothing
GET  | /naans/editions/<number:number>/naans/<path:name> | /naans/editions/1/naans/12/x5 | nothing
GET  | /naans/editions/<number:number>/names/<path:name> | /naans/editions/1/names/ark:1/a | nothing
GET  | /naans/editions/compare | /naans/editions/compare?from=1&to=2 | nothing
GET  | /editions/ | /editions/ | nothing
GET  | /editions/<number:before>..<number:after>.json | /editions/1..2.json | nothing
GET  | /editions/<number:number>/ | /editions/1/ | nothing
GET  | /editions/<number:number>/<file> | /editions/1/urn-namespaces.json | nothing
GET  | /editions/<number:number>/names/<path:name> | /editions/1/names/urn:isbn:1 | nothing
GET  | /editions/<number:number>/namespaces/<name> | /editions/1/namespaces/isbn | nothing
GET  | /editions/compare | /editions/compare?from=1&to=2 | nothing
GET  | /healthz | /healthz | nothing
GET  | /opensearch.xml | /opensearch.xml | nothing
GET  | /help/ | /help/ | nothing
GET  | /help/example.txt | /help/example.txt | nothing
GET  | /help/procedures | /help/procedures | nothing
GET  | /help/ark | /help/ark | nothing
GET  | /help/registering | /help/registering | nothing
GET  | /help/style | /help/style | nothing
GET  | /help/try | /help/try | nothing
GET  | /help/<any(checking,downloading,glossary,minting,reviewing):task> | /help/glossary | nothing
GET  | /help/which | /help/which | answers
GET  | /links/<token> | /links/ | word
POST | /links/<token> | /links/x | field
GET  | /namespaces/<name> | /namespaces/ | word
GET  | /namespaces/<name>/claim | /namespaces/isbn/claim | nothing
POST | /namespaces/<name>/claim/<any(contact,evidence):way> | /namespaces/isbn/claim/contact | field
GET  | /namespaces/<name>/diff | /namespaces/quokka/diff?from=1&to=1 | nothing
GET  | /namespaces/<name>/diff.txt | /namespaces/quokka/diff.txt?from=1&to=1 | nothing
GET  | /namespaces/<name>/requests | /namespaces/quokka/requests | nothing
GET  | /namespaces/<name>/resolvers | /namespaces/isbn/resolvers | nothing
GET  | /namespaces/<name>/versions/<int:number> | /namespaces/quokka/versions/1 | nothing
GET  | /namespaces/<name>/versions/<int:number>/diff | /namespaces/quokka/versions/1/diff | nothing
GET  | /problems/ | /problems/ | nothing
GET  | /problems/<code> | /problems/ | word
GET  | /readyz | /readyz | nothing
GET  | /requests/ | /requests/ | query
GET  | /requests/<any(pending, decided, yours):name> | /requests/pending | after
GET  | /requests/<number:number> | /requests/{} | texts
POST | /requests/<number:number>/<action:action> | /requests/1/take | field
POST | /requests/<number:number>/check | /requests/1/check | field
POST | /requests/<number:number>/comments | /requests/1/comments | form
GET  | /requests/<number:number>/diff | /requests/{}/diff | texts
GET  | /requests/<number:number>/diff.txt | /requests/{}/diff.txt | texts
GET  | /requests/<number:number>/internet-draft.xml | /requests/{}/internet-draft.xml | texts
GET  | /requests/<number:number>/iterations/<number:k> | /requests/{}/iterations/1 | texts
GET  | /requests/<number:number>/iterations/<number:k>.txt | /requests/{}/iterations/1.txt | texts
GET  | /requests/<number:number>/message.txt | /requests/{}/message.txt | texts
GET  | /requests/<number:number>/record.txt | /requests/{}/record.txt | texts
GET  | /requests/<number:number>/report.<any(txt, md):suffix> | /requests/{}/report.txt | texts
GET  | /requests/new | /requests/new | nothing
POST | /requests/new | /requests/new | form
GET  | /requests/new/naan | /requests/new/naan | triage
POST | /requests/new/template | /requests/new/template | field template
GET  | /requests/revise | /requests/revise | query
GET  | /resolvers/ | /resolvers/ | nothing
GET  | /resolvers/<path:text> | /resolvers/ | word
GET  | /sign-in | /sign-in | next
POST | /sign-in | /sign-in | form
GET  | /sign-in/<token> | /sign-in/ | word
POST | /sign-in/<token> | /sign-in/x | field
POST | /sign-out | /sign-out | field
GET  | /static/<path:filename> | /static/ | word
GET  | /tools/ | /tools/ | headers
GET  | /tools/ark | /tools/ark | query
POST | /tools/ark | /tools/ark | field
GET  | /tools/nid | /tools/nid | query
POST | /tools/nid | /tools/nid | field list found
GET  | /tools/syntax | /tools/syntax | query
POST | /tools/syntax | /tools/syntax | field grammar
GET  | /tools/template | /tools/template | nothing
POST | /tools/template | /tools/template | field template
GET  | /tools/urn | /tools/urn | query
POST | /tools/urn | /tools/urn | form list
"""
# Rooms of which nobody without an account sees more than the form to sign in.
ROOMS = ("/desk/", "/review/", "/demo/", "/prefixes/")
# So are these pages; what is sent there comes back with that form, as from any of ``form``.
OWN = frozenset(
    {
        *("people", 'people/<any(invite,"call-off",remove,leave):what>', "revise", "answer"),
        *("transfer", "transfer/stop", "edit/", "edit/<section:section>", "copy", "discard"),
        *("revision", "notes", "comments/<number:ident>", "check", "draft.txt"),
    }
)

LARGEST = 5_000_000  # octets of a file
FORM = 1_000_000  # octets of a form
TEMPLATE = 768 * 1024
FIELD = 65_000  # octets of a field of a request
LINE = 4_000  # octets of an address: the server takes 4,094
HEADER = 8_000  # octets of a header field: it takes 8,190


class Input(NamedTuple):
    """One thing that is tried: what it is called, what follows the path, and what is sent."""

    name: str
    query: str = ""
    body: bytes = b""
    content_type: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class Row(NamedTuple):
    """A method, a rule, the path at which it is tried, and the kinds of what is tried."""

    method: str
    rule: str
    path: str
    kinds: tuple[str, ...]


def rows() -> Iterator[Row]:
    """The rows of the table."""
    for line in TABLE.strip().splitlines():
        method, rule, path, kinds = (column.strip() for column in line.split(" | "))
        yield Row(method, rule, path, tuple(kinds.split()))


def _filled(length: int, unit: str) -> str:
    return unit * (length // len(unit.encode()))


def _quoted(length: int, unit: str) -> str:
    return quote(unit, safe="") * (length // len(quote(unit, safe="")))


_WORDS = ("a ", "a", "a-", "é", "%aa", "urn:", "urn:isbn:1\n", "ark:12345/x5-4\n", "&", '"', "\0")


def _asked(name: str) -> Iterator[Input]:
    for unit in _WORDS:
        yield Input(f"{name}={unit!r}", query=f"?{name}={_quoted(LINE, unit)}")
    many = quote(" ".join(f"w{number}" for number in range(700)))
    yield Input(f"{name}: many words", query=f"?{name}={many}")
    for start in ("urn:isbn:", "ark:12345/"):
        yield Input(f"{name}: one long {start}", query=f"?{name}={start}{_quoted(LINE, 'a-')}")


def _headers() -> Iterator[Input]:
    for name, unit in (
        ("Accept", "a/b,"),
        ("Accept", "text/html;q=0.1,"),
        ("Accept", '*/*;a="\\"";'),
        ("Accept-Encoding", "gzip;q=0.1,"),
        ("Range", "bytes=0-1,"),
        ("If-None-Match", '"a",'),
        ("If-Match", '"'),
        ("Cookie", "a=b;"),
        ("Cookie", 'session="\\'),
        ("If-Modified-Since", "Mon, "),
    ):
        yield Input(f"{name}: {unit}", headers=((name, _filled(HEADER, unit)),))


_EDGE = b"--edge"


def _part(name: str, value: bytes, file: bool) -> bytes:
    head = f'Content-Disposition: form-data; name="{name}"'.encode()
    return b"\r\n".join([_EDGE, head + b'; filename="a.txt"' * file, b"", value, b""])


def sent(name: str, value: bytes, *, file: bool = False, label: str = "", then: str = "") -> Input:
    """A form with a field or a file of these bytes."""
    body = _part(name, value, file) + _part("then", then.encode(), file=False) + _EDGE + b"--\r\n"
    shown = f"{label or value[:12]!r} {'uploaded' if file else 'typed'} {then}"
    return Input(shown, body=body, content_type="multipart/form-data; boundary=edge")


def _field() -> Iterator[Input]:
    yield sent("text", b"&" * (FORM - 2_000), label="ampersands")
    kept = b'[["a","' + b"&" * 890_000 + b'"]]'
    yield sent("kept", kept, label="kept text")


def _form() -> Iterator[Input]:
    yield from _field()
    for unit in ("&", "\u202e", "😀"):
        for name in ("text", "kept"):
            value = _filled(FORM - 2_000, unit).encode()
            yield sent(name, value, label=f"{name}: {unit!r}")
    fields = b"".join(_part(f"f{n}", b"&" * 4_800, file=False) for n in range(195))
    multipart = "multipart/form-data; boundary=edge"
    yield Input("195 fields", body=fields + _EDGE + b"--\r\n", content_type=multipart)
    yield Input("many parts", body=(_EDGE + b"\r\n\r\n\r\n") * 90_000, content_type=multipart)
    yield Input("only edges", body=_EDGE * 160_000, content_type=multipart)
    coded = "application/x-www-form-urlencoded"
    yield Input("one field, encoded", body=b"q=" + b"%26" * 330_000, content_type=coded)
    yield Input("many fields", body=b"a=b&" * 250_000, content_type=coded)
    yield sent("kept", b"[" * 900_000, label="deep text")


_LISTS = {
    "nothing but u": "u\n",
    "short URNs": "urn:isbn:1\n",
    "one of one line": "x",
    "blank lines": " \n",
    "one encoded": "%aa",
    "bytes that are no text": "\xff",
    "control characters": "\t",
    "bidirectional controls": "\u202e\n",
    "angles": "<\n",
}


def _list() -> Iterator[Input]:
    for label, unit in _LISTS.items():
        start = "urn:isbn:" if label.startswith("one") else ""
        octets = (start + _filled(LARGEST, unit)).encode("latin-1" if unit == "\xff" else "utf-8")
        yield sent("file", octets, file=True, label=label)
        few = b"\n".join(octets.split(b"\n", 10_900)[:10_900])[:900_000]
        for then in ("", "csv", "jsonl"):
            yield sent("q", few, label=f"{label}, few", then=then)
    numbers = "\n".join(f"urn:isbn:{number:010}" for number in range(10_000))
    yield sent("q", numbers.encode(), label="ISBNs of ten", then="csv")
    long = ("urn:isbn:" + "a&" * 2_000 + "\n") * 230
    yield sent("q", long.encode(), label="200 long ones")
    yield sent("q", ("URN:ISBN:" + "%aa-" * 1_000 + "\n").encode() * 230, label="200 encoded")


def _found() -> Iterator[Input]:
    for unit in ("urn:a:b ", "urn:", "urn:a:", "urn:aa:b?+", "urn:aa:b?=.", "urn:aa:b?=="):
        yield sent("file", _filled(LARGEST, unit).encode(), file=True, label=unit)
    for ending in (")", ".", ".)", "(", "?=", "&"):
        octets = ("urn:aaa:b" + _filled(LARGEST - 10, ending)).encode()
        yield sent("file", octets, file=True, label=f"ends in {ending}")
    half = ("urn:aaa:b" + "(" * 1_600_000 + ")" * 3_300_000).encode()
    yield sent("file", half, file=True, label="half of the brackets")
    names = " ".join(f"urn:a{number}:b" for number in range(350_000))
    yield sent("file", names.encode()[:LARGEST], file=True, label="many namespaces")


_LINES = ("x\n", "1. a\n", "Purpose:\nx\n", "Namespace Identifier:\n", "> Purpose:\n", "a: b\n")
_RUNS = ("\t", " ", "&", "x", "a:", "-", "urn:urn:", "jan", "1.", '"', ": is ", "12 ")


def _template() -> Iterator[Input]:
    yield sent("text", _filled(TEMPLATE - 10, "x\n").encode(), label="all lines")
    for unit in _LINES:
        octets = (unit * 4_900)[:TEMPLATE].encode()
        yield sent("text", octets[: octets.rfind(b"\n", 0, 4_800 * len(unit))], label=unit)
        wide = ("Purpose: " + "x" * 60 + "\n" + unit) * 2_450
        yield sent("text", wide[: TEMPLATE - 10].encode(), label=f"{unit!r} after a long line")
    for unit in _RUNS:
        for field in ("Purpose", "Namespace Identifier", "Date", "Version"):
            octets = f"{field}: a{_filled(TEMPLATE - 100, unit)}x".encode()
            yield sent("text", octets, label=f"{field}: {unit}")


def _grammar() -> Iterator[Input]:
    some = range(4_500)
    for label, text in {
        "short rules": "".join(f"a{number}=b\n" for number in some),
        "rules with comments": "".join(f'a{number} = "q" ; comment\n' for number in some),
        "a chain": "".join(f"a{n} = *a{n + 1} / a{n + 2}\n" for n in some),
        "nested": "a = " + "(" * 49_000 + '"x"' + ")" * 49_000,
        "counts": "urn ::= " + "*1000(" * 900 + "ALPHA" + ")" * 900,
        "choices": 'urn-x ::= "urn:x:" ' + '( "a" / "b" ) ' * 6_500,
        "ampersands": "".join(f'a{n}="{"&" * 26}"\n' for n in range(2_700)),
        "examples": 'urn-x = "urn:x:" *ALPHA\n' + "".join(f"urn:x:{n}\n" for n in some),
    }.items():
        yield sent("q", text[:99_900].encode(), label=label)
    yield sent("file", b"\xff" * LARGEST, file=True, label="no text")


def _after() -> Iterator[Input]:
    yield Input("no key", query=f"?after={_quoted(LINE, '9~')}")


def _next() -> Iterator[Input]:
    yield Input("a long way", query=f"?next=/{_quoted(LINE, '/')}")


def _answers() -> Iterator[Input]:
    yield Input("many answers", query=f"?answers={_filled(LINE, 'ny')}")


def _triage() -> Iterator[Input]:
    for one in _asked("organization"):
        yield one._replace(query=f"{one.query}&wish=names")
    for unit in ("university ", "a ", "é", "http://a."):
        text = quote(_filled(400, unit))
        asked = "&".join(f"{name}={text}" for name in ("organization", "acronym", "address"))
        yield Input(f"three times {unit!r}", query=f"?wish=client&{asked}")


def _word() -> Iterator[Input]:
    for unit in ("a", "a-", "../", "é", "%25", "0"):
        yield Input(f"the word {unit}", query=_quoted(LINE, unit))


INPUTS: dict[str, Callable[[], Iterator[Input]]] = {
    "nothing": lambda: iter([Input("as it is")]),
    "query": lambda: _asked("q"),
    "headers": _headers,
    "field": _field,
    "form": _form,
    "list": _list,
    "found": _found,
    "template": _template,
    "grammar": _grammar,
    "after": _after,
    "next": _next,
    "answers": _answers,
    "word": _word,
    "triage": _triage,
    "texts": lambda: iter([Input("as it is")]),
}

# What has cost most of the kinds that are large, measured over all of each; of what one thing tried
# alike costs as much, one is here. The other kinds are tried whole.
WORST: dict[str, frozenset[str]] = {
    "query": frozenset({"q='a '", "q='ark:12345/x5-4\\n'", "q: many words"}),
    "form": frozenset(
        {
            *("'ampersands' typed ", "'kept text' typed ", "one field, encoded", "195 fields"),
            *("many parts", "'deep text' typed "),
        }
    ),
    "list": frozenset(
        {
            *("'angles' uploaded ", "'one encoded' uploaded ", "'200 encoded' typed "),
            "'ISBNs of ten' typed csv",
            "'nothing but u, few' typed jsonl",
        }
    ),
    "found": frozenset({"'ends in &' uploaded ", "'ends in ?=' uploaded "}),
    "template": frozenset(
        {
            *("'Purpose: \"' typed ", "'Version: &' typed ", "'all lines' typed "),
            "\"'a: b\\\\n' after a long line\" typed ",
        }
    ),
    "grammar": frozenset({"'rules with comments' typed ", "'a chain' typed ", "'nested' typed "}),
}


def tried(kind: str, *, whole: bool) -> Iterator[Input]:
    """What is tried of a kind."""
    worst = None if whole else WORST.get(kind)
    return (one for one in INPUTS[kind]() if worst is None or one.name in worst)


# What each long field of a request holds that was sent; its pages are read by anybody.
TEXTS = {
    "ampersands": _filled(FIELD, "&"),
    "tabs": _filled(FIELD - 10, "\t") + "x",
    "words": _filled(FIELD, "a "),
    "tabs between words": _filled(FIELD, "x\t"),
    "lines": "a\n" * 3_900,
    "paragraphs": "a\n\n" * 1_900 + "a",
    "wide lines": ("a" * 15 + "\n") * 3_900,
    "items": "- a\n" * 3_900,
    "backticks": _filled(FIELD, "`"),
    "links": "[a](http://b)" * 1_900,
    "bidirectional controls": _filled(FIELD, "\u202e"),
}
