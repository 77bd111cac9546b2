"""English word forms for search: stop words, stems, and words of nearly the same meaning."""

from collections.abc import Mapping

# Words of a question that never identify an entry: "who registers books".
_QUESTION = """
    a about an and any are as at be by can code codes d de del der des did die do does du find
    for from get has have how i in is it la le les look me my need of on or our s somebody
    someone that the their there these this to under use used using want we what when where
    which who whose with you
"""
# Words of a description that never say what it is about.
_FILLERS = """
    additional also anything based because before being between both each every everything
    example examples existing gets given gives however keep keeps known many most must named
    need needs none only other others purpose same several should some such syntax than them
    then they those through type types used user users uses values very whether while whoever
    will within without written
"""
_COMMON = """ark arks assign authority holder id identifier identify identification naan name
    namespace nid number organization organisation prefix register registrant registration
    registry scheme shoulder standard unique uri url urn"""

# Groups of words that people use for the same thing. Each word finds the others.
_SYNONYMS = """
law laws legal legislation statute jurisdiction judgment act court
document documents text act judgment record paper
book books monograph
journal journals periodical serial magazine newspaper continuing
movie movies film films cinema audiovisual
tv television broadcast broadcasting
phone phones telephone mobile handset cellphone
handset handsets device devices phone phones
ship ships vessel maritime shipping boat
train trains rail railway railways railroad
weather meteorology meteorological climate
map maps geospatial geographic geographical gis
geology geological geoscience
barcode ean gtin gs1
bank banks banking financial finance payment
company companies corporate corporation business entity
author authors creator contributor
news press journalism
army military defence defense
emergency 911 112
sbom bom
energy electricity power
house property realty estate
fish seafood
advert ads advertisement advertising commercial
telecom telecoms telecommunication telecommunications
wifi wireless
car cars automobile vehicle motor
picture image photo photograph photography
thesis theses dissertation
university universitat universite universidad universidade universita universiteit
library libraries bibliotheque bibliotheek bibliothek biblioteca
archive archives archief archiv archivo archivio archival
museum museums musee museo
city municipal municipality town ville gemeente
county departmental departementales
france french francaise
germany german deutsche deutschland
netherlands dutch holland nederland
austria austrian osterreich
switzerland swiss suisse schweiz
finland finnish
denmark danish
spain spanish espana
italy italian italia
portugal portuguese
hungary hungarian
latvia latvian
korea korean
europe european
america american us usa
britain british uk
canada canadian
scotland scottish
ireland irish
"""


def stem(word: str) -> str:
    """Return the part that the forms of an English word share: ``archiv`` for ``archives``.

    Not a linguistic stem. Words of up to 3 characters and numbers are returned unchanged.
    """
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and (len(word) == 4 or not word.endswith(("ss", "us", "is"))):
        word = word[:-1]
    for ending in ("ation", "ing", "ment", "ed", "er", "or", "al"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    word = word[:-1] if word.endswith("e") and len(word) > 3 else word
    return word[:-1] + "i" if word.endswith("y") else word


def _groups() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _SYNONYMS.strip().splitlines():
        group = {stem(word) for word in line.split()}
        for each in group:
            found.setdefault(each, set()).update(group - {each})
    return {each: frozenset(others) for each, others in found.items()}


SYNONYMS = _groups()
QUESTION_WORDS = frozenset(_QUESTION.split())
FILLER_WORDS = frozenset(_FILLERS.split())
COMMON_STEMS = frozenset(map(stem, _COMMON.split()))
