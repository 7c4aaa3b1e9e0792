"""Drives LlamaIndex: bytes go through the reader."""

from plugin_cases import PageFailed

from chaffinch.errors import PageError
from chaffinch.plugins import llama_index as plugin


def text_of(page, url):
    try:
        found = plugin.Reader(max_tokens=100).load_data(page, {"url": url})
    except PageError as error:
        raise PageFailed from error
    return "\n".join(one.text for one in found)


def parts():
    return [plugin.Reader(drop="nav")]
