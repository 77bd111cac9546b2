"""Settings: read once, refused with a reason, told in `docs/settings.md`."""

import os
from dataclasses import fields
from pathlib import Path

import pytest

from app.config import FILE_SUFFIX, NOTICES, PREFIX, BadSetting, Settings, read_settings
from app.factory import check_settings
from app.services.policy import bodies_of
from app.workflow.body_names import BodyNames
from tests.conftest import ROOT

_SHOWN = {"None": "", "True": "yes", "False": "no", "()": ""}


def settings_table() -> str:
    rows = ["| variable | default | what it does |", "|---|---|---|"]
    for row in fields(Settings):
        default = _SHOWN.get(str(row.default), str(row.default))
        shown = f"`{default}`" if default else ""
        variable = f"`{PREFIX}{row.name.upper()}`"
        if row.metadata["is_secret"]:
            variable += f" or `{PREFIX}{row.name.upper()}{FILE_SUFFIX}`"
        rows.append(f"| {variable} | {shown} | {row.metadata['help']} |")
    return "\n".join(rows)


def test_without_an_environment_everything_has_a_default() -> None:
    settings = read_settings({})
    assert settings == Settings()
    assert settings.database == f"sqlite:///{Path('instance').resolve() / 'registry.sqlite3'}"


def test_the_environment_is_read_and_what_is_given_goes_before_it() -> None:
    environ = {
        "URN_REGISTRY_AUTHORITY": "official",
        "URN_REGISTRY_REVIEWS_NEEDED": "3",
        "PATH": "x",
    }
    settings = read_settings(environ, demo=True)
    assert (settings.authority, settings.reviews_needed, settings.demo) == ("official", 3, True)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8000", "[::1]:8000"])
def test_this_machine_alone_is_reached_without_tls(host: str) -> None:
    assert read_settings({f"{PREFIX}BASE_URL": f"http://{host}/"}).base_url == f"http://{host}"


def test_days_are_given_by_state() -> None:
    given = {"URN_REGISTRY_DUE_DAYS": " new=3 , informal/expert-review=14,"}
    assert read_settings(given).due_days == (("new", 3), ("informal/expert-review", 14))


@pytest.mark.parametrize("state", ["sent", "usual/new", "Expert Review", ""])
def test_days_for_what_is_no_state_are_refused(state: str) -> None:
    with pytest.raises(BadSetting, match="URN_REGISTRY_DUE_DAYS: has no state"):
        check_settings(Settings(due_days=((state, 3),)))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_the_driver_of_postgresql_is_named_for_sqlalchemy(scheme: str) -> None:
    settings = Settings(database_url=f"{scheme}://u@h/d")
    assert settings.database == "postgresql+psycopg://u@h/d"


def test_every_authority_says_what_it_is() -> None:
    assert NOTICES["official"] == ""
    assert all("not IANA’s" in NOTICES[authority] for authority in ("private", "proposal"))


@pytest.mark.parametrize("authority", NOTICES)
def test_the_operators_note_follows_what_the_registry_is(authority: str) -> None:
    given = {"URN_REGISTRY_AUTHORITY": authority, "URN_REGISTRY_NOTE": " Run by Quokka. "}
    notice = read_settings(given).notice
    assert notice == f"{NOTICES[authority]} Run by Quokka.".strip()


def test_the_documentation_has_the_table_of_settings() -> None:
    assert settings_table() in (ROOT / "docs/settings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("people", "said"), [("1", "One person"), ("2", "who approves"), ("3", "")]
)
def test_a_registry_where_fewer_decide_says_so(people: str, said: str) -> None:
    notice = read_settings({f"{PREFIX}PEOPLE_NEEDED": people}).notice
    assert ("register" in notice.removeprefix(NOTICES["private"])) is bool(said)
    assert said in notice


NAMED = {"escalation_body": "Registry Board", "appeal_body": "Court of Names"}
CALLED = {  # by what a registry is and chose: what it calls its bodies
    "private and named": ({"authority": "private", **NAMED}, "Registry Board", "Court of Names"),
    "private": ({"authority": "private"}, "governing body", "appeals body"),
    "proposal": ({"authority": "proposal"}, "governing body", "appeals body"),
    "official": ({"authority": "official"}, "IESG", "IAB"),
    "official and named": ({"authority": "official", **NAMED}, "Registry Board", "Court of Names"),
    "one of two": (
        {"authority": "private", "appeal_body": "Court of Names"},
        "governing body",
        "Court of Names",
    ),
}


