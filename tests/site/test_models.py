"""A site model as a method and as files: order, updates, drift, reports, and what is broken."""

import io
import itertools
import json
import pickle
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch import OptionError, Site, extract, parse
from chaffinch.cli import main
from chaffinch.errors import RulesError
from chaffinch.methods import Learned
from chaffinch.site import Rule, Statistics, merged, sample
from chaffinch.site.rules import Usage
from chaffinch.site.sample import GENERATIONS, LONGEST, Collector, shown_words
from chaffinch.site.site import SiteFolder

sys.path.insert(0, str(Path(__file__).parents[1] / "methods"))
sys.path.insert(0, str(Path(__file__).parents[1]))
from test_promises import ARTICLE, PROSE, check, copied, same

from rows_of_cases import examples
from strategies import markup

PROMISED = Site.learn(
    [
        parse(ARTICLE.replace("On grain", f"On grain {n}").replace(PROSE, PROSE * n))
        for n in (1, 2, 3)
    ],
    date="2026-11-21",
)


@given(html=markup())
def test_a_verdict_is_well_formed_on_random_pages(html):
    check(parse(html), PROMISED)


def test_a_site_stands_where_a_method_may_and_is_copied(learned, english):
    site = learned
    row = next(row for row in english[1::2] if row["template"] == "article")
    found = site.extract(row["page"])
    assert extract(row["page"], method=site).text == found.text
    assert found.reasons == Site.reasons
    assert words_f1(found.text, row) > 0.9
    assert same(site(row["page"]), copied(site)(copied(row["page"])))


def words_f1(text, row):
    found, gold = set(text.split()), set(row["gold_text"].split())
    return 2 * len(found & gold) / max(len(found) + len(gold), 1)


# Samples


def parts_of(rows, **settings):
    return [
        Statistics.of_page(row["page"], verdict=row["verdict"], **{"date": "1", **settings})
        for row in rows
    ]


@given(data=st.data())
@settings(max_examples=10)
def test_merging_is_associative_and_commutative(english, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sample, "MOST", 4)
        require_any_order(english, data)


def require_any_order(english, data):
    parts = parts_of(english[:9])
    whole = merged(parts).to_bytes()
    order = data.draw(st.permutations(range(len(parts))))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(parts) - 1), max_size=3)))
    shards = [
        [parts[place] for place in order[start:stop]]
        for start, stop in itertools.pairwise([0, *cuts, len(parts)])
    ]
    assert merged([merged(shard) for shard in shards]).to_bytes() == whole
    one_by_one = merged(shards[0])
    for shard in shards[1:]:
        one_by_one = merged((merged(shard), one_by_one))
    assert one_by_one.to_bytes() == whole
    assert Site.of(merged(parts)).to_text() == Site.of(merged(parts[::-1])).to_text()


def test_a_sample_is_kept_all_are_counted_and_only_what_is_kept_is_read(english, monkeypatch):
    monkeypatch.setattr(sample, "MOST", 5)
    statistics = merged(parts_of(english))
    keys = sorted(row["part"].kept[0].key for row in english)
    assert [page.key for page in statistics.kept] == keys[:5]
    assert statistics.pages == {"1": len(english)}
    assert statistics.hosts == {"grain.example": len(english)}
    asked = []

    def judge(page):
        asked.append(page)
        return next(row["verdict"] for row in english if row["page"] is page)

    collector = Collector(date="1", method=judge)
    for row in english:
        collector.add(row["page"])
    assert collector.result().to_bytes() == statistics.to_bytes()
    assert len(asked) < len(english)
    dates = [f"2026-0{month}-01" for month in range(1, 8)]
    parts = [parts_of(english[:2], date=date)[0] for date in dates]
    assert sorted(merged(parts).samples) == dates[-GENERATIONS:]
    assert sum(merged(parts).pages.values()) == len(dates)


def test_updating_takes_in_a_new_template_and_counts_no_page_twice(english, learned):
    shop = [row["page"] for row in english if row["template"] == "product"]
    site = Site.of(merged([row["part"] for row in english if row["template"] != "product"]))
    assert site.template_of(shop[0]) is None
    updated = site.update(shop, date="2026-11-02")
    assert updated.template_of(shop[0]).pages == len(shop)
    assert {one.name for one in site.templates} < {one.name for one in updated.templates}
    assert updated.update(shop, date="2026-11-03").to_text() == updated.to_text()
    assert [one.date for one in updated.history] == ["2026-11-01", "2026-11-02"]
    with pytest.raises(OptionError, match="learn it again"):
        replace(learned, statistics=None).update([])


# Files


