"""The text of a template is shown as it was typed, quickly, and can do no harm."""

import re
from collections.abc import Collection, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.pages.text.markdown import MAX_BYTES, markdown_html, plain, render_words
from tests.pages.seen import Seen, same_text
from tests.processes import PROCESSES

KILL_AFTER = 60.0  # far more than any input may take, were the machine a busy one
_ALLOWED_TAGS = {"p", "br", "pre", "code", "ul", "ol", "li", "a"}  # and quotes, in words
_ALLOWED_ATTRIBUTES = {
    ("a", "rel"),
    ("a", "href"),
    ("ol", "start"),
    ("li", "value"),
    ("p", "class"),
    ("pre", "class"),
}


def _templates(shared: Path) -> list[Path]:
    return sorted((shared / "data" / "iana" / "templates").glob("*/*"))


# What was typed is what is shown


def test_every_real_template_is_shown_as_typed(shared: Path) -> None:
    templates = _templates(shared)
    assert len(templates) == 30
    changed = []
    for template in templates:
        text = template.read_text("utf-8")
        if not same_text(text, markdown_html(text)):
            changed.append(template.name)
    assert changed == []


def _kept_lines(text: str) -> Iterator[str]:
    """The lines of indented blocks, and those that define a rule of a grammar."""
    chunks = groupby(text.expandtabs(4).splitlines(), key=lambda line: bool(line.strip()))
    for chunk in (list(lines) for is_text, lines in chunks if is_text):
        defines = any(re.match(r"\s*[A-Za-z][\w-]*\s*=\s", line) for line in chunk)
        if defines or chunk[0].startswith("    "):
            yield from chunk


def test_lines_of_grammars_and_indented_blocks_keep_their_breaks(shared: Path) -> None:
    joined, kept = [], 0
    for template in _templates(shared):
        text = template.read_text("utf-8")
        lines = Seen(markdown_html(text)).lines
        for line in _kept_lines(text):
            kept += 1
            if line.replace("`", "").strip() not in lines:
                joined.append((template.name, line))
    assert joined == []
    assert kept > 300


@pytest.mark.parametrize(
    "text",
    [
        "<placeholder> and <b>bold</b> and <script>alert(1)</script>",
        "# not a heading\n\nnot a heading\n=============",
        "a *b* _c_ **d** __e__ ~~f~~",
        "> a quote\n\n---\n\n***\n\n- - -",
        "[RFC8141] and [a]: http://example.com/ and <http://example.com/>",
        "&amp; &lt; &#60; \\* \\` 1\\. ![a](http://example.com/a.png)",
        "1*( ALPHA / DIGIT ) *2DIGIT",
        "07. a\n\n1) b\n\n0. zero\n1. one",
        "unclosed `code and ``more\n\n```\nnever closed",
        "- [a](http://example.com/) `b`\n  1. c\n     > d",
        "x\u00a0y\u3000z\u0085w\x0bv",
        "\ud800\x00\x02klzzwxh:0000\x03",
    ],
)
def test_what_is_not_markup_here_is_shown(text: str) -> None:
    assert same_text(text, markdown_html(text))


_MARKS = ("- ", "* ", "1. ", "2. ", "10. ", "    ", "  ", "\n", "\n\n", "`", "``", "* * *", "\t")
_LINKS = ("[a](http://a.example/b)", "[", "]", "](", ")", "(mailto:", "<", ">", "&", "&lt;")
_ADDRESSES = ("http://a.example/b", " https://b.example/(c)", "mailto:d@e.example", "://", "http:")
_OTHERS = ("```\n", "```abnf\n", "word", "a = b", "\r\n", "\r", ";", "\\", "#", "\u202e", "é")
_PIECES = st.sampled_from((*_MARKS, *_LINKS, *_ADDRESSES, *_OTHERS))


@given(st.lists(_PIECES | st.text(max_size=4), max_size=40).map("".join))
@example("- `a\n  b`\n\n 5. x\n- y")
def test_any_text_is_shown_as_typed_and_only_in_allowed_markup(text: str) -> None:
    html = markdown_html(text)
    assert same_text(text, html)
    _assert_harmless(html)
    _assert_harmless(render_words(text), {"blockquote"})


@given(st.text())
def test_arbitrary_text_is_shown_as_typed(text: str) -> None:
    assert same_text(text, markdown_html(text))
    assert same_text(text, plain(text))


