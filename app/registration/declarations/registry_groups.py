"""Groups of registries: those that are published together, in a sequence of editions of their own.

An edition has two numbers: one among all editions, which orders them and which tables refer to,
and its own within its group, which its address has and which people are shown.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from app.registration.declarations.registries import REGISTRIES, IdentifierSpace
from app.registration.naans.naan_file_days import day_in_head

_OF_URNS = re.compile(
    r"RFC 8141(?: (?:sections?|[Aa]ppendix) [A-Z0-9](?:\.?[0-9])*(?: and [0-9](?:\.[0-9])*)?)?"
)
_EDITIONS = re.compile(r"/(?:([a-z][a-z0-9-]*)/)?editions/")
# What lies in the folder of what is published, beside the folders of groups.
_LAID_OUT = frozenset({"blobs", "bundles", "editions", "incoming", "current", "names"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryGroup:
    """Registries with one sequence of editions.

    ``id`` is also that of what the group says of itself, and the stem of its files; ``editions``
    is where its editions are: ``/editions/`` or ``/naans/editions/``. Raises ValueError for another
    address, since what is an edition's own for ever is told by its form.

    ``schemes`` are those whose names lead on from this site: ``ark`` where ``/ark:12345/x5`` does.
    ``about`` says what its names are for, ``rules`` by what they are given, ``rules_at`` where that
    stands. ``undated`` says why names may have no date; ``guide`` is the page with which somebody
    begins who knows nothing of its names. ``dated`` gives the day of the file from which
    names came, by what an edition keeps of that file.
    """

    id: str
    title: str
    editions: str
    schemes: tuple[str, ...] = ()
    about: str = ""
    rules: str = ""
    rules_at: str = ""
    undated: str = ""
    guide: str = ""
    kept_by: str = "IANA"
    dated: Callable[[str], str] | None = None

    def __post_init__(self) -> None:
        if not _EDITIONS.fullmatch(self.editions) or self.folder in _LAID_OUT:
            raise ValueError(
                f"`{self.editions}` is no address of editions, as /naans/editions/ is."
            )

    def file_day(self, on_file: str) -> str:
        """The day of the file from which the names of an edition came; empty where none is told."""
        return self.dated(on_file) if self.dated else ""

    @property
    def registries(self) -> tuple[str, ...]:
        """The ids of its registries, in the order in which they are declared."""
        return tuple(r.id for r in REGISTRIES.values() if r.group == self.id)

    @property
    def folder(self) -> str:
        """Where its bundles lie below the folder of what is published; empty for that itself."""
        return self.editions.removesuffix("editions/").strip("/")

    @property
    def is_root(self) -> bool:
        """Whether it has the start page, and all else that belongs to the site as a whole."""
        return not self.folder

    @property
    def spaces(self) -> tuple[IdentifierSpace, ...]:
        """What its names are unique in, in the order of declaration."""
        return tuple(dict.fromkeys(REGISTRIES[each].space for each in self.registries))

    @property
    def name_stems(self) -> tuple[str, ...]:
        """The paths below which the pages and files of its names are: ``/namespaces/``."""
        return tuple(one.page.partition("{}")[0] for one in self.spaces if one.page)


# `/editions/N/` is an edition of URN namespaces for ever.
URN_GROUP = RegistryGroup(
    id="urn-namespaces", title="URN namespaces", editions="/editions/", schemes=("urn",)
)

NAAN_GROUP = RegistryGroup(
    id="naans",
    title="NAANs",
    editions="/naans/editions/",
    schemes=("ark",),
    about="the numbers of the organizations that assign ARKs, and the shoulders under them",
    rules="the ARK identifier scheme",
    rules_at="https://datatracker.ietf.org/doc/draft-kunze-ark/",
    undated="Dates in 1970 are a computer’s zero date, so they are left out.",
    guide="/help/ark",
    kept_by="the ARK Alliance",
    dated=day_in_head,
)

GROUPS: dict[str, RegistryGroup] = {group.id: group for group in (URN_GROUP, NAAN_GROUP)}


def notice_for(group: RegistryGroup, notice: str) -> str:
    """What a site says of itself, as what is of a group says it: a private registry of NAANs, and
    not that of who keeps the official one.

    A notice that speaks of no kind of names stays as it is, and so does one that was made so.
    """
    said = "registry of {}."
    told = notice.replace(said.format(URN_GROUP.title), said.format(group.title))
    if group == URN_GROUP or told == notice:
        return notice
    return told.replace(f"not {URN_GROUP.kept_by}’s", f"not {group.kept_by}’s")


def speaks_of_urns(source: str) -> bool:
    """Whether a rule is one that URN namespaces are given by."""
    return _OF_URNS.search(source) is not None


def source_for(group: RegistryGroup, source: str) -> str:
    """The rule of a refusal as a group has it: what RFC 8141 says holds of URN namespaces alone.

    ``RFC 8141 section 6: each step is somebody's.`` gives ``The registry of NAANs: each step is
    somebody's.``
    """
    if group == URN_GROUP:
        return source
    told = _OF_URNS.sub(f"the registry of {group.title}", source)
    return told[:1].upper() + told[1:]


def group_of(registry: str) -> RegistryGroup:
    """The group of a registry, by the registry's id; KeyError for one that is not declared."""
    return GROUPS[REGISTRIES[registry].group]


def group_of_space(space: IdentifierSpace) -> RegistryGroup:
    """The group that publishes the names of a space; KeyError where no registry has the space."""
    groups = {one.space: one.group for one in REGISTRIES.values()}
    return GROUPS[groups[space]]
