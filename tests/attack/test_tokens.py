"""What is mailed to one person lets nobody else in, wherever it is quoted, pasted or kept."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from io import BytesIO
from itertools import product

import pytest
from sqlalchemy import insert, select, update

from app.factory import asset_dir
from app.messages.delivery_errors import MessageRejected
from app.messages.incoming_message import read_message
from app.messages.mailed_tokens import REMOVED, TokenRedactor, tokens_in
from app.registration.declarations.registries import FORMAL
from app.registration.declarations.registry_groups import URN_GROUP
from app.services.accounts import sign_in
from app.services.delegates import delegate_mail
from app.services.editions import edition_build
from app.services.mail import incoming_mail, outbox_delivery
from app.services.mail.incoming_mail import read_reply, reply_address
from app.services.requests import comments
from app.services.stored_editions import stored_files
from app.store.accounts import account_rows, delegate_rows, sign_in_rows
from app.store.administration.migrations import migrate
from app.store.database import db, read_transaction, transaction
from app.store.digests import sha256
from app.store.editions import edition_rows
from app.store.mail import outbox_messages
from app.store.tables import Account, Claim, Comment, Event, Outbox, SignIn
from app.store.tables.delegates import ClaimState
from app.store.tables.discussion import MailDisposition
from app.workflow.reviews import Verdict
from app.workflow.states import Action
from tests import factories
from tests.conftest import START
from tests.messages.test_tokens import DISGUISES, MAILED
from tests.store.downgrading import migrate_down
from tests.torture.conftest import some
from tests.web.conftest import EMAILS, World, newest_link
from tests.web.visitor import Page, Visitor

REPLY = "reply@registry.example"
BASE = "http://127.0.0.1:8000"
SECRET = factories.SECRET


def sent_mail(world: World, recipient: str = "") -> list[EmailMessage]:
    """Everything that waits goes out; gives what went to an address."""
    taken: list[EmailMessage] = []
    with world.app.app_context():
        while outbox_delivery.send_waiting(
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


def file(world: World, raw: bytes) -> incoming_mail.IngestResult:
    """A message comes in."""
    at = world.app.extensions["now"]()
    with world.app.app_context():
        return incoming_mail.ingest(raw, at, factories.policy(SECRET))


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


def test_who_is_signed_out_and_opens_the_page_of_a_review_mail_signs_in_and_comes_back(
    fresh: World,
) -> None:
    page = f"/review/{passed_on(fresh)}"
    expert = Visitor(fresh.app)
    asked = expert.get(page)
    assert (asked.status, asked.location) == (303, f"/sign-in?next={page}")
    sent = expert.send(asked.location, {"email": EMAILS["expert"]}, action="/sign-in")
    assert sent.status == 200
    entered = expert.post(f"/sign-in/{newest_link(fresh.app, EMAILS['expert'])}")
    assert (entered.status, entered.location) == (303, page)
    assert expert.get(page).status == 200


# ---- every way in of a message, every kind of token, every disguise: what is kept has none


def _message(**headers: str) -> EmailMessage:
    message = EmailMessage()
    given = {"From": EMAILS["expert"], "To": REPLY, "Subject": "[urn 2] About it"} | headers
    for name, value in given.items():
        message[name] = value
    return message


def _plain(body: str, **headers: str) -> bytes:
    message = _message(**headers)
    message.set_content(body)
    return message.as_bytes()


def _html(body: str) -> bytes:
    message = _message()
    message.set_content(f"<p>I mean this.</p>{body}", subtype="html")
    return message.as_bytes()


def _encoded(body: str, encoding: str) -> bytes:
    message = _message()
    message.set_content(f"I mean this.\n\n{body}\n", cte=encoding)
    return message.as_bytes()


def _with_file(name: str, body: str) -> bytes:
    message = _message()
    message.set_content("It is attached.")
    message.add_attachment(body, filename=name)
    return message.as_bytes()


def _forwarded(body: str) -> bytes:
    inner, message = _message(Subject=body.replace("\r", "").replace("\n", "")), _message()
    inner.set_content(f"Look:\n{body}")
    message.set_content("I pass it on.")
    message.add_attachment(inner)
    return message.as_bytes()


def _raw_header(name: str, value: str) -> bytes:
    """A header as it comes, whatever is in it."""
    line = value.replace("\r", "").replace("\n", "\r\n ")
    head = f"From: {EMAILS['expert']}\r\nTo: {REPLY}\r\n{name}: {line}\r\n"
    return f"{head}\r\nI mean this.\r\n".encode()


def _bounce(body: str) -> bytes:
    return (
        "From: mailer-daemon@mail.example\nTo: registry@registry.example\n"
        "Subject: Undelivered Mail Returned to Sender\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\n\nIt did not arrive.\n\n--b\nContent-Type: message/delivery-status\n\n"
        "Reporting-MTA: dns; mail.example\n\nFinal-Recipient: rfc822; gone@org.example\n"
        f"Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user {_line(body)}\n\n"
        "--b\nContent-Type: message/rfc822\n\nFrom: registry@registry.example\n"
        f"To: gone@org.example\nSubject: Your sign-in link\n\n{body}\n\n--b--\n"
    ).encode()


def _line(text: str) -> str:
    return text.replace("\r", "").replace("\n", "\n ")


def _alternative(body: str) -> bytes:
    """A token in the form of a text that is not the one that is read."""
    message = _message()
    message.set_content("I mean this.")
    message.add_alternative(f"<p>I mean this.</p>{body}", subtype="html")
    return message.as_bytes()


WAYS_IN: Mapping[str, Callable[[str], bytes]] = {
    "the text": lambda token: _plain(f"See {token} there."),
    "a quotation": lambda token: _plain(f"Yes.\n\nOn Tuesday 12:00 she wrote:\n> {token}\n"),
    "a signature": lambda token: _plain(f"Yes.\n\n-- \n{token}\n"),
    "quoted-printable": lambda token: _encoded(token, "quoted-printable"),
    "base64": lambda token: _encoded(token, "base64"),
    "HTML": lambda token: _html(f"<p>{token}</p>"),
    "an attribute": lambda token: _html(f'<a href="{token}">Open</a>'),
    "an image's words": lambda token: _html(f'<img alt="{token}">'),
    "the other form": _alternative,
    "an attachment": lambda token: _with_file("notes.txt", token),
    "its name": lambda token: _with_file(_line(token).replace("\n", ""), "Hello."),
    "a message inside": _forwarded,
    "a bounce": _bounce,
    "the subject": lambda token: _raw_header("Subject", f"Re: {token}"),
    "the sender's name": lambda token: _raw_header("Reply-To", token),
    "what it follows": lambda token: _raw_header("References", f"<{token}@x.example>"),
    "its id": lambda token: _raw_header("Message-ID", f"<{token}@x.example>"),
    "its archive": lambda token: _raw_header("Archived-At", f"<https://lists.example/?{token}>"),
}


@pytest.mark.parametrize("way", WAYS_IN)
def test_of_a_message_that_comes_in_no_token_is_kept(way: str) -> None:
    """Every kind, in every disguise."""
    wrong = []
    for (kind, (address, token)), (name, disguise) in product(MAILED.items(), DISGUISES.items()):
        behind = "@registry.example" if "reply" in kind else ""
        raw = WAYS_IN[way](disguise(address + token.text + behind))
        incoming = read_message(raw, clean=TokenRedactor())
        kept = repr(incoming)
        letters = re.sub(r"\\x..|\\u....|[^a-z0-9]", "", kept.lower())
        end = token.text[-20:].replace(".", "")
        if tokens_in(kept) or end in letters:
            wrong.append((kind, name, kept))
    assert wrong == []


# ---- what comes in is revoked


@dataclass
class Mailed:
    """Tokens that were mailed to people, and whether each works still."""

    world: World

    def sign_in(self) -> str:
        """A link to sign in."""
        at = self.world.app.extensions["now"].on(minutes=3.5)
        with self.world.app.app_context():
            guest = f"new{at.timestamp():.0f}@org.example"
            sign_in.ask_for_link(guest, "/", at, secret=SECRET, host="localhost")
        return f"{BASE}/sign-in/{newest_link(self.world.app, guest)}"

    def claim(self) -> str:
        """An invitation."""
        at = self.world.app.extensions["now"].on(minutes=3.5)
        with self.world.app.app_context():
            robin = factories.person(EMAILS["registrant"], START, name="Robin")
            factories.invite(robin, f"guest{at.timestamp():.0f}@org.example", at, SECRET)
            with read_transaction():
                number = max(db.session.scalars(select(Claim.number)))
            return f"{BASE}/links/{delegate_mail.token_of_claim(number, SECRET)}"

    def reply(self) -> str:
        """The leader's address for answers."""
        at = self.world.app.extensions["now"].on(minutes=3.5)
        with self.world.app.app_context(), read_transaction():
            account = account_rows.find_account(EMAILS["leader"])
            assert account is not None
            known = {"at": at, "generation": account.reply_generation}
            number = self.world.numbers["reviewed"]
            return reply_address(REPLY, number, account.id, SECRET, **known)

    def older(self, address: str) -> str:
        """The same link as older software made it."""
        (token,) = tokens_in(address)
        older = sha256(token.text)
        with self.world.app.app_context(), transaction():
            for column in (SignIn.token_sha256, Claim.token_sha256):
                changed = update(column.class_).where(column == sha256(token.text))
                db.session.execute(changed.values(token_sha256=sha256(older)))
        return address.replace(token.text, older)

    def works(self, address: str) -> bool:
        """Whether who has it can do what it is for."""
        at = self.world.app.extensions["now"]()
        with self.world.app.app_context(), read_transaction():
            if address.startswith("reply+"):
                return read_reply([address], SECRET, at) is not None
            token = address.rpartition("/")[2]
            claim = delegate_rows.find_claim_of(token)
            is_open = claim is not None and claim.state == ClaimState.OPEN
            return is_open or sign_in.is_usable(token, at)


