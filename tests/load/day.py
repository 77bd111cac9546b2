"""What people do on a mixed day, each action timed as its person feels it: page, form, next page.

Who has nothing to do reads. Requests go from hand to hand, as they do in a registry: what one
sends another takes, two review it, another registers it.
"""

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from random import Random
from typing import TypeVar

from app.registration.declarations.registries import FORMAL
from tests.load.people import Letters, Person, Refused, ask_for_link, use_link
from tests.load.seeding import APPLICANTS, names, text_for

Item = TypeVar("Item")
REGISTRY = "/assignments/urn-namespaces/"
PAGES = ("/", REGISTRY, "/namespaces/isbn", "/namespaces/issn", "/help/registering", "/editions/")
FILES = (
    *(f"{REGISTRY}urn-namespaces.{suffix}" for suffix in ("json", "xml", "csv", "txt")),
    *("/namespaces/isbn.json", "/editions/1/urn-namespaces.xml", "/healthz"),
)
NAMED = ("/namespaces/urn-7", "/namespaces/ietf", "/namespaces/eidr.json", "/namespaces/adid")
EXPERTS = ("ellis@experts.example", "emery@experts.example")
OPERATORS = ("odell@registry.example", "otto@registry.example")

# how often each is begun, of a hundred
WEIGHTS = {
    "read a page": 22,
    "read a file": 22,
    "look up a name": 12,
    "look at a request": 10,
    "look at the desk": 4,
    "sign in": 3,
    "save a section": 8,
    "send a request": 3,
    "pass to experts": 3,
    "review": 9,
    "register": 4,
}


@dataclass
class Times:
    """How long each action took, and what went wrong."""

    taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @contextmanager
    def of(self, action: str) -> Iterator[None]:
        """Time a block; a refusal is an error of the action."""
        began = time.perf_counter()
        try:
            yield
        except (OSError, HTTPException, Refused) as error:
            self.errors[action].append(str(error) or type(error).__name__)
            raise
        self.taken[action].append(time.perf_counter() - began)


@dataclass
class Baskets:
    """Numbers of requests, by what is to be done with them next."""

    drafts: deque[tuple[int, str, str]] = field(default_factory=deque)
    sent: deque[int] = field(default_factory=deque)
    first: deque[int] = field(default_factory=deque)
    second: deque[int] = field(default_factory=deque)
    approved: deque[int] = field(default_factory=deque)
    seen: list[int] = field(default_factory=list)


class NothingToDo(Exception):
    """The basket of an action is empty."""


def _next(basket: deque[Item]) -> Item:
    try:
        return basket.popleft()
    except IndexError:
        raise NothingToDo from None


