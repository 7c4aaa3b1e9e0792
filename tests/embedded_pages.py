"""Made-up pages whose text stands only in data that scripts read, for tests in several folders."""

import json

SONG = "The chaffinch sings from February on, and every valley has a dialect of its own."
NEST = "The nest is a deep cup of moss and lichen, bound with cobwebs, in the fork of a tree."
FOOD = "In summer it feeds its young on caterpillars; in winter, seeds are what it lives on."
TEXT = "\n".join([SONG, NEST, FOOD] * 3)
MARKUP = (
    f'<h2>Song</h2><p>{SONG} <a href="/dialects">More of them</a></p><p>{NEST}</p>'
    "<table><thead><tr><th>Year</th><th>Nests</th></tr></thead>"
    "<tr><td>1998</td><td>31</td></tr><tr><td>1999</td><td>44</td></tr></table>"
    f"<p>{FOOD}</p><p>{TEXT}</p>"
)
SHELL = "<html><head><title>Finches</title>{}</head><body><div id=root>Loading</div></body></html>"


def shell(data, *, kind="application/json", name="__NEXT_DATA__"):
    """Return a shell with data, as text or as what is written as JSON, in a script."""
    source = data if isinstance(data, str) else json.dumps(data)
    return SHELL.format(f'<script type="{kind}" id="{name}">{source}</script>')


def declared(node):
    """Return a shell with an object of schema.org."""
    return shell({"@context": "https://schema.org", **node}, kind="application/ld+json", name="")


def set_by_a_script(state):
    """Return a shell whose script sets an initial state."""
    return SHELL.format(f"<script>window.__INITIAL_STATE__ = {json.dumps(state)};</script>")


def furnished(html):
    """Return a shell with what stands around the text on most sites: style sheet, menu, footer."""
    head = '<link rel=stylesheet href="/birds.css">'
    menu = "<nav><a href=/>All the birds</a> <a href=/map>Where they are seen</a></nav>"
    return (
        html.replace("</head>", f"{head}</head>")
        .replace("<body>", f'<body class="wide">{menu}')
        .replace("</body>", "<footer>Made by the bird society</footer></body>")
    )


SHELLS = {
    "next": shell({"props": {"post": {"title": "Finches", "body": TEXT}}}),
    "markup": shell({"props": {"post": {"title": "Finches", "body": MARKUP}}}),
    "state": set_by_a_script({"article": {"id": 7, "text": TEXT}}),
    "article": declared({"@type": "NewsArticle", "headline": "Finches", "articleBody": TEXT}),
    "furnished": furnished(shell({"post": {"body": TEXT}}).replace("Loading", "Loading…")),
}
"""Name → page of one kind."""
