"""Signals of the content that the page-level model finds: how much, where it ends, what is beside.

The frame of a site may hold more prose than an article; what of it is content, the model
(`chaffinch.model.block_scores`) scores by block. Boxes behind the content, forms beside a heading,
elements that are empty or named for content that they don't hold are known by the order of the page
and by elements that share a parent, in any language.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from chaffinch.assessment.page_signals import (
    ENDS,
    FEW,
    LONG,
    MOST_ROWS,
    OPEN_ENDS,
    PRESSED,
    PRICE,
    SENTENCE_ENDS,
    MeasuredPage,
    Signal,
    counted,
    emptiness_of,
    first_rows,
    given,
    log_of,
    middling,
)
from chaffinch.kernels.arrays import marked
from chaffinch.page import tags
from chaffinch.page.flattening import siblings_before

_STEPS: Final = (60, 200, 600, 1500)  # characters of content
_BETWEEN, _NEAR = 200, 60  # rows
_FAR: Final = 1 << 20  # rows
_SHORT: Final = 300  # characters
_AROUND: Final = 500.0
"""Characters around a heading and a field at which they belong together by half."""
_DESCRIBED: Final = 50  # characters of a description or headline that are looked for in the text
_WORD: Final = 6.0  # characters of a word, with what parts it from the next
_MOST: Final = 40  # rows that are looked at, characters of names that are compared
_PASSED, _BOXES_READ = 4, 3  # boxes behind the content that are passed by, or make up one offer
_LINKS: Final = tags.table(["a"])
_BUTTONS: Final = tags.table(["button"])
_PRESSED_OR_CHOSEN: Final = tags.table("a button input select".split())
_BUTTONS_AND_INPUTS: Final = tags.table("button input".split())
_FIELDS: Final = tags.table("input select textarea".split())
_TITLED: Final = tags.table("h1 h2 h3 h4 h5 h6 legend b strong".split())
_BOXES: Final = tags.table("aside form dialog".split())
_SITE_FRAME: Final = tags.table("nav header footer".split())
_SECTIONS: Final = tags.table("h1 h2 h3 h4".split())
_CONTENT_NAMES: Final = tuple("content article story entry post body detail text".split())
"""Parts of class names and ids of elements that are the place of the content."""
_AT_START: Final = ("/", "./", "/index.html", "index.html", "/index.php")
"""Addresses that lead to a site's first page."""
_PARTED: Final = re.compile(r"\s[|\-–—·:»/]\s|\s?[_｜]\s?")
"""Where a title parts what it names from the site's name."""
_NAME, _SHORTEST = 2, 4  # characters of a name, and of one of ASCII


def place_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands behind the content, beside a password's field, and in place of text."""
    long = found.long_content
    yield from _box_signals(found, "content", int(long[-1]) if len(long) else -1, found.content)
    yield from _box_signals(found, "main content", _end_of_main(found), found.most_held)
    yield from _secret_signals(found)
    yield from _hole_signals(found)
    yield from _name_signals(found)


def _end_of_main(found: MeasuredPage) -> int:
    """Return the last block of content beside most of the content; -1 for none."""
    if not found.most_held:
        return -1
    most = int(np.bincount(found.holders, found.content_prose).argmax())
    return int(np.flatnonzero((found.holders == most) & found.is_content)[-1])


def _box_signals(found: MeasuredPage, what: str, last: int, held: float) -> Iterator[Signal]:
    """Yield what the outermost element behind a block of content holds."""
    page, box, some = found.page, _box_behind(found, last), middling(held)
    where = (box,) if box >= 0 else ()
    prose = found.prose_in([*where])
    inside = page.tag[box : page.end[box]] if box >= 0 else page.tag[:0]
    pressed, buttons = int(PRESSED[inside].sum()), int(_BUTTONS_AND_INPUTS[inside].sum())
    alike = float(box >= 0 and _is_like_the_one_before(found, box))
    in_chrome = float(box >= 0 and found.chrome_rows[box])
    yield f"text of the box behind the {what}", log_of(prose) * some, where
    yield f"to be pressed in the box behind the {what}", log_of(pressed) * some, where
    yield f"buttons and fields in the box behind the {what}", log_of(buttons) * some, where
    yield f"box behind the {what} is like the one before", alike * some, where
    yield f"box behind the {what} is chrome", in_chrome * some, where
    # An offer that stands behind what can be read of a page is short.
    offers = 15 <= prose <= 400 and 0 < pressed <= 8 and not alike and not in_chrome  # noqa: PLR2004
    yield f"box behind the {what} offers", float(offers) * some, where
    priced = offers and bool(PRICE.search(page.folded(box).lower()))
    yield f"box behind the {what} has a price", float(priced) * some, where
    rest = 0.0
    if box >= 0:
        parent = max(int(page.parent[box]), 0)
        rest = found.prose_in([parent]) - found.prose_between(parent, box) - prose
    yield f"text behind the box behind the {what}", log_of(max(rest, 0.0)) * some, ()


