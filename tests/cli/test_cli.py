"""The command line, as a shell uses it."""

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import bundled
from app.cli import main
from app.commands.shell import DONE, FOUND, MISUSED
from app.exports.formats.xml import xml_bytes
from app.progress import Progress
from app.registration.declarations.registries import declared_procedures
from app.registration.naans.naan_documents import naan_file_from
from app.registration.naans.naan_json import write_naan_json
from app.registration.records.registry_records import Registration, Xref, XrefType
from app.services.registry import naan_import, snapshots
from app.services.registry.import_plans import ImportPlan
from tests.conftest import few_names
from tests.full_disks import no_new_pages
from tests.registration.printed import EARLIER, END, INTRODUCTION, printed

from .conftest import Run, SetUp


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_urn_is_told_in_its_parts(run: Run) -> None:
    code, out, _ = run("urn", "parse", "urn:Example:a/b?=c#")
    assert code == DONE
    assert lines(out) == [
        {
            "input": "urn:Example:a/b?=c#",
            "valid": True,
            "nid": "Example",
            "nss": "a/b",
            "r_component": None,
            "q_component": "c",
            "f_component": "",
            "assigned_name": "urn:Example:a/b",
            "normal_form": "urn:example:a/b",
            "rfc2141_valid": False,
            "error": None,
        }
    ]


def test_standard_input_gives_one_answer_a_line_in_order(run: Run) -> None:
    given = "urn:ab:1\nnot one\nurn:ab:\xe9\n".encode("latin-1")
    code, out, _ = run("urn", "parse", "-", stdin=given)
    assert code == FOUND
    assert [report["valid"] for report in lines(out)] == [True, False, False]
    assert out.isascii()


def test_a_normal_form_is_given(run: Run) -> None:
    code, out, _ = run("urn", "normalize", "URN:ISBN:%2c?+r")
    assert code == DONE
    assert lines(out)[0]["normal_form"] == "urn:isbn:%2C"


@pytest.mark.parametrize(
    ("b", "code"), [("urn:ISBN:1#f", DONE), ("urn:isbn:2", FOUND), ("isbn:1", MISUSED)]
)
def test_two_urns_are_compared(run: Run, b: str, code: int) -> None:
    assert run("urn", "compare", "urn:isbn:1", b)[0] == code


def test_names_are_checked_against_the_bundled_registry_or_a_file(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("nid", "check", "ISBN", "quokka")
    assert code == FOUND
    assert [report["valid"] for report in lines(out)] == [False, True]
    own = tmp_path / "names"
    own.write_text("quokka\n")
    assert run("nid", "check", "--registered", str(own), "isbn")[0] == DONE
    assert run("nid", "check", "--registered", str(own), "Quokka")[0] == FOUND
    assert run("nid", "check", "--kind", "informal", "urn-12")[0] == DONE


def test_wrong_use_is_told_apart_from_problems_found(run: Run, tmp_path: Path) -> None:
    assert run("urn")[0] == MISUSED
    assert run("nid", "check", "--kind", "odd", "x")[0] == MISUSED
    assert run("nid", "check", "--registered", "/nowhere/at/all", "x")[0] == MISUSED
    assert run("nid", "check", "--registered", str(tmp_path), "x")[0] == MISUSED
    own = tmp_path / "names"
    own.write_bytes(b"\x00\xff")
    assert run("nid", "check", "--registered", str(own), "x")[0] == MISUSED
    for edition in ("-1", "٣", "9" * 30):
        assert run("registry", "export", "--format", "xml", "--edition", edition)[0] == MISUSED


def test_a_closed_standard_input_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for asked in (["urn", "check"], ["nid", "check"]):
        monkeypatch.setattr(sys, "stdin", None)
        assert main([*asked, "-"]) == DONE
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["template", "read", "-"]) == FOUND


