"""Small pages of a newspaper, and what they declare."""

import json

from chaffinch.metadata import read_metadata
from chaffinch.page import parse


def meta(**pairs):
    return "".join(f'<meta property="{n}" content="{v}">' for n, v in pairs.items())


def named(name, content):
    return f'<meta name="{name}" content="{content}">'


def linked(data):
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def read(head="", body="<p>Text.</p>", url="https://www.thecourier.example/a/b", lang=""):
    root = f'<html lang="{lang}">' if lang else "<html>"
    return read_metadata(parse(f"<!doctype html>{root}<head>{head}</head>{body}", url=url))


ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "A quiet harvest",
    "author": [{"@type": "Person", "name": "Jane Doe"}, {"@type": "Person", "name": "John Roe"}],
    "datePublished": "2021-03-04T10:00:00+01:00",
    "dateModified": "2021-03-05",
    "editor": {"@type": "Person", "name": "Mary Major"},
    "sourceOrganization": {"@type": "Organization", "name": "The Mill"},
    "publisher": {"@type": "Organization", "name": "The Courier"},
    "description": "What the fields gave.",
    "image": {"@type": "ImageObject", "url": "/harvest.jpg"},
    "articleSection": ["Fields"],
    "keywords": "grain, chaff",
    "inLanguage": "en-GB",
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "mainEntityOfPage": {"@type": "WebPage", "@id": "https://www.thecourier.example/a/b"},
}
