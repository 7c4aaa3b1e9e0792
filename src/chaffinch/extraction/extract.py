"""The extract of one page, the main object of the public interface.

An Extract is a page with a verdict; text, Markdown, metadata and the rest are made on first use.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError, require_flag, require_one_of, require_whole
from chaffinch.extraction.content_parts import ContentParts
from chaffinch.extraction.limited_output import limited
from chaffinch.lazy import lazy_module
from chaffinch.output.options import OutputOptions
from chaffinch.page_work import begin_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chaffinch import metadata, record
    from chaffinch.citation import block_ids
    from chaffinch.output import chunks, front_matter, html, markdown, tei, text
    from chaffinch.reading import difference as versions
    from chaffinch.reading import reader, sections
else:
    block_ids = lazy_module("chaffinch.citation.block_ids")
    metadata = lazy_module("chaffinch.metadata")
    chunks = lazy_module("chaffinch.output.chunks")
    front_matter = lazy_module("chaffinch.output.front_matter")
    html = lazy_module("chaffinch.output.html")
    markdown = lazy_module("chaffinch.output.markdown")
    tei = lazy_module("chaffinch.output.tei")
    text = lazy_module("chaffinch.output.text")
    versions = lazy_module("chaffinch.reading.difference")
    reader = lazy_module("chaffinch.reading.reader")
    record = lazy_module("chaffinch.record")

_MOST_INDENT: Final = 80


@dataclass(frozen=True, eq=False, repr=False, init=False)  # the fields are inherited
class Extract(ContentParts):
    """The main content extracted from one page, and what was dropped.

    Attributes:
        content: the page and the verdict on it. Where the content is only in the JSON-LD or
            embedded state of the page that was given, this is a page made of that, all of it kept.
        method: name of the method.
        replaced: where `content` is a page made of data, the page that was given with the verdict
            on its rows, which keeps those whose text is also in the content; else None.
        headers: of the HTTP response that had the page, as far as they are known; metadata read the
            opt-outs among them.
        headline: whether the headline is in the text. None: the title is a heading of level 1 at
            the head of Markdown, HTML and the first chunk, and not in the text; False: nowhere.
        limits: those that the page was extracted with; their ``seconds`` are each output's, too.
        article_parts: the pages it was joined of, in order; empty for one page by itself.
        found_by: the method itself, which `explain` calls; None where it isn't at hand, as in
            another process than the one that extracted: it isn't pickled, since a site's model may
            be bigger than the page.
        author_blacklist: names that are no author's, as they were given to `extract`.
    """

    @cached_property
    @limited
    def text(self) -> str:
        """The plain text of what is kept, blocks on lines of their own; "" for no content.

        With ``headline`` it begins with the title, where no kept row is the title.
        """
        body = text.render(self.content)
        return f"{self.title}\n{body}" if self._title_is_added else body

    @cached_property
    @limited
    def noise(self) -> str:
        """The plain text of what was dropped of the page given, blocks on lines of their own."""
        return text.render(self.in_rows.noise)

    @limited
    def difference(self, other: Extract, *, links: bool = True) -> versions.Difference:
        """Return what of the content was added, removed and changed from this version to another.

        By its lines: navigation and advertisements that were dropped, what moved, and counters and
        dates from now that stand apart from prose don't count. Images and looks aren't compared.

        Args:
            other: the later version of the page, extracted likewise.
            links: whether a link that leads elsewhere counts, its words being the same; tracking
                keys and session ids don't.

        Raises:
            OptionError: it is no Extract.
        """
        if not isinstance(other, Extract):
            raise OptionError(f"other must be an Extract, not {type(other).__name__}")
        require_flag("links", links)
        changes = versions.changes(self._version, other._version, links=links)
        return versions.Difference(self.url, other.url, tuple(changes))

    @property
    def _version(self) -> versions.Version:
        return versions.Version(self.headed.body, self.title)

    @limited
    def markdown(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return the content as Markdown (CommonMark and GFM tables).

        Args:
            options: what is shown.
            **changes: fields of `chaffinch.OutputOptions` that differ from ``options``.

        Raises:
            OptionError: a field is unknown or its value impossible.
        """
        chosen = OutputOptions.of(options, changes)
        above = self.front_matter() if chosen.front_matter else ""
        return self._with_front_matter(self._markdown(chosen, above), chosen)

    @limited
    def outline(
        self, options: OutputOptions | None = None, **changes: Any
    ) -> list[sections.OutlineEntry]:
        """Return the content's headings with number, path, id, and size of what stands below.

        Sizes are those of Markdown; arguments and errors are those of `markdown`.
        """
        chosen = OutputOptions.of(options, changes)
        return reader.outline(self.headed.body, self.headed.title, chosen)

    @limited
    def section(
        self, path: str | Sequence[str], options: OutputOptions | None = None, **changes: Any
    ) -> sections.SectionText:
        """Return a section of the content as Markdown, with all sections in it.

        Args:
            path: its number in `outline`, such as ``2.1``, or ``0`` for what stands before the
                first heading; the id of its heading; or its heading, where need be with those
                around it: ``["Seeds", "Storage"]`` or ``Seeds > Storage``.
            options: what is shown; ``max_tokens`` holds for the section.
            **changes: as of `markdown`.

        Raises:
            PageError: the page has no such section, or more than one; the message lists them.
            OptionError: as of `markdown`.
        """
        chosen = OutputOptions.of(options, changes)
        return reader.section(self.headed.body, self.headed.title, path, chosen)

    @limited
    def html(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return the content as clean HTML; arguments and errors are those of `markdown`."""
        chosen = OutputOptions.of(options, changes)
        chosen.require_whole_content("HTML")
        return self._with_front_matter(self._fragment(chosen), chosen)

    @limited
    def plain(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return `text` with posts named, and behind front matter, where these are requested.

        Arguments are those of `markdown`.
        """
        chosen = OutputOptions.of(options, changes)
        chosen.require_whole_content("text")
        written = self.text
        if chosen.posts == "named":
            body = text.render(self.content, named=True)
            written = f"{self.title}\n{body}" if self._title_is_added else body
        return self._with_front_matter(written, chosen)

    @limited
    def tei(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return the content as XML-TEI P5, its header from the metadata; "" for no content.

        Posts are in it with ``parts=["posts"]``. Arguments and errors are those of `markdown`.
        """
        chosen = OutputOptions.of(options, changes)
        chosen.require_whole_content("TEI")
        posts = self.posts if "posts" in chosen.parts else ()
        about = self.metadata.to_dict(fields=metadata.FIELDS)
        return tei.render(self.content, options=chosen, about=about, posts=posts)

    @limited
    def front_matter(self) -> str:
        """Return the metadata as front matter (YAML between two lines of dashes)."""
        return front_matter.render({"url": self.url, **self.metadata.to_dict()})

    def _with_front_matter(self, output: str, options: OutputOptions) -> str:
        return self.front_matter() + output if options.front_matter and output else output

    @limited
    def clean(self) -> str:
        """Return the whole page as HTML, minus its noise.

        Where the content is only in the page's data, it is the body of the page given.
        """
        return html.render(self.content, whole=True, around=self.given)

    @limited
    def chunks(
        self,
        *,
        max_length: int = 1000,
        overlap: int = 0,
        format: str = "text",  # noqa: A002  the word that it is called by
        max_tokens: int | None = None,
        counter: Callable[[str], int] | None = None,
    ) -> list[chunks.Chunk]:
        """Cut the content for retrieval along its headings; see `chaffinch.output.chunks`.

        Args:
            max_length: most characters of a chunk.
            overlap: most characters that a chunk of text repeats of the one before.
            format: ``text``, or ``markdown``, which keeps tables and code whole.
            max_tokens: of Markdown, most tokens of a chunk in place of characters.
            counter: counts them; None for the estimate of `chaffinch.estimate_tokens`.

        Raises:
            OptionError: a value is impossible, or doesn't go with the format.
        """
        require_one_of("format", format, ("text", "markdown"))
        about = chunks.About(self.title, self.url, self.language)
        body, title = self.headed.body, self.headed.title
        if format == "markdown":
            if overlap:
                raise OptionError("overlap goes with format='text': blocks of Markdown stay whole")
            require_whole("max_length", max_length, 1)
            options = OutputOptions(max_tokens=max_tokens, counter=counter)
            most, counts = options.max_tokens or max_length, len if max_tokens is None else counter
            found = reader.chunks(body, title, most, counts, about)
        elif max_tokens is not None or counter is not None:
            raise OptionError("max_tokens and counter go with format='markdown'")
        else:
            found = chunks.chunks(
                body, max_length=max_length, overlap=overlap, title=title, about=about
            )
        ids = block_ids.block_ids(body)
        return [one.with_ids(ids.within(one.rows)) for one in found]

    @limited
    def to_dict(self, options: OutputOptions | None = None, **changes: Any) -> dict[str, Any]:
        """Return url, metadata, text, Markdown and method as plain values for JSON.

        The fields are documented in `chaffinch.record.PageRecord` and published as a JSON schema
        (docs/record.schema.json, ``chaffinch schema``). Those named in ``parts`` are added; the
        other arguments, and errors, are those of `markdown`.
        """
        fields, parts = self._fields(OutputOptions.of(options, changes))
        every = chain(fields.items(), parts)
        return {name: record.plain_values(value) for name, value in every}

    def _fields(self, options: OutputOptions) -> tuple[dict[str, Any], Iterator[tuple[str, Any]]]:
        """Return what `to_dict` holds of every page, and name and value of each part as it is made.

        There is at least one of the fields.
        """
        written, outline = self._markdown_and_outline(options)
        fields = {
            "version": record.VERSION,
            "url": self.url,
            **self.metadata.to_dict(),
            "text": self.text,
            "markdown": written,
            "method": self.method,
            "made_by": self.made_by,
            **self.content.verdict.facts(),
            "confidence": self.confidence,
            "encoding": self.in_rows.page.encoding,
            **({"article_parts": [*self.article_parts]} if self.article_parts else {}),
        }
        return fields, ((name, self._part(name, options, outline)) for name in options.parts)

    def _markdown_and_outline(
        self, options: OutputOptions
    ) -> tuple[str, list[sections.OutlineEntry]]:
        """Return what `to_dict` holds of both; no outline where it isn't among the parts."""
        if "outline" not in options.parts:
            return self._markdown(options), []
        if options.selects:
            return self._markdown(options), self.outline(options)
        return reader.read_with_outline(self.headed.body, self.headed.title, options)

    def _part(self, name: str, options: OutputOptions, outline: list[sections.OutlineEntry]) -> Any:
        """Return one of `chaffinch.output.options.PARTS`, as dataclasses where it has any."""
        begin_stage(name)
        match name:
            case "outline":
                return outline
            case "html":
                return self._fragment(options)
            case "tables":
                return [record.table_values(one) for one in self.tables]
            case "metadata":
                return {name: self.metadata.field_dict(name) for name in metadata.FIELDS}
            case "chunks" if (most := options.chunk_tokens) is not None:
                return self.chunks(format="markdown", max_tokens=most, counter=options.counter)
        found = getattr(self, name)
        return found() if callable(found) else found

    def _markdown(self, options: OutputOptions, above: str = "") -> str:
        body, title = self.headed.body, self.headed.title
        if options.selects:
            return reader.read(body, title, options, above)
        return markdown.render(body, options=options, title=title)

    def _fragment(self, options: OutputOptions) -> str:
        return html.render(self.headed.body, options=options, title=self.headed.title)

    @limited
    def to_json(
        self, options: OutputOptions | None = None, *, indent: int | None = None, **changes: Any
    ) -> str:
        """Return `to_dict` as JSON, Unicode kept as it is; errors are those of `markdown`."""
        if indent is not None:
            require_whole("indent", indent, 0, _MOST_INDENT)
            return json.dumps(self.to_dict(options, **changes), ensure_ascii=False, indent=indent)
        fields, parts = self._fields(OutputOptions.of(options, changes))
        written = [record.json_text(fields)[:-1]]  # without its closing brace
        written += [f'"{name}": {record.json_text(value)}' for name, value in parts]
        return f"{', '.join(written)}}}"
