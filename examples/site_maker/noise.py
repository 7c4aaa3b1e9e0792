"""Everything on a page that is not its content, different from page to page as on real sites."""

import json
from dataclasses import dataclass, field
from html import escape

from site_maker.dice import Dice
from site_maker.site import Entry, Site

TEASER = 60  # characters


@dataclass
class Noise:
    """The noise of one page; `snippets` collects what must not be taken for content."""

    site: Site
    entry: Entry
    snippets: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = Dice(f"{self.site.host}/{self.entry.path}")
        self.labels = self.site.labels

    def others(self, count: int) -> list[Entry]:
        """Other articles of the site, chosen for this page."""
        own = self.entry.slug
        return self.dice.sample([e for e in self.site.of("article") if e.slug != own], count)

    def ad(self, place: str) -> str:
        """An advertisement in one of six structures, or none now and then."""
        text = self.dice.choice(self.labels["ads"])
        number = self.dice.below(90_000) + 10_000
        href = f"https://ads.example/c?id={number}&amp;p={place}"
        image = f'<img src="https://ads.example/i/{number}.gif" alt="" width="300" height="250">'
        flag = self.labels["sponsored"]
        link = f'<a href="{href}">{text}</a>'
        call = f"<script>(window.ads=window.ads||[]).push({number});</script>"
        promo = f'<p><b>{text}</b></p><p><a href="{href}">{self.labels["more"]}</a></p>'
        cells = f"<td>{link}</td><td><small>{flag}</small></td>"
        forms = (
            "",
            f'<div class="ad ad-{place}"><a href="{href}" rel="sponsored">{image}</a></div>',
            f'<div class="ad ad-{place}"><span class="flag">{flag}</span>{link}</div>',
            f'<div id="slot{number}"><ins class="adslot" data-id="{number}"></ins>{call}</div>',
            f'<div class="promo"><a href="{href}">{image}</a>{promo}</div>',
            f'<table class="ad" width="100%"><tr>{cells}</tr></table>',
            f'<iframe src="{href}" width="300" height="250" title="{flag}"></iframe>',
        )
        html = self.dice.choice(forms)
        if f">{text}<" in html:
            self.snippets.append(text)
        return html

    def share(self) -> str:
        """Buttons to share the page."""
        items = "".join(
            f'<li><a class="share-{at}" href="https://share.example/{at}?u={self.entry.path}">'
            f"{name}</a></li>"
            for at, name in enumerate(self.labels["networks"])
        )
        return f'<div class="share"><span>{self.labels["share"]}</span><ul>{items}</ul></div>'

    def related(self, label: str = "related") -> str:
        """Links to other articles with a sentence of each."""
        items = []
        for other in self.others(3 + self.dice.below(3)):
            self.snippets.append(other.title)
            title = escape(other.title, quote=False)
            teaser = other.teaser() if self.dice.below(2) else ""
            short = f"{teaser[:TEASER]}…" if len(teaser) > TEASER else teaser
            below = f"<p>{escape(short, quote=False)}</p>" if short else ""
            items.append(f'<li><a href="{other.link}">{title}</a>{below}</li>')
        head = f"<h3>{self.labels[label]}</h3>"
        return f'<div class="box related">{head}<ul>{"".join(items)}</ul></div>'

    def hot(self) -> str:
        """The list of what others read, the same on every page but for its order by section."""
        articles = Dice(f"hot/{self.entry.section}").sample(self.site.of("article"), 6)
        items = "".join(
            f'<li><em>{at}</em><a href="{e.link}">{escape(e.title, quote=False)}</a></li>'
            for at, e in enumerate(articles, 1)
        )
        return f'<div class="box hot"><h3>{self.labels["hot"]}</h3><ol>{items}</ol></div>'

    def comments(self, texts: list[str], label: str = "comments") -> str:
        """Comments by readers or reviews by buyers."""
        items = []
        for at, text in enumerate(texts):
            self.snippets.append(text)
            person = self.dice.choice(self.labels["people"])
            likes = self.dice.below(40)
            items.append(
                f'<li class="comment" id="c{at}"><cite>{person}</cite>'
                f'<span class="when">{self.site.date_words(self.entry.date, self.clock())}</span>'
                f"<p>{text}</p>"
                f'<a href="#c{at}">{self.labels["reply"]}</a> <a>{self.labels["like"]} ({likes})'
                "</a></li>"
            )
        head = f"<h3>{self.labels[label]} ({len(items)})</h3>"
        return f'<div class="comments" id="comment">{head}<ul>{"".join(items)}</ul></div>'

    def clock(self) -> str:
        """A time of day."""
        return f"{6 + self.dice.below(16):02}:{self.dice.below(60):02}"

    def tags(self) -> str:
        """The article's tags, as links."""
        links = " ".join(
            f'<a href="/tag/{tag.replace(" ", "-")}.html" rel="tag">{tag}</a>'
            for tag in self.entry.tags
        )
        return f'<div class="tags"><span>{self.labels["tags"]}</span> {links}</div>'

    def before_after(self) -> str:
        """Links to the neighbours among entries of the same kind."""
        entries = self.site.of(self.entry.kind)
        slugs = [entry.slug for entry in entries]
        at = slugs.index(self.entry.slug)
        parts = []
        for label, place in (("before", at - 1), ("after", at + 1)):
            if 0 <= place < len(entries):
                other = entries[place]
                title = escape(other.title, quote=False)
                parts.append(f'<p>{self.labels[label]} <a href="{other.link}">{title}</a></p>')
        return f'<div class="before-after">{"".join(parts)}</div>'

    def state(self, data: dict[str, object]) -> str:
        """The state that a script framework leaves in the page."""
        if not self.entry.state:
            return ""
        page: dict[str, object] = {
            "props": {"page": data, "user": None, "build": self.dice.below(9999)}
        }
        return f'<script id="__NEXT_DATA__" type="application/json">{script(page)}</script>'


def script(data: dict[str, object]) -> str:
    """JSON that may stand in a script element of any encoding."""
    return json.dumps(data, sort_keys=True).replace("</", "<\\/")
