"""What somebody wrote, apart from what they quote, forward and sign with.

Both parts together hold every word of the text; a page shows the one and folds the other.
"""

import re
from collections.abc import Iterator, Sequence

_MOST_SIGNATURE = 12  # lines below a mark that is only two hyphens
_MOST_FOOTER = 8
_MOST_ATTRIBUTION = 3
_LONGEST_LINE = 1000  # of those that are looked at closely

_OPENS = re.compile(
    r"\s*(?:On|At|Am|Le|El|Em|Il|Den|På|Op|Dne|W dniu|Dnia|Li|Dana|Pada|Vào|Στις|Am|Kl|In|"
    r"\d{1,4}[./年-])(?!\w)",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:wrote|writes|said|schrieb|a écrit|écrit|escribió|escribio|escreveu|ha scritto|scrisse|"
    r"skrev|schreef|napsal\w*|napísal\w*|napisał\w*|pisze|kirjoitti|написал\w*|пишет|írta|yazdı|"
    r"έγραψε|a scris|napisao|je napisal\w*|menulis|đã viết)\b|写道|寫道|"
    r"のメール|さんは書きました|작성",
    re.IGNORECASE,
)
_MOMENT = re.compile(r"\d{1,2}[:.]\d{2}|\d{4}")
_TITLES = (
    r"Original Message|Original-Nachricht|Original Appointment|Forwarded message|"
    r"Forwarded by.{0,200}|Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d['’]origine|"
    r"Message original|Message transféré|Mensaje original|Mensaje reenviado|Mensagem original|"
    r"Mensagem encaminhada|Messaggio originale|Messaggio inoltrato|Oorspronkelijk bericht|"
    r"Doorgestuurd bericht|Ursprungligt meddelande|Oprindelig meddelelse|Opprinnelig melding|"
    r"Wiadomość oryginalna|Původní zpráva|Исходное сообщение|Пересылаемое сообщение|原始邮件|"
    r"转发的邮件|元のメッセージ"
)
_TITLE = re.compile(rf"\s*[-_=*]{{2,40}}\s*(?:{_TITLES})\s*:?\s*[-_=*]{{0,80}}\s*", re.IGNORECASE)
_BEGINS = re.compile(
    r"\s*(?:Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)|"
    r"Début du message (?:réexpédié|transféré)|Inicio del mensaje reenviado|"
    r"Inizio messaggio inoltrato)\s*:\s*",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"[\s*_]{0,9}(?:From|Von|De|Da|Från|Fra|Van|Od|От|Lähettäjä|Feladó|Kimden|Expéditeur|发件人|"
    r"差出人|보낸 사람)\s?[*_]{0,2}\s?[:：].*\S",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"[\s*_]{0,9}(?:Sent|Date|To|Cc|Subject|Reply-To|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|"
    r"Enviado(?: el)?|Enviada em|Fecha|Para|Asunto|Assunto|Inviato|A|Oggetto|Data|Skickat|Till|"
    r"Ämne|Sendt|Til|Emne|Verzonden|Aan|Onderwerp|Wysłano|Do|Temat|Отправлено|Дата|Кому|Тема|"
    r"发送时间|收件人|主题|日期|送信日時|宛先|件名|日時|날짜|받는 사람|제목)\s?[*_]{0,2}\s?[:：]",
    re.IGNORECASE,
)
_DEVICE = re.compile(
    r"\s*(?:Sent from (?:my|mail for|outlook|yahoo)|Get outlook for|Von meinem .{0,60} gesendet|"
    r"Gesendet (?:von|mit)|Envoyé (?:de|depuis) mon|Enviado (?:desde|do) m).{0,120}",
    re.IGNORECASE,
)
_FOOTER = re.compile(r"_{20,}\s*")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_ARMOR = re.compile(r"-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY BLOCK)-----")


def split_quoted(text: str) -> tuple[str, str]:
    """What the sender wrote, and what is to be folded: quotations, forwarded mail, signatures.

    Source: RFC 3676 sections 4.3 and 4.5.
    """
    lines, armor = _without_armor(text.split("\n"))
    cut = _cut(lines)
    own, behind = lines[:cut], lines[cut:]
    end = _tail(own)
    own, behind = own[:end], own[end:] + behind
    start = _lead(own)
    before, own = own[:start], own[start:]
    folded = (_trimmed(part) for part in (before, behind, armor))
    return _trimmed(own), "\n\n".join(part for part in folded if part)