@pytest.fixture
def mailed(fresh: World) -> Mailed:
    """A world in which something was mailed to people."""
    return Mailed(fresh)


MAKERS: dict[str, Callable[[Mailed], str]] = {
    "sign-in": Mailed.sign_in,
    "claim": Mailed.claim,
    "old sign-in": lambda mailed: mailed.older(mailed.sign_in()),
    "old claim": lambda mailed: mailed.older(mailed.claim()),
    "reply": Mailed.reply,
}


def _made(mailed: Mailed) -> Iterator[tuple[str, str]]:
    return ((kind, make(mailed)) for kind, make in MAKERS.items())


def _everything(world: World) -> str:
    """All that the database holds but who is to go where after signing in."""
    with world.app.app_context(), db.engine.connect() as connection:
        rows = (
            [getattr(row, column.name) for column in table.columns if column.name != "next"]
            for table in db.metadata.sorted_tables
            for row in connection.execute(table.select())
        )
        return "\n".join(str(row).lower() for row in rows)


def test_a_link_that_comes_in_by_mail_works_no_more_whatever_becomes_of_the_message(
    mailed: Mailed,
) -> None:
    # a bounce brings somebody's own address for answers back to us alone
    left = {("a bounce", "reply"), ("the sender's name", "reply")}
    is_sqlite = "sqlite" in mailed.world.app.extensions["settings"].database
    wrong, seen, secrets_ = [], set(), []
    # what is recognized is no matter of databases: PostgreSQL has each way with some of the kinds
    for place, way in enumerate(WAYS_IN):
        for kind in some(tuple(MAKERS), 1 if is_sqlite or (way, "reply") in left else 3, place):
            address = MAKERS[kind](mailed)
            assert mailed.works(address), kind
            seen.add(file(mailed.world, WAYS_IN[way](address)).filed)
            secrets_ += [token.text for token in tokens_in(address)]
            if mailed.works(address) is not ((way, kind) in left):
                wrong.append((way, kind))
    assert wrong == []
    assert {MailDisposition.QUEUED, MailDisposition.BOUNCE} <= seen
    kept = _everything(mailed.world)
    assert [secret for secret in secrets_ if secret in kept] == []


