"""Drives Haystack: a stream goes through the converter."""

import logging

from haystack.dataclasses import ByteStream
from plugin_cases import PageFailed

from chaffinch.plugins import haystack as plugin


def text_of(page, url):
    said = _Said()
    logger = logging.getLogger("chaffinch.plugins.haystack")
    logger.addHandler(said)
    try:
        found = plugin.Converter(max_tokens=100).run([ByteStream(page, meta={"url": url})])
    finally:
        logger.removeHandler(said)
    if said.words:
        raise PageFailed(said.words)
    return "\n".join(one.content for one in found["documents"])


class _Said(logging.Handler):
    """Keeps what is logged."""

    def __init__(self):
        super().__init__()
        self.words = ""

    def emit(self, record):
        self.words += record.getMessage()


def parts():
    return [plugin.Converter(options={"drop": "nav"})]
