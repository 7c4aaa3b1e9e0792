"""Comparison of methods on one page: what each keeps, how far they agree, the disputed blocks.

Baselines, extractors of other projects, take part by name. They give text, no rows: one keeps a
block if at least half of its runs of four words stand in that text; a shorter one, if a line is it.

A block is disputed where some methods keep at least half of its characters and others don't.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import errors
from chaffinch.caching import cached_property
from chaffinch.decision.policy import Policy
from chaffinch.evaluate.baselines import BASELINES, load_baseline
from chaffinch.evaluate.scoring import shingles, tokenize
from chaffinch.extraction.extract import extract
from chaffinch.extraction.extracted import Extract
from chaffinch.extraction.plan import prepare_method, taken_by, takes
from chaffinch.kernels.arrays import Mask, Rows
from chaffinch.loading.address import addressed
from chaffinch.methods import DEFAULT, METHODS
from chaffinch.page import Page, PageInput, parse
from chaffinch.page.bounds import Limits
from chaffinch.page.source import page_list, page_source
from chaffinch.reports.text_table import as_table
from chaffinch.segment.text_blocks import TextBlocks, text_blocks
from chaffinch.siblings import other_pages
from chaffinch.verdict import Verdict

MethodLike = str | Callable[[Page], Verdict]

STATES: Final = ("dropped", "partly kept", "kept")
"""States of a block, by the kept share of its characters: 0, below 1, and 1."""
_NO_SIBLINGS: Final = "compares the page with others of its site, and there are no siblings"
_HALF: Final = 0.5
_HEAD: Final = 200  # characters of a block that a table is given, which cuts them to its width


@dataclass(frozen=True, eq=False)
class MethodColumn:
    """One method's verdict on a page of n rows and m text blocks."""

    name: str  # of the method
    kept: Mask  # bool[n], text rows that outputs show
    rows: int  # how many rows outputs show, elements included
    length: int  # characters kept, white space folded
    share: float  # their share (0..1) of the page's shown text; 0 on a page without
    verdict: Verdict  # the verdict, for its facts
    embedded: int  # characters of content that is only in the page's embedded data
    # float64[m] in 0..1, kept share of the characters of each block
    kept_share: NDArray[np.float64]
    # float32[m] in 0..1, the method's score of each block's longest text row
    score: NDArray[np.float32]
    reasons: tuple[str, ...]  # m reasons, of the same rows

    @property
    def keep(self) -> Mask:
        """bool[m]: blocks of which at least half the characters are kept."""
        return self.kept_share >= _HALF

    @property
    def remarks(self) -> dict[str, str]:
        """Name → text of the verdict's facts, and of the length of embedded content, for people."""
        facts = self.verdict.in_words()
        if self.embedded:
            facts = {**facts, "embedded": f"{self.embedded:,} characters that no row has"}
        return facts

    def state(self, block: int) -> str:
        share = self.kept_share[block]
        return STATES[0] if share == 0 else STATES[2] if share == 1 else STATES[1]

    @classmethod
    def of(cls, extract: Extract, blocks: TextBlocks, *, name: str) -> MethodColumn:
        """Return the column of ``extract``, made from the page of ``blocks`` or an equal one."""
        page, content = blocks.page, extract.in_rows
        shown = content.kept
        kept = shown & (blocks.block >= 0)
        length = int(page.own_length[kept].sum())
        whole = _by_block(blocks, blocks.block >= 0)
        longest = _longest_rows(blocks)
        names = content.reasons
        codes = content.verdict.why[longest].tolist()
        return cls(
            name,
            kept,
            int(shown.sum()),
            length,
            length / max(float(whole.sum()), 1),
            extract.content.verdict,
            0 if extract.replaced is None else int(extract.page.own_length.sum()),
            _by_block(blocks, kept) / np.maximum(whole, 1),
            content.verdict.score[longest],
            tuple(names[code] if code < len(names) else str(code) for code in codes),
        )


def _by_block(blocks: TextBlocks, rows: Mask) -> NDArray[np.float64]:
    """Return float64[m]: characters of ``rows`` in each block."""
    weights = blocks.page.own_length[rows].astype(np.float64)
    sums = np.bincount(blocks.block[rows], weights=weights, minlength=len(blocks))
    return sums.astype(np.float64)


