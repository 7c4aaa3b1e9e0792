"""Drives MarkItDown, with no other converter."""

import io

from markitdown import FileConversionException, MarkItDown, StreamInfo
from plugin_cases import PageFailed

from chaffinch.plugins import markitdown as plugin


def text_of(page, url):
    tool = MarkItDown(enable_builtins=False, enable_plugins=False)
    plugin.register_converters(tool, chaffinch={"policy": {"comments": False}})
    info = StreamInfo(mimetype="text/html", extension=".html", url=url)
    try:
        return tool.convert_stream(io.BytesIO(page), stream_info=info).markdown
    except FileConversionException as error:
        raise PageFailed from error


def parts():
    return [plugin.Converter(drop="nav")]