def _assert_harmless(html: str, more: Collection[str] = ()) -> None:
    seen = Seen(html)
    assert seen.tags <= {*_ALLOWED_TAGS, *more}
    assert {(tag, name) for tag, name, _ in seen.attributes} <= _ALLOWED_ATTRIBUTES
    for tag, name, value in seen.attributes:
        if name == "href":
            assert value.startswith(("http://", "https://", "mailto:"))
        if name == "rel":
            assert value == "nofollow noopener"
        if name == "class":
            assert (tag, value) in {("p", "lang"), ("pre", "plain")}


# What is markup


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("one\n\ntwo", "<p>one</p><p>two</p>"),
        ("an `isbn` here", "<p>an <code>isbn</code> here</p>"),
        ("``a`b``", "<p><code>a`b</code></p>"),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("- a\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"),
        ("- a\n\n  b", "<ul><li><p>a</p><p>b</p></li></ul>"),
        ("- a\n    - b", "<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>"),
        (
            "3. a\n7. b\n8. c",
            '<ol start="3"><li><p>a</p></li><li value="7"><p>b</p></li><li><p>c</p></li></ol>',
        ),
        ("- a\n\n1. b", "<ul><li><p>a</p></li></ul><ol><li><p>b</p></li></ol>"),
        ("    a  b\n      c", "<pre><code>a  b\n  c\n</code></pre>"),
        ("```\na\n\n b\n```", "<pre><code>a\n\n b\n</code></pre>"),
        ("```ABNF\na = b\n```", '<p class="lang">ABNF</p><pre><code>a = b\n</code></pre>'),
        ("Main St. 1\nSpringfield", "<p>Main St. 1<br>Springfield</p>"),
        ("a = b\n\nc = d", "<pre><code>a = b\n\nc = d\n</code></pre>"),
        ("see:\n- a", "<p>see:</p><ul><li><p>a</p></li></ul>"),
        ("", ""),
    ],
)
def test_paragraphs_lists_and_code_are_read(text: str, html: str) -> None:
    assert markdown_html(text) == html


def test_prose_that_was_wrapped_by_hand_is_one_flowing_paragraph() -> None:
    text = (
        "Each name that the agency gives out is built from a year, a series and\n"
        "a running number, and none of these is ever given out a second time for\n"
        "something else."
    )
    assert markdown_html(text) == f"<p>{text}</p>"


def test_a_line_of_prose_that_ended_early_ends_there() -> None:
    lines = [
        "Each name that the agency gives out is built from a year, a series and",
        "a running number, and none of these is ever given out a second time for",
        "something else.",
        "A name is never taken back, and a thing that once was given a name will",
        "keep it even where its owner has ceased to be, or where the name turned",
        "out to be badly chosen.",
    ]
    html = markdown_html("\n".join(lines))
    assert html.count("<br>") == 1
    assert "something else.<br>A name" in html


def test_an_address_keeps_its_lines() -> None:
    text = "Name: A. Author\nE-mail: a.author@example.org, b@example.org\nThe Society for Boxes"
    assert markdown_html(f"{text} of All Sizes (SBAS)\n1 Main Street").count("<br>") == 3


@pytest.mark.parametrize("url", ["https://example.org/a?b=c&d", "mailto:urn@example.org"])
def test_a_link_is_made_and_not_followed_by_search_engines(url: str) -> None:
    html = markdown_html(f"see [the *text*]({url}).")
    assert Seen(html).attributes == {("a", "href", url), ("a", "rel", "nofollow noopener")}
    assert ">the *text*</a>." in html


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//example.com", "/a", "http://a:99999/"]
)
def test_other_addresses_stay_text(url: str) -> None:
    text = f"[a]({url})"
    assert markdown_html(text) == f"<p>{text}</p>"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("See https://example.org/a?b=c&d#e.", "https://example.org/a?b=c&d#e"),
        ("(see http://example.org/a_(b))", "http://example.org/a_(b)"),
        ("<https://example.org/>, or", "https://example.org/"),
        ("Mail mailto:urn@example.org; or", "mailto:urn@example.org"),
        ("https://example.org/\u202egro", "https://example.org/"),
        ("*https://example.org/a*", "https://example.org/a"),
        ("[https://a.example](https://b.example/)", "https://b.example/"),
    ],
)
def test_an_address_in_the_text_is_a_link(text: str, address: str) -> None:
    html = markdown_html(text)
    assert Seen(html).attributes == {("a", "href", address), ("a", "rel", "nofollow noopener")}
    assert html.count("<a ") == 1
    assert same_text(text, html)


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/<nss>",  # a pattern of addresses leads nowhere
        "https://example.org/{id}/b",
        "http://",
        "https:///a",
        "xhttps://example.org/",
        "javascript:alert(1)",
        "data:text/html,x",
        "a@example.org",
        "http://a:99999/",
        "`https://example.org/`",
    ],
)
def test_what_is_no_address_is_no_link(text: str) -> None:
    assert "<a" not in markdown_html(text)
    assert same_text(text, markdown_html(text))


