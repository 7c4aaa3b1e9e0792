"""Adapters of peers: one function a peer, which returns an extractor.

All imports of peers stand inside the functions, so a missing one disables nothing but itself.
The settings are explained in the table of :mod:`chaffinch.evaluate.peers`.
"""

from __future__ import annotations

import importlib
import logging
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from chaffinch.evaluate.languages import page_language
from chaffinch.page.decoding import decode

Extractor = Callable[[bytes, str | None], str]
"""The page's bytes and its address, to plain text ("" where it finds nothing)."""

_MARKDOWN = re.compile(r"^[ \t]*(?:#+|[-*>]|\d+\.)[ \t]|^[| :-]+$|\*\*|```|[`|]", re.MULTILINE)
"""The marks of Markdown, which are no part of the text."""

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def _module(name: str) -> Any:
    """Import a peer's module and silence its log."""
    module = importlib.import_module(name)
    logging.getLogger(name.partition(".")[0]).setLevel(logging.CRITICAL + 1)
    return module


def _text(html: bytes) -> str:
    """Decode a page; without its XML declaration, for lxml refuses decoded text that has one."""
    return _DECLARATION.sub("", decode(html).text, count=1)


def trafilatura(**options: bool) -> Extractor:
    """Return trafilatura with the options of its own evaluation and `options`."""
    module = _module("trafilatura")

    def extract(html: bytes, url: str | None) -> str:
        return (
            module.extract(html, url=url, include_comments=False, include_tables=True, **options)
            or ""
        )

    return extract


def _plain_text(fragment: str) -> str:
    """Return the text of an HTML fragment with blocks on lines of their own."""
    extract_plain_text = _module("resiliparse.extract.html2text").extract_plain_text
    text: str = extract_plain_text(fragment, main_content=False, alt_texts=False)
    return text


def readability() -> Extractor:
    """Return readability-lxml; its HTML becomes text by resiliparse."""
    document = _module("readability").Document
    _plain_text("")

    def extract(html: bytes, url: str | None) -> str:
        return _plain_text(document(_text(html), url=url).summary(html_partial=True))

    return extract


def resiliparse() -> Extractor:
    """Return resiliparse for main content, with its own detection of the encoding."""
    extract_plain_text = _module("resiliparse.extract.html2text").extract_plain_text
    encoding = _module("resiliparse.parse.encoding")

    def extract(html: bytes, url: str | None) -> str:
        del url
        text = encoding.bytes_to_str(html, encoding.detect_encoding(html))
        found: str = extract_plain_text(text, main_content=True, alt_texts=False)
        return found

    return extract


def justext() -> Extractor:
    """Return jusText with every stop list at once, or with none where a language has none."""
    module = _module("justext")
    words = frozenset(word for name in module.get_stoplists() for word in module.get_stoplist(name))
    with_words = {"stoplist": words, "stopwords_low": 0.1, "stopwords_high": 0.2}
    without = {"stoplist": frozenset(), "stopwords_low": 0, "stopwords_high": 0}
    lengths = {"length_low": 50, "length_high": 200, "max_link_density": 0.2}

    def extract(html: bytes, url: str | None) -> str:
        del url
        text = _text(html)
        lists = without if page_language(text) in {"zh", "ja", "th"} else with_words
        paragraphs = module.justext(text, no_headings=True, **lengths, **lists)
        return "\n".join(one.text for one in paragraphs if not one.is_boilerplate)

    return extract


def boilerpy3() -> Extractor:
    """Return boilerpy3 with its extractor for articles."""
    extractor = _module("boilerpy3.extractors").ArticleExtractor()

    def extract(html: bytes, url: str | None) -> str:
        del url
        found: str = extractor.get_content(_text(html))
        return found

    return extract


def newspaper() -> Extractor:
    """Return newspaper4k with the page's language as an option, off the network."""
    module = _module("newspaper")
    _module("jieba")
    # Korean would need data that nltk downloads, so there the page's own declaration decides.
    known = {code for code, _ in module.valid_languages()} - {"ko"}

    def extract(html: bytes, url: str | None) -> str:
        text = _text(html)
        language = page_language(text)
        article = module.Article(
            url or "http://page.invalid/",
            language=language if language in known else None,
            fetch_images=False,
        )
        article.download(input_html=text)
        article.parse()
        found: str = article.text
        return found

    return extract


def goose() -> Extractor:
    """Return goose3 with the stop words of the page's language, off the network."""
    goose = _module("goose3").Goose
    text_module = _module("goose3.text")
    _module("jieba")
    stop_words = {
        "ar": text_module.StopWordsArabic,
        "ja": text_module.StopWordsJapanese,
        "ko": text_module.StopWordsKorean,
        "zh": text_module.StopWordsChinese,
    }

    @cache
    def configured(language: str | None) -> Any:
        options: dict[str, Any] = {"enable_image_fetching": False}
        if language in stop_words:
            options |= {
                "stopwords_class": stop_words[language],
                "target_language": language,
                "use_meta_language": False,
            }
        return goose(options)

    def extract(html: bytes, url: str | None) -> str:
        text = _text(html)
        language = page_language(text)
        article = configured(language if language in stop_words else None).extract(
            raw_html=text, url=url
        )
        return article.cleaned_text or ""

    return extract


def chromerag() -> Extractor:
    """Return ChromeRAG in its default priority; marks of Markdown are taken out."""
    module = _module("chromerag")
    config = module.PipelineConfig.from_priority("balanced", enable_schema=False)
    engine = module.ChromeRAG(config=config)

    def extract(html: bytes, url: str | None) -> str:
        return _MARKDOWN.sub(" ", engine.extract(_text(html), url=url).markdown)

    return extract


def gne() -> Extractor:
    """Return GeneralNewsExtractor."""
    engine = _module("gne").GeneralNewsExtractor()
    nothing_found = _module("gne.exceptions").NoContentException

    def extract(html: bytes, url: str | None) -> str:
        del url
        try:
            content: str = engine.extract(_text(html))["content"]
        except nothing_found:
            return ""
        return content

    return extract
