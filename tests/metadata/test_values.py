"""The choice among candidates, strings from pages, and languages out of letters."""

import importlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_pages import read

from chaffinch.metadata.language import language_by_words
from chaffinch.metadata.values import FieldCandidate, choose_value, clean, fold

language = importlib.import_module("chaffinch.metadata.language")
HAN, RUSSIAN = "今年的收成很好，农民都很高兴。" * 5, "Урожай в этом году хороший. " * 5
HEUER = "Heuer gute Ernte. " * 20
GERMAN = "Die Ernte ist gut, und das Korn wird auf dem Hof von allen gelobt. " * 3
DANISH = "Høsten var god i år, og alle bønder er glade for kornet, som blev kørt hjem af dem. " * 5


def test_a_family_of_sources_counts_once():
    copies = [FieldCandidate("A", "a", f"meta:{n}", 0, 0.5) for n in range(5)]
    other = [FieldCandidate("B", "b", "h1", 1, 0.4), FieldCandidate("B", "b", "url", -1, 0.4)]
    found = choose_value([*copies, *other])
    assert (found.value, found.confidence, found.agreeing) == ("B", 0.64, ("url",))
    assert choose_value([]) is None
    merged = choose_value([*copies, *other], copies=("h1", "url"))
    assert (merged.value, merged.confidence) == ("A", 0.5)


def test_clean_strings():
    assert clean("  a\n<b>b</b> &amp;amp; \x00c\u200b ") == "a b & c"
    assert clean("3 < 4 > 2") == "3 < 4 > 2"
    assert clean(3) == clean(None) == clean(["a"]) == ""
    assert clean("title \ue605") == "title"
    assert fold("Ａ b-C!") == "abc"


@pytest.mark.parametrize(
    ("declared", "text", "wanted", "source"),
    [
        ("en", HAN, "zh", "text:han"),
        ("zh-CN", HAN, "zh", "text:han"),
        ("en-US", RUSSIAN, "ru", "text:cyrillic"),
        ("bg", RUSSIAN, "ru", "text:cyrillic"),
        ("", "Цього року врожай дуже добрий, її всі їли. " * 5, "uk", "text:cyrillic"),
        ("de-AT", HEUER, "de", "html:lang"),
        ("", HEUER, None, ""),
        ("", GERMAN, "de", "text:words"),
        ("", f"{GERMAN} Größe", "de", "text:words"),
        ("en", GERMAN, "de", "text:words"),
        ("", "Det er godt at være her, og vi har en del korn til vinteren. " * 3, None, ""),
    ],
)
def test_languages_without_the_library(declared, text, wanted, source, monkeypatch):
    monkeypatch.setattr(language, "_model", lambda: None)
    found = read(body=f"<p>{text}</p>", lang=declared).language
    assert (found.value, found.source) == (wanted, source) if found else wanted is None


@pytest.mark.parametrize("declared", ["", "en"])
def test_the_library_corrects_a_template_language(declared):
    pytest.importorskip("py3langid", reason="chaffinch[language] is not installed")
    found = read(body=f"<p>{DANISH}</p>", lang=declared).language
    assert (found.value, found.source) == ("da", "text:py3langid")


@given(st.text(max_size=600))
def test_any_words_tell_a_known_language_or_none(text):
    assert language_by_words(text) in {"", "gl", *language.WORDS}
    assert language_by_words(" ".join(text.split()[: language.MIN_WORDS - 1])) == ""


def test_endless_lists_are_cut():
    node = {"@type": "Article", "author": ["Jane Doe", ["x"] * 10_000], "keywords": ["k"] * 10_000}
    found = read(f'<script type="application/ld+json">{json.dumps([node] * 300)}</script>')
    assert len(found.value("tags") or ()) < 1_000