def test_quotes_are_read_in_what_is_said_of_a_text_alone() -> None:
    said = "> Syntax, line 6: `n`\n> https://example.org/\n\nIt is <b>not</b> defined.\n>> a\n> > b"
    html = render_words(said)
    link = '<a href="https://example.org/" rel="nofollow noopener">https://example.org/</a>'
    assert html == (
        f"<blockquote><p>Syntax, line 6: <code>n</code><br>{link}</p></blockquote>"
        "<p>It is &lt;b&gt;not&lt;/b&gt; defined.</p>"
        "<blockquote><p>&gt; a<br>&gt; b</p></blockquote>"
    )
    assert "<blockquote>" not in markdown_html(said)
    assert "&gt; a" in render_words("> a\nb\n" * 200)  # too many to be read one by one


def test_characters_that_reorder_a_line_are_shown_by_their_code_points() -> None:
    assert markdown_html("a\u202eb\u2066") == "<p>a[U+202E]b[U+2066]</p>"


# Bounds


def test_a_text_over_the_cap_is_shown_plainly() -> None:
    assert markdown_html("a" * MAX_BYTES).startswith("<p>")
    text = "é" * (MAX_BYTES // 2) + "<"
    assert markdown_html(text) == f'<pre class="plain">{text[:-1]}&lt;</pre>'


def _filled(unit: str, size: int = MAX_BYTES) -> str:
    return (unit * (size // len(unit.encode("utf-8", "surrogatepass")) + 1))[:size]


HOSTILE = {
    "brackets": _filled("["),
    "nested brackets": "[" * 32_000 + "]" * 32_000,
    "half links": _filled("[a](http://x"),
    "links": _filled("[a](http://x) ", 27_000),
    "spaced brackets": _filled("[  "),
    "addresses": _filled("http://a.b/ ", 23_900),
    "half addresses": _filled("http://"),
    "closed addresses": "http://a" + ")" * 60_000,
    "quoted lines": _filled("> a\nb\n", 1_300),
    "backticks": _filled("`"),
    "growing backticks": "".join("`" * n + "a" for n in range(360)),
    "code": _filled("`a` ", 3_900),
    "nested lists": "\n".join("  " * n + "- a" for n in range(250)),
    "one-line lists": _filled("- ", 65_000) + "a",
    "one-line numbers": _filled("1. ", 65_000) + "a",
    "list items": _filled("- a\n", 15_900),
    "loose list items": _filled("1. a\n\n", 11_900),
    "quotes": _filled("> "),
    "stars": _filled("*"),
    "emphasis": _filled("*a _b "),
    "spaces": " " * 65_000 + "x",
    "inner spaces": "x" + " " * 65_000 + "x",
    "deep indents": "\n".join(" " * n + "x" for n in range(360)),
    "tabs": _filled("\t"),
    "tabbed words": _filled("\tx"),
    "a long line": _filled("word "),
    "a long word": _filled("a"),
    "short lines": _filled("a\n", 7_900),
    "carriage returns": _filled("\r"),
    "bidi controls": _filled("\u202e", 21_000),
    "surrogates": _filled("\ud800", 21_000),
    "controls": _filled("\x00\x02\x03"),
    "fences": _filled("```\n"),
    "growing fences": "\n".join("`" * n for n in range(3, 360)),
    "unclosed fences": _filled("```a\n", 19_000) + "````",
    "headings": _filled("# a\n=\n"),
    "references": _filled("[a]: b\n"),
    "tags": _filled("<a><!--"),
    "entities": _filled("&amp;"),
    "escapes": _filled("\\`\\["),
    "huge numbers": _filled("999999999. a\n"),
    "definitions": _filled("a-" * 30 + "\n"),
    "ten megabytes": "[" * 10_000_000,
}


def test_no_text_takes_long() -> None:
    with ProcessPoolExecutor(1, mp_context=PROCESSES) as pool:
        rendered = {
            (name, make): pool.submit(make, text).result(KILL_AFTER)
            for name, text in HOSTILE.items()
            for make in (markdown_html, render_words)
        }
    for html in rendered.values():
        _assert_harmless(html, {"blockquote"})


@pytest.mark.parametrize("name", [name for name in HOSTILE if name != "ten megabytes"])
def test_hostile_text_is_shown_whole(name: str) -> None:
    assert same_text(HOSTILE[name], markdown_html(HOSTILE[name]))