def test_what_a_machine_answers_and_what_comes_again_revokes_too(mailed: Mailed) -> None:
    address = mailed.sign_in()
    answer = _plain(f"I am away.\n\n> {address}\n", **{"Auto-Submitted": "auto-replied"})
    assert file(mailed.world, answer).filed is MailDisposition.IGNORED
    assert not mailed.works(address)
    second = mailed.sign_in()
    first, again = (
        _plain(body, **{"Message-ID": "<1@expert.example>"}) for body in ("Yes.", f"Yes. {second}")
    )
    file(mailed.world, first)
    assert file(mailed.world, again).filed is MailDisposition.IGNORED
    assert not mailed.works(second)


def test_an_answer_to_ones_own_address_is_no_leak_and_one_that_the_list_gets_is(
    mailed: Mailed,
) -> None:
    own = mailed.reply()
    sender = {"From": EMAILS["leader"], "To": own}
    assert file(mailed.world, _plain("To us alone.", **sender)).filed is MailDisposition.COMMENT
    assert mailed.works(own)
    posted = sender | {"Cc": factories.POST.list_address}
    assert file(mailed.world, _plain("To all.", **posted)).filed is MailDisposition.COMMENT
    assert not mailed.works(own), "everybody on the list has read it"
    assert mailed.works(mailed.reply()), "the next mail has another"


