"""The design of a made-up site: how it names, nests and arranges what its pages are made of.

Each decision is drawn from a seed of its own, so that a redesign changes just the parts it is meant
for: `FRAME` (what stands around) or `STORY` (what stands in the middle).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Final

_JOINED: Final = {"zh": "，", "ja": "、"}
"""Languages that part words by nothing → their comma."""
_NOT_DRAWN: Final = ("ar", "ja")
"""Languages of `made_kind` alone."""


@cache
def _tables() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def languages() -> list[str]:
    """Return the codes of the languages of made-up sites."""
    return sorted(_tables().keys() - {*_NOT_DRAWN})


@dataclass(frozen=True)
class Language:
    """One language: labels as they stand in the file, and sentences drawn from its words."""

    code: str

    def label(self, name: str) -> str:
        """Return a label, such as ``more``."""
        return _tables()[self.code][name]

    def labels(self, name: str) -> list[str]:
        """Return the labels of a list, such as ``menu``."""
        return self.label(name).split(";")

    def words(self, dice: Random, count: int) -> str:
        """Return a run of so many words, small ones between the others."""
        small, large = self.label("small").split(), self.label("words").split()
        some = [dice.choice(large if dice.random() < 0.55 else small) for _ in range(count)]
        return ("" if self.code in _JOINED else " ").join(some)

    def title(self, dice: Random) -> str:
        """Return a headline."""
        text = self.words(dice, dice.randint(4, 9))
        return text[:1].upper() + text[1:]

    def sentence(self, dice: Random) -> str:
        """Return a sentence, now and then with a comma or a number in it."""
        parts = [self.words(dice, dice.randint(4, 12)) for _ in range(dice.randint(1, 2))]
        if dice.random() < 0.2:
            parts.append(f"{dice.randint(2, 1999)} {self.words(dice, 2)}")
        comma, stop = "، " if self.code == "ar" else ", ", "."
        if self.code in _JOINED:
            comma, stop = _JOINED[self.code], "。"
        text = comma.join(parts)
        return text[:1].upper() + text[1:] + stop

    def paragraph(self, dice: Random, least: int = 2, most: int = 6) -> str:
        """Return a paragraph of some sentences."""
        space = "" if self.code in _JOINED else " "
        return space.join(self.sentence(dice) for _ in range(dice.randint(least, most)))


FRAME: Final = "frame"
STORY: Final = "story"
HABITS: Final = ("plain", "block", "camel", "hashed", "utility", "ids", "none")
"""How a site names its elements: ``post-body``, ``c-post__body``, ``postBody``, ``css-1xq7ab``,
``mt-4 flex``, by ids, or hardly at all."""
_SYNONYMS: Final = {
    "page": "page wrapper site container outer",
    "header": "header masthead top banner branding",
    "menu": "menu nav navigation main-nav tabs",
    "main": "main content primary center column-main",
    "story": "post article story entry single",
    "head": "post-header story-head title-area headline",
    "meta": "meta byline post-info details",
    "body": "entry-content post-body story-text article-body text copy rich",
    "figure": "figure photo picture media",
    "share": "share social tools actions",
    "tags": "tags keywords topics labels",
    "related": "related more-stories see-also recommended",
    "inline": "inline-box insert read-also promo-inline",
    "bio": "author-box about-author bio writer",
    "note": "note legal disclaimer editorial",
    "letter": "newsletter signup subscribe mailing",
    "ad": "ad advert banner-slot sponsor promo",
    "comments": "comments discussion responses feedback",
    "comment": "comment response message opinion",
    "side": "sidebar side aside secondary rail",
    "box": "widget box module card-box",
    "footer": "footer bottom colophon site-end",
    "cookies": "cookies consent privacy-bar notice",
    "list": "list archive stream results river",
    "card": "card teaser item preview hit",
    "post": "post message reply answer",
    "code": "code example listing sample",
    "specs": "specs attributes features data",
    "price": "price amount cost",
}
_IN_FRAME: Final = frozenset(
    "page header menu side box footer cookies letter ad related share".split()
)
_MANY: Final = frozenset("comment card post box ad code figure".split())
"""Roles that many elements of a page have: no id names them."""
_NAMELESS: Final = 0.7
"""Share of the roles without a name on a site that hardly names anything."""
_UTILITIES: Final = (
    "flex grid mt-2 mt-4 mb-6 px-2 px-4 py-1 w-full text-sm text-lg gap-2 rounded border block"
)


def _plain(name: str, _dice: Random) -> str:
    return name


def _block(name: str, dice: Random) -> str:
    first, *_, last = f"{name}-{name}".split("-")
    element = f"{dice.choice(('c', 'o', 'm'))}-{first}__{last}"
    return f"{element} {element}--{dice.randint(1, 3)}"


def _camel(name: str, _dice: Random) -> str:
    first, *rest = name.split("-")
    return first + "".join(word.title() for word in rest)


def _hashed(_name: str, dice: Random) -> str:
    letters = "".join(dice.choices("abcdefghkmnpqrstuvwxyz0123456789", k=5))
    return f"css-{dice.randint(0, 9)}{letters}"


def _utility(_name: str, dice: Random) -> str:
    return " ".join(dice.sample(_UTILITIES.split(), dice.randint(2, 4)))


_CLASSES: Final = {"block": _block, "camel": _camel, "hashed": _hashed, "utility": _utility}
"""Habit → the classes that it makes of a name."""


@dataclass(frozen=True)
class Design:
    """The design of one site in one of its releases.

    Attributes:
        seed: of the site.
        frame, story: number of the release of what stands around and of the middle.
    """

    seed: str
    frame: int = 0
    story: int = 0
    _drawn: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def dice(self, what: str, part: str = STORY) -> Random:
        """Return the source of chance of one decision."""
        release = self.frame if part == FRAME else self.story
        return Random(f"{self.seed}/{what}/{release}")  # noqa: S311  a draw, not a secret

    def has(self, what: str, share: float, part: str = STORY) -> bool:
        """Return whether the site's pages have something that ``share`` of all sites have."""
        return self.dice(f"has {what}", part).random() < share

    def pick(self, what: str, *options: str, part: str = STORY) -> str:
        """Return one of the options."""
        return self.dice(f"pick {what}", part).choice(options)

    @cached_property
    def habit(self) -> str:
        """How the site names; the same in all releases."""
        return Random(f"{self.seed}/habit").choice(HABITS)  # noqa: S311

    def attributes(self, role: str) -> str:
        """Return the class and id of the element of a role, with a space before; "" for none."""
        if role not in self._drawn:
            self._drawn[role] = self._named(role)
        return self._drawn[role]

    def _named(self, role: str) -> str:
        dice = self.dice(f"name {role}", FRAME if role in _IN_FRAME else STORY)
        name = dice.choice(_SYNONYMS[role].split())
        if self.habit == "ids" and role not in _MANY:
            return f' id="{name}"'
        if self.habit == "none" and dice.random() < _NAMELESS:
            return ""
        return f' class="{_CLASSES.get(self.habit, _plain)(name, dice)}"'

    def element(self, role: str, inner: str, tag: str = "div") -> str:
        """Return an element of a role, nested in as many more as the site does."""
        if not inner:
            return ""
        deep = self.dice(f"nest {role}", FRAME if role in _IN_FRAME else STORY).choice((0, 0, 1, 2))
        before, after = "<div>" * deep, "</div>" * deep
        return f"<{tag}{self.attributes(role)}>{before}{inner}{after}</{tag}>"
