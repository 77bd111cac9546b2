"""Every compiled pattern of the application, against texts made to hurt it.

``python -m tests.attack.patterns`` says which are slow; it is a part of ``make check``.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from types import BuiltinMethodType, FrameType, ModuleType
from typing import Any

import app
from app.identifiers import nid as nid_rules
from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE
from app.resolution import bare_identifiers
from tests.attack.pumping import texts

SMALL = 2 * 1024
LARGE = 64 * 1024
SUSPECT = 0.0004  # seconds for the small text, which takes a linear pattern a quarter of it
MOST = 0.1  # seconds for the large text
KILL = 0.4  # seconds of CPU, after which a run is broken off
_SCANNING = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
_TAKEN = "taken "  # of a pattern of which only one method is kept
_METHODS = _SCANNING | {"match", "fullmatch"}

# What meets short texts alone, by contract, and how many characters these have at most.
BOUNDED: Mapping[str, int] = {
    "app.published.http.accept_headers._ELEMENT": 1_000,
    "app.published.http.accept_headers._PARAMETERS": 1_000,
    "app.registration.templates.headings._WORDS": 160,
    "app.registration.templates.headings._VERSION": 160,
    "app.registration.templates.headings._ALL_CAPS": 160,
    "app.registration.templates.headings._LONGER": 160,
}

# How patterns are used that are handed round before they are used.
USED: Mapping[str, frozenset[str]] = {
    "app.exports.manifests.bundle_files._MEDIA_TYPE": frozenset({"fullmatch"}),
    "app.identifiers.ark._extended_ark": frozenset({"fullmatch"}),
    "app.identifiers.ark._prefix": frozenset({"fullmatch"}),
    "app.identifiers.ark._trimmed_ark": frozenset({"fullmatch"}),
    "app.identifiers.ark._run_of": frozenset({"finditer"}),
    "app.resolution.ark_resolver._all_handed_on": frozenset({"fullmatch"}),
    "app.resolution.bare_identifiers._KINDS": frozenset({"fullmatch"}),
}

# For a pattern that a function makes of what it is given: something likely, by the names there.
MADE: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "app.bundles.edition_files._paths_of_names": (
        {"paths": (r"/namespaces/([a-z0-9-]+)(?:\.[a-z]+)?", "/assignments/a/([a-z0-9-]+)")},
    ),
    "app.grammar.analysis.rule_checks._is_said": ({"spelled": "name[- ]of"},),
    "app.identifiers.ark._run_of": (
        {"part": "name"},
        {"part": "query"},
        {"part": "fragment"},
    ),
    "app.identifiers.nid.find_problems": tuple(
        {"rule": rule} for rules in nid_rules._RULES.values() for rule in rules
    ),
    "app.registration.submissions.number_placeholders._definition": ({"rule": "number"},),
    "app.messages.automatic_mail._is_loop": ({"host": "urn.example.org"},),
    "app.messages.html_text._HtmlTextWriter._after": ({"name": "script"},),
    "app.messages.mime.MimeEntity.split": ({"boundary": b"--=_a--a--a"},),
    "app.pages.namespaces.template_summary._component": ({"letter": "r"},),
    "app.published.edition_files.PersonalRequests.__init__": ({"session_cookie": "session"},),
    "app.registration.declarations.identifier_spaces.IdentifierSpace.may_be_name": (
        {"self": NAAN_SPACE},
        {"self": SHOULDER_SPACE},
    ),
    "app.registration.profiles.profile_rules._named_in": ({"expression": "(?P<part>[a-z]+)"},),
    "app.registration.submissions.review_hints._pattern": (
        {"words": ("a b", "@"), "beginnings": (r"who\s+may", "a")},
    ),
    "app.resolution.bare_identifiers._number_in": tuple(
        {"kind": kind} for kind in bare_identifiers._KINDS
    ),
    "app.registration.profiles.nss_forms.compile_pattern": (
        {"expression": "[a-z]+(?::[a-z]+)*", "flags": 0},
    ),
    "app.services.registry.template_files._doubts": ({"name": "a-a"},),
}


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern, where it stands, and how it is used."""

    source: str | bytes
    flags: int
    where: str
    methods: frozenset[str] = field(default=_METHODS)

    @property
    def bound(self) -> int:
        """How many characters it meets at most."""
        return min(BOUNDED.get(self.where, LARGE), LARGE)


@dataclass(frozen=True, slots=True)
class Slow:
    """A pattern that a text hurts, how it was used, and the seconds that this took."""

    found: Found
    method: str
    text: str
    seconds: float

    def __str__(self) -> str:
        shown = f"{self.text[:60]!r}...{self.text[-8:]!r}"
        return f"{self.found.where}: {self.method} takes {self.seconds:.2f} s for {shown}"


