"""Small pages of a newspaper, and what they declare."""

import json

from chaffinch.metadata import read_metadata
from chaffinch.page import parse
from rows_of_cases import examples


def meta(**pairs):
    return "".join(f'<meta property="{n}" content="{v}">' for n, v in pairs.items())


def named(name, content):
    return f'<meta name="{name}" content="{content}">'


def linked(data):
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def read(head="", body="<p>Text.</p>", url="https://www.thecourier.example/a/b", lang=""):
    root = f'<html lang="{lang}">' if lang else "<html>"
    return read_metadata(parse(f"<!doctype html>{root}<head>{head}</head>{body}", url=url))


ARTICLE = examples(__file__, "small pages article")