def _box_behind(found: MeasuredPage, last: int) -> int:
    """Return the outermost element that begins behind a block and holds the next; -1 for none.

    Elements like the ones before them, as the posts of a thread, are passed by.
    """
    first, box = found.blocks.first, -1
    for _ in range(_PASSED):
        if last < 0 or last + 1 >= len(first):
            break
        box = _next_box(found, last)
        if not _is_like_the_one_before(found, box):
            break
        last = int(np.searchsorted(first, found.page.end[box])) - 1
    return box


def _next_box(found: MeasuredPage, last: int) -> int:
    """Return the outermost element that begins behind a block and holds the next, which exists."""
    parents, stop = found.page.parent, int(found.blocks.last[last]) - 1
    box = int(found.blocks.first[last + 1])
    while parents[box] > stop:
        box = int(parents[box])
    return box


def _is_like_the_one_before(found: MeasuredPage, row: int) -> bool:
    """Return whether the element before a row has the same tag and class names."""
    page, before = found.page, next(siblings_before(found.page, row), -1)
    same = before >= 0 and page.tag[before] == page.tag[row]
    return bool(same and page.attribute(before, "class") == page.attribute(row, "class"))


def _secret_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands between heading and password field, and whether a button repeats it."""
    page, empty, secrets = found.page, found.emptiness, found.secrets
    name, heading = _name(found), found.main_heading
    if not found.is_titled and len(name) >= _NAME:  # or a short text that begins as the title does
        heading = next((row for row, text in found.short if text.startswith(name)), heading)
    behind = [row for row in secrets if row > heading >= 0]
    links, text = 0, 0.0
    if behind:
        links = int(_LINKS[page.tag[heading : behind[0]]].sum())
        text = found.prose_between(heading, behind[0])
    where = first_rows(behind)
    yield "links between the heading and a password field", log_of(links), where
    yield "text between the heading and a password field", log_of(text), where
    near = 1 / (1 + links + text / LONG) if behind else 0.0
    yield "password field next to the heading, little content", near * empty, where
    named = {found.title, *(words for _, words in found.first_headings)}
    buttons = np.flatnonzero(_BUTTONS_AND_INPUTS[page.tag])[:_MOST].tolist()
    repeating = [row for row in buttons if _repeats(found, row, named)]
    yield given("a button repeats the heading", repeating)
    both = float(bool(repeating and secrets)) * empty
    yield "a button repeats the heading, a password field", both, first_rows(repeating)
    before = found.prose_between(0, secrets[0]) if secrets else 0.0
    share = before / max(found.all_prose, 1.0)
    yield "share of text before a password field", share * empty, ()


def _repeats(found: MeasuredPage, row: int, named: set[str]) -> bool:
    """Return whether the text of a button stands in one of some texts, at its beginning."""
    page = found.page
    is_input = page.name(row) == "input"
    text = (page.attribute(row, "value") or "" if is_input else page.folded(row)).strip().lower()
    least = _SHORTEST if text.isascii() else _NAME
    return len(text) >= least and any(text in one[:_MOST] for one in named)


def _name(found: MeasuredPage) -> str:
    """Return what the title names, without the site's name."""
    parts = [one.strip() for one in _PARTED.split(found.title)]
    return (parts[0] if len(parts[0]) >= _NAME else max(parts, key=len))[:_MOST]


