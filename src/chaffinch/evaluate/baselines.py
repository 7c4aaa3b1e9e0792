"""Extractors of other projects (baselines), each in its best documented setting.

Each is a function from a page's bytes and its URL to plain text. One that decodes pages well
itself gets the bytes; the others get text decoded by Chaffinch, so that none loses for its
decoding. Decoding counts into its time: all start from bytes. None may use the network, and none
gets the corpora's labels; those that take a language get `page_language`.
"""

import importlib
import logging
import re
import warnings
from collections.abc import Callable
from functools import cache, partial
from importlib import metadata
from typing import Any

from chaffinch.errors import from_extra
from chaffinch.metadata.language import script_of
from chaffinch.page.decoding import decode

Extractor = Callable[[bytes, str | None], str]
"""The page's bytes and its URL, to plain text ("" where it finds nothing)."""

_MARKDOWN = re.compile(r"^[ \t]*(?:#+|[-*>]|\d+\.)[ \t]|^[| :-]+$|\*\*|```|[`|]", re.MULTILINE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_LANG = re.compile(r"<html\b[^<>]*?\blang\s*+=\s*+(?:[\"']\s*+)?([a-zA-Z]{2,3})\b", re.IGNORECASE)
_MARKUP = re.compile(
    r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*+(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_BY_SCRIPT = {"han": "zh", "kana": "ja", "hangul": "ko", "thai": "th"}


def page_language(html: str) -> str | None:
    """Return the ISO 639 code of a page's language, or None where it is unknown.

    The letters decide where they can (templates often declare English for Chinese, Japanese, Korean
    and Thai), else the ``lang`` attribute of the html element.
    """
    if code := _BY_SCRIPT.get(script_of(_MARKUP.sub(" ", html))):
        return code
    declared = _LANG.search(html[:5000])
    return declared.group(1).lower() if declared else None


def decoded(html: bytes) -> str:
    """Return a page as text, without its XML declaration: lxml refuses text that has one."""
    return _XML_DECLARATION.sub("", decode(html).text, count=1)


def _module(name: str) -> Any:
    """Import a module and silence its log."""
    module = importlib.import_module(name)
    logging.getLogger(name.partition(".")[0]).setLevel(logging.CRITICAL + 1)
    return module


def _trafilatura() -> Extractor:
    """include_comments=False, include_tables=True, bytes in: the setting of its own evaluation."""
    extract = partial(_module("trafilatura").extract, include_comments=False, include_tables=True)
    return lambda html, url: extract(html, url=url) or ""


def _readability() -> Extractor:
    """summary(html_partial=True), its HTML to text by resiliparse."""
    document = _module("readability").Document
    plain = _module("resiliparse.extract.html2text").extract_plain_text

    def extract(html: bytes, url: str | None) -> str:
        content = document(decoded(html), url=url).summary(html_partial=True)
        return str(plain(content, main_content=False, alt_texts=False))

    return extract


def _resiliparse() -> Extractor:
    """main_content=True, alt_texts=False; its own detection of the encoding."""
    plain = _module("resiliparse.extract.html2text").extract_plain_text
    encoding = _module("resiliparse.parse.encoding")

    def extract(html: bytes, _url: str | None) -> str:
        text = encoding.bytes_to_str(html, encoding.detect_encoding(html))
        return str(plain(text, main_content=True, alt_texts=False))

    return extract


def _justext() -> Extractor:
    """As in trafilatura's evaluation: 50, 200, 0.1, 0.2, 0.2, all stop lists; zh, ja, th: none."""
    module = _module("justext")
    words = frozenset(word for name in module.get_stoplists() for word in module.get_stoplist(name))
    with_words = {"stoplist": words, "stopwords_low": 0.1, "stopwords_high": 0.2}
    without = {"stoplist": frozenset(), "stopwords_low": 0, "stopwords_high": 0}
    lengths = {"length_low": 50, "length_high": 200, "max_link_density": 0.2}

    def extract(html: bytes, _url: str | None) -> str:
        text = decoded(html)
        lists = without if page_language(text) in {"zh", "ja", "th"} else with_words
        paragraphs = module.justext(text, no_headings=True, **lengths, **lists)
        return "\n".join(one.text for one in paragraphs if not one.is_boilerplate)

    return extract


def _boilerpy3() -> Extractor:
    """ArticleExtractor."""
    extractor = _module("boilerpy3.extractors").ArticleExtractor()
    return lambda html, _url: str(extractor.get_content(decoded(html)))


def _newspaper() -> Extractor:
    """Told the page's language (jieba for zh, tinysegmenter for ja), no images."""
    module = _module("newspaper")
    _module("jieba")
    # Korean would need data that nltk downloads, so there the page's own declaration decides.
    known = {code for code, _ in module.valid_languages()} - {"ko"}

    def extract(html: bytes, url: str | None) -> str:
        text = decoded(html)
        language = page_language(text)
        article = module.Article(
            url or "http://page.invalid/",
            language=language if language in known else None,
            fetch_images=False,
        )
        article.download(input_html=text)
        article.parse()
        return str(article.text)

    return extract


def _goose() -> Extractor:
    """Stop words of the page's language (jieba for zh, fugashi for ja), no images."""
    goose, texts = _module("goose3").Goose, _module("goose3.text")
    _module("jieba")
    names = {"ar": "Arabic", "ja": "Japanese", "ko": "Korean", "zh": "Chinese"}

    @cache
    def configured(language: str | None) -> Any:
        options: dict[str, Any] = {"enable_image_fetching": False}
        if language:
            words = getattr(texts, f"StopWords{names[language]}")
            options |= {"stopwords_class": words, "target_language": language}
            options["use_meta_language"] = False
        return goose(options)

    def extract(html: bytes, url: str | None) -> str:
        text = decoded(html)
        language = page_language(text)
        found = configured(language if language in names else None)
        return found.extract(raw_html=text, url=url).cleaned_text or ""

    return extract


def _chromerag() -> Extractor:
    """Priority balanced, marks of Markdown taken out; trained on development pages of WCXB."""
    module = _module("chromerag")
    config = module.PipelineConfig.from_priority("balanced", enable_schema=False)
    extract = module.ChromeRAG(config=config).extract
    return lambda html, url: _MARKDOWN.sub(" ", extract(decoded(html), url=url).markdown)


def _gne() -> Extractor:
    """GeneralNewsExtractor().extract, content."""
    engine = _module("gne").GeneralNewsExtractor()
    nothing_found = _module("gne.exceptions").NoContentException

    def extract(html: bytes, _url: str | None) -> str:
        try:
            return str(engine.extract(decoded(html))["content"])
        except nothing_found:
            return ""

    return extract


BASELINES = {
    "trafilatura": _trafilatura,
    "readability-lxml": _readability,
    "resiliparse": _resiliparse,
    "justext": _justext,
    "boilerpy3": _boilerpy3,
    "newspaper4k": _newspaper,
    "goose3": _goose,
    "chromerag": _chromerag,
    "gne": _gne,
}
"""Every baseline by the name of its package; its docstring is the setting that tables show."""


def load_baseline(name: str) -> tuple[Extractor, str]:
    """Import a baseline, if it is installed, and return its extractor and its version."""
    # Warnings of its import (old escapes, optional parts) concern its own code.
    with warnings.catch_warnings(), from_extra("baselines"):
        warnings.simplefilter("ignore")
        return BASELINES[name](), metadata.version(name)
