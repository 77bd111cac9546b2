"""Messages of many shapes and charsets, with what is to be read in each."""

from email.mime.text import MIMEText

from tests.messages.corpus_headers import AUTOMATIC, HEADERS
from tests.messages.corpus_parts import MULTIPART
from tests.messages.shapes import FLOWED, OURS, Case, in_charset, raw, typed

QUOTE = "On Mon, 31 Aug 2026 at 10:00, Registry <registry@registry.example> wrote:\n> What is it?\n"
OUTLOOK = (
    "From: Registry <r@registry.example>\nSent: Monday\nTo: Robin\nSubject: x\n\nWhat is it?\n"
)

POSTING = (
    Case(
        "plain",
        raw("Hello\nthere\n", References="<0@x.example> " + OURS, In_Reply_To=OURS),
        {
            "message_id": "<1@org.example>",
            "references": ("<0@x.example>", OURS),
            "sender": "robin@org.example",
            "sender_name": "Robin Example",
            "recipients": ("registry@registry.example",),
            "subject": "Re: [urn 58] quokka",
            "text": "Hello\nthere",
            "quoted": "",
            "nature": "message",
            "request": 58,
            "attachments": (),
            "bounced": (),
            "cut": False,
        },
    ),
    Case(
        "line ends of the network",
        raw("Hello\n").replace(b"\n", b"\r\n"),
        {"text": "Hello", "sender": "robin@org.example"},
    ),
    Case("line ends of old", raw("Hello\nyou").replace(b"\n", b"\r"), {"text": "Hello\nyou"}),
    Case("top posting", raw(f"A name.\n\n{QUOTE}"), {"text": "A name.", "quoted": QUOTE.strip()}),
    Case(
        "bottom posting", raw(f"{QUOTE}\nA name.\n"), {"text": "A name.", "quoted": QUOTE.strip()}
    ),
    Case(
        "an answer between",
        raw(f"{QUOTE}\nA name.\n\n> Of what?\n\nOf all.\n\n> Bye\n"),
        {"text": f"{QUOTE}\nA name.\n\n> Of what?\n\nOf all.", "quoted": "> Bye"},
    ),
    Case(
        "a greeting, then answers",
        raw(f"Hi!\n\n{QUOTE}\nA name.\n"),
        {"text": f"Hi!\n\n{QUOTE}\nA name.", "quoted": ""},
    ),
    Case(
        "a folded attribution",
        raw("Yes.\n\nOn Mon, 31 Aug 2026 at 10:00, Registry\n<r@x.example> wrote:\n\n> A?\n"),
        {"text": "Yes."},
    ),
    Case(
        "German",
        raw("Ja.\n\nAm 31.08.2026 um 10:00 schrieb Registry:\n> Was?\n"),
        {"text": "Ja.", "quoted": "Am 31.08.2026 um 10:00 schrieb Registry:\n> Was?"},
    ),
    Case(
        "French", raw("Oui.\n\nLe 31 août 2026 à 10:00, R. a écrit :\n> Quoi ?\n"), {"text": "Oui."}
    ),
    Case("Spanish", raw("Sí.\n\nEl lun, 31 ago 2026, R. escribió:\n> ¿Qué?\n"), {"text": "Sí."}),
    Case("Czech", raw("Ano.\n\nDne 31. 8. 2026 R. napsal(a):\n> Co?\n"), {"text": "Ano."}),
    Case(
        "Russian",
        raw("Да.\n\nпн, 31 авг. 2026 в 10:00, Р. <r@x.example>:\n> Что?\n"),
        {"text": "Да."},
    ),
    Case(
        "Japanese",
        raw("はい。\n\n2026年8月31日(月) 10:00 R <r@x.example>:\n> 何?\n"),
        {"text": "はい。"},
    ),
    Case(
        "a quotation without marks",
        raw("Yes.\n\nOn 31 Aug 2026, at 10:00, R. wrote:\n\nWhat?\n"),
        {"text": "Yes.", "quoted": "On 31 Aug 2026, at 10:00, R. wrote:\n\nWhat?"},
    ),
    Case(
        "-----Original Message-----",
        raw(f"Yes.\n\n-----Original Message-----\n{OUTLOOK}"),
        {"text": "Yes.", "quoted": f"-----Original Message-----\n{OUTLOOK}".strip()},
    ),
    Case("Outlook", raw(f"Yes.\n\n{'_' * 32}\n{OUTLOOK}"), {"text": "Yes."}),
    Case(
        "Outlook in German",
        raw("Ja.\n\nVon: R\nGesendet: Montag\nAn: S\nBetreff: x\n\nWas?"),
        {"text": "Ja.", "quoted": "Von: R\nGesendet: Montag\nAn: S\nBetreff: x\n\nWas?"},
    ),
    Case(
        "forwarded in the text",
        raw(f"See below.\n\n---------- Forwarded message ---------\n{OUTLOOK}"),
        {"text": "See below."},
    ),
    Case("a signature", raw("Hello\n-- \nRobin\n"), {"text": "Hello", "quoted": "-- \nRobin"}),
    Case("without its space", raw("Hello\n--\nRobin\n"), {"text": "Hello", "quoted": "--\nRobin"}),
    Case(
        "two hyphens far from the end",
        raw("Hello\n--\n" + "more\n" * 20),
        {"text": "Hello\n--\n" + "more\n" * 19 + "more", "quoted": ""},
    ),
    Case("a telephone", raw(f"Yes\n\nSent from my phone\n\n{QUOTE}"), {"text": "Yes"}),
    Case(
        "a list's footer",
        raw(
            f"Yes\n\n{'_' * 47}\nurn mailing list\nurn@ietf.example\n",
            List_Id="<urn.ietf.example>",
            Precedence="list",
        ),
        {"text": "Yes", "nature": "message"},
    ),
    Case(
        "flowed",
        typed("> A question \n> goes on\n \n From here\none \nline\n-- \nRobin", FLOWED),
        {"text": " \nFrom here\none line".strip(), "quoted": "> A question goes on\n\n-- \nRobin"},
    ),
    Case(
        "flowed, its spaces deleted",
        typed("日本 \n語", {"Content-Type": FLOWED["Content-Type"] + "; delsp=yes"}),
        {"text": "日本語"},
    ),
    Case(
        "signed inline",
        raw(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nHello\n- - a dash\n"
            "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
        ),
        {"text": "Hello\n- a dash"},
    ),
)