def _trimmed(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()


def _without_armor(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    if not any(line.startswith("-----BEGIN PGP ") for line in lines):
        return list(lines), []
    kept: list[str] = []
    armor: list[str] = []
    state = "outside"
    for line in lines:
        if line.rstrip() == _SIGNED:
            state = "header"
            armor.append(line)
        elif _ARMOR.fullmatch(line.rstrip()):
            state = "signature"
            armor.append(line)
        elif state in {"header", "signature"}:
            armor.append(line)
            if state == "header" and not line.strip():
                state = "signed"
            elif line.startswith("-----END PGP"):
                state = "outside"
        else:
            kept.append(line.removeprefix("- ") if state == "signed" else line)
    return kept, armor


def _quoted(line: str) -> bool:
    return line.startswith(">")


def _cut(lines: Sequence[str]) -> int:
    for at, line in enumerate(lines):
        if not line or _quoted(line) or len(line) > _LONGEST_LINE:
            continue
        if line == "-- " or _TITLE.fullmatch(line) or _BEGINS.fullmatch(line):
            return at
        if _is_header_block(lines, at) or _is_bare_attribution(lines, at):
            return at - 1 if at and _FOOTER.fullmatch(lines[at - 1]) else at
    return len(lines)


def _is_header_block(lines: Sequence[str], at: int) -> bool:
    if not _FROM.fullmatch(lines[at]):
        return False
    return sum(_OTHERS.match(line) is not None for line in lines[at + 1 : at + 7]) >= 2


def _is_bare_attribution(lines: Sequence[str], at: int) -> bool:
    if not _OPENS.match(lines[at]):
        return False
    for count in range(1, _MOST_ATTRIBUTION + 1):
        words = " ".join(lines[at : at + count])[:_LONGEST_LINE].rstrip()
        if words.endswith((":", "：")):
            below = next(filter(str.strip, lines[at + count : at + count + 3]), ">")
            says = _SAYS.search(words) and _MOMENT.search(words)
            return bool(says) and not _quoted(below)
    return False


def _attribution(lines: Sequence[str], at: int) -> int:
    last = at - 1
    while last >= max(0, at - 2) and not lines[last].strip():
        last -= 1
    if last < 0 or not lines[last].rstrip()[-1:] or lines[last].rstrip()[-1] not in ":：":
        return at
    found = at
    for first in range(last, max(-1, last - _MOST_ATTRIBUTION), -1):
        if not lines[first].strip() or _quoted(lines[first]):
            break
        words = " ".join(lines[first : last + 1])[:_LONGEST_LINE]
        if _SAYS.search(words) or (_MOMENT.search(words) and "@" in words):
            found = min(found, first)
            if _OPENS.match(lines[first]):
                return first
    return found


def _tail(lines: Sequence[str]) -> int:
    end = len(lines)
    while True:
        while end and not lines[end - 1].strip():
            end -= 1
        shorter = _less(lines, end)
        if shorter == end:
            return end
        end = shorter


def _less(lines: Sequence[str], end: int) -> int:
    if not end:
        return end
    last = lines[end - 1]
    if _quoted(last):
        while end and _quoted(lines[end - 1]):
            end -= 1
        return _attribution(lines, end)
    if len(last) <= _LONGEST_LINE and _DEVICE.fullmatch(last):
        return end - 1
    for at in range(end - 1, max(-1, end - 1 - _MOST_SIGNATURE), -1):
        if lines[at].rstrip() == "--":
            return at
        if _quoted(lines[at]):
            return end
        if end - at <= _MOST_FOOTER and _FOOTER.fullmatch(lines[at][:_LONGEST_LINE]):
            return at
    return end


def _lead(lines: Sequence[str]) -> int:
    blocks = list(_blocks(lines))
    if len(blocks) == 2 and blocks[0][1]:
        return blocks[1][0]
    return 0


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, bool]]:
    marks = [_quoted(line) for line in lines]
    for at in range(len(lines)):
        if marks[at] and (at == 0 or not marks[at - 1]):
            for above in range(_attribution(lines, at), at):
                marks[above] = True
    before: bool | None = None
    for at, (line, mark) in enumerate(zip(lines, marks, strict=True)):
        if line.strip() and mark is not before:
            yield at, mark
            before = mark
