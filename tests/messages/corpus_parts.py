"""Messages of several parts, and what is to be read in each."""

from tests.messages.shapes import (
    HTML,
    MIXED,
    Case,
    forwarded,
    parts,
    raw,
    typed,
    with_file,
    with_html,
)

MULTIPART = (
    Case(
        "two forms of one text",
        with_html(),
        {"text": "Hello from a library", "quoted": "", "attachments": ()},
    ),
    Case(
        "an empty form and HTML",
        parts(
            "Content-Type: text/plain\n\n \n",
            "Content-Type: text/html\n\n<p>Words</p>\n",
            kind="multipart/alternative",
        ),
        {"text": "Words"},
    ),
    Case(
        "two empty forms",
        parts("\n \n", "Content-Type: text/html\n\n<p></p>\n", kind="multipart/alternative"),
        {"text": ""},
    ),
    Case(
        "only HTML",
        typed(
            "<title>No</title><style>p{}</style><p>Hello&nbsp;you "
            "&#x1F998;<script>alert(1)</script>"
            '<br>see <a href="https://x.example/a">here</a> or <a href="mailto:r@x.example">'
            'r@x.example</a> <a href="javascript:alert(1)">not</a></p><ul><li>one</ul>'
            '<img src=x alt="a picture"><pre>a\n  b</pre><table><tr><td>c<td>d</table>',
            HTML,
        ),
        {
            "text": "Hello you \U0001f998\nsee here <https://x.example/a> or r@x.example not\n\n"
            "- one\n\na picture\n\na\n  b\n\nc  d"
        },
    ),
    Case(
        "HTML with a quotation",
        typed(
            "<div>Yes &lt;b&gt;</div><div>On Mon, 31 Aug 2026 10:00 R wrote:<br></div>"
            "<blockquote type=cite>What?<blockquote>Older</blockquote></blockquote>",
            HTML,
        ),
        {
            "text": "Yes <b>",
            "quoted": "On Mon, 31 Aug 2026 10:00 R wrote:\n\n> What?\n>\n> > Older",
        },
    ),
    Case(
        "broken HTML",
        typed("<p>a < b <a href='x <b>bold <!-- never <title>ends &#99999999999; </zz", HTML),
        {"text": "a < b <a href='x bold <!-- never ends \ufffd </zz"},
    ),
    Case(
        "HTML with comments",
        typed(
            "<!doctype html><!-- a > b --><?xml x?><p>Word<!-- -->s</p></blockquote></pre>", HTML
        ),
        {"text": "Words"},
    ),
    Case(
        "a file",
        with_file(),
        {"text": "Hello from a library", "attachments": (("Grüße.pdf", "application/pdf", 1000),)},
    ),
    Case(
        "names of files",
        parts(
            "\nText",
            "Content-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\nwords",
            'Content-Type: image/png; name="=?utf-8?q?b=C3=BC.png?="\n\nx',
            "Content-Type: application/x\nContent-Disposition: attachment; "
            'filename*0*=utf-8\'\'c%C3%BC; filename*1="\\"d.bin"\n\nx',
        ),
        {
            "text": "Text",
            "attachments": (
                ("a.txt", "text/plain", 5),
                ("bü.png", "image/png", 1),
                ('cü"d.bin', "application/x", 1),
            ),
        },
    ),
    Case(
        "words around a picture",
        parts("\nBefore", "Content-Type: image/png\n\nx", "\nAfter", "\n-- \nRobin"),
        {"text": "Before\n\nAfter", "quoted": "-- \nRobin"},
    ),
    Case(
        "signed",
        parts(
            "Content-Type: text/plain; charset=utf-8\n\nGrüße",
            "Content-Type: application/pkcs7-signature; name=smime.p7s\n"
            "Content-Transfer-Encoding: base64\n\nQUJD",
            kind="multipart/signed",
        ),
        {"text": "Grüße", "attachments": (("smime.p7s", "application/pkcs7-signature", 3),)},
    ),
    Case(
        "forwarded as a part",
        forwarded(),
        {
            "text": "Hello from a library",
            "returned": "<1@org.example>",
            "quoted": "From: Robin Example <robin@org.example>\n"
            "Date: Tue, 01 Sep 2026 14:00:00 +0200\nTo: registry@registry.example\n"
            "Subject: Re: [urn 58] quokka\n\nHello from a library\n",
        },
    ),
    Case(
        "forwarded and nothing else",
        raw("Subject: inner\n\nWords", Content_Type="message/rfc822"),
        {"text": "", "quoted": "Subject: inner\n\nWords"},
    ),
    Case(
        "a digest",
        parts("\nSubject: one\n\nFirst", kind="multipart/digest"),
        {"text": "", "quoted": "Subject: one\n\nFirst"},
    ),
    Case(
        "words outside of the parts",
        typed("This is a multi-part message\n--bb\n\nIn\n--bb--\nFooter\n", MIXED),
        {"text": "In", "quoted": "Footer"},
    ),
    Case("a boundary that never comes", typed("Words\n--cc\n", MIXED), {"text": "Words\n--cc"}),
    Case("no boundary", raw("Words", Content_Type="multipart/mixed"), {"text": "Words"}),
    Case("no end", typed("--bb\n\nWords", MIXED), {"text": "Words"}),
    Case("nothing between", typed("--bb\n--bb\n--bb--", MIXED), {"text": ""}),
    Case(
        "very deep",
        b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(99)
        ),
        {"text": "", "cut": True},
    ),
    Case(
        "very many parts",
        parts(*["\nx"] * 300),
        {"text": "\n\n".join("x" * 199), "cut": True},
    ),
    Case("a type that is none", raw("Words", Content_Type="text"), {"text": "Words"}),
    Case("only a file", raw("x", Content_Type="application/pdf"), {"text": ""}),
    Case(
        "base64 that breaks off",
        raw("SGVsbG8gdGhl\ncmU=\n--\nA footer!\n", Content_Transfer_Encoding="base64"),
        {"text": "Hello there", "quoted": "--\nA footer!"},
    ),
    Case(
        "base64 with a form feed in it",
        raw("SGVsbG8g\nd\x0cGhl\n", Content_Transfer_Encoding="base64"),
        {"text": "Hello \nd\nGhl"},
    ),
    Case(
        "base64 cut short",
        raw("SGVsbG8gdGhlcmUgeW91", Content_Transfer_Encoding="base64")[:-2],
        {"text": "Hello there y"},
    ),
    Case(
        "quoted-printable that is none",
        raw("1 = 2 =ZZ =C3=BC", Content_Transfer_Encoding="quoted-printable"),
        {"text": "1 = 2 =ZZ ü"},
    ),
)
