"""What is mailed to one person lets nobody else in, wherever it is quoted, pasted or kept."""

import re
from email.message import EmailMessage

from app.services import ingesting, mailing
from tests import factories
from tests.web.conftest import EMAILS, World
from tests.web.visitor import Visitor

REPLY = "reply@registry.example"
BASE = "http://127.0.0.1:8000"
SECRET = factories.SECRET


def sent_mail(world: World, recipient: str = "") -> list[EmailMessage]:
    """Everything that waits goes out; gives what went to an address."""
    taken: list[EmailMessage] = []
    with world.app.app_context():
        while mailing.send_waiting(
            world.app.extensions["now"](),
            deliver=taken.append,
            sender="registry@registry.example",
            secret=SECRET,
            base_url=BASE,
            reply_to=REPLY,
        ):
            pass
    return [letter for letter in taken if recipient in {"", letter["To"]}]


def answer_to(letter: EmailMessage, sender: str, body: str) -> bytes:
    """An answer as mail programs write it: what it answers stands below, each line marked."""
    answer = EmailMessage()
    answer["From"], answer["To"] = sender, letter["Reply-To"] or REPLY
    answer["Subject"] = f"Re: {letter['Subject']}"
    answer["In-Reply-To"] = letter["Message-ID"]
    quoted = "\n".join(f"> {line}" for line in letter.get_content().splitlines())
    answer.set_content(f"{body}\n\nOn Tuesday the registry wrote:\n{quoted}\n")
    return answer.as_bytes()


def file(world: World, raw: bytes) -> ingesting.Outcome:
    """A message comes in."""
    at = world.app.extensions["now"]()
    with world.app.app_context():
        return ingesting.ingest(raw, at, factories.POST, secret=SECRET)


def passed_on(world: World) -> int:
    """The operator passes a request to the experts, as their page does it."""
    number = world.numbers["checked"]
    operator = world.visitor("operator")
    page = f"/requests/{number}"
    assert operator.send(page, {}, action=f"/requests/{number}/pass").status == 303
    return number


def test_a_review_mail_that_an_expert_quotes_lets_no_stranger_decide(fresh: World) -> None:
    number = passed_on(fresh)
    (mail,) = (
        letter
        for letter in sent_mail(fresh, EMAILS["expert"])
        if f"[urn {number}]" in letter["Subject"]
    )
    answer = answer_to(mail, EMAILS["expert"], "I shall look at it.")
    assert file(fresh, answer).request == number
    stranger = Visitor(fresh.app)
    public = stranger.get(f"/requests/{number}").html
    assert "I shall look at it." in public
    links = re.findall(r"/sign-in/(\w+)", mail.get_content() + public)
    for token in links:
        stranger.post(f"/sign-in/{token}")
    assert stranger.get(f"/review/{number}").status == 303, "the stranger is asked to sign in"
    assert links == []
