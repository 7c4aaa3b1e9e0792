"""Drives Docling: a stream goes through its converter with the backend."""

from io import BytesIO

from docling.datamodel.base_models import ConversionStatus, DocumentStream, InputFormat
from docling.document_converter import DocumentConverter, HTMLFormatOption
from plugin_cases import PageFailed

from chaffinch.plugins import docling as plugin


def document_of(page, url="", **options):
    """Return the document of a page."""
    backend_options = plugin.BackendOptions(chaffinch=options, source_uri=url or None)
    choice = HTMLFormatOption(backend=plugin.Backend, backend_options=backend_options)
    converter = DocumentConverter(
        allowed_formats=[InputFormat.HTML], format_options={InputFormat.HTML: choice}
    )
    stream = DocumentStream(name="page.html", stream=BytesIO(page))
    done = converter.convert(stream, raises_on_error=False)
    if done.status != ConversionStatus.SUCCESS:
        raise PageFailed(done.errors)
    return done.document


def text_of(page, url):
    return document_of(page, url).export_to_text() if page else ""


def parts():
    return [plugin.BackendOptions(chaffinch={"drop": "nav"})]
