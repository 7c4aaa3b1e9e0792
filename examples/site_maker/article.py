"""Articles: those of today, in one page or two, and those of twenty years ago."""

from site_maker.blocks import Style, gold
from site_maker.frame import Made, fill, framed, safe
from site_maker.noise import Noise, script
from site_maker.site import Entry, Site, containers, traditional


def article(site: Site, entry: Entry) -> Made:
    """An article, or one part of it, with its comments and its neighbours."""
    noise = Noise(site, entry)
    labels = site.labels
    chinese = site.lang == "zh"
    style = Style(
        indent="　　" if chinese else "", figure="div" if chinese else "figure", lazy=entry.lazy
    )
    lines = [entry.title, *gold(entry.blocks())]
    extra = noise.dice.sample(labels["replies"], noise.dice.below(3))
    main = fill(
        f"article.{site.lang}",
        title=safe(entry.title),
        section=entry.section,
        section_name=site.section_name(entry),
        author=entry.author,
        author_id=entry.author.lower().replace(" ", "-"),
        editor=noise.dice.choice(labels["people"]),
        date=entry.date,
        date_words=site.date_words(entry.date, noise.clock() if chinese else ""),
        body=_body(noise, style),
        share=noise.share(),
        part_nav=_part_nav(noise),
        tags=noise.tags(),
        before_after=noise.before_after(),
        related=noise.related(),
        comments=noise.comments([*entry.comments, *extra]),
        comment_count=len(entry.comments) + len(extra),
        hot=noise.hot(),
        side_ad=noise.ad("side"),
    )
    head = _json_ld(noise, lines) + noise.state({"title": entry.title, "teaser": entry.teaser()})
    return Made(framed(noise, main, head=head, og_type="article"), lines, noise.snippets)


def _body(noise: Noise, style: Style) -> str:
    """The blocks in their containers; an advertisement between two, or after the second block."""
    groups = containers(noise.entry.blocks())
    if len(groups) > 1:
        inner = ["\n".join(block.html(style) for block in group) for group in groups]
        name = 'class="art-body"' if noise.site.lang == "zh" else 'class="story-body"'
        borders = [f"\n</div>\n{noise.ad('middle')}\n<div {name}>\n" for _ in groups[1:]]
        return "".join(x + y for x, y in zip(inner, [*borders, ""], strict=True))
    parts = [block.html(style) for block in groups[0]]
    parts.insert(2, noise.ad("middle"))
    return "\n".join(part for part in parts if part)


def _part_nav(noise: Noise) -> str:
    entry = noise.entry
    if entry.parts == 1:
        return ""
    label = noise.labels["next_part" if entry.part == 1 else "last_part"]
    noise.snippets.append(label)
    first = f"/{entry.section}/{entry.date[:4]}/{entry.slug}"
    links = [f'<a href="{first}.html">1</a>', f'<a href="{first}_2.html">2</a>']
    links[entry.part - 1] = f"<b>{entry.part}</b>"
    other, rel = (f"{first}_2.html", "next") if entry.part == 1 else (f"{first}.html", "prev")
    return f'<div class="pages">{" ".join(links)} <a rel="{rel}" href="{other}">{label}</a></div>'


def _json_ld(noise: Noise, lines: list[str]) -> str:
    """The article's metadata for machines; the older half of the Chinese site has none."""
    entry = noise.entry
    if entry.encoding != "utf-8" and not entry.json_ld_body:
        return ""
    data: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": entry.title,
        "datePublished": entry.date,
        "author": {"@type": "Person", "name": entry.author},
        "publisher": {"@type": "Organization", "name": noise.labels["site"]},
    }
    if entry.json_ld_body:
        data["articleBody"] = "\n".join(lines[1:])
    return f'<script type="application/ld+json">{script(data)}</script>'


def archive(site: Site, entry: Entry) -> Made:
    """A page of twenty years ago: tables for layout, font elements, line breaks for paragraphs."""
    if entry.lang == "zh-Hant":
        site = traditional(site)
    noise = Noise(site, entry)
    labels = site.labels
    sections = [f'<A HREF="/{slug}/index.html">{name}</A>' for slug, name in labels["nav"]]
    others = [e for e in site.of("archive") if e.lang == entry.lang and e != entry]
    hot = sections[:4] if entry.lang == "zh-Hant" else _links(noise)
    related = [f'<A HREF="{e.link}">{safe(e.title)}</A>' for e in others]
    html = fill(
        "archive",
        declared=entry.label,
        site=labels["site"],
        title=safe(entry.title),
        nav=" | ".join(sections),
        hot_label=labels["hot"],
        hot="<BR>".join(f"&#8226; {link}" for link in hot),
        author=entry.author,
        date_words=site.date_words(entry.date),
        source=labels["source"],
        body="\n".join(block.html(Style(breaks=True)) for block in entry.blocks()),
        related_label=labels["related"],
        related=" ".join([*related, f'<A HREF="/index.html">{labels["home"]}</A>']),
        ad=noise.ad("side"),
        rights=labels["rights"],
        top=labels["top"],
    )
    noise.snippets.append(labels["rights"])
    return Made(html, [entry.title, *gold(entry.blocks())], noise.snippets)


def _links(noise: Noise) -> list[str]:
    """Links to articles of today, as the archive's side column has them."""
    others = noise.others(5)
    noise.snippets += [other.title for other in others]
    return [f'<A HREF="{other.link}">{safe(other.title)}</A>' for other in others]
