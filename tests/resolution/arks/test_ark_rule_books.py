"""A book of NAANs and shoulders finds one among any number, and tells what is near."""

import json
from typing import Any

import pytest

from app.registration.records.registry_records import Status
from app.resolution.ark_documents import write_erc
from app.resolution.ark_resolver import ArkResolver, InflectedArk
from app.resolution.ark_rules import (
    ArkRules,
    ArkTarget,
    LineArkRuleBook,
    ark_book_of,
    ark_rule_lines,
    ark_rules_from,
    ark_rules_to,
)
from tests.resolution.arks.naans import BOOK, RULES


def test_rules_come_back_from_their_lines_sorted() -> None:
    lines = ark_rule_lines(reversed(RULES))
    prefixes = [json.loads(line)["prefix"] for line in lines.splitlines()]
    assert prefixes == sorted(one.prefix for one in RULES)
    book = LineArkRuleBook(lines)
    assert [book.find(one.prefix) for one in RULES] == list(RULES)
    assert book.find("12345/x5") is book.find("12345/x5")
    assert [ark_rules_from(ark_rules_to(one)) for one in RULES] == list(RULES)


def test_what_has_its_default_is_left_out_of_a_document() -> None:
    assert ark_rules_to(ArkRules(prefix="12345")) == {"prefix": "12345"}


def test_a_book_of_very_many_is_made_without_reading_them(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = b"".join(
        b'{"holder":"a \\"prefix\\":\\"1\\"","prefix":"%05d/x%d"}\n{"prefix":"%05d"}\n'
        % (at, at % 10, at)
        for at in range(20_000)
    )
    read: list[object] = []

    def noted(line: bytes) -> object:
        read.append(line)
        return json.loads(line)

    monkeypatch.setattr("app.resolution.namespace_rules._document_of", noted)
    book = LineArkRuleBook(lines)
    assert book.nearest("91999") == ("19999", "01999", "11999")
    assert read == []
    found = book.longest("19999/x9a/b")
    assert found is not None
    assert (found.prefix, found.holder, found.naan, found.shoulder) == (
        *("19999/x9", 'a "prefix":"1"'),
        *("19999", "x9"),
    )
    assert len(read) == 1


@pytest.mark.parametrize("lines", [b"no\n", b'{"nid":"a"}\n', b'{"prefix":"a"}'])
def test_lines_that_are_no_rules_are_refused(lines: bytes) -> None:
    with pytest.raises(ValueError, match="at octet"):
        LineArkRuleBook(lines)


@pytest.mark.parametrize(
    "more", ['"http_code":301', '"status":"lost"', '"redirect":1,"http_code":308', '"policy":1']
)
def test_of_rules_that_newer_software_made_the_holder_is_known(more: str) -> None:
    line = f'{{{more},"holder":"A","prefix":"1","target":"https://a.example/"}}\n'
    rules = LineArkRuleBook(line.encode()).find("1")
    assert rules == ArkRules(prefix="1", holder="A")


_OTHER_KINDS: dict[str, tuple[Any, ...]] = {
    "http_code": ([1], True, 302.0, "302", None),
    "policy": (5, "NR", [5], None, {"NR": 1}, ["\ud800"]),
    "takes_verbatim": (1, None),
    "status": (["x"], None),
    "since": (5, None, [], "\ud800"),
    "target": (5, None, [], "\ud800"),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in _OTHER_KINDS.items() for value in values]
)
def test_members_of_another_kind_are_refused_and_lead_nowhere(name: str, value: Any) -> None:
    document = {"prefix": "12345", "holder": "A", "target": "https://a.example/${pid}", name: value}
    with pytest.raises((ValueError, KeyError)):
        ark_rules_from(document)
    book = LineArkRuleBook(f"{json.dumps(document, separators=(',', ':'))}\n".encode())
    assert book.find("12345") == ArkRules(prefix="12345", holder="A")
    outcome = ArkResolver(book).resolve("ark:12345/x?info")
    assert isinstance(outcome, InflectedArk)
    assert write_erc(outcome).isascii()


@pytest.mark.parametrize("line", ['{"a":{"prefix":"1"}}', '[{"prefix":"1"}]', '{"prefix":"1",}'])
def test_a_line_of_no_rules_is_refused_when_it_is_asked_for(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        LineArkRuleBook(f"{line}\n".encode()).find("1")


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("13245", ("12345",)),
        ("12346", ("12345",)),
        ("1234", ("12345",)),
        ("112345", ("12345",)),
        ("2134", ("21345",)),
        ("12354", ("12345",)),
        ("20010", ("20001", "20000")),
        ("66666", ()),
        ("b7208", ("b7280",)),
        ("", ()),
        ("1" * 10_000, ()),
    ],
)
def test_naans_that_may_have_been_meant_are_told(asked: str, near: tuple[str, ...]) -> None:
    assert BOOK.nearest(asked)[: len(near) or None] == near


def test_a_former_naan_is_known_and_a_former_shoulder_gives_way() -> None:
    former = BOOK.longest("30003/a")
    assert former is not None
    assert former.status is Status.FORMER
    naan = BOOK.longest("12345/z")
    assert naan is not None
    assert naan.prefix == "12345"
    kept = BOOK.find("12345/x5z")
    assert kept is not None
    assert kept.status is Status.FORMER
    assert BOOK.longest("1234/5") is BOOK.longest("123456/x5") is BOOK.find("x") is None


def test_two_rules_of_one_target_are_told_apart_by_what_they_say() -> None:
    assert ArkRules(prefix="1", target="https://a.example/") != ArkRules(prefix="1")
    assert isinstance(ArkRules(prefix="1").way, ArkTarget)
    assert len(ark_book_of(RULES).nearest("20005")) == 5
