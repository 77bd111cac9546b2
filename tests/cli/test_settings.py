"""Settings that cannot be used: every command says which and why, in one sentence."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.commands import settings_commands as command
from app.commands.shell import DONE, FOUND, MISUSED
from app.config import PREFIX, Settings
from app.setting_values import body_name
from tests.cli.conftest import Run, SetUp
from tests.conftest import leave_out
from tests.outside.test_smtp import Mailbox, Running, free_port
from tests.postgresql import PostgreSQL, find_binaries
from tests.torture.conftest import some

PASSWORD = "Hunter2Hunter2"
PUBLIC = {"BASE_URL": "https://registry.example", "SMTP_URL": "smtp://mail.example"}

BAD: list[tuple[str, str, str]] = [
    ("DATA_DIR", "", "takes a folder"),
    ("DATA_DIR", "/etc/hostname", "is a file"),
    ("DATA_DIR", "/etc/hostname/below", "is a file"),
    ("DATA_DIR", "/dev/null", "is a file"),
    ("DATA_DIR", "/" + "x" * 300, "cannot be looked at"),
    ("DATABASE_URL", "registry", "takes postgresql://"),
    ("DATABASE_URL", "mysql://u@h/d", "takes postgresql://"),
    ("DATABASE_URL", "sqlite://", "takes postgresql://"),
    ("DATABASE_URL", "sqlite:///", "takes postgresql://"),
    ("DATABASE_URL", "postgresql+asyncpg://u@h/d", "takes postgresql://"),
    ("DATABASE_URL", f"postgresql://u:{PASSWORD}@h:port/d", "takes ports"),
    ("DATABASE_URL", f"postgresql://u:{PASSWORD}@h:99999/d", "takes ports"),
    ("DATABASE_URL", "postgresql://u@h:0/d", "takes ports"),
    ("DATABASE_URL", "postgresql://u@h:/d", "a port is missing"),
    ("DATABASE_URL", "postgresql://u@a:5432,b:x/d", "takes ports"),
    ("DATABASE_URL", "postgresql://u@a,,b/d", "one that is none"),
    ("DATABASE_URL", "postgresql://u@a,b/d?host=c", "takes its hosts before"),
    ("DATABASE_URL", "postgresql://u@/d?host=a,b&port=1,2,3", "cannot be read"),
    ("DATABASE_URL", "postgresql://u@/d?host=a&port=70000", "takes ports"),
    ("DATABASE_URL", "postgresql://u@h/d?sslmod=require", "an option that is none"),
    ("DATABASE_URL", "postgresql://u@h/d?connect_timeout=x", "takes a whole number"),
    ("DATABASE_URL", "postgresql://u@h/d?target_session_attrs=readwrite", "takes any, read-write"),
    ("DATABASE_URL", "postgresql://u@h/d?sslmode=yes", "takes disable, allow"),
    ("DATABASE_URL", "postgresql://u@h with space/d", "one that is none"),
    ("BASE_URL", "", "takes an address"),
    ("BASE_URL", "registry.example", "takes an address"),
    ("BASE_URL", "ftp://registry.example", "takes an address"),
    ("BASE_URL", "https://", "takes an address"),
    ("BASE_URL", "https://registry.example/sub", "without a path"),
    ("BASE_URL", "https://registry.example?x=y", "a query"),
    ("BASE_URL", "https://registry.example/?", "a query"),
    ("BASE_URL", "https://registry.example/#top", "a fragment"),
    ("BASE_URL", f"https://who:{PASSWORD}@registry.example", "a password"),
    ("BASE_URL", "https://registry.example:port", "its port is none"),
    ("BASE_URL", "https://registry.example:99999", "its port is none"),
    ("BASE_URL", "https://registry.example:0", "its port is none"),
    ("BASE_URL", "https://registry.example:", "its port is none"),
    ("BASE_URL", "https://[::1", "its host or its port is none"),
    ("BASE_URL", "https://registry example", "takes an address"),
    ("BASE_URL", "https://registry..example", "takes an address"),
    ("BASE_URL", "https://192.0.2.256", "takes an address"),
    ("BASE_URL", "http://registry.example", "Put a server that speaks TLS in front"),
    ("BASE_URL", "http://127.0.0.1.example:8000", "for this machine alone"),
    ("SECRET_KEY", "short", "takes 32"),
    ("SECRET_KEY", "x" * 31, "takes 32"),
    ("SECRET_KEY", "ab" * 40, "takes 32"),
    ("AUTHORITY", "iana", "takes one of official, private, proposal"),
    ("AUTHORITY", "", "takes one of"),
    ("NOTE", "two\nlines", "takes one line"),
    ("NOTE", "x" * 1001, "takes one line"),
    ("NOTE", "\udcff", "takes one line"),
    ("OPERATOR", "two\nlines", "takes one line"),
    ("CONTACT", "somebody", "takes an address of mail"),
    ("PRIVACY", "http://x.example", "takes an address of mail"),
    ("IMPRINT", "imprint.html", "takes an address of mail"),
    ("SMTP_URL", "https://mail.example", "no such scheme"),
    ("SMTP_URL", "mail.example:25", "no such scheme"),
    ("SMTP_URL", "smtp://", "no such host"),
    ("SMTP_URL", "smtp://mail.example:smtp", "its port is none"),
    ("SMTP_URL", f"smtp://u:{PASSWORD}@mail.example:70000", "its port is none"),
    ("SMTP_URL", f"smtp://u:{PASSWORD}/x@mail.example", "its host or its port is none"),
    ("SMTP_URL", "smtp://mail.example/inbox", "nothing behind it"),
    ("SMTP_URL", "smtp://mail.example?tls=yes", "nothing behind it"),
    ("SMTP_URL", "smtp://user@mail.example", "one of user and password"),
    ("MAIL_FROM", "", "takes an address of mail"),
    ("MAIL_FROM", "registry", "takes an address of mail"),
    ("MAIL_FROM", "@registry.example", "takes an address of mail"),
    ("MAIL_FROM", "a@b@registry.example", "takes an address of mail"),
    ("MAIL_FROM", "Registry <registry>", "takes an address of mail"),
    ("MAIL_FROM", "r@registry.example, s@registry.example", "takes an address of mail"),
    ("MAIL_FROM", "r@registry.example\nBcc: all@registry.example", "takes one line"),
    ("REPLY_ADDRESS", "reply", "takes an address of mail"),
    ("REPLY_ADDRESS", "reply@registry..example", "takes an address of mail"),
    ("REPLY_ADDRESS", f"{'r' * 24}@registry.example", "23 characters at most"),
    ("ESCALATION_BODY", "the Board", "without “the” before it"),
    ("ESCALATION_BODY", "**Board**", "takes a plain name"),
    ("APPEAL_BODY", "x" * 25, "takes a name of 24 characters at most"),
    ("LIST_ADDRESS", "the list", "takes an address of mail"),
    ("LIST_ADDRESS", "https://lists.example/urn", "takes an address of mail"),
    ("NAAN_LIST_ADDRESS", "the list", "takes an address of mail"),
    ("NAAN_PREFIX", "", "takes one to three of the letters"),
    ("NAAN_PREFIX", "b", "no b at the beginning"),
    ("NAAN_PREFIX", "x1", "takes one to three of the letters"),
    ("NAMES_UNDER", "xyz", "does not begin with `ark:` or `urn:`"),
    ("NAMES_UNDER", " ".join(f"ark:{n}/" for n in range(21)), "20 beginnings at most"),
    ("NAANS_ONE_PERSON_MAY_GIVE", "-1", "from 0 to 100000"),
    ("NAANS_ONE_PERSON_MAY_GIVE", "few", "from 0 to 100000"),
    ("AUTHSERV_ID", "mx example", "takes a name"),
    ("AUTHSERV_ID", "mx.example;", "takes a name"),
    ("AUTHSERV_ID", "-mx.example", "takes a name"),
    ("SECURITY_CONTACT", "security", "takes an address of mail"),
    ("SECURITY_CONTACT", "mailto:@", "takes an address of mail"),
    ("SECURITY_CONTACT", "https://", "takes an address of mail"),
    ("SECURITY_CONTACT", "https://x.example:port/", "its port is none"),
    ("SECURITY_CONTACT", "tel:call me", "takes an address of mail"),
    ("SECURITY_CONTACT", "http://x.example", "takes an address of mail"),
    ("REVIEWS_NEEDED", "0", "from 1 to 20"),
    ("REVIEWS_NEEDED", "two", "from 1 to 20"),
    ("REVIEWS_NEEDED", "٢", "from 1 to 20"),
    ("REVIEWS_NEEDED", "999999999", "from 1 to 20"),
    ("REVIEWS_NEEDED", "-1", "from 1 to 20"),
    ("CHECK_RESOLVERS", "perhaps", "takes yes or no"),
    ("LEADER_DECIDES", "perhaps", "takes yes or no"),
    ("PEOPLE_NEEDED", "0", "from 1 to 3"),
    ("PEOPLE_NEEDED", "4", "from 1 to 3"),
    ("DUE_DAYS", "new", "takes states with days"),
    ("DUE_DAYS", "new=soon", "from 1 to 3650"),
    ("DUE_DAYS", "new=999999999", "from 1 to 3650"),
    ("DUE_DAYS", "new=0", "from 1 to 3650"),
    ("DUE_DAYS", "new=3,new=4", "takes each state once"),
    ("DUE_DAYS", "sent=3", "has no state 'sent'"),
    ("DUE_DAYS", "usual/new=3", "has no state 'usual/new'"),
    ("APPEAL_MONTHS", "999999999", "from 0 to 120"),
    ("APPEAL_MONTHS", "2.5", "from 0 to 120"),
    ("REMINDER_DAYS", "0", "from 1 to 3650"),
    ("REMINDER_DAYS", "999999999", "from 1 to 3650"),
    ("TRANSFER_DAYS", "99999", "from 1 to 3650"),
    ("NAPTR_SUFFIX", "urn example", "takes a domain"),
    ("NAPTR_SUFFIX", "urn.arpa", "takes a domain of your own"),
    ("CHECK_RESOLVERS", "daily", "takes yes or no"),
    ("OWN_HOSTS", "https://arks.example", "takes names of hosts"),
    ("OWN_HOSTS", "arks.example, pid.example:8000", "without a scheme, a port or a path"),
    ("OWN_HOSTS", "arks.example pid.example", "takes names of hosts"),
    ("NAANS", "some", "takes yes or no"),
    ("FOLLOW_ARKS", "some", "takes yes or no"),
    ("TRUSTED_PROXIES", "proxy.example", "takes networks"),
    ("TRUSTED_PROXIES", "10.0.0.1/8", "takes networks"),
    ("TRUSTED_PROXIES", "127.0.0.1:8000", "takes networks"),
    ("DEMO", "maybe", "takes yes or no"),
    ("DEMO_REQUESTS", "some", "takes yes or no"),
]


@pytest.mark.parametrize(
    ("line", "name", "value", "said"),
    # all of them read the settings by one function: what starts is tried with some
    [
        *(("check-config", *bad) for bad in BAD),
        *(("serve", *bad) for bad in some(BAD, 8)),
        *(("worker", *bad) for bad in some(BAD, 8, 4)),
    ],
    ids=lambda text: str(text)[:40],
)
def test_a_setting_that_cannot_be_used_is_named_with_what_it_takes(
    run: Run, monkeypatch: pytest.MonkeyPatch, line: str, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}{name}", value)
    code, out, err = run(*line.split())
    assert (code, out) == (MISUSED, ""), err
    assert err.startswith(f"{PREFIX}{name}: "), err
    assert said in err
    assert err.count("\n") == 1
    assert PASSWORD not in err


@pytest.mark.parametrize("line", ["serve", "worker", "init"])
def test_a_data_folder_that_cannot_be_made_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}DATA_DIR", "/proc/registry")
    code, _, err = run(line)
    assert code == MISUSED
    assert err.startswith(f"{PREFIX}DATA_DIR: cannot be used: ")
    assert err.count("\n") == 1


def test_at_least_sixty_settings_are_tried() -> None:
    assert len(BAD) >= 60
    assert {name for name, _, _ in BAD} >= {name.upper() for name in Settings.__slots__}


@pytest.mark.parametrize("line", ["check-config", "serve", "worker", "init"])
def test_people_from_elsewhere_cannot_sign_in_without_mail(
    run: Run, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}BASE_URL", "https://registry.example")
    code, _, err = run(line)
    assert code == MISUSED
    assert err.startswith(f"{PREFIX}SMTP_URL: takes the mail server")
    assert "nobody can sign in" in err


GOOD: list[tuple[str, str]] = [
    ("DATABASE_URL", "postgresql://u:p%40ss@db.example:5432/d"),
    ("DATABASE_URL", "postgresql://u@[2001:db8::1]:5432/d"),
    ("DATABASE_URL", "postgresql://u@a:5432,b:5433/d?target_session_attrs=read-write"),
    ("DATABASE_URL", "postgresql://u@a,[::1]:5433/d"),
    ("DATABASE_URL", "postgresql://u@/d?host=a,b&port=5432,5433"),
    ("DATABASE_URL", "postgresql+psycopg://u@/d?host=/run/postgresql"),
    ("DATABASE_URL", "postgres:///d"),
    ("DATABASE_URL", "sqlite:////somewhere/registry.sqlite3"),
    ("SECRET_KEY", "0123456789abcdef" * 2),
    ("SMTP_URL", "smtp://who:p%2Fss@mail.example:587"),
    ("SMTP_URL", "smtps://[2001:db8::1]/"),
    ("MAIL_FROM", "URN Registry <registry@registry.example>"),
    ("MAIL_FROM", "registry@bücher.example"),
    ("REPLY_ADDRESS", f"{'r' * 23}@registry.example"),
    ("AUTHSERV_ID", "mx1.example.org"),
    ("SECURITY_CONTACT", "https://registry.example/security"),
    ("SECURITY_CONTACT", "tel:+1-201-555-0123"),
    ("DUE_DAYS", "new=3650, informal/expert-review=1"),
    ("APPEAL_MONTHS", "120"),
]


@pytest.mark.parametrize(("name", "value"), GOOD)
def test_a_setting_that_can_be_used_is_taken(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"{PREFIX}{name}", value)
    code, _, err = run("check-config")
    assert (code, err.splitlines()[-1]) == (DONE, "The settings can be used."), err


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("postgres://u@h/d", "postgresql+psycopg://u@h/d"),
        ("postgresql://u@a:1,b/d?x=y", "postgresql+psycopg://u@/d?host=a,b&port=1,&x=y"),
        ("postgresql://a,[::1]:2", "postgresql+psycopg:///?host=a,::1&port=,2"),
        ("sqlite:////f", "sqlite:////f"),
    ],
)
def test_hosts_in_a_row_are_given_on_as_libpq_takes_them(given: str, taken: str) -> None:
    assert Settings(database_url=given).database == taken


# ---- trying what they lead to


@pytest.fixture
def server() -> Iterator[PostgreSQL]:
    """A PostgreSQL server of the test's own."""
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    with PostgreSQL(binaries) as found:
        yield found


