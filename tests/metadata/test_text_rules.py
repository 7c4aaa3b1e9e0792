"""Names out of bylines, dates out of text, languages out of letters."""

import importlib
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.elements.dates import day_of, parse_date, plausible
from chaffinch.metadata import read_metadata
from chaffinch.metadata.language import language_by_words
from chaffinch.metadata.names import split_names
from chaffinch.metadata.values import FieldCandidate, choose_value, clean, fold
from chaffinch.page import parse

language = importlib.import_module("chaffinch.metadata.language")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Jane Doe and John Roe", ("Jane Doe", "John Roe")),
        ("Von Jana Muster und Hans Beispiel", ("Jana Muster", "Hans Beispiel")),
        ("Jane Doe, Senior Editor", ("Jane Doe",)),
        ("Jane Doe, Ph.D.", ("Jane Doe",)),
        ("Jane Doe (jane@courier.example)", ("Jane Doe",)),
        ("Jane Doe @janedoe", ("Jane Doe",)),
        ("https://social.example/janedoe", ()),
        ("Jane Doe | The Courier", ("Jane Doe",)),
        ("Jane Doe Published March 4, 2021", ("Jane Doe",)),
        ("Jane Doe on Jan 22", ("Jane Doe",)),
        ("Staff", ()),
        ("admin", ()),
        ("作者：王小明", ("王小明",)),
        ("记者 李磊 王小明", ("李磊", "王小明")),
        ("王小明、李磊", ("王小明", "李磊")),
        ("王小明、李磊、北京", ("王小明", "李磊")),
        ("王小明 某某观察报", ("王小明",)),
        ("某某观察报", ("某某观察报",)),
        ("责任编辑：王小明", ("王小明",)),
        ("Jane Doe; jane doe", ("Jane Doe",)),
        ("<b>Jane&amp;#39;s Doe</b>", ("Jane's Doe",)),
        ("page.head.author", ()),
        ("", ()),
    ],
)
def test_names_in_bylines(text, names):
    assert split_names(text) == names


def test_citation_metas_write_the_last_name_first():
    assert split_names("Doe, Jane", inverted=True) == ("Jane Doe",)


@pytest.mark.parametrize(
    "text",
    ["View all posts", "Did you find a mistake?", "Topic Author", "5 min read", "Sat, 20 Dec"],
)
def test_phrases_are_not_names_where_a_text_is_perhaps_a_byline(text):
    assert split_names(text, strict=True) == ()


def naive(*parts):
    return datetime(*parts)  # noqa: DTZ001  pages often give no time zone


CET = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2021-03-04", date(2021, 3, 4)),
        ("2021-03-04T10:00:00Z", datetime(2021, 3, 4, 10, tzinfo=UTC)),
        ("2021-03-04T10:00:00+0100", datetime(2021, 3, 4, 10, tzinfo=CET)),
        ("2021-03-04 10:00:00.123+01:00", datetime(2021, 3, 4, 10, 0, 0, 123000, tzinfo=CET)),
        ("Thu, 04 Mar 2021 10:00:00 +0100", datetime(2021, 3, 4, 10, tzinfo=CET)),
        ("2014年4月2日 08:04", naive(2014, 4, 2, 8, 4)),
        ("2014年04月02日08:04:05", naive(2014, 4, 2, 8, 4, 5)),
        ("2014年4月2日 08时04分", naive(2014, 4, 2, 8, 4)),
        ("2021. 3. 4.", date(2021, 3, 4)),
        ("2021년 3월 4일", date(2021, 3, 4)),
        ("2021/3/4", date(2021, 3, 4)),
        ("20210304", date(2021, 3, 4)),
        ("March 4, 2021", date(2021, 3, 4)),
        ("March 4th, 2021 at 9:05 pm", naive(2021, 3, 4, 21, 5)),
        ("4 March 2021", date(2021, 3, 4)),
        ("4. März 2021, 10:30 Uhr", naive(2021, 3, 4, 10, 30)),
        ("4 de marzo de 2021", date(2021, 3, 4)),
        ("4 mars 2021 à 10h30", naive(2021, 3, 4, 10, 30)),
        ("4 марта 2021", date(2021, 3, 4)),
        ("4 marca 2021", date(2021, 3, 4)),
        ("4 Μαρτίου 2021", date(2021, 3, 4)),
        ("04.03.2021", date(2021, 3, 4)),
        ("Do 25.04.24 | 14:07", naive(2024, 4, 25, 14, 7)),
        ("Version 1.10.24.7", None),
        ("25/12/2021", date(2021, 12, 25)),
        ("12/25/2021", date(2021, 12, 25)),
        ("31.02.2021", None),
        ("Page 12 of 2021", None),
        ("in 3 hours", None),
        ("9999999999", None),
    ],
)
def test_dates_in_text(text, wanted):
    assert parse_date(text) == wanted


def test_language_and_country_say_whether_the_month_is_first():
    assert parse_date("4/5/2021", locale="en") == date(2021, 4, 5)
    assert parse_date("4/5/2021", locale="en-gb") == date(2021, 5, 4)
    assert parse_date("4/5/2021") == date(2021, 5, 4)
    assert parse_date("4.5.2021", locale="en") == date(2021, 5, 4)


def test_plausible_dates():
    assert plausible(date(2001, 1, 1))
    assert not plausible(date(1970, 1, 1))
    assert not plausible(datetime.now(UTC) + timedelta(days=3))


