"""What a text is as a name of this registry: the one judgement, for pages, tools and resolver."""

from dataclasses import dataclass
from enum import StrEnum

from app.identifiers.errors import InvalidURN
from app.identifiers.urn import URN, parse_urn
from app.resolution.rules import NamespaceRules, RuleBook


class Possibility(StrEnum):
    """Whether an NSS can be one of its namespace."""

    POSSIBLE = "possible"  # by an exact pattern, a grammar or a check digit
    NOT_RULED_OUT = "not ruled out"  # by a pattern that is necessary only
    NOT_FIXED = "not fixed by the registration"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Ground:
    """Why something was judged so: a code, a sentence for people, and the clause that says it."""

    code: str
    message: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What is known of a text.

    ``urn`` is None where it has no URN's syntax, and ``error`` says why. ``rules`` are None where
    its namespace is not registered, and ``possibility`` then too. ``normal_form`` is that of
    RFC 8141 section 3.1, ``own_form`` that of the namespace's rules, the same where these add
    nothing; ``clauses`` say by which words. ``corrected`` is a whole URN that the text may have
    been meant for, such as one with the right check digit; empty where there is none. ``notes``
    are told beside: a wrong check character that refuses nothing.
    """

    text: str
    urn: URN | None = None
    error: InvalidURN | None = None
    rules: NamespaceRules | None = None
    possibility: Possibility | None = None
    grounds: tuple[Ground, ...] = ()
    notes: tuple[Ground, ...] = ()
    normal_form: str = ""
    own_form: str = ""
    clauses: tuple[str, ...] = ()
    corrected: str = ""


def judge(text: str, book: RuleBook) -> Judgement:
    """What a text is. Raises nothing.

    Source: RFC 8141 sections 2, 3 and 5.
    """
    try:
        urn = parse_urn(text)
    except InvalidURN as error:
        return Judgement(text=text, error=error)
    rules = book.find(urn.nid.lower())
    plain = urn.normal_form
    own = rules.equivalence.normal_form(urn) if rules else plain
    possibility = Possibility.NOT_FIXED if rules else None
    return Judgement(
        text=text,
        urn=urn,
        rules=rules,
        possibility=possibility,
        normal_form=plain,
        own_form=own,
        clauses=rules.equivalence.clauses(urn) if rules and own != plain else (),
    )
