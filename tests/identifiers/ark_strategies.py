"""Hypothesis strategies for ARKs, written from the ABNF of The ARK URI scheme rule by rule."""

from string import ascii_letters, digits, hexdigits
from typing import NamedTuple

from hypothesis import strategies as st

from .ark_recognizer import is_invisible, is_private, is_ucschar

# What readers of ARKs trip over: structure, hyphens of other kinds, what case folding turns into
# ASCII, characters nobody sees, line ends, halves of surrogate pairs.
AWKWARD = (
    "arkARK:/%-.?#2d2Dfb0aAeE _~!,[]"
    "\0\t\n\r\x7f\x85\xa0\xad\u200b\u200d\u200e\u2010\u202e\u2066\u2028\ufeff\ud800\udfff\ue000"
    "аéſK١²😀\ufdd0\U000e0001\U000f0000"
)


class Spelled(NamedTuple):
    """The parts of an ARK as they were drawn, and the text they make."""

    text: str
    naan: str
    name: str
    components: tuple[str, ...]
    variants: tuple[str, ...]
    query: str | None
    fragment: str | None


class Parts(NamedTuple):
    """The parts that count: what stands around them may be written in several ways."""

    naan: str
    name: str
    components: list[str]
    variants: list[str]


scheme = st.sampled_from(["ark:", "ARK:", "Ark:", "aRk:/", "ark:/"])
pct_encoded = st.builds("%{}{}".format, st.sampled_from(hexdigits), st.sampled_from(hexdigits))
ucschar = st.one_of(
    st.sampled_from("éßбф中😀\xa0"),
    st.characters(min_codepoint=0xA0).filter(lambda c: is_ucschar(c) and not is_invisible(c)),
)
iprivate = st.characters(min_codepoint=0xE000).filter(is_private)
_betanumeric = st.sampled_from("0123456789bcdfghjkmnpqrstvwxzBCDFGHJKMNPQRSTVWXZ")
_encoded_betanumeric = _betanumeric.map(lambda c: f"%{ord(c):02x}")
_hyphen = st.sampled_from(["-", "%2D", "%2d"])
_unreserved = st.sampled_from(digits + ascii_letters + "=~*+@_$")


def _around(counted: st.SearchStrategy[str], *others: st.SearchStrategy[str]) -> "_Texts":
    """Texts with at least one of what counts, anything of the rule on either side."""
    several = st.lists(st.one_of(counted, *others), max_size=5).map("".join)
    return st.builds("{}{}{}".format, several, counted, several)


_Texts = st.SearchStrategy[str]
naans = _around(st.one_of(_betanumeric, _encoded_betanumeric), _hyphen)
parts = _around(
    st.one_of(_unreserved, pct_encoded.filter(lambda text: text.lower() != "%2d"), ucschar), _hyphen
)
_ipchar = st.one_of(
    st.sampled_from(digits + ascii_letters + "-._~!$&'()*+,;=:@/?"), pct_encoded, ucschar
)
fragments = st.lists(_ipchar, max_size=8).map("".join)
queries = st.one_of(
    st.sampled_from(["", "?", "info"]),
    st.lists(st.one_of(_ipchar, iprivate), max_size=8).map("".join),
)
path_parts = st.builds(
    Parts, naans, parts, st.lists(parts, max_size=3), st.lists(parts, max_size=3)
)


@st.composite
def spelled_arks(draw: st.DrawFn) -> Spelled:
    """An Extended ARK with the parts it was made of."""
    made = draw(path_parts)
    query, fragment = draw(st.none() | queries), draw(st.none() | fragments)
    text = basic_ark(made, draw(scheme))
    text += "" if query is None else f"?{query}"
    text += "" if fragment is None else f"#{fragment}"
    return Spelled(
        text, made.naan, made.name, tuple(made.components), tuple(made.variants), query, fragment
    )


def basic_ark(made: Parts, begun: str = "ark:") -> str:
    """Write the parts of a Basic ARK down."""
    path = "/".join((made.naan, made.name, *made.components))
    return begun + ".".join((path, *made.variants))


arks = spelled_arks().map(lambda spelled: spelled.text)

# So few that two draws are often equivalent.
near_arks = st.builds(
    "{}1{}{}{}".format,
    st.sampled_from(["ark:", "ARK:/"]),
    st.sampled_from(["/b", "-/b", "/%62-", "/%42"]),
    st.sampled_from(["", ".c.d", ".d.c", ".d.c.%64", "/c"]),
    st.sampled_from(["", "?", "?info", "?%69nfo", "#f"]),
)


@st.composite
def mutated_arks(draw: st.DrawFn) -> str:
    """An ARK with up to three characters put in, left out or changed."""
    text = draw(arks)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        put_in = draw(st.sampled_from(["", *AWKWARD]))
        text = text[:at] + put_in + text[at + draw(st.integers(0, 1)) :]
    return text


awkward_texts = st.builds(
    "{}{}".format,
    st.sampled_from(
        ["", "ark:", "ark:/1", "ark:1/", "ark:1/x/", "ark:1/x.", "ark:1/x?", "ark:1/x#"]
    ),
    st.text(AWKWARD, max_size=12),
)
