"""Pages of one product with its parameters: as what they are written, and where they stand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from itertools import product
from typing import Final

from bench.lib.made_sites.pages import Furniture

_FEWEST, _USUAL = 3, 0.8
"""Parameters that every product of a shop has, and the share of the others that it has."""
Pairs = list[tuple[str, str]]
_LINES: Final = "".join
FORMS: Final = {
    "table with th": ("<table>{}</table>", "<tr><th>{}</th><td>{}</td></tr>"),
    "table": ("<table><tbody>{}</tbody></table>", "<tr><td>{}</td><td>{}</td></tr>"),
    "dl": ("<dl>{}</dl>", "<dt>{}</dt><dd>{}</dd>"),
    "dl in groups": ("<dl>{}</dl>", "<div><dt>{}</dt><dd>{}</dd></div>"),
    "rows of divs": ("<div>{}</div>", "<div><div>{}</div><div>{}</div></div>"),
    "list": ("<ul>{}</ul>", "<li><span>{}</span> <span>{}</span></li>"),
}
"""How parameters are written: around all of them, and around a name with its value."""
PLACES: Final = ("below", "tabs", "beside", "above", "section")
"""Where the parameters stand: below the description, in tabs, beside the picture, above the
description, in a section of their own behind the box of the product."""
COMBINATIONS: Final = tuple(product(FORMS, PLACES, (False, True)))


@dataclass(frozen=True)
class Facts:
    """What a page of a product holds.

    Attributes:
        form: one of `FORMS`.
        place: one of `PLACES`.
        declared: whether JSON-LD says that it is a product.
        pairs: names and values of its parameters.
        texts: its description.
        others: texts that aren't of the product.
        title: its name.
        price: in euros.
    """

    form: str
    place: str
    declared: bool
    pairs: Pairs
    texts: list[str]
    others: list[str]

    title: str
    price: int

    @property
    def head(self) -> str:
        """The data of the page's head that declares the product."""
        offer = {"@type": "Offer", "price": f"{self.price}.00", "priceCurrency": "EUR"}
        data = {"@context": "https://schema.org", "@type": "Product", "name": self.title}
        return (
            f'<script type="application/ld+json">{json.dumps({**data, "offers": offer})}</script>'
        )


def _value(on: Furniture, value: str) -> str:
    """Return a value like a given one, with numbers of its own."""
    digits = (str(on.dice.randint(1, 9)) if one.isdigit() else one for one in value)
    return "".join(digits) if any(map(str.isdigit, value)) else on.lang.words(on.dice, 2)


def _parameters(on: Furniture) -> Pairs:
    """Return the shop's parameters, some of them left out, with the values of the product."""
    all_pairs = [one.split("=") for one in on.lang.labels("facts")]
    order = on.design.dice("facts")
    own = order.sample(all_pairs, order.randint(5, len(all_pairs)))
    own = [one for at, one in enumerate(own) if at < _FEWEST or on.dice.random() < _USUAL]
    return [(name, _value(on, value)) for name, value in own]


def middle(on: Furniture, form: str, place: str, *, declared: bool) -> tuple[str, Facts]:
    """Return the middle of a page, and what stands in it."""
    design, lang, dice = on.design, on.lang, on.dice
    pairs = _parameters(on)
    texts = [on.own.teaser, *(lang.paragraph(dice, 1, 4) for _ in range(dice.randint(0, 7)))]
    described, specified, delivered = lang.labels("tabs")
    delivery, others = lang.label("delivery"), [one.title for one in on.others(4, 4)]
    amount = dice.randint(2, 400)
    price = design.element("price", f"{amount}.00 €", "p")
    cart = f"<form><input type=number value=1><button>{lang.label('cart')}</button></form>"
    if not design.has("cart", 0.6):  # a maker's page sells nothing
        cart = price = ""
    picture = f'<img src="/i/{on.own.number}.jpg" alt="" width=480 height=480>'
    prose = design.element("body", _LINES(f"<p>{escape(one)}</p>" for one in texts))
    heading = f"<h2>{specified}</h2>" if design.has("heading", 0.7) else ""
    around, row = FORMS[form]
    facts = design.element("specs", around.format(_LINES(row.format(*one) for one in pairs)))
    buy = f"<h1>{escape(on.own.title)}</h1>{price}{cart}"
    cards = _LINES(
        f'<li><a href="/p/{at}"><img src="/s/{at}.jpg">{escape(one)}</a> {at + 9}.00 €</li>'
        for at, one in enumerate(others)
    )
    related = design.element("related", f"<h3>{lang.labels('related')[2]}</h3><ul>{cards}</ul>")
    notes = f"<h2>{delivered}</h2><p>{delivery}</p>"
    match place:
        case "tabs":
            names = _LINES(
                f'<li><a href="#tab{at}">{one}</a></li>'
                for at, one in enumerate((described, specified, delivered))
            )
            panels = _LINES(
                f'<div id="tab{at}" role="tabpanel">{one}</div>'
                for at, one in enumerate((prose, facts, f"<p>{delivery}</p>"))
            )
            inner = picture + buy + f'<ul role="tablist">{names}</ul>{panels}'
        case "beside":
            inner = f"<div><div>{picture}</div><div>{buy}{facts}</div></div>{prose}"
        case "above":
            inner = picture + buy + heading + facts + prose + notes
        case "section":
            inner = picture + buy + prose + notes
        case _:
            inner = picture + buy + prose + heading + facts + notes
    whole = design.element("story", inner)
    if place == "section":
        whole += f"<section>{heading}{facts}</section>"
    return whole + related, Facts(form, place, declared, pairs, texts, others, on.own.title, amount)