def test_the_procedures_are_drawn_into_a_text_that_marks_the_place(
    run: Run, tmp_path: Path
) -> None:
    code, out, _ = run("procedures", "draw")
    assert (code, out.count("```mermaid\n")) == (DONE, len(declared_procedures()))
    text = tmp_path / "README.md"
    text.write_text("Nothing.\n")
    code, _, err = run("procedures", "draw", str(text))
    assert (code, text.read_text()) == (MISUSED, "Nothing.\n")
    assert "No place is marked" in err
    text.write_text("<!-- The procedures, as `urn-registry procedures draw` writes them. -->\n")
    with text.open("a") as more:
        more.write("<!-- End of the procedures. -->\nAfter.\n")
    assert run("procedures", "draw", str(text))[0] == DONE
    assert out in text.read_text()
    assert text.read_text().endswith("-->\nAfter.\n")


def test_a_registry_is_set_up_once_and_exported(run: Run, tmp_path: Path) -> None:
    assert "Added 106 namespaces" in run("init")[2]
    assert "already" in run("init")[2]
    code, out, _ = run("registry", "export", "--format", "csv", "-o", str(tmp_path))
    assert (code, out) == (DONE, "")
    assert (tmp_path / "urn-namespaces-1.csv").read_text().startswith("URN Namespace,Template")
    whole = (tmp_path / "urn-namespaces.csv").read_text()
    assert run("registry", "export", "--format", "csv")[1].splitlines() == whole.splitlines()
    assert whole.count("\nurn-7,") == whole.count("\nisbn,") == 1
    feed = tmp_path / "feed"
    assert run("registry", "export", "--format", "atom", "-o", str(feed))[0] == DONE
    assert b"http://www.w3.org/2005/Atom" in feed.read_bytes()
    code, out, _ = run("registry", "export", "--format", "prefixes")
    assert "urn:isbn:" in {record["uri_prefix"] for record in json.loads(out)}
    assert run("registry", "export", "--format", "resolution", "-o", str(tmp_path))[0] == DONE
    assert (tmp_path / "urn-namespaces-resolution.jsonl").read_text().count('"nid":"isbn"') == 1
    code, out, _ = run("registry", "export", "--format", "json")
    assert json.loads(out)["edition"] == 1
    for number in ("9", "0"):
        code, out, err = run("registry", "export", "--format", "xml", "--edition", number)
        assert (code, out, f"dition {number}" in err) == (FOUND, "", True)


