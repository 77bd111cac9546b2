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
from app.exports.manifests.encodings import encode_forms


def make_once(patched: pytest.MonkeyPatch) -> None:
    """Keep encoded forms of files, page templates and addresses as code, statements as SQL."""
    patched.setattr(edition_files, "encode_forms", lru_cache(maxsize=4096)(encode_forms))
    patched.setattr(Environment, "compile", _compiled_once(Environment.compile))
    patched.setattr(Rule, "compile", _taken_apart_once(Rule.compile))
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


def _taken_apart_once(compile_: Callable[[Rule], None]) -> Callable[[Rule], None]:
    """Each application takes its addresses apart, and writes two functions for each of them.

    That is most of its making. What comes out depends on what stands in the key alone.
    """
    held: dict[object, Rule] = {}

    def compiled(rule: Rule) -> None:
        place = (rule.rule, rule.host, rule.subdomain, rule.map.host_matching, rule.merge_slashes)
        key = (*place, repr(rule.defaults), tuple(rule.map.converters.items()))
        if key not in held:
            compile_(rule)
            held[key] = rule
        first = held[key]
        rule.arguments = set(first.arguments)
        rule._parts, rule._trace, rule._converters = first._parts, first._trace, first._converters
        written: tuple[Any, ...] = (first._build, first._build_unknown)
        rule._build, rule._build_unknown = (one.__func__.__get__(rule) for one in written)

    return compiled


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
