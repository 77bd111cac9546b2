"""Bytes of a message as text, in whatever charset they say or do not say."""

import re
from encodings.aliases import aliases

_NO_TEXT = {
    "base64_codec",
    "bz2_codec",
    "hex_codec",
    "mbcs",
    "quopri_codec",
    "rot_13",
    "tactis",
    "uu_codec",
    "zlib_codec",
}
_CODECS = (set(aliases.values()) | {"cp874"}) - _NO_TEXT
# Labels whose bytes are those of a larger set, as senders use them and browsers read them.
_LARGER = {
    "ascii": "cp1252",
    "latin_1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859_9": "cp1254",
}
_OTHER_LABELS = {
    "iso_8859_8_i": "iso8859_8",
    "iso_8859_8_e": "iso8859_8",
    "ks_c_5601_1987": "cp949",
    "windows_31j": "cp932",
    "x_sjis": "cp932",
    "x_euc_jp": "euc_jp",
    "x_gbk": "gb18030",
    "x_mac_roman": "mac_roman",
    "windows_874": "cp874",
}
# What no text here may hold: controls other than tab and line end, half pairs, no characters.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_BIDI = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def decode_bytes(data: bytes, charset: str = "") -> str:
    """Bytes as text: in the charset that is named, else in UTF-8, else in Windows-1252.

    Source: RFC 2045 section 5.2; RFC 2046 section 4.1.2.
    """
    named = _codec(charset)
    for codec in (named, "utf-8") if named != "cp1252" else ("utf-8", named):
        if codec:
            try:
                return data.decode(codec)
            except (UnicodeError, LookupError):
                continue
    return data.decode(named or "cp1252", "replace")


def _codec(charset: str) -> str:
    label = re.sub(r"[^a-z0-9]+", "_", charset[:80].strip().lower())
    codec = _OTHER_LABELS.get(label) or aliases.get(label, label)
    return _LARGER.get(codec, codec) if codec in _CODECS else ""


def clean_text(text: str) -> str:
    """A text whose line ends are line feeds, without controls and halves of pairs."""
    text = _LINE_ENDS.sub("\n", text)
    return _UNFIT.sub(lambda found: " " if found[0] < "\xa0" else "\ufffd", text)


def one_line(text: str, most: int) -> str:
    """A text on one line, without controls and without what turns the order of its letters."""
    return " ".join(_BIDI.sub("", clean_text(text)).split())[:most].rstrip()
