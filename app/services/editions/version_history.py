"""What became of a name: the versions of its template, as its page lists them."""

from collections.abc import Iterable, Mapping, Sequence

from app.exports.editions.edition_list import TRANSFER, edition_path
from app.pages.namespaces.timeline import HistoryRow, NameHistoryView, VersionLink
from app.problems import use_case_codes
from app.registration.declarations.registries import IdentifierSpace, space_with
from app.registration.declarations.registry_groups import group_of_space
from app.services.editions.changelog import describe_change, newest_edition
from app.services.refusals import NotFound
from app.services.registrations.corrections import WITH_REASON, causes_told, reasons_of
from app.services.registry.base_version import template_of
from app.store.registry import record_versions, template_versions
from app.store.registry.template_versions import RecordState, TemplateVersion


def past_of(folded: str, space: IdentifierSpace, shown: int | None = None) -> NameHistoryView:
    """The versions of a name; ``shown`` is the one whose page it is, else the newest."""
    found = template_versions.of_name(space.id, folded)
    newest = newest_edition(group_of_space(space)).n
    states = template_versions.states(newest, folded).get(space.about(folded), [])
    page = space.page.format(folded)
    links = _links(page, [(v.number, v.updated) for v in found], shown)
    return NameHistoryView(
        versions=links,
        history=_history(space.about(folded), states, _reasons([states]), _causes([states])),
    )


def name_histories(edition: int) -> dict[str, NameHistoryView]:
    """The versions and the history of each name at an edition, by the name's key."""
    numbers, states = template_versions.numbers(edition), template_versions.states(edition)
    reasons, causes = _reasons(states.values()), _causes(states.values())
    return {
        name: NameHistoryView(
            versions=_links(_page_of(found), numbers.get(name, [])),
            history=_history(name, found, reasons, causes),
        )
        for name, found in states.items()
    }


def _page_of(states: Sequence[RecordState]) -> str:
    return space_with(states[0].space).page.format(states[0].folded)


def _causes(states: Iterable[Iterable[RecordState]]) -> Mapping[int, str]:
    """What led to editions, by their keys."""
    return causes_told({s.edition: s.cause for found in states for s in found})


def _reasons(states: Iterable[Iterable[RecordState]]) -> Mapping[int, str]:
    """Why the operator opened editions, by their keys."""
    given = {s.edition for found in states for s in found if s.cause in WITH_REASON}
    return reasons_of(sorted(given))


def _history(
    name: str,
    states: Sequence[RecordState],
    reasons: Mapping[int, str],
    causes: Mapping[int, str],
) -> tuple[HistoryRow, ...]:
    """Newest first."""
    texts = _texts(states) if any(causes[state.edition] == TRANSFER for state in states) else {}
    return tuple(
        HistoryRow(
            n=state.n,
            edition=state.number,
            date=state.as_of.date().isoformat(),
            cause=causes[state.edition],
            reason=reasons.get(state.edition, ""),
            href=edition_path(state.number, group=group_of_space(space_with(state.space)).id),
            changes=describe_change(name, state.edition, state.as_of),
            text=texts.get(state.n, 0),
        )
        for state in reversed(states)
    )


def _texts(states: Sequence[RecordState]) -> Mapping[int, int]:
    """Which text of its template a name had in each of its states, counted from the first."""
    versions = record_versions.versions_of(states[0].space, states[0].folded)
    found: dict[int, int] = {}
    number, last = 0, None
    for version in versions:
        text = template_of(version.record)
        number, last = number + (text != last), text
        found[version.n] = number
    return found


def _links(
    page: str, found: list[tuple[int, str]], shown: int | None = None
) -> tuple[VersionLink, ...]:
    """Newest first; a name with one version has nothing to list."""
    if len(found) < 2:
        return ()
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


def get_version(name: str, space: IdentifierSpace, number: int) -> TemplateVersion:
    """One version of a name's template; NotFound where there is none, with those there are."""
    found = {
        version.number: version for version in template_versions.of_name(space.id, space.fold(name))
    }
    if number in found:
        return found[number]
    there = ", ".join(map(str, found)) or "none"
    raise NotFound(
        use_case_codes.VERSION_UNKNOWN,
        f"`{space.fold(name)}` has no version {number}. Versions in this registry: {there}.",
    )


def version_before(name: str, space: IdentifierSpace, number: int) -> int:
    """Return the version before ``number``. Raises NotFound for the first one."""
    get_version(name, space, number)
    earlier = [
        v.number for v in template_versions.of_name(space.id, space.fold(name)) if v.number < number
    ]
    if not earlier:
        raise NotFound(
            use_case_codes.VERSION_UNKNOWN,
            f"Version {number} of `{space.fold(name)}` is the first one, so there is no earlier "
            "version to compare.",
        )
    return earlier[-1]
