"""What stands around the story on the pages of a made-up site: menus, boxes, advertisements."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from random import Random

from bench.lib.made_sites.design import FRAME, Design
from bench.lib.made_sites.language import Language


@dataclass(frozen=True)
class Story:
    """One thing to read on a site.

    Attributes:
        number: of the page on its site.
        kind: one of `bench.lib.made_sites.kinds.KINDS`.
        title: its headline.
        teaser: its first sentence, as lists and boxes of other pages print it.
        author: who wrote it.
    """

    number: int
    kind: str
    title: str
    teaser: str
    author: str

    @property
    def path(self) -> str:
        """Path of its page."""
        return f"/{self.kind}/{2000 + self.number % 25}/{self.number + 4711}.html"


@dataclass(frozen=True)
class Furniture:
    """What stands around the story of one page.

    Attributes:
        design: of the site.
        lang: its language.
        own: the story of the page.
        stories: all stories of the site.
        dice: the page's own source of chance.
    """

    design: Design
    lang: Language
    own: Story
    stories: tuple[Story, ...]
    dice: Random

    def others(self, least: int, most: int) -> list[Story]:
        """Return some other stories."""
        some = [one for one in self.stories if one.number != self.own.number]
        return self.dice.sample(some, min(self.dice.randint(least, most), len(some)))

    def header(self) -> str:
        """Return the site's name, its menu, and a notice on cookies."""
        design, lang = self.design, self.lang
        name = lang.title(design.dice("site name", FRAME))
        items = lang.labels("menu")
        links = [f'<a href="/{at}/">{text}</a>' for at, text in enumerate(items)]
        if design.has("menu of a list", 0.7, FRAME):
            menu = "<ul>" + "".join(f"<li>{link}</li>" for link in links) + "</ul>"
        else:
            menu = " | ".join(links)
        tag = design.pick("tag of the menu", "div", "nav", part=FRAME)
        out = f'<p><a href="/">{name}</a></p>' + design.element("menu", menu, tag)
        if design.has("cookies", 0.5, FRAME):
            out = design.element("cookies", f"<p>{lang.label('cookies')}</p>") + out
        return design.element("header", out, design.pick("tag of the top", "div", "header"))

    def side(self) -> str:
        """Return the column beside the story, with boxes of other stories and of the site."""
        design, lang = self.design, self.lang
        if not design.has("side", 0.7, FRAME):
            return ""
        boxes = [self.related(FRAME)]
        if design.has("letter at the side", 0.4, FRAME):
            boxes.append(f"<p>{lang.label('newsletter')}</p><form><input type=email></form>")
        if design.has("prose at the side", 0.3, FRAME):
            boxes.append(f"<p>{lang.paragraph(design.dice('about the site', FRAME), 2, 3)}</p>")
        boxes.append(self.advert())
        inner = "".join(design.element("box", box) for box in boxes)
        return design.element("side", inner, design.pick("tag of the side", "div", "aside"))

    def footer(self) -> str:
        """Return the end of the page."""
        links = "".join(f'<a href="/{text}">{text}</a> ' for text in self.lang.labels("menu")[-3:])
        rights = f"<p>© {self.lang.label('rights')}</p>"
        return self.design.element(
            "footer", links + rights, self.design.pick("end", "div", "footer")
        )

    def related(self, part: str) -> str:
        """Return links to other stories, of some sites with a sentence of each."""
        design, lang = self.design, self.lang
        label = design.pick("label of related", *lang.labels("related"), part=part)
        with_text = design.has("teasers of related", 0.5, part)
        items = "".join(
            f'<li><a href="{one.path}">{escape(one.title)}</a>'
            + (f"<p>{escape(one.teaser)}</p>" if with_text else "")
            + "</li>"
            for one in self.others(3, 6)
        )
        return f"<h3>{label}</h3><ul>{items}</ul>"

    def inline(self) -> str:
        """Return the box within the story that leads to another one; "" on many pages."""
        found = self.others(1, 1)
        if not found or not self.design.has("inline box", 0.4) or self.dice.random() < 0.4:
            return ""
        one, label = found[0], self.lang.labels("related")[1]
        link = f'{label}: <a href="{one.path}">{escape(one.title)}</a>'
        return self.design.element("inline", link, self.design.pick("inline tag", "p", "div"))

    def advert(self) -> str:
        """Return an advertisement, or none now and then."""
        design = self.design
        text = self.lang.sentence(design.dice(f"advert {self.dice.randint(0, 5)}"))
        link = f'<a href="//ads.example/{self.own.number}">{text}</a>'
        forms = (
            "",
            f"<i>{self.lang.label('advert')}</i>{link}",
            f'<ins data-slot="{self.dice.randint(1000, 9999)}"></ins><script>push()</script>',
        )
        return design.element("ad", self.dice.choice(forms))

    def share(self) -> str:
        """Return the buttons to share the page."""
        if not self.design.has("share", 0.7):
            return ""
        items = "".join(f'<li><a href="#s">{text}</a></li>' for text in self.lang.labels("share"))
        return self.design.element("share", f"<ul>{items}</ul>")

    def below(self) -> str:
        """Return what follows a story: tags, who wrote it, notes that return, boxes, comments."""
        design, lang, out = self.design, self.lang, []
        if design.has("tags", 0.5):
            words = [lang.words(self.dice, 1) for _ in range(self.dice.randint(2, 5))]
            out.append(design.element("tags", " ".join(f'<a href="/t/{w}">{w}</a>' for w in words)))
        if design.has("bio", 0.35):
            out.append(
                design.element("bio", f"<p>{lang.label('bio').format(name=self.own.author)}</p>")
            )
        if design.has("note", 0.3):
            out.append(design.element("note", f"<p>{lang.label('disclaimer')}</p>"))
        if design.has("letter below", 0.35):
            out.append(design.element("letter", f"<p>{lang.label('newsletter')}</p>"))
        if design.has("related below", 0.6):
            out.append(design.element("related", self.related("story")))
        out.append(self.comments())
        return "".join(out)

    def comments(self) -> str:
        """Return what readers said: on some pages nothing, on some a lot."""
        design, lang, dice = self.design, self.lang, self.dice
        if not design.has("comments", 0.45):
            return ""
        tag = design.pick("tag of a comment", "div", "li", "article")
        said = [self._comment(tag) for _ in range(dice.choice((0, 0, 1, 2, 4, 9)))]
        label = design.pick("label of comments", *lang.labels("comments"))
        return design.element("comments", f"<h3>{label}</h3>{''.join(said)}", "section")

    def _comment(self, tag: str) -> str:
        lang, dice = self.lang, self.dice
        who = dice.choice(lang.labels("names"))
        when = f"<time>{dice.randint(1, 28)}.{dice.randint(1, 12)}.2025</time>"
        text = f'<p>{lang.paragraph(dice, 1, 3)}</p><a href="#r">{lang.label("reply")}</a>'
        return self.design.element("comment", f"<b>{who}</b> {when}{text}", tag)
