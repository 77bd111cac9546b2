"""Strings that have broken software before, made rather than listed where that says more."""

_CONTROLS = [f"a{chr(code)}b" for code in (*range(0x20), 0x7F, 0x80, 0x85, 0x9F)]
_UNSEEN = [
    f"a{chr(code)}b"
    for code in (
        *(0x00A0, 0x00AD, 0x034F, 0x061C, 0x115F, 0x180E, 0x3000, 0xFEFF, 0xFFFC, 0xFFFD),
        *range(0x200B, 0x2010),
        *range(0x2028, 0x202F),
        *range(0x2060, 0x206A),
        *(0xE000, 0xFFFE, 0xFFFF, 0x1FFFE, 0xE0041, 0x10FFFF),
    )
]
_LOOKALIKES = [
    *("ISBN", "іsbn", "isbn.", "isbn-", "-isbn", "1sbn", "lsbn", "isbn\u0301", "ＩＳＢＮ"),
    *("urn", "urn-9", "urn-", "x-a", "X-A", "uk-mail", "xn--a", "ab", "a" * 33, "ſ", "K", "İ"),
    *("ﬃ", "ß", "Ω≈ç√∫", "Z\u0361\u0352\u0300" * 20, "👩\u200d👩\u200d👧", "مرحبا", "ทดสอบ", "𝒳"),
]
_NUMBERS = [
    *("-1", "0", "00000001", "1.0", "+1", " 1", "1 ", "1e3", "1e309", "0x10", "1_000", "٣", "½"),
    *("NaN", "Infinity", "-0", "1;", "2147483648", "9223372036854775807", "9223372036854775808"),
    *("9" * 40, "9" * 5000, "", " ", "\t", "null", "undefined", "true", "None", "[]", "{}"),
]
_SQL = [
    *("'", '"', "' OR '1'='1", "'; DROP TABLE request;--", "1) UNION SELECT 1,2,3--", "%' OR 1=1"),
    *(
        "\\'",
        "\\",
        "$1",
        ":name",
        "%s",
        "%(x)s",
        "%",
        "_",
        "?",
        "/*",
        "*/",
        "--",
        "$$x$$",
        "E'\\x'",
    ),
]
_CODE = [
    *("{{7*7}}", "{% raw %}", "{%", "}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{{config}}", "{0}"),
    *("{{''.__class__.__mro__}}", "%n%s%x", "%%", "$(id)", "`id`", ";id", "|id", "&&id"),
    *("${jndi:ldap://x}", "__import__('os')", "eval(1)", "() { :; }; echo", "\\u0000", "\\x00"),
]
_HTML = [
    *("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</textarea>", "</title>"),
    *("javascript:alert(1)", "<svg/onload=alert(1)>", "&lt;", "&#0;", "&", "<!--", "-->", "]]>"),
    *(
        "<![CDATA[",
        "<?xml version='1.0'?>",
        "<!DOCTYPE x [<!ENTITY a 'b'>]>&a;",
        "data:text/html,x",
    ),
    *("[a](javascript:alert(1))", "![x](https://e.example/x)", "<https://e.example>", "[x]: /y"),
]
_LINES = ["\r", "\n", "\r\n", "a\r\nSet-Cookie: x=y", "a\nBcc: x@e.example", "a\r\n\r\nb", "%0d%0a"]
_PATHS = [
    *(
        "../",
        "../../etc/passwd",
        "..%2f..%2f",
        "%2e%2e/",
        "..\\",
        "/etc/passwd",
        "file:///etc/passwd",
    ),
    *("//e.example", "/\\e.example", "C:\\x", "a/b", "a//b", ".", "..", ".git/config", "a?b=c#d"),
    *(
        "https://e.example/",
        "http://[",
        "http://169.254.169.254/",
        "~root",
        "%00",
        "%",
        "%zz",
        "%u0041",
    ),
]
_TABLES = ["=1+1", "+1", "-1+1", "@SUM(1)", "\t=1", "＝1", "=cmd|'/C x'!A0", 'a","b', "a;b", "a,b"]
_LONG = [
    *("x" * 200, "x" * 201, "x" * 8001, "é" * 32_768, "é" * 32_769, "a " * 30_000, "\n" * 4_000),
    *("[" * 3_000, "*" * 3_000, "`" * 3_000, "- " * 2_000, ">" * 3_000, "(" * 3_000, "<" * 3_000),
    *("[a](" * 1_500, "    " * 2_000, "1. a\n" * 1_500, "|" * 3_000, "&" * 3_000, "{{" * 1_500),
]

ALL = [
    *(*_CONTROLS, *_UNSEEN, *_LOOKALIKES, *_NUMBERS, *_SQL, *_CODE, *_HTML),
    *(*_LINES, *_PATHS, *_TABLES, *_LONG),
]
CORE = [
    *("", " ", "\0", "a\0b", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\ufffe", "\U000e0041"),
    *("x" * 201, "é" * 32_769, "9" * 40, "9223372036854775808", "-1", "٣", "' OR '1'='1", "%s"),
    *("{{7*7}}", "<\"'>", "</textarea>", "a\r\nb", "\r", "../../etc/passwd", "//e.example", "%00"),
    *("javascript:alert(1)", "http://[", "=1+1", "[" * 3_000, "👩\u200d👧", "ISBN", "None"),
]
