"""Whether `extract.verify` knows quotes, and `extract.difference` what has changed of a page.

    python -m bench.quality.reading quotes
    python -m bench.quality.reading differences [--missed]

Quotes are lines of the text of labelled pages in several languages, up to 60 words. Kept as they
are but for white space, width of characters and Markdown's marks they are exact; with up to 15 % of
their words replaced, left out or put in, changed; with 40 % to 70 % of them replaced, or from
another page of the same language, absent. Scripts without spaces are altered by characters.

Pairs of versions are made of labelled pages and of the example web by edits of the tree of a page:
either of blocks that stand in the gold text (a word replaced, a sentence added, a paragraph added
or taken out; in half of the pairs noise changed as well), or of what doesn't (blocks outside of the
gold with other words or left out, advertisements put between blocks of the content, classes
renamed). Counters and dates from now go on in all of them. Which blocks are content, the labels say
alone. An alarm is right where the content changed. The words of counters were written without these
pages; that a line which is all link doesn't count was decided after looking at 14 pages of each
corpus, of another draw (--seed 0) than the usual one.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import click
from lxml import etree
from lxml import html as trees

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.extraction.extract import extract
from chaffinch.extraction.extracted import Extract
from chaffinch.reading.words import folded, words

CORPORA = ("wcxb", "daniel", "zh_news", "fundus", "readability")
QUOTE = 8, 60  # words of a quote
SMALL, LARGE = (0.0, 0.15), (0.4, 0.7)  # shares of a quote's words that are altered


class Quoted(NamedTuple):
    """An extracted page and one of its quotes, as words and what parts them."""

    language: str
    found: Extract
    quote: str


def quoted_pages(limit: int, dice: random.Random) -> list[Quoted]:
    """Return pages of all corpora with a quote each."""
    out = []
    for corpus in CORPORA:
        for page in read_corpus(corpus, limit=limit):
            try:
                found = extract(page.html, url=page.url)
            except PageError:
                continue
            lines = [one for one in found.text.split("\n") if len(words(folded(one))) >= QUOTE[0]]
            if lines:
                out.append(Quoted(page.lang or "?", found, shortened(dice.choice(lines))))
    return out


def shortened(line: str) -> str:
    """Return the first words of a line."""
    found = words(folded(line))
    return folded(line)[: found[min(QUOTE[1], len(found)) - 1].end()]


def altered(quote: str, share: float, others: list[str], dice: random.Random) -> str:
    """Return a quote with a share of its words, at least one, replaced, left out or added."""
    places = [found.span() for found in words(quote)]
    count = max(1, round(share * len(places)))
    for begin, end in sorted(dice.sample(places, count), reverse=True):
        word = dice.choice(others)
        joint = "" if len(quote.split()) < len(places) // 2 else " "
        kind = "replace" if share >= LARGE[0] else dice.choice(["replace", "remove", "add"])
        new = {"replace": word, "remove": "", "add": f"{quote[begin:end]}{joint}{word}"}[kind]
        quote = quote[:begin] + new + quote[end:]
    return quote


def reformatted(quote: str, dice: random.Random) -> str:
    """Return the same text in another form."""
    match dice.randrange(4):
        case 0:
            return quote.replace(" ", "\n  ")
        case 1:
            return quote.replace(" ", "\u00a0")
        case 2:
            return "".join(chr(ord(c) + 0xFEE0) if "0" <= c <= "9" else c for c in quote)
        case _:
            return f"> **{quote}**"


LEAST = 40  # characters of a block that is edited
MOST = 5000  # characters of a line
LONGEST_WORD = 20  # characters a word in the mean, beyond which a script has no spaces
INLINE = frozenset("a abbr b cite code em font i mark small span strong sub sup u".split())
WEB_PAGES = 60
AD = '<div class="{0}"><a href="/go?{1}"><b>{2}</b></a></div>'
COUNTERS = ("{} views", "{} comments", "阅读 {}", "{} Kommentare", "{} просмотров", "{} shares")
AGO = ("{} hours ago", "vor {} Stunden", "{}小时前", "il y a {} heures", "hace {} horas")


class Labelled(NamedTuple):
    """A page with its content: source, gold text, group."""

    group: str
    html: bytes
    gold: str


class Pair(NamedTuple):
    """Two versions of a page, and whether the content differs."""

    group: str
    kind: str
    old: str
    new: str
    changed: bool


def pages(limit: int, seed: int) -> Iterator[Labelled]:
    """Yield labelled pages, ``limit`` of each corpus, and articles of the example web."""
    for corpus in CORPORA:
        for page in read_corpus(corpus, limit=limit, seed=seed):
            if page.gold_text:
                yield Labelled(corpus, page.html, page.gold_text)
    from web_maker import Asked, answer  # noqa: PLC0415  a folder of scripts

    for number in range(WEB_PAGES):
        host = ("post.test", "zh.post.test")[number % 2]
        moved = answer(Asked(host=host, port=80, target=f"/story/{number}"))
        target = urlsplit(dict(moved.headers)["Location"]).path
        found = answer(Asked(host=host, port=80, target=target))
        yield Labelled("example web", found.body, found.gold)


class Edits:
    """Edits of a page's tree; the same seed makes the same ones."""

    def __init__(self, page: Labelled, others: list[str], seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311  no secret
        self.others = others
        self.gold = folded(page.gold).replace(" ", "").casefold()
        tree: Any = trees.document_fromstring(page.html)
        self.tree = tree
        if tree.body is None:
            raise ValueError("the page has no body")
        self.content: list[Any] = []
        self.noise: list[Any] = []
        for element in tree.body.iter("p", "li", "div", "td", "h2", "h3", "a", "span"):
            text = folded(element.text_content())
            if len(element) or len(text) < LEAST // 4 or self.hidden(element):
                continue
            bare = text.replace(" ", "").casefold()
            if len(text) >= LEAST and element.tag in {"p", "li"} and bare in self.gold:
                self.content.append(element)
            elif not (self.in_gold(bare) or self.in_content(element) or self.is_title(text)):
                self.noise.append(element)

    def in_gold(self, bare: str) -> bool:
        """Return whether a stretch of a text without spaces stands in the gold text."""
        return any(bare[at : at + 12] in self.gold for at in range(0, max(len(bare) - 11, 1), 6))

    def in_content(self, element: Any) -> bool:
        """Return whether an element is a part of a line whose other text stands in the gold."""
        while element.tag in INLINE and element.getparent() is not None:
            element = element.getparent()
        bare = folded(element.text_content()).replace(" ", "").casefold()
        return len(bare) < MOST and self.in_gold(bare)

    def is_title(self, text: str) -> bool:
        """Return whether a text is the page's title, or the part of it that isn't the site's."""
        title = folded(self.tree.findtext(".//title") or "")
        return len(text) * 2 >= len(title) > 0 and text.casefold() in title.casefold()

    def hidden(self, element: Any) -> bool:
        """Return whether an element stands among what isn't shown."""
        return any(one.tag in {"script", "style", "template", "noscript"} for one in
                   element.iterancestors())  # fmt: skip

    def source(self) -> str:
        """Return the page as it is now."""
        return etree.tostring(self.tree, encoding="unicode", method="html")

    # What is content

    def word(self) -> None:
        """Replace a word, or some characters of a script without spaces, of a content block."""
        block = self.dice.choice(self.content)
        held = block.text.split()
        if len(held) > 3:
            held[self.dice.randrange(1, len(held) - 1)] = f"barley{self.dice.randrange(99)}"
            block.text = " ".join(held)
        else:
            at = len(block.text) // 2
            block.text = f"{block.text[:at]}谷仓{block.text[at + 2 :]}"

    def sentence(self) -> None:
        """Add a sentence to a content block."""
        block = self.dice.choice(self.content)
        block.text = f"{block.text} {self.dice.choice(self.others)}"

    def remove(self) -> None:
        """Take a content block out."""
        block = self.dice.choice(self.content)
        block.getparent().remove(block)

    def add(self) -> None:
        """Put a paragraph behind a content block."""
        block = self.dice.choice(self.content)
        new = trees.Element(block.tag)
        new.text = self.dice.choice(self.others)
        block.addnext(new)

    # What is noise

    def other_noise(self) -> None:
        """Give blocks outside of the gold other words."""
        for block in self.dice.sample(self.noise, min(len(self.noise), 6)):
            block.text = few_words(self.dice.choice(self.others), self.dice.randrange(2, 7))

    def less_noise(self) -> None:
        """Take blocks outside of the gold out."""
        for block in self.dice.sample(self.noise, min(len(self.noise), 4)):
            block.drop_tree()

    def advertisement(self) -> None:
        """Put an advertisement into the page, before the content or after its first block."""
        name = self.dice.choice(["ad-banner", "advert", "promo-box sponsored", "adsbygoogle"])
        words = " ".join(self.dice.choice(self.others).split()[:8])[: 2 * LEAST]
        ad = trees.fragment_fromstring(AD.format(name, self.dice.randrange(999), "x"))
        ad[0][0].text = words
        (self.dice.choice(self.content) if self.content else self.tree.body[0]).addnext(ad)

    def names(self) -> None:
        """Rename classes and ids, as builds of style sheets do."""
        for element in self.tree.body.iter("div", "span"):
            if element.get("class"):
                element.set("class", f"{element.get('class')} v{self.dice.randrange(9999)}")
        self.tree.body.append(trees.fragment_fromstring("<script>var t=1</script>"))

    def counter(self, number: int) -> None:
        """Put counters and a date from now above the content."""
        dice = random.Random(len(self.gold))  # noqa: S311  the same for both versions
        line = trees.fragment_fromstring("<div class=meta><span></span> <span></span></div>")
        line[0].text = dice.choice(COUNTERS).format(1200 + number)
        line[1].text = dice.choice(AGO).format(2 + number)
        (self.content[0] if self.content else self.tree.body[0]).addprevious(line)


CONTENT = ("word", "sentence", "remove", "add")
NOISE = ("other_noise", "less_noise", "advertisement", "names")


def few_words(text: str, count: int) -> str:
    """Return the first words of a text; of a script without spaces two characters for each."""
    held = text.split()
    if len(text) > LONGEST_WORD * len(held):
        return text[: 2 * count]
    return " ".join(held[:count])


def pairs(page: Labelled, others: list[str], seed: int) -> Iterator[Pair]:
    """Yield two pairs with other content and two with other noise."""
    dice = random.Random(seed)  # noqa: S311  no secret

    def made(number: int, *names: str) -> str | None:
        edits = Edits(page, others, seed)
        if len(edits.content) < 3:
            return None
        edits.counter(number)
        for name in names:
            getattr(edits, name)()
        return edits.source()

    old = made(0)
    if old is None:
        return
    for number in range(2):
        kind, noise = dice.choice(CONTENT), dice.choice(NOISE)
        new = made(number, kind, *[noise] * number)
        yield Pair(page.group, f"content: {kind}", old, new or "", changed=True)
        noise = NOISE[(seed + number) % len(NOISE)]
        yield Pair(page.group, f"noise: {noise}", old, made(1 + number, noise) or "", changed=False)


def table(found: dict[str, list[tuple[bool, bool]]]) -> None:
    """Print the share of right judgements, and precision and recall of alarms."""
    print("| pairs | n | right | alarms right | changes found |\n|---|---:|---:|---:|---:|")
    for name, own in found.items():
        right = sum(changed == alarm for changed, alarm in own) / len(own)
        alarms = [changed for changed, alarm in own if alarm]
        changes = [alarm for changed, alarm in own if changed]
        cells = [f"{sum(one) / len(one):.3f}" if one else "–" for one in (alarms, changes)]
        print(f"| {name} | {len(own)} | {right:.3f} | {' | '.join(cells)} |")


@click.group(help=__doc__)
def main() -> None:
    """Print a table in Markdown."""


@main.command("quotes")
@click.option("--limit", default=70, show_default=True, help="Pages of each corpus.")
@click.option("--quotes", default=500, show_default=True, help="Altered quotes.")
@click.option("--seed", default=1, show_default=True, help="Of the draw.")
def quotes_table(*, limit: int, quotes: int, seed: int) -> None:
    """Tell quotes that are exact, changed and absent."""
    dice = random.Random(seed)  # noqa: S311  no secret
    every = quoted_pages(limit, dice)
    vocabulary: dict[str, list[str]] = defaultdict(list)
    for page in every:
        vocabulary[page.language] += [found[0] for found in words(page.quote)]
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for number in range(quotes):
        page = every[number % len(every)]
        others = vocabulary[page.language]
        told["exact"][page.found.verify(reformatted(page.quote, dice))] += 1
        if number % 2:
            quote = altered(page.quote, dice.uniform(*SMALL), others, dice)
            told["changed"][page.found.verify(quote)] += 1
        elif number % 4:
            quote = altered(page.quote, dice.uniform(*LARGE), others, dice)
            told["absent: much altered"][page.found.verify(quote)] += 1
        else:
            same = [one for one in every if one.language == page.language and one is not page]
            quote = dice.choice(same).quote if same else "No page of the corpora says this at all."
            told["absent: of another page"][page.found.verify(quote)] += 1
    states = ("exact", "changed", "contradicted", "absent")
    print(f"| quotes | n | {' | '.join(states)} | right |\n|---|---:|---:|---:|---:|---:|---:|")
    for name, found in told.items():
        counts = " | ".join(str(found[state]) for state in states)
        wanted = name.partition(":")[0]
        also = found["contradicted"] if wanted == "changed" else 0
        right = (found[wanted] + also) / found.total()
        print(f"| {name} | {found.total()} | {counts} | {right:.3f} |")


@main.command("differences")
@click.option("--limit", default=60, show_default=True, help="Pages of each corpus.")
@click.option("--seed", default=7, show_default=True, help="Of the draw.")
@click.option("--missed", "print_missed", is_flag=True, help="Print what is judged wrong.")
def differences_table(*, limit: int, seed: int, print_missed: bool) -> None:
    """Tell changes of content from changes of noise."""
    every = list(pages(limit, seed))
    others = [line for page in every for line in page.gold.split("\n")[2:4] if len(line) > LEAST]
    found: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for number, page in enumerate(every):
        try:
            for pair in pairs(page, others, number):
                judgement = extract(pair.old).difference(extract(pair.new))
                alarm = bool(judgement)
                for name in ("all", pair.group, pair.kind):
                    found[name].append((pair.changed, alarm))
                if alarm != pair.changed and print_missed:
                    print(f"--- {number} {pair.group} {pair.kind}\n{judgement.text()[:600]}")
        except (PageError, etree.LxmlError, ValueError) as error:
            print(f"left out: {page.group}: {error}", file=sys.stderr)
    table(found)


if __name__ == "__main__":
    main()