def test_a_database_that_cannot_be_used_is_told_with_what_to_do(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a file"
    file.write_text("")
    commands = (
        ("registry", "export", "--format", "xml"),
        ("registry", "import", str(file)),
        ("registry", "import-history", str(tmp_path)),
        ("registry", "import-templates", str(tmp_path)),
        ("registry", "import-profiles"),
        ("account", "add", "a@b.example"),
        ("serve",),
    )
    for command in commands:
        code, _, err = run(*command)
        assert code == MISUSED
        assert "Run `urn-registry init` first." in err
    nowhere = "postgresql+psycopg://nobody:hidden@127.0.0.1:9/nothing"
    monkeypatch.setenv("URN_REGISTRY_DATABASE_URL", nowhere)
    for command in (*commands, ("init",)):
        code, _, err = run(*command)
        assert code == MISUSED
        assert err.startswith("The database can't be reached: ")
        assert "hidden" not in err


@pytest.mark.slow
def test_a_full_disk_is_named_and_nobody_else_is_blamed(run: Run, set_up: SetUp) -> None:
    set_up("--empty")
    with no_new_pages():
        code, _, err = run("registry", "import-naans", "--bundled")
        assert code == MISUSED
        assert err.startswith("The disk of the database is full: ")
        assert "Free some space" in err
        assert "nother user" not in err
        code, _, err = run("check-config", "--connect")
        assert (code, "The disk of the database is full: " in err) == (FOUND, True)
    assert run("registry", "import-naans", "--bundled")[0] == DONE


def test_an_empty_registry_can_be_set_up(run: Run) -> None:
    run("init", "--empty")
    _, out, _ = run("registry", "export", "--format", "json")
    assert all(not table["records"] for table in json.loads(out)["tables"])


@pytest.mark.slow
def test_a_new_registry_knows_every_naan_and_shoulder_and_gives_their_file_again(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("URN_REGISTRY_NAANS", "yes")
    assert "Added 1800 NAANs and shoulders." in run("init")[2]
    code, out, _ = run("registry", "export", "--group", "naans", "--format", "naan-records")
    assert code == DONE
    assert out.encode() == write_naan_json(naan_file_from(bundled.naans()))
    file = tmp_path / "naan_records.json"
    file.write_text(out)
    code, _, err = run("registry", "import-naans", str(file))
    assert code == DONE
    assert "unchanged: 1800 identical, 0 not" in err
    assert "no new edition" in err
    code, _, err = run("registry", "import-naans", "--dry-run", "-", stdin=b'{"data": [7]}')
    assert code == FOUND
    assert "This entry has no NAAN" in err
    assert "unchanged: 0 identical, 1800 not" in err
    assert "1800 entries of earlier files are missing" in err
    code, _, err = run("registry", "import-naans", "-", stdin=b"\xff")
    assert code == FOUND
    assert "UTF-8" in err


def test_a_registry_of_before_there_were_naans_takes_over_those_that_are_shipped(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with few_names():
        run("init")
    monkeypatch.setenv("URN_REGISTRY_NAANS", "yes")
    assert "import-naans --bundled`" in run("init")[2]
    whole = naan_file_from(bundled.naans())
    monkeypatch.setattr(
        naan_import, "naan_file_from", lambda _: replace(whole, records=whole.records[:3])
    )
    for options, said in ((["--dry-run"], "would be added: 3"), ([], "added: 3")):
        code, _, err = run("registry", "import-naans", "--bundled", *options)
        assert (code, said in err) == (DONE, True)
    assert "import-naans" not in run("init")[2]
    for wrong in ([], ["--bundled", "FILE"]):
        code, _, err = run("registry", "import-naans", *wrong)
        assert code == MISUSED
        assert "--bundled" in err


def test_a_new_demonstration_begins_at_work_unless_a_setting_says_otherwise(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = ImportPlan((), (), (), (), False, (), (), False)
    begun, plans = [], iter([new, new, None, new])
    for begin in ("snapshots.initialize", "history_import.initialize_with_history"):
        monkeypatch.setattr(f"app.server.{begin}", lambda *_, **__: next(plans))
    monkeypatch.setattr("app.server.edition_build.build_pending", lambda *_: None)
    monkeypatch.setattr("app.server.demo_requests.add_requests", lambda *_: begun.append(True))
    run("init")
    assert begun == []
    run("init", "--demo")
    run("init", "--demo")
    assert begun == [True], "not in a registry that was there before"
    monkeypatch.setenv("URN_REGISTRY_DEMO_REQUESTS", "no")
    run("init", "--demo")
    assert begun == [True]


def test_an_import_says_what_it_does_and_does_it_once(
    run: Run, set_up: SetUp, shared: Path
) -> None:
    set_up("--empty")
    real = str(shared / "data/iana/urn-namespaces/urn-namespaces.xml")
    code, _, err = run("registry", "import", "--dry-run", real)
    assert code == DONE
    assert "would be added: 105" in err
    assert "added: 105" in run("registry", "import", real)[2]
    assert "added: 0" in run("registry", "import", real)[2]


def with_name(name: str) -> bytes:
    shipped = snapshots.bundled_snapshot()
    first, second = shipped.registries
    more = Registration(name=name, references=(Xref(XrefType.RFC, "rfc8141"),))
    return xml_bytes(
        replace(shipped, registries=(replace(first, records=(*first.records, more)), second))
    )


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
def test_an_import_names_each_name_that_breaks_a_rule(
    run: Run, set_up: SetUp, options: list[str]
) -> None:
    set_up()
    for name, advice in (("f\u00fcr", "Character 2"), ("-abc", "hyphen"), ("urn", "scheme")):
        code, _, err = run("registry", "import", *options, "-", stdin=with_name(name))
        assert code == FOUND
        assert advice in err
        assert "Nothing was imported." in err
        assert "--allow-legacy" not in err
    code, _, err = run("registry", "import", *options, "-", stdin=with_name("urn-77"))
    assert (code, "--allow-legacy" in err) == (FOUND, True)
    take = ("registry", "import", *options, "--allow-legacy", "-")
    code, _, err = run(*take, stdin=with_name("urn-77"))
    assert code == DONE
    assert "added: 1 urn-77" in err
    assert "legacy name: `urn-77`" in err


def test_a_value_that_breaks_a_constraint_is_not_blamed_on_another_process(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up()
    monkeypatch.setattr(snapshots, "check_new_names", lambda *_, **__: ())
    for options in ((), ("--dry-run",)):
        code, _, err = run("registry", "import", *options, "-", stdin=with_name("f\u00fcr"))
        assert code == MISUSED
        assert err.startswith("The database refused a value: ")
        assert "Correct this value" in err
        assert "process" not in err


def test_a_record_that_blocks_publication_is_listed_withheld_and_released(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up()
    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "check_new_names", lambda *_, **__: ())
        patch.setattr(snapshots, "check_edition", lambda _edition: None)
        assert run("registry", "import", "-", stdin=with_name("-abc"))[0] == DONE
    code, _, err = run("init")
    assert (code, "Traceback" in err) == (FOUND, False)
    assert "cannot be published" in err
    assert "`urn-registry registry withhold`" in err
    code, _, err = run("registry", "withhold")
    assert code == FOUND
    assert "-abc: The registry can’t be published" in err
    assert run("registry", "withhold", "--", "-abc")[0] == FOUND  # without a reason
    code, _, err = run("registry", "withhold", "--reason", "It blocks editions.", "--", "-abc")
    assert code == DONE
    assert "don't list it" in err
    code, _, err = run("registry", "withhold")
    assert (code, "0 records block publication." in err) == (DONE, True)
    code, _, err = run("registry", "release", "--reason", "Try again.", "--", "-abc")
    assert (code, "can’t be published" in err) == (FOUND, True)


def test_a_folder_of_editions_is_imported_with_their_dates(
    run: Run, set_up: SetUp, shared: Path, tmp_path: Path
) -> None:
    set_up("--empty")
    for file in sorted((shared / "data/iana/history").glob("*.xml"))[:3]:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    code, out, err = run("registry", "import-history", str(tmp_path))
    assert (code, out) == (DONE, "")
    assert "3 of 3 editions made" in err
    assert "editions 1 to 3, from 2015-04-29 to 2016-01-22" in err
    _, out, _ = run("registry", "export", "--format", "json", "--edition", "2")
    assert json.loads(out)["updated"] == "2015-10-19"
    assert run("registry", "import-history", str(tmp_path))[0] == FOUND


def test_profiles_are_given_to_names_that_have_none_and_other_names_are_told(
    run: Run, set_up: SetUp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up()
    code, out, err = run("registry", "import-profiles", "--dry-run")
    assert (code, out) == (DONE, "")
    assert "would be added: 0" in err
    assert "unchanged: 105 with a profile" in err
    file = tmp_path / "profiles.json"
    file.write_text('{"isbn": {"profile": {"names": "x"}}, "quokka": {"profile": {"names": "x"}}}')
    code, _, err = run("registry", "import-profiles", str(file))
    assert (code, "quokka: No namespace has this NID" in err) == (FOUND, True)
    file.write_text('{"isbn": {"profile": {"homepage": "x"}}}')
    code, _, err = run("registry", "import-profiles", str(file))
    assert (code, "isbn: homepage: Enter an address" in err) == (FOUND, True)
    assert run("registry", "import-profiles", str(tmp_path / "nowhere"))[0] == MISUSED
    monkeypatch.setattr("app.commands.profile_commands._MOST", 20)
    code, _, err = run("registry", "import-profiles", "-", stdin=b'{"quokka": {}}        ')
    assert (code, "Nothing was imported." in err) == (FOUND, True)
    assert run("registry", "import-profiles", "-", stdin=b"{}" + b" " * 18)[0] == DONE
    _, out, _ = run("registry", "export", "--format", "json")
    assert json.loads(out)["edition"] == 1


def test_a_broken_edition_is_named_and_nothing_is_imported(
    run: Run, set_up: SetUp, shared: Path, tmp_path: Path
) -> None:
    set_up("--empty")
    first = min((shared / "data/iana/history").glob("*.xml"))
    (tmp_path / first.name).write_bytes(first.read_bytes())
    (tmp_path / "broken.xml").write_text("<registry")
    code, _, err = run("registry", "import-history", str(tmp_path))
    assert code == FOUND
    assert "broken.xml: Line 1" in err
    _, out, _ = run("registry", "export", "--format", "json")
    assert json.loads(out)["edition"] == 0
    assert run("registry", "import-history", str(tmp_path / "nowhere"))[0] == MISUSED


def test_texts_of_templates_are_attached_and_files_without_a_name_are_told(
    run: Run, set_up: SetUp, tmp_path: Path
) -> None:
    set_up()
    folder = tmp_path / "texts"
    (folder / "urn-formal").mkdir(parents=True)
    (folder / "urn-formal" / "isbn").write_bytes(b"Namespace ID: ISBN")
    (folder / ".hidden").write_bytes(b"")
    code, out, err = run("registry", "import-templates", str(folder), "--dry-run")
    assert (code, "would be added: 1 isbn" in out, err) == (DONE, True, "")
    (folder / "numbat").write_bytes(b"None.")
    code, _, err = run("registry", "import-templates", str(folder))
    assert (code, "added: 1 isbn" in err) == (FOUND, True)
    assert "numbat: No namespace has this NID" in err
    (folder / "numbat").unlink()
    (folder / "lei").write_bytes(b"Namespace ID: ISNI")
    code, out, _ = run("registry", "import-templates", str(folder), "--dry-run")
    assert code == FOUND
    assert "lei: the NID in the text is `ISNI`, not `lei`. Skipped" in out
    code, out, _ = run("registry", "import-templates", str(folder), "--dry-run", "--force")
    assert (code, "would be added: 1 lei" in out) == (DONE, True)
    (folder / "issn").write_bytes(b"\xff")
    code, _, err = run("registry", "import-templates", str(folder))
    assert (code, "issn: Byte 1 is not UTF-8" in err) == (FOUND, True)
    _, out, _ = run("registry", "export", "--format", "json")
    assert json.loads(out)["edition"] == 2


def test_a_dry_run_shows_what_was_found_in_rfcs_and_what_it_is_unsure_of(
    run: Run, set_up: SetUp, tmp_path: Path
) -> None:
    set_up()
    folder = tmp_path / "RFC"
    (folder / "standard").mkdir(parents=True)
    chapter = EARLIER.replace('"quokka"', '"ietf"').replace(
        "Process of identifier reso", "Way of reso"
    )
    packed = gzip.compress(printed(INTRODUCTION, chapter, END, number=2648).encode())
    (folder / "standard" / "rfc2648.txt.gz").write_bytes(packed)
    (folder / "standard" / "rfc1.txt.gz").write_bytes(b"no gzip file, and never opened")
    (folder / "rfc-index.txt.gz").write_bytes(b"likewise")
    code, out, err = run("registry", "import-templates", str(folder), "--dry-run")
    assert code == DONE
    assert "ietf: standard/rfc2648.txt.gz: RFC 2648, section 2, lines 13 to 57\n" in out
    assert "8 sections: Namespace ID; Registration Information: Registration Version" in out
    assert "uncertain: Not found: Resolution." in out
    assert "would be added: 1 ietf\n" in out
    assert "skipped: 2 RFCs" in out
    assert err == ""
    code, _, err = run("registry", "import-templates", str(folder))
    assert (code, "\nadded: 1 ietf\n" in f"\n{err}", "uncertain" in err) == (DONE, True, False)
    (folder / "rfc8107.txt").write_bytes(gzip.compress(bytes(50_000_000)))
    code, _, err = run("registry", "import-templates", str(folder))
    assert (code, "rfc8107.txt: Unpacked, the file is larger than 5 MB." in err) == (FOUND, True)


@pytest.mark.parametrize("command", ["import-history", "import-templates"])
def test_a_link_in_a_folder_that_leads_nowhere_is_named_and_nothing_is_read(
    run: Run, set_up: SetUp, tmp_path: Path, command: str
) -> None:
    set_up("--empty")
    (tmp_path / "files").mkdir()
    link = tmp_path / "files" / "urn-namespaces.2001-01-01.xml"
    link.symlink_to(tmp_path / "gone.xml")
    code, _, err = run("registry", command, str(tmp_path / "files"))
    assert (code, f"{link} is a broken link" in err) == (MISUSED, True)
    link.unlink()
    code, _, err = run("registry", command, str(tmp_path / "files"))
    assert (code, "Choose the folder" in err) == (FOUND, True)


def test_a_terminal_shows_a_bar_and_a_log_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for done in range(1, 77):
        Progress("files read", 76)(done)
    lines_of_log = capsys.readouterr().err.splitlines()
    assert len(lines_of_log) <= 11
    assert lines_of_log[-1] == "76 of 76 files read"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for done in (1, 2):
        Progress("files read", 2)(done)
    bar = capsys.readouterr().err
    assert bar == f"\r[{'#' * 15}{'.' * 15}] 1/2 files read\r[{'#' * 30}] 2/2 files read\n"


def test_a_broken_file_is_refused_with_its_line(run: Run, set_up: SetUp, tmp_path: Path) -> None:
    set_up()
    broken = tmp_path / "broken.xml"
    broken.write_text('<?xml version="1.0"?>\n<registry>')
    code, _, err = run("registry", "import", str(broken))
    assert code == FOUND
    assert "Line 2" in err


def test_roles_are_granted_and_revoked(run: Run, set_up: SetUp) -> None:
    set_up()
    assert run("account", "add", "a@registry.example", "--name", "A")[0] == DONE
    assert run("account", "grant", "a@registry.example", "operator")[0] == DONE
    assert run("account", "revoke", "a@registry.example", "operator")[0] == DONE
    assert run("account", "revoke", "a@registry.example", "operator")[0] == FOUND
    assert run("account", "add", "not an address")[0] == FOUND


def test_settings_are_checked_before_anything_starts(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("check-config")[0] == DONE
    monkeypatch.setenv("URN_REGISTRY_AUTHORITY", "nobody")
    code, _, err = run("check-config")
    assert (code, "URN_REGISTRY_AUTHORITY" in err) == (MISUSED, True)
    assert run("serve")[0] == MISUSED


def test_a_site_without_a_database_says_what_to_do(run: Run) -> None:
    code, _, err = run("serve", "--demo")
    assert (code, "urn-registry init" in err) == (MISUSED, True)


def test_the_demonstration_refuses_to_be_reached_from_outside(run: Run, set_up: SetUp) -> None:
    set_up()
    code, _, err = run("serve", "--demo", "--host", "0.0.0.0")
    assert (code, "only on this computer" in err) == (MISUSED, True)


def test_identifier_commands_start_without_flask_and_sqlalchemy() -> None:
    code = (
        "import sys; from app.cli import main; main(['urn', 'parse', 'urn:ab:c']);"
        "main(['nid', 'check', 'quokka']); main(['ark', 'check', 'ark:12345/x']);"
        "main(['noid', 'mint', 'f5.reedeedk']); main(['template', 'read', '/dev/null']);"
        "main(['template', 'lint', '/dev/null']); main(['template', 'write', '/dev/null']);"
        "sys.exit(bool({'flask', 'sqlalchemy', 'wtforms'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_a_command_starts_without_what_takes_long_and_few_commands_need() -> None:
    code = (
        "import sys, app.cli, app.identifiers.ark as ark;"
        "from app.resolution import ark_resolver as requests;"
        "late = (ark._extended_ark, ark._trimmed_ark, ark._prefix, ark._run_of);"
        "late += (requests._all_handed_on,);"
        "compiled = sum(one.cache_info().currsize for one in late);"
        "sys.exit(bool(compiled or {'email_validator', 'uvicorn', 'alembic'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_version_is_said_without_the_site() -> None:
    code = (
        "import sys, contextlib; from app.cli import main\n"
        "with contextlib.suppress(SystemExit): main(['--version'])\n"
        "sys.exit(bool({'app.factory', 'app.web', 'uvicorn'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_every_command_has_help(run: Run) -> None:
    for command in (
        (),
        ("urn",),
        ("nid", "check"),
        ("ark", "check"),
        ("noid", "mint"),
        ("template", "read"),
        ("template", "lint"),
        ("template", "write"),
        ("registry", "import"),
        ("account", "grant"),
    ):
        code, out, _ = run(*command, "--help")
        assert code == DONE
        assert "usage" in out
