"""What is said of a bound name, and of whose it is: one maker for each scheme, from an edition."""

from collections.abc import Callable
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING, NamedTuple, Protocol

from app.assigned_names.bound_name_documents import describe_bound, write_bound_erc
from app.assigned_names.passthrough import BoundOutcome
from app.published.chain import EditionView
from app.published.names.edition_ark_resolver import path_of_prefix
from app.published.names.edition_arks import EditionArks
from app.published.names.edition_names import EditionNames, day_now
from app.published.names.name_answers import json_document
from app.resolution.arks.ark_documents import ark_outcome_to, erc_record, write_holder_ercs
from app.resolution.arks.ark_judging import holders_of
from app.resolution.arks.ark_outcomes import ArkOutcome, InflectedArk
from app.resolution.arks.ark_wording import ArkNameContext
from app.resolution.judgement import judge_text, own_form_of
from app.resolution.name_paths import name_path
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcome_documents import outcome_to
from app.resolution.outcome_wording import NameContext
from app.resolution.outcomes import Outcome

if TYPE_CHECKING:
    from app.pages.site.ark_name_pages import ArkNamePages
    from app.pages.site.name_pages import NamePages

_ARK = len("ark:")


class WordedBoundName(NamedTuple):
    """What is said of a bound name; only what is asked for is made."""

    page: Callable[[], str]
    erc: Callable[[], str]
    members: Callable[[], dict[str, object]]

    def document(self) -> str:
        return json_document(self.members())


class BoundNameMaker(Protocol):
    """What a scheme says of its bound names beside what is bound, by an edition."""

    def find_worded(
        self, outcome: BoundOutcome, view: EditionView, home: str
    ) -> WordedBoundName | None:
        """What is said of a bound name; None where the edition has no rules to say it by."""

    def own_form(self, name: str, view: EditionView) -> str:
        """The form in which a name is given: what is equivalent to it by its own rules, too."""

    def extends_names(self, name: str, view: EditionView) -> bool:
        """Whether a binding may say that whatever follows its name is handed on."""

    def longest_prefix(self, name: str, view: EditionView) -> int:
        """How many characters of a name are a prefix that is registered apart; 0 where none are."""


class BoundArkMaker:
    """Pages and records of bound ARKs, with whose NAAN and shoulder they are under."""

    @cached_property
    def _pages(self) -> "ArkNamePages":
        # not before a page is made: what is published needs no templates for anything else
        from app.pages.assets import asset_dir
        from app.pages.site.ark_name_pages import ArkNamePages

        return ArkNamePages(asset_dir("templates"))

    def own_form(self, name: str, view: EditionView) -> str:  # noqa: ARG002 — as for URNs
        return name

    def extends_names(self, name: str, view: EditionView) -> bool:  # noqa: ARG002 — as for URNs
        return True

    def longest_prefix(self, name: str, view: EditionView) -> int:
        arks = view.edition.arks
        rules = arks.book.longest(name[_ARK:]) if arks else None
        return _ARK + len(rules.prefix) if rules else 0

    def find_worded(
        self, outcome: BoundOutcome, view: EditionView, home: str
    ) -> WordedBoundName | None:
        """As the holder tells of an ARK; and the registry, of its shoulder and its NAAN."""
        arks = view.edition.arks
        if arks is None:
            return None
        whose = arks.resolver.resolve(f"{outcome.asked}?info")
        context = ArkNameContext(
            outcome=whose,
            holders=tuple(holders_of(whose, arks.book)),
            path_of=partial(path_of_prefix, view.edition, view.group),
            home=home,
        )
        return WordedBoundName(
            page=partial(self._page, outcome, context, arks),
            erc=partial(_ark_erc, outcome, whose),
            members=lambda: {**describe_bound(outcome), **_holders_to(whose)},
        )

    def _page(self, outcome: BoundOutcome, context: ArkNameContext, arks: EditionArks) -> str:
        from app.pages.namespaces.bound_name_view import bound_name_view

        return self._pages.page(arks.shell, context, bound_name_view(outcome))


def _ark_erc(outcome: BoundOutcome, whose: ArkOutcome) -> str:
    holders = write_holder_ercs(whose) if isinstance(whose, InflectedArk) else []
    return "\n\n".join([*write_bound_erc(outcome), *holders]) + "\n"


def _holders_to(whose: ArkOutcome) -> dict[str, object]:
    members = ark_outcome_to(whose)
    return {name: members[name] for name in ("shoulder", "naan") if name in members}


class BoundUrnMaker:
    """Pages and records of bound URNs, with the namespace that they are of."""

    @cached_property
    def _pages(self) -> "NamePages":
        from app.pages.assets import asset_dir
        from app.pages.site.name_pages import NamePages

        return NamePages(asset_dir("templates"))

    def own_form(self, name: str, view: EditionView) -> str:
        rules = _rules_of(name, view)
        return name if rules is None else own_form_of(name, rules)

    def extends_names(self, name: str, view: EditionView) -> bool:
        rules = _rules_of(name, view)
        return rules is not None and rules.resolution.extends_names

    def longest_prefix(self, name: str, view: EditionView) -> int:  # noqa: ARG002 — as for ARKs
        return 0

    def find_worded(
        self, outcome: BoundOutcome, view: EditionView, home: str
    ) -> WordedBoundName | None:
        """As the holder tells of a URN; and the registry, of its namespace."""
        names = view.edition.names
        if names is None:
            return None
        whose = names.resolver.resolve(judge_text(outcome.asked, names.book), day_now())
        return WordedBoundName(
            page=partial(self._page, outcome, NameContext(whose, home=home), names, view),
            erc=partial(_urn_erc, outcome, whose),
            members=lambda: {**describe_bound(outcome), **_namespace_to(whose)},
        )

    def _page(
        self, outcome: BoundOutcome, context: NameContext, names: EditionNames, view: EditionView
    ) -> str:
        from app.pages.namespaces.bound_name_view import bound_name_view

        registry = view.edition.registry
        address = escape(registry + name_path(outcome.asked))
        head = f'<link rel="canonical" href="{address}">' if registry else ""
        return self._pages.page(names.shell, head, context, bound_name_view(outcome))


def _rules_of(name: str, view: EditionView) -> NamespaceRules | None:
    names = view.edition.names
    return names.book.find(name.split(":", 2)[1]) if names else None


def _urn_erc(outcome: BoundOutcome, whose: Outcome) -> str:
    records, rules = write_bound_erc(outcome), whose.judgement.rules
    if rules is not None:
        told = [("what", rules.title), ("where", f"urn:{rules.name.lower()}:")]
        records.append(erc_record("namespace", told))
    return "\n\n".join(records) + "\n"


def _namespace_to(whose: Outcome) -> dict[str, object]:
    members = outcome_to(whose)
    return {name: members[name] for name in ("namespace",) if name in members}
