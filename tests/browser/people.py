"""People at browsers of their own, who bring requests to where the tests want to see them."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext

_ANSWER = re.compile(r'name="(answer_[a-z]+_\d+_\d+)"')
_ACTION = re.compile(r'action="([^"]+)"')
_HIDDEN = re.compile(r'<input type="hidden"\s+name="(\w+)"\s+value="([^"]*)">')

ANSWERS = {
    "name-and-purpose": {
        "purpose": "Names for the quokkas of Rottnest Island, used by zoos and scientists on the "
        "Internet.\n\nNo other namespace names single animals.",
        "standard": "no",
        "title": "Quokka Names",
    },
    "registrant": {
        "organization": "Quokka Society",
        "registrant": "Quokka Society\n1 Thomson Bay, Rottnest Island\nnames@quokka.example",
        "contact_name": "Quentin Quick",
        "contact_address": "quentin@quokka.example",
    },
    "syntax": {
        "syntax": "A name is a number, and may be followed by a year:\n\n"
        '    quokka-urn = "urn:quokka:" number [ ":" year ]\n'
        '    number     = 1*DIGIT ; without "0" at its start\n'
        "    year       = 4DIGIT\n\n- `urn:quokka:7`\n- `urn:quokka:7:2026`",
    },
    "assignment": {
        "assignment": "The society numbers the animals in the order in which it first sees them, "
        "and never gives a number twice.",
    },
    "safety-and-use": {
        "security_and_privacy": "None known. A name says nothing about people.",
        "interoperability": "None known.",
        "resolution": "Not intended.",
    },
    "documents": {
        "documentation": "https://quokka.example/specifications/the-naming-of-quokkas/2026/#names",
    },
}

UNUSED = """Its names are numbers:

    isbm-urn = "urn:isbm:" 1*DIGIT
    year     = 4DIGIT

