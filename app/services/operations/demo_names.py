"""Sample NAANs, shoulders and identifiers of the demo.

A library has a NAAN, mints identifiers, binds targets and withdraws one. A society does the same in
its namespace.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from app.assigned_names.assigned_name_records import (
    ELEMENTS,
    AssignedNameRecord,
    NameRevision,
    withdrawal,
)
from app.registration.declarations.naan_registries import NAANS, SHOULDERS
from app.registration.naans.shared_naans import TERMS_NAAN
from app.services.assigned_names.prefixes import PrefixRules
from app.services.operations.demo_registry import (
    HANA,
    HOLLIS,
    ODELL,
    ROBIN,
    SAM,
    Days,
    DemoRegistry,
    Story,
)
from app.workflow.states import Action

_LOGBOOKS = (
    ("Cape Lantern", "Logbook, 1871 to 1874", "1871"),
    ("Cape Lantern", "Logbook, 1874 to 1879", "1874"),
    ("Gull Rock", "Logbook, 1902 to 1911", "1902"),
    ("Gull Rock", "Logbook, 1911 to 1919", "1911"),
    ("Long Spit", "Letters of the lighthouse keeper", "1888"),
    ("Long Spit", "Plan of the tower", "1886"),
)
_BRIDGES = (
    ("The Bridge Society", "Miller’s Bridge", "1742"),
    ("The Bridge Society", "Bridge of the Three Arches", "1611"),
    ("The Bridge Society", "Salt Bridge", "1805"),
)


def _answers(organization: str, host: str, purpose: str, **more: str) -> Mapping[str, str]:
    """Return the answers of a request for a NAAN or a shoulder."""
    return {
        "organization": organization,
        "organization_kind": "NP",
        "web_address": f"https://{host}/",
        "policy": "NR, OP, CC",
        "tenure": "2026",
        "naan_purpose": purpose,
        "target": f"https://{host}/ark:${{content}}",
        **more,
    }


def _led(
    names: Sequence[str], home: str, things: Sequence[tuple[str, str, str]]
) -> Iterator[NameRevision]:
    """Return the target and description of each identifier."""
    for place, (name, (who, what, when)) in enumerate(zip(names, things, strict=True), 1):
        elements = (("who", who), ("what", what), ("when", when))
        record = AssignedNameRecord(name=name, target=f"{home}{place}", elements=elements)
        yield NameRevision(record=record, given=frozenset({"target", ELEMENTS}))


def _withdrawn(name: str, day: date, reason: str, successor: str) -> NameRevision:
    return withdrawal(name, reason, f"{day}", successor)


def _naan_given(registry: DemoRegistry) -> Days:
    """A NAAN with identifiers, and a request for a shoulder that was returned with a question."""
    yield 66
    library, host = "The Lighthouse Library", "lighthouse.example"
    asked = _answers(library, host, "logbooks, letters and plans of lighthouses")
    number = registry.asked(HOLLIS, NAANS, asked)
    yield 65
    registry.act(number, ODELL, Action.TAKE)
    yield 64
    registry.act(number, ODELL, Action.REGISTER)
    naan = registry.name_of(number)
    yield 62
    rules = PrefixRules(
        label="Logbooks",
        holder_name=library,
        numbering="reedeedk",
        policy="Each volume gets an identifier when it is catalogued.",
        persistence="An identifier always refers to the same volume. The scan may be improved.",
    )
    prefix = registry.prefix(HOLLIS, f"ark:{naan}/b3", rules)
    yield 61
    names = registry.minted(HOLLIS, prefix, len(_LOGBOOKS))
    yield 58
    registry.tell(HOLLIS, *_led(names, f"https://{host}/logbooks/", _LOGBOOKS))
    yield 40
    towers = PrefixRules(label="Towers", holder_name=library)
    ended = registry.prefix(HOLLIS, f"ark:{naan}/t1", towers)
    yield 32
    models = PrefixRules(label="Models of lighthouses", holder_name="The Harbour Museum")
    registry.prefix(HOLLIS, f"ark:{naan}/b3models", models, HANA)
    yield 24
    registry.end_prefix(HOLLIS, ended, "Towers are now catalogued with their plans.")
    yield 20
    registry.minted(HOLLIS, prefix, 4)
    registry.minted(HOLLIS, prefix, 2, reserved=True)
    yield 14
    gone = "The volume was bound together with the previous one, which has its own identifier."
    registry.tell(HOLLIS, _withdrawn(names[1], registry.at.date(), gone, names[0]))
    yield 10
    asked = _answers(
        library, host, "plans of towers", naan_name=f"{naan}/p4", shoulder_label="Plans of towers"
    )
    number = registry.asked(HOLLIS, SHOULDERS, asked)
    yield 8
    registry.act(number, ODELL, Action.TAKE)
    why = "Some plans already have identifiers under the logbooks. Will these stay valid?"
    registry.act(number, ODELL, Action.RETURN, why)


def _naan_checked(registry: DemoRegistry) -> Days:
    yield 3
    asked = _answers("The Harbour Museum", "harbour-museum.example", "ship models")
    number = registry.asked(HANA, NAANS, asked)
    yield 1.9
    registry.act(number, ODELL, Action.TAKE)


def _naan_new(registry: DemoRegistry) -> Days:
    yield 1.5
    asked = _answers("The Weather Diary Circle", "weather-diaries.example", "weather diaries")
    registry.asked(SAM, NAANS, asked)


def _shoulder_new(registry: DemoRegistry) -> Days:
    """A shoulder of a shared NAAN."""
    yield 1.8
    asked = _answers(
        "Words of the Sea",
        "sea-words.example",
        "nautical terms",
        naan_name=f"{TERMS_NAAN}/wds7",
        shoulder_label="Nautical vocabulary",
    )
    registry.asked(SAM, SHOULDERS, asked)


def bridge_names(registry: DemoRegistry) -> Days:
    """Identifiers in a namespace registered here, according to its syntax."""
    yield 72
    if registry.is_proposal:
        return
    rules = PrefixRules(label="Bridges", holder_name="The Bridge Society", numbering="sequence")
    prefix = registry.prefix(ROBIN, "urn:old-bridges:bridge:", rules)
    yield 71
    names = registry.minted(ROBIN, prefix, len(_BRIDGES))
    yield 70
    registry.tell(ROBIN, *_led(names, "https://old-bridges.example/bridge/", _BRIDGES))
    yield 30
    gone = "The same bridge was entered twice."
    registry.tell(ROBIN, _withdrawn(names[2], registry.at.date(), gone, names[0]))


NAAN_STORIES: tuple[Story, ...] = (_naan_given, _naan_checked, _naan_new, _shoulder_new)