def test_who_quotes_their_own_address_is_known_this_once_and_no_more(mailed: Mailed) -> None:
    own = mailed.reply()
    sender = {"From": EMAILS["leader"], "To": own, "Subject": "Mine"}
    first = file(mailed.world, _plain(f"I am {own} here.", **sender))
    assert (first.filed, first.request) == (
        MailDisposition.COMMENT,
        mailed.world.numbers["reviewed"],
    )
    second = file(mailed.world, _plain("And again.", **sender))
    assert second.request is None, "it is a message without a token"
    assert own.partition("@")[0] not in _everything(mailed.world)


def test_nobody_revokes_what_they_do_not_know(mailed: Mailed) -> None:
    address, claim, link = mailed.reply(), mailed.claim(), mailed.sign_in()
    tried = [real[:-9] + "222" + real[-6:] for real in (link, claim)]
    local, _, domain = address.partition("@")
    tried.append(f"{local[:-3]}222@{domain}")
    file(mailed.world, _plain("\n".join(tried)))
    mailed.world.visitor("rival").post("/tools/nid", {"q": "\n".join(tried)})
    assert all(map(mailed.works, (address, link, claim)))


def test_a_link_that_was_published_is_called_off_with_its_event(mailed: Mailed) -> None:
    file(mailed.world, _plain(mailed.claim()))
    with mailed.world.app.app_context(), read_transaction():
        last = db.session.scalars(select(Event).where(Event.kind == "invitation called off")).one()
        assert (last.about, last.role, bool(last.reason)) == ("quokka", "registry", True)


def test_a_transfer_goes_on_when_the_link_that_stops_it_was_published(fresh: World) -> None:
    with fresh.app.app_context(), read_transaction():
        number = db.session.scalars(select(Claim.number).where(Claim.kind == "transfer")).one()
    link = f"{BASE}/links/{delegate_mail.token_of_claim(number, SECRET)}"
    stranger = Visitor(fresh.app)
    assert stranger.get(link.removeprefix(BASE)).status == 200
    file(fresh, _plain(link))
    assert stranger.get(link.removeprefix(BASE)).status == 410
    with fresh.app.app_context(), read_transaction():
        claim = delegate_rows.find_claim(number)
        assert claim is not None
        assert claim.state == ClaimState.OPEN


# ---- every form


def _say(world: World, words: str) -> tuple[Visitor, Page]:
    number = world.numbers["new"]
    visitor = world.visitor("rival")
    page = visitor.send(
        f"/requests/{number}", {"comment": words}, action=f"/requests/{number}/comments"
    )
    assert page.status == 303
    return visitor, page


def _save(world: World, words: str) -> tuple[Visitor, Page]:
    number = world.numbers["draft"]
    visitor = world.visitor("registrant")
    page = visitor.send(f"/requests/{number}/edit/name-and-purpose", {"purpose": words})
    assert page.status == 303
    return visitor, page


def _upload(world: World, words: str) -> tuple[Visitor, Page]:
    visitor = world.visitor("rival")
    file_ = (BytesIO(f"Purpose:\n{words}\n".encode()), "template.txt")
    fields = {"file": file_, "registry": FORMAL.id}
    page = visitor.post("/requests/new/template", fields, content_type="multipart/form-data")
    assert page.status == 303
    return visitor, page


def _keep(world: World, words: str) -> tuple[Visitor, Page]:
    """A form of somebody whose session ran out, which goes along with their link."""
    number, visitor = world.numbers["new"], Visitor(world.app)
    page = visitor.post(f"/requests/{number}/comments", {"comment": words})
    assert page.status == 401
    given = page.form("/sign-in") | {"email": "new@org.example"}
    visitor.post("/sign-in", given)
    return visitor, page


FORMS = {"a comment": _say, "a draft": _save, "a file": _upload, "a form that is kept": _keep}


@pytest.mark.parametrize("form", FORMS)
def test_a_link_in_a_form_is_taken_out_and_works_no_more_and_who_sent_it_is_told(
    mailed: Mailed, form: str
) -> None:
    for kind, address in _made(mailed):
        (token,) = tokens_in(address)
        visitor, page = FORMS[form](mailed.world, f"See {address} there.")
        assert not mailed.works(address), kind
        assert token.text not in _everything(mailed.world), kind
        assert "We removed" in page.words + visitor.get("/help/").words, kind


