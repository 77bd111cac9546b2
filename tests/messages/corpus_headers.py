"""Messages whose headers matter, and mail that no person wrote."""

from datetime import UTC, datetime

from tests.messages.shapes import HOST, OURS, Case, parts, raw

HEADERS = (
    Case(
        "no bytes",
        b"",
        {
            "message_id": "",
            "references": (),
            "sender": "",
            "sender_name": "",
            "recipients": (),
            "subject": "",
            "date": None,
            "text": "",
            "quoted": "",
            "nature": "message",
            "request": None,
        },
    ),
    Case("no headers", b"Words alone,\nas they are", {"text": "Words alone,\nas they are"}),
    Case("only headers", b"Subject: x", {"subject": "x", "text": ""}),
    Case("a line of a mailbox first", b"From robin Tue Sep  1\nSubject: x\n\ny", {"subject": "x"}),
    Case("no blank line", b"Subject: x\nwords that begin\n", {"text": "words that begin"}),
    Case("zeros", raw(b"a\x00b\x07c\x1b[0m"), {"text": "a b c [0m"}),
    Case("ten megabytes", raw(b"word " * 2_000_000), {"cut": True}),
    Case("more than is read", raw(b"\n" * 17_000_000), {"cut": True, "text": ""}),
    Case(
        "coded words",
        raw(Subject="=?utf-8?Q?Gr=C3=BC=C3?=\n =?UTF-8?Q?=9Fe_?= =?iso-8859-2?b?UPjt?= [urn 7]"),
        {"subject": "Grüße Pří [urn 7]", "request": 7},
    ),
    Case(
        "coded words that cannot be read",
        raw(Subject="=?utf-8?B?QUJ?= =?utf-8?B?Q?= =?utf-8?Q?=ZZ?= =?é?Q?ü?="),
        {"subject": "AB=?utf-8?B?Q?==ZZ=?é?Q?ü?="},
    ),
    Case("bytes in a header", raw(Subject="Grüße"), {"subject": "Grüße"}),
    Case(
        "a header inside of a header",
        raw(
            Subject="=?utf-8?Q?x=0D=0ABcc:_all@org.example=00?=",
            From="=?utf-8?Q?Robin=0ABcc=3A_x?= <robin@org.example>",
        ),
        {"subject": "x Bcc: all@org.example", "sender_name": "Robin Bcc: x"},
    ),
    Case(
        "letters that turn others round",
        raw(Subject="a\u202eb\u2066c\u200bd", From="\u202eRobin <robin@org.example>"),
        {"subject": "abcd", "sender_name": "Robin", "sender": "robin@org.example"},
    ),
    Case("a long subject", raw(Subject="word " * 1000), {"subject": ("word " * 100).strip()}),
    Case(
        "names with signs",
        raw(
            From='"Example, \\"Robin\\" (not this)" (a (nested) \\) comment) <Robin@Org.Example>',
            To="Group: a@x.example, B <b@x.example>;, <@route.example:c@x.example>, nobody, <>",
            Cc="a@x.example (again), d+Token.1a@x.example",
            Delivered_To="e@x.example",
        ),
        {
            "sender": "robin@org.example",
            "sender_name": 'Example, "Robin" (not this)',
            "recipients": (
                "e@x.example",
                "a@x.example",
                "b@x.example",
                "c@x.example",
                "d+Token.1a@x.example",
            ),
        },
    ),
    Case(
        "another script",
        raw(From="Grüße <grüße@bücher.example>"),
        {"sender": "grüße@bücher.example"},
    ),
    Case(
        "an address in a name",
        raw(From='"boss@org.example" <robin@org.example>'),
        {"sender": "robin@org.example", "sender_name": "boss@org.example"},
    ),
    Case(
        "two senders",
        raw(From="A <a@x.example>\nFrom: B <b@x.example>"),
        {"sender": "", "sender_name": "A"},
    ),
    Case("no sender", raw(From="Robin"), {"sender": "", "sender_name": ""}),
    Case("a quoted local part", raw(From='"a b"@x.example'), {"sender": ""}),
    Case(
        "a date",
        raw(Date="Tue, 1 Sep 2026 14:00:00 +0200"),
        {"date": datetime(2026, 9, 1, 12, tzinfo=UTC)},
    ),
    Case(
        "a date without a zone",
        raw(Date="1 Sep 2026 12:00:00 -0000"),
        {"date": datetime(2026, 9, 1, 12, tzinfo=UTC)},
    ),
    Case("no date", raw(Date="yesterday"), {"date": None}),
    Case("a date that is none", raw(Date="Tue, 99 Sep 99999 12:00:00 +9999"), {"date": None}),
    Case("a date before computers", raw(Date="1 Jan 1900 00:00:00 +0000"), {"date": None}),
    Case("a date after the last", raw(Date="31 Dec 9999 23:59:59 -1200"), {"date": None}),
    Case("a date in other letters", raw(Date="١ Sep 2026"), {"date": None}),
    Case(
        "what it follows",
        raw(
            References="junk <a@x> <b@x>\n\t<c@x>",
            In_Reply_To='"Robin" of Monday <b@x> <d@x>',
            Message_ID="no brackets",
        ),
        {"references": ("<a@x>", "<b@x>", "<c@x>", "<d@x>"), "message_id": "", "request": 58},
    ),
    Case("ids with spaces", raw(In_Reply_To="<a b@x> <ü@x> <<c@x>>"), {"references": ("<c@x>",)}),
    Case(
        "a request by its message",
        raw(In_Reply_To=OURS.upper(), Subject="Re: something [urn 3]"),
        {"request": 58},
    ),
    Case(
        "somebody else's message",
        raw(In_Reply_To="<urn.9.00@other.example>", Subject="[URN 3] x [urn 4]"),
        {"request": 3},
    ),
    Case("no request", raw(Subject="urn 3 [urn x] [urn 12345678901]"), {"request": None}),
)

