"""A host that says what may be done with its pages: robots meta, X-Robots-Tag, TDM reservation.

`WISHES` has, for each page, what it says of itself; docs: https://www.w3.org/community/reports/tdmrep
"""

import json

from web_maker.answers import Answer, Asked, links, missing, page, text

WISHES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "/free.html": ("", ()),
    "/noindex.html": ('<meta name="robots" content="noindex">', ()),
    "/nofollow.html": ('<meta name="ROBOTS" content="NOFOLLOW, noarchive">', ()),
    "/none.html": ('<meta name="robots" content="none">', ()),
    "/ours.html": ('<meta name="chaffinch" content="noindex">', ()),
    "/theirs.html": ('<meta name="otherbot" content="noindex">', ()),
    "/header.html": ("", (("X-Robots-Tag", "noindex, nofollow"),)),
    "/header-ours.html": ("", (("X-Robots-Tag", "chaffinch: noarchive"),)),
    "/header-theirs.html": ("", (("X-Robots-Tag", "otherbot: noindex, nofollow"),)),
    "/two-headers.html": ("", (("X-Robots-Tag", "noarchive"), ("X-Robots-Tag", "nosnippet"))),
    "/tdm-meta.html": ('<meta name="tdm-reservation" content="1">', ()),
    "/tdm-header.html": ("", (("TDM-Reservation", "1"), ("TDM-Policy", "https://opted.test/p"))),
    "/tdm-file/a.html": ("", ()),
    "/tdm-file/open/a.html": ("", ()),
    "/noai.html": ('<meta name="robots" content="noai, noimageai">', ()),
    "/past.html": ('<meta name="robots" content="unavailable_after: 2020-01-01">', ()),
}


def opted(asked: Asked) -> Answer:
    """The pages, each with a link of its own, so that one sees which links were followed."""
    path = asked.path
    if path == "/robots.txt":
        return text("User-agent: *\nDisallow: /no/\n\nUser-agent: Chaffinch\nDisallow: /nobirds/\n")
    if path == "/.well-known/tdmrep.json":
        rules = [
            {"location": "/tdm-file/open/", "tdm-reservation": 0},
            {"location": "/tdm-file/", "tdm-reservation": 1, "tdm-policy": "https://opted.test/p"},
        ]
        return text(json.dumps(rules), "application/json")
    if path == "/":
        rest = ["/no/a.html", "/nobirds/a.html"]
        return page("Opted", links([*WISHES, *rest]))
    if path in WISHES:
        head, headers = WISHES[path]
        return page(path, f"<h1>{path}</h1>" + links([f"/from{path}"]), head=head, headers=headers)
    if path.startswith("/from/") or path == "/no/a.html":
        return page(path, f"<h1>{path}</h1><p>Here.")
    return missing()
