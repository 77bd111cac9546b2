"""Which addresses everybody reaches."""

import pytest

from app.identifiers.public_addresses import is_public_address

INSIDE = """
127.0.0.1 127.8.9.1 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 192.0.2.1
198.18.0.1 192.0.0.8 192.88.99.1 224.0.0.1 240.0.0.1 255.255.255.255
:: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd12::1
ff02::1 2001:db8::1 2002:7f00:1:: 2002:a00:1:: 64:ff9b::10.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1
100::1 5f00::1 3fff::1 2a00:1450::5efe:7f00:1 2a00:1450::200:5efe:a00:1 2002:c058:6301::
::ffff:0:127.0.0.1
2001:0:4136:e378:8000:63bf:3fff:fdd2 localhost 127.1 0x7f.1 2130706433 example.org
"""
PUBLIC = "8.8.8.8 192.31.196.1 2606:4700::1111 2001:4860:4860::8888 ::ffff:8.8.8.8 2002:808:808::"


@pytest.mark.parametrize("address", [*INSIDE.split(), "", " "])
def test_an_address_that_is_not_for_everybody_is_not_public(address: str) -> None:
    assert not is_public_address(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_an_address_of_one_host_of_the_internet_is_public(address: str) -> None:
    assert is_public_address(address)
