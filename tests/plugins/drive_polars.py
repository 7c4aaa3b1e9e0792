"""Drives Polars."""

import polars as pl
from plugin_cases import PageFailed

from chaffinch.plugins import polars as plugin


def text_of(page, url):
    frame = pl.DataFrame({"html": [page], "url": [url]})
    (row,) = plugin.extract(frame).to_dicts()
    if row["error"]:
        raise PageFailed(row["error_detail"])
    return row["text"]


def parts():
    return [plugin.extract(pl.DataFrame({"html": [b"<p>Rye"]})), plugin.expression]
