"""``chaffinch explain``: why each part of a page was kept or dropped, and its visual blocks."""

from collections.abc import Sequence
from typing import Any, Final

import click

from chaffinch.cli.options import Option, form_option, refuse, verb
from chaffinch.cli.pages import PAGE, READING, RECORD, RENDERING, Reading
from chaffinch.cli.streams import one_line, write_out
from chaffinch.cli.work import EMPTY, METHOD, extract_of
from chaffinch.decision.rules import CHOICE
from chaffinch.extraction.extracted import Extract
from chaffinch.extraction.plan import Explained, explained_values
from chaffinch.loading.address import addressed
from chaffinch.page_work import PageWork
from chaffinch.reports.text_table import as_table
from chaffinch.segment import vips
from chaffinch.segment.vips import Segmentation
from chaffinch.verdict import Contribution, RuleChange
from chaffinch.wording import counted

Numbered = tuple[int, Explained]

_TEXT: Final = 32
_SELECTOR: Final = 40
"""Characters of a block's text, from its start, and of its selector, to its end, in the table."""
_BLOCK_TEXT: Final = 60  # characters of a visual block's text in a line of the tree
_FINEST: Final = 10
_TEXTS: Final = "--blocks text"
_VISUAL: Final = "--blocks vips"


@verb(
    PAGE,
    form_option(
        "text", "json",
        meaning="Lines for people, one a block, or one JSON object with all that is known.",
    ),
    Option(
        "--kept/--dropped", default=None, needs=_TEXTS,
        help="Only the blocks that were kept, or dropped.",
    ),
    Option(
        "--find", "wanted", default="", metavar="TEXT", needs=_TEXTS,
        help="Only the blocks that hold this text, in any case, in full.",
    ),
    Option(
        "--block", "numbers", type=click.IntRange(min=0), multiple=True, metavar="N",
        needs=_TEXTS, help="Only this block, in full; may be repeated.",
    ),
    *METHOD,
    Option(
        "--blocks", type=click.Choice(["text", "vips"]), default="text", heading="Visual blocks",
        help="Blocks of text and the verdict on each, or the tree of visual blocks (VIPS).",
    ),
    Option(
        "--pdoc", type=click.IntRange(1, _FINEST), default=5, metavar="N",
        heading="Visual blocks", needs=_VISUAL,
        help="Permitted degree of coherence of visual blocks: 1, the page is one block, to 10, the "
        "finest.",
    ),
    RECORD,
    *READING,
    *RENDERING,
    examples=(
        "chaffinch explain story.html --find newsletter",
        "chaffinch explain story.html --blocks vips --render always",
    ),
)  # fmt: skip
def explain(given: dict[str, Any]) -> int:
    """Explain why each part of a page was kept or dropped.

    A line for each text block: its number, whether it was kept, its score, the rule that decided,
    and the groups of features that spoke most for it and against it, in log-odds. --block and
    --find show all that is known of some: every group, every rule that changed it, its slot in
    the site's template.

    With --blocks vips, each line is a visual block: its degree of coherence (DoC), its box in
    pixels (width x height + left + top), and the start of its text. Boxes are those of a browser
    with --render always; without it they are estimated from markup.
    """
    if given["blocks"] == "vips":
        refuse(f"goes with {_TEXTS}", METHOD)
        return _visual_blocks(given)
    found = extract_of(given["page"], given)
    every = list(enumerate(found.explain()))
    numbers, wanted = given["numbers"], given["wanted"]
    chosen = _chosen(every, numbers, wanted, kept=given["kept"])
    if given["form"] == "json":
        write_out(explained_values(found, chosen))
    elif numbers or wanted:
        write_out("\n\n".join("\n".join(_in_full(*one)) for one in chosen))
    else:
        write_out(_heading(found, every) + _table(chosen))
    return 0 if every else EMPTY


def _chosen(
    every: list[Numbered], numbers: Sequence[int], wanted: str, *, kept: bool | None
) -> list[Numbered]:
    for number in numbers:
        if number >= len(every):
            raise click.UsageError(f"--block {number}: the page has {len(every)} blocks, from 0")
    is_any = not numbers and not wanted
    folded = " ".join(wanted.split()).casefold()
    chosen = [
        (number, one)
        for number, one in every
        if (is_any or number in numbers or (folded and folded in one.text.casefold()))
        and kept in (None, one.keep)
    ]
    if not (chosen or is_any):
        what = {None: "", True: "that was kept ", False: "that was dropped "}[kept]
        which = f"holds {wanted!r}" if wanted else "is among these"
        raise click.UsageError(f"no block of the page {what}{which}")
    return chosen


def _heading(found: Extract, every: list[Numbered]) -> str:
    kept = sum(one.keep for _, one in every)
    parts = [f"{kept} of {len(every)} blocks kept by {found.method}"]
    if found.page_type:
        parts.append(f"page type {found.page_type}")
    if thresholds := {one.threshold for _, one in every} - {None}:
        (threshold,) = thresholds
        parts.append(f"kept from a score of {threshold:.2f}")
    if found.source:
        parts.append(f"content from {found.source}")
    return "; ".join(parts) + "\n\n"