def _hole_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield which empty elements wait to be filled, and the text for clients without scripts."""
    page, thin, holes = found.page, found.thinness, found.holes
    marked = [
        row
        for row in holes[:_MOST].tolist()
        if "-" in page.name(row)
        or any(one == "id" or one.startswith("data-") for one in page.attributes(row))
    ]
    yield counted("empty elements that are marked, thin content", marked, thin)
    yield counted("busy elements", found.having("aria-busy", "true"))
    warned = found.rows_of("noscript")
    length = log_of(float(page.length[warned].sum()))
    yield "text for pages without scripts, thin content", length * thin, first_rows(warned)
    alone = holes[page.depth[holes] <= page.depth[page.body] + 3]
    yield counted("empty elements near the top level, thin content", alone, thin)


def _name_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether the text lacks what the title names, and whether a link leads to the start.

    The title of a form to sign in may well stand on its button alone.
    """
    name = _name(found)
    lacks = len(name) >= _NAME and not found.secrets and name not in found.text
    yield "the text lacks what the title names, thin content", float(lacks) * found.thinness, ()
    links = [row for row, value in found.page.having("href") if value.strip() in _AT_START]
    back = [row for row in links if not found.chrome_rows[row]]
    yield counted("link to the start outside chrome, little content", back, found.emptiness)
    behind = [row for row in back if row > found.main_heading >= 0]
    yield given("link to the start behind the heading, little content", behind, found.emptiness)


def content_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what the page-level model finds of content, and what stands where it ends."""
    prose, score, content = found.prose, found.score, found.content
    rows = first_rows(found.blocks.first[found.is_content])
    yield "content", log_of(content), rows
    yield "content, weighed by scores", log_of(float((prose * score).sum())), ()
    for least in _STEPS:
        yield f"content of {least} characters", float(content >= least), rows
    yield "share of the text that is content", content / max(found.all_prose, 1.0), rows
    yield "some content", middling(content), rows
    yield "highest score", float(score.max(initial=0.0)), ()
    yield "highest score of a long block", float(score[prose >= LONG].max(initial=0.0)), ()
    yield "longest run of content", log_of(_longest_run(found)), ()
    yield "blocks of content", log_of(int(found.is_content.sum())), ()
    for name, chance in found.kinds.items():
        yield f"page type: {name}", chance, ()
    yield from _end_signals(found)


def _longest_run(found: MeasuredPage) -> float:
    sums = np.cumsum(found.content_prose)
    breaks = np.flatnonzero(~found.is_content)
    at = np.concatenate([[0.0], sums[breaks], sums[-1:]])
    return float(np.diff(at).max()) if len(sums) else 0.0


def _end_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how the content ends, and whether something that can be pressed stands behind it."""
    blocks, page = found.blocks, found.page
    last = int(found.long_content[-1]) if len(found.long_content) else -1
    text = blocks.text(last) if last >= 0 else ""
    where = (int(blocks.first[last]),) if last >= 0 else ()
    some, is_open = middling(found.content), float(text.endswith(OPEN_ENDS))
    unended = float(bool(text) and not text.endswith(SENTENCE_ENDS))
    yield "content ends open", is_open, where
    yield "content ends open, some content", is_open * some, where
    yield "content ends in a sentence", unended * some, where
    after = slice(last + 1, last + 5)  # the next blocks
    behind = found.prose[after] if last >= 0 else np.zeros(0)
    start = int(blocks.last[last]) if last >= 0 else 0
    stop = int(blocks.last[after][-1]) if last >= 0 and len(blocks.last[after]) else start
    pressed = np.flatnonzero(_PRESSED_OR_CHOSEN[page.tag[start:stop]]) + start
    yield "text behind the content", log_of(float(behind.sum())) * some, ()
    yield counted("to be pressed behind the content", pressed, some)
    offered = (behind >= LONG / 3) & (behind < LONG * 5)
    yield "an offer behind the content", float(bool(offered.any() and len(pressed))) * some, ()
    left = found.prose[last + 1 :].sum() / max(found.all_prose, 1.0) if last >= 0 else 1.0
    yield "share of text behind the content", float(left), ()
    yield "declared longer than the content", _declared_more(found), ()


