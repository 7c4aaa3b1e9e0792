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
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from typing import Any

from chaffinch.errors import MissingExtraError
from chaffinch.page.decoding import decode

Extractor = Callable[[bytes, str | None], str]
"""The page's bytes and its URL, to plain text ("" where it finds nothing)."""

MARKDOWN = re.compile(r"^[ \t]*(?:#+|[-*>]|\d+\.)[ \t]|^[| :-]+$|\*\*|```|[`|]", re.MULTILINE)
"""The marks of Markdown, which are no part of the text."""

_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_LANG = re.compile(r"<html\b[^<>]*?\blang\s*+=\s*+(?:[\"']\s*+)?([a-zA-Z]{2,3})\b", re.IGNORECASE)
_MARKUP = re.compile(
    r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*+(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_LETTER = re.compile(r"[^\W\d_]")
_KANA, _HAN, _HANGUL, _THAI = map(
    re.compile, ("[\u3040-\u30ff]", "[\u3400-\u9fff]", "[\uac00-\ud7af]", "[\u0e00-\u0e7f]")
)
_FIFTH = 0.2


def page_language(html: str) -> str | None:
    """Return the ISO 639 code of a page's language, or None where it is unknown.

    A fifth of the letters decides where it can (Chinese, Japanese, Korean, Thai: templates often
    declare English for them), else the ``lang`` attribute of the html element.
    """
    text = _MARKUP.sub(" ", html)
    if letters := len(_LETTER.findall(text)):
        kana, han, hangul, thai = (
            len(script.findall(text)) / letters for script in (_KANA, _HAN, _HANGUL, _THAI)
        )
        if hangul >= _FIFTH:
            return "ko"
        if thai >= _FIFTH:
            return "th"
        if kana + han >= _FIFTH:
            return "ja" if kana > han / 10 else "zh"
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
    extract = partial(_module("trafilatura").extract, include_comments=False, include_tables=True)
    return lambda html, url: extract(html, url=url) or ""


def _readability() -> Extractor:
    document = _module("readability").Document
    plain = _module("resiliparse.extract.html2text").extract_plain_text

    def extract(html: bytes, url: str | None) -> str:
        content = document(decoded(html), url=url).summary(html_partial=True)
        return str(plain(content, main_content=False, alt_texts=False))

    return extract


def _resiliparse() -> Extractor:
    plain = _module("resiliparse.extract.html2text").extract_plain_text
    encoding = _module("resiliparse.parse.encoding")

    def extract(html: bytes, _url: str | None) -> str:
        text = encoding.bytes_to_str(html, encoding.detect_encoding(html))
        return str(plain(text, main_content=True, alt_texts=False))

    return extract


def _justext() -> Extractor:
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
    extractor = _module("boilerpy3.extractors").ArticleExtractor()
    return lambda html, _url: str(extractor.get_content(decoded(html)))


def _newspaper() -> Extractor:
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
    goose, texts = _module("goose3").Goose, _module("goose3.text")
    _module("jieba")
    stop_words = {
        "ar": texts.StopWordsArabic,
        "ja": texts.StopWordsJapanese,
        "ko": texts.StopWordsKorean,
        "zh": texts.StopWordsChinese,
    }

    @cache
    def configured(language: str | None) -> Any:
        options: dict[str, Any] = {"enable_image_fetching": False}
        if language:
            options |= {
                "stopwords_class": stop_words[language],
                "target_language": language,
                "use_meta_language": False,
            }
        return goose(options)

    def extract(html: bytes, url: str | None) -> str:
        text = decoded(html)
        language = page_language(text)
        found = configured(language if language in stop_words else None)
        return found.extract(raw_html=text, url=url).cleaned_text or ""

    return extract


def _chromerag() -> Extractor:
    module = _module("chromerag")
    config = module.PipelineConfig.from_priority("balanced", enable_schema=False)
    extract = module.ChromeRAG(config=config).extract
    return lambda html, url: MARKDOWN.sub(" ", extract(decoded(html), url=url).markdown)


def _gne() -> Extractor:
    engine = _module("gne").GeneralNewsExtractor()
    nothing_found = _module("gne.exceptions").NoContentException

    def extract(html: bytes, _url: str | None) -> str:
        try:
            return str(engine.extract(decoded(html))["content"])
        except nothing_found:
            return ""

    return extract


@dataclass(frozen=True)
class Baseline:
    """A baseline: its name, its package, its setting, and a note on its figures."""

    name: str
    distribution: str
    make: Callable[[], Extractor]
    setting: str
    note: str = ""

    def version(self) -> str:
        """Return the installed version.

        Raises:
            MissingExtraError: it isn't installed; the message names the pip command.
        """
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            raise MissingExtraError.of(self.distribution, "baselines") from None

    def load(self) -> Extractor:
        """Import the baseline and return its extractor.

        Raises:
            MissingExtraError: it, or what it needs, isn't installed.
        """
        self.version()
        # Warnings of its import (old escapes, optional parts) concern its own code.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return self.make()
            except ModuleNotFoundError as error:
                raise MissingExtraError.of(str(error.name), "baselines") from error


BASELINES = {
    one.name: one
    for one in (
        Baseline(
            "trafilatura", "trafilatura", _trafilatura,
            "include_comments=False, include_tables=True, bytes in: the setting of its own "
            "evaluation",
        ),
        Baseline(
            "readability-lxml", "readability-lxml", _readability,
            "summary(html_partial=True), its HTML to text by resiliparse",
        ),
        Baseline(
            "resiliparse", "resiliparse", _resiliparse,
            "main_content=True, alt_texts=False; its own detection of the encoding",
        ),
        Baseline(
            "justext", "jusText", _justext,
            "as in trafilatura's evaluation: 50, 200, 0.1, 0.2, 0.2, 200, all stop lists at once, "
            "no headings; zh, ja and th, for which it has no list, language-independent",
        ),
        Baseline("boilerpy3", "boilerpy3", _boilerpy3, "ArticleExtractor"),
        Baseline(
            "newspaper4k", "newspaper4k", _newspaper,
            "told the page's language (jieba for zh, tinysegmenter for ja), no images",
        ),
        Baseline(
            "goose3", "goose3", _goose,
            "stop words of the page's language (jieba for zh, fugashi for ja), no images",
        ),
        Baseline(
            "chromerag", "chromerag", _chromerag,
            "priority balanced, without front matter, marks of Markdown taken out",
            note="chromerag's model was trained on the development pages of WCXB: its wcxb figure "
            "is of pages it has seen",
        ),
        Baseline("gne", "gne", _gne, "GeneralNewsExtractor().extract, content"),
    )
}  # fmt: skip
"""Every baseline by name; the extra ``chaffinch[baselines]`` installs them all."""
