"""Hypothesis strategies for URNs, written from the ABNF of RFC 8141 and RFC 3986 rule by rule."""

from string import ascii_letters, digits, hexdigits
from typing import NamedTuple

from hypothesis import strategies as st

ALPHANUM = ascii_letters + digits
# What readers of URNs trip over: delimiters, what case folding turns into ASCII, other digits,
# line ends, and halves of surrogate pairs.
AWKWARD = (
    'urnURN:-%?+=#/09aAfFgG~&_. []\\^`{|}<>"'
    "\0\t\n\r\x7f\x85\xa0\u2028\u202e\ufeff\ud800\udfff"
    "éſKıİа١²😀"
)


class Spelled(NamedTuple):
    """The parts of a URN as they were drawn, and the text they make."""

    text: str
    nid: str
    nss: str
    r_component: str | None
    q_component: str | None
    f_component: str | None


scheme = st.sampled_from(["urn", "URN", "Urn", "uRn", "urN"])
ldh = st.text(ALPHANUM + "-", max_size=30)
nids = st.builds("{}{}{}".format, st.sampled_from(ALPHANUM), ldh, st.sampled_from(ALPHANUM))
pct_encoded = st.builds("%{}{}".format, st.sampled_from(hexdigits), st.sampled_from(hexdigits))
unreserved = st.sampled_from(ALPHANUM + "-._~")
sub_delims = st.sampled_from("!$&'()*+,;=")
pchar = st.one_of(unreserved, pct_encoded, sub_delims, st.sampled_from(":@"))


def _begun(also: str) -> st.SearchStrategy[str]:
    rest = st.lists(st.one_of(pchar, st.sampled_from(also)), max_size=12).map("".join)
    return st.builds("{}{}".format, pchar, rest)


nss = _begun("/")
# The prose of section 2.3.1: the first "?=" would end it.
r_component = _begun("/?").filter(lambda text: "?=" not in text)
q_component = _begun("/?")
f_component = st.lists(st.one_of(pchar, st.sampled_from("/?")), max_size=12).map("".join)


@st.composite
def spelled_urns(draw: st.DrawFn) -> Spelled:
    """A URN with the parts it was made of."""
    nid, name = draw(nids), draw(nss)
    r = draw(st.none() | r_component)
    q = draw(st.none() | q_component)
    f = draw(st.none() | f_component)
    marked = [mark + part for mark, part in (("?+", r), ("?=", q), ("#", f)) if part is not None]
    return Spelled(f"{draw(scheme)}:{nid}:{name}{''.join(marked)}", nid, name, r, q, f)


urns = spelled_urns().map(lambda spelled: spelled.text)

# So few that two draws are often equivalent.
_few_names = st.lists(st.sampled_from(["a", "A", "%2c", "%2C", "%2f", "/"]), max_size=2)
near_urns = st.builds(
    "{}:{}:b{}{}".format,
    st.sampled_from(["urn", "URN"]),
    st.sampled_from(["example", "EXAMPLE", "isbn"]),
    _few_names.map("".join),
    st.sampled_from(["", "?+r", "?=q", "#", "#F"]),
)


@st.composite
def mutated_urns(draw: st.DrawFn) -> str:
    """A URN with up to three characters put in, left out or changed."""
    text = draw(urns)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        put_in = draw(st.sampled_from(["", *AWKWARD]))
        text = text[:at] + put_in + text[at + draw(st.integers(0, 1)) :]
    return text


awkward_texts = st.builds(
    "{}{}".format,
    st.sampled_from(["", "urn:", "urn:ab:", "urn:ab:c", "URN:a-b:c?+", "urn:ab:c?=", "urn:ab:c#"]),
    st.text(AWKWARD, max_size=12),
)