def _declared_more(found: MeasuredPage) -> float:
    """Return the logarithm of the declared length by that of the content; 0 where none is."""
    declared = 0.0
    for _, node in found.page.head.json_ld:
        count: Any = node.get("wordCount")
        if isinstance(count, str) and len(count) < LONG and count.strip().isdecimal():
            count = int(count)
        if isinstance(count, int) and not isinstance(count, bool):
            declared = max(declared, _WORD * min(count, 1_000_000))
        body = node.get("articleBody")
        declared = max(declared, float(len(body)) if isinstance(body, str) else 0.0)
    if not declared:
        return 0.0
    return float(np.clip(log_of(declared) - log_of(found.content), -1.0, 5.0))


def teaser_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how much of the content one element holds, and whether the declared one is there.

    What the page-level model takes for content beside links and below links of its own are teasers.
    """
    content, most, thin, blocks = found.content, found.most_held, found.thinness, found.blocks
    yield "content of one element", log_of(most), ()
    yield "share of the content in one element", most / max(content, 1.0), ()
    for least in _STEPS:
        yield f"content of one element, {least} characters", float(most >= least), ()
    yield "thinness", thin, ()
    linked = blocks.link_length * 2 > blocks.length
    is_behind = np.append(False, linked[:-1])[: len(linked)] & found.is_content
    behind_links = float(found.prose[is_behind].sum())
    yield "behind links, share of the content", behind_links / max(content, 1.0), ()
    yield "declared an article, thin content", found.declares_article * thin, ()
    described = found.page.head.first_meta("og:description", "description").lower()[:_DESCRIBED]
    known = len(described) == _DESCRIBED
    there = known and described in found.text
    yield "description is in the text", float(there), ()
    yield "description isn't in the text, thin content", float(known > there) * thin, ()
    holes, heading = found.holes, found.main_heading
    first = blocks.first[found.prose >= LONG]
    next_prose = int(first[first > heading].min(initial=_FAR))
    gap = ((holes > heading) & (holes < next_prose)).any()
    is_gap = float(heading >= 0 and bool(gap))
    yield "empty element before the first prose, thin content", is_gap * thin, ()
    alike = np.unique(found.page.shape_hash[holes], return_counts=True)[1].max(initial=0)
    yield "empty elements alike, thin content", log_of(alike) * thin, ()


def heading_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands below the heading that the title names, and what shares its element."""
    page, empty, row = found.page, found.emptiness, found.main_heading
    where = (row,) if row >= 0 else ()
    named = float(found.is_titled)
    yield "heading of the title", named, where
    yield "no heading of the title, little content", (1 - named) * empty, ()
    stop = next((one for one in found.headings if one > row), len(page)) if row >= 0 else 0
    length = found.prose_between(row + 1, stop) if row >= 0 else 0.0
    yield "text below the heading of the title", log_of(length), where
    yield "a short text below the heading of the title", float(0 < length < _SHORT) * empty, where
    yield "nothing below the heading of the title", float(row >= 0 and length == 0) * empty, where
    start = int(page.end[row]) if row >= 0 else 0
    near = page.tag[start : min(stop, start + _BETWEEN)]
    for name, tags_of in (("links", _LINKS), ("buttons", _BUTTONS), ("fields", _FIELDS)):
        count = int(tags_of[near].sum())
        yield f"{name} below the heading of the title, little content", log_of(count) * empty, ()
    around = min((_text_around(found, row, one) for one in found.secrets[:MOST_ROWS]), default=-1.0)
    closeness = 1 / (1 + (around / _AROUND) ** 2) if row >= 0 and around >= 0 else 0.0
    yield "password field by the heading of the title", closeness, where


def _text_around(found: MeasuredPage, one: int, other: int) -> float:
    page = found.page
    low, high = sorted((max(one, 0), other))
    while page.end[low] <= high and page.parent[low] >= 0:
        low = int(page.parent[low])
    return float(page.length[low])


