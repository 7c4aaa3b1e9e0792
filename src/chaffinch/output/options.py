"""What outputs show of the content: one object that goes from the caller to every renderer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from chaffinch.errors import OptionError, require_flag, require_kind, require_one_of, require_whole
from chaffinch.lists import labelled

POSTS: Final = ("plain", "named")
PARTS: Final = (
    "metadata", "outline", "assessment", "blocks", "chunks", "html", "images", "tables",
    "code_blocks", "formulas", "embeds", "posts", "comments", "records",
)  # fmt: skip
"""What JSON holds only where it is requested, in the order of output."""
_MARKDOWN: Final = ("markdown", "json")
_MARKUP: Final = (*_MARKDOWN, "html", "tei")
ACTS_ON: Final = {
    **dict.fromkeys(("links", "images", "tables", "emphasis", "rows"), _MARKUP),
    **dict.fromkeys(("max_tokens", "section"), _MARKDOWN),
    "posts": ("text", *_MARKDOWN),
    "front_matter": ("text", "markdown", "html"),
    "formula_cells": ("csv", "records-csv"),
    "parts": ("json",),
    "chunk_tokens": ("json",),
    "fields": ("json",),
}
"""Field of `OutputOptions` → forms of output that it acts on."""


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """What is shown of the content besides its text; each output takes what it has a form for.

    Attributes:
        links: links with their URLs; else only their text.
        images: images with their URLs and alternative texts; else left out.
        tables: tables that hold data as tables; else a paragraph a cell.
        emphasis: bold, italic, struck and the like; else only their text.
        front_matter: text, Markdown and HTML begin with the metadata as YAML.
        formula_cells: of CSV, cells that spreadsheets take for formulas as they are; else defused.
        rows: where on the page each block came from, see docs/outputs.md.
        posts: of Markdown and text: "named" for a line above each post of a thread, with its author
            and date, in the place of its own; "plain" for none; None for such lines in
            Markdown of pages of the type forum alone.
        parts: names of `PARTS` that are added to JSON.
        max_tokens: of Markdown: whole blocks of at most so many tokens together, and what was left
            out (docs/reading.md); None for all.
        section: of Markdown: only this section, with all sections in it: by its number in
            `Extract.outline`, such as ``2.1``, the id of its heading, its heading, or that with
            those around it, ``["Seeds", "Storage"]`` or ``Seeds > Storage``; None for all.
        counter: function from a text to its number of tokens, for ``max_tokens``; None for the
            estimate of `chaffinch.estimate_tokens`.
        fields: of JSON: fields of one's own by the labels that they have on pages, such as
            ``isbn=ISBN,ISBN-13``, or a label alone; see `Extract.fields`.
        chunk_tokens: the chunks of JSON have at most so many tokens; None for 1,000 characters.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    emphasis: bool = True
    front_matter: bool = False
    formula_cells: bool = False
    rows: bool = False
    posts: str | None = None
    parts: tuple[str, ...] = ()
    max_tokens: int | None = None
    section: str | tuple[str, ...] | None = None
    counter: Callable[[str], int] | None = None
    chunk_tokens: int | None = None
    fields: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field in fields(self):
            if isinstance(field.default, bool):
                require_flag(field.name, getattr(self, field.name))
        self._check_selection()
        if self.posts is not None:
            require_one_of("posts", self.posts, POSTS)
        if isinstance(self.parts, bytes | Mapping) or not isinstance(self.parts, Iterable):
            raise OptionError(f"parts must be names in a list, not {self.parts!r}")
        given = self.parts.split(",") if isinstance(self.parts, str) else list(self.parts)
        for name in given:
            if name not in PARTS:
                raise OptionError(f"unknown part {name!r}; known: {', '.join(PARTS)}")
        object.__setattr__(self, "parts", tuple(name for name in PARTS if name in given))
        if not isinstance(self.fields, tuple) or self.fields:
            labelled.wanted_fields(self.fields)
            object.__setattr__(self, "fields", tuple(self.fields))

    def _check_selection(self) -> None:
        """Check the fields that select a part of the Markdown."""
        if self.max_tokens is not None:
            require_whole("max_tokens", self.max_tokens, 1)
        if self.chunk_tokens is not None:
            require_whole("chunk_tokens", self.chunk_tokens, 1)
        if self.counter is not None and not callable(self.counter):
            raise OptionError(f"counter must be a function of a text, not {self.counter!r}")
        if isinstance(self.section, list):
            object.__setattr__(self, "section", tuple(self.section))
        names = self.section if isinstance(self.section, tuple) else (self.section,)
        if self.section is not None and not all(isinstance(one, str) for one in names):
            raise OptionError(f"section must be a number or headings, not {self.section!r}")

    @property
    def selects(self) -> bool:
        return self.max_tokens is not None or self.section is not None

    def require_whole_content(self, output: str) -> None:
        """Check that all of the content is wanted, of an output that has no part of it.

        Raises:
            OptionError: a part is wanted.
        """
        if self.selects:
            name = "section" if self.max_tokens is None else "max_tokens"
            raise OptionError(f"{name} acts on Markdown, not on {output}: use markdown({name}=…)")

    @classmethod
    def of(cls, options: OutputOptions | None, changes: Mapping[str, Any]) -> OutputOptions:
        """Return ``options``, or the usual ones, with some fields changed.

        Raises:
            OptionError: a field isn't known, or a value is impossible.
        """
        require_kind("options", options, OutputOptions)
        if not changes:
            return _USUAL if options is None else options
        known = [field.name for field in fields(cls)]
        unknown = sorted(set(changes) - set(known))
        if unknown:
            raise OptionError(f"unknown option {unknown[0]!r}; known: {', '.join(known)}")
        return replace(_USUAL if options is None else options, **changes)


_USUAL: Final = OutputOptions()
