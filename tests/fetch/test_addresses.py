import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.errors import FetchError, OptionError, RefusedError
from chaffinch.web import AddressGuard, is_public
from rows_of_cases import examples

PUBLIC = """
1.1.1.1 8.8.8.8 93.184.216.34 192.0.1.1 2606:4700:4700::1111 2a00:1450:4001:81b::200e
64:ff9b::8.8.8.8 ::ffff:8.8.8.8 2002:808:808::1 2a00:1450:4001:800:0:5efe:808:808
""".split()
PRIVATE = """
0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16
169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1
198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::127.0.0.1
64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1::1 2002:a9fe:a9fe::1
3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 4000::1
""".split()


NO_ADDRESS = ["", "localhost", "127.1", "1.2.3", "8.8.8.8:80", "[::1]"]


@pytest.mark.parametrize("address", [*PUBLIC, *PRIVATE, *NO_ADDRESS])
def test_public_addresses(address):
    assert is_public(address) == (address in PUBLIC)


@given(st.ip_addresses(v=4))
def test_a_carried_address_is_as_public_as_the_one_it_carries(address):
    number = int(address)
    public = is_public(str(address))
    mapped = ipaddress.IPv6Address((0xFFFF << 32) | number)
    nat64 = ipaddress.IPv6Address((0x64FF9B << 96) | number)
    sixtofour = ipaddress.IPv6Address((0x2002 << 112) | (number << 80))
    assert [is_public(str(one)) for one in (mapped, nat64, sixtofour)] == [public] * 3


@given(st.ip_addresses())
def test_nothing_that_python_calls_private_is_public(address):
    if is_public(str(address)) and address.version == 4:
        assert not address.is_private
        assert not address.is_loopback
        assert not address.is_link_local
        assert not address.is_multicast


@pytest.mark.parametrize(
    ("entry", "host", "port", "allowed"), examples(__file__, "allowing by name")
)
def test_allowing_by_name(entry, host, port, allowed):
    assert AddressGuard((entry,)).allows(host, port) is allowed


@pytest.mark.parametrize("entry", examples(__file__, "malformed entries are option errors"))
def test_malformed_entries_are_option_errors(entry):
    with pytest.raises(OptionError, match="allow"):
        AddressGuard((entry,))


@pytest.mark.parametrize("host", ["a..b", "x" * 64 + ".test", "no-such-name.invalid"])
def test_names_without_address(host):
    with pytest.raises(FetchError, match="unknown host"):
        AddressGuard().addresses(host, 80)


def test_a_given_address_is_not_looked_up(names):
    names["told.test"] = [["93.184.215.14"]]
    guard = AddressGuard(resolve=("Told.test=8.8.8.8",))
    assert guard.addresses("told.test.", 80) == ("8.8.8.8",)
    assert AddressGuard().addresses("told.test", 80) == ("93.184.215.14",)


def test_a_given_address_is_guarded_like_any_other():
    guard = AddressGuard(resolve=("told.test=127.0.0.1",))
    with pytest.raises(RefusedError, match="not a public address"):
        guard.addresses("told.test", 80)
    allowed = AddressGuard(("told.test",), ("told.test=127.0.0.1",))
    assert allowed.addresses("told.test", 80) == ("127.0.0.1",)


@pytest.mark.parametrize("entry", ["told.test", "=127.0.0.1", "told.test=", "told.test=other.test"])
def test_a_given_address_has_a_name_and_an_address(entry):
    with pytest.raises(OptionError, match="not a name=address"):
        AddressGuard(resolve=(entry,))