def frame_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what is beside the content: empty elements, dialogs, fields, and where they stand."""
    empty, holes, heading, secrets = (
        found.emptiness, found.holes, found.first_heading, found.secrets,
    )  # fmt: skip
    yield counted("empty elements", holes)
    yield counted("empty elements, little content", holes, empty)
    near = ((holes > heading) & (holes < heading + _BETWEEN)).any() and heading >= 0
    yield "empty element behind the heading, little content", float(bool(near)) * empty, ()
    roles = {*found.having("role", "dialog", "alertdialog"), *found.having("aria-modal", "true")}
    dialogs = sorted(roles.union(found.rows_of("dialog")))
    share = found.prose_in(dialogs) / max(found.all_prose, 1.0)
    yield counted("dialogs", dialogs)
    yield "share of text in dialogs", share, first_rows(dialogs)
    checked = [row for row, kind in found.types.items() if kind == "checkbox"]
    yield counted("checkboxes, little content", checked, empty)
    searched = sorted({*found.having("type", "search"), *found.having("role", "search")})
    yield counted("fields to search by", searched)
    outside = any(not found.chrome_rows[row] for row in searched)
    yield "search outside chrome, little content", float(outside) * empty, ()
    gap = min((row - heading for row in secrets if row > heading >= 0), default=_FAR)
    yield "password field near behind the heading", empty * float(gap < _BETWEEN), ()
    yield given("password field before the heading", [row for row in secrets if row < heading])
    alone = found.prose[found.blocks.first > heading][:2] if heading >= 0 else found.prose[:0]
    is_short = float(0 < float(alone.sum()) < LONG * 4)
    yield "a short text behind the heading", is_short * empty, ()
    yield "declared an article, little content", found.declares_article * empty, ()


def main_end_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how what one element holds of the content ends, and what comes next."""
    last, some, blocks = _end_of_main(found), middling(found.most_held), found.blocks
    text = blocks.text(last) if last >= 0 else ""
    where = (int(blocks.first[last]),) if last >= 0 else ()
    yield "main content ends open", float(text.endswith(OPEN_ENDS)) * some, where
    unended = float(bool(text) and not text.endswith(SENTENCE_ENDS))
    yield "main content ends in a sentence", unended * some, where
    paragraphs = 0
    if last >= 0:
        paragraphs = int((found.holders[found.long_content] == found.holders[last]).sum())
    few = 1 / (1 + (paragraphs / FEW) ** 2) if paragraphs else 0.0
    yield "paragraphs of the main content", log_of(paragraphs), where
    offer, box, stop = _offer_behind(found, last)
    at = (box,) if offer else ()
    yield "offer behind the main content", offer, at
    yield "offer behind few paragraphs", offer * few, at
    yield "offer behind a declared article", offer * found.declares_article * few, at
    above = float(found.content_prose[: last + 1].sum())
    rest = found.is_content & (blocks.first >= stop)
    behind = float(found.prose[rest].sum()) if offer else 0.0
    ends = float(behind < ENDS * above) * offer
    yield "offer ends the content", ends, at
    yield "offer ends few paragraphs", ends * few, at
    start = int(blocks.last[last]) if last >= 0 else 0
    until = start + _NEAR if start else 0
    hidden = [row for row in found.having("aria-hidden", "true") if start <= row < until]
    yield counted("hidden from readers behind the content", hidden, some)
    holes = found.holes[(found.holes >= start) & (found.holes < until)]
    yield counted("empty elements behind the content", holes, some)


def _offer_behind(found: MeasuredPage, last: int) -> tuple[float, int, int]:
    """Return how much what stands behind a block is like an offer, 0..1, its first row and its end.

    An offer may be several elements beside each other: a line, a price, a button.
    """
    page, start = found.page, -1
    for _ in range(_BOXES_READ):
        if last < 0 or last + 1 >= len(found.blocks.first):
            break
        box = _next_box(found, last)
        if found.chrome_rows[box] and not _BOXES[page.tag[box]]:
            break
        start = box if start < 0 else start
        stop = int(page.end[box])
        if likeness := _like_an_offer(found, start, stop):
            return likeness, start, stop
        last = int(np.searchsorted(found.blocks.first, stop)) - 1
    return 0.0, -1, -1


def _like_an_offer(found: MeasuredPage, start: int, stop: int) -> float:
    """Return how much rows are like an offer, 0..1: short, with a title and a few to press."""
    tag = found.page.tag[start:stop]
    is_short = 15 <= found.prose_between(start, stop) <= 600  # noqa: PLR2004  characters
    if not (is_short and 0 < PRESSED[tag].sum() <= 12):  # noqa: PLR2004  a few
        return 0.0
    return 1.0 if _TITLED[tag].any() or _BOXES[tag].any() else 0.5