- `urn:isbm:7`
"""


class Person:
    """Somebody of the demonstration, or a stranger, with a browser of their own."""

    def __init__(self, context: BrowserContext, name: str = "") -> None:
        self.context = context
        if name:
            forms = context.request.get("/sign-in").text().split("<form")
            action = _ACTION.search(next(form for form in forms if name in form))
            assert action
            self.send("/sign-in", to=action[1])

    def send(self, path: str, to: str = "", **answers: str) -> str:
        """Fill in the form at a path and send it, there or to another; gives where that led."""
        page = self.context.request.get(path).text()
        forms = (form for form in page.split("<form") if f'action="{to}"' in form)
        carried = dict(_HIDDEN.findall(next(forms, page) if to else page))
        answer = self.context.request.post(to or path, form=carried | answers)
        assert answer.ok, f"{answer.status} {path}: {answer.text()}"
        return urlsplit(answer.url).path

    def start(self, registry: str = "urn-namespaces-1") -> int:
        """Begin a request and give its number."""
        return int(self.send("/requests/new", registry=registry).split("/")[2])

    def write(self, number: int, name: str = "", pages: int = len(ANSWERS), **changed: str) -> None:
        """Fill in the form of a request, or the first of its pages."""
        for section, answers in list(ANSWERS.items())[:pages]:
            named = {"namespace_identifier": name} if name and "purpose" in answers else {}
            named_so = (
                f"urn:{name or 'quokka'}:"  # for its examples are of the name that it asks for
            )
            own = {
                field: changed.get(field, text.replace("urn:quokka:", named_so))
                for field, text in answers.items()
            }
            self.send(f"/requests/{number}/edit/{section}", **named, **own)

    def ask(self, name: str, **changed: str) -> int:
        """Send a request for a name and give its number."""
        number = self.start()
        self.write(number, name, len(ANSWERS), **changed)
        self.send(f"/requests/{number}/check")
        return number

    def send_again(self, number: int) -> None:
        """Send a text that was returned, and say of all that was asked that it was changed."""
        path = f"/requests/{number}/check"
        asked = set(_ANSWER.findall(self.context.request.get(path).text()))
        self.send(path, **dict.fromkeys(asked, "changed"))

    def act(self, number: int, *actions: str, reason: str = "") -> None:
        """Take actions on a request, one after the other."""
        for action in actions:
            self.send(f"/requests/{number}", to=f"/requests/{number}/{action}", reason=reason)

    def claim(self, name: str, shown: str) -> None:
        """Claim a name by what shows it."""
        path = f"/namespaces/{name}/claim"
        self.send(path, to=f"{path}/evidence", shown=shown)

    def review(self, number: int, verdict: str, reason: str) -> None:
        """Send a review of a request."""
        self.send(f"/review/{number}", verdict=verdict, reason=reason)


@dataclass(frozen=True, slots=True)
class Company:
    """A registrant, two experts and an operator."""

    robin: Person
    ellis: Person
    emery: Person
    odell: Person

    def bring_about(self) -> dict[str, int]:
        """A request in each state: its number, by a word for where it stands."""
        words = ("new", "checking", "experts", "returned", "assignable", "registered", "declined")
        made = {word: self.robin.ask(f"quokka-{word}") for word in words}
        self.odell.act(made["checking"], "take")
        for word in words[2:]:
            self.odell.act(made[word], "take", "pass")
        self.ellis.review(made["returned"], "return", "Say who uses the names.\nSay it below.")
        for word in ("assignable", "registered"):
            self._agree(made[word], "approve")
        self._agree(made["declined"], "decline")
        self.odell.send(f"/desk/{made['registered']}/register", reference="RFC 9999", label="")
        return (
            made
            | self._drafts()
            | self._holding("quokka-registered")
            | {
                "withdrawn": self._withdrawn(),
                "again": self._sent_again(),
                "informal": self._informal(),
            }
        )

    def _agree(self, number: int, verdict: str) -> None:
        for expert, words in ((self.ellis, "It is clear to me."), (self.emery, "I agree.")):
            expert.review(number, verdict, words)

    def _drafts(self) -> dict[str, int]:
        empty, draft = self.robin.start(), self.robin.start()
        self.robin.write(draft, "d0i", pages=2)
        return {"empty": empty, "draft": draft}

    def _holding(self, name: str) -> dict[str, int]:
        """A revision that deprecates a name; a claim of another; a transfer of a third."""
        begun = self.robin.send(f"/namespaces/{name}/revise")
        revision = int(begun.split("/")[2])
        title = ANSWERS["name-and-purpose"]["title"]
        changed = {
            "title": title,
            "purpose": "Names for quokkas and for bettongs.",
            "standard": "no",
        }
        self.robin.send(f"/requests/{revision}/edit/name-and-purpose", **changed)
        said = {"revision_information": "The society grew.", "status": "succeeded"}
        documents = f"/requests/{revision}/edit/documents"
        self.robin.send(documents, **said, successor="isbn", documentation="RFC 9999")
        self.robin.send(
            f"/namespaces/{name}/people",
            to=f"/namespaces/{name}/people/invite",
            address="guest@quokka.example",
        )
        self.emery.claim("doi", "I am on their board.")
        decided = {"decision": "grant", "reason": "I called them."}
        self.odell.send(self._newest_claim(), **decided)
        taker = {"organization": "Wombats", "address": "w@wombat.example"}
        self.emery.send("/namespaces/doi/transfer", **taker, reason="They merged.")
        transfer = self._newest_claim()
        self.robin.claim("isbn", "I am on their board:\nhttps://isbn.example/board")
        claim = self._newest_claim()
        numbers = {"transfer": transfer, "claim": claim}
        return {"revision": revision} | {
            word: int(path.rpartition("/")[2]) for word, path in numbers.items()
        }

    def _newest_claim(self) -> str:
        page = self.odell.context.request.get("/desk/claims/").text()
        return str(re.findall(r"/desk/claims/[0-9]+", page)[-1])

    def _withdrawn(self) -> int:
        number = self.robin.ask("quokka-withdrawn")
        self.robin.act(number, "withdraw", reason="We found another way.")
        return number

    def _sent_again(self) -> int:
        """A request near to a registered name: returned, sent again, reviewed by one of two."""
        number = self.robin.ask("isbm", documentation="", syntax=UNUSED)
        self.odell.act(number, "take", "pass")
        self.ellis.review(number, "return", "Say what differs from ISBN.")
        title = ANSWERS["name-and-purpose"]["title"]
        changed = {"title": title, "purpose": "Names of what reads like a book.", "standard": "no"}
        section = f"/requests/{number}/edit/name-and-purpose"
        self.robin.send(section, namespace_identifier="isbm", **changed)
        self.robin.send_again(number)
        self.ellis.review(number, "approve", "It is near to `isbn`, and they know it.")
        return number

    def _informal(self) -> int:
        number = self.robin.start("urn-namespaces-2")
        own = ANSWERS["syntax"]["syntax"].replace("urn:quokka:", "urn:urn-n:")
        self.robin.write(number, syntax=own)
        self.robin.send(f"/requests/{number}/check")
        self.odell.act(number, "take", "pass")
        return number
