"""What each element of IANA's registry XML may hold, and what is made of it once it ends.

Source: IANA's RELAX NG schema for registries.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, cast

from app.exports.serialization.xml_values import (
    NOTE_TITLES,
    NOTICE_TITLE,
    XmlValueError,
    check_date,
    check_day,
    check_name,
    check_person_id,
    check_registry_id,
    check_text,
    check_uri,
    check_xref,
)
from app.registration.records.registry_records import (
    Person,
    Registration,
    RegistrySnapshot,
    RichText,
    SubRegistry,
    Xref,
    XrefFragment,
    XrefType,
)

MANY = 2**31


@dataclass(slots=True)
class OpenElement:
    """An element that is open: what was seen of it so far."""

    name: str
    kind: "ElementDeclaration"
    attributes: dict[str, str]
    place: tuple[int, int]
    parts: list[str | Xref] = field(default_factory=list)
    children: dict[str, list[Any]] = field(default_factory=dict)

    def hold(self, name: str, built: object) -> None:
        """Take in a child: where there is text, in its place in the text."""
        if self.kind.holds_text:
            self.parts.append(cast("Xref", built))
        else:
            self.children.setdefault(name, []).append(built)

    def all(self, name: str) -> tuple[Any, ...]:
        return tuple(self.children.get(name, ()))

    def only(self, name: str, default: Any = None) -> Any:
        return self.children.get(name, [default])[0]

    def text(self) -> str:
        return check_text("".join(part for part in self.parts if isinstance(part, str)))

    def rich(self) -> RichText:
        """The mixed content, with the pieces in which a text arrives joined."""
        runs = [list(run) for _, run in groupby(self.parts, key=type)]
        return tuple(part for run in runs for part in _joined(run))

    def said(self) -> "OpenElement":
        """The node itself, which must hold something: a record cannot tell empty from absent."""
        if not self.parts:
            raise XmlValueError(f"`{self.name}` is empty. Fill it in or remove it.", "")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementDeclaration:
    """What an element may hold, and what is made of it once it ends."""

    build: Callable[[OpenElement], Any]
    holds_text: bool = False
    children: Mapping[str, "ChildElement"] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChildElement:
    kind: ElementDeclaration
    at_least: int = 0
    at_most: int = 1


def _joined(run: list[str | Xref]) -> list[str | Xref]:
    texts = [part for part in run if isinstance(part, str)]
    return [check_text("".join(texts))] if texts else run


def _xref(node: OpenElement) -> Xref:
    attributes = node.attributes
    fragment = _only_fragment(attributes)
    type_ = _xref_type(attributes["type"])
    if ("data" in attributes) is (type_ is XrefType.TEXT):
        verb = "Remove" if "data" in attributes else "Add"
        raise XmlValueError(f"{verb} the attribute `data` of a reference of type {type_}.", "")
    return check_xref(
        Xref(
            type=type_,
            data=attributes.get("data", ""),
            label=node.text(),
            fragment=fragment,
            at=attributes.get(fragment, "") if fragment else "",
            lastupdated=attributes.get("lastupdated"),
        )
    )


def _xref_type(text: str) -> XrefType:
    if text not in tuple(XrefType):
        raise XmlValueError(f"`{text}` isn't a reference type. Use {', '.join(XrefType)}.", text)
    return XrefType(text)


def _only_fragment(attributes: dict[str, str]) -> XrefFragment | None:
    named = [fragment for fragment in XrefFragment if fragment in attributes]
    if len(named) > 1:
        raise XmlValueError(f"A reference has {' and '.join(named)}. Keep one of them.", named[1])
    return named[0] if named else None


def _note(node: OpenElement) -> tuple[str | None, RichText]:
    title = node.attributes.get("title")
    if title not in (None, *NOTE_TITLES):
        allowed = " or ".join(f"`{known}`" for known in NOTE_TITLES)
        sentence = f"A note can only have the title {allowed}. Move the title into the note."
        raise XmlValueError(sentence, title or "")
    return title, node.said().rich() if title else node.rich()


def _person(node: OpenElement) -> Person:
    return Person(
        id=check_person_id(node.attributes["id"]),
        name=node.only("name"),
        org=node.only("org"),
        uris=node.all("uri"),
        updated=node.only("updated"),
    )


def _record(node: OpenElement) -> Registration:
    return Registration(
        name=check_name(node.only("name")),
        date=_date_in(node, "date"),
        updated=_date_in(node, "updated"),
        template=node.only("template", ()),
        references=node.all("xref"),
        contact=node.only("contact"),
    )


def _date_in(node: OpenElement, name: str) -> str | None:
    return check_date(node.attributes[name]) if name in node.attributes else None


def _table(node: OpenElement) -> SubRegistry:
    return SubRegistry(
        id=check_registry_id(node.attributes["id"]),
        title=node.only("title"),
        references=node.all("xref"),
        rule=node.only("registration_rule", ()),
        expert=node.only("expert", ""),
        records=node.all("record"),
    )


def _registry(node: OpenElement) -> RegistrySnapshot:
    notes = node.all("note")
    notices = [_words(note) for title, note in notes if title == NOTICE_TITLE]
    if len(notices) > 1:
        raise XmlValueError(f"{len(notices)} notes have the title `Notice`. Keep one.", "")
    return RegistrySnapshot(
        id=check_registry_id(node.attributes["id"]),
        title=node.only("title"),
        category=node.only("category", ""),
        updated=node.only("updated"),
        notice="".join(notices),
        notes=tuple(note for title, note in notes if not title),
        registries=node.all("registry"),
        people=node.only("people"),
    )


def _words(text: RichText) -> str:
    if any(isinstance(part, Xref) for part in text):
        raise XmlValueError(f"A note with the title `{NOTICE_TITLE}` can contain only text.", "")
    return "".join(map(str, text))


_XREF = ElementDeclaration(
    build=_xref,
    holds_text=True,
    required=("type",),
    optional=("data", *XrefFragment, "lastupdated"),
)
_XREFS = ChildElement(_XREF, at_most=MANY)
_TEXT = ElementDeclaration(build=OpenElement.text, holds_text=True)
_SAID = ElementDeclaration(build=lambda node: node.said().text(), holds_text=True)
_DATE = ElementDeclaration(build=lambda node: check_date(node.text()), holds_text=True)
_DAY = ElementDeclaration(build=lambda node: check_day(node.text()), holds_text=True)
_URI = ElementDeclaration(build=lambda node: check_uri(node.text()), holds_text=True)
_RICH = ElementDeclaration(build=OpenElement.rich, holds_text=True, children={"xref": _XREFS})
_SAID_RICH = ElementDeclaration(
    build=lambda node: node.said().rich(), holds_text=True, children={"xref": _XREFS}
)
_NOTE = ElementDeclaration(
    build=_note, holds_text=True, children={"xref": _XREFS}, optional=("title",)
)
_PERSON = ElementDeclaration(
    build=_person,
    required=("id",),
    children={
        "name": ChildElement(_TEXT),
        "org": ChildElement(_TEXT),
        "uri": ChildElement(_URI, at_most=MANY),
        "updated": ChildElement(_DATE),
    },
)
_PEOPLE = ElementDeclaration(
    build=lambda node: node.all("person"), children={"person": ChildElement(_PERSON, at_most=MANY)}
)
_RECORD = ElementDeclaration(
    build=_record,
    optional=("date", "updated"),
    children={
        "name": ChildElement(_TEXT, at_least=1),
        "template": ChildElement(_SAID_RICH),
        "xref": _XREFS,
        "contact": ChildElement(_RICH),
    },
)
_TABLE = ElementDeclaration(
    build=_table,
    required=("id",),
    children={
        "title": ChildElement(_TEXT, at_least=1),
        "xref": _XREFS,
        "registration_rule": ChildElement(_SAID_RICH),
        "expert": ChildElement(_SAID),
        "record": ChildElement(_RECORD, at_most=MANY),
    },
)
_REGISTRY = ElementDeclaration(
    build=_registry,
    required=("id",),
    children={
        "title": ChildElement(_TEXT, at_least=1),
        "category": ChildElement(_SAID),
        "updated": ChildElement(_DAY, at_least=1),
        "note": ChildElement(_NOTE, at_most=MANY),
        "registry": ChildElement(_TABLE, at_most=MANY),
        "people": ChildElement(_PEOPLE, at_least=1),
    },
)
ROOT = ElementDeclaration(
    build=lambda node: node.only("registry"), children={"registry": ChildElement(_REGISTRY)}
)
