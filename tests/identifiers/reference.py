"""`docs/identifiers.md`, made of the docstrings of `app.identifiers`.

`python -m tests.identifiers.reference` writes it anew.
"""

import inspect
import re
from collections.abc import Iterator
from enum import EnumMeta
from pathlib import Path

import app.identifiers as library

PAGE = Path(__file__).resolve().parents[2] / "docs" / "identifiers.md"

SECTIONS = {
    "URNs": ["parse_urn", "urn_equivalent", "find_urns", "URN", "UrnOccurrence"],
    "ARKs": [
        "parse_ark",
        "ark_equivalent",
        "find_embedded_ark",
        "check_ark",
        "find_check_scope",
        "ARK",
        "ArkProfile",
        "ArkReport",
        "CheckCharacterScope",
    ],
    "NIDs": ["check_nid", "suggest_nids", "fold_nid", "NidIndex", "NidKind", "NidReport"],
    "Noids": ["check_character", "has_valid_check", "Mask"],
    "Equivalence within a namespace": [
        "equivalence_from",
        "equivalence_to",
        "check_equivalence",
        "find_equivalent_spellings",
        "Equivalence",
        "EquivalenceRule",
        "EquivalenceOperation",
        "NssSegments",
        "EquivalentSpellings",
    ],
    "Findings and refusals": [
        "Finding",
        "InvalidIdentifier",
        "InvalidURN",
        "InvalidARK",
        "InvalidMask",
        "InvalidEquivalence",
    ],
}

_HEAD = """# The library: `app.identifiers`

    from app.identifiers import parse_urn

    urn = parse_urn("urn:example:a/b?=page=2#top")
    urn.nid, urn.nss, urn.q_component, urn.f_component   # 'example', 'a/b', 'page=2', 'top'

This page is made of the docstrings: `python -m tests.identifiers.reference` writes it anew.
"""


def reference() -> str:
    """The page, as Markdown."""
    pieces = [_HEAD, _text(library)]
    for title, names in SECTIONS.items():
        pieces.append(f"## {title}\n")
        pieces += [piece for name in names for piece in _entry(name)]
    return "\n".join(pieces)


def _entry(name: str) -> Iterator[str]:
    thing = getattr(library, name)
    yield f"### `{_signature(name, thing)}`\n"
    yield _text(thing)
    if isinstance(thing, EnumMeta):
        yield "Members: " + ", ".join(f"`{name}`" for name in thing.__members__) + ".\n"
    elif inspect.isclass(thing):
        yield from _members(thing)


def _signature(name: str, thing: object) -> str:
    if inspect.isclass(thing) and (isinstance(thing, EnumMeta) or issubclass(thing, Exception)):
        return name
    assert callable(thing)
    given = re.sub(r"<ArkProfile.(\w+): '\w+'>", r"ArkProfile.\1", str(inspect.signature(thing)))
    given = re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", given)
    return name + given.partition(" -> ")[0] if inspect.isclass(thing) else name + given


def _members(thing: type) -> Iterator[str]:
    said = []
    for name, member in vars(thing).items():
        text = inspect.getdoc(member)
        if name.startswith("_") or not (callable(member) or isinstance(member, property)):
            continue
        assert text, f"{thing.__name__}.{name}"
        called = name if isinstance(member, property) else _signature(name, member)
        words = " ".join(text.replace("``", "`").split())
        said.append(f"- `{called.replace('(self, ', '(').replace('(self)', '()')}`: {words}")
    if said:
        yield "\n".join(said) + "\n"


def _text(thing: object) -> str:
    text = inspect.getdoc(thing)
    assert text
    return text.replace("``", "`") + "\n"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
