"""Tables of small made-up sites: pages in, what must come out (cases.toml)."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from chaffinch import Site, parse
from chaffinch.site import Rule
from chaffinch.verdict import Verdict

TABLES = tomllib.loads((Path(__file__).parent / "cases.toml").read_text(encoding="utf-8"))
WORDS = (
    "copper lantern harbour thistle meadow granite willow ember saddle orchard river stone".split()
)
HEAD = 'kind = "chaffinch site"\nversion = 1\nsite = "mill.test"\n'


def drawn(frame, n, k=0):
    """Return a page of a frame, its title, its prose and its entries."""
    dice, prose, entries = Random(n), [], []  # noqa: S311

    def text(match):
        if match[1]:
            own = Random(f"{n + int(match[1])} {match[1] in '02468'}")  # noqa: S311
            entries.append(" ".join(own.choices(WORDS, k=9)).capitalize())
            return entries[-1]
        prose.append(" ".join(dice.choices(WORDS, k=30)).capitalize() + ".")
        return prose[-1] if match[0] == "{prose}" else f"<p>{prose[-1]}</p>"

    title = " ".join(Random(~n).choices(WORDS, k=4)).capitalize()  # noqa: S311
    for name, value in (("p", "{p1}" * 5), ("title", title), ("n", str(n)), ("k", str(k))):
        frame = frame.replace(f"{{{name}}}", value)
    page = re.sub(r"\{(?:prose|p1|entry(\d))\}", text, frame)
    url = f"https://site.test/{n}" + f"?print={k}" * bool(k)
    return parse(page, url=url), {"title": [title], "prose": prose, "entries": entries}


def told(page):
    """Judge a page by marks that no selector of rules looks at."""
    keep = page.inside(np.isin(np.arange(len(page)), page.select("[data-told]")))
    score = np.where(keep, 0.999, 0.001).astype(np.float32)
    return Verdict(keep, score, np.zeros(len(page), dtype=np.int8))


def cases(kind):
    return [pytest.param(case, id=case["name"]) for case in TABLES[kind]]


@pytest.mark.parametrize("case", cases("learned"))
def test_learned(case):
    pages = [drawn(case["page"], n)[0] for n in range(case.get("learn", 12))]
    pages += [drawn(case["page"], 0, 1000 + k)[0] for k in range(case.get("copies", 0))]
    site = Site.learn(pages, method=told if "told" in case else None)
    rules = [rule.key for template in site.templates for rule in template.rules]
    assert set(case.get("rules", ())) <= set(rules)
    absent = case.get("no_rules", ())
    assert not [rule for rule in rules if rule in absent or rule.split()[0] in absent]
    hand = [Rule(kind=kind, select=one, by_hand=True) for kind, one in case.get("hand", ())]
    site = replace(site, rules=tuple(hand))
    page, meant = drawn(case.get("other", case["page"]), case.get("read", 40), 2000)
    for _ in range(case.get("times", 1)):
        found = site.extract(page)
    keeps, drops = (
        [one for name in case.get(key, ()) for one in meant.get(name, [name])]
        for key in ("keeps", "drops")
    )
    assert [one for one in keeps if one not in found.text] == []
    assert [one for one in drops if one in found.text] == []
    assert found.text == case.get("text", found.text)
    assert "default" not in case or found.notes.template is None
    assert case.get("because", "") in (found.notes.because or "")
    assert "page_title" not in case or found.title == meant["title"][0]
    assert case.get("findings", "") in str(site.findings())


@pytest.mark.parametrize("case", cases("by_hand"))
def test_by_hand(case):
    text = HEAD
    for kind, select in case.get("site_rules", ()):
        text += f'[[rule]]\nkind = "{kind}"\nselect = "{select}"\n'
    if "rules" in case:
        text += f'[[template]]\nname = "mills"\nsigns = {case.get("signs", ["#mill"])}\n'
    for kind, select in case.get("rules", ()):
        text += f'[[template.rule]]\nkind = "{kind}"\nselect = "{select}"\n'
    site = Site.from_text(text)
    html = TABLES["mill"] if case["page"] == "mill" else case["page"]
    found = site.extract(html, url="https://mill.test/list.html")
    assert found.text == case.get("text", found.text)
    assert all(one in found.text for one in case.get("keeps", ()))
    assert "default" not in case or found.notes.template is None
    for name, value in case.get("fields", {}).items():
        own = found.metadata.value(name)
        assert (own[0] if isinstance(own, tuple) else own) == value
        by_rule = "Wrong" not in value and "2001" not in value
        assert found.metadata.field_value(name).source.startswith("rule:") == by_rule
    assert "next" not in case or site.next_page(found.page) == case["next"]
    if "records" in case:
        assert [one.value("title") for one in found.records] == case["records"]