def test_a_family_of_sources_counts_once():
    copies = [FieldCandidate("A", "a", f"meta:{n}", 0, 0.5) for n in range(5)]
    other = [FieldCandidate("B", "b", "h1", 1, 0.4), FieldCandidate("B", "b", "url", -1, 0.4)]
    found = choose_value([*copies, *other])
    assert (found.value, found.confidence, found.agreeing) == ("B", 0.64, ("url",))
    assert choose_value([]) is None
    merged = choose_value([*copies, *other], copies=("h1", "url"))
    assert (merged.value, merged.confidence) == ("A", 0.5)


def test_what_supports_a_value_adds_to_it():
    one, other = FieldCandidate("A", "a", "meta:x", 0, 0.5), FieldCandidate("B", "b", "h1", 1, 0.6)
    third = FieldCandidate("C", "c", "url", -1, 0.5)
    assert choose_value([one, other, third]).value == "B"

    def alike(key, against):
        return float({key, against} == {"a", "c"})

    assert choose_value([one, other, third], alike).value == "A"


def test_clean_strings():
    assert clean("  a\n<b>b</b> &amp;amp; \x00c\u200b ") == "a b & c"
    assert clean("3 < 4 > 2") == "3 < 4 > 2"
    assert clean(3) == clean(None) == clean(["a"]) == ""
    assert clean("title \ue605") == "title"
    assert fold("Ａ b-C!") == "abc"


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The grain is separated from the chaff by the wind.", "latin"),
        ("今年的收成很好，农民都很高兴。" * 5, "han"),
        ("今年の収穫はとても良いです。みんなうれしい。" * 3, "kana"),
        ("올해 수확은 아주 좋습니다. 모두 기뻐합니다." * 3, "hangul"),
        ("Урожай в этом году хороший, все довольны." * 3, "cyrillic"),
        ("Η σοδειά φέτος είναι πολύ καλή για όλους μας." * 3, "greek"),
        ("ปีนี้ผลผลิตดีมากทุกคนมีความสุขมากเลยครับผม" * 3, "thai"),
        ("אנו שמחים מאוד על היבול הטוב של השנה הזאת בשדות" * 3, "hebrew"),
        ("12 34", ""),
    ],
)
def test_scripts(text, script):
    assert language.script_of(text) == script


def page_in(lang, text):
    return read_metadata(parse(f'<html lang="{lang}"><body><p>{text}</p>'))


def test_a_declared_language_that_the_letters_contradict_is_ignored():
    assert page_in("en", "今年的收成很好，农民都很高兴。" * 5).value("language") == "zh"
    assert page_in("zh-CN", "今年的收成很好，农民都很高兴。" * 5).value("language") == "zh"
    assert page_in("en-US", "Урожай в этом году хороший. " * 5).value("language") == "ru"
    assert page_in("bg", "Урожай в этом году хороший. " * 5).value("language") == "ru"
    assert page_in("", "Цього року врожай дуже добрий, її всі їли. " * 5).value("language") == "uk"


def test_a_declared_language_is_kept_where_the_letters_fit(monkeypatch):
    monkeypatch.setattr(language, "_model", lambda: None)
    assert page_in("de-AT", "Heuer gute Ernte. " * 20).value("language") == "de"
    assert page_in("", "Heuer gute Ernte. " * 20).value("language") is None


def test_function_words_tell_a_language_without_the_library(monkeypatch):
    monkeypatch.setattr(language, "_model", lambda: None)
    german = "Die Ernte ist gut, und das Korn wird auf dem Hof von allen gelobt. " * 3
    for declared in ("", "en"):
        found = page_in(declared, german).field_value("language")
        assert (found.value, found.source) == ("de", "text:words")
    shared = "Det er godt at være her, og vi har en del korn til vinteren. " * 3
    assert page_in("", shared).value("language") is None  # Danish, or else Norwegian


@given(st.text(max_size=600))
def test_any_words_tell_a_known_language_or_none(text):
    assert language_by_words(text) in {"", *language.WORDS}
    assert language_by_words(" ".join(text.split()[: language.MIN_WORDS - 1])) == ""


def test_the_library_corrects_a_template_language():
    pytest.importorskip("py3langid", reason="chaffinch[language] is not installed")
    text = (
        "Høsten var god i år, og alle bønder er glade for kornet, som blev kørt hjem af dem. " * 5
    )
    for declared in ("", "en"):
        found = page_in(declared, text).field_value("language")
        assert (found.value, found.source) == ("da", "text:py3langid")


@pytest.mark.parametrize(
    ("tag", "code"),
    [("pt_BR", "pt"), ("zh-Hans-CN", "zh"), ("nb", "no"), ("english", ""), ("", "")],
)
def test_primary_subtags(tag, code):
    assert language.primary(tag) == code


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Παρασκευή 6 Γενάρη 2012", date(2012, 1, 6)),
        ("3 Μάρτη 2012", date(2012, 3, 3)),
        ("12 Νοέμβρη 2011", date(2011, 11, 12)),
        ("PTI | 03:01 PM,Jan 12,2012", date(2012, 1, 12)),
        ("Do 25.04.24 | 14:07 Uhr | Von Jane Doe in Frankfurt", date(2024, 4, 25)),
    ],
)
def test_dates_as_pages_write_them(text, day):
    found = parse_date(text)
    assert found is not None
    assert day_of(found) == day
