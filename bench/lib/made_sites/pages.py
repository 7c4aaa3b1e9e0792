"""The pages of a made-up site: what stands around the story, and the middle, a kind each.

Headline, text, subheads, lists, code, captions and table rows are content; on lists the title and
teaser of each entry, in a thread each post, on a page of an error its message. Bylines, dates,
tags, boxes, notes that return, comments and everything around are not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Final

from bench.lib.made_sites.design import FRAME, Design, Language


@dataclass(frozen=True)
class Story:
    """One thing to read on a site.

    Attributes:
        number: of the page on its site.
        kind: one of `KINDS`.
        title: its headline.
        teaser: its first sentence, as lists and boxes of other pages print it.
        author: who wrote it.
    """

    number: int
    kind: str
    title: str
    teaser: str
    author: str

    @property
    def path(self) -> str:
        """Path of its page."""
        return f"/{self.kind}/{2000 + self.number % 25}/{self.number + 4711}.html"


@dataclass(frozen=True)
class Furniture:
    """What stands around the story of one page.

    Attributes:
        design: of the site.
        lang: its language.
        own: the story of the page.
        stories: all stories of the site.
        dice: the page's own source of chance.
    """

    design: Design
    lang: Language
    own: Story
    stories: tuple[Story, ...]
    dice: Random

    def others(self, least: int, most: int) -> list[Story]:
        """Return some other stories."""
        some = [one for one in self.stories if one.number != self.own.number]
        return self.dice.sample(some, min(self.dice.randint(least, most), len(some)))

    def header(self) -> str:
        """Return the site's name, its menu, and a notice on cookies."""
        design, lang = self.design, self.lang
        name = lang.title(design.dice("site name", FRAME))
        items = lang.labels("menu")
        links = [f'<a href="/{at}/">{text}</a>' for at, text in enumerate(items)]
        if design.has("menu of a list", 0.7, FRAME):
            menu = "<ul>" + "".join(f"<li>{link}</li>" for link in links) + "</ul>"
        else:
            menu = " | ".join(links)
        tag = design.pick("tag of the menu", "div", "nav", part=FRAME)
        out = f'<p><a href="/">{name}</a></p>' + design.element("menu", menu, tag)
        if design.has("cookies", 0.5, FRAME):
            out = design.element("cookies", f"<p>{lang.label('cookies')}</p>") + out
        return design.element("header", out, design.pick("tag of the top", "div", "header"))

    def side(self) -> str:
        """Return the column beside the story, with boxes of other stories and of the site."""
        design, lang = self.design, self.lang
        if not design.has("side", 0.7, FRAME):
            return ""
        boxes = [self.related(FRAME)]
        if design.has("letter at the side", 0.4, FRAME):
            boxes.append(f"<p>{lang.label('newsletter')}</p><form><input type=email></form>")
        if design.has("prose at the side", 0.3, FRAME):
            boxes.append(f"<p>{lang.paragraph(design.dice('about the site', FRAME), 2, 3)}</p>")
        boxes.append(self.advert())
        inner = "".join(design.element("box", box) for box in boxes)
        return design.element("side", inner, design.pick("tag of the side", "div", "aside"))

    def footer(self) -> str:
        """Return the end of the page."""
        links = "".join(f'<a href="/{text}">{text}</a> ' for text in self.lang.labels("menu")[-3:])
        rights = f"<p>© {self.lang.label('rights')}</p>"
        return self.design.element(
            "footer", links + rights, self.design.pick("end", "div", "footer")
        )

    def related(self, part: str) -> str:
        """Return links to other stories, of some sites with a sentence of each."""
        design, lang = self.design, self.lang
        label = design.pick("label of related", *lang.labels("related"), part=part)
        with_text = design.has("teasers of related", 0.5, part)
        items = "".join(
            f'<li><a href="{one.path}">{escape(one.title)}</a>'
            + (f"<p>{escape(one.teaser)}</p>" if with_text else "")
            + "</li>"
            for one in self.others(3, 6)
        )
        return f"<h3>{label}</h3><ul>{items}</ul>"

    def inline(self) -> str:
        """Return the box within the story that leads to another one; "" on many pages."""
        found = self.others(1, 1)
        if not found or not self.design.has("inline box", 0.4) or self.dice.random() < 0.4:
            return ""
        one, label = found[0], self.lang.labels("related")[1]
        link = f'{label}: <a href="{one.path}">{escape(one.title)}</a>'
        return self.design.element("inline", link, self.design.pick("inline tag", "p", "div"))

    def advert(self) -> str:
        """Return an advertisement, or none now and then."""
        design = self.design
        text = self.lang.sentence(design.dice(f"advert {self.dice.randint(0, 5)}"))
        link = f'<a href="//ads.example/{self.own.number}">{text}</a>'
        forms = (
            "",
            f"<i>{self.lang.label('advert')}</i>{link}",
            f'<ins data-slot="{self.dice.randint(1000, 9999)}"></ins><script>push()</script>',
        )
        return design.element("ad", self.dice.choice(forms))

    def share(self) -> str:
        """Return the buttons to share the page."""
        if not self.design.has("share", 0.7):
            return ""
        items = "".join(f'<li><a href="#s">{text}</a></li>' for text in self.lang.labels("share"))
        return self.design.element("share", f"<ul>{items}</ul>")

    def below(self) -> str:
        """Return what follows a story: tags, who wrote it, notes that return, boxes, comments."""
        design, lang, out = self.design, self.lang, []
        if design.has("tags", 0.5):
            words = [lang.words(self.dice, 1) for _ in range(self.dice.randint(2, 5))]
            out.append(design.element("tags", " ".join(f'<a href="/t/{w}">{w}</a>' for w in words)))
        if design.has("bio", 0.35):
            out.append(
                design.element("bio", f"<p>{lang.label('bio').format(name=self.own.author)}</p>")
            )
        if design.has("note", 0.3):
            out.append(design.element("note", f"<p>{lang.label('disclaimer')}</p>"))
        if design.has("letter below", 0.35):
            out.append(design.element("letter", f"<p>{lang.label('newsletter')}</p>"))
        if design.has("related below", 0.6):
            out.append(design.element("related", self.related("story")))
        out.append(self.comments())
        return "".join(out)

    def comments(self) -> str:
        """Return what readers said: on some pages nothing, on some a lot."""
        design, lang, dice = self.design, self.lang, self.dice
        if not design.has("comments", 0.45):
            return ""
        tag = design.pick("tag of a comment", "div", "li", "article")
        said = [self._comment(tag) for _ in range(dice.choice((0, 0, 1, 2, 4, 9)))]
        label = design.pick("label of comments", *lang.labels("comments"))
        return design.element("comments", f"<h3>{label}</h3>{''.join(said)}", "section")

    def _comment(self, tag: str) -> str:
        lang, dice = self.lang, self.dice
        who = dice.choice(lang.labels("names"))
        when = f"<time>{dice.randint(1, 28)}.{dice.randint(1, 12)}.2025</time>"
        text = f'<p>{lang.paragraph(dice, 1, 3)}</p><a href="#r">{lang.label("reply")}</a>'
        return self.design.element("comment", f"<b>{who}</b> {when}{text}", tag)


