"""Definitions from their pieces: alternatives of concatenations of repeated elements."""

from collections.abc import Iterable
from functools import cache

from app.grammar.abnf.elements import Alternatives, ElementSequence, Node, Repetition, Rule
from app.grammar.abnf.lexer import Diagnostics, Lexer, Token

MOST_DEEP = 60  # brackets within brackets
_CLOSED = {")": "(", "]": "[", "}": "{"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class NestingError(ValueError):
    """Brackets stand deeper within each other than is read."""


class Parser:
    """Reads the pieces of one definition; what is missing is noted and supplied."""

    def __init__(self, tokens: Iterable[Token], at: int, notes: Diagnostics) -> None:
        self._tokens, self._place = list(tokens), 0
        self._at, self._notes = at, notes

    def read(self) -> Node | None:
        """The definition, None where nothing stands there. Raises NestingError.

        Source: RFC 5234 section 4.
        """
        if not self._tokens:
            return None
        read = [self._choice(0)]
        while (token := self._next()) is not None:
            message = (
                f"This `{token.kind}` has no opening bracket. Remove it, or add the opening "
                "bracket."
            )
            self._notes.wrong("bracket", token.at, message, "RFC 5234 section 3.5")
            self._place += 1
            read.append(self._choice(0))
        kept = [node for node in read if node != ElementSequence((), node.at)]
        return kept[0] if len(kept) == 1 else ElementSequence(tuple(kept), self._at)

    def _next(self) -> Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _choice(self, depth: int) -> Node:
        if depth > MOST_DEEP:
            raise NestingError
        options, at = [self._series(depth)], self._here()
        while (token := self._next()) is not None and token.kind == "/":
            self._place += 1
            options.append(self._series(depth))
        kept = [option for option in options if option != ElementSequence((), option.at)]
        if len(options) > 1 and len(kept) < len(options):
            empty = next(option.at for option in options if option not in kept)
            message = "One side of a `/` is empty. Add an alternative, or remove the `/`."
            self._notes.wrong("empty-alternative", empty, message, "RFC 5234 section 3.2")
        if not kept:
            return ElementSequence((), at)
        return kept[0] if len(kept) == 1 else Alternatives(tuple(kept), kept[0].at)

    def _here(self) -> int:
        token = self._next()
        return token.at if token else self._tokens[-1].end

    def _series(self, depth: int) -> Node:
        parts, at = [], self._here()
        while (token := self._next()) is not None and token.kind not in (*_CLOSED, "/"):
            part = self._repeated(token, depth)
            if part is not None:
                parts.append(part)
        return (
            parts[0]
            if len(parts) == 1
            else ElementSequence(tuple(parts), parts[0].at if parts else at)
        )

    def _repeated(self, token: Token, depth: int) -> Node | None:
        if token.kind == "repeat":
            self._place += 1
            following = self._next()
            if following is None or following.kind in (*_CLOSED, "/", "after"):
                return None
            self._bounds(token)
            inner = self._repeated(following, depth + 1) if depth <= MOST_DEEP else None
            return inner and Repetition(inner, *token.bounds, at=token.at)
        if token.kind == "after":
            self._place += 1
            return None
        return self._followed(self._element(token, depth))

    def _followed(self, node: Node) -> Node:
        token = self._next()
        if token is None or token.kind != "after":
            return node
        self._place += 1
        self._bounds(token)
        return Repetition(node, *token.bounds, at=node.at)

    def _bounds(self, token: Token) -> None:
        low, high = token.bounds
        if high is not None and high < low:
            message = f"The minimum {low} is greater than the maximum {high}. Use `{high}*{low}`."
            self._notes.wrong("repetition-bounds", token.at, message, "RFC 5234 section 3.6")

    def _element(self, token: Token, depth: int) -> Node:
        self._place += 1
        if token.kind not in _CLOSING:
            return token.node if token.node is not None else ElementSequence((), token.at)
        inner = self._choice(depth + 1)
        self._close(token)
        if inner == ElementSequence((), inner.at):
            message = f"`{token.kind}{_CLOSING[token.kind]}` is empty. Remove it."
            self._notes.wrong("empty-group", token.at, message, "RFC 5234 section 3.5")
        if token.kind == "[":
            return Repetition(inner, 0, 1, token.at)
        return Repetition(inner, 0, None, token.at) if token.kind == "{" else inner

    def _close(self, opened: Token) -> None:
        closing, token = _CLOSING[opened.kind], self._next()
        if token is not None and token.kind == closing:
            self._place += 1
            return
        where = f" before `{token.kind}`" if token else ""
        message = f"The `{opened.kind}` is not closed. Add `{closing}`{where or ' after it'}."
        self._notes.wrong("bracket", opened.at, message, "RFC 5234 section 3.5")


# The r-component ends at the first "?=", as section 2.3.1 of RFC 8141 says and the grammar of its
# section 2 does not; so after a question mark there is all but an equals sign.
R_COMPONENT = 'pchar *(pchar / "/" / "?")'
_KNOWN = {
    "RFC 5234 appendix B.1": r"""
ALPHA = %x41-5A / %x61-7A
BIT = "0" / "1"
CHAR = %x01-7F
CR = %x0D
CRLF = CR LF
CTL = %x00-1F / %x7F
DIGIT = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB = %x09
LF = %x0A
LWSP = *(WSP / CRLF WSP)
OCTET = %x00-FF
SP = %x20
VCHAR = %x21-7E
WSP = SP / HTAB
""",
    "RFC 3986 appendix A": r"""
URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
hier-part = "//" authority path-abempty / path-absolute / path-rootless / path-empty
URI-reference = URI / relative-ref
absolute-URI = scheme ":" hier-part [ "?" query ]
relative-ref = relative-part [ "?" query ] [ "#" fragment ]
relative-part = "//" authority path-abempty / path-absolute / path-noscheme / path-empty
scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
authority = [ userinfo "@" ] host [ ":" port ]
userinfo = *( unreserved / pct-encoded / sub-delims / ":" )
host = IP-literal / IPv4address / reg-name
port = *DIGIT
IP-literal = "[" ( IPv6address / IPvFuture ) "]"
IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
IPv6address = 6( h16 ":" ) ls32 / "::" 5( h16 ":" ) ls32 / [ h16 ] "::" 4( h16 ":" ) ls32
 / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32 / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
 / [ *3( h16 ":" ) h16 ] "::" h16 ":" ls32 / [ *4( h16 ":" ) h16 ] "::" ls32
 / [ *5( h16 ":" ) h16 ] "::" h16 / [ *6( h16 ":" ) h16 ] "::"
h16 = 1*4HEXDIG
ls32 = ( h16 ":" h16 ) / IPv4address
IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet
dec-octet = DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35
reg-name = *( unreserved / pct-encoded / sub-delims )
path = path-abempty / path-absolute / path-noscheme / path-rootless / path-empty
path-abempty = *( "/" segment )
path-absolute = "/" [ segment-nz *( "/" segment ) ]
path-noscheme = segment-nz-nc *( "/" segment )
path-rootless = segment-nz *( "/" segment )
path-empty = ""
segment = *pchar
segment-nz = 1*pchar
segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
pchar = unreserved / pct-encoded / sub-delims / ":" / "@"
query = *( pchar / "/" / "?" )
fragment = *( pchar / "/" / "?" )
pct-encoded = "%" HEXDIG HEXDIG
unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"
reserved = gen-delims / sub-delims
gen-delims = ":" / "/" / "?" / "#" / "[" / "]" / "@"
sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
alphanum = ALPHA / DIGIT
""",
    "RFC 8141 section 2": r"""
namestring = assigned-name [ rq-components ] [ "#" f-component ]
assigned-name = "urn" ":" NID ":" NSS
NID = alphanum 0*30( ldh ) alphanum
ldh = alphanum / "-"
NSS = pchar *( pchar / "/" )
rq-components = [ "?+" r-component ] [ "?=" q-component ]
r-component = pchar *( pchar / "/" / 1*"?" ( no-equals / "/" ) ) *"?"
q-component = pchar *( pchar / "/" / "?" )
f-component = fragment
no-equals = unreserved / pct-encoded / %x21 / %x24 / %x26-2C / ":" / ";" / "@"
""",
    "RFC 8141 section 5.2": r"""
InformalNamespaceName = "urn-" Number
Number = DigitNonZero 0*Digit
DigitNonZero = %x31-39
""",
    "RFC 9562 section 4": r"""
UUID = 4hexOctet "-" 2hexOctet "-" 2hexOctet "-" 2hexOctet "-" 6hexOctet
hexOctet = HEXDIG HEXDIG
""",
}
# Words that a grammar may leave undefined by mistake; they count as known where the text
# speaks of the specification.
COMMON_WORDS = frozenset(
    {"uri", "scheme", "authority", "host", "port", "path", "segment", "query", "fragment"}
    | {"reserved", "char", "number", "ldh"}
)


@cache
def known_rules() -> dict[str, Rule]:
    """Source: RFC 5234 appendix B.1; RFC 3986 appendix A; RFC 8141 section 2; RFC 9562
    section 4."""
    found = [rule for origin, text in _KNOWN.items() for rule in read_known(text, origin).values()]
    return {rule.key: rule for rule in found}


def read_known(text: str, origin: str) -> dict[str, Rule]:
    """The rules of a specification by name in lower case, from its text of a rule a line."""
    lines = text.replace("\n /", " /").strip().split("\n")
    pairs = (line.split(" = ", 1) for line in lines)
    return {name.lower(): _rule(name, definition, origin) for name, definition in pairs}


def _rule(name: str, definition: str, origin: str) -> Rule:
    notes = Diagnostics()
    tokens = Lexer(definition, frozenset(), notes, bracketed=False).read(0, len(definition))
    return Rule(name, Parser(tokens, -1, notes).read(), -1, -1, origin=origin)
