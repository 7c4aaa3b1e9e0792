"""Drives DuckDB."""

import duckdb
from plugin_cases import PageFailed

from chaffinch.plugins import duckdb as plugin


def text_of(page, url):
    with duckdb.connect() as connection:
        plugin.register(connection, inputs=["html", "url"])
        query = "SELECT unnest(chaffinch(?::BLOB, ?))"
        found = connection.execute(query, [page, url])
        row = dict(zip([one[0] for one in found.description], found.fetchone(), strict=True))
    if row["error"]:
        raise PageFailed(row["error_detail"])
    return row["text"]


def parts():
    return [plugin.register]
