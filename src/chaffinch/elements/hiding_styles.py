"""What a style hides, read as a browser reads it: escapes, comments, case, order, ``!important``.

And class names by which common style sheets hide.

Sheets are read as far as plain rules reach: one class, id or element, or one in one or two others,
outside of media queries but ``all``, ``screen`` and wide screens (`hiding_rules`).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final

from chaffinch.caching import kept_of_short_texts
from chaffinch.elements import WORDS, class_names
from chaffinch.layout.markup import colour
from chaffinch.page import Page
from chaffinch.page.attributes import Search
from chaffinch.page.visibility import SHEET_COMMENT, Compound, compounds, declared

GONE, FAINT, UNSEEN, SEEN, BLANK, DISPLAYED, SURE = (1 << bit for bit in range(7))
"""Bits of what a style says: the element and all in it is gone; is of no opacity; isn't visible;
is visible again; its own text has no size or colour; it has a box whatever its attributes say; no
control shows it."""
HIDES: Final = GONE | FAINT | UNSEEN | BLANK | SURE

STYLES: Final = Search("style", *WORDS["words of styles that hide"])
"""Every style that says something has one of these in it, unless it has escapes."""
_SCREENS: Final = re.compile(
    r"""@media\s*+(?:only\s++)?(?:all|screen)(?>(?:\s*+,\s*+(?:only\s++)?[a-z]++)*)|@layer[^,]*+
    |@media\s*+(?:only\s++)?(?:(?:all|screen)\s++and\s*+)?\(\s*+(?:min-width\s*+:|width\s*+>=?)
    \s*+(?:\d{1,3}(?:\.\d+)?px|1[012]\d\dpx|\d{1,2}(?:\.\d+)?r?em)\s*+\)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Of any screen, or of those as wide as a laptop's."""
_WIDER: Final = re.compile(
    r"@media\b(?!.{0,99}\bprint\b).{0,99}?(?:min-width|width\s?>)", re.IGNORECASE | re.DOTALL
)
"""Media queries of wide screens, by which what narrow ones hide is shown."""
_NUMBER: Final = re.compile(r"([+-]?(?:\d++\.?+\d*+|\.\d++)(?:e[+-]?\d{1,3}+)?)(%|[a-z]*+)")
_FUNCTION: Final = re.compile(r"(?<![a-z0-9])([a-z][a-z0-9]*+)\(([^()]*+)\)")
_ALPHA: Final = re.compile(
    r"(?:rgb|hsl)a?\((?:[^(),/]++,){3}([^(),/]++)\)|[a-z]{3,5}+\([^(),/]++/([^(),/]++)\)"
)
_HEX_ALPHA: Final = re.compile(r"#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)")
_UNITS: Final[dict[str, float]] = WORDS["pixels of units"]
"""Pixels of a unit; of a share, where the whole is taken for a thousand."""
_OF_WINDOW: Final = frozenset(
    kind + side for kind in ("", "s", "l", "d") for side in "vw vh vmin vmax vi vb".split()
)
_FAR: Final = -900.0  # pixels to the left or above from which nothing of a box is on the page
_FAR_AFTER: Final = 3000.0
_LEAST: Final = 1.0  # most pixels of a side of a box in which nothing can be read
_SIZES: Final = tuple(
    limit + side
    for side in ("height", "width", "block-size", "inline-size")
    for limit in ("", "max-")
)
_SIDES: Final = ("top", "right", "bottom", "left")


@kept_of_short_texts(2048)
def style_says(style: str) -> int:
    given = declared(style).items()
    own = dict(one for name, value in given for one in _expanded(name, value))
    said = 0
    for name, value in own.items():
        if (reader := _READERS.get(name)) is not None:
            said |= reader(value, own)
    return said


@lru_cache(maxsize=256)  # sheets of 4 kB, which sites repeat: a megabyte
def hiding_rules(sheet: str) -> Mapping[tuple[Compound, ...], int]:
    """Return selector → what its rule says, of the plain rules of a short style sheet.

    Left out are rules of narrow screens, whose elements wide ones show. A child is taken for any
    element below.
    """
    rules: dict[tuple[Compound, ...], int] = {}
    shown: set[tuple[Compound, ...]] = set()
    opened: list[str] = []
    text = SHEET_COMMENT.sub(" ", sheet) if "/*" in sheet else sheet
    for part in text.split("}")[:-1]:
        *heads, inner = part.split("{")
        opened += [head.rpartition(";")[2].strip() for head in heads]
        selector = opened.pop() if opened else "@"
        said = style_says(inner) if selector[:1] != "@" else 0
        if not said and "display" not in inner:
            continue
        read = filter(None, map(compounds, selector.split(",")))
        plain = [one for one in read if all(sign for _, sign, _ in one[:-1])]
        if any(map(_WIDER.match, opened)) and said & (DISPLAYED | SEEN) and not said & HIDES:
            shown.update(plain)
        elif all(map(_SCREENS.fullmatch, opened)):
            rules.update(dict.fromkeys(plain, said & ~DISPLAYED))
    return {one: said for one, said in rules.items() if said & HIDES and one not in shown}


