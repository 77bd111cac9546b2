"""The command that studies a grammar, as a shell uses it."""

import json
from pathlib import Path

from app.commands.shell import DONE, FOUND, MISUSED

from .conftest import Run

RIGHT = 'name = "urn:ex:" year\nyear = 4DIGIT\n\nAs in urn:ex:1999, and urn:ex:19 begins one.\n'
WRONG = 'name ::= "urn:ex:" (year | " ")\nyear = 4DIGIT / é\n\nAs in urn:ex:199x.\n'


def test_a_right_grammar_is_told_in_words(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "syntax.txt"
    file.write_text(RIGHT, encoding="utf-8")
    code, out, err = run("syntax", "check", str(file))
    assert code == DONE
    assert err.startswith("2 rules. Start rule: name.")
    assert "4:7: urn:ex:1999 matches: 1999 as year" in out
    assert "4:24: urn:ex:19 is the beginning of an identifier" in out
    assert "Is every generated text a URN? Yes." in out
    assert "Generated: urn:ex:0000" in out


def test_problems_are_told_with_their_lines(run: Run) -> None:
    code, out, _ = run("syntax", "check", "-", stdin=WRONG.encode())
    assert code == FOUND
    assert "1:6: Warning. ABNF defines a rule with `=`." in out
    assert "1:28: Warning. `name` allows a space" in out
    assert "4:7: urn:ex:199x doesn't match from character 11" in out
    assert "[RFC 5234 section 2.2]" in out


def test_everything_is_told_as_json(run: Run) -> None:
    code, out, err = run("syntax", "check", "-", "--json", stdin=WRONG.encode())
    document = json.loads(out)
    assert (code, err) == (FOUND, "")
    assert out.isascii()
    assert document["grammar"].startswith('name = "urn:ex:" (year / " ")\n')
    assert {one["code"] for one in document["findings"]} >= {"equals", "alternative", "example"}


def test_the_namespace_and_the_start_can_be_given(run: Run) -> None:
    code, out, _ = run("syntax", "check", "-", "--nid", "quoll", stdin=RIGHT.encode())
    assert code == FOUND
    assert "urn:quoll:`" in out
    _, _, err = run("syntax", "check", "-", "--start", "year", stdin=RIGHT.encode())
    assert "Start rule: year." in err
    code, out, err = run("syntax", "check", "-", "--start", "day", stdin=RIGHT.encode())
    assert code == FOUND
    assert "start rule is unknown" in err


def test_a_text_without_a_grammar_has_no_problem(run: Run) -> None:
    code, out, err = run("syntax", "check", "-", stdin=b"\xef\xbb\xbfIn words \xff alone.\n")
    assert (code, out) == (DONE, "")
    assert err == "No grammar was found.\n"


def test_the_same_finding_on_other_lines_is_told_with_them(run: Run) -> None:
    _, out, _ = run("syntax", "check", "-", stdin=b'a ::= "urn:ex:" b\nb ::= ALPHA\n')
    assert "Also on line 2." in out


def test_the_answers_are_told_with_what_leaves_them_open(run: Run) -> None:
    text = b'name = "urn:ex:" rest DIGIT\nrest = <any words>\n'
    _, out, _ = run("syntax", "check", "-", stdin=text)
    assert "Can a URN contain `//`? " in out
    assert "`rest`" in out
    assert "From specifications: DIGIT (RFC 5234 appendix B.1)." in out
    _, out, _ = run("syntax", "check", "-", stdin=RIGHT.encode())
    assert "Checked for all URNs." in out


def test_what_is_too_large_is_told(run: Run) -> None:
    code, out, _ = run("syntax", "check", "-", stdin=b"x" * 1_000_001)
    assert code == DONE
    assert out.startswith("Too large: The text has more than 1,000,000 characters")


def test_wrong_use_is_told(run: Run, tmp_path: Path) -> None:
    for arguments in ([], [str(tmp_path / "missing")], [str(tmp_path)]):
        code, out, err = run("syntax", "check", *arguments)
        assert (code, out) == (MISUSED, "")
        assert err


def test_a_file_that_is_no_text_is_refused_with_the_reason(run: Run) -> None:
    code, out, err = run("syntax", "check", "-", stdin='a = "b"'.encode("utf-16"))
    assert (code, out) == (MISUSED, "")
    assert "The file is encoded as UTF-16. Save it as plain text in UTF-8." in err
