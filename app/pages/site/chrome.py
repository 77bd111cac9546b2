"""What stands round every page, and what no page may look up for itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from app.assigned_names.assigned_name_records import AssignedNameState
from app.exports.content.publication_site import PublicationSite
from app.exports.content.reference_links import xref_url
from app.exports.discovery.schema_org import script_json
from app.exports.serialization.json_text import Members
from app.pages.assets import static_link
from app.pages.lists.list_query import LIST_FORM
from app.pages.lists.registry_list import NO_DATE
from app.pages.lists.registry_paths import ATOM_PURPOSE, DownloadLink
from app.pages.text.markdown import reveal_unseen
from app.pages.text.phrases import (
    count_phrase,
    day_phrase,
    duration_phrase,
    page_headings,
    sentence_html,
)
from app.registration.declarations.group_paths import group_at_path
from app.registration.declarations.registries import (
    REGISTRIES,
    DeclaredProcedure,
    alone_sentence,
    draws_numbers,
)
from app.registration.declarations.registry_groups import RegistryGroup, notice_for
from app.registration.profiles.equivalence_answers import (
    declared_equivalence,
    equivalence_sentences,
)
from app.registration.profiles.profile_answers import profile_facts_in
from app.registration.records.registry_records import bracket_reference


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """One link of the navigation; ``count`` is how many things wait behind it."""

    label: str
    href: str
    current: bool = False
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLink:
    """Another group of registries on the site: its list, what it is, its rules, and its guide.

    ``downloads`` are its files, each with what it is called. ``asked_at`` is where one of its names
    is requested, a ``label`` with an ``invitation``; empty where none is given here. ``procedures``
    are those of its registries, and ``has_experts`` tells whether any of them has reviews.
    ``suggestions`` is the file of what a search field offers; empty where there is none.
    """

    title: str
    href: str
    about: str = ""
    rules: str = ""
    rules_at: str = ""
    guide: str = ""
    downloads: tuple[DownloadLink, ...] = ()
    asked_at: str = ""
    label: str = ""
    invitation: str = ""
    procedures: tuple[DeclaredProcedure, ...] = ()
    has_experts: bool = True
    suggestions: str = ""


@dataclass(frozen=True, slots=True)
class Flash:
    """One sentence about what was just done; the category is problem, look, ok or wait."""

    category: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chrome:
    """The shell of a page for one visitor. An empty member is not shown.

    ``own`` are the ways to what is the visitor's to do, each with how much waits there.
    ``notice`` is what a registry that is not IANA's says of itself, ``operator`` who runs it.
    ``canonical`` is the site's address without a slash at its end. ``new_request``, ``name_check``
    and ``appointments`` are where a namespace is requested, a name is tried, and it is told who
    decides, where this site offers it. ``number_prefix`` is that of numbers which hold here alone.
    ``others`` are the groups of registries beside that of the site itself, and ``desk`` is where
    the visitor, an operator, corrects entries.
    """

    site: str = "URN Registry"
    demo: bool = False
    notice: str = ""
    operator: str = ""
    nav: tuple[NavigationLink, ...] = ()
    own: tuple[NavigationLink, ...] = ()
    account: NavigationLink | None = None
    actor: str | None = None
    flashes: tuple[Flash, ...] = ()
    footer: tuple[NavigationLink, ...] = ()
    others: tuple[GroupLink, ...] = ()
    canonical: str = ""
    path: str = ""
    csrf_token: str = ""
    new_request: str = ""
    name_check: str = ""
    appointments: str = ""
    number_prefix: str = ""
    desk: str = ""

    def offering(self, is_offered: bool) -> "Chrome":
        """The shell with what it offers to who misses a name, or without that."""
        return self if is_offered else replace(self, new_request="", name_check="")

    def at(self, path: str, section: str = "", group: RegistryGroup | None = None) -> "Chrome":
        """The shell of the page at a path; the entry that leads to it, or to its section, is lit.

        Without a section it is the longest entry that the path begins with. ``group`` is that of
        which the page speaks, where its path does not tell.
        """
        leading = [entry.href for entry in self.nav if path.startswith(entry.href)]
        lit = section or max(leading, key=len, default="")
        nav = tuple(replace(entry, current=entry.href == lit) for entry in self.nav)
        notice = notice_for(group or group_at_path(section or path), self.notice)
        return replace(self, nav=nav, path=path, notice=notice)


def place_of(chrome: Chrome) -> PublicationSite | None:
    """The site as absolute links name it; None where a page does not know its own address."""
    try:
        return PublicationSite(chrome.canonical)
    except ValueError:
        return None


def data_block(members: Members) -> Markup:
    """The text of a data block, which can hold nothing that ends it."""
    return Markup(script_json(members))  # noqa: S704  script_json escapes all that HTML reads


@dataclass(frozen=True, slots=True)
class SiteTally:
    """The names in use of other groups, by the path of their list and by table.

    ``median_days`` is the median time to a decision, where requests were decided.
    """

    names: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    median_days: int | None = None

    def counts_at(self, href: str) -> tuple[str, ...]:
        """The names of a list, each kind in words: ``1,432 NAANs``; nothing where it has none."""
        counts = self.names.get(href, {})
        return tuple(
            count_phrase(counts[table], declared.label)
            for table, declared in REGISTRIES.items()
            if counts.get(table)
        )


# The shape of a state of names that people look for.
NAME_STATE_TAGS = {
    AssignedNameState.RESERVED: "open",
    AssignedNameState.PUBLIC: "",
    AssignedNameState.WITHDRAWN: "look",
}


def configure_environment(environment: Environment) -> None:
    """Give an environment all that the shared page templates rely on.

    To be called before the first of them is read. Every value is escaped, and shows its
    unseen characters; ``value | e`` gives one back to a form as it was typed.
    """
    environment.autoescape = True
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.finalize = _shown
    for filter_ in (
        day_phrase,
        count_phrase,
        duration_phrase,
        page_headings,
        sentence_html,
        bracket_reference,
    ):
        environment.filters[filter_.__name__] = filter_
    environment.tests["begins_with"] = str.startswith
    environment.globals.update(
        LIST_FORM=LIST_FORM,
        NAME_STATE_TAGS=NAME_STATE_TAGS,
        alone_sentence=alone_sentence,
        draws_numbers=draws_numbers,
        static=static_link,
        xref_url=xref_url,
        ATOM_PURPOSE=ATOM_PURPOSE,
        NO_DATE=NO_DATE,
        rules_told=equivalence_sentences,
        declared_in=declared_equivalence,
        facts_told=profile_facts_in,
    )


def _shown(value: object) -> object:
    return reveal_unseen(value) if type(value) is str else value
