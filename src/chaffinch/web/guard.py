"""The address guard: which hosts may be connected to.

A page that a stranger names, or a redirect or answer of a name server that a stranger controls,
must not reach what only this machine or its network can reach (server-side request forgery). So a
name is resolved once, every address it has is checked, and the connection is made to a checked
address and not to the name: a second, different answer of the name server (DNS rebinding) changes
nothing.

What is public follows the IANA registries of special-purpose addresses, as `ipaddress` has them
and RANGES below where older Pythons or the registries leave something out.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

from chaffinch.errors import FetchError, OptionError, RefusedError

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

RANGES: Final = tuple(
    ipaddress.ip_network(text)
    for text in (
        "192.0.0.0/24",  # protocol assignments; a cloud's metadata service is at 192.0.0.192
        "192.88.99.0/24",  # 6to4 relays, withdrawn by RFC 7526
        "168.63.129.16/32",  # a public number that one cloud routes to its own host services
        "2001::/23",  # protocol assignments, Teredo among them
        "3fff::/20",  # documentation, RFC 9637
    )
)
"""Ranges refused although `ipaddress` calls (some of) their addresses global."""

_UNICAST: Final = ipaddress.IPv6Network("2000::/3")  # all that is given out of IPv6, RFC 4291 2.4
_ISATAP: Final = 0x00005EFE  # in an interface identifier, RFC 5214 6.1
_UNIVERSAL: Final = 0x02000000  # the bit of an identifier of a unique one
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052 2.1


def is_public(address: str) -> bool:
    """Return whether an IP address, as text, belongs to the public Internet.

    An IPv6 address that carries an IPv4 address (mapped, 6to4, NAT64) is as public as that one, and
    one that names an IPv4 address within its network (ISATAP) is no more public than that one.
    False for private, loopback, link-local, shared, multicast, reserved and unspecified addresses,
    those of known metadata services, and for what is no IP address.
    """
    try:
        parsed: IPAddress = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        number = int(parsed)
        inner = ipaddress.IPv4Address(number & 0xFFFFFFFF)
        is_tunnelled = (number >> 32) & 0xFFFFFFFF & ~_UNIVERSAL == _ISATAP
        if is_tunnelled and not is_public(str(inner)):
            return False
        embedded = inner if parsed in _NAT64 else parsed.ipv4_mapped or parsed.sixtofour
        if embedded is not None:
            parsed = embedded
        elif parsed not in _UNICAST:
            return False
    return (
        parsed.is_global
        and not parsed.is_multicast
        and not parsed.is_reserved
        and not any(parsed in network for network in RANGES)
    )


@dataclass(frozen=True)
class AddressGuard:
    """Decides which addresses may be connected to.

    Attributes:
        allow: hosts that may be anywhere, private networks included, each ``host`` (any port) or
            ``host:port``; an IPv6 address in brackets. Only the very name is allowed: ``localhost``
            doesn't allow ``127.0.0.1``.
        resolve: names with a fixed address, each ``name=address``; they aren't looked up, and
            the address is checked like any other.

    Raises:
        OptionError: an entry of ``allow`` is no host, or one of ``resolve`` no name and address.
    """

    allow: tuple[str, ...] = ()
    resolve: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for entry in self.allow:
            _host_and_port(entry)
        for entry in self.resolve:
            _name_and_address(entry)

    def allows(self, host: str, port: int) -> bool:
        """Return whether ``host`` is allowed by name on ``port``."""
        wanted = _plain(host)
        return any(
            name == wanted and only in (None, port)
            for name, only in map(_host_and_port, self.allow)
        )

    def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Resolve ``host`` and return the IP addresses to connect to, in the resolver's order.

        Connect to one of these, never to the name again.

        Raises:
            FetchError: the name has no address.
            RefusedError: one of its addresses isn't public and the name isn't allowed.
        """
        fixed = dict(map(_name_and_address, self.resolve)).get(_plain(host))
        try:
            answers = socket.getaddrinfo(fixed or host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise FetchError(f"unknown host {host}") from error
        found = tuple(dict.fromkeys(str(answer[4][0]) for answer in answers))
        if not self.allows(host, port):
            for address in found:
                if not is_public(address):
                    named = address if _plain(host) == address else f"{host} ({address})"
                    raise RefusedError(
                        f"refused: {named} is not a public address; --allow-host allows it by name"
                    )
        return found


def _plain(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def _host_and_port(entry: str) -> tuple[str, int | None]:
    try:
        parsed = parse_url(f"//{entry}")
    except LocationParseError:
        parsed = Url()
    if not parsed.host or any((parsed.auth, parsed.path, parsed.query, parsed.fragment)):
        raise OptionError(f"not a host or host:port to allow: {entry!r}")
    return _plain(parsed.host), parsed.port


def _name_and_address(entry: str) -> tuple[str, str]:
    name, equals, address = entry.partition("=")
    try:
        ipaddress.ip_address(address)
    except ValueError:
        equals = ""
    if not name or not equals:
        raise OptionError(f"not a name=address to resolve: {entry!r}")
    return _plain(name), address


PORTS: Final = {"http": 80, "https": 443}
"""Scheme → usual port, of the schemes that are fetched."""

_LONG: Final = 200  # characters of an address in a message
_CREDENTIALS: Final = re.compile(r"//[^/?#]*@")


def printable_url(url: str) -> str:
    """Return an address for a message: short, on one line, without a password."""
    line = "".join(c if c.isprintable() else "\ufffd" for c in _CREDENTIALS.sub("//", url))
    return line if len(line) <= _LONG else line[: _LONG - 1] + "…"


def parse_target(url: str) -> Url:
    """Return an address in its parts: ASCII, percent-encoded, without fragment, with a path.

    The scheme's usual port and the dot of a whole name are left out: one host has one form.
    """
    try:
        target = parse_url(url.strip())
    except LocationParseError as error:
        raise FetchError(f"not a URL: {printable_url(url)}") from error
    if target.scheme not in PORTS:
        raise RefusedError(f"only http and https URLs are fetched, not {printable_url(url)}")
    if not (target.host or "").strip("."):
        raise FetchError(f"a URL without a host: {printable_url(url)}")
    if target.auth is not None:
        raise RefusedError("a URL with a user name or password in it is not fetched")
    return one_form(target)._replace(path=target.path or "/", fragment=None)


def one_form(target: Url) -> Url:
    """Return an address without its scheme's usual port and without the dot of a whole name."""
    port = None if target.port == PORTS.get(str(target.scheme)) else target.port
    return target._replace(host=str(target.host).rstrip("."), port=port)


def redirect_target(base: str, location: str) -> str:
    """Return the address that a server at ``base`` redirects to."""
    try:
        return urljoin(base, location)
    except ValueError as error:  # brackets that hold no IPv6 address
        raise FetchError(f"redirected to what is no URL: {printable_url(location)}") from error


def port_of(target: Url) -> int:
    return target.port or PORTS[str(target.scheme)]
