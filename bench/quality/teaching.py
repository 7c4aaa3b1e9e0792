"""Time and clicks to teach a site whose learned rule is broken, in a real browser.

    python -m bench.quality.teaching [--goal 0.98] [--pages all] [--lang en]

The example site (`examples/make_site.py`) is learned, the learned content rule of its stories is
changed as if the site had been rebuilt since, and the model is applied by its rules. Then the
inspector is opened, and a script does what a person would: it opens pages, the most doubtful first,
looks for the largest text with the wrong colour (it knows the labels; a person sees the page),
clicks it, goes to the element around it as long as nearly all of that is the same, says what it is,
and keeps the rule where the examples shown are right. Counted are clicks and keys, and seconds from
the opened list of pages on; what a person would think in between isn't.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

import chaffinch
from bench.lib.running_inspector import inspector
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.render.chromium import find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

_BROKEN = "div.box"
"""What the broken rule selects in place of the stories."""
_MOST_STEPS = 200
_SHOWN = 12
"""Pages that are listed at the end, those that are read worst first."""
_NEARLY_ALL = 0.9
"""Least share of an element's text that is alike, for a person to mark all of it at once."""
_SHORT = 30
"""Characters below which a text must be a whole line of the label."""


@dataclass
class Person:
    """Someone who teaches by keyboard and mouse.

    Attributes:
        tab: the browser's.
        labels: texts of the labels, by the numbers of their pages.
        counts: clicks and keys.
        done: what was tried already.
    """

    tab: Tab
    labels: list[str]
    counts: Counter[str] = field(default_factory=Counter)
    done: set[tuple[int, str]] = field(default_factory=set)

    def press(self, key: str) -> None:
        """Press a key."""
        self.counts["keys"] += 1
        self.tab.keyboard.press(key)

    def open_worst(self) -> None:
        """Open the first page of the list."""
        self.tab.wait_for_selector("table.pages a.entry")
        self.counts["clicks"] += 1
        self.tab.click("table.pages a.entry >> nth=0")

    def turn(self) -> None:
        """Go to the next doubtful page."""
        before = self.tab.get_attribute(".teach-view", "data-page")
        self.press("]")
        self.tab.wait_for_selector(f".teach-view[data-page]:not([data-page='{before}'])")

    def teach_page(self) -> bool:
        """Keep rules on the page that is open; whether there was one to keep."""
        self.tab.wait_for_selector(".teach-view[data-page] teach-panel .element-part")
        self.tab.wait_for_selector("block-table .row[data-block]")
        return any(self.teach(wrong) for wrong in self.wrong())

    def wrong(self) -> list[dict[str, Any]]:
        """Return blocks with the wrong decision, the longest first."""
        model = self.tab.evaluate(_MODEL)
        gold = self.labels[model["number"]]
        lines = {_folded(line) for line in gold.splitlines()}
        whole = _folded(gold)
        for one in model["blocks"]:
            texts = _folded(one["text"]), _folded(one["line"])
            one["wanted"] = any(
                text in lines or (len(text) >= _SHORT and text in whole) for text in texts
            )
        found = []
        for one in model["blocks"]:
            one["page"], one["all"] = model["number"], model["blocks"]
            if one["keep"] != one["wanted"] and (one["page"], one["text"]) not in self.done:
                found.append(one)
        return sorted(found, key=lambda one: -len(one["text"]))[:8]

    def teach(self, block: dict[str, Any]) -> bool:
        """Click a block, mark what it is, and keep the rule if it is right."""
        self.done.add((block["page"], block["text"]))
        self.counts["clicks"] += 1
        self.tab.evaluate(_CHOOSE, block["row"])  # as a click on the text does
        known = [[one["row"], one["wanted"], len(one["text"])] for one in block["all"]]
        while self.tab.evaluate(_AROUND, [known, _NEARLY_ALL]):
            self.press("ArrowUp")
        self.press("c" if block["wanted"] else "x")
        self.tab.wait_for_selector(".rule-part .keep")
        if not self.is_right(wanted=block["wanted"]):
            self.press("Escape")
            return False
        self.press("Enter")
        self.tab.wait_for_function(_SETTLED)
        return True

    def is_right(self, *, wanted: bool) -> bool:
        """Return whether the examples that the panel shows are changes for the better."""
        shown = self.tab.evaluate(_PROPOSED)
        if shown["against"] or not shown["examples"]:
            return False
        for page, text in shown["examples"]:
            is_content = _folded(text)[:100] in _folded(self.labels[page])
            if is_content != wanted:
                return False
        return True


