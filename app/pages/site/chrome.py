"""What stands round every page, and what no page may look up for itself."""

from dataclasses import dataclass, replace

from app.pages.lists.registry_paths import DownloadLink
from app.registration.declarations.group_paths import group_at_path
from app.registration.declarations.registries import DeclaredProcedure
from app.registration.declarations.registry_groups import RegistryGroup, notice_for


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
