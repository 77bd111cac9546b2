"""Mail: who is told what, in words that stand in 72 columns and in no header of their own."""

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from app.messages.notices import WIDTH, NoticeKind
from app.pages.mail.letters import compose_letter
from app.workflow.action_rows import Audience
from tests.conftest import START

ARGUMENTS = {
    "number": "58",
    "name": "urn:quokka:",
    "what": "Request 58 for urn:quokka: was sent.",
    "todo": "To check",
    "reason": "",
    "template": "",
    "link": "https://registry.example/requests/58",
    "why": "You take part.",
    "who": "An expert",
    "section": " on Syntax",
    "body": "Which syntax?",
    "count": "1 request",
    "when": "3 October 2026 at 12:00 UTC",
    "network": "192.0.2.0/24",
    "device": "Firefox on Linux",
    "rows": "  urn:quokka:, due 3 October 2026: https://registry.example/requests/58",
}


def composed(template: str = "registrant", **given: str) -> EmailMessage:
    return compose_letter(
        template,
        ARGUMENTS | given,
        sender="registry@registry.example",
        recipient="robin@org.example",
        message_id="<urn.58.1@registry.example>",
        date=START,
    )


def body(message: EmailMessage) -> str:
    return str(message.get_content())


@pytest.mark.parametrize("template", NoticeKind)
def test_every_notice_can_be_written(template: str) -> None:
    message = composed(template)
    assert message["To"] == "robin@org.example"
    assert message["Date"] == "Tue, 01 Sep 2026 12:00:00 +0000"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["In-Reply-To"] is None
    assert "{" not in message["Subject"] + body(message)
    assert ARGUMENTS["link"] in body(message).split("\n")


def test_what_follows_a_message_says_which() -> None:
    message = composed("list", in_reply_to="<urn.58.0@registry.example>")
    assert message["In-Reply-To"] == message["References"] == "<urn.58.0@registry.example>"


def test_what_stands_deep_in_a_thread_names_the_whole_of_it_on_one_line() -> None:
    ids = [f"<urn.58.{n:016x}@registry.example>" for n in range(40)]
    message = composed("comment", in_reply_to=ids[-1], thread=" ".join(ids))
    wire = message.as_bytes(policy=policy.SMTP.clone(max_line_length=None))
    line = next(line for line in wire.split(b"\r\n") if line.startswith(b"References: "))
    assert len(line) <= 998
    named = line.decode().split()[1:]
    assert [named[0], *named[-2:]] == [ids[0], *ids[-2:]]
    assert named[1:] == ids[-len(named) + 1 :]
    assert message["In-Reply-To"] == ids[-1]


def test_what_is_empty_leaves_no_gap() -> None:
    assert body(composed()) == (
        "You get this because you manage this request.\n\nRequest 58 for urn:quokka: was sent.\n\n"
        "Your turn: to check.\n\n"
        "https://registry.example/requests/58\n"
    )


def test_long_lines_are_folded_and_nothing_else_is_touched() -> None:
    words = "word " * 40
    text = f"{words}\n    grammar = " + "x" * 90 + "\nshort\tline  with  spaces\n\n\n{braces}"
    written = body(composed(reason=text))
    lines = written.split("\n")
    assert "    grammar = " + "x" * 90 in lines
    assert "short\tline  with  spaces" in lines
    assert "{braces}" in lines
    assert "\n\n\n{braces}" in written
    assert all(len(line) <= WIDTH or line.startswith("    ") for line in lines)
    assert written.count("word") == 40


@pytest.mark.parametrize("mark", ["> ", ">", "> > "])
def test_a_quotation_is_quoted_on_each_line_that_it_is_folded_to(mark: str) -> None:
    quoted = mark + "word " * 40
    lines = body(composed(reason=f"An expert asked:\n{quoted.strip()}\n\nChanged.")).split("\n")
    folded = [line for line in lines if "word" in line]
    assert len(folded) > 2
    assert all(line.startswith(f"{mark}word") and len(line) <= WIDTH for line in folded)


def test_a_link_is_never_folded() -> None:
    link = "https://registry.example/" + "a" * 90
    assert link in body(composed(link=link)).split("\n")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
@pytest.mark.parametrize("argument", ["name", "number", "todo"])
def test_a_line_end_never_makes_a_header(argument: str, end: str) -> None:
    with pytest.raises(ValueError, match="linefeed or carriage return"):
        composed("operators", **{argument: f"x{end}Bcc: all@org.example"})


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_words_stay_in_the_body_whatever_they_hold(end: str) -> None:
    evil = f"{end}{end}Bcc: all@org.example{end}{end}.{end}QUIT"
    message = message_from_bytes(bytes(composed(reason=f"x{evil}")), policy=policy.default)
    assert sorted(message.keys()) == sorted(composed().keys())
    assert message["Bcc"] is None


def test_other_scripts_arrive_as_they_were_written() -> None:
    words = "Grüße, 你好, \U0001f998"
    message = composed(reason=words, name="urn:ünreal:")
    again = message_from_bytes(bytes(message), policy=policy.default)
    assert words in str(again.get_content())
    assert "ünreal [urn 58]" in again["Subject"]


def test_experts_are_led_to_their_review_and_others_to_the_request() -> None:
    paths = {
        kind: kind.path.format(number=58)
        for kind in (*map(NoticeKind, Audience), NoticeKind.COMMENT)
    }
    assert paths[NoticeKind.EXPERTS] == "/review/58"
    assert paths[NoticeKind.COMMENT] == "/requests/58#discussion"
    assert {path.partition("#")[0] for path in paths.values()} == {"/review/58", "/requests/58"}


@pytest.mark.parametrize("template", [kind for kind in NoticeKind if kind.choice])
def test_a_persons_mail_says_where_to_stop_it_and_an_older_one_is_sent_too(template: str) -> None:
    account = "https://registry.example/account"
    assert body(composed(template, account=account)).rstrip().endswith(account)
    assert "Choose which e-mail" not in body(composed(template))
