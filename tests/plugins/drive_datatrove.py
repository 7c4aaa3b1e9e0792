"""Drives datatrove: a WARC file goes through its reader and its extractor."""

import tempfile
from pathlib import Path

from plugin_cases import PageFailed
from warc_pages import warc_of

from chaffinch.plugins import datatrove as plugin


def text_of(page, url):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.warc").write_bytes(warc_of((url, page, "text/html")))
        extractor = plugin.Extractor(timeout=30)
        documents = list(extractor.run(plugin.WarcReader(folder).run()))
    if extractor.stats["clean_error"].total:
        raise PageFailed
    return "".join(document.text for document in documents)


def parts():
    return [plugin.Extractor(policy={"comments": False}), plugin.WarcReader("/tmp")]  # noqa: S108