def test_the_way_back_after_signing_in_can_be_an_invitation(mailed: Mailed) -> None:
    address = mailed.claim()
    path = address.removeprefix(BASE)
    guest = Visitor(mailed.world.app)
    asked = guest.send(f"/sign-in?next={path}", {"email": "guest@org.example"}, action="/sign-in")
    assert asked.status == 200
    entered = guest.post(f"/sign-in/{newest_link(mailed.world.app, 'guest@org.example')}")
    assert (entered.location, mailed.works(address)) == (path, True)


def test_a_message_that_an_operator_pastes_comes_in_like_any_other(mailed: Mailed) -> None:
    own, other = mailed.reply(), mailed.sign_in()
    raw = _plain(f"See {other}.", From=EMAILS["leader"], To=own).decode()
    page = mailed.world.visitor("operator").send("/desk/mail/", {"message": raw})
    assert page.status == 303
    public = Visitor(mailed.world.app).get(f"/requests/{mailed.world.numbers['reviewed']}")
    assert f"See {REMOVED}." in public.words
    assert not mailed.works(other)


# ---- what older software kept


def _published(world: World, body: str, folded: str = "") -> int:
    """A comment as older software kept it, which nothing can change."""
    number = world.numbers["new"]
    with world.app.app_context(), transaction():
        author = db.session.scalars(select(Account.id)).first()
        given = {
            "request": number,
            "at": START,
            "author": author,
            "role": "expert",
            "signature": "",
            "relayed": False,
            "section": "",
            "body": body,
            "folded": folded,
            "message_id": "<old@expert.example>",
        }
        db.session.execute(insert(Comment).values(**given))
    return number


def test_pages_and_documents_leave_out_what_older_software_kept(mailed: Mailed) -> None:
    made = dict(_made(mailed))
    body = "\n\n".join(f"{kind}: {address}" for kind, address in made.items())
    quoted = "\n".join(f"> {address[:50]}\n> {address[50:]}" for address in made.values())
    number = _published(mailed.world, body, quoted)
    wrong = []
    for path in (f"/requests/{number}", f"/requests/{number}/record.txt", "/requests/"):
        for who in ("stranger", "expert", "operator"):
            page = mailed.world.visitor(who).get(path)
            if page.status == 200 and tokens_in(page.html):
                wrong.append((path, who))
    assert wrong == []
    assert REMOVED in mailed.world.visitor().get(f"/requests/{number}").words


def test_of_a_template_too_every_document_and_the_edition_leave_it_out(mailed: Mailed) -> None:
    """A service is asked here and not a form, as older software let it in."""
    address, app = mailed.older(mailed.sign_in()), mailed.world.app
    words = f"For zoos, see {address} there."
    with app.app_context():
        people = factories.cast(START)
        number = factories.in_review(people, START, namespace_identifier="sugarglider")
        factories.review(number, people.expert, Verdict.RETURN, START)
        factories.change_text(number, people.registrant, START, purpose=words)
        factories.act(number, Action.RESUBMIT, people.registrant, START)
        factories.review(number, people.expert, Verdict.APPROVE, START, reason=words)
        factories.review(number, people.second_expert, Verdict.APPROVE, START)
        reference = factories.REFERENCE
        factories.act(number, Action.REGISTER, people.operator, START, reference=reference)
        edition_build.build_pending(START, factories.PLACE)
        with read_transaction():
            edition = max(edition_rows.built(URN_GROUP))
            bodies = [edition_rows.content(file.sha256) for file in stored_files.files_of(edition)]
    assert not any(tokens_in(body.decode()) for body in bodies)
    assert any(REMOVED in body.decode() for body in bodies)
    request = f"/requests/{number}"
    ways = ("", "/record.txt", "/iterations/2", "/iterations/2.txt", "/diff", "/diff.txt")
    paths = [request + way for way in (*ways, "/internet-draft.xml", "/message.txt", "/draft.txt")]
    paths += [f"/namespaces/sugarglider{way}" for way in ("", ".txt", ".json", "/versions/1")]
    pages = {path: mailed.world.visitor("operator").get(path) for path in paths}
    assert [path for path, page in pages.items() if tokens_in(page.html)] == []
    shown = [path for path, page in pages.items() if REMOVED in page.html]
    assert {request, *(request + way for way in ways[1:])} <= set(shown)


