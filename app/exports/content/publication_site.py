"""Where a registry is published, for the forms that name things by their addresses."""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from app.exports.content.file_names import registry_folder
from app.exports.content.name_presentation import presentation_of
from app.registration.records.registry_records import RegistrySnapshot, SubRegistry

BASE_URL = re.compile(r"https?://[^\x00-\x20/?#<>\"{}|^`\\\x7f-\x9f]+/?")
_SEGMENT = "~!$&'()*+,;=:@"  # of pchar, RFC 3986 appendix A, besides what is always kept


@dataclass(frozen=True, slots=True)
class PublicationSite:
    """A site, by the address that every absolute link is made from.

    Raises ValueError for an address that is not of the Web.
    """

    base_url: str

    def __post_init__(self) -> None:
        if not BASE_URL.fullmatch(self.base_url):
            raise ValueError(
                f"`{self.base_url}` is not a site address. Use https://host without a path."
            )
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))

    def url(self, path: str) -> str:
        """The address of a path of this site, the path being encoded already."""
        return self.base_url + path

    def registry_url(self, snapshot: RegistrySnapshot, file: str = "") -> str:
        """The page of a whole registry, or a file of it."""
        return self.url(registry_folder(path_segment(snapshot.id)) + path_segment(file))

    def name_url(self, snapshot: RegistrySnapshot, table: SubRegistry, name: str) -> str:
        """The page of one name; the registry's page where names have none of their own."""
        space = presentation_of(table)
        if not space.page:
            return self.registry_url(snapshot)
        parts = name.split("/") if "/" in space.signs else [name]
        return self.url(space.page.format("/".join(map(path_segment, parts))))

    def anchor(self, snapshot: RegistrySnapshot, id_: str) -> str:
        """A table or a person, by their id, on the registry's page."""
        return f"{self.registry_url(snapshot)}#{path_segment(id_)}"

    def concept(self, snapshot: RegistrySnapshot, table: SubRegistry, name: str) -> str:
        """The address of what a name stands for, which is not that of the page about it."""
        if presentation_of(table).page:
            return f"{self.name_url(snapshot, table, name)}#concept"
        return f"{self.anchor(snapshot, table.id)}/{path_segment(name)}"


@lru_cache(maxsize=1024)  # a few are asked for again and again
def path_segment(text: str) -> str:
    """A text as one segment of a path; ValueError for a lone surrogate."""
    return quote(text, safe=_SEGMENT)
