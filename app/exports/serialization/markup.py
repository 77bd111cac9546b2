"""Elements of a page as text that is well-formed: what is not markup yet is escaped."""

from xml.sax.saxutils import escape, quoteattr

from app.exports.serialization.xml_values import check_text

_VOID = ("br", "meta")


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(tag: str, /, *content: str, **attributes: str | None) -> Markup:
    """One element that parsers of XML and of HTML read alike; an attribute of None is left out.

    Raises XmlValueError for a character that XML does not take.
    """
    written = "".join(
        f" {name}={quoteattr(check_text(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Markup(f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{join_markup(*content)}</{tag}>")


def join_markup(*content: str, between: str = "") -> Markup:
    """Several pieces, one after the other."""
    return Markup(between.join(map(_safe, content)))


def _safe(piece: str) -> str:
    if isinstance(piece, Markup):
        return piece
    return escape(check_text(piece), {"\r": "&#13;"})
