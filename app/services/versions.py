"""What became of a name: the versions of its template, as its page lists them."""

from app.identifiers.nid import fold_nid
from app.pages.site import Past, VersionLink
from app.services.refusals import NotFound
from app.store import versions
from app.store.versions import TemplateVersion

_SPACE = "nid"


def past_of(folded: str, shown: int | None = None) -> Past:
    """The versions of a name; ``shown`` is the one whose page it is, else the newest."""
    found = versions.of_name(_SPACE, folded)
    return Past(versions=_links(folded, [(v.number, v.updated) for v in found], shown))


def pasts(edition: int) -> dict[str, Past]:
    """The same for all names that have more than one version at an edition."""
    return {
        name: Past(versions=_links(name, found))
        for name, found in versions.numbers(edition).items()
    }


def _links(
    folded: str, found: list[tuple[int, str]], shown: int | None = None
) -> tuple[VersionLink, ...]:
    """Newest first; a name with one version has nothing to list."""
    if len(found) < 2:
        return ()
    page = f"/namespaces/{folded}"
    newest = found[-1][0]
    return tuple(
        VersionLink(
            number,
            page if number == newest else f"{page}/versions/{number}",
            day,
            is_shown=number == (newest if shown is None else shown),
            changes=f"{page}/versions/{number}/diff" if (number, day) != found[0] else "",
        )
        for number, day in reversed(found)
    )


def get_version(name: str, number: int) -> TemplateVersion:
    """One version of a name's template; NotFound where there is none, with those there are."""
    found = {version.number: version for version in versions.of_name(_SPACE, fold_nid(name))}
    if number in found:
        return found[number]
    there = ", ".join(map(str, found)) or "none, for this registry holds no template of it"
    raise NotFound(f"`{fold_nid(name)}` has no version {number}. Its versions here: {there}.")


def before(name: str, number: int) -> int:
    """The version before one; NotFound where that is the first."""
    get_version(name, number)
    earlier = [v.number for v in versions.of_name(_SPACE, fold_nid(name)) if v.number < number]
    if not earlier:
        raise NotFound(
            f"Version {number} of `{fold_nid(name)}` is the first one here: there is nothing "
            "to compare it with."
        )
    return earlier[-1]