class Client:
    """One of the day's clients: whoever's turn it is sits at it."""

    def __init__(self, day: "Day", seed: int) -> None:
        self.day, self.chance = day, Random(seed)
        self.people = {who: one.twin(self.chance) for who, one in day.people.items()}
        self.visitor = Person(day.ports, self.chance)
        self.times = Times()
        self._acts: dict[str, Callable[[], None]] = {
            "read a page": lambda: self._read("read a page", PAGES),
            "read a file": lambda: self._read("read a file", FILES),
            "look up a name": lambda: self._read("look up a name", NAMED),
            "look at a request": self._look,
            "look at the desk": self._desk,
            "sign in": self._sign_in,
            "save a section": self._save,
            "send a request": self._send,
            "pass to experts": self._pass,
            "review": self._review,
            "register": self._register,
        }

    def do(self, action: str) -> None:
        """Do one thing; NothingToDo where nothing waits for it."""
        self._acts[action]()

    def work(self, until: float) -> None:
        """Do one thing after the other until it is so late."""
        kinds, weights = list(WEIGHTS), list(WEIGHTS.values())
        while time.monotonic() < until:
            try:
                self.do(self.chance.choices(kinds, weights)[0])
            except NothingToDo:
                self._quietly(lambda: self._read("read a page", PAGES))
            except (OSError, HTTPException, Refused):
                time.sleep(0.05)  # it is counted

    @staticmethod
    def _quietly(work: Callable[[], None]) -> None:
        try:
            work()
        except (OSError, HTTPException, Refused):
            time.sleep(0.05)

    def _read(self, what: str, paths: Iterable[str]) -> None:
        with self.times.of(what):
            self.visitor.get(self.chance.choice(list(paths)))

    def _look(self) -> None:
        number = self.chance.choice(self.day.baskets.seen)
        who = self.chance.choice([self.visitor, *self.people.values()])
        with self.times.of("look at a request"):
            who.get(self.chance.choice((f"/requests/{number}", "/requests/")))

    def _desk(self) -> None:
        with self.times.of("look at the desk"):
            self.people[self.chance.choice(OPERATORS)].get("/desk/")

    def _sign_in(self) -> None:
        address = self.day.next_address()
        newcomer = Person(self.day.ports, self.chance)
        with self.times.of("ask for a link"):
            ask_for_link(newcomer, address)
        token = self.day.letters.take(address)  # the mail's time is the worker's
        with self.times.of("sign in"):
            use_link(newcomer, token)

    def _save(self) -> None:
        """Save the next section of a draft of one's own, or begin one."""
        number, page, who = self._draft()
        name = self.day.names[number % len(self.day.names)]
        person = self.people[who]
        with self.times.of("save a section"):
            form = person.get(page).form(page)
            said = {"title": "Names", "organization": "A society", "contact_name": "Jo"}
            text = text_for(name) | said
            typed = {field: text[field] for field in form.keys() & text.keys()}
            answer = person.post(page, form | typed | {"standard": "no"})
        if answer.location.endswith("/check"):
            self.day.baskets.drafts.append((number, "", who))
        else:
            self.day.half.append((number, answer.location, who))

    def _draft(self) -> tuple[int, str, str]:
        if self.day.half and self.chance.random() < 0.85:
            try:
                return self.day.half.popleft()
            except IndexError:
                pass
        who = self.chance.choice(APPLICANTS)
        with self.times.of("begin a draft"):
            page = self.people[who].send("/requests/new", registry=FORMAL.id)
        return int(page.location.split("/")[2]), page.location, who

    def _send(self) -> None:
        number, _, who = _next(self.day.baskets.drafts)
        with self.times.of("send a request"):
            self.people[who].send(f"/requests/{number}/check")
        self.day.baskets.sent.append(number)
        self.day.baskets.seen.append(number)

    def _pass(self) -> None:
        number = _next(self.day.baskets.sent)
        person, page = self.people[self.chance.choice(OPERATORS)], f"/requests/{number}"
        with self.times.of("take a request"):
            person.send(page, f"{page}/take")
        with self.times.of("pass to experts"):
            person.send(page, f"{page}/pass", reason="Their board asks for it.")
        self.day.baskets.first.append(number)

    def _review(self) -> None:
        baskets = self.day.baskets
        if baskets.second and (not baskets.first or self.chance.random() < 0.5):
            self._judge(EXPERTS[1], _next(baskets.second), baskets.approved)
        else:
            self._judge(EXPERTS[0], _next(baskets.first), baskets.second)

    def _judge(self, who: str, number: int, then: deque[int]) -> None:
        with self.times.of("review"):
            said = {"verdict": "approve", "reason": "It meets every rule that is asked about."}
            self.people[who].send(f"/review/{number}", **said)
        then.append(number)

    def _register(self) -> None:
        number = _next(self.day.baskets.approved)
        person = self.people[self.chance.choice(OPERATORS)]
        given = {"reference": f"https://society{number}.example/", "label": "A society"}
        with self.times.of("register"):
            person.send(f"/desk/{number}/register", **given)


class Day:
    """The people of a registry, and what lies before them."""

    def __init__(self, ports: list[int], letters: Letters, seed: int = 1) -> None:
        self.ports, self.letters, self.chance = ports, letters, Random(seed)
        self.people: dict[str, Person] = {}
        self.baskets = Baskets()
        self.half: deque[tuple[int, str, str]] = deque()
        self.names = names("w")
        self._newcomers = iter(range(1, 1_000_000))
        self._lock = threading.Lock()

    def next_address(self) -> str:
        """An address that nobody had before."""
        with self._lock:
            return f"newcomer{next(self._newcomers)}@many.example"

    def let_in(self) -> None:
        """Sign everybody in who acts, by the links that they get."""
        for who in (*APPLICANTS, *EXPERTS, *OPERATORS):
            self.people[who] = Person(self.ports, self.chance)
            ask_for_link(self.people[who], who)
        for who, person in self.people.items():
            use_link(person, self.letters.take(who))

    def begin(self, numbers: Iterable[int]) -> None:
        """These requests wait for a review."""
        self.baskets.first.extend(numbers)
        self.baskets.seen.extend(self.baskets.first)

    def run(self, clients: int, seconds: float) -> list[Times]:
        """Let so many clients work at once for so long; gives what each measured."""
        until = time.monotonic() + seconds
        working = [Client(self, seed) for seed in range(clients)]
        threads = [threading.Thread(target=one.work, args=(until,)) for one in working]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [one.times for one in working]