def number(value: str) -> float | None:
    """Return a number or share of CSS, ``calc`` of one among them; None for anything else."""
    found = _NUMBER.fullmatch(value[5:-1].strip() if value.startswith("calc(") else value)
    if found is None or found[2] not in ("", "%"):
        return None
    return float(found[1])


def pixels(value: str) -> float | None:
    """Return a length in pixels, shares taken of a thousand; None for what isn't one."""
    found = _NUMBER.fullmatch(value)
    if found is not None:
        return _length(found[1], found[2])
    if not value.startswith("calc(") or len(value) > 200:  # noqa: PLR2004
        return None
    terms = value[5:].replace("+ ", "+").replace("- ", "-")
    known = [_length(*one) for one in _NUMBER.findall(terms)]
    if not known or None in known:
        return None
    if "*" in terms:
        return 0.0 if 0 in known else None
    return sum(one for one in known if one is not None)


def _length(digits: str, unit: str) -> float | None:
    size = float(digits)
    if unit in _OF_WINDOW:  # half a window to the left centres a box; a whole one loses it
        return size * (9 if size < 0 else 30)
    return size * _UNITS[unit] if unit in _UNITS else None


# Shorthands

_SIDES_OF: Final = {"inset": _SIDES, "margin": tuple(f"margin-{side}" for side in _SIDES)}
_SAME: Final[dict[str, str]] = WORDS["properties read as others"]
"""Property → one by which it is read."""
_WEIGHTS: Final = frozenset("100 200 300 400 500 600 700 800 900".split())


def _expanded(name: str, value: str) -> Iterable[tuple[str, str]]:
    """Return the properties that a declaration stands for, each with its value."""
    if name in _SIDES_OF:
        return zip(_SIDES_OF[name], _four(value), strict=True)
    if name == "font":
        sizes = (word.split("/")[0] for word in value.split())
        sizes = (one for one in sizes if one[:1].isdigit() or one[:1] in "+-.")
        return islice((("font-size", one) for one in sizes if one not in _WEIGHTS), 1)
    return ((_SAME.get(name, name), value),)


def _four(value: str) -> list[str]:
    """Return top, right, bottom and left of one to four values."""
    given = value.split() or [""]
    top, right = given[0], given[1] if len(given) > 1 else given[0]
    bottom, left = [*given[2:4], *(top, right)[len(given[2:4]) :]]
    return [top, right, bottom, left]


# Properties, each read beside all that the style declares


def _at_most(size: float | None, most: float) -> bool:
    return size is not None and size <= most


def _opacity(value: str, _: Mapping[str, str]) -> int:
    return FAINT * _at_most(number(value), 0)


def _filter(value: str, own: Mapping[str, str]) -> int:
    said = (_opacity(what, own) for name, what in _FUNCTION.findall(value) if name == "opacity")
    return max(said, default=0)


def _color(value: str, own: Mapping[str, str]) -> int:
    alpha = _ALPHA.fullmatch(value)
    opacity = number((alpha[1] or alpha[2]).strip()) if alpha else None
    clear = value == "transparent" or _HEX_ALPHA.fullmatch(value) is not None
    clear = clear or (opacity is not None and opacity <= 0)
    painted = ("text" in own.get("background-clip", "") + own.get("-webkit-background-clip", "")
               or own.get("text-shadow", "none") != "none" or "-webkit-text-stroke" in own
               or "-webkit-text-stroke-width" in own)  # fmt: skip
    if clear:
        return 0 if painted or own.get("-webkit-text-fill-color", value) != value else BLANK
    ground = own.get("background-color", "")
    if ground and "url(" not in ground and "gradient" not in ground and not painted:
        return BLANK if colour(value) == colour(ground) else 0
    return 0


def _is_off(value: str) -> bool:
    size = pixels(value)
    return size is not None and not _FAR < size < _FAR_AFTER


def _indent(value: str, own: Mapping[str, str]) -> int:
    size = pixels(value.split(maxsplit=1)[0] if value else "")
    if size is None:
        return 0
    cut = own.get("overflow") in ("hidden", "clip") and own.get("white-space") == "nowrap"
    return GONE if size <= _FAR or (cut and size >= -_FAR) else 0


def _clip(value: str, own: Mapping[str, str]) -> int:
    found = _FUNCTION.fullmatch(value)
    if found is None or found[1] != "rect" or own.get("position") not in ("absolute", "fixed"):
        return 0
    sides = [pixels(one) for one in found[2].replace(",", " ").split()]
    if len(sides) != 4:  # noqa: PLR2004
        return 0
    top, right, bottom, left = sides
    across = right - (left or 0) if right is not None else None
    down = bottom - (top or 0) if bottom is not None else None
    return GONE * (_at_most(across, _LEAST) or _at_most(down, _LEAST))


