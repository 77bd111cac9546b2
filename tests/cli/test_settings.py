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
    ("DATA_DIR", "", "enter a folder"),
    ("DATA_DIR", "/etc/hostname", "is a file"),
    ("DATA_DIR", "/etc/hostname/below", "is a file"),
    ("DATA_DIR", "/dev/null", "is a file"),
    ("DATA_DIR", "/" + "x" * 300, "can't be read"),
    ("DATABASE_URL", "registry", "enter postgresql://"),
    ("DATABASE_URL", "mysql://u@h/d", "enter postgresql://"),
    ("DATABASE_URL", "sqlite://", "enter postgresql://"),
    ("DATABASE_URL", "sqlite:///", "enter postgresql://"),
    ("DATABASE_URL", "postgresql+asyncpg://u@h/d", "enter postgresql://"),
    ("DATABASE_URL", f"postgresql://u:{PASSWORD}@h:port/d", "ports from 1"),
    ("DATABASE_URL", f"postgresql://u:{PASSWORD}@h:99999/d", "ports from 1"),
    ("DATABASE_URL", "postgresql://u@h:0/d", "ports from 1"),
    ("DATABASE_URL", "postgresql://u@h:/d", "a port is missing"),
    ("DATABASE_URL", "postgresql://u@a:5432,b:x/d", "ports from 1"),
    ("DATABASE_URL", "postgresql://u@a,,b/d", "one host"),
    ("DATABASE_URL", "postgresql://u@a,b/d?host=c", "before the database name"),
    ("DATABASE_URL", "postgresql://u@/d?host=a,b&port=1,2,3", "can't be read"),
    ("DATABASE_URL", "postgresql://u@/d?host=a&port=70000", "ports from 1"),
    ("DATABASE_URL", "postgresql://u@h/d?sslmod=require", "unknown option"),
    ("DATABASE_URL", "postgresql://u@h/d?connect_timeout=x", "a whole number"),
    ("DATABASE_URL", "postgresql://u@h/d?target_session_attrs=readwrite", "any, read-write"),
    ("DATABASE_URL", "postgresql://u@h/d?sslmode=yes", "disable, allow"),
    ("DATABASE_URL", "postgresql://u@h with space/d", "one host"),
    ("BASE_URL", "", "enter an address"),
    ("BASE_URL", "registry.example", "enter an address"),
    ("BASE_URL", "ftp://registry.example", "enter an address"),
    ("BASE_URL", "https://", "enter an address"),
    ("BASE_URL", "https://registry.example/sub", "without a path"),
    ("BASE_URL", "https://registry.example?x=y", "query"),
    ("BASE_URL", "https://registry.example/?", "query"),
    ("BASE_URL", "https://registry.example/#top", "fragment"),
    ("BASE_URL", f"https://who:{PASSWORD}@registry.example", "password"),
    ("BASE_URL", "https://registry.example:port", "port isn't valid"),
    ("BASE_URL", "https://registry.example:99999", "port isn't valid"),
    ("BASE_URL", "https://registry.example:0", "port isn't valid"),
    ("BASE_URL", "https://registry.example:", "port isn't valid"),
    ("BASE_URL", "https://[::1", "host or port"),
    ("BASE_URL", "https://registry example", "enter an address"),
    ("BASE_URL", "https://registry..example", "enter an address"),
    ("BASE_URL", "https://192.0.2.256", "enter an address"),
    ("BASE_URL", "http://registry.example", "TLS proxy"),
    ("BASE_URL", "http://127.0.0.1.example:8000", "only for this computer"),
    ("SECRET_KEY", "short", "at least 32"),
    ("SECRET_KEY", "x" * 31, "at least 32"),
    ("SECRET_KEY", "ab" * 40, "at least 32"),
    ("AUTHORITY", "iana", "one of official, private, proposal"),
    ("AUTHORITY", "", "one of official"),
    ("NOTE", "two\nlines", "one line"),
    ("NOTE", "x" * 1001, "one line"),
    ("NOTE", "\udcff", "one line"),
    ("OPERATOR", "two\nlines", "one line"),
    ("CONTACT", "somebody", "an e-mail address"),
    ("PRIVACY", "http://x.example", "an e-mail address"),
    ("IMPRINT", "imprint.html", "an e-mail address"),
    ("SMTP_URL", "https://mail.example", "scheme or host"),
    ("SMTP_URL", "mail.example:25", "scheme or host"),
    ("SMTP_URL", "smtp://", "scheme or host"),
    ("SMTP_URL", "smtp://mail.example:smtp", "port isn't valid"),
    ("SMTP_URL", f"smtp://u:{PASSWORD}@mail.example:70000", "port isn't valid"),
    ("SMTP_URL", f"smtp://u:{PASSWORD}/x@mail.example", "host or port"),
    ("SMTP_URL", "smtp://mail.example/inbox", "nothing after it"),
    ("SMTP_URL", "smtp://mail.example?tls=yes", "nothing after it"),
    ("SMTP_URL", "smtp://user@mail.example", "user or the password is missing"),
    ("MAIL_FROM", "", "an e-mail address"),
    ("MAIL_FROM", "registry", "an e-mail address"),
    ("MAIL_FROM", "@registry.example", "an e-mail address"),
    ("MAIL_FROM", "a@b@registry.example", "an e-mail address"),
    ("MAIL_FROM", "Registry <registry>", "an e-mail address"),
    ("MAIL_FROM", "r@registry.example, s@registry.example", "an e-mail address"),
    ("MAIL_FROM", "r@registry.example\nBcc: all@registry.example", "one line"),
    ("REPLY_ADDRESS", "reply", "an e-mail address"),
    ("REPLY_ADDRESS", "reply@registry..example", "an e-mail address"),
    ("REPLY_ADDRESS", f"{'r' * 24}@registry.example", "at most 23 characters"),
    ("ESCALATION_BODY", "the Board", "without “the”"),
    ("ESCALATION_BODY", "**Board**", "only letters"),
    ("APPEAL_BODY", "x" * 25, "at most 24 characters"),
    ("LIST_ADDRESS", "the list", "an e-mail address"),
    ("LIST_ADDRESS", "https://lists.example/urn", "an e-mail address"),
    ("NAAN_LIST_ADDRESS", "the list", "an e-mail address"),
    ("NAAN_PREFIX", "", "one to three of the letters"),
    ("NAAN_PREFIX", "b", "can't be b"),
    ("NAAN_PREFIX", "x1", "one to three of the letters"),
    ("NAANS_ONE_PERSON_MAY_GIVE", "-1", "from 0 to 100000"),
    ("NAANS_ONE_PERSON_MAY_GIVE", "few", "from 0 to 100000"),
    ("AUTHSERV_ID", "mx example", "enter a host name"),
    ("AUTHSERV_ID", "mx.example;", "enter a host name"),
    ("AUTHSERV_ID", "-mx.example", "enter a host name"),
    ("SECURITY_CONTACT", "security", "an e-mail address"),
    ("SECURITY_CONTACT", "mailto:@", "an e-mail address"),
    ("SECURITY_CONTACT", "https://", "an e-mail address"),
    ("SECURITY_CONTACT", "https://x.example:port/", "port isn't valid"),
    ("SECURITY_CONTACT", "tel:call me", "an e-mail address"),
    ("SECURITY_CONTACT", "http://x.example", "an e-mail address"),
    ("REVIEWS_NEEDED", "0", "from 1 to 20"),
    ("REVIEWS_NEEDED", "two", "from 1 to 20"),
    ("REVIEWS_NEEDED", "٢", "from 1 to 20"),
    ("REVIEWS_NEEDED", "999999999", "from 1 to 20"),
    ("REVIEWS_NEEDED", "-1", "from 1 to 20"),
    ("CHECK_RESOLVERS", "perhaps", "yes or no"),
    ("LEADER_DECIDES", "perhaps", "yes or no"),
    ("PEOPLE_NEEDED", "0", "from 1 to 3"),
    ("PEOPLE_NEEDED", "4", "from 1 to 3"),
    ("DUE_DAYS", "new", "states with days"),
    ("DUE_DAYS", "new=soon", "from 1 to 3650"),
    ("DUE_DAYS", "new=999999999", "from 1 to 3650"),
    ("DUE_DAYS", "new=0", "from 1 to 3650"),
    ("DUE_DAYS", "new=3,new=4", "each state only once"),
    ("DUE_DAYS", "sent=3", "has no state 'sent'"),
    ("DUE_DAYS", "usual/new=3", "has no state 'usual/new'"),
    ("APPEAL_MONTHS", "999999999", "from 0 to 120"),
    ("APPEAL_MONTHS", "2.5", "from 0 to 120"),
    ("REMINDER_DAYS", "0", "from 1 to 3650"),
    ("REMINDER_DAYS", "999999999", "from 1 to 3650"),
    ("TRANSFER_DAYS", "99999", "from 1 to 3650"),
    ("NAPTR_SUFFIX", "urn example", "enter a domain"),
    ("NAPTR_SUFFIX", "urn.arpa", "a domain of your own"),
    ("CHECK_RESOLVERS", "daily", "yes or no"),
    ("OWN_HOSTS", "https://arks.example", "host names"),
    ("OWN_HOSTS", "arks.example, pid.example:8000", "without a scheme"),
    ("OWN_HOSTS", "arks.example pid.example", "host names"),
    ("NAANS", "some", "yes or no"),
    ("FOLLOW_ARKS", "some", "yes or no"),
    ("TRUSTED_PROXIES", "proxy.example", "enter networks"),
    ("TRUSTED_PROXIES", "10.0.0.1/8", "enter networks"),
    ("TRUSTED_PROXIES", "127.0.0.1:8000", "enter networks"),
    ("DEMO", "maybe", "yes or no"),
    ("DEMO_REQUESTS", "some", "yes or no"),
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
    assert err.startswith(f"{PREFIX}DATA_DIR: can't be used: ")
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
    assert err.startswith(f"{PREFIX}SMTP_URL: enter the mail server")
    assert "can't sign in" in err


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
    assert (code, err.splitlines()[-1]) == (DONE, "The settings are valid."), err


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
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    with PostgreSQL(binaries) as found:
        yield found


