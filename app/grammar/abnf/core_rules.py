"""The rules that a grammar may use without defining them, each with the RFC it is from."""

from functools import cache

from app.grammar.abnf.diagnostics import Diagnostics
from app.grammar.abnf.elements import Rule
from app.grammar.abnf.lexer import Lexer
from app.grammar.abnf.parser import Parser

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
