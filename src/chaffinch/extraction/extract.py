"""The extract of one page, the main object of the public interface.

An Extract is a page with a verdict; text, Markdown, metadata and the rest are made on first use.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError, require_one_of, require_whole
from chaffinch.extraction.limited_output import limited
from chaffinch.lazy import lazy_module
from chaffinch.output import text
from chaffinch.output.article_part import ArticlePart
from chaffinch.output.options import OutputOptions
from chaffinch.page_work import begin_stage
from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chaffinch import metadata, record
    from chaffinch.assessment import assessment
    from chaffinch.assessment.assessment import Assessment
    from chaffinch.citation import block_ids, passages
    from chaffinch.citation import blocks as cited_blocks
    from chaffinch.citation.blocks import Block
    from chaffinch.citation.passages import Passage, Status
    from chaffinch.elements.code import code_block
    from chaffinch.elements.code.code_block import CodeBlock
    from chaffinch.elements.formulas import formula
    from chaffinch.elements.formulas.formula import Formula
    from chaffinch.elements.images import image
    from chaffinch.elements.images.image import Image
    from chaffinch.extraction import explained, headed_content
    from chaffinch.extraction.explained import Explained
    from chaffinch.extraction.headed_content import HeadedContent
    from chaffinch.metadata import Metadata
    from chaffinch.model import method_confidence
    from chaffinch.output import chunks, front_matter, html, markdown, table, tei
    from chaffinch.output.table import Table
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Reasons
    from chaffinch.page.guard.limits import Limits
    from chaffinch.posts import discussion
    from chaffinch.posts.post import Post
    from chaffinch.reading import difference as versions
    from chaffinch.reading import reader, sections
    from chaffinch.record import MadeBy
    from chaffinch.records import entries
    from chaffinch.records.entry import Entry
    from chaffinch.result import Content, Method, Notes
else:
    block_ids = lazy_module("chaffinch.citation.block_ids")
    cited_blocks = lazy_module("chaffinch.citation.blocks")
    passages = lazy_module("chaffinch.citation.passages")
    explained = lazy_module("chaffinch.extraction.explained")
    code_block = lazy_module("chaffinch.elements.code.code_block")
    formula = lazy_module("chaffinch.elements.formulas.formula")
    image = lazy_module("chaffinch.elements.images.image")
    assessment = lazy_module("chaffinch.assessment.assessment")
    table = lazy_module("chaffinch.output.table")
    metadata = lazy_module("chaffinch.metadata")
    chunks = lazy_module("chaffinch.output.chunks")
    front_matter = lazy_module("chaffinch.output.front_matter")
    headed_content = lazy_module("chaffinch.extraction.headed_content")
    html = lazy_module("chaffinch.output.html")
    method_confidence = lazy_module("chaffinch.model.method_confidence")
    markdown = lazy_module("chaffinch.output.markdown")
    tei = lazy_module("chaffinch.output.tei")
    entries = lazy_module("chaffinch.records.entries")
    discussion = lazy_module("chaffinch.posts.discussion")
    versions = lazy_module("chaffinch.reading.difference")
    reader = lazy_module("chaffinch.reading.reader")
    record = lazy_module("chaffinch.record")

_MOST_INDENT: Final = 80


@dataclass(frozen=True, eq=False)
class Extract:
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
        found_by: the method itself, which `explain` asks; None where it isn't at hand, as in
            another process than the one that extracted: it isn't pickled, since a site's model may
            be bigger than the page.
    """

    content: Content
    method: str
    replaced: Content | None = None
    headers: tuple[tuple[str, str], ...] = ()
    headline: bool | None = None
    limits: Limits | None = None
    article_parts: tuple[ArticlePart, ...] = ()
    found_by: Method | None = None

    def __repr__(self) -> str:
        return f"<Extract by {self.method} of {self.in_rows.page!r}>"

    def __getstate__(self) -> dict[str, Any]:
        state = {one.name: getattr(self, one.name) for one in fields(self)}
        return state | {"found_by": None}

    def __bool__(self) -> bool:
        """Return whether any content was found."""
        return bool(self.content)

    @property
    def page(self) -> Page:
        """The page as a table: that of `keep`, `score`, `why` and all rows that outputs name."""
        return self.content.page

    @property
    def given(self) -> Page | None:
        """The page as it was given, where `page` was made of its data; None if they are one."""
        return None if self.replaced is None else self.replaced.page

    @property
    def in_rows(self) -> Content:
        """The page as it was given, with the verdict on its own rows."""
        return self.content if self.replaced is None else self.replaced

    @property
    def keep(self) -> Mask:
        """bool[n]: rows that belong to the content."""
        return self.content.verdict.keep

    @property
    def score(self) -> Floats:
        """float32[n] in 0..1: how much each row looks like content to the method."""
        return self.content.verdict.score

    @property
    def why(self) -> Reasons:
        """int8[n]: which step decided; an index into `reasons`."""
        return self.content.verdict.why

    @property
    def reasons(self) -> tuple[str, ...]:
        """Names of the codes in `why`."""
        return self.content.reasons

    @property
    def url(self) -> str | None:
        """Address of the page: as it was given, else the canonical one; None for neither."""
        return self.in_rows.page.url or None

    @property
    def made_by(self) -> MadeBy:
        """The version, and the learned weights, that made this."""
        return {"version": __version__, "weights": self.content.verdict.weights}

    @property
    def page_type(self) -> str | None:
        """The page type that the method predicts; None where it predicts none.

        What the page declares is ``declared_type`` of the metadata.
        """
        return self.content.verdict.page_type

    @cached_property
    def confidence(self) -> float | None:
        """Word F1 to expect of the text, 0..1; None where nothing is known of the method.

        Made when it is asked for, where the verdict has none of its own.
        """
        verdict = self.content.verdict
        if verdict.confidence is not None or self.replaced is not None:
            return verdict.confidence
        kind = verdict.notes.calibration if verdict.notes is not None else ""
        return method_confidence.expected_f1(self.content, kind or self.method)

    @property
    def source(self) -> str | None:
        """Where in the page's data the content is; None where it is in its rows."""
        return self.content.verdict.source

    @property
    def notes(self) -> Notes | None:
        """What else the method found, in typed fields of its own; None for nothing."""
        return self.content.verdict.notes

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

    @cached_property
    @limited
    def blocks(self) -> list[Block]:
        """Where on the page each block of the text came from, and where in the text it stands."""
        found = cited_blocks.blocks(self.content, self.title if self._title_is_added else "")
        if not self.article_parts:
            return found
        rows = (one.rows[0] if one.rows else 0 for one in found)
        parts = (self.part_of(row).number for row in rows)
        return [replace(one, part=part) for one, part in zip(found, parts, strict=True)]

    @limited
    def locate(self, quote: str) -> Passage | None:
        """Return the passage of the content that a quote is from; None where it isn't there.

        An exact one where there is any, the first of several; else the most similar one.

        Args:
            quote: text, as plain text or as Markdown; it may go over several blocks.

        Raises:
            OptionError: it is no text.
        """
        title = "" if self._headed.has_row else self.title
        return passages.locate(self.content, quote, title=title, url=self.url)

    def verify(self, quote: str) -> Status:
        """Return whether the content has a quote: ``exact``, ``changed`` or ``absent``.

        Exact: the same in NFKC with white space folded. Changed: of the words of both, in their
        order, at least 0.8 are the same (twice those in common by those of both). Errors are those
        of `locate`, which says where.
        """
        found = self.locate(quote)
        return "absent" if found is None else found.status

    @limited
    def difference(self, other: Extract) -> versions.Difference:
        """Return what of the content was added, removed and changed from this version to another.

        By its lines: navigation and advertisements that were dropped, counters, dates from now, and
        what moved don't count. Images, addresses of links and looks aren't compared.

        Args:
            other: the later version of the page, extracted likewise.

        Raises:
            OptionError: it is no Extract.
        """
        if not isinstance(other, Extract):
            raise OptionError(f"other must be an Extract, not {type(other).__name__}")
        changes = versions.changes(self._version, other._version)
        return versions.Difference(self.url, other.url, tuple(changes))

    @property
    def _version(self) -> versions.Version:
        return versions.Version(self._headed.body, self.title)

    def part_of(self, row: int) -> ArticlePart:
        """Return the part of the article that a row of `page` came from.

        Blocks, chunks, tables, images and the rest name rows, so this gives the part of each.

        Raises:
            OptionError: the page has no such row.
        """
        require_whole("row", row, 0, len(self.page) - 1)
        for part in self.article_parts[1:]:
            if part.rows[0] <= row < part.rows[1]:
                return part
        if self.article_parts:
            return self.article_parts[0]
        return ArticlePart(1, self.url, (0, len(self.page)))

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
        return reader.outline(self._headed.body, self._headed.title, chosen)

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
        return reader.section(self._headed.body, self._headed.title, path, chosen)

    @limited
    def html(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return the content as clean HTML; arguments and errors are those of `markdown`."""
        chosen = OutputOptions.of(options, changes)
        chosen.require_whole_content("HTML")
        return self._with_front_matter(self._fragment(chosen), chosen)

    @limited
    def plain(self, options: OutputOptions | None = None, **changes: Any) -> str:
        """Return `text`, behind front matter if that option is set; arguments as of `markdown`."""
        chosen = OutputOptions.of(options, changes)
        chosen.require_whole_content("text")
        return self._with_front_matter(self.text, chosen)

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
        body, title = self._headed.body, self._headed.title
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
        return [replace(one, ids=ids.within(one.rows, body.kept)) for one in found]

    @cached_property
    @limited
    def tables(self) -> list[Table]:
        """The content's data tables and definition lists, as Markdown, HTML, CSV or records."""
        return table.tables(self.content)

    @cached_property
    @limited
    def images(self) -> list[Image]:
        """The images of the content, in document order, with caption, credit and size."""
        return image.images(self.content)

    @cached_property
    @limited
    def code_blocks(self) -> list[CodeBlock]:
        """The content's blocks of code: exact text and language."""
        return code_block.code_blocks(self.content)

    @cached_property
    @limited
    def formulas(self) -> list[Formula]:
        """The content's formulas as TeX, where the page has it; each once."""
        return formula.formulas(self.content)

    @cached_property
    @limited
    def posts(self) -> list[Post]:
        """The posts of the page's discussion, kept or not, with author and date."""
        return discussion.posts(self.in_rows.page)

    @cached_property
    @limited
    def records(self) -> list[Entry]:
        """The entries of the lists that the page shows, each with its fields; [] for no list.

        Where a site model has rules for records, the elements that these select.
        """
        return entries.entries(self.in_rows)

    @cached_property
    @limited
    def metadata(self) -> Metadata:
        """Title, authors, dates and more, each with its provenance."""
        content = self.content if self.replaced is None else None
        shown = self.in_rows
        return metadata.read_metadata(shown.page, content, self.headers, roles=shown.verdict.roles)

    @property
    def title(self) -> str:
        """The title of the content, without the site's name; "" if unknown."""
        return self.metadata.value("title") or ""

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of the authors."""
        return self.metadata.value("authors") or ()

    @property
    def author(self) -> str:
        """The authors' names, joined by "; "."""
        return "; ".join(self.authors)

    @property
    def date(self) -> str:
        """When it was published, ISO 8601; "" if unknown."""
        return self.metadata.value("published") or ""

    @property
    def site_name(self) -> str:
        """Name of the site; "" if unknown."""
        return self.metadata.value("site_name") or ""

    @property
    def description(self) -> str:
        """The description that the page declares; "" for none."""
        return self.metadata.value("description") or ""

    @property
    def language(self) -> str:
        """BCP 47 code of the language; "" if unknown."""
        return self.metadata.value("language") or ""

    @cached_property
    @limited
    def assessment(self) -> Assessment:
        """Whether the page given is content at all, or a shell, a wall, an error in its place."""
        return assessment.assess_page(self.in_rows.page)

    @limited
    def explain(self) -> list[Explained]:
        """Return why each text block of the page was kept or dropped, in order.

        The default, and site models, say what spoke for and against each block, and which rule
        decided. That is made now, and takes several times as long as the extraction.

        Where the content is only in the page's data, its blocks come first, then those of the
        given page that were dropped; selectors of each are of the page it is on.
        """
        method = self.found_by
        if self.replaced is None:
            return explained.explained(self.content, method)
        of_page = explained.explained(self.replaced, method)
        return [*explained.explained(self.content), *(one for one in of_page if not one.keep)]

    @limited
    def to_dict(self, options: OutputOptions | None = None, **changes: Any) -> dict[str, Any]:
        """Return url, metadata, text, Markdown and method as plain values for JSON.

        The fields are documented in `chaffinch.record.PageRecord` and published as a JSON schema
        (docs/record.schema.json, ``chaffinch schema``). Those named in ``parts`` are added; the
        other arguments, and errors, are those of `markdown`.
        """
        chosen = OutputOptions.of(options, changes)
        return {
            "version": record.VERSION,
            "url": self.url,
            **self.metadata.to_dict(),
            "text": self.text,
            "markdown": self._markdown(chosen),
            "method": self.method,
            "made_by": self.made_by,
            **self.content.verdict.facts(),
            "confidence": self.confidence,
            "encoding": self.in_rows.page.encoding,
            **(
                {"article_parts": list(map(asdict, self.article_parts))}
                if self.article_parts
                else {}
            ),
            **{name: self._part(name, chosen) for name in chosen.parts},
        }

    def _part(self, name: str, options: OutputOptions) -> Any:  # noqa: PLR0911  a table of cases
        """Return one of `chaffinch.output.options.PARTS` as plain values."""
        begin_stage(name)
        match name:
            case "html":
                return self._fragment(options)
            case "outline":
                return [asdict(one) for one in self.outline(options)]
            case "tables":
                return [record.table_values(one) for one in self.tables]
            case "metadata":
                return {name: self.metadata.field_dict(name) for name in metadata.FIELDS}
            case "chunks":
                most, counter = options.chunk_tokens, options.counter
                if most is None:
                    return [asdict(one) for one in self.chunks()]
                cut = self.chunks(format="markdown", max_tokens=most, counter=counter)
                return [asdict(one) for one in cut]
            case "blocks":
                return [_without_none(asdict(one), "part") for one in self.blocks]
        made = getattr(self, name)
        return [asdict(one) for one in made] if isinstance(made, list) else asdict(made)

    def _markdown(self, options: OutputOptions, above: str = "") -> str:
        body, title = self._headed.body, self._headed.title
        if options.selects:
            return reader.read(body, title, options, above)
        return markdown.render(body, options=options, title=title)

    def _fragment(self, options: OutputOptions) -> str:
        return html.render(self._headed.body, options=options, title=self._headed.title)

    @cached_property
    def _headed(self) -> HeadedContent:
        """The title that heads outputs with headings, and the content below it."""
        title = self.metadata.title
        if title is not None and self.replaced is not None:  # its row is one of another page
            title = replace(title, row=-1)
        return headed_content.headed(self.content, title, headline=self.headline)

    @property
    def _title_is_added(self) -> bool:
        """Whether the text begins with a title that no kept row is."""
        return bool(self.headline and self.content and self.title) and not self._headed.has_row

    @limited
    def to_json(
        self, options: OutputOptions | None = None, *, indent: int | None = None, **changes: Any
    ) -> str:
        """Return `to_dict` as JSON, Unicode kept as it is; errors are those of `markdown`."""
        if indent is not None:
            require_whole("indent", indent, 0, _MOST_INDENT)
        values = self.to_dict(options, **changes)
        return json.dumps(values, ensure_ascii=False, indent=indent)


def _without_none(values: dict[str, Any], name: str) -> dict[str, Any]:
    """Return values without the one of a name where that is None."""
    return {key: value for key, value in values.items() if key != name or value is not None}
