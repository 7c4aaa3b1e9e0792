"""Drives NeMo Curator: a record, as its WARC iterator gives it, goes through the extractor."""

import logging

from plugin_cases import PageFailed

from chaffinch.plugins import nemo_curator as plugin


def text_of(page, url):
    record = {"url": url, "warc_id": "1", "source_id": "a.warc", "content": page}
    said = []
    handler = logging.Handler()
    handler.emit = said.append
    logger = logging.getLogger("chaffinch.plugins.nemo_curator")
    logger.addHandler(handler)
    try:
        row = plugin.PageExtractor().extract(record)
    finally:
        logger.removeHandler(handler)
    if said:
        raise PageFailed(said[0].getMessage())
    return row["text"] if row else ""


def parts():
    return [plugin.PageExtractor(fields=["title"]), plugin.Algorithm(drop="nav")]
