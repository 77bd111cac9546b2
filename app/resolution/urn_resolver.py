"""A judged name and the rules of an edition -> what comes of it."""

from threading import Lock

from app.registration.records.registry_records import Status
from app.resolution.judgement import Judgement, Possibility
from app.resolution.namespace_rules import NamespaceRules, RuleBook
from app.resolution.outcomes import (
    BadSyntax,
    EqualChoice,
    ImpossibleName,
    Outcome,
    ResolvedName,
    Unregistered,
    UnresolvedName,
    Withdrawn,
)
from app.resolution.service_choice import NO_PREFERENCES, Preferences, ServiceChooser

_HELD = 4096


class UrnResolver:
    """Leads names on by one edition's rules; what it needs of a namespace is made ready once."""

    def __init__(self, book: RuleBook) -> None:
        self._book, self._lock = book, Lock()
        self._made: dict[str, tuple[NamespaceRules, ServiceChooser]] = {}

    def resolve(
        self, judgement: Judgement, day: str = "", preferences: Preferences = NO_PREFERENCES
    ) -> Outcome:
        """What comes of a judged text on a day; without a day, services of all days count.

        Raises nothing. Names that are equivalent by RFC 8141 get the same, but for the r- and
        q-components that go with them.

        Source: RFC 8141 sections 1.2.1, 2.3 and 6.4.6.
        """
        rules = judgement.rules
        if rules is None:
            return _unknown(judgement)
        if rules.status is Status.FORMER:
            return Withdrawn(judgement)
        if judgement.possibility is Possibility.IMPOSSIBLE:
            return ImpossibleName(judgement)
        return self._lead(judgement, self.chooser_of(rules), day, preferences)

    def chooser_of(self, rules: NamespaceRules) -> ServiceChooser:
        """The services of a namespace, ready to choose among."""
        known = self._made.get(rules.name)
        return known[1] if known is not None and known[0] is rules else self._make(rules)

    def _lead(
        self, judgement: Judgement, chooser: ServiceChooser, day: str, preferences: Preferences
    ) -> Outcome:
        if not chooser.is_meant or judgement.urn is None:
            return UnresolvedName(judgement, is_meant=chooser.is_meant)
        found, is_negotiated = chooser.choose(
            judgement.urn, judgement.normal_form, judgement.own_form, day, preferences
        )
        if not found:
            return UnresolvedName(judgement)
        if chooser.is_choice and len(found) > 1:
            return EqualChoice(judgement, found, is_negotiated)
        return ResolvedName(judgement, found[0], found[1:], is_negotiated)

    def _make(self, rules: NamespaceRules) -> ServiceChooser:
        """Rules that a book let go and read again are others: what was ready for them gives way."""
        chooser = ServiceChooser(rules)
        with self._lock:
            self._made.pop(rules.name, None)
            if len(self._made) >= _HELD:
                del self._made[next(iter(self._made))]  # the one that was made first
            self._made[rules.name] = rules, chooser
        return chooser


def _unknown(judgement: Judgement) -> Outcome:
    if judgement.urn is None:
        return BadSyntax(judgement)
    return Unregistered(judgement, judgement.nearest)