def _longest_rows(blocks: TextBlocks) -> Rows:
    """Return int32[m]: the longest text row of each block, the first of several."""
    rows = np.flatnonzero(blocks.block >= 0).astype(np.int32)
    block = blocks.block[rows]
    ranked = rows[np.lexsort((rows, -blocks.page.own_length[rows], block))]
    return ranked[np.flatnonzero(np.diff(block, prepend=-1))]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Methods side by side on one page.

    Attributes:
        blocks: the page's text blocks.
        columns: the result of each method on them.
        left_out: method → why it isn't among the columns.
        siblings: how many other pages of the site the methods could use.
    """

    blocks: TextBlocks
    columns: tuple[MethodColumn, ...]
    left_out: dict[str, str]
    siblings: int = 0

    @property
    def page(self) -> Page:
        """The page."""
        return self.blocks.page

    @cached_property
    def agreement(self) -> NDArray[np.float64]:
        """float64[k, k]: how far the k methods agree, Jaccard index of the characters kept.

        1 where neither of two keeps anything.
        """
        length, kept = self.page.own_length, [column.kept for column in self.columns]
        either = np.array([[length[a | b].sum() for b in kept] for a in kept], dtype=np.float64)
        both = np.array([[length[a & b].sum() for b in kept] for a in kept], dtype=np.float64)
        shares = np.where(either > 0, both / np.maximum(either, 1), 1.0)
        return shares.reshape(len(kept), len(kept))

    @cached_property
    def disputed(self) -> list[int]:
        """Numbers of the blocks that some methods keep and others don't, the longest first."""
        if not self.columns:
            return []
        votes = np.sum([column.keep for column in self.columns], axis=0)
        numbers = np.flatnonzero((votes > 0) & (votes < len(self.columns)))
        return sorted(numbers.tolist(), key=lambda number: -int(self.blocks.length[number]))

    def table(self, *, limit: int | None = 20) -> str:
        """Return the comparison as text: figures, agreement, the longest disputed blocks."""
        if limit is not None:
            errors.require_whole("limit", limit, 0)
        turns = ("", *range(1, len(self.columns) // 26 + 1))  # A to Z, then A1 and so on
        names = (f"{letter}{turn}" for turn in turns for letter in ascii_uppercase)
        columns = dict(zip(names, self.columns, strict=False))
        parts = [self._figures(columns)]
        if len(columns) > 1:
            lines = zip(columns.items(), self.agreement.tolist(), strict=True)
            rows = [[key, one.name, *line] for (key, one), line in lines]
            parts.append(as_table(["", "agreement", *columns], rows))
        parts += [f"left out: {name}: {why}" for name, why in self.left_out.items()]
        if len(columns) > 1:
            parts.append(self._disputes(columns, self.disputed[:limit]))
        return "\n\n".join(parts) + "\n"

    def _figures(self, columns: Mapping[str, MethodColumn]) -> str:
        page, blocks = self.page, self.blocks
        counts = f"{len(page)} rows, {page.own_length.sum()} characters, {len(blocks)} text blocks"
        if self.siblings:
            counts += f"; siblings: {self.siblings}"
        names = ["", "method", "rows", "characters", "share", "blocks"]
        rows = [
            [key, one.name, one.rows, one.length, one.share, int(one.keep.sum())]
            for key, one in columns.items()
        ]
        notes = [
            f"{key} {name}: {note}"
            for key, one in columns.items()
            for name, note in one.remarks.items()
        ]
        return "\n".join([counts, "", as_table(names, rows), *([""] if notes else []), *notes])

    def _disputes(self, columns: Mapping[str, MethodColumn], numbers: Sequence[int]) -> str:
        blocks = self.blocks
        length = int(blocks.length[self.disputed].sum())
        heading = f"disputed: {len(self.disputed)} blocks, {length} characters"
        if not numbers:
            return heading
        if len(numbers) < len(self.disputed):
            heading += f"; the longest {len(numbers)}:"
        rows = [
            [
                int(blocks.length[number]),
                blocks.text(number)[:_HEAD],
                *(one.state(number)[:4] for one in columns.values()),
            ]
            for number in numbers
        ]
        return f"{heading}\n\n{as_table(['characters', 'text', *columns], rows)}"

    def to_dict(self) -> dict[str, Any]:
        names = [column.name for column in self.columns]
        return {
            "url": self.page.url or None,
            "title": self.page.head.title,
            "rows": len(self.page),
            "length": int(self.page.own_length.sum()),
            "siblings": self.siblings,
            "methods": [
                {
                    "name": column.name,
                    "rows": column.rows,
                    "length": column.length,
                    "share": round(column.share, 4),
                    "blocks": int(column.keep.sum()),
                    "agreement": dict(zip(names, np.round(line, 4).tolist(), strict=True)),
                    **column.verdict.facts(),
                    "embedded": column.embedded,
                }
                for column, line in zip(self.columns, self.agreement, strict=True)
            ],
            "left_out": self.left_out,
            "blocks": [self._block(number) for number in range(len(self.blocks))],
        }

    def _block(self, number: int) -> dict[str, Any]:
        return {
            "row": int(self.blocks.first[number]),
            "selector": self.blocks.selectors[number],
            "text": self.blocks.text(number),
            "length": int(self.blocks.length[number]),
            "disputed": len({bool(column.keep[number]) for column in self.columns}) > 1,
            "verdicts": {
                column.name: {
                    "state": column.state(number),
                    "kept_share": round(float(column.kept_share[number]), 4),
                    "score": round(float(column.score[number]), 4),
                    "reason": column.reasons[number],
                }
                for column in self.columns
            },
        }


def compare(  # noqa: PLR0913  options are keyword-only
    html: PageInput,
    *,
    methods: Sequence[MethodLike] | None = None,
    favor: str | None = None,
    policy: Policy | Mapping[str, bool | None] | None = None,
    siblings: Iterable[PageInput] = (),
    url: str | None = None,
    encoding: str | None = None,
    limits: Limits | None = None,
) -> Comparison:
    """Run methods over one page and compare what they keep.

    Args:
        html: the page as `chaffinch.extract` takes it.
        methods: names of methods ("auto" for the default) and of baselines such as trafilatura, or
            callables from a page to a verdict; default: all of `chaffinch.methods.METHODS`, less
            those that can't be run, see ``left_out``.
        favor: as of `chaffinch.extract`, for those of the named methods that have it.
        policy: likewise.
        siblings: other pages of the site, for the methods that compare with them; others ignore
            them. The page itself may be among them and is left out.
        url: as of `chaffinch.extract`.
        encoding: the label the transport gave.
        limits: bounds on size and structure, and on the time of each call of a method; one that
            takes longer is left out.

    Raises:
        PageError: the page can't be parsed.
        OptionError: a method is unknown or given twice, a named one needs siblings, none has
            ``favor`` or ``policy``, or an argument is of a wrong type.
        MissingExtraError: a baseline isn't installed; the message names the pip command.
    """
    chosen = _chosen(methods)
    if favor is not None and not any(one in METHODS and takes(one, "favor") for one in chosen):
        raise errors.OptionError("none of the methods has favor")
    direct = {"favor": favor, "policy": policy}
    page = addressed(parse(html, url=url, encoding=encoding, limits=limits))
    pages = [parse(one, limits=limits) for one in page_list("siblings", siblings)]
    others = other_pages(page, pages)
    blocks = text_blocks(page)
    columns: dict[str, MethodColumn] = {}
    left_out: dict[str, str] = {}
    for name, method in chosen.items():
        if methods is None and not others and METHODS[name].needs_siblings:
            left_out[name] = _NO_SIBLINGS
            continue
        try:
            if callable(method):
                finder = prepare_method(method, policy=policy)
            elif name in BASELINES:
                columns[name] = _baseline_column(name, blocks)
                continue
            else:
                beside = others if takes(name, "siblings") else ()
                finder = prepare_method(name, siblings=beside, **taken_by(name, direct))
            own = replace(page)  # a copy has no columns that other methods derived
            found = extract(own, method=finder, limits=limits)
            columns[name] = MethodColumn.of(found, blocks, name=name)
        except (errors.PageError, errors.MissingExtraError) as error:
            if name in BASELINES and isinstance(error, errors.MissingExtraError):
                raise
            left_out[name] = str(error)
    return Comparison(blocks, tuple(columns.values()), left_out, len(others))


def _chosen(methods: Sequence[MethodLike] | None) -> dict[str, MethodLike]:
    if methods is None:
        return {name: name for name in METHODS}
    if isinstance(methods, str | bytes | Mapping) or not isinstance(methods, Iterable):
        raise errors.OptionError(f"methods are names or callables in a list, not {methods!r}")
    chosen: dict[str, MethodLike] = {}
    for one in methods:
        if callable(one):
            name = prepare_method(one).name
        else:
            name = DEFAULT if one == "auto" else one
            errors.require_one_of("method", name, ("auto", *METHODS, *BASELINES))
        if name in chosen:
            raise errors.OptionError(f"method {name} is given twice")
        chosen[name] = one
    return chosen


def _baseline_column(name: str, blocks: TextBlocks) -> MethodColumn:
    """Return the column of a baseline, made from the text that it gives for the page's source."""
    page, (call, _) = blocks.page, load_baseline(name)
    source = page_source(page)
    try:
        text = call(source, page.url or None)
    except Exception as error:  # whatever another project's code raises is its answer to the page
        raise errors.PageError(f"{type(error).__name__}: {error}") from error
    lines = [tokenize(line) for line in text.splitlines()]
    runs = {*shingles([word for line in lines for word in line]), *map(tuple, lines)}
    keep = np.zeros(len(page), dtype=bool)
    for number in range(len(blocks)):
        own = shingles(tokenize(blocks.text(number)))
        if own and sum(n for run, n in own.items() if run in runs) >= _HALF * own.total():
            keep |= blocks.block == number
    found = extract(page, method=lambda _: keep)
    column = MethodColumn.of(found, blocks, name=name)
    said = ("not in its text", "in its text")
    return replace(column, reasons=tuple(said[is_kept] for is_kept in column.keep.tolist()))
