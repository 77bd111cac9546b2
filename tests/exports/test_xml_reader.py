"""IANA's XML from strangers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exports.formats import xml_reader
from app.exports.formats.xml import xml_bytes
from app.exports.formats.xml_reader import UnreadableRegistry, read_xml
from app.exports.serialization.xml_values import NAMESPACE
from tests.exports.snapshots import EMPTY, FULL, GENERATED, xml_view

HEAD = f'<registry xmlns="{NAMESPACE}" id="a">'
START = f"{HEAD}\n<title>T</title><updated>2020-01-01</updated>\n"
END = "<people/></registry>"
TABLE = f"{START}<registry id='b'><title/>\n"
TABLE_END = f"</registry>{END}"
RECORD = f"{TABLE}<record><name>n</name>"
RECORD_END = f"</record>{TABLE_END}"


def refusal(text: str | bytes) -> UnreadableRegistry:
    """Why a file is refused."""
    with pytest.raises(UnreadableRegistry) as caught:
        read_xml(text if isinstance(text, bytes) else text.encode())
    return caught.value


BROKEN = {
    "": (1, 1, "no element found"),
    "no": (1, 1, "syntax error"),
    f"{HEAD}\n  <title>a</titel>": (2, 13, "mismatched tag"),
    f"{HEAD}\n\n &bomb;": (3, 2, "undefined entity"),
    f"{HEAD}<title>\x01": (1, 65, "not well-formed"),
    f"{HEAD}\n<title>&#1;": (2, 8, "invalid character number"),
    f"{START}{END}<a/>": (3, 21, "junk after document element"),
    f'{HEAD[:-1]} id="b">': (1, 58, "duplicate attribute"),
}

STRANGE = {
    "<html/>": (1, 1, "root element is `html"),
    '<registry xmlns="urn:x:y" id="a"/>': (1, 1, "{urn:x:y}registry"),
    f"{START}\n<hide/>{END}": (4, 1, "`hide` isn't allowed here"),
    f"{START}\n<x:title xmlns:x='urn:x:y'/>{END}": (4, 1, "`{urn:x:y}title` isn't allowed here"),
    f"{START}\n <title/>{END}": (4, 2, "`title` appears twice"),
    f"{START}\nstray{END}": (4, 6, "`stray` is text, but"),
    f"{START}\n<note title='More'>a</note>{END}": (4, 1, "only have the title"),
    f"{START}\n<note title='Notice'>a</note><note title='Notice'>b</note>{END}": (1, 1, "2 notes"),
    f"{START}\n<note title='Notice'><xref type='text'/></note>{END}": (1, 1, "only text"),
    f"{START}\n<note title='Notice'/>{END}": (4, 1, "`note` is empty"),
    f"{START}<category/>{END}": (3, 1, "`category` is empty"),
    f"{START}</registry>": (1, 1, "has no `people`"),
    f"{HEAD}<title/>{END}": (1, 1, "has no `updated`"),
    f"{START}<people/>{END}": (3, 10, "`people` appears twice"),
    f"{START}<registry><title/></registry>{END}": (3, 1, "no attribute `id`"),
    f"{START}<registry id='b' class='c'/>{END}": (3, 1, "`class` isn't an attribute"),
    f"{START}<registry id='b' xml:lang='en'/>{END}": (3, 1, "lang"),
    f"{START}<registry id='../b'><title/></registry>{END}": (3, 1, "registry's id"),
    f"{START}<registry id='a'><title/></registry>{END}": (1, 1, "id `a` appears twice"),
    f"{TABLE}<expert/>{TABLE_END}": (4, 1, "`expert` is empty"),
    f"{TABLE}<registry id='c'/>{TABLE_END}": (4, 1, "`registry` isn't allowed here"),
    f"{TABLE}<record/>{TABLE_END}": (4, 1, "`record` has no `name`"),
    f"{TABLE}<record><name/></record>{TABLE_END}": (4, 1, "no name"),
    f"{TABLE}<record date='2020-1-1'><name>n</name></record>{TABLE_END}": (4, 1, "a date"),
    f"{RECORD}<status>gone</status>{RECORD_END}": (4, 23, "`status` isn't allowed here"),
    f"{RECORD}<template/>{RECORD_END}": (4, 23, "`template` is empty"),
    f"{RECORD}<template>a<b/></template>{RECORD_END}": (4, 34, "`b` isn't allowed here"),
    f"{RECORD}</record>\n<record><name>N</name>{RECORD_END}": (5, 1, "name `n` appears twice"),
    f"{RECORD}<contact>\x85</contact>{RECORD_END}": (4, 23, "U+0085"),
    f"{RECORD}<xref data='a'/>{RECORD_END}": (4, 23, "no attribute `type`"),
    f"{RECORD}<xref type='web' data='a'/>{RECORD_END}": (4, 23, "`web` isn't a reference type"),
    f"{RECORD}<xref type='uri'/>{RECORD_END}": (4, 23, "Add the attribute `data`"),
    f"{RECORD}<xref type='text' data=''/>{RECORD_END}": (4, 23, "Remove the attribute `data`"),
    f"{RECORD}<xref type='rfc' data='1'/>{RECORD_END}": (4, 23, "rfc8141"),
    f"{RECORD}<xref type='rfc' data='rfc1' page='1' section='2'/>{RECORD_END}": (
        4,
        23,
        "section and page",
    ),
    f"{RECORD}<xref type='rfc' data='rfc1' color='red'/>{RECORD_END}": (4, 23, "`color`"),
    f"{RECORD}<xref type='uri' data='https://a/' section='1'/>{RECORD_END}": (4, 23, "no section"),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.items())
def test_broken_xml_is_refused_with_line_and_column(
    text: str, expected: tuple[int, int, str]
) -> None:
    why = refusal(text)
    assert (why.line, why.column) == expected[:2], why
    assert expected[2] in why.message


@pytest.mark.parametrize(("text", "expected"), STRANGE.items())
def test_what_a_record_cannot_hold_is_refused_by_name_and_place(
    text: str, expected: tuple[int, int, str]
) -> None:
    why = refusal(text)
    assert expected[2] in why.message, why
    assert (why.line, why.column) == expected[:2], why
    assert str(why).startswith(f"Line {why.line}, column {why.column}: ")


LAUGHS = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><r>&b;</r>'
OUTSIDE = '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><r>&a;</r>'
REMOTE = '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd"><r/>'
PARAMETER = '<!DOCTYPE r [<!ENTITY % a SYSTEM "http://127.0.0.1:1/x.dtd">%a;]><r/>'


@pytest.mark.parametrize("text", [LAUGHS, OUTSIDE, REMOTE, PARAMETER, "<!DOCTYPE r><r/>"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le"])
def test_a_document_type_is_refused_in_every_encoding(text: str, encoding: str) -> None:
    assert "DOCTYPE" in refusal(text.encode(encoding)).message


@pytest.mark.parametrize("name", ["utf-7", "idna", "rot13", "cp037", "utf-32", "no-such"])
def test_a_rare_encoding_is_refused_by_name(name: str) -> None:
    assert name in refusal(f'<?xml version="1.0" encoding="{name}"?><r/>').message


def test_a_file_in_utf_16_is_read() -> None:
    text = xml_bytes(FULL).decode().replace("UTF-8", "UTF-16")
    assert read_xml(text.encode("utf-16")) == xml_view(FULL)


def test_a_file_over_the_limit_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    data = xml_bytes(EMPTY)
    monkeypatch.setattr(xml_reader, "MAX_BYTES", len(data))
    assert read_xml(data) == EMPTY
    assert "larger than" in refusal(data + b"\n").message


def test_elements_nested_deeply_are_refused_at_the_first_that_has_no_place() -> None:
    assert refusal(HEAD * 100_000).column == 2 * len(HEAD) + 1


def test_comments_and_unlike_elements_in_another_order_do_no_harm() -> None:
    text = (
        f"<!-- a -->{HEAD}<people/><updated>2020-01-01</updated><?x y?>"
        "<note>a<!-- b -->b<![CDATA[<c>]]></note><title>T</title></registry><!-- c -->"
    )
    snapshot = read_xml(text.encode())
    assert snapshot.notes == (("ab<c>",),)
    assert (snapshot.title, snapshot.updated) == ("T", "2020-01-01")


def test_a_prefix_for_the_namespace_changes_nothing() -> None:
    text = xml_bytes(EMPTY).decode()
    prefixed = (
        text.replace("<registry xmlns=", "<i:registry xmlns:i=")
        .replace("<registry ", "<i:registry ")
        .replace("</registry", "</i:registry")
        .replace("<title>", "<i:title>")
        .replace("</title>", "</i:title>")
        .replace("updated>", "i:updated>")
        .replace("<people", "<i:people")
    )
    assert read_xml(prefixed.encode()) == EMPTY


@GENERATED
@given(st.binary(max_size=64))
def test_any_bytes_are_read_or_refused_with_a_place(data: bytes) -> None:
    with pytest.raises(UnreadableRegistry) as caught:
        read_xml(data)
    assert caught.value.line >= 1
    assert caught.value.column >= 1


@GENERATED
@given(st.data())
def test_a_registry_with_bytes_changed_is_read_or_refused(data: st.DataObject) -> None:
    original = xml_bytes(FULL)
    at = data.draw(st.integers(0, len(original)))
    until = data.draw(st.integers(at, min(at + 40, len(original))))
    changed = original[:at] + data.draw(st.binary(max_size=8)) + original[until:]
    try:
        snapshot = read_xml(changed)
    except UnreadableRegistry:
        return
    assert read_xml(xml_bytes(snapshot)) == snapshot
