"""Whose a beginning of names is by an edition: a NAAN and shoulder, a namespace, or none."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.assigned_names.name_listings import ListedRegistration
from app.assigned_names.name_schemes import SCHEMES
from app.identifiers.noid import BETANUMERIC
from app.problems import publication_codes, use_case_codes
from app.problems.problem_codes import ProblemCode
from app.published.chain import EditionView
from app.published.names.edition_ark_resolver import path_of_prefix
from app.resolution.arks.ark_documents import prefix_to
from app.resolution.arks.ark_outcomes import UnregisteredNaan
from app.resolution.arks.ark_rules import ArkRules
from app.resolution.arks.ark_wording import ark_headline, ark_reasons, prefix_words
from app.resolution.judgement import Ground, judge_text
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcome_documents import namespace_to
from app.resolution.outcome_wording import nid_of, unregistered_headline

_ANY_NAME = "x"  # makes a name of a beginning
_NAAN = re.compile(f"[{BETANUMERIC}]{{5}}")


class BeginningRefusal(NamedTuple):
    """Why no names begin so. ``near`` are beginnings that it may have been meant for."""

    code: ProblemCode
    headline: str
    grounds: tuple[Ground, ...]
    near: tuple[str, ...] = ()


def registrations_of(beginning: str, view: EditionView) -> tuple[ListedRegistration, ...]:
    """What is registered of a beginning of names, the longest first; nothing of one that is longer
    or shorter than what is registered, or where the edition has no rules. Raises DamagedBlob."""
    scheme, _, rest = beginning.partition(":")
    found = _of_arks if scheme == "ark" else _of_urns
    return tuple(found(rest, view))


def find_unregistered(beginning: str, view: EditionView) -> BeginningRefusal | None:
    scheme = beginning.partition(":")[0]
    return _unregistered_naan(beginning, view) if scheme == "ark" else _unknown(beginning, view)


def registered_beginnings(text: str, view: EditionView) -> tuple[str, ...]:
    """The beginnings that may be meant by whoever left the scheme out: ``urn:isbn:`` by
    ``isbn``."""
    word = text.rstrip(":/").lower()
    names = view.edition.names
    if names and names.book.find(word):
        return (SCHEMES["urn"].whole(word),)
    return (SCHEMES["ark"].whole(word),) if _NAAN.fullmatch(word) else ()


def _unregistered_naan(beginning: str, view: EditionView) -> BeginningRefusal | None:
    arks = view.edition.arks
    outcome = arks.resolver.resolve(f"{beginning}{_ANY_NAME}") if arks else None
    if not isinstance(outcome, UnregisteredNaan):
        return None
    near = tuple(SCHEMES["ark"].whole(one) for one in outcome.nearest)
    grounds = tuple(one for one in ark_reasons(outcome) if one.code != "nearest")
    return BeginningRefusal(publication_codes.NAAN_UNKNOWN, ark_headline(outcome), grounds, near)


def _unknown(beginning: str, view: EditionView) -> BeginningRefusal | None:
    names = view.edition.names
    judgement = judge_text(f"{beginning}{_ANY_NAME}", names.book) if names else None
    if judgement is None or judgement.urn is None or judgement.rules is not None:
        return None
    near = tuple(SCHEMES["urn"].whole(one) for one in judgement.nearest)
    headline = unregistered_headline(nid_of(judgement))
    return BeginningRefusal(use_case_codes.NAMESPACE_UNKNOWN, headline, judgement.grounds, near)


def _of_arks(path: str, view: EditionView) -> Iterator[ListedRegistration]:
    arks = view.edition.arks
    rules = arks.book.longest(path) if arks and path else None
    while arks and rules:
        yield _of_ark_rules(rules, view)
        rules = arks.book.find(rules.naan) if rules.shoulder else None


def _of_ark_rules(rules: ArkRules, view: EditionView) -> ListedRegistration:
    kind = "shoulder" if rules.shoulder else "naan"
    path = path_of_prefix(view.edition, view.group, rules.prefix)
    return ListedRegistration(kind, prefix_words(rules), rules.holder, path, prefix_to(rules))


def _of_urns(rest: str, view: EditionView) -> Iterator[ListedRegistration]:
    names, nid = view.edition.names, rest.partition(":")[0]
    rules = names.book.find(nid) if names and nid else None
    if rules is not None:
        yield _of_namespace(rules, nid)


def _of_namespace(rules: NamespaceRules, nid: str) -> ListedRegistration:
    words, members = SCHEMES["urn"].whole(nid), namespace_to(rules)
    return ListedRegistration("namespace", words, rules.title, f"/namespaces/{nid}", members)