def _table(every: list[Numbered]) -> str:
    names = ["block", "kept", "score", "decided by", "for", "against", "text", "selector"]
    rows = [
        [
            number,
            "kept" if one.keep else "dropped",
            f"{one.score:.2f}",
            "score" if one.rule == CHOICE else one.rule or one.reason,
            _strongest(one.supporting),
            _strongest(one.opposing),
            _start(one.text, _TEXT),
            _start(one.selector[::-1], _SELECTOR)[::-1],
        ]
        for number, one in every
    ]
    return as_table(names, rows)


def _strongest(some: Sequence[Contribution]) -> str:
    return f"{some[0].group} {some[0].log_odds:+.1f}" if some else ""


def _start(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _in_full(number: int, one: Explained) -> list[str]:
    parts = {
        "text": [one.text],
        "selector": [one.selector],
        "because": [one.reason],
        "threshold": [] if one.threshold is None else [f"{one.threshold:.2f}"],
        "slot": [one.slot] if one.slot else [],
        "rules": [_of_change(change) for change in one.changes],
        "for": [_of_group(piece) for piece in one.supporting],
        "against": [_of_group(piece) for piece in one.opposing],
    }
    state = "kept" if one.keep else "dropped"
    lines = [f"block {number}: {state}, score {one.score:.2f}"]
    for name, values in parts.items():
        lines += [f"  {'' if at else name:<9} {one_line(value)}" for at, value in enumerate(values)]
    return lines


def _of_change(change: RuleChange) -> str:
    parts = []
    if change.before != change.after:
        parts.append(f"score {change.before:.2f} to {change.after:.2f}")
    if change.keep is not None:
        parts.append("kept" if change.keep else "dropped")
    return f"{change.rule}: {', '.join(parts)}"


def _of_group(piece: Contribution) -> str:
    value = f" ({piece.value})" if piece.value else ""
    return f"{piece.log_odds:+.2f} {piece.group}{value}"


# --- Visual blocks ----------------------------------------------------------------------------


def _visual_blocks(given: dict[str, Any]) -> int:
    reading, pdoc = Reading.of(given), given["pdoc"]
    page = reading.one(given["page"]).as_page(reading.limits)
    with PageWork("cutting it into visual blocks", reading.limits.seconds):
        found = vips.Vips(pdoc=pdoc)(addressed(page))
    if given["form"] == "json":
        write_out(_values(found, pdoc))
    else:
        boxes = "a browser's boxes" if found.rendered else "estimated boxes"
        leaves = counted(len(found.leaves), "block")
        counts = f"{leaves} at PDoC {pdoc}, {len(found)} in the tree; {boxes}"
        write_out("\n".join([counts, *_tree(found)]))
    return 0 if len(found) else EMPTY


def _tree(found: Segmentation) -> list[str]:
    below: dict[int, list[int]] = {}
    for block, parent in enumerate(found.parent.tolist()):
        below.setdefault(parent, []).append(block)
    lines: list[str] = []
    waiting = [(block, 0) for block in below.get(-1, [])]
    while waiting:
        block, depth = waiting.pop()
        lines.append("  " * depth + _block(found, block, is_leaf=block not in below))
        children = sorted(below.get(block, ()), key=lambda one: -int(found.roots(one)[0]))
        waiting += [(child, depth + 1) for child in children]
    return lines


def _block(found: Segmentation, block: int, *, is_leaf: bool) -> str:
    left, top, right, bottom = (round(side) for side in found.rectangle[block].tolist())
    text = one_line(" ".join(found.text(block).split())) if is_leaf else ""
    names = ",".join(dict.fromkeys(map(found.page.name, found.roots(block).tolist())))
    box = f"{right - left}x{bottom - top}+{left}+{top}"
    return f"DoC {found.doc[block]:<2} {box} <{names}> {_start(text, _BLOCK_TEXT)}".rstrip()


def _values(found: Segmentation, pdoc: int) -> dict[str, Any]:
    leaves, separators = set(found.leaves.tolist()), found.separators
    names = ("parent", "horizontal", "weight", "rectangle")
    columns = (getattr(separators, name).tolist() for name in names)
    return {
        "url": found.page.url or None,
        "pdoc": pdoc,
        "rendered": found.rendered,
        "blocks": [
            {
                "block": block,
                "parent": None if parent < 0 else parent,
                "doc": int(found.doc[block]),
                "leaf": block in leaves,
                "box": _box(found.rectangle[block].tolist()),
                "rows": found.roots(block).tolist(),
                "selectors": [found.page.selector(row) for row in found.roots(block).tolist()],
                "text": found.text(block) if block in leaves else "",
            }
            for block, parent in enumerate(found.parent.tolist())
        ],
        "separators": [
            {"parent": parent, "horizontal": is_horizontal, "weight": weight, "box": _box(box)}
            for parent, is_horizontal, weight, box in zip(*columns, strict=True)
        ],
    }


def _box(sides: list[float]) -> list[float]:
    return [round(side, 1) for side in sides]
