"""The grammar of URNs, said once: sets of characters, and the patterns built of them.

Every set is written out: ``\\d`` and ``\\w`` would let other scripts in, and so would IGNORECASE
over a set that holds an i, a k or an s.

Source: RFC 8141 section 2; pchar and pct-encoded are those of RFC 3986 appendix A.
"""

ALPHANUM = "A-Za-z0-9"
LDH = rf"{ALPHANUM}\-"
PCHAR = rf"{ALPHANUM}\-._~!$&'()*+,;=:@"  # all of pchar but pct-encoded, which is no set
PCT_ENCODED = "%[0-9A-Fa-f]{2}"

NID_SHORTEST, NID_LONGEST = 2, 32
NID = rf"[{ALPHANUM}][{LDH}]{{{NID_SHORTEST - 1},{NID_LONGEST - 1}}}+(?<!-)"


def run_pattern(characters: str, between: str = PCT_ENCODED) -> str:
    return rf"[{characters}]*+(?:(?:{between})[{characters}]*+)*+"


SLASHED = PCHAR + "/"
QUERY = PCHAR + "/?"
_BEGUN = "(?=[^/?#])"  # NSS, r- and q-component begin with a pchar
# Section 2.3.1 ends the r-component at its first "?=", which its ABNF alone would let through.
_R_BETWEEN = rf"{PCT_ENCODED}|\?(?!=)"


def _marked(mark: str, name: str, component: str) -> str:
    # A choice of the component or nothing: faster in Python than a group repeated at most once.
    return f"(?:{mark}(?P<{name}>{component})|)"


NAMESTRING = "".join(
    (
        # u, r and n are no letter's other case, so none but ASCII is let in here.
        rf"(?i:urn:)(?P<nid>{NID}):(?P<nss>{_BEGUN}{run_pattern(SLASHED)})",
        _marked(r"\?\+", "r_component", _BEGUN + run_pattern(SLASHED, _R_BETWEEN)),
        _marked(r"\?=", "q_component", _BEGUN + run_pattern(QUERY)),
        _marked(r"\#", "f_component", run_pattern(QUERY)),
    )
)
