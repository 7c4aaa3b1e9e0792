"""Every way of writing an address that leads to this machine or its network."""

import ipaddress
import itertools

from rows_of_cases import examples

_V4 = "127.0.0.1 10.0.0.1 192.168.1.1 172.16.0.1 169.254.169.254 100.64.0.1 0.0.0.0".split()
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_RINGS = str.maketrans("123456789", "①②③④⑤⑥⑦⑧⑨")
_BOLD = str.maketrans("0123456789", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")


def spelled(address):
    """Return the spellings of an IPv4 address in the host of a URL."""
    number = int(ipaddress.IPv4Address(address))
    parts = [int(part) for part in address.split(".")]
    low, middle = number & 0xFFFFFF, number & 0xFFFF
    octal, hexadecimal = [f"0{part:o}" for part in parts], [f"0x{part:x}" for part in parts]
    plain = [
        address, f"{address}.", f"{number}", f"0{number:o}", f"0x{number:x}", f"0X{number:X}",
        f"0x{number:016x}", f"{number}.", ".".join(octal), ".".join(hexadecimal),
        ".".join(f"0{one}" for one in octal), ".".join(f"0x0{one[2:]}" for one in hexadecimal),
        f"{parts[0]}.{low}", f"{parts[0]}.{parts[1]}.{middle}", f"0x{parts[0]:x}.{low}",
        ".".join([octal[0], hexadecimal[1], *map(str, parts[2:])]),
    ]  # fmt: skip
    marks = [address.replace(".", dot) for dot in ("。", "．", "｡")]
    digits = [address.translate(one) for one in (_WIDE, _RINGS, _BOLD)]
    percent = ["".join(f"%{ord(one):02x}" for one in address), address.replace(".", "%2e")]
    return plain + marks + digits + percent + [f"[{one}]" for one in carried(address)]


def carried(address):
    """Return the IPv6 addresses that carry an IPv4 address."""
    number = int(ipaddress.IPv4Address(address))
    teredo = (0x20010000 << 96) | (0x5DB8D822 << 64) | (number ^ 0xFFFFFFFF)
    isatap = (0x2A00145040010800 << 64) | (0x00005EFE << 32) | number
    numbers = [
        number, (0xFFFF << 32) | number, (0xFFFF << 48) | number,
        (0x64FF9B << 96) | number, (0x64FF9B0001 << 80) | number, (0x2002 << 112) | (number << 80),
        teredo, isatap, isatap | (0x0200 << 48),
    ]  # fmt: skip
    found = [ipaddress.IPv6Address(one) for one in numbers]
    return [str(one) for one in found] + [found[0].exploded, f"::ffff:{address}", f"::{address}"]


IPV6 = examples(__file__, "private spellings ipv6")
NAMES = ["localhost", "LOCALHOST", "localhost.", "ｌｏｃａｌｈｏｓｔ", "loc%61lhost", "localhost。"]
USERS = ["user@", "user:word@", "example.com@", "example.com:80@", "example.com%40", "a@b@"]
HOSTS = list(dict.fromkeys(itertools.chain(*map(spelled, _V4), IPV6, NAMES)))
"""Hosts of addresses, some of which no resolver knows."""


def urls(port):
    """Return addresses of a port of this machine and its network."""
    return [f"http://{host}:{port}/page" for host in HOSTS] + [
        f"http://{user}{host}:{port}/page"
        for user, host in itertools.product(USERS, ("127.0.0.1", "localhost", "[::1]"))
    ] + [
        f"http://127.0.0.1:{port}\\@example.com/", f"http://example.com\\@127.0.0.1:{port}/",
        f"http:\\\\127.0.0.1:{port}\\page", f"http:/127.0.0.1:{port}/", f"http:127.0.0.1:{port}/",
        f"//127.0.0.1:{port}/", f"http://127.0.0.1:{port}#@example.com/",
        f"http://127.0.0.1:{port}?@example.com/", f"http://\t127.0.0.1:{port}/",
        f"http://127.0.0\n.1:{port}/", f" http://127.0.0.1:{port}/ ", f"HTTP://127.0.0.1:{port}/",
    ]  # fmt: skip
