"""XML compared by its canonical form, white space between elements aside."""

from lxml import etree

from app.exports.serialization.xml_values import NAMESPACE

# Elements that hold only elements: elsewhere, white space is part of a text.
_ONLY_ELEMENTS = [f"{{{NAMESPACE}}}{name}" for name in ("registry", "record", "people", "person")]


def canonical(data: bytes) -> bytes:
    """The canonical form, comments and processing instructions included."""
    tree = etree.fromstring(data, etree.XMLParser(resolve_entities=False)).getroottree()
    for element in tree.getroot().iter(*_ONLY_ELEMENTS):
        assert not (element.text or "").strip()
        element.text = None
        for child in element:
            assert not (child.tail or "").strip()
            child.tail = None
    return etree.tostring(tree, method="c14n", with_comments=True)
