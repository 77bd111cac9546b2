"""What a site says and serves while a disk is full, its own or that of PostgreSQL."""

import os
import pwd
from pathlib import Path

import pytest

from app.bundles.name_copies import NAMES_FOLDER
from tests.conftest import leave_out
from tests.full_disks import fill, free, small_disk
from tests.postgresql import PostgreSQL, find_binaries
from tests.running.hosts import Host, standing
from tests.running.sites import get, set_up, wait_for

NAME = "/urn:isbn:0451450523"
FULL = b"the disk of the database is full"


@pytest.mark.slow
def test_a_site_is_not_ready_while_the_disk_of_postgresql_is_full(tmp_path: Path) -> None:
    binaries = find_binaries()
    if binaries is None:
        leave_out("PostgreSQL: no server is installed")
        raise AssertionError
    with small_disk(60) as disk, PostgreSQL(binaries) as server:
        disk.chmod(0o755)
        space = disk / "tablespace"
        space.mkdir()
        os.chown(space, pwd.getpwnam("postgres").pw_uid, -1)
        url = server.create_at(space)
        with standing(tmp_path, 1, database_url=url) as hosts:
            set_up(env=hosts[0].env)
            hosts.start()
            port = hosts[0].port
            fill(disk)
            wait_for(port, "/readyz", FULL, 503)
            assert get(port, NAME)[0] == 303, "what is published needs no database"
            free(disk)
            wait_for(port, "/readyz")


@pytest.mark.slow
def test_a_host_whose_own_disk_is_full_serves_its_copy_of_names(tmp_path: Path) -> None:
    with small_disk(60) as disk, standing(disk, 1) as hosts:
        host: Host = hosts[0]
        set_up(env=host.env)
        hosts.start()
        host.kill()
        names = host.folder / NAMES_FOLDER
        for beside in (*names.glob("*-shm"), *names.glob("*-wal")):
            beside.unlink()  # as after the machine was started anew
        copy = (names / "names.sqlite").readlink()
        fill(disk)
        host.start()
        wait_for(host.port, NAME.replace("urn:isbn:", "names/urn:isbn:"))
        assert get(host.port, NAME)[0] == 303
        wait_for(host.port, "/readyz", FULL, 503)
        assert (names / "names.sqlite").readlink() == copy
        free(disk)
        wait_for(host.port, "/readyz")
