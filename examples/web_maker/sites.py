"""The hosts with things to read: news in two languages, a shop, a forum, a manual, a slow one."""

import hashlib
import re
from dataclasses import replace
from functools import lru_cache
from html import escape

from site_maker.kinds import KINDS
from site_maker.site import Entry, Site
from web_maker.answers import Answer, Asked, links, missing, moved, page, text
from web_maker.texts import COUNTS, SECTIONS, base, entry, part, site_around

ON_LIST = 20
LANGUAGES = {"post.test": "en", "zh.post.test": "zh"}


@lru_cache(maxsize=512)
def _made(host: str, kind: str, lang: str, number: int, wanted: int) -> tuple[str, str, str]:
    """The page of an entry, its gold, its encoding."""
    site = site_around(host, kind, lang, number)
    one = part(entry(kind, lang, number), wanted)
    made = KINDS[kind](site, one)
    return made.html, "\n".join(made.gold), one.encoding


def _served(asked: Asked, html: str, gold: str = "", encoding: str = "utf-8") -> Answer:
    """A page of the example site's frames, with links that lead within this web."""
    html = html.replace(f"https://{asked.host}", asked.url(asked.host, ""))
    html = html.replace("https://ads.example", asked.url("tracker.test", ""))
    body = html.encode(encoding, "xmlcharrefreplace")
    tag = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
    headers = (
        ("ETag", tag),
        ("Last-Modified", "Thu, 20 Nov 2025 10:00:00 GMT"),
        ("Set-Cookie", "county=corve; Path=/"),
    )
    if asked.headers.get("if-none-match") == tag:
        return Answer(status=304, headers=headers)
    return Answer(body=body, headers=headers, gold=gold, kind="text/html")


def _robots(asked: Asked, *lines: str) -> Answer:
    return text(
        "\n".join(["User-agent: *", *lines, f"Sitemap: {asked.url(asked.host)}sitemap.xml"])
    )


