"""Drives LangChain: a blob goes through the parser."""

from langchain_core.documents.base import Blob
from plugin_cases import PageFailed

from chaffinch.errors import PageError
from chaffinch.plugins import langchain as plugin


def text_of(page, url):
    try:
        found = plugin.Parser(max_tokens=100).parse(Blob.from_data(page, metadata={"source": url}))
    except PageError as error:
        raise PageFailed from error
    return "\n".join(one.page_content for one in found)


def parts():
    return [plugin.Parser(drop="nav"), plugin.Loader(["a.html"])]
