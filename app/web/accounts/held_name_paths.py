"""The pages on which names are changed, claimed, handed over and corrected.

Those of URN namespaces are written out; each other path of names has the same ones.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from flask import Flask
from flask.typing import ResponseReturnValue

from app.registration.declarations.registries import IdentifierSpace, declared_spaces
from app.services.refusals import NameUnregistered

_AT_DESK = "/desk"
_BLUEPRINTS = ("delegates", "yearly_questions", "corrections")
_METHODS = frozenset({"GET", "POST"})


def serve_held_names(app: Flask, name_route: Callable[[IdentifierSpace], str]) -> None:
    """Serve them for each space whose names are held by somebody, below its own ``name_route``.

    Those of the desk are below that path too, behind the desk's own.
    Two spaces with one path, as NAANs and the shoulders under them have it, are told apart by what
    their names are.
    """
    every = [one for one in app.url_map.iter_rules() if "name" in one.arguments]
    written = [one for one in every if one.endpoint.partition(".")[0] in _BLUEPRINTS]
    taken = tuple(one.rule for one in written)
    stems = (
        (one, f"{name_route(one)}/") for one in declared_spaces() if one.has_delegates and one.page
    )
    held = [one for one, stem in stems if not any(path.startswith(stem) for path in taken)]
    for path in dict.fromkeys(one.page for one in held):
        here = [one for one in held if one.page == path]
        route = max(map(name_route, here), key=len)
        for rule in written:
            before, _, below = rule.rule.partition("<name>")
            app.add_url_rule(
                (_AT_DESK if before.startswith(_AT_DESK) else "") + route + below,
                rule.endpoint.replace(".", f".{here[0].id}-"),
                _of_space(app.view_functions[rule.endpoint], here),
                methods=_METHODS & (rule.methods or frozenset()),
            )


def _of_space(
    view: Callable[..., Any], held: Sequence[IdentifierSpace]
) -> Callable[..., ResponseReturnValue]:
    @wraps(view)
    def answer(name: str, **given: str) -> ResponseReturnValue:
        space = next((one for one in held if one.may_be_name(name)), None)
        if space is None:
            raise NameUnregistered(name, held[0])
        made: ResponseReturnValue = view(name=name, space=space, **given)
        return made

    return answer