def _clip_path(value: str, _: Mapping[str, str]) -> int:
    found = _FUNCTION.match(value)
    if found is None:
        return 0
    name, given = found[1], found[2].partition(" round ")[0].partition(" at ")[0].strip()
    if name == "polygon":
        points = [[pixels(one) for one in point.split()[:2]] for point in given.split(",")]
        points = [point for point in points if len(point) == 2]  # noqa: PLR2004
        empty = bool(points) and any(len({point[axis] for point in points}) == 1 for axis in (0, 1))
    elif name == "inset":
        top, right, bottom, left = ((pixels(one) or 0) for one in _four(given))
        empty = top + bottom >= -_FAR + 100 or left + right >= -_FAR + 100
    else:
        sizes = [pixels(one) for one in given.split()]
        sizes = sizes[2:] if name == "xywh" else sizes
        empty = name in ("circle", "ellipse", "xywh") and 0 in sizes
    return GONE if empty else 0


def _overflow(value: str, own: Mapping[str, str]) -> int:
    if value.split()[:1] not in (["hidden"], ["clip"]):
        return 0
    room = any((pixels(word) or 0) > _LEAST for name in own if name.startswith("padding")
               for word in own[name].split())  # fmt: skip
    small = any(_at_most(pixels(own[name]), _LEAST) for name in _SIZES if name in own)
    small = small or pixels(own.get("line-height", "")) == 0
    return GONE if small and not room else 0


def _transform(value: str, _: Mapping[str, str]) -> int:
    said = 0
    for name, given in _FUNCTION.findall(value):
        words = given.replace(",", " ").split()
        if name.startswith("scale"):
            sizes = [number(word) for word in words[:2]]
            said |= GONE * (0 in sizes and name != "scalez")
        elif name.startswith("translate"):
            said |= GONE * any(_is_off(word) for word in words[:2] if word[-1] != "%")
        elif name in ("rotatex", "rotatey"):
            said |= GONE * (not _EDGEWISE.isdisjoint(words[:1]))
    return said


_PLACED: Final = ("absolute", "fixed", "relative")
_EDGEWISE: Final = frozenset(("90deg", "270deg", "-90deg", ".25turn", "0.25turn"))
_VISIBILITY: Final = {"hidden": UNSEEN, "collapse": UNSEEN, "visible": SEEN, "initial": SEEN}
_READERS: Final[Mapping[str, Callable[[str, Mapping[str, str]], int]]] = {
    "display": lambda value, _: GONE if value == "none" else DISPLAYED,
    "visibility": lambda value, _: _VISIBILITY.get(value, 0),
    "font-size": lambda value, _: BLANK * _at_most(pixels(value), _LEAST / 10),
    "scale": lambda value, _: GONE * (0 in [number(word) for word in value.split()[:2]]),
    "translate": lambda value, _: GONE
    * any(_is_off(word) for word in value.split()[:2] if word[-1] != "%"),
    "content-visibility": lambda value, _: GONE * (value == "hidden"),
    "opacity": _opacity, "filter": _filter, "color": _color, "-webkit-text-fill-color": _color,
    **dict.fromkeys(
        _SIDES, lambda value, own: GONE * (own.get("position") in _PLACED and _is_off(value))
    ),
    **dict.fromkeys(
        ("margin-left", "margin-top"), lambda value, _: GONE * _at_most(pixels(value), _FAR)
    ),
    "text-indent": _indent, "clip": _clip,
    "clip-path": _clip_path, "-webkit-clip-path": _clip_path, "overflow": _overflow,
    "transform": _transform, "-webkit-transform": _transform,
}  # fmt: skip

# Names

_CLASS: Final = re.compile(class_names("names of what is hidden"), re.IGNORECASE)
_NEVER_READ: Final = re.compile(WORDS["names of what is read aloud or copied"], re.IGNORECASE)
"""Names of what is read aloud alone, and of slides that a carousel shows twice."""
_SHOWN_AGAIN: Final = re.compile(rf"(?:^|\s)(?:{WORDS['names of what is shown again']})")
CLASSES: Final = Search("class", *WORDS["words in names of what is hidden"])
"""Every name by which `class_says` has one of these in it."""


@kept_of_short_texts(4096)
def class_says(names: str) -> int:
    """Return what class names say by convention."""
    if _CLASS.search(names) is None or _SHOWN_AGAIN.search(names) is not None:
        return 0
    return SURE if _NEVER_READ.search(names) is not None else GONE


def hides_itself(page: Page, row: int) -> bool:
    """Return whether an element bears a mark of hiding."""
    pairs = page.own_attributes.of(row)
    return bool(pairs) and (
        "hidden" in pairs
        or (pairs.get("aria-hidden") or "").strip().lower() == "true"
        or class_says(pairs.get("class") or "") > 0
        or style_says(pairs.get("style") or "") & (GONE | FAINT | UNSEEN) > 0
    )