# --- finding them -----------------------------------------------------------------------------


@cache
def modules() -> tuple[ModuleType, ...]:
    """Every module of the application."""
    names = (one.name for one in pkgutil.walk_packages(app.__path__, "app."))
    return (app, *(importlib.import_module(name) for name in names))


def patterns() -> list[Found]:
    """Every pattern: those that are called for by the code, and those that objects hold."""
    read = [found for module in modules() for found in _read(module)]
    known = {_key(found) for found in read}
    held = {_key(found): found for module in modules() for found in _held(module)}
    return read + [found for key, found in held.items() if key not in known]


def _key(found: Found) -> tuple[str | bytes, int]:
    return found.source, re.compile(found.source, found.flags).flags


def unread() -> list[str]:
    """Where the code makes patterns that nobody knows beforehand, and that no table names."""
    return [
        where
        for module in modules()
        for where, call, made_there in _calls(module)
        if made_there and _evaluated(call, module, MADE.get(where, ({},))[0]) is None
    ]


def _held(module: ModuleType) -> Iterator[Found]:
    waiting: list[tuple[str, object]] = list(vars(module).items())
    seen: set[int] = set()
    while waiting:
        name, value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        pattern = value.__self__ if isinstance(value, BuiltinMethodType) else value
        if type(pattern).__module__ == "werkzeug.local":  # a proxy, which is nothing here
            continue
        if isinstance(pattern, re.Pattern):
            yield Found(pattern.pattern, pattern.flags, f"{module.__name__}.{name}")
        else:
            waiting.extend((name, inner) for inner in _parts(value, module))


def _parts(value: object, module: ModuleType) -> list[object]:
    """What a value of this module holds: the items of a container, what a class or function has."""
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if isinstance(value, partial):
        return [value.func, *value.args, *value.keywords.values()]
    if inspect.isclass(value):
        return list(vars(value).values()) if value.__module__ == module.__name__ else []
    if inspect.isfunction(value):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        return [*(value.__defaults__ or ()), *cells]
    own = type(value).__module__.startswith("app.")
    return list(getattr(value, "__dict__", {}).values()) if own else []


def _read(module: ModuleType) -> Iterator[Found]:
    for where, call, _ in _calls(module):
        for given in MADE.get(where, ({},)):
            made = _evaluated(call, module, given)
            if made is not None:
                yield Found(*made, where, USED.get(where) or _methods(call, module, where))


def _calls(module: ModuleType) -> Iterator[tuple[str, ast.Call, bool]]:
    """Each call of ``re`` that takes a pattern: its place, and whether it is made in a function."""
    if vars(module).get("re") is re:
        for node, names, inside in _walked(_tree(module), (), inside=False):
            if _is_of_re(node.func):
                yield ".".join((module.__name__, *names)), node, inside


def _is_of_re(called: ast.expr) -> bool:
    if not isinstance(called, ast.Attribute) or ast.unparse(called.value) != "re":
        return False
    return called.attr in _METHODS | {"compile"}


def _walked(
    node: ast.AST, names: tuple[str, ...], *, inside: bool
) -> Iterator[tuple[ast.Call, tuple[str, ...], bool]]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        names, inside = (*names, node.name), inside or isinstance(node, ast.FunctionDef)
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and not inside:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        names = (*names, ast.unparse(target))
    if isinstance(node, ast.Call):
        yield node, names, inside
    for child in ast.iter_child_nodes(node):
        yield from _walked(child, names, inside=inside)


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module) or "\n")


def _evaluated(
    call: ast.Call, module: ModuleType, given: Mapping[str, object]
) -> tuple[str | bytes, int] | None:
    """The pattern and flags of a call, where the module alone says them."""
    flags = [word.value for word in call.keywords if word.arg == "flags"]
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    place = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(name, 2)
    try:
        source = _value(call.args[0], module, given)
        flag = sum(_value(one, module, given) for one in [*call.args[place : place + 1], *flags])
    except (NameError, AttributeError):
        return None
    return source, flag


def _value(node: ast.expr, module: ModuleType, given: Mapping[str, object]) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), {**vars(module), **given})


def _methods(call: ast.Call, module: ModuleType, where: str) -> frozenset[str]:
    """How a pattern is used, by every mention of its name; all ways where that is not plain."""
    if isinstance(call.func, ast.Attribute) and call.func.attr != "compile":
        return frozenset({call.func.attr})
    name = where.removeprefix(f"{module.__name__}.")
    used = _of_name(module, name)
    return frozenset(used) if used and used <= _METHODS else _METHODS


