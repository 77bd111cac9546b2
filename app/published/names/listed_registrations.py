"""Whose a beginning of names is by an edition: a NAAN and its shoulder, or a namespace."""

from collections.abc import Iterator

from app.assigned_names.name_listings import ListedRegistration
from app.assigned_names.name_schemes import SCHEMES
from app.published.chain import EditionView
from app.published.names.edition_ark_resolver import path_of_prefix
from app.resolution.arks.ark_documents import prefix_to
from app.resolution.arks.ark_rules import ArkRules
from app.resolution.arks.ark_wording import prefix_words
from app.resolution.namespace_rules import NamespaceRules
from app.resolution.outcome_documents import namespace_to


def registrations_of(beginning: str, view: EditionView) -> tuple[ListedRegistration, ...]:
    """What is registered of a beginning of names, the longest first; nothing of one that is longer
    or shorter than what is registered, or where the edition has no rules.

    Raises DamagedBlob.
    """
    scheme, _, rest = beginning.partition(":")
    found = _of_arks if scheme == "ark" else _of_urns
    return tuple(found(rest, view))


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