SUBHEADS: Final = 0.25
"""Share of the paragraphs of a story that have a heading of their own."""
CHAPTERS: Final = 16
"""Links in the contents of a manual."""


def article(on: Furniture) -> tuple[str, list[str]]:
    """Return the middle of an article and its content, a block each."""
    design, lang, dice = on.design, on.lang, on.dice
    gold, body = [on.own.title], []
    for number in range(dice.randint(3, 11)):
        if number and dice.random() < SUBHEADS:
            gold.append(lang.title(dice))
            body.append(f"<h2>{escape(gold[-1])}</h2>")
        gold.append(on.own.teaser if not number else lang.paragraph(dice))
        body.append(_paragraph(on, gold[-1]))
        if number == 1:
            body.append(on.inline())
            body.append(on.advert())
    if dice.random() < 0.3:
        caption = lang.sentence(dice)
        gold.insert(2, caption)
        image = (
            f'<img src="/i/{on.own.number}.jpg" alt=""><figcaption>{escape(caption)}</figcaption>'
        )
        body.insert(1, design.element("figure", image, "figure"))
    if dice.random() < 0.25:
        points = [lang.sentence(dice) for _ in range(dice.randint(2, 6))]
        gold += points
        body.append("<ul>" + "".join(f"<li>{escape(one)}</li>" for one in points) + "</ul>")
    tag = design.pick("tag of a story", "div", "article", "section", "td")
    inner = _head(on) + design.element("body", "".join(body)) + on.share() + on.below()
    return _story(on, inner, tag), gold