CHARSETS = (
    Case("UTF-8", in_charset("Grüße", "utf-8"), {"text": "Grüße"}),
    Case("quoted-printable", in_charset("Grüße = 1", "utf-8", "quoted-printable"), {}),
    Case(
        "base64", in_charset("Grüße\n" * 50, "utf-8", "base64"), {"text": "\n".join(["Grüße"] * 50)}
    ),
    Case(
        "Latin 1 for Windows",
        in_charset("“Grüße”", "cp1252", label="iso-8859-1"),
        {"text": "“Grüße”"},
    ),
    Case("Latin 2", in_charset("Příliš", "iso-8859-2", "quoted-printable"), {"text": "Příliš"}),
    Case("KOI8", in_charset("Привет", "koi8-r"), {"text": "Привет"}),
    Case("Shift JIS", in_charset("こんにちは", "shift_jis"), {"text": "こんにちは"}),
    Case("ISO-2022-JP", in_charset("こんにちは", "iso-2022-jp", "7bit"), {"text": "こんにちは"}),
    Case("GB 2312", in_charset("你好", "gb2312", "base64"), {"text": "你好"}),
    Case("Big5", in_charset("你好", "big5"), {"text": "你好"}),
    Case("Korean", in_charset("안녕", "euc-kr", label="ks_c_5601-1987"), {"text": "안녕"}),
    Case("Hebrew", in_charset("שלום", "iso-8859-8", label="iso-8859-8-i"), {"text": "שלום"}),
    Case("Thai", in_charset("สวัสดี", "cp874", label="windows-874"), {"text": "สวัสดี"}),
    Case("UTF-16", in_charset("Grüße", "utf-16", "base64"), {"text": "Grüße"}),
    Case("a mark of the byte order", in_charset("\ufeffGrüße", "utf-8"), {"text": "Grüße"}),
    Case("said to be ASCII", in_charset("Grüße", "utf-8", label="us-ascii"), {"text": "Grüße"}),
    Case(
        "a charset that is none",
        in_charset("Grüße", "latin-1", label="x-unknown"),
        {"text": "Grüße"},
    ),
    Case(
        "a codec that is no charset", in_charset("Grüße", "utf-8", label="rot13"), {"text": "Grüße"}
    ),
    Case(
        "said to be UTF-8",
        in_charset("Grüße", "latin-1", label="utf-8"),
        {"text": "Gr\ufffd\ufffde"},
    ),
    Case(
        "UTF-7 with half a pair", in_charset("+2AA-x", "ascii", label="utf-7"), {"text": "\ufffdx"}
    ),
    Case("from the library", bytes(MIMEText("Grüße", _charset="iso-8859-15")), {"text": "Grüße"}),
)

CASES = POSTING + CHARSETS + MULTIPART + HEADERS + AUTOMATIC