@pytest.mark.parametrize("kind", CALLED)
def test_whose_bodies_are_spoken_of_follows_what_the_registry_is(kind: str) -> None:
    given, first, last = CALLED[kind]
    bodies = bodies_of(
        read_settings({f"{PREFIX}{name.upper()}": said for name, said in given.items()})
    )
    assert bodies == BodyNames(first, last)
    begun = first[:1].upper() + first[1:]
    assert bodies.put_into("IESG decisions; ask the IAB.") == f"{begun} decisions; ask the {last}."
    typed = bodies.put_into("The IESG, and no other, decides.", "IESG")
    assert typed == "The IESG, and no other, decides.", "what somebody typed stays"


# What Kubernetes sets beside Services called urn-registry and urn-registry-db.
LINKS = {
    "SERVICE_HOST": "10.96.0.17",
    "SERVICE_PORT": "8000",
    "SERVICE_PORT_HTTP": "8000",
    "PORT": "tcp://10.96.0.17:8000",
    "PORT_8000_TCP": "tcp://10.96.0.17:8000",
    "PORT_8000_TCP_PROTO": "tcp",
    "PORT_8000_TCP_PORT": "8000",
    "PORT_8000_TCP_ADDR": "10.96.0.17",
    "PORT_53_UDP": "udp://[fd00::17]:53",
    "DB_SERVICE_HOST": "fd00::18",
    "DB_PORT": "tcp://[fd00::18]:5432",
    "DB_PORT_5432_TCP_ADDR": "fd00::18",
}


def test_the_service_links_of_kubernetes_are_ignored_in_silence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    environ = {f"{PREFIX}{name}": value for name, value in LINKS.items()}
    assert read_settings(environ) == Settings()
    assert caplog.messages == []


def test_one_warning_lists_all_unknown_names_and_the_nearest_settings(
    caplog: pytest.LogCaptureFixture,
) -> None:
    environ = {
        f"{PREFIX}DATABSE_URL": "postgresql://u:secret@h/d",
        f"{PREFIX}PORT": "8000",  # no service link: somebody means the port to listen on
        f"{PREFIX}SERVICE_HOST": "registry.example",
        **{f"{PREFIX}{name}": value for name, value in LINKS.items() if name.startswith("DB")},
    }
    assert read_settings(environ) == Settings()
    (said,) = caplog.messages
    assert "URN_REGISTRY_DATABSE_URL (did you mean URN_REGISTRY_DATABASE_URL?)" in said
    assert "URN_REGISTRY_PORT, URN_REGISTRY_SERVICE_HOST." in said
    assert "DB_" not in said
    assert "secret" not in said, "values can be secrets"


SECRETS = {
    "SECRET_KEY": "0123456789abcdef" * 2,
    "DATABASE_URL": "postgresql://u:p@h:5432/d",
    "SMTP_URL": "smtp://who:password@mail.example:587",
}


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_a_secret_can_be_read_from_a_file(name: str, ending: str, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_bytes(f"{SECRETS[name]}{ending}".encode())
    # Compose passes an unset variable as an empty one
    environ = {f"{PREFIX}{name}_FILE": str(file), f"{PREFIX}{name}": ""}
    assert getattr(read_settings(environ), name.lower()) == SECRETS[name]


def test_every_setting_with_a_password_or_key_can_be_read_from_a_file() -> None:
    found = {row.name.upper() for row in fields(Settings) if row.metadata["is_secret"]}
    assert found == {*SECRETS}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_given_twice_is_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text(SECRETS[name])
    environ = {f"{PREFIX}{name}_FILE": str(file), f"{PREFIX}{name}": SECRETS[name]}
    with pytest.raises(BadSetting, match=f"{name}_FILE: set either this or {PREFIX}{name}"):
        read_settings(environ)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "can't be read: No such file or directory"),
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"\xff\xfe", "isn't text in UTF-8"),
        (b"x" * 70_000, "is larger than 65,536 bytes"),
    ],
)
def test_a_file_without_a_usable_secret_is_refused(
    content: bytes | None, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadSetting, match=f"URN_REGISTRY_SECRET_KEY_FILE: .*{why}"):
        read_settings({f"{PREFIX}SECRET_KEY_FILE": str(file)})


def test_a_folder_and_a_file_of_two_lines_are_no_secret(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"URN_REGISTRY_SMTP_URL_FILE: .*Is a directory"):
        read_settings({f"{PREFIX}SMTP_URL_FILE": str(tmp_path)})
    (tmp_path / "two").write_text("smtp://a\nsmtp://b\n")
    with pytest.raises(BadSetting, match="one line") as told:
        read_settings({f"{PREFIX}SMTP_URL_FILE": str(tmp_path / "two")})
    assert "smtp://a" not in str(told.value)


def test_no_command_of_a_test_writes_into_the_data_folder_of_who_runs_the_tests() -> None:
    assert read_settings(os.environ).data_dir.resolve() != Path("instance").resolve()