def _of_name(module: ModuleType, name: str) -> set[str]:
    """The methods that follow a name, wherever it is known; ``?`` for what cannot be told."""
    value = vars(module).get(name)
    others = [one for one in modules() if vars(one).get(name) is value] if value else [module]
    uses = {use for one in others for use in _uses(one).get(name, ())} - {"stored"}
    taken = {use.removeprefix(_TAKEN) for use in uses if use.startswith(_TAKEN)}
    return taken or uses


@cache
def _uses(module: ModuleType) -> Mapping[str, set[str]]:
    uses: dict[str, set[str]] = {}
    for parent in ast.walk(_tree(module)):
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.Name):
                uses.setdefault(child.id, set()).add(_use(parent, child))
    return uses


def _use(parent: ast.AST, node: ast.Name) -> str:
    if isinstance(node.ctx, ast.Load):
        return parent.attr if isinstance(parent, ast.Attribute) else "?"
    if isinstance(parent, ast.Assign) and isinstance(parent.value, ast.Attribute):
        return _TAKEN + parent.value.attr
    return "stored"


# --- hurting them -----------------------------------------------------------------------------


class _BrokenOffError(Exception):
    pass


def _break_off(_signal: int, _frame: FrameType | None) -> None:
    raise _BrokenOffError


@contextmanager
def _killed_after(seconds: float) -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, _break_off)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def slow(found: Found) -> Slow | None:
    """The first text that hurts a pattern; None where there is none."""
    compiled = re.compile(found.source, found.flags)
    written = found.source if isinstance(found.source, str) else found.source.decode("latin-1")
    length = min(SMALL, found.bound)
    for method in _kinds(found.methods):
        run = partial(_run, compiled, method)
        for small in texts(written, compiled.flags, length):
            if _is_suspect(run, small, found.bound):
                seconds = _in_full(run, small, found.bound)
                if seconds > MOST:
                    return Slow(found, method, small, seconds)
    return None


def _kinds(methods: frozenset[str]) -> list[str]:
    """One way of each kind: to look anywhere, everywhere, and from one place."""
    repeated = methods & _SCANNING - {"search"}
    return [*sorted(methods - _SCANNING), *(["finditer"] if repeated else methods & {"search"})]


def _run(compiled: "re.Pattern[Any]", method: str, text: str) -> None:
    given = text if isinstance(compiled.pattern, str) else text.encode("latin-1", "replace")
    if method == "finditer":
        for _ in compiled.finditer(given):
            pass
    else:
        getattr(compiled, method)(given)


def _seconds(
    run: Callable[[str], None], text: str, clock: Callable[[], float] = time.process_time
) -> float:
    began = clock()
    try:
        with _killed_after(KILL):
            run(text)
    except _BrokenOffError:
        return float("inf")
    return clock() - began


def _in_full(run: Callable[[str], None], small: str, bound: int) -> float:
    """The time for a text as long as it can be; of two runs the shorter, for a busy machine."""
    first = _seconds(run, _pumped(small, bound))
    return first if first <= MOST else min(first, _seconds(run, _pumped(small, bound)))


def _pumped(text: str, bound: int) -> str:
    """The text with its end, which is the same over and over, made as long as it can be."""
    if bound <= SMALL:
        return text
    middle = text[SMALL // 2 : SMALL]
    period = (middle + middle).find(middle, 1)
    part = middle[:period] if period < len(middle) // 2 else middle
    more = part * ((bound - len(text)) // len(part))
    return text[: SMALL // 2] + more + text[SMALL // 2 :]


def _is_suspect(run: Callable[[str], None], small: str, bound: int) -> bool:
    """Whether a text takes long, and four times as much of it far more than four times.

    By the clock, since some machines count CPU in ticks that are longer than this: a busy one
    makes more suspect, of which the full text then acquits.
    """
    seconds = partial(_seconds, run, clock=time.perf_counter)
    if seconds(small) <= SUSPECT or seconds(small) <= SUSPECT:
        return False
    return seconds(_pumped(small, min(bound, 4 * SMALL))) > 6 * SUSPECT


def main() -> int:
    """Say which patterns are slow, and where one is made that the tables do not name."""
    began = time.process_time()
    found = patterns()
    faults = [str(one) for one in map(slow, found) if one is not None]
    faults += [f"{where}: a pattern made in a function; name it in MADE" for where in unread()]
    told = [*faults, f"{len(found)} patterns, {len(faults)} faults"]
    sys.stdout.write("\n".join(told) + "\n")
    sys.stderr.write(f"{time.process_time() - began:.1f} s\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