def test_a_database_is_tried_and_what_is_missing_is_said(run: Run, set_up: SetUp) -> None:
    code, _, err = run("check-config", "--connect")
    assert code == FOUND
    assert "isn't set up for this software. Run `urn-registry init` first." in err
    set_up("--empty")
    code, _, err = run("check-config", "--connect")
    assert (code, "database is ready" in err) == (DONE, True)
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
        assert (code, "can't be reached" in err) == (FOUND, True)
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
        assert "differs from the secret of this registry’s other hosts".replace("’", "'") in err
        assert "0123456789abcdef" not in err


def test_the_secret_is_changed_on_purpose_alone(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    set_up("--empty")
    code, _, err = run("secret", "change")
    assert (code, "--yes" in err) == (MISUSED, True)
    code, _, err = run("secret", "change", "--yes")
    assert (code, "must sign in again" in err) == (DONE, True)
    monkeypatch.setenv(f"{PREFIX}SECRET_KEY", "0123456789abcdef" * 2)
    assert run("secret", "change", "--yes")[0] == DONE
    assert run("check-config", "--connect")[0] == DONE
    monkeypatch.delenv(f"{PREFIX}SECRET_KEY")
    code, _, err = run("serve")
    assert (code, "not on this one" in err) == (MISUSED, True)


def test_a_mail_server_is_tried_and_nothing_is_sent(
    run: Run, set_up: SetUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up("--empty")
    mailbox = Mailbox()
    with Running(mailbox, auth_require_tls=False) as address:
        monkeypatch.setenv(f"{PREFIX}SMTP_URL", f"smtp://{address}")
        code, _, err = run("check-config", "--connect")
        assert (code, "accepts the connection" in err) == (DONE, True), err
        monkeypatch.setenv(f"{PREFIX}SMTP_URL", f"smtp://who:wrong@{address}")
        code, _, err = run("check-config", "--connect")
        assert (code, "no STARTTLS" in err) == (FOUND, True), err
    assert mailbox.commands == []
    monkeypatch.setenv(f"{PREFIX}SMTP_URL", f"smtp://127.0.0.1:{free_port()}")
    code, _, err = run("check-config", "--connect")
    assert (code, "Connection refused" in err) == (FOUND, True)


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
    assert (code, "can't be reached" in err) == (FOUND, True), err
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
        with pytest.raises(ValueError, match="only letters"):
            body_name(name)