def _story(on: Furniture, inner: str, tag: str) -> str:
    if tag == "td":
        return f"<table><tr><td{on.design.attributes('story')}>{inner}</td></tr></table>"
    return on.design.element("story", inner, tag)


def _paragraph(on: Furniture, text: str) -> str:
    """Return a paragraph as the site writes it: of its own element, or ended by line breaks."""
    way = on.design.pick("paragraphs", "p", "p", "p", "div", "br")
    return f"{escape(text)}<br><br>" if way == "br" else f"<{way}>{escape(text)}</{way}>"


def _head(on: Furniture) -> str:
    design, lang, own = on.design, on.lang, on.own
    title = f"<h1>{escape(own.title)}</h1>"
    when = f"{on.dice.randint(1, 28)}.{on.dice.randint(1, 12)}.2025"
    meta = f"{lang.label('by')} <a href='/by'>{own.author}</a> <time>{when}</time>"
    return design.element("head", title + design.element("meta", meta), "div")


def listing(on: Furniture) -> tuple[str, list[str]]:
    """Return the middle of a list of stories, a search or a tag, and its content."""
    design, gold, cards = on.design, [on.own.title], []
    for one in on.others(6, 14):
        gold += [one.title, one.teaser]
        link = f'<h2><a href="{one.path}">{escape(one.title)}</a></h2>'
        more = f'<a href="{one.path}">{on.lang.label("more")}</a>'
        text = f"<p>{escape(one.teaser)}</p>"
        cards.append(design.element("card", link + text + more, design.pick("card", "div", "li")))
        if len(cards) == 3:
            cards.append(on.advert())
    pages = " ".join(f'<a href="?p={at}">{at}</a>' for at in range(2, 6))
    inner = f"<h1>{escape(on.own.title)}</h1>{design.element('list', ''.join(cards))}{pages}"
    return inner + f" <a href='?p=2'>{on.lang.label('next')}</a>", gold


def thread(on: Furniture) -> tuple[str, list[str]]:
    """Return the middle of a thread, and the text of its posts."""
    design, lang, dice = on.design, on.lang, on.dice
    gold, posts = [on.own.title], []
    for number in range(dice.randint(2, 9)):
        texts = [on.own.teaser] if not number else []
        texts += [lang.paragraph(dice, 1, 4) for _ in range(dice.randint(1, 3))]
        gold += texts
        who = f"<b>{dice.choice(lang.labels('names'))}</b> <span>#{number + 1}</span>"
        text = "".join(f"<p>{escape(one)}</p>" for one in texts)
        reply = f'<a href="#r">{lang.label("reply")}</a>'
        posts.append(design.element("post", design.element("meta", who) + text + reply))
    return f"<h1>{escape(on.own.title)}</h1>" + design.element("list", "".join(posts)), gold


def manual(on: Furniture) -> tuple[str, list[str]]:
    """Return the middle of a page of a manual, its contents beside it, and its content."""
    design, lang, dice = on.design, on.lang, on.dice
    gold, body = [on.own.title, on.own.teaser], [f"<p>{escape(on.own.teaser)}</p>"]
    for _ in range(dice.randint(2, 6)):
        gold += [lang.title(dice), lang.paragraph(dice, 1, 4)]
        body.append(f"<h2>{escape(gold[-2])}</h2><p>{escape(gold[-1])}</p>")
        if dice.random() < 0.6:
            name, call = ("".join(dice.choices("abdeilmnorstu", k=6)) for _ in range(2))
            gold.append(f"{name} = {call}({dice.randint(1, 9)}) print {name}")
            lines = gold[-1].replace(" print", "\nprint")
            body.append(design.element("code", f"<code>{lines}</code>", "pre"))
    links = "".join(
        f'<li><a href="{one.path}">{escape(one.title)}</a></li>' for one in on.stories[:CHAPTERS]
    )
    contents = design.element("box", f"<ul>{links}</ul>", "nav")
    inner = f"<h1>{escape(on.own.title)}</h1>{''.join(body)}"
    return contents + design.element("body", inner), gold


