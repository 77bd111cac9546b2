"""What is made once for all tests of a process, since it comes out equal each time."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
from flask_sqlalchemy import SQLAlchemy
from jinja2 import Environment
from sqlalchemy import Engine
from werkzeug.routing import Rule

from app.bundles import edition_files
from app.exports.manifests.encodings import encoded


def make_once(patched: pytest.MonkeyPatch) -> None:
    """Keep encoded forms of files, page templates and addresses as code, statements as SQL."""
    patched.setattr(edition_files, "encoded", lru_cache(maxsize=4096)(encoded))
    patched.setattr(Environment, "compile", _compiled_once(Environment.compile))
    patched.setattr(Rule, "_compile_builder", _built_once(Rule._compile_builder))
    patched.setattr(SQLAlchemy, "_make_engine", _alike(SQLAlchemy._make_engine))


def _compiled_once(compile_: Callable[..., Any]) -> Callable[..., Any]:
    """Each application reads its page templates anew."""
    held: dict[object, Any] = {}

    def compiled(env: Environment, source: Any, *named: Any, **more: Any) -> Any:
        key = (type(env), env.trim_blocks, source, named, tuple(more.items()))
        if key not in held:
            held[key] = compile_(env, source, *named, **more)
        return held[key]

    return compiled


def _built_once(build: Callable[..., Any]) -> Callable[..., Any]:
    """Each application writes a function for each of its addresses, which is most of its making."""
    held: dict[object, Any] = {}

    def built(rule: Rule, append_unknown: bool = True) -> Any:
        key = (rule.rule, tuple(rule._trace), repr(rule.defaults), append_unknown)
        if key not in held:
            held[key] = build(rule, append_unknown)
        return held[key]

    return built


def _alike(make: Callable[..., Engine]) -> Callable[..., Engine]:
    """Each database has an engine, which would write every statement as SQL anew."""
    first: dict[str, Engine] = {}

    def made(*given: Any, **more: Any) -> Engine:
        engine = make(*given, **more)
        known = first.setdefault(engine.dialect.name, engine)
        if getattr(known.dialect, "server_version_info", None) is None:  # it never got through
            first[engine.dialect.name] = known = engine
        engine.dialect, engine._compiled_cache = known.dialect, known._compiled_cache
        return engine

    return made
