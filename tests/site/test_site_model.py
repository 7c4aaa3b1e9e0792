"""A site model is a method among methods, learns whatever the order, and falls back with a word."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from trusted_rules import trusted

from chaffinch import OptionError, Site, extract, parse
from chaffinch.methods import Learned
from chaffinch.site import Statistics, merged
from chaffinch.site.site import SiteFolder

MODES = ("full", "rules")


def gold_words(row):
    return set(row["gold_text"].split())


def words_f1(text, row):
    found, gold = set(text.split()), gold_words(row)
    return 2 * len(found & gold) / max(len(found) + len(gold), 1)


@pytest.mark.parametrize("mode", MODES)
def test_a_site_stands_where_a_method_may(learned, english, mode):
    site = trusted(learned).with_mode(mode)
    row = next(row for row in english[1::2] if row["template"] == "article")
    by_extract, by_itself = extract(row["page"], method=site), site.extract(row["page"])
    assert by_extract.text == by_itself.text
    assert by_extract.reasons == Site.reasons
    assert by_itself.notes.mode == mode
    assert words_f1(by_itself.text, row) > 0.9


def test_order_does_not_matter(english):
    parts = [row["part"] for row in english[:12]]
    assert Site.of(merged(parts)).to_text() == Site.of(merged(parts[::-1])).to_text()


@pytest.mark.parametrize("mode", MODES)
def test_one_page_teaches_nothing_and_the_default_answers(english, mode):
    site = Site.learn([english[0]["page"]], mode=mode)
    row = english[2]
    verdict, alone = site(row["page"]), Learned()(row["page"])
    assert verdict.keep.tobytes() == alone.keep.tobytes()
    assert verdict.notes.mode == "page-level default"
    said = {site.reasons[code] for code in np.unique(verdict.why[verdict.keep])}
    assert said == {"the site model doesn't apply: likely to be content, as the page alone says"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count", [2, 3])
def test_few_pages_are_enough_to_begin(english, mode, count):
    rows = [row for row in english if row["template"] == "article"]
    site = Site.learn([row["page"] for row in rows[:count]], mode=mode)
    for row in rows[:count]:  # what they are learned from isn't taken for what returns
        assert words_f1(site.extract(row["page"]).text, row) > 0.9
    scores = [words_f1(site.extract(row["page"]).text, row) for row in rows[count:]]
    assert np.mean(scores) > 0.9


@pytest.mark.parametrize("mode", MODES)
def test_nothing_learned_still_answers(english, mode):
    site = Site(mode=mode)
    assert site.extract(english[0]["page"]).text == extract(english[0]["page"]).text
    assert Site.learn([], mode=mode).templates == ()


@pytest.mark.parametrize("mode", MODES)
def test_a_foreign_page_fits_no_template(learned, mode):
    page = parse("<table><tr><td><font>" + "Grain is kept, chaff is blown away. " * 20)
    site = learned.with_mode(mode)
    assert site.extract(page).text == extract(page).text
    assert site.extract(page).notes.because


def test_foreign_pages_among_the_learned_do_no_harm(english, example_site):
    others = [row for row in example_site if row["lang"] == "zh"][:6]
    strangers = [
        Statistics.of_page(parse(row["html"].encode("latin-1")), date="2026-11-01")
        for row in others
    ]
    clean = Site.of(merged([row["part"] for row in english[::2]]))
    mixed = Site.of(merged([*strangers, *(row["part"] for row in english[::2])]))
    for row in [row for row in english[1::2] if row["template"] == "article"]:
        one, other = clean.extract(row["page"]).text, mixed.extract(row["page"]).text
        assert words_f1(other, row) >= words_f1(one, row) - 0.02


def test_near_copies_among_the_learned_do_no_harm(english):
    rows = [row for row in english if row["template"] == "article"]
    copies = [
        parse(row["html"].encode("latin-1").replace(b"</body>", b"<p>Printed %d</body>" % number))
        for row in rows[:1]
        for number in range(1000, 1010)
    ]
    site = Site.learn([row["page"] for row in rows[:6]], date="2026-11-01")
    copied = Site.learn([*copies, *(row["page"] for row in rows[:6])], date="2026-11-01")
    page = rows[0]["page"]
    assert copied.template_of(page).pages <= site.template_of(page).pages + 1
    for mode in MODES:
        again = copied.extract(page, mode=mode).text
        assert (
            words_f1(again, rows[0]) >= words_f1(site.extract(page, mode=mode).text, rows[0]) - 0.02
        )


@pytest.mark.parametrize("mode", MODES)
def test_saved_and_read_again_it_judges_alike(learned, english, tmp_path, mode):
    learned.with_mode(mode).save(tmp_path / "site.toml")
    again = Site.load(tmp_path / "site.toml")
    assert again.mode == mode
    assert again.to_text() == learned.with_mode(mode).to_text()
    for row in english:
        one, other = learned.with_mode(mode)(row["page"]), again(row["page"])
        assert one.keep.tobytes() == other.keep.tobytes()
        assert one.score.tobytes() == other.score.tobytes()
        assert one.why.tobytes() == other.why.tobytes()


def test_pickled_it_judges_alike(learned, english):
    again = pickle.loads(pickle.dumps(learned))  # noqa: S301 what it made itself
    page = english[1]["page"]
    assert again(page).keep.tobytes() == learned(page).keep.tobytes()


def test_updating_takes_in_a_new_template(english):
    shop = [row["page"] for row in english if row["template"] == "product"]
    without = [row["part"] for row in english if row["template"] != "product"]
    site = Site.of(merged(without))
    assert site.template_of(shop[0]) is None
    updated = site.update(shop, date="2026-11-02")
    assert updated.template_of(shop[0]).pages == len(shop)
    names = {template.name for template in site.templates}
    assert names < {template.name for template in updated.templates}
    again = updated.update(shop, date="2026-11-02")
    assert again.to_text().count("[[template]]") == updated.to_text().count("[[template]]")


def test_without_its_sample_it_can_not_be_updated(learned, tmp_path):
    learned.save(tmp_path / "site.toml")
    (tmp_path / "site.toml" / "data.npz").unlink()
    with pytest.raises(OptionError, match="learn it again"):
        Site.load(tmp_path / "site.toml").update([])


def test_a_redesign_is_noticed_and_does_no_harm(learned, english):
    site = learned.with_mode("full")
    rows = [row for row in english if row["template"] == "article"]
    renamed = [
        parse(row["html"].encode("latin-1").replace(b'class="', b'class="new-'), url=row["url"])
        for row in rows
    ]
    for page, row in zip(renamed, rows, strict=True):
        alone, ours = (words_f1(one(page).text, row) for one in (extract, site.extract))
        assert ours >= alone - 0.01
    assert any("fit no template" in finding for finding in site.findings())


def test_an_unknown_mode_lists_the_known_ones(learned, english):
    with pytest.raises(OptionError, match="full, rules"):
        learned.with_mode("fast")
    with pytest.raises(OptionError, match="full, rules"):
        learned.extract(english[0]["page"], mode="fast")


def test_pages_of_the_sample_are_not_counted_again(english):
    pages = [row["page"] for row in english[:6]]
    site = Site.learn(pages[:4], date="2026-11-01")
    assert site.update(pages[:4], date="2026-11-02").to_text() == site.to_text()
    updated = site.update(pages, date="2026-11-02")
    assert [(one.date, one.pages) for one in updated.history] == [
        ("2026-11-01", 4),
        ("2026-11-02", 2),
    ]


def test_models_of_a_folder_are_held_by_bytes_and_their_counts_stay(english, tmp_path, monkeypatch):
    learned = Site.learn([row["page"] for row in english[:4]], date="2026-11-01")
    for host in ("grain.example", "rye.example"):
        replace(learned, name=host).save(tmp_path / host)
    monkeypatch.setattr("chaffinch.site.site._MOST_LOADED", 1)
    folder = SiteFolder.load(tmp_path)
    page = english[1]["page"]
    first = folder.site_of(page.url)
    for _ in range(6):
        folder(parse("<table><tr><td>Rye is sown.", url=page.url))
    assert folder.site_of("https://rye.example/") is not first
    assert folder.site_of(page.url) is not first
    assert "6 of 6 pages fit no template" in str(folder.named_findings())