def test_a_database_is_tried_and_what_is_missing_is_said(run: Run, set_up: SetUp) -> None:
    code, _, err = run("check-config", "--connect")
    assert code == FOUND
    assert "The database is not set up for this software. Run `urn-registry init` first." in err
    set_up("--empty")
    code, _, err = run("check-config", "--connect")
    assert (code, "set up for this software." in err) == (DONE, True)
    assert "No mail server is set" in err


def test_of_several_hosts_of_a_database_the_dead_one_is_passed_over(
    run: Run, server: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = server.create().partition("?")[0].rpartition("/")[2]
    dead = f"localhost:{free_port()}"
    monkeypatch.setenv(
        f"{PREFIX}DATABASE_URL",
        f"postgresql://postgres@/{name}?host=localhost,{server.folder}&port={dead[10:]},5432",
    )
    assert run("init", "--empty")[0] == DONE
    code, _, err = run("check-config", "--connect")
    assert (code, "PostgreSQL" in err) == (DONE, True), err
    for hosts in (f"{dead}", f"{dead},localhost:{free_port()}"):
        monkeypatch.setenv(f"{PREFIX}DATABASE_URL", f"postgresql://postgres@{hosts}/{name}")
        code, _, err = run("check-config", "--connect")
        assert (code, "The database cannot be reached" in err) == (FOUND, True)
        assert "Traceback" not in err


def test_a_database_open_for_reading_alone_is_passed_over_or_named(
    run: Run, server: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server.create()
    monkeypatch.setenv(f"{PREFIX}DATABASE_URL", url)
    assert run("init", "--empty")[0] == DONE
    readonly = f"{url}&options=-c%20default_transaction_read_only%3Don"
    monkeypatch.setenv(f"{PREFIX}DATABASE_URL", readonly)
    code, _, err = run("check-config", "--connect")
    assert (code, "The database accepts no changes: " in err) == (FOUND, True), err
    monkeypatch.setenv(f"{PREFIX}DATABASE_URL", f"{readonly}&target_session_attrs=read-write")
    code, _, err = run("check-config", "--connect")
    assert (code, "read-only" in err) == (FOUND, True), err


def test_a_host_with_another_secret_is_told_before_it_starts(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up("--empty")
    monkeypatch.setenv(f"{PREFIX}SECRET_KEY", "0123456789abcdef" * 2)
    for line in ("check-config --connect", "serve", "worker", "registry export --format csv"):
        code, _, err = run(*line.split())
        assert code == (FOUND if "check" in line else MISUSED)
        assert "is not the secret of this registry’s other hosts".replace("’", "'") in err
        assert "0123456789abcdef" not in err


def test_the_secret_is_changed_on_purpose_alone(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    set_up("--empty")
    code, _, err = run("secret", "change")
    assert (code, "--yes" in err) == (MISUSED, True)
    code, _, err = run("secret", "change", "--yes")
    assert (code, "Everybody signs in anew." in err) == (DONE, True)
    monkeypatch.setenv(f"{PREFIX}SECRET_KEY", "0123456789abcdef" * 2)
    assert run("secret", "change", "--yes")[0] == DONE
    assert run("check-config", "--connect")[0] == DONE
    monkeypatch.delenv(f"{PREFIX}SECRET_KEY")
    code, _, err = run("serve")
    assert (code, "this one has none" in err) == (MISUSED, True)


def test_a_mail_server_is_tried_and_nothing_is_sent(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up("--empty")
    mailbox = Mailbox()
    with Running(mailbox, auth_require_tls=False) as address:
        monkeypatch.setenv(f"{PREFIX}SMTP_URL", f"smtp://{address}")
        code, _, err = run("check-config", "--connect")
        assert (code, "lets the registry in" in err) == (DONE, True), err
        monkeypatch.setenv(f"{PREFIX}SMTP_URL", f"smtp://who:wrong@{address}")
        code, _, err = run("check-config", "--connect")
        assert (code, "no STARTTLS" in err) == (FOUND, True), err
    assert mailbox.commands == []
    monkeypatch.setenv(f"{PREFIX}SMTP_URL", f"smtp://127.0.0.1:{free_port()}")
    code, _, err = run("check-config", "--connect")
    assert (code, "The mail server cannot be used: Connection refused" in err) == (FOUND, True)


def test_a_mail_server_that_says_nothing_is_not_waited_for(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up("--empty")
    monkeypatch.setattr(command, "_PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv(f"{PREFIX}SMTP_URL", f"smtp://127.0.0.1:{silent.getsockname()[1]}")
        code, _, err = run("check-config", "--connect")
    assert (code, "timed out" in err) == (FOUND, True), err


def test_a_database_that_says_nothing_is_not_waited_for(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://u@127.0.0.1:{silent.getsockname()[1]}/d?connect_timeout=2"
        monkeypatch.setenv(f"{PREFIX}DATABASE_URL", url)
        code, _, err = run("check-config", "--connect")
    assert (code, "The database cannot be reached: " in err) == (FOUND, True), err
    assert "timeout" in err


def test_a_body_has_a_plain_name() -> None:
    for name in ("", "Registry Board", "Cour d’appel", "Names & Co. 2", "परिषद", "O'Neil-Rat"):
        assert body_name(name) == name
    marked = ("**Bold**", "{{7*7}}", "[x](javascript:1)", "`a`", '"><i>', "_a_", "- a", "~~a~~")
    for name in (
        *marked,
        "a\tb",
        "a\u202eb",
        "a/b",
        "a:b",
        "a@b.example",
        "a\\",
        "x|y",
        "#1",
        "%s",
    ):
        with pytest.raises(ValueError, match="plain name"):
            body_name(name)