@pytest.mark.postgresql
def test_a_mail_server_that_quotes_the_link_of_what_it_refuses_publishes_none(
    mailed: Mailed,
) -> None:
    mailed.sign_in()

    def refuse(letter: EmailMessage) -> None:
        raise MessageRejected(f"554 It looks like spam: {letter.get_content()}")

    with mailed.world.app.app_context():
        at = mailed.world.app.extensions["now"]()
        for _ in range(100):  # each that is refused ends a round
            outbox_delivery.send_waiting(
                at, deliver=refuse, sender="r@registry.example", secret=SECRET, base_url=BASE
            )
        with read_transaction():
            whys = list(db.session.scalars(select(Outbox.why).where(Outbox.sign_in.is_not(None))))
    assert any(REMOVED in why for why in whys)
    assert not any(map(tokens_in, whys))


def test_mail_leaves_out_what_older_software_kept(mailed: Mailed) -> None:
    address = mailed.sign_in()
    with mailed.world.app.app_context(), transaction():
        arguments = {"number": "1", "name": "x", "body": f"See {address}.", "who": "She", "why": ""}
        arguments |= {"section": "", "link": BASE, "account": BASE}
        message = outbox_messages.OutgoingMessage(
            recipient="a@org.example",
            template="comment",
            arguments=arguments,
            message_id="<9@127.0.0.1>",
            created=START,
        )
        outbox_messages.add(message)
    (letter,) = sent_mail(mailed.world, "a@org.example")
    assert f"See {REMOVED}." in letter.get_content()


def test_an_edit_of_what_older_software_kept_does_not_publish_it_anew(mailed: Mailed) -> None:
    address = mailed.sign_in()
    number = _published(mailed.world, "Yes.", f"> {address}")
    with mailed.world.app.app_context():
        with read_transaction():
            row = db.session.scalars(select(Comment).order_by(Comment.id.desc())).first()
            assert row is not None
            author = account_rows.get_account(row.author)
            given = (number, row.id, "No.")
            actor = factories.person(author.email, START)
        comments.change(factories.command(actor, START), *given)
        with read_transaction():
            last = db.session.scalars(select(Comment).order_by(Comment.id.desc())).first()
            assert last is not None
            assert last.folded == f"> {REMOVED}"


def test_the_command_tells_where_tokens_stand_and_ends_them(mailed: Mailed) -> None:
    made = dict(_made(mailed))
    number = _published(mailed.world, made["sign-in"], "\n".join(made.values()))
    at = mailed.world.app.extensions["now"]()
    with mailed.world.app.app_context():
        found = incoming_mail.find_leaks(at, SECRET)
        places = [(leak.place.table, leak.place.column, leak.place.request) for leak in found]
        assert set(places) == {("comment", "body", number), ("comment", "folded", number)}
        assert len(places) == 1 + len(made)
        assert all(leak.works for leak in found)
        incoming_mail.revoke_all(at, SECRET)
        assert not any(leak.works for leak in incoming_mail.find_leaks(at, SECRET))
    assert not any(map(mailed.works, made.values()))


def test_who_used_a_link_that_was_published_is_out_and_others_stay(mailed: Mailed) -> None:
    clock = mailed.world.app.extensions["now"]
    link = mailed.sign_in()
    _published(mailed.world, f"> {link}")
    clock.on(minutes=1)
    with mailed.world.app.app_context():
        (token,) = (one.text for one in tokens_in(link))
        stranger = sign_in.use_link(token, clock()).token
        before = mailed.world.tokens
        with read_transaction():
            assert sign_in.who(stranger, clock()) is not None
        assert incoming_mail.revoke_all(clock(), SECRET) == 1
        with read_transaction():
            assert sign_in.who(stranger, clock()) is None
            assert all(sign_in.who(token, clock()) for token in before.values())
        assert incoming_mail.revoke_all(clock(), SECRET) == 0


@pytest.mark.postgresql
def test_what_older_software_left_open_signs_nobody_in_after_an_upgrade(fresh: World) -> None:
    with fresh.app.app_context():
        scripts = asset_dir("migrations")
        migrate_down(scripts, "0005")
        with transaction():
            sign_in_rows.add_sign_in("work", EMAILS["expert"], "older", "/review/1", START)
            is_work = SignIn.id == "work"
            db.session.execute(update(SignIn).where(is_work).values(expires=START, kept="x"))
        migrate(scripts)
        with read_transaction():
            used = db.session.scalars(select(SignIn).where(is_work)).one()
            assert (used.used, used.kept) == (START, "")
            assert not sign_in.is_usable("older", START)