def test_saved_and_read_again_it_judges_alike(learned, english, tmp_path):
    site = learned
    site.save(tmp_path / "site")
    for again in (Site.load(tmp_path / "site"), pickle.loads(pickle.dumps(site))):  # noqa: S301
        assert again.to_text() == site.to_text()
        assert all(same(site(row["page"]), again(row["page"])) for row in english)
    Site(host="a.test").save(tmp_path / "empty")
    assert Site.load(tmp_path / "empty").host == "a.test"
    (tmp_path / "file").touch()
    with pytest.raises(RulesError, match="can't read"):
        Site.load(tmp_path / "no")
    with pytest.raises(RulesError, match="can't write"):
        Site().save(tmp_path / "file" / "site")


def test_what_people_named_changed_and_left_out_stays(learned, english, tmp_path):
    learned.save(tmp_path)
    path = tmp_path / "rules.toml"
    text, first = path.read_text(encoding="utf-8"), learned.templates[0]
    rule = first.rules[0]
    path.write_text(
        text.replace(f'name = "{first.name}"', 'name = "ours"').replace(
            f'select = "{rule.select}"', 'select = "main.changed"', 1
        ),
        encoding="utf-8",
    )
    again = Site.load(tmp_path)
    mine = Rule(kind=rule.kind, select="main.changed", by_hand=True)
    updated = again.update([row["page"] for row in english[1:4:2]], date="2026-11-02")
    for site in (again, updated):
        assert site.templates[0].name == "ours"
        assert mine in site.templates[0].rules  # and no example, since nobody learned it
    path.write_text(text[: text.rindex("\n[[template]]")], encoding="utf-8")
    assert len(Site.load(tmp_path).templates) == len(learned.templates) - 1


HEAD = 'kind = "chaffinch site"\nversion = 1\nsite = "a.test"\n'
RULE = '[[template]]\nname = "x"\nsigns = []\n[[template.rule]]\n'


@pytest.mark.parametrize(("text", "problem"), examples(__file__, "what is broken is named"))
def test_what_is_broken_is_named(text, problem):
    with pytest.raises(RulesError) as error:
        Site.from_text(text.replace("{head}", HEAD).replace("{rule}", RULE))
    assert problem in str(error.value)


def changed(data, **arrays):
    """Return an archive with arrays changed by functions, the header as its JSON."""
    with np.load(io.BytesIO(data)) as found:
        own = dict(found)
    for name, change in arrays.items():
        if name == "header":
            header = json.loads(own[name].tobytes())
            header = change(header) or header
            own[name] = np.frombuffer(json.dumps(header).encode(), np.uint8)
        else:
            own[name] = change(own[name].copy())
    file = io.BytesIO()
    np.savez(file, **own)
    return file.getvalue()


def first(value):
    """Return what puts a value at the beginning of a column."""
    return lambda column: np.concatenate([np.array([value]).astype(column.dtype), column[1:]])


def of_template(**values):
    return lambda header: header["templates"][0].update(values)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("header", lambda header: header | {"kind": "other"}),
        ("header", lambda header: header | {"version": 9}),
        ("header", lambda header: header.pop("templates") and None),
        ("header", lambda _: [1]),
        ("header", of_template(pages=-1)),
        ("header", of_template(pages=True)),
        ("header", of_template(kept=1.5)),
        ("header", of_template(kept=float("nan"))),
        ("header", of_template(rules=[])),
        ("header", of_template(rules={"drop p": [1, 1, 3, ""]})),
        ("header", of_template(counted=[["article 1", 7]])),
        ("header", lambda header: header["templates"][0]["counted"].append(["article 1", 7])),
        ("header", lambda header: header.update(learned=[["2026-11-01"]])),
        ("having", first(-1)),
        ("blocks", first(1e30)),
        ("log_odds", first(8.5)),
        ("linked", first(1.5)),
        ("length", first(np.inf)),
        ("length", first(np.nan)),
        ("masked_on", first(-1)),
        ("slots", lambda column: column[::-1]),
        ("slots", lambda column: column[1:]),
        ("slots", lambda column: column.astype(np.int64)),
        ("slots_sizes", first(-1)),
        ("slots_sizes", first(1 << 62)),
        ("sketch_sizes", lambda sizes: sizes[1:]),
        ("verbatim", lambda column: column[::-1]),
        ("sketch", lambda column: column.reshape(-1, 64)),
        ("keys", lambda column: column.astype(object)),
        ("sample", lambda column: column[:-9]),
    ],
)
def test_broken_data_are_an_error(learned, name, change):
    with pytest.raises(RulesError, match=r"broken data|not a file"):
        Site.from_text(learned.to_text(), changed(learned.to_data(), **{name: change}))


HOSTILE = "\x1b[31mred\u202e turned\u2066\x00\ud800\ue000 <script>alert(1)</script> 'quoted\" \\ "