_MODEL = """() => {
  const model = document.querySelector("teach-panel").page;
  const { names, name, parent } = model.rows;
  const lineAt = (row) => {
    for (let at = row; at > 0; at = parent[at]) {
      if (names[name[at]] === "tr") return model.textOf(at);
    }
    return "";
  };
  return { number: model.number, blocks: model.texts.map((text, block) => ({
    text, row: model.blocks.first[block], line: lineAt(model.blocks.first[block]),
    keep: Boolean(model.decision.keep[block]) })).filter((one) => one.text) };
}"""
_CHOOSE = "(row) => document.querySelector('teach-panel').page.chooseRow(row)"
_AROUND = """([wanted, most]) => {
  const page = document.querySelector("teach-panel").page;
  const up = page.rows.parent[page.element];
  if (up <= 1) return false;
  const inside = wanted.filter(([row]) => up <= row && row < page.end[up]);
  const here = wanted.find(([row]) => page.element <= row && row < page.end[page.element]);
  const length = (some) => some.reduce((sum, [, , one]) => sum + one, 0);
  return length(inside.filter(([, one]) => one === here[1])) >= most * length(inside);
}"""
_PROPOSED = """() => {
  const panel = document.querySelector("teach-panel");
  const one = panel.candidate;
  const examples = one?.examples.map((each) => [each.page, each.text]);
  return one && { against: one.against, examples };
}"""
_SETTLED = "() => document.querySelector('teach-panel').isSettled"


def _folded(text: str) -> str:
    return "".join(text.split())


def score(model: Path, rows: list[dict[str, Any]]) -> float:
    """Return the mean word F1 of ``chaffinch extract --site`` over labelled pages."""
    found = [one for one, _ in by_page(model, rows)]
    return sum(found) / len(found)


def by_page(model: Path, rows: list[dict[str, Any]]) -> list[tuple[float, str]]:
    """Return the word F1 and the address of each labelled page."""
    site = chaffinch.Site.load(model)
    found = []
    for row in rows:
        text = site.extract(row["html"].encode("latin-1"), url=row["url"]).text
        found.append((word_score(tokenize(text), tokenize(row["gold_text"])).f1, row["url"]))
    return found


def broken(rows: list[dict[str, Any]]) -> chaffinch.Site:
    """Return the model of pages, applied by rules; its rule for stories selects something else."""
    parsed = [chaffinch.parse(row["html"].encode("latin-1"), url=row["url"]) for row in rows]
    site = chaffinch.Site.learn(parsed, mode="rules", date="2026-11-22")
    first, *others = site.templates
    rules = tuple(
        replace(rule, select=_BROKEN) if rule.kind == "content" else rule for rule in first.rules
    )
    return replace(site, templates=(replace(first, rules=rules), *others))


def teach(person: Person, model: Path, rows: list[dict[str, Any]], goal: float) -> None:
    """Go through the pages until the goal is reached, or all were seen without a rule to keep."""
    began = time.perf_counter()
    person.open_worst()
    idle = 0
    for _ in range(_MOST_STEPS):
        if person.teach_page():
            idle = 0
            reached = score(model, rows)
            _report(person, began, reached)
            if reached >= goal:
                return
        else:
            idle += 1
            if idle > len(rows):
                return
            person.turn()


def _report(person: Person, began: float, reached: float) -> None:
    seconds = time.perf_counter() - began
    counts = f"{person.counts['clicks']} clicks, {person.counts['keys']} keys"
    print(f"F1 {reached:.4f} after {counts}, {seconds:.1f} s", flush=True)


def main() -> None:
    """Teach, and say what it took."""
    parser = argparse.ArgumentParser(description="Time and clicks to teach a site.")
    parser.add_argument("--goal", type=float, default=0.98, help="Word F1 to reach.")
    parser.add_argument("--pages", default="all", help="Templates, with commas; or all.")
    parser.add_argument("--lang", default="en", help="Language of the pages.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "examples/make_site.py", folder], check=True)
        lines = Path(folder, "pages.jsonl").read_text("utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if row["lang"] == given.lang]
        if given.pages != "all":
            rows = [row for row in rows if row["template"] in given.pages.split(",")]
        own = Path(folder, "own")
        own.mkdir()
        for number, row in enumerate(rows):
            (own / f"{number:03}.html").write_bytes(row["html"].encode("latin-1"))
        model = Path(folder, "site.toml")
        broken(rows).save(model)
        print(f"{len(rows)} pages, F1 {score(model, rows):.4f} with the broken rule")
        with inspector(model, own) as address, sync_playwright() as playwright:
            program = find_browser(None)
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            tab = browser.new_page(viewport={"width": 1280, "height": 800})
            tab.goto(f"{address}/#/site")
            person = Person(tab, [row["gold_text"] for row in rows])
            teach(person, model, rows, given.goal)
            print("rules kept: " + ", ".join(_kept(model)))
            for found, url in sorted(by_page(model, rows))[:_SHOWN]:
                print(f"  {found:.3f} {url}")
            browser.close()


def _kept(model: Path) -> list[str]:
    site = chaffinch.Site.load(model)
    every = [*site.rules, *(rule for one in site.templates for rule in one.rules)]
    return [f"{rule.kind} {rule.select}" for rule in every if rule.taught]


if __name__ == "__main__":
    main()
