"""Who wrote a page, and when it was published and changed, as sites of 39 languages say it."""

import tomllib
from itertools import zip_longest
from pathlib import Path

import pytest

from chaffinch import extract

LANGUAGES = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))
LAYOUTS = (
    "<p>{by}</p><p>{date}</p>", "<p>{by} {date}</p>", "<p>{by} | {date}</p>",
    "<p>{date} – {by}</p>", '<div><a href="/u/1">{by}</a><span>{date}</span></div>',
    "<ul><li>{date}</li><li>{by}</li></ul>", "<p>{by}<br>{date}</p>", "<p>{date}, {by}</p>",
)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_of_authors_and_dates(language):
    own = LANGUAGES[language]
    text = "".join(f"<p>{one}</p>" for one in own["texts"]) * 2
    head = f"<html lang={language}><title>{own['texts'][2]}</title><h1>{own['texts'][2][:40]}</h1>"
    forms = zip_longest(own["bylines"], own["published"], own["changed"])
    firsts = [own[name][0] for name in ("bylines", "published", "changed")]
    for number, form in enumerate(forms):
        by, published, changed = (one or first for one, first in zip(form, firsts, strict=True))
        by, date = by.format(name=own["name"]), published.format(date=own["date"])
        for layout in (LAYOUTS[number % 8], LAYOUTS[(number + 3) % 8]):
            line = layout.format(by=by, date=date)
            page = extract(f"{head}{line}<main>{text}</main>")
            assert (page.authors, page.date) == ((own["name"],), "2024-03-12"), line
        lines = f"<p>{date}</p><p>{changed.format(date=own['later'])}</p>"
        found = extract(f"{head}{lines}<main>{text}</main>").metadata.modified
        assert str(found and found.value) == "2024-03-15", lines


@pytest.mark.parametrize("language", [one for one in LANGUAGES if "calls" in LANGUAGES[one]])
def test_what_readers_are_asked_is_no_text(language):
    texts = [f"<p>{one}</p>" for one in LANGUAGES[language]["texts"]]
    head = f"<html lang={language}><title>Mill</title><article><h1>Mill</h1>{''.join(texts)}"
    for call in LANGUAGES[language]["calls"]:
        for place in (f"<p>{call}</p>{''.join(texts)}", f"{''.join(texts)}<p>{call}</p>"):
            assert call not in extract(head + place).text, call
