"""What could run in HTML, found in the tree that a parser makes of it."""

import re

from chaffinch.page import parse

ADDRESSES = set(
    "href src action formaction poster cite background xlink:href data srcset ping".split()
)
SAFE = re.compile(r"(?:https?|mailto|tel|ftp):|[^:]*$|[^:/?#]*[/?#]", re.IGNORECASE)


def faults(html, tags, attributes):
    """Return the elements, attributes and addresses of ``html`` that are not of these lists."""
    page = parse(html)
    found = []
    for row in range(len(page)):
        name = page.name(row)
        if name not in tags and name not in ("#text", "html", "head", "body"):
            found.append(f"<{name}>")
        for key, value in page.attributes(row).items():
            if key not in attributes:
                found.append(f"<{name} {key}>")
            elif key in ADDRESSES and not SAFE.match(re.sub(r"[\x00-\x20]", "", value or "")):
                found.append(f"<{name} {key}={value!r}>")
    return found
