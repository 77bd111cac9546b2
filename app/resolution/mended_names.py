"""Names of a namespace that are like an NSS which it refuses: another spelling, case or check."""

from collections.abc import Iterator

from app.identifiers.corrections import (
    LONGEST_CORRECTED,
    with_plain_hyphens,
    without_spaces,
    without_trailing_marks,
)
from app.identifiers.errors import InvalidURN
from app.identifiers.urn import parse_urn
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.nss_decision import Possibility

LONGEST = 200  # characters of an NSS of which letters are tried in the other case

_CASE = "Upper and lower case were changed to match this namespace."
_CHECK = "The check digit was corrected. Check the other characters too."
_MARKS = "Characters that aren't allowed were removed or replaced."


def _spellings(nss: str) -> Iterator[str]:
    yield nss
    if len(nss) > LONGEST_CORRECTED:
        return
    plain = with_plain_hyphens(nss)
    spaceless = without_spaces(nss)
    spellings = (without_trailing_marks(nss), plain, spaceless, without_trailing_marks(spaceless))
    yield from (one for one in dict.fromkeys(spellings) if one != nss)


def _other_cases(nss: str) -> Iterator[str]:
    if "%" in nss or len(nss) > LONGEST:
        return
    head, mark, rest = nss.partition(":")
    yield from dict.fromkeys(
        (f"{head.lower()}{mark}{rest}", f"{head.upper()}{mark}{rest}", nss.upper(), nss.lower())
    )


def mended_names(nss: str, rules: NamespaceRules) -> Iterator[tuple[str, str]]:
    """Yield names of a namespace that are like an NSS which it refuses, the likelier first."""
    for spelled in _spellings(nss):
        for name in _counted(spelled, rules, but=nss):
            yield name, _MARKS if name == spelled else _CHECK
        for other in _other_cases(spelled):
            if other != spelled and _is_forced(spelled, other, rules):
                yield from (
                    (name, _CASE if name == other else _CHECK) for name in _counted(other, rules)
                )


def _counted(nss: str, rules: NamespaceRules, but: str = "") -> Iterator[str]:
    number = rules.decider.number_of(nss)
    for like in dict.fromkeys((nss, number.corrected if number else nss)):
        if like != but and _may_be(like, rules):
            yield like


def _may_be(nss: str, rules: NamespaceRules) -> bool:
    try:
        whole = parse_urn(f"urn:{rules.name}:{nss}")
    except InvalidURN:
        return False
    return whole.nss == nss and rules.decider.decide(nss).possibility is not Possibility.IMPOSSIBLE


def _is_forced(nss: str, other: str, rules: NamespaceRules) -> bool:
    decide = rules.decider.decide
    differing = (at for at, (one, two) in enumerate(zip(nss, other, strict=True)) if one != two)
    return all(
        decide(f"{other[:at]}{nss[at]}{other[at + 1 :]}").possibility is Possibility.IMPOSSIBLE
        for at in differing
    )