def product(on: Furniture) -> tuple[str, list[str]]:
    """Return the middle of a product's page, and its content."""
    design, lang, dice = on.design, on.lang, on.dice
    price = f"{dice.randint(2, 400)}.{dice.randint(10, 99)} €"
    texts = [on.own.teaser, *(lang.paragraph(dice) for _ in range(dice.randint(1, 3)))]
    rows = [(name, lang.words(dice, 1)) for name in lang.labels("specs")]
    gold = [on.own.title, price, *texts, *(f"{name} {value}" for name, value in rows)]
    table = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows)
    inner = f"<h1>{escape(on.own.title)}</h1>{design.element('price', price, 'span')}"
    inner += design.element("body", "".join(f"<p>{escape(one)}</p>" for one in texts))
    inner += design.element("specs", f"<table>{table}</table>")
    return design.element("story", inner) + design.element("related", on.related("story")), gold


def missing(on: Furniture) -> tuple[str, list[str]]:
    """Return the middle of a page that says that there is none, and its message."""
    message = on.lang.label("missing")
    form = f"<form><input><button>{on.lang.label('search')}</button></form>"
    return f"<h1>404</h1><p>{message}</p>{form}", ["404", message]


def breaks(on: Furniture) -> tuple[str, list[str]]:
    """Return an article whose text stands in one element, parted by breaks."""
    gold = [on.own.title, on.own.teaser]
    gold += [on.lang.paragraph(on.dice) for _ in range(on.dice.randint(3, 9))]
    gap = on.design.pick("breaks", "<br>", "<br><br>", "<br>\u3000\u3000")
    head = on.design.pick("headline", "h1", "b", "div")
    return f"<{head}>{gold[0]}</{head}>" + on.design.element("body", gap.join(gold[1:])), gold


def links(on: Furniture) -> tuple[str, list[str]]:
    """Return a list of links alone, each with its day where the site writes days."""
    dated, gold, items = on.design.has("days", 0.6), [], []
    for one in on.others(12, 30):
        day = f" <span>2025-{one.number % 12 + 1:02}-{one.number % 28 + 1:02}</span>"
        items.append(f'<li><a href="{one.path}">{one.title}</a>{day if dated else ""}</li>')
        gold.append(one.title)
    return on.design.element("list", "".join(items), on.design.pick("list", "ul", "ol")), gold


def index(on: Furniture) -> tuple[str, list[str]]:
    """Return a blog's list of its posts: each with its author, its day and its beginning."""
    design, lang, gold, cards = on.design, on.lang, [on.own.title], []
    for one in on.others(4, 12):
        gold += [one.title, one.teaser, lang.paragraph(on.dice, 1, 3)]
        head = f'<h2><a href="{one.path}">{escape(one.title)}</a></h2>'
        if design.has("titles of no heading", 0.4):
            head = f'<div><a href="{one.path}">{escape(one.title)}</a></div>'
        day = f"<time>{one.number % 28 + 1}.{one.number % 12 + 1}.2025</time>"
        byline = design.element("meta", f"{lang.label('by')} {one.author} {day}")
        parts = [head, byline, f"<p>{escape(f'{gold[-2]} {gold[-1]}')}</p>"]
        if design.has("byline first", 0.3):
            parts[:2] = parts[1::-1]
        cards.append(design.element("card", "".join(parts), design.pick("card", "div", "article")))
    return f"<h1>{gold[0]}</h1>{design.element('list', ''.join(cards))}", gold