_REPORT = (
    "Content-Type: message/delivery-status\n\n"
    "Reporting-MTA: dns; mx.example\n\n"
    "Original-Recipient: rfc822;Robin+2Bx@Org.Example\n"
    "Final-Recipient: rfc822; other@org.example\nAction: failed\nStatus: 5.1.1\n"
    "Diagnostic-Code: smtp; 550 5.1.1 no such user\n\n"
    "Final-Recipient: rfc822; late@org.example\nAction: delayed\nStatus: 4.4.1\n\n"
    "Final-Recipient: rfc822;full@org.example\nAction: failed\nStatus: 4.2.2 (full)\n"
)
_REPORT_TYPE = "multipart/report; report-type=delivery-status"

AUTOMATIC = (
    Case(
        "a report of failure",
        parts(
            "\nYour message could not be delivered.",
            _REPORT,
            f"Content-Type: message/rfc822\n\nMessage-ID: {OURS}\nSubject: x\n\nWords",
            kind=_REPORT_TYPE,
            Subject="Undelivered Mail Returned to Sender",
            From="MAILER-DAEMON@mx.example",
            Return_Path="<>",
            Auto_Submitted="auto-replied",
        ),
        {
            "nature": "bounce",
            "bounced": (
                ("robin+x@org.example", "550 5.1.1 no such user", "5.1.1"),
                ("full@org.example", "4.2.2 (full)", "4.2.2"),
            ),
            "returned": OURS,
            "request": 58,
            "text": "Your message could not be delivered.",
        },
    ),
    Case(
        "a report with headers alone",
        parts(
            "\nFailed",
            _REPORT,
            f"Content-Type: text/rfc822-headers\n\nMessage-ID: {OURS}\n",
            kind=_REPORT_TYPE,
        ),
        {"nature": "bounce", "returned": OURS},
    ),
    Case(
        "a report of delay",
        parts("\nLate", _REPORT.replace("failed", "delayed"), kind=_REPORT_TYPE),
        {"nature": "auto-reply", "bounced": ()},
    ),
    Case(
        "a receipt",
        parts(
            "\nRead",
            "Content-Type: message/disposition-notification\n\nDisposition: displayed",
            kind="multipart/report; report-type=disposition-notification",
        ),
        {"nature": "auto-reply"},
    ),
    Case(
        "a report alone",
        raw("Disposition: displayed", Content_Type="message/disposition-notification"),
        {"nature": "auto-reply", "quoted": "Disposition: displayed"},
    ),
    Case(
        "failure in qmail's words",
        raw(
            "Hi. This is the qmail-send program.\n\n<robin@org.example>:\n"
            "192.0.2.1 does not like recipient.\n550 5.1.1 no such user\n\n"
            "--- Below this line is a copy.\n",
            Return_Path="<>",
            From="MAILER-DAEMON@mx.example",
            Subject="failure notice",
        ),
        {
            "nature": "bounce",
            "bounced": (
                (
                    "robin@org.example",
                    "192.0.2.1 does not like recipient. 550 5.1.1 no such user",
                    "5.1.1",
                ),
            ),
        },
    ),
    Case(
        "failure in Exim's words",
        raw(
            "A message could not be delivered:\n\n  robin@org.example\n    Unrouteable address\n",
            X_Failed_Recipients="Robin@org.example, other@org.example",
            From="Mail <postmaster@mx.example>",
        ),
        {
            "nature": "bounce",
            "bounced": (
                ("robin@org.example", "Unrouteable address", ""),
                ("other@org.example", "A message could not be delivered:", ""),
            ),
        },
    ),
    Case(
        "failure without an address",
        raw(
            "It failed.\n550 no, not here\n<not an address@>\n",
            From="postmaster@mx.example",
            Subject="Unzustellbar: x",
        ),
        {"nature": "bounce", "bounced": ()},
    ),
    Case(
        "failure with its reason elsewhere",
        raw(
            "<robin@org.example>\n\nThe server said:\n554 not now\n",
            Return_Path="<>",
            Subject="Undeliverable",
        ),
        {"nature": "bounce", "bounced": (("robin@org.example", "554 not now", ""),)},
    ),
    Case("a person of a daemon", raw(Subject="Undeliverable?"), {"nature": "message"}),
    Case(
        "an answer of a machine",
        raw(Auto_Submitted="auto-replied (vacation)"),
        {"nature": "auto-reply"},
    ),
    Case("no answer of a machine", raw(Auto_Submitted="No; x=y"), {"nature": "message"}),
    Case("an answer of an old machine", raw(X_Autoreply="yes"), {"nature": "auto-reply"}),
    Case("precedence", raw(Precedence="bulk"), {"nature": "auto-reply"}),
    Case("precedence on a list", raw(Precedence="bulk", List_Id="<a>"), {"nature": "message"}),
    Case(
        "precedence of an answer",
        raw(Precedence="auto_reply", List_Id="<a>"),
        {"nature": "auto-reply"},
    ),
    Case("nowhere to return to", raw(Return_Path="< >"), {"nature": "auto-reply"}),
    Case("somewhere to return to", raw(Return_Path="<r@org.example>"), {"nature": "message"}),
    Case("away", raw(Subject="Automatic reply: [urn 58] x"), {"nature": "auto-reply"}),
    Case("abwesend", raw(Subject="Abwesenheitsnotiz"), {"nature": "auto-reply"}),
    Case("our own message", raw(Message_ID=OURS, List_Id="<urn.ietf.example>"), {"nature": "loop"}),
    Case("a mark of ours", raw(X_Loop=f"urn@{HOST.upper()}"), {"nature": "loop"}),
    Case("somebody's mark", raw(X_Loop=f"urn@other.{HOST}"), {"nature": "message"}),
    Case("round and round", raw(Received="x\nReceived: y" * 51), {"nature": "loop"}),
)
