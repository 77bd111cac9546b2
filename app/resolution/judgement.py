"""What a text is as a name of this registry: the one judgement, for pages, tools and resolver."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from app.identifiers.corrections import (
    LONGEST_CORRECTED,
    CorrectionKind,
    IdentifierCorrection,
    corrections,
    unwrap_identifier,
    with_plain_hyphens,
    without_spaces,
    without_trailing_marks,
)
from app.identifiers.errors import InvalidURN, spell_text
from app.identifiers.urn import (
    URN,
    explain_refusal,
    match_namestring,
    normal_nss,
    parse_urn,
    urn_of_match,
)
from app.registration.records.registry_records import Status
from app.resolution.bare_identifiers import recognize_bare
from app.resolution.check_digits import ALGORITHMS
from app.resolution.namespace_rules import (
    DecisionBasis,
    NamespaceRules,
    NssDecision,
    Possibility,
    RuleBook,
)

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


_SYNTAX = "Syntax of the registration, RFC 8141 section 6.4.2"
_NONE = NssDecision(Possibility.NOT_FIXED, DecisionBasis.NOTHING)
# Names of their own, since to look one up in an enumeration takes long.
_FORMER, _IMPOSSIBLE = Status.FORMER, Possibility.IMPOSSIBLE
_PROVEN = {
    CorrectionKind.HYPHENS: (Possibility.POSSIBLE, Possibility.NOT_RULED_OUT),
    CorrectionKind.SPACES: (Possibility.POSSIBLE, Possibility.NOT_RULED_OUT),
    CorrectionKind.CUT: (Possibility.POSSIBLE,),
}
_WRAPPED = "Text before the identifier was removed."
_SHORT_NID = 5  # characters of a NID that is shown in capitals
_new = object.__new__


@dataclass(frozen=True, slots=True)
class Ground:
    """Why something was judged so: a code, a sentence for people, and the clause that says it."""

    code: str
    message: str
    clause: str


@dataclass(slots=True, eq=False)
class Judgement:
    """What is known of a text; what is told of it is made when it is asked for.

    ``match`` has its parts, and is None where it has no URN's syntax, and ``refusal`` says why.
    ``rules`` are None where its namespace is not registered, and ``possibility`` then too.
    ``standing`` are the rules by which it was judged: those of the successor where its namespace
    has a new name. ``beside`` is told of it by who knows more than the rules, such as the mask of a
    prefix. Nothing of it is changed.
    """

    text: str
    match: re.Match[str] | None = None
    refusal: InvalidURN | None = None
    rules: NamespaceRules | None = None
    standing: NamespaceRules | None = None
    decision: NssDecision = _NONE
    book: RuleBook | None = None
    beside: tuple[Ground, ...] = ()
    # made once: what tells of a name asks for it again and again
    _normal: str = field(default="", init=False, repr=False)
    _correction: IdentifierCorrection | None = field(default=None, init=False, repr=False)
    _is_correction_known: bool = field(default=False, init=False, repr=False)

    @property
    def urn(self) -> URN | None:
        return None if self.match is None else urn_of_match(self.match)

    @property
    def error(self) -> InvalidURN | None:
        if self.refusal is None or self.correction is None:
            return self.refusal
        is_encoded = self.correction.kind is CorrectionKind.ENCODED
        return self.refusal if is_encoded else self.refusal.without_advice()

    @property
    def possibility(self) -> Possibility | None:
        return self.decision.possibility if self.rules else None

    @property
    def is_registered(self) -> bool:
        return self.rules is not None and self.rules.status is not Status.FORMER

    @property
    def is_name(self) -> bool:
        return self.is_registered and self.decision.possibility is not Possibility.IMPOSSIBLE

    @property
    def normal_form(self) -> str:
        if not self._normal and self.match:
            self._normal = urn_of_match(self.match).normal_form
        return self._normal

    @property
    def own_form(self) -> str:
        """Source: RFC 8141 section 3.2."""
        if self.rules is None or self.decision.possibility is _IMPOSSIBLE:
            return self.normal_form
        return own_form_of(self.normal_form, self.rules)

    @property
    def written_form(self) -> str:
        if self.match is None or self.rules is None or self.standing is not self.rules:
            return self.normal_form
        algorithm = None if self.decision.is_miscounted else ALGORITHMS.get(self.rules.check)
        return self._with(algorithm.write(self._nss)) if algorithm else self.normal_form

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.clauses_of(self.own_form)

    def clauses_of(self, own_form: str) -> tuple[str, ...]:
        """``clauses``, for who has the own form already and asks of many names."""
        plain = self.normal_form
        if self.match is None or self.rules is None or own_form == plain:
            return ()
        unified = _unified(plain, self.rules)
        by_number = (ALGORITHMS[self.rules.check].clause,) if unified != plain else ()
        return tuple(dict.fromkeys((*by_number, *self.rules.equivalence.clauses(unified))))

    @property
    def grounds(self) -> tuple[Ground, ...]:
        if self.match is None:
            return ()
        if self.standing is None:
            return (unregistered_ground(self.match["nid"].lower()),)
        if self.decision.possibility is not _IMPOSSIBLE:
            clause, unused = _clause(self.standing, self.decision), self.standing.unused_grammar
            return (_fit(self.decision, clause, unused, has_profile=self.standing.has_profile),)
        if self.decision.basis is DecisionBasis.CHECK:
            return (_miscounted(self._nss, self.standing, refuses=True),)
        return (_misfit(self._nss, self.standing, self.decision),)

    @property
    def notes(self) -> tuple[Ground, ...]:
        return tuple(self._notes())

    def _notes(self) -> Iterator[Ground]:
        yield from self.beside
        if self.rules is None or self.standing is None:
            return
        if self.rules.status is not Status.REGISTERED:
            yield _succession(self.rules)
        if self.decision.is_miscounted and self.decision.possibility is not _IMPOSSIBLE:
            yield _miscounted(self._nss, self.standing, refuses=False)

    @property
    def corrected(self) -> str:
        return self.correction.identifier if self.correction else ""

    @property
    def correction(self) -> IdentifierCorrection | None:
        if not self._is_correction_known:
            self._correction, self._is_correction_known = self._corrected(), True
        return self._correction

    def _corrected(self) -> IdentifierCorrection | None:
        if self.match is None:
            return _meant(self.text, self.book)
        if self.rules is None or self.standing is None:
            return _unwrapped(self.normal_form, self.book)
        if self.decision.possibility is not _IMPOSSIBLE:
            if self.standing is self.rules:
                return None
            why = f"{spell_text(self.rules.name)} is now {spell_text(self.standing.name)}."
            return IdentifierCorrection(self._with(self._nss), CorrectionKind.RULES, why)
        found = _unwrapped(self.normal_form, self.book)
        return found or next(self._fixed(self._nss, self.standing), None)

    def _fixed(self, nss: str, rules: NamespaceRules) -> Iterator[IdentifierCorrection]:
        for name, why in mended_names(nss, rules):
            yield IdentifierCorrection(self._with(name), CorrectionKind.RULES, why)

    @property
    def nearest(self) -> tuple[str, ...]:
        if self.match is None or self.rules is not None or self.book is None:
            return ()
        return self.book.nearest(self.match["nid"].lower())

    @property
    def _nss(self) -> str:
        return self.normal_form.split(":", 2)[2]

    def _with(self, nss: str) -> str:
        rules = self.standing or self.rules
        return f"urn:{rules.name.lower()}:{nss}" if rules else ""


def own_form_of(normal_form: str, rules: NamespaceRules) -> str:
    """Source: RFC 8141 section 3.2."""
    unified = _unified(normal_form, rules)
    return rules.equivalence.normal_form(unified) if rules.equivalence.rules else unified


def _unified(plain: str, rules: NamespaceRules) -> str:
    algorithm = ALGORITHMS.get(rules.check)
    if algorithm is None:
        return plain
    scheme, nid, nss = plain.split(":", 2)
    return f"{scheme}:{nid}:{algorithm.unify(nss)}"


def judge_text(text: str, book: RuleBook) -> Judgement:
    """What a text is.

    Source: RFC 8141 sections 2, 3 and 5.
    """
    match = match_namestring(text)
    if match is None:
        return Judgement(text, refusal=explain_refusal(text), book=book)
    nss = match[2]
    rules = book.find(match[1].lower())
    if rules is None:
        return Judgement(text, match, book=book)
    standing = rules
    if rules.status is _FORMER and rules.successor:
        standing = book.find(rules.successor.lower()) or rules
    if "%" in nss:
        nss = normal_nss(nss)
    # Member by member, in half the time: a resolver does this for every request.
    found = _new(Judgement)
    found.text, found.match, found.refusal = text, match, None
    found.rules, found.standing, found.decision = rules, standing, standing.decider.decide(nss)
    found.book, found.beside, found._normal = book, (), ""
    found._correction, found._is_correction_known = None, False
    return found


def judge_by(text: str, rules: NamespaceRules) -> Judgement:
    """What a text is as a name of a namespace, whose rules it is held to.

    Source: RFC 8141 sections 2 and 3.
    """
    match = match_namestring(text)
    if match is None:
        return Judgement(text, refusal=explain_refusal(text))
    decision = rules.decider.decide(normal_nss(match["nss"]))
    return Judgement(text, match, None, rules, rules, decision)


def _meant(text: str, book: RuleBook | None) -> IdentifierCorrection | None:
    if book is None:
        return None
    for number in recognize_bare(text, book.find):
        if judge_text(number.urn, book).is_name:
            return IdentifierCorrection(number.urn, CorrectionKind.RULES, number.why)
    others = tuple(corrections(text))
    judged = [(one, judge_text(one.identifier, book)) for one in others]
    for one, found in judged:
        if found.match is None or found.possibility is _IMPOSSIBLE:
            continue
        # `urn:example:a b` may be two words: they are joined or cut only where rules prove a name
        if one.kind.is_guess and found.possibility not in _PROVEN[one.kind]:
            continue
        return found.correction or one
    refused = (found for _, found in judged if found.possibility is _IMPOSSIBLE)
    return next((found.correction for found in refused if found.correction), None)


def _unwrapped(normal_form: str, book: RuleBook | None) -> IdentifierCorrection | None:
    inner = unwrap_identifier(normal_form)
    if book is None or inner == normal_form:
        return None
    found = judge_text(inner, book)
    return (
        IdentifierCorrection(inner, CorrectionKind.UNWRAPPED, _WRAPPED) if found.is_name else None
    )


def unregistered_ground(nid: str) -> Ground:
    """Source: RFC 8141 section 5."""
    message = f"No namespace {spell_text(nid)} is registered. Check the spelling."
    return Ground("unregistered", message, "RFC 8141 section 5")


def _succession(rules: NamespaceRules) -> Ground:
    is_former = rules.status is Status.FORMER
    was = "is no longer registered" if is_former else "is deprecated"
    now = f" Use {spell_text(rules.successor)}." if rules.successor else ""
    message = f"{spell_text(rules.name)} {was}.{now}"
    return Ground(str(rules.status), message, "RFC 8141 section 6.3")


@lru_cache(maxsize=1_024)
def _fit(decision: NssDecision, clause: str, unused_grammar: str, *, has_profile: bool) -> Ground:
    if decision.basis is DecisionBasis.NOTHING:
        if unused_grammar:
            message = (
                f"The grammar in the registration can't be used to check URNs: {unused_grammar}"
            )
            return Ground("grammar-unused", message, clause)
        if not has_profile:
            return Ground("not-fixed", ("The registry has no syntax rules for this namespace."), "")
        message = "The registration doesn't define which URNs are valid."
        return Ground("not-fixed", message, clause)
    if decision.basis is DecisionBasis.CHECK:
        return Ground("check", "The check digit is valid.", clause)
    return Ground(str(decision.basis), _FITS[decision.possibility], clause)


_FITS = {
    Possibility.POSSIBLE: "It matches the syntax in the registration.",
    Possibility.NOT_RULED_OUT: ("It matches the known syntax, which may be incomplete."),
}


def _misfit(nss: str, rules: NamespaceRules, decision: NssDecision) -> Ground:
    example = f"`{rules.example}`" if rules.example else "an example"  # not shortened
    why = f"it doesn't match the syntax in the registration. Compare it with {example}."
    if decision.basis is DecisionBasis.GRAMMAR and rules.automaton:
        at = rules.automaton.reach(nss)
        grammar = "the grammar of the registration"
        why = f"character {at + 1} doesn't match {grammar}."
        if at >= len(nss):
            why = f"it ends too early for {grammar}."
    return Ground(
        str(decision.basis),
        f"Not a valid {nid_words(rules.name)} URN: {why}",
        _clause(rules, decision),
    )


def _clause(rules: NamespaceRules, decision: NssDecision) -> str:
    if decision.basis is DecisionBasis.CHECK:
        return ALGORITHMS[rules.check].clause
    if decision.basis is DecisionBasis.PATTERN and rules.pattern and rules.pattern.source:
        return f"registration of {rules.name}: {rules.pattern.source}"
    return _SYNTAX


def _miscounted(nss: str, rules: NamespaceRules, *, refuses: bool) -> Ground:
    number = rules.decider.number_of(nss)
    right = number.corrected if number else nss
    wrong = _check_digit_words(nss, right)
    message = f"Not a valid {nid_words(rules.name)}: {wrong}."
    if not refuses:
        message = (
            f"{wrong[0].upper()}{wrong[1:]}. Examples in the registration fail this check, "
            "so the URN is still accepted."
        )
    return Ground("check", message, ALGORITHMS[rules.check].clause)


def _check_digit_words(nss: str, right: str) -> str:
    given, corrected = (re.sub("[- ]", "", text) for text in (nss, right))
    if given == corrected:
        return "the check digit is wrong"
    changed = [b for a, b in zip(given, corrected, strict=False) if a != b]
    if len(given) == len(corrected) and len(changed) == 1:
        return f"the check digit should be {changed[0]}"
    return f"the check digit is wrong, {spell_text(right)} would be valid"


def nid_words(name: str) -> str:
    return name.upper() if len(name) <= _SHORT_NID and name.isalnum() else spell_text(name)