def test_examples_are_selected_by_their_rules_short_and_printable(learned, english):
    pages = {row["url"]: row["page"] for row in english}
    rules = [rule for one in learned.templates for rule in one.rules if rule.kind != "image"]
    assert rules
    for rule in rules:
        page = pages[rule.example_page]
        texts = [page.folded(row) for row in rule.rows(page)]
        assert any(rule.example.rstrip("…") in text for text in texts), rule
    for text in (HOSTILE, HOSTILE * 100, "", " \n ", "a" * 500, "й" * LONGEST):
        line = shown_words(text)
        assert len(line) <= LONGEST
        assert line.isprintable()
    assert shown_words("one\n  two") == "one two"
    assert shown_words("a" * 61) == "a" * 59 + "…"

    def long(header):
        rules = header["templates"][0]["rules"]
        rules.update({key: [1, 1, HOSTILE[:9] + "word " * 999, "x" * 9999] for key in rules})

    site = Site.from_text(learned.to_text(), changed(learned.to_data(), header=long))
    for rule in site.templates[0].rules:
        assert rule.example.isprintable()
        assert (len(rule.example) <= 60, len(rule.example_page) <= 300) == (True, True)
    assert "\x1b" not in site.report().to_text()


# Use


GONE = Rule(kind="drop", select="div.gone", by_hand=True, taught="2026-11-01", share=0.9)
DATE = replace(GONE, kind="date", select="span.gone")


@pytest.fixture
def ruled(learned):
    lost = replace(GONE, select="div.lost")
    own = replace(learned.templates[0], rules=(*learned.templates[0].rules, lost))
    rules = (GONE, DATE, replace(GONE, select="div.seldom", share=0.1), replace(GONE, select="p"))
    return replace(learned, rules=rules, templates=(own, *learned.templates[1:]), usage=Usage())


def test_rules_that_select_nothing_any_more_are_named(ruled, english):
    site = ruled
    for row in english[:20]:
        site(row["page"])
    found = "\n".join(site.findings())
    assert "all pages: the rule by hand drop div.gone selects nothing on any of 20 pages" in found
    assert "all pages: the rule by hand date span.gone selects nothing" in found
    assert f"template {site.templates[0].name}: the rule by hand drop div.lost" in found
    assert "div.seldom" not in found  # 20 pages are too few for a rule of every tenth
    assert "drop p " not in found


def test_models_of_a_folder_are_held_by_bytes_and_their_counts_stay(english, tmp_path, monkeypatch):
    learned = Site.learn([row["page"] for row in english[:4]], date="2026-11-01")
    for host in ("grain.example", "rye.example"):
        replace(learned, host=host).save(tmp_path / host)
    monkeypatch.setattr("chaffinch.site.site._MOST_LOADED", 1)
    folder, url = SiteFolder.load(tmp_path), english[1]["page"].url
    first = folder.site_of(url)
    for _ in range(6):
        folder(parse("<table><tr><td>Rye is sown.", url=url))
    assert folder.site_of("https://rye.example/") is not first
    assert folder.site_of(url) is not first
    assert "6 of 6 pages fit no template" in str(folder.named_findings())


def test_a_model_of_another_host_says_so_and_a_report_counts_pages(learned, english, tmp_path):
    page, site = english[1]["page"], replace(learned, usage=Usage())
    for url in ("https://grain.example/x", "https://www.grain.example/x", None):
        assert site.extract(page.with_url(url)).notes.because is None
    assert "other.example" in site.extract(page.with_url("https://other.example/x")).notes.because
    assert "applied to 1 page of another host, other.example" in str(site.named_findings())
    site.save(tmp_path / "site")
    (tmp_path / "page.html").write_bytes(english[1]["html"].encode("latin-1"))
    given = [str(tmp_path / "page.html"), "--site", str(tmp_path / "site")]
    for verb, more in (("extract", []), ("verify", ["Grain"]), ("explain", [])):
        call = [verb, given[0], *more, *given[1:], "--url", "https://other.example/x"]
        assert "another host, other.example" in CliRunner().invoke(main, call).stderr
    done = CliRunner().invoke(main, ["site", "show", given[2], given[0], "--format", "json"])
    said = json.loads(done.stdout)
    assert [one["name"] for one in said["templates"]] == [one.name for one in learned.templates]
    assert sum(one["pages"] for one in said["usage"].values()) == 1


def test_a_page_is_of_the_type_that_it_is_of_by_default(learned, english):
    """By it products, posts and entries are found, and dates of lists are passed over."""
    pages = [row["page"] for row in english]
    assert sum(learned(page).notes.template is not None for page in pages) > 9
    assert len({learned(page).page_type for page in pages}) > 2
    assert all(learned(page).page_type == Learned()(page).page_type for page in pages)
