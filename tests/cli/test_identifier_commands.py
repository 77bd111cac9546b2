"""The commands about ARKs and Noids, as a shell uses them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.commands.shell import DONE, FOUND, MISUSED
from app.identifiers.noid import has_valid_check
from tests.registration.naans.made_records import entry_of, file_of

from .conftest import Run

NOT_FIXED = (
    "The registration doesn't define which URNs are valid. "
    "(Syntax of the registration, RFC 8141 section 6.4.2)"
)
UNREGISTERED = "No namespace `unheard-of` is registered. Check the spelling. (RFC 8141 section 5)"


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_an_ark_is_told_in_its_parts(run: Run) -> None:
    code, out, _ = run("ark", "parse", "ark:/12345/x5-wf/c2.pdf?info")
    assert code == DONE
    assert out.isascii()
    assert lines(out) == [
        {
            "input": "ark:/12345/x5-wf/c2.pdf?info",
            "valid": True,
            "naan": "12345",
            "name": "x5-wf",
            "components": ["c2"],
            "variants": ["pdf"],
            "inflection": "?info",
            "query": "info",
            "fragment": None,
            "normal_form": "ark:12345/x5wf/c2.pdf?info",
            "error": None,
        }
    ]


@pytest.mark.parametrize("what", ["parse", "normalize", "check"])
def test_standard_input_gives_one_answer_a_line_in_order(run: Run, what: str) -> None:
    given = "ark:12345/4бф3х1\nbark:12345/x\nark:1/".encode() + b"\xe9\nark:1/x\r\n"
    code, out, _ = run("ark", what, "-", stdin=given)
    assert code == FOUND
    assert out.isascii()
    assert [report["valid"] for report in lines(out)] == [True, False, False, True]


@pytest.mark.parametrize(
    ("what", "texts", "key"),
    [
        (["urn", "check"], ["urn:example:1", "urn:example:1\r2", ""], "urn"),
        (["urn", "parse"], ["urn:example:1", "urn:example:1\r2", ""], "valid"),
        (["nid", "check"], ["quokka", "quo\rkka", ""], "valid"),
        (["ark", "check"], ["ark:12345/x", "ark:12345/x\ry", ""], "valid"),
    ],
)
def test_a_list_from_windows_is_the_same_list(
    run: Run, what: list[str], texts: list[str], key: str
) -> None:
    given = "".join(f"{text}\r\n" for text in texts).encode("utf-8-sig")
    _, out, _ = run(*what, "-", stdin=given)
    assert [(told["input"], told[key]) for told in lines(out)] == list(
        zip(texts, [True, False, False], strict=True)
    )


def test_answers_come_while_questions_are_still_asked() -> None:
    command = [sys.executable, "-u", "-m", "app.cli", "ark", "normalize", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for text in (b"ark:/1/x", b"ark:/1/y"):
            asked.stdin.write(text + b"\n")
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["input"] == text.decode()


def test_normal_forms_go_by_the_profile(run: Run) -> None:
    _, out, _ = run("ark", "normalize", "ARK:/12345/x.b.a?q")
    assert lines(out)[0]["normal_form"] == "ark:12345/x.a.b?q"
    code, out, _ = run("ark", "normalize", "--profile", "arkspec", "ARK:/12345/x.b.a/?q")
    assert (code, lines(out)[0]["normal_form"]) == (DONE, "ark:12345/x.b.a")
    assert run("ark", "normalize", "--profile", "odd", "ark:1/x")[0] == MISUSED


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ark:1/x", "ARK:/1/-x"], DONE),
        (["ark:1/x", "ark:1/x?"], FOUND),
        (["ark:1/x", "ark:1/x?", "--profile", "arkspec"], DONE),
        (["ark:1/x", "1/x"], MISUSED),
    ],
)
def test_two_arks_are_compared(run: Run, arguments: list[str], code: int) -> None:
    found, out, err = run("ark", "compare", *arguments)
    assert found == code
    if code == MISUSED:
        assert (out, "(The ARK URI scheme section 4)" in err) == ("", True)
    else:
        assert lines(out) == [{"equivalent": code == DONE}]


def test_a_check_tells_problems_and_what_is_implied(run: Run) -> None:
    code, out, _ = run("ark", "check", "ark:13030/xf93gt2q/c2", "ark:99999/x")
    assert code == FOUND
    sound, test = lines(out)
    assert (sound["valid"], sound["containers"]) == (True, ["ark:13030/xf93gt2q"])
    assert [problem["code"] for problem in test["problems"]] == ["test_naan"]


def test_minting_goes_on_where_it_stopped(run: Run) -> None:
    mint = ["noid", "mint", "f5.reedeedk", "--naan", "13030"]
    code, out, _ = run(*mint, "--count", "6")
    assert code == DONE
    made = lines(out)
    assert [row["number"] for row in made] == [*range(6)]
    assert all(has_valid_check(row["noid"]) for row in made)
    assert lines(run(*mint, "--count", "2", "--start", "4")[1]) == made[4:]
    assert lines(run(*mint, "--seed", "another")[1]) != made[:1]


def test_one_name_is_minted_where_no_count_is_given(run: Run) -> None:
    assert lines(run("noid", "mint", ".sdd")[1]) == [{"number": 0, "noid": "00"}]


def test_a_template_that_runs_out_says_so(run: Run) -> None:
    code, out, err = run("noid", "mint", ".sd", "--start", "8", "--count", "5")
    assert code == FOUND
    assert [row["noid"] for row in lines(out)] == ["8", "9"]
    assert err == ".sd has only 10 identifiers.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["f5"],
        [".rd", "--count", "-1"],
        [".rd", "--start", "x"],
        [".rd", "--naan", "12-345"],
        [".rd", "--naan", "a\u202e"],
    ],
)
def test_what_cannot_be_minted_is_wrong_use(run: Run, arguments: list[str]) -> None:
    code, out, err = run("noid", "mint", *arguments)
    assert (code, out) == (MISUSED, "")
    assert err.isascii()


def test_noids_are_checked_from_standard_input(run: Run) -> None:
    code, out, _ = run("noid", "check", "-", stdin=b"13030/xf93gt2q\n13030/xf93gt3q\n")
    assert code == FOUND
    assert [report["valid"] for report in lines(out)] == [True, False]
    assert run("noid", "check", "ark:/13030/xf93gt2q")[0] == DONE


def test_a_list_of_urns_is_checked_line_by_line(run: Run) -> None:
    given = b"urn:EXAMPLE:1\nurn:example:1#x\nurn:unheard-of:1\nurn:isbn:\xe9\n"
    code, out, words = run("urn", "check", "-", stdin=given)
    assert (code, words) == (FOUND, "")
    assert out.isascii()
    told = lines(out)
    assert [one["urn"] for one in told] == [True, True, False, False]
    assert [one["well_formed"] for one in told] == [True, True, True, False]
    assert [one["same_as"] for one in told] == [None, 1, None, None]
    assert told[3]["error"]["position"] == 9
    assert run("urn", "check", "urn:example:1")[0] == DONE


def test_a_list_of_urns_is_judged_by_the_bundled_registry(run: Run, tmp_path: Path) -> None:
    texts = ("URN:ISBN:951-0-18435-7", "urn:isbn:978-951-0-18435-7", "urn:uuid:nope")
    code, out, _ = run("urn", "check", *texts)
    told = lines(out)
    assert code == FOUND
    assert [one["urn"] for one in told] == [True, False, False]
    assert [one["possibility"] for one in told] == ["possible", "impossible", "impossible"]
    assert told[1]["corrected"] == "urn:isbn:978-951-0-18435-6"
    like, cut = lines(run("urn", "check", "urn:issbn:1", "urn:isbn:0451450523?fbclid=x")[1])
    assert like["nearest"][:2] == ["isbn", "issn"]
    assert cut["corrected"] == "urn:isbn:0451450523"
    assert run("urn", "find", "Not urn:uuid:nope.")[0] == FOUND
    names = tmp_path / "names"
    names.write_text("isbn unheard-of")
    code, out, _ = run(
        "urn", "check", "--registered", str(names), *texts[:2], "urn:unheard-of:x", "urn:uuid:x"
    )
    assert [one["urn"] for one in lines(out)] == [True, False, True, False]
    assert code == FOUND


def test_the_urns_of_a_text_are_found_with_line_and_column(run: Run, tmp_path: Path) -> None:
    given = b"See urn:example:1, and\n(urn:unheard-of:2).\n"
    code, out, _ = run("urn", "find", "-", stdin=given)
    assert code == FOUND
    assert lines(out) == [
        {
            "line": 1,
            "column": 5,
            "urn": "urn:example:1",
            "nid": "example",
            "registered": "example",
            "possibility": "not fixed by the registration",
            "why": [NOT_FIXED],
            "corrected": None,
            "correction": None,
        },
        {
            "line": 2,
            "column": 2,
            "urn": "urn:unheard-of:2",
            "nid": "unheard-of",
            "registered": None,
            "possibility": None,
            "why": [UNREGISTERED],
            "corrected": None,
            "correction": None,
        },
    ]
    names = tmp_path / "names"
    names.write_text("unheard-of\nexample\n")
    assert run("urn", "find", "-", "--registered", str(names), stdin=given)[0] == DONE
    assert run("urn", "find", "nothing") == (DONE, "", "")


def test_a_terminal_is_told_how_many_lines_are_done(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, _, words = run("urn", "check", "-", stdin=b"urn:example:1\n" * 25_000)
    assert words == "\r10000 lines\r20000 lines\r25000 lines\n"
    assert run("urn", "check", "urn:example:1")[2] == ""


def test_an_ark_is_checked_against_the_bundled_naans_or_those_of_a_file(
    run: Run, tmp_path: Path
) -> None:
    code, out, _ = run("ark", "check", "ark:/12148/btv1b", "ark:12-148/btv1b")
    told = lines(out)
    assert code == DONE
    assert [one["same_as"] for one in told] == [None, 1]
    assert told[0]["registry"]["as_of"] == "2024-11-07"
    assert told[0]["registry"]["naan"]["holder"] == "National Library of France"
    assert told[0]["registry"]["target"] == "http://ark.bnf.fr/ark:/12148/btv1b"
    assert run("ark", "check", "ark:24680/x")[0] == FOUND
    file = tmp_path / "naans.json"
    file.write_bytes(file_of(entry_of()))
    code, out, _ = run("ark", "check", "--registered", str(file), "ark:24680/x", "ark:12148/x")
    assert code == FOUND
    assert [one["registered"] for one in lines(out)] == [True, False]
    assert lines(out)[0]["registry"]["as_of"] is None


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b'{"data": 1}', b"[" * 9_000])
def test_a_file_that_is_none_of_naans_is_refused_in_words(
    run: Run, tmp_path: Path, data: bytes
) -> None:
    file = tmp_path / "naans.json"
    file.write_bytes(data)
    code, out, err = run("ark", "check", "--registered", str(file), "ark:12148/x")
    assert (code, out) == (MISUSED, "")
    assert f"{file} isn't a NAAN file" in err


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        (
            "https://nbn-resolving.org/urn:nbn:de:101:1-201102033592",
            "urn:nbn:de:101:1-201102033592",
        ),
        ("urn:nbn:urn:nbn:de:101:1-201102033592", "urn:nbn:de:101:1-201102033592"),
        ("(urn:isbn:9789510184356)", "urn:isbn:9789510184356"),
        ('"urn:isbn:9789510184356"', "urn:isbn:9789510184356"),
        ("urn:foo:café", "urn:foo:caf%C3%A9"),
        ("urn:example:a b", "urn:example:a%20b"),
        ("urn:foo:bar%2", None),
    ],
)
def test_a_corrected_urn_keeps_its_name_and_says_what_was_changed(
    run: Run, text: str, corrected: str | None
) -> None:
    (told,) = lines(run("urn", "check", text)[1])
    assert told["corrected"] == corrected
    assert (told["correction"] is None) == (corrected is None)


@pytest.mark.parametrize(
    "text",
    [
        *("https://n2t.net/ark:/12148/btv1", "n2t.net/ark:/12148/btv1", "/ark:/ark:/12148/btv1"),
        *("(ark:12148/btv1)", '"ark:12148/btv1"', "ark:12148/btv1.", "ark:12148/btv1\u200b"),
        *(
            "ark:12148/b\u2010tv1",
            "ark:12148/b\u2015tv1",
            "ark:12148/b\u00adtv1",
            "ark:ark:12148/btv1",
        ),
    ],
)
def test_a_pasted_ark_is_offered_without_what_is_around_it(run: Run, text: str) -> None:
    (told,) = lines(run("ark", "check", text)[1])
    assert told["corrected"] == "ark:12148/btv1"
    assert told["correction"]
    (sound,) = lines(run("ark", "check", told["corrected"])[1])
    assert (sound["valid"], sound["corrected"], sound["correction"]) == (True, None, None)


def test_a_urn_in_a_text_is_not_cut_at_a_letter_that_no_urn_has(run: Run) -> None:
    given = "See urn:foo:café, urn:foo:bar%2. (urn:isbn:9789510184356) urn:isbn:9789510184356は"
    told = lines(run("urn", "find", "-", stdin=given.encode())[1])
    assert [(one["urn"], one["corrected"]) for one in told] == [
        ("urn:foo:café", "urn:foo:caf%C3%A9"),
        ("urn:foo:bar%2", None),
        ("urn:isbn:9789510184356", None),
        ("urn:isbn:9789510184356", None),
    ]


def test_an_impossible_urn_is_not_the_same_as_a_possible_one(run: Run) -> None:
    texts = ("urn:isbn:080442957X", "urn:isbn:080442957x", "urn:isbn:080442957x")
    told = lines(run("urn", "check", *texts)[1])
    assert [one["possibility"] for one in told] == ["possible", "impossible", "impossible"]
    assert [one["same_as"] for one in told] == [None, None, 2]


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("https://n2t.net/ark:/13030/xf93gt2q", True),
        ("n2t.net/ark:13030/xf93-gt2q?info", True),
        ("(ark:13030/xf93gt2q).", True),
        ("ark:13030/xf93gt2q/c2/s4.pdf", True),
        ("https://n2t.net/ark:/13030/xf93gt2r", False),
        ("https://example.org/xf93gt2q", False),
    ],
)
def test_a_noid_is_checked_without_its_resolver_and_its_qualifier(
    run: Run, text: str, valid: bool
) -> None:
    (told,) = lines(run("noid", "check", text)[1])
    assert told["valid"] is valid
    assert told["expected"] == (None if "example.org" in text else "q")


def test_a_check_character_is_looked_at_where_a_holder_declares_it_or_it_is_asked_for(
    run: Run,
) -> None:
    def codes(*arguments: str) -> list[str]:
        (told,) = lines(run("ark", "check", *arguments)[1])
        return [one["code"] for one in told["advisories"]]

    assert "check_character" not in codes("ark:12345/x5wf6789")
    assert "check_character" in codes("ark:12345/x5wf6789", "--check-character")
    assert "check_character" not in codes("ark:99166/w66d60p2")
    assert "check_character" in codes("ark:99166/w66d60p3"), "the shoulder declares CC"