def _sitemap(asked: Asked, targets: list[tuple[str, str]]) -> Answer:
    urls = "".join(
        f"<url><loc>{escape(asked.url(asked.host, target))}</loc><lastmod>{day}</lastmod></url>"
        for target, day in targets
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return text(f'<?xml version="1.0"?><urlset xmlns="{space}">{urls}</urlset>', "application/xml")


def _listing(asked: Asked, site: Site, head: Entry, pages: int, number: int) -> str:
    """A list page with its pager; ``site`` holds what it lists."""
    made = KINDS["list"](site, head)
    near = [k for k in (1, number - 1, number + 1, number + 2, pages) if 1 <= k <= pages]
    turns = " ".join(f'<a href="{asked.path}?page={k}">{k}</a>' for k in sorted(set(near)))
    return re.sub(r'<div class="pager">.*?</div>', f'<div class="pager">{turns}</div>', made.html)


def _numbered(asked: Asked, count: int) -> tuple[int, int]:
    """The number of the list page asked for (0 where there is none) and the number of them."""
    pages = -(-count // ON_LIST)
    given = asked.query.get("page", "1")
    number = int(given) if given.isdecimal() else 0
    return (number if 1 <= number <= pages else 0), pages


def post(asked: Asked) -> Answer:  # noqa: PLR0911 one line a kind of page
    """News: articles, lists, feeds, site map, copies for printing, old addresses."""
    lang = LANGUAGES[asked.host]
    count = COUNTS["article"][lang]
    path = asked.path
    if path == "/robots.txt":
        return _robots(
            asked, "Disallow: /authors/", "Disallow: /search.html", "Disallow: /*?print="
        )
    if path == "/sitemap.xml":
        every = (entry("article", lang, number) for number in range(count))
        return _sitemap(asked, [(one.link, one.date) for one in every])
    if path == "/feed.xml":
        return _feed(asked, [entry("article", lang, number) for number in range(30)])
    if found := re.fullmatch(r"/(print/)?(?:\w+)/\d{4}/.*?(\d{1,5})(?:_(2))?\.html", path):
        return _article(asked, lang, found)
    if found := re.fullmatch(r"/story/(\d+)", path):
        number = int(found[1])
        return moved(entry("article", lang, number).link) if number < count else missing()
    if found := re.fullmatch(r"/(shop|forum|manual)/index\.html", path):
        return moved(asked.url({"manual": "docs.test"}.get(found[1], f"{found[1]}.test")))
    if found := re.fullmatch(r"/(?:(\w+)/)?(?:index\.html)?", path):
        return _front(asked, lang, found[1] or "")
    if path in ("/about.html", "/contact.html", "/jobs.html", "/privacy.html"):
        return page(path[1:-5].title(), f"<h1>{path[1:-5].title()}</h1><p>Ask at 3 Bridge Street.")
    return missing()


def _article(asked: Asked, lang: str, found: re.Match[str]) -> Answer:
    number, wanted = int(found[2][-5:]), int(found[3] or 1)
    if number >= COUNTS["article"][lang]:
        return missing()
    whole = entry("article", lang, number)
    if wanted > whole.parts or part(whole, wanted).link != asked.path.replace("/print/", "/"):
        return missing()
    html, gold, encoding = _made(asked.host, "article", lang, number, wanted)
    if found[1]:
        html = html.replace("<body", '<body data-for="printer"')
    else:
        extra = f'<p><a href="/print{whole.link}">⎙</a></p>' if number % 20 == 0 else ""
        html = html.replace("</header>", f"{extra}</header>", 1)
    html = re.sub(r'(<em>\d</em><a href="[^"]+)', r"\1?utm_source=hot", html)
    return _served(asked, html, gold, encoding)


def _front(asked: Asked, lang: str, section: str) -> Answer:
    """The front page and the lists of sections."""
    names = dict(base(lang).labels["nav"])
    if section and section not in SECTIONS:
        return missing()
    count = COUNTS["article"][lang]
    numbers = range(SECTIONS.index(section), count, 4) if section else range(count)
    number, pages = _numbered(asked, len(numbers) if section else ON_LIST)
    if not number:
        return missing()
    shown = numbers[(number - 1) * ON_LIST : number * ON_LIST]
    entries = tuple(entry("article", lang, k) for k in shown)
    site = replace(base(lang), host=asked.host, entries=entries)
    title = names[section] if section else base(lang).labels["home_title"]
    head = Entry(kind="list", slug=section, title=title, date=entries[0].date, section=section)
    html = _listing(asked, site, head, pages, number)
    html = re.sub(r'<link rel="canonical"[^>]*>', "", html)
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    return _served(asked, html.replace("</head>", f"{feed}</head>"))


def _feed(asked: Asked, entries: list[Entry]) -> Answer:
    items = "".join(
        f"<item><title>{escape(one.title)}</title>"
        f"<link>{asked.url(asked.host, one.link)}</link></item>"
        for one in entries
    )
    xml = f'<?xml version="1.0"?><rss version="2.0"><channel>{items}</channel></rss>'
    return text(xml, "application/rss+xml")


def shop(asked: Asked) -> Answer:
    """Products by query; links carry session ids and tracking keys that change nothing."""
    count, path = COUNTS["product"]["en"], asked.path
    if path == "/robots.txt":
        return _robots(asked, "Disallow: /basket.html")
    if path == "/sitemap.xml":
        return _sitemap(asked, [(f"/item.html?id={k}", "2025-11-20") for k in range(count)])
    if path == "/item.html" and asked.query.get("id", "").isdecimal():
        number = int(asked.query["id"])
        if number >= count:
            return missing()
        html, gold, _ = _made(asked.host, "product", "en", number, 1)
        own = f"/item.html?id={number}"
        html = re.sub(r'(rel="canonical" href=")[^"]*', rf"\g<1>{asked.url(asked.host, own)}", html)
        return _served(asked, _by_query(html, number), gold)
    if path in ("/", "/index.html"):
        return _plain_list(asked, "product", count)
    return missing()


def _by_query(html: str, number: int) -> str:
    session = f"&amp;sid=s1{(number * 2654435761) % 2**32:08x}"
    return re.sub(r'"/shop/thing-(\d+)\.html"', rf'"/item.html?id=\1{session}"', html)


def _plain_list(asked: Asked, kind: str, count: int) -> Answer:
    number, pages = _numbered(asked, count)
    if not number:
        return missing()
    shown = range(count)[(number - 1) * ON_LIST : number * ON_LIST]
    site = replace(base("en"), host=asked.host, entries=tuple(entry(kind, "en", k) for k in shown))
    slug = {"product": "shop", "thread": "forum", "docs": "manual"}[kind]
    head = Entry(kind="list", slug=slug, title=slug.title(), date="2025-11-20", section=slug)
    html = re.sub(r'<link rel="canonical"[^>]*>', "", _listing(asked, site, head, pages, number))
    return _served(asked, _in_directories(_by_query(html, number)))


def _in_directories(html: str) -> str:
    return re.sub(r'"/forum/question-(\d+)\.html"', r'"/thread/\1/"', html)


def forum(asked: Asked) -> Answer:
    """Threads, each a directory; some pages are meant for no index."""
    count = COUNTS["thread"]["en"]
    if asked.path == "/robots.txt":
        return _robots(asked, "Disallow: /member/")
    if asked.path in ("/", "/index.html"):
        return _plain_list(asked, "thread", count)
    found = re.fullmatch(r"/thread/(\d+)/", asked.path)
    if found and int(found[1]) < count:
        html, gold, _ = _made(asked.host, "thread", "en", int(found[1]), 1)
        own = asked.url(asked.host, asked.path)
        html = re.sub(r'(rel="canonical" href=")[^"]*', rf"\g<1>{own}", html)
        served = _served(asked, _in_directories(html), gold)
        if int(found[1]) % 10 == 0:
            return replace(served, headers=(*served.headers, ("X-Robots-Tag", "noarchive")))
        return served
    if re.fullmatch(r"/thread/\d+", asked.path):
        return moved(f"{asked.path}/")
    return missing()


def docs(asked: Asked) -> Answer:
    """A manual whose every page links to the pages around it."""
    count = COUNTS["docs"]["en"]
    if asked.path == "/robots.txt":
        return _robots(asked, "Disallow: /edit/")
    if asked.path in ("/", "/index.html"):
        return _plain_list(asked, "docs", count)
    found = re.fullmatch(r"/manual/chapter-(\d+)\.html", asked.path)
    if found and int(found[1]) < count:
        html, gold, _ = _made(asked.host, "docs", "en", int(found[1]), 1)
        return _served(asked, html, gold)
    return missing()


def slow(asked: Asked) -> Answer:
    """A dozen pages of a host that asks for half a second between two requests."""
    if asked.path == "/robots.txt":
        return text("User-agent: *\nCrawl-delay: 0.5\nDisallow: /hidden/\n")
    if asked.path == "/":
        return page("Slow", links([f"/{k}.html" for k in range(12)] + ["/hidden/a.html"]))
    if re.fullmatch(r"/(\d|1[01])\.html", asked.path):
        return page(asked.path, f"<h1>Page {asked.path}</h1><p>Patience.")
    return missing()