def named_place_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what the elements hold that are declared, or named, as the place of the content."""
    page, thin = found.page, found.thinness
    sums = np.append(0.0, np.cumsum(found.content_prose))
    mains = [row for row, role in page.having("role") if role == "main"]
    declared = sorted([*found.rows_of("main", "article"), *mains])
    named = _named_as_content(found)
    for what, rows in (("declared", declared), ("named", named)):
        at = np.searchsorted(found.blocks.first, np.array(rows, dtype=np.intp))
        to = np.searchsorted(found.blocks.first, page.end[rows])
        most = float((sums[to] - sums[at]).max(initial=0.0))
        value = emptiness_of(most) if rows else 0.0
        yield f"elements {what} as the content hold none", value, first_rows(rows)
        holes = [row for row in rows[:_MOST] if page.length[row] < LONG / 2]
        yield counted(f"empty elements {what} as the content", holes, thin)
    by_name = 0.0
    if named and len(found.prose):
        is_named = marked(len(page), named)
        holders = found.holders
        inside = is_named[holders] | is_named[np.maximum(page.parent[holders], 0)]
        by_name = float(np.bincount(holders, found.content_prose * inside).max())
    yield "content beside an element's name", log_of(by_name), ()
    yield "no content by an element's name", emptiness_of(by_name) * float(bool(named)), ()
    alone = float(found.prose[found.is_lone].sum())
    yield "content outside repeated elements", log_of(alone), ()
    yield "share of the content in repeated elements", 1 - alone / max(found.content, 1.0), ()
    yield "no content outside repeated elements", emptiness_of(alone), ()


def _named_as_content(found: MeasuredPage) -> list[int]:
    """Return the rows of containers outside chrome that are called as the content is, in order."""
    page, names = found.page, _CONTENT_NAMES
    rows = {*page.rows_holding("class", *names), *page.rows_holding("id", *names)}
    return sorted(row for row in rows if row > page.body and not found.chrome_rows[row])


def lack_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield which empty elements stand beside the frame of the site, and what is loaded."""
    page, thin, holes = found.page, found.thinness, found.holes[:_MOST]
    frames = _SITE_FRAME[page.tag]
    frames |= (page.link_length * 2 > page.length) & (page.length > LONG)
    beside = holes[np.isin(page.parent[holes], page.parent[frames])]
    yield given("empty element beside the frame, thin content", beside, thin)
    yield "scripts, thin content", log_of(len(found.rows_of("script"))) * thin, ()
    head = page.head
    headlines = (str(node["headline"]) for _, node in head.json_ld if node.get("headline"))
    named = head.first_meta("og:title", "twitter:title") or next(headlines, "")
    lacks = bool(named) and " ".join(named.lower().split())[:_DESCRIBED] not in found.text
    yield "the text lacks the declared title, thin content", float(lacks) * thin, ()
    later = found.blocks.first > max(found.main_heading, 0)
    unlinked = int((later & (found.prose >= LONG) & ~found.in_chrome).sum())
    yield "blocks without links, thin content", log_of(unlinked) * thin, ()


def gap_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands between the main heading and the first content behind it.

    Where the content is missing, what is taken for content stands in another section.
    """
    page, heading, thin = found.page, found.main_heading, found.thinness
    long = found.blocks.first[found.long_content]
    later = long[long > heading] if heading >= 0 else long[:0]
    start = int(page.end[heading]) if heading >= 0 else 0
    stop = int(later[0]) if len(later) else start
    between = page.tag[start:stop]
    yield "content behind the heading, thin content", float(bool(len(later))) * thin, ()
    links, others = int(_LINKS[between].sum()), int(_SECTIONS[between].sum())
    yield "links between heading and content, thin content", log_of(links) * thin, ()
    yield "headings between heading and content, thin content", log_of(others) * thin, ()
    holes = found.holes[(found.holes >= start) & (found.holes < stop)]
    yield counted("empty elements between heading and content", holes, thin)
    close = 1 / (1 + links + 2 * others + 2 * len(holes)) if len(later) else 0.0
    yield "content next to the heading", close, ()
    yield "content next to the heading, thin content", close * thin, ()
    ahead = int((long < heading).sum()) if heading >= 0 else 0
    yield "content before the heading, thin content", log_of(ahead) * thin, ()
