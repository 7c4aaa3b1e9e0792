"""The middle of the pages of a made-up site, a kind each, with the content a reader would name.

Headline, text, subheads, lists, code, captions and table rows are content; on lists the title and
teaser of each entry, in a thread each post, on a page of an error its message. Bylines, dates,
tags, boxes, notes that return, comments and everything around are not.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Final

from bench.lib.made_sites.furniture import Furniture

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


KINDS: Final[dict[str, Callable[[Furniture], tuple[str, list[str]]]]] = {
    "article": article,
    "listing": listing,
    "thread": thread,
    "manual": manual,
    "product": product,
    "missing": missing,
}
