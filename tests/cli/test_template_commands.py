"""The commands about templates, as a shell and the checks of other projects use them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.commands.shell import DONE, FOUND, MISUSED
from app.registration.templates.template_writer import format_template
from tests import factories

from .conftest import Run


def fields(**given: str) -> dict[str, str]:
    whole = {"version": "1", "date": "2026-09-01", "namespace_identifier": "quokkas"}
    return factories.template(**(whole | given))


def text_of(**given: str) -> bytes:
    return format_template(fields(**given)).encode()


def read(out: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(out)
    return report


def test_a_template_is_told_field_by_field(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "quokka.txt"
    file.write_bytes(text_of())
    code, out, err = run("template", "read", str(file))
    assert (code, err, out.isascii()) == (DONE, "", True)
    report = read(out)
    assert (report["style"], report["fields"]) == ("rfc8141", fields())
    assert (report["unplaced"], report["problems"]) == ([], [])
    assert report["parts"][0] == {
        "field": "namespace_identifier",
        "heading": "Namespace Identifier:",
        "line": 1,
        "last_line": 1,
    }
    assert report["read_as"] == {
        "namespace_identifier": "quokkas",
        "version": 1,
        "date": "2026-09-01",
    }


def test_what_is_odd_and_what_has_no_place_is_told(run: Run) -> None:
    given = b"Hello,\n\nNamespace ID: QUOKKA requested\r\nVersion: 1.0\n"
    code, out, _ = run("template", "read", "-", stdin=given)
    report = read(out)
    assert code == FOUND
    assert report["fields"] == {"namespace_identifier": "QUOKKA requested", "version": "1.0"}
    assert report["unplaced"] == [{"line": 1, "last_line": 1, "text": "Hello,"}]
    assert [(odd["line"], odd["code"]) for odd in report["problems"]] == [
        (1, "line-ends"),
        (1, "unplaced"),
        (3, "name-form"),
        (4, "version-form"),
    ]
    assert report["read_as"]["namespace_identifier"] == "QUOKKA"


@pytest.mark.parametrize("command", ["read", "lint", "write"])
@pytest.mark.parametrize(
    ("given", "why"), [(b"%PDF-1", "PDF"), ("x".encode("utf-16"), "UTF-16"), (b"a\0", "is 0")]
)
def test_what_is_no_text_is_refused(run: Run, command: str, given: bytes, why: str) -> None:
    code, out, err = run("template", command, "-", stdin=given)
    assert (code, out) == (FOUND, "")
    assert why in err


@pytest.mark.parametrize("command", ["read", "lint", "write"])
def test_a_file_that_is_not_there_is_named(run: Run, tmp_path: Path, command: str) -> None:
    for missing in (tmp_path / "no\x1b[31m.txt", tmp_path):
        code, out, err = run("template", command, str(missing))
        assert (code, out) == (MISUSED, "")
        assert "\x1b" not in err
        assert err


def test_lint_is_silent_about_a_template_that_breaks_no_rule(run: Run) -> None:
    assert run("template", "lint", "-", stdin=text_of()) == (DONE, "", "")


def test_lint_tells_each_problem_with_file_and_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "t.txt"
    file.write_bytes(text_of(namespace_identifier="ISBN", date="TBD", purpose=""))
    code, out, _ = run("template", "lint", str(file))
    assert code == FOUND
    taken = (
        "`ISBN` is already registered as `isbn`. NIDs aren't case-sensitive. Choose another NID."
    )
    assert out.splitlines() == [
        f"{file}:{found}"
        for found in (
            f"1: {taken} (RFC 8141 section 5.1)",
            "1: Enter the purpose. (RFC 8141 section 6.4.1)",
            (
                "5: `TBD` is not a valid date. Enter it as YYYY-MM-DD, for example 2026-11-21. "
                "(RFC 8141 appendix A)"
            ),
        )
    ]


def test_lint_as_json_has_a_line_for_each_thing_found(run: Run) -> None:
    code, out, _ = run(
        "template", "lint", "--json", "-", stdin=b"Greetings\n" + text_of(purpose="")
    )
    found = [read(line) for line in out.splitlines()]
    assert code == FOUND
    members = {"file", "line", "field", "code", "message", "source", "severity", "is_problem"}
    assert members == set(found[0])
    assert ("missing", "purpose") in {(one["code"], one["field"]) for one in found}
    assert ("unplaced", "") in {(one["code"], one["field"]) for one in found}


def test_a_note_forbids_nothing(run: Run) -> None:
    code, out, _ = run("template", "lint", "-", stdin=text_of(version="1.0"))
    assert code == DONE
    assert out == (
        "-:3: note: `1.0` was read as version 1. Write only the number. (RFC 8141 appendix A)\n"
    )


def test_a_grammar_is_judged_as_in_a_request(run: Run) -> None:
    written = text_of(syntax="quokka = 1*DIGT")
    code, out, _ = run("template", "lint", "-", stdin=written)
    line = written.decode().split("\n").index("quokka = 1*DIGT") + 1
    told = [one for one in out.splitlines() if "DIGT" in one]
    assert (code, len(told)) == (DONE, 1)
    assert told[0].startswith(f"-:{line}: should: ")


@pytest.mark.parametrize("given", [("--revision", "1"), ("", "2")])
def test_a_revision_is_of_a_registered_name(run: Run, given: tuple[str, str]) -> None:
    text = text_of(namespace_identifier="isbn", version=given[1], revision_information="All of it.")
    code, out, _ = run("template", "lint", *filter(None, [given[0]]), "-", stdin=text)
    assert (code, out) == (DONE, "")


def test_lint_of_an_informal_template_asks_for_no_name(run: Run) -> None:
    text = text_of(namespace_identifier="")
    assert run("template", "lint", "--kind", "informal", "-", stdin=text)[0] == DONE
    assert run("template", "lint", "-", stdin=text)[0] == FOUND


@pytest.mark.parametrize(
    ("identifier", "is_informal"),
    [
        ("urn-7", True),
        ("URN-12 requested", True),
        ("To be assigned by IANA (informal)", True),
        ("urn-<number>", True),
        ("quokka", False),
        ("urn-quokka", False),
        ("Requested of IANA (formal)", False),
    ],
)
def test_lint_tells_the_kind_by_the_name(run: Run, identifier: str, is_informal: bool) -> None:
    text = text_of(namespace_identifier=identifier)
    guessed = run("template", "lint", "-", stdin=text)
    kind = "informal" if is_informal else "formal"
    other = "formal" if is_informal else "informal"
    assert guessed == run("template", "lint", "--kind", kind, "-", stdin=text)
    assert guessed != run("template", "lint", "--kind", other, "-", stdin=text)


def test_a_title_is_told_and_written_again(run: Run) -> None:
    text = b"Namespace Registration for Quokkas\n\n" + text_of()
    _, report, _ = run("template", "read", "-", stdin=text)
    assert read(report)["title"] == "Namespace Registration for Quokkas"
    assert run("template", "write", "-", stdin=report.encode())[1].encode() == text
    odd = json.dumps({"title": "Dear all,", "fields": {"purpose": "None."}})
    code, out, err = run("template", "write", "-", stdin=odd.encode())
    assert (code, out, "title must be" in err) == (FOUND, "", True)


def test_lint_goes_on_after_a_file_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"%PDF-1")
    (tmp_path / "b").write_bytes(text_of(purpose=""))
    code, out, err = run("template", "lint", str(tmp_path / "a"), str(tmp_path / "b"))
    assert (code, "PDF" in err, "Enter the purpose." in out) == (FOUND, True, True)


@pytest.mark.parametrize("command", ["read", "lint"])
def test_what_is_echoed_is_visible(run: Run, command: str) -> None:
    given = "Namespace ID: \x1b[2J\u202eabc\nVersion: \x1b[1m\nPurpose: \x1b]0;x\x07\n"
    code, out, err = run("template", command, "-", stdin=given.encode())
    assert code == FOUND
    assert not set("\x1b\x07\u202e") & set(out + err)


def test_what_was_read_is_written_again(run: Run) -> None:
    _, out, _ = run("template", "read", "-", stdin=text_of(purpose="Größe: “a”\n\nSyntax: b"))
    code, text, err = run("template", "write", "-", stdin=out.encode())
    assert (code, err) == (DONE, "")
    assert text.encode() == text_of(purpose="Größe: “a”\n\nSyntax: b")


def test_plain_fields_are_written(run: Run) -> None:
    code, text, _ = run("template", "write", "-", stdin=b'{"date": "2026-09-01", "version": "1"}')
    assert (code, text) == (DONE, "Version: 1\n\nDate: 2026-09-01\n")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "Not valid JSON"),
        ("[]", "Send a JSON object"),
        ('{"fields": 3}', "Send a JSON object"),
        ('{"purpose": 3}', "must be text"),
        ('{"colour": "red"}', "no field"),
        ('{"purpose": "a", "purpose": "b"}', "twice"),
        ('{"purpose": NaN}', "NaN"),
        ('{"purpose": "\\u0000"}', "U\\+0000"),
        ('{"purpose": "\\ud800"}', "U\\+D800"),
        ('{"version": "1\\n2"}', "one line"),
        ("[" * 99_999, "Not valid JSON"),
        ('{"\\u001b[2J": ""}', "no field"),
    ],
)
def test_json_that_holds_no_template_is_refused(run: Run, given: str, why: str) -> None:
    code, out, err = run("template", "write", "-", stdin=given.encode())
    assert (code, out, "\x1b" in err) == (FOUND, "", False)
    assert re.search(why, err)


def test_every_registered_template_goes_through_read_write_and_read(run: Run, shared: Path) -> None:
    for at, file in enumerate(sorted((shared / "data/iana/templates").glob("*/*"))):
        _, first, _ = run("template", "read", str(file))
        code, text, err = run("template", "write", "-", stdin=first.encode())
        assert (code, err) == (DONE, ""), file.name
        _, again, _ = run("template", "read", "-", stdin=text.encode())
        words = {name: value.split() for name, value in read(first)["fields"].items()}
        assert words == {name: value.split() for name, value in read(again)["fields"].items()}
        if at % 20 == 0:  # a grammar takes a process to study
            assert run("template", "lint", str(file))[0] in (DONE, FOUND)