def shop(on: Furniture) -> tuple[str, list[str]]:
    """Return a product as a shop sells it: with a picture, a button for the cart and a number."""
    inner, gold = product(on)
    picture = f'<img src="/i/{on.own.number}.jpg" width=480 height=480>'
    cart = f"<input type=number value=1><button>{on.lang.label('cart')}</button>"
    return inner.replace("</h1>", f"</h1>{picture}{cart}", 1), gold


def category(on: Furniture) -> tuple[str, list[str]]:
    """Return a shop's list of products: picture, name, price and a button each."""
    gold, cards = [on.own.title], []
    for one in on.others(8, 24):
        price = f"{on.dice.randint(2, 400)}.{on.dice.randint(10, 99)} €"
        gold += [one.title, price]
        card = f'<a href="{one.path}"><img src="/i/{one.number}.jpg">{one.title}</a>'
        card += (
            on.design.element("price", price, "span") + f"<button>{on.lang.label('cart')}</button>"
        )
        cards.append(on.design.element("card", card, on.design.pick("card", "div", "li")))
    return f"<h1>{gold[0]}</h1>{on.design.element('list', ''.join(cards))}", gold


def images(on: Furniture) -> tuple[str, list[str]]:
    """Return a page of pictures with a few words to each."""
    sized, gold, items = on.design.has("sizes", 0.7), [on.own.title], []
    for at in range(on.dice.randint(8, 24)):
        gold.append(on.lang.words(on.dice, on.dice.randint(1, 5)))
        size = f" width={on.dice.randint(300, 900)} height={on.dice.randint(300, 700)}"
        image = f'<img src="/g/{on.own.number}-{at}.jpg"{size if sized else ""}>'
        way = on.design.pick("caption", "figcaption", "p", "span")
        tag = "figure" if way == "figcaption" else "div"
        items.append(on.design.element("figure", f"{image}<{way}>{gold[-1]}</{way}>", tag))
    return f"<h1>{gold[0]}</h1>{on.design.element('list', ''.join(items))}", gold


def table(on: Furniture) -> tuple[str, list[str]]:
    """Return a page that is a table of data: a timetable, prices, results."""
    gold, width = [on.own.title], on.dice.randint(3, 6)
    lines = [[on.lang.words(on.dice, 1) for _ in range(width)]]
    for _ in range(on.dice.randint(8, 30)):
        cells = [str(on.dice.randint(1, 9999)) for _ in range(width - 1)]
        lines.append([on.lang.words(on.dice, 2), *cells])
    gold += map(" ".join, lines)
    head = on.design.pick("head", "th", "td")
    rows = [
        "".join(f"<{name}>{cell}</{name}>" for cell in cells)
        for name, cells in zip([head] + ["td"] * len(lines), lines, strict=False)
    ]
    inner = f"<table><tr>{'</tr><tr>'.join(rows)}</tr></table>"
    note = f"<p>{on.lang.sentence(on.dice)}</p>" if on.design.has("note", 0.5) else ""
    return f"<h1>{gold[0]}</h1>{note}{on.design.element('body', inner)}", gold


def form(on: Furniture) -> tuple[str, list[str]]:
    """Return what a form holds, as a curriculum vitae or an application does."""
    gold, rows = [on.own.title], []
    for name in on.lang.labels("specs") + on.lang.labels("menu"):
        gold.append(f"{name} {on.lang.words(on.dice, on.dice.randint(1, 8))}")
        value = gold[-1].removeprefix(name)
        rows.append(f"<tr><td>{name}</td><td>{value}</td></tr>")
    return f"<h1>{gold[0]}</h1><table border=1>{''.join(rows)}</table>", gold


KINDS: Final[dict[str, Callable[[Furniture], tuple[str, list[str]]]]] = {
    "article": article,
    "listing": listing,
    "thread": thread,
    "manual": manual,
    "product": product,
    "missing": missing,
    "breaks": breaks,
    "links": links,
    "index": index,
    "shop": shop,
    "category": category,
    "images": images,
    "table": table,
    "form": form,
}
"""Kind → what makes its middle; the last eight are on no made-up site, see `made_kind`."""
