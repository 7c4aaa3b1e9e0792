"""``chaffinch vips``: a page as a tree of visual blocks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.messages import one_line, write_file, write_out
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.page_loop import EMPTY
from chaffinch.cli.render_options import loader_of, render_options
from chaffinch.cli.rendering import find_page
from chaffinch.cli.source_options import fetching as fetching_of
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.loading.own_address import addressed
from chaffinch.page.bounds import Limits
from chaffinch.segment.vips import Vips
from chaffinch.segment.vips.picture import picture as drawn

if TYPE_CHECKING:
    from chaffinch.segment.vips import Segmentation

_FINEST: Final = 10
_TEXT: Final = 60  # characters of a block's text in a line of the tree


def _svg(_context: click.Context, _option: click.Parameter, given: Path | None) -> Path | None:
    if given is not None and given.suffix.lower() != ".svg":
        raise click.BadParameter("the picture is an .svg file")
    return given


@click.command(cls=Verb)
@click.argument("page", metavar="URL|FILE|-")
@click.option(
    "--pdoc", type=click.IntRange(1, _FINEST), default=5, show_default=True,
    help="Permitted degree of coherence: 1, the page is one block, to 10, the finest blocks.",
)  # fmt: skip
@form_option(
    "text", "json", help_text="Tree for people, a block a line, or one JSON object with its boxes."
)
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), callback=_svg, metavar="FILE",
    help="Draw the blocks to this .svg file, too.",
)  # fmt: skip
@source_options
@render_options
@click.pass_context
def vips(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    page: str,
    pdoc: int,
    form: str,
    picture: Path | None,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    render: str,
    browser: str | None,
    **others: Any,
) -> None:
    """Print a page as a tree of visual blocks (VIPS).

    Each line is a block: its degree of coherence (DoC), its box in pixels (width x height + left +
    top), and the start of its text. Boxes are those of a browser with --render always; without it
    they are estimated from markup.
    """
    fetching = fetching_of(others)
    limits = Limits(max_bytes=fetching.limits.max_bytes)
    loader = loader_of(render, browser, fetching, limits)
    options = {"url": url, "encoding": encoding, "is_corpus": is_corpus}
    source = find_page(page, fetching, loader, max_bytes=limits.max_bytes, **options)
    parsed = source.as_page(limits)
    found = Vips(pdoc=pdoc)(addressed(parsed))
    if picture is not None:
        write_file(picture, drawn(found))
    if form == "json":
        write_out(json.dumps(_values(found, pdoc), ensure_ascii=False, indent=2))
    else:
        write_out("\n".join([_heading(found, pdoc), *_tree(found)]))
    context.exit(0 if len(found) else EMPTY)


def _heading(found: Segmentation, pdoc: int) -> str:
    boxes = "a browser's boxes" if found.rendered else "estimated boxes"
    return f"{len(found.leaves)} blocks at PDoC {pdoc}, {len(found)} in the tree; {boxes}"


def _tree(found: Segmentation) -> list[str]:
    """Return a line for each block, below its parent's and indented, in order of first rows."""
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
    text = text if len(text) <= _TEXT else text[: _TEXT - 1] + "…"
    names = ",".join(dict.fromkeys(map(found.page.name, found.roots(block).tolist())))
    box = f"{right - left}x{bottom - top}+{left}+{top}"
    return f"DoC {found.doc[block]:<2} {box} <{names}> {text}".rstrip()


def _values(found: Segmentation, pdoc: int) -> dict[str, Any]:
    """Return the tree as plain values for JSON; blocks by number, parents before children."""
    leaves = set(found.leaves.tolist())
    separators = found.separators
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
                "selectors": [_selector(found, row) for row in found.roots(block).tolist()],
                "text": found.text(block) if block in leaves else "",
            }
            for block, parent in enumerate(found.parent.tolist())
        ],
        "separators": [
            {
                "parent": parent,
                "horizontal": is_horizontal,
                "weight": weight,
                "box": _box(box),
            }
            for parent, is_horizontal, weight, box in zip(
                separators.parent.tolist(),
                separators.horizontal.tolist(),
                separators.weight.tolist(),
                separators.rectangle.tolist(),
                strict=True,
            )
        ],
    }


def _box(sides: list[float]) -> list[float]:
    """Return left, top, right, bottom in pixels."""
    return [round(side, 1) for side in sides]


def _selector(found: Segmentation, row: int) -> str:
    """Return the selector of an element, or of that around a text."""
    page = found.page
    return page.selector(row if page.tag[row] else int(page.parent[row]))
