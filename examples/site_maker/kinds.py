"""The other kinds of pages, one function a template: lists, products, threads, manuals, tables."""

from site_maker.article import archive, article
from site_maker.blocks import Heading, Style, gold, inline
from site_maker.dice import Dice
from site_maker.frame import Made, fill, framed, safe
from site_maker.noise import Noise, script
from site_maker.site import Entry, Site


def listing(site: Site, entry: Entry) -> Made:
    """An index: cards of what the section holds, each with a title and a teaser."""
    noise = Noise(site, entry)
    kinds = {"shop": "product", "forum": "thread", "manual": "docs"}
    shown = site.of(kinds.get(entry.slug, "article"))
    if entry.slug and entry.slug not in kinds:
        shown = [e for e in (*shown, *site.of("table")) if e.section == entry.slug]
    lines, cards = [entry.title], []
    for at, item in enumerate(sorted(shown, key=lambda e: e.date, reverse=True)):
        price = f"{item.price} {site.labels['currency']}" if item.price else ""
        lines += [item.title, item.teaser(), *([price] if price else [])]
        image = f'<img src="/images/thumb/{item.slug}.jpg" alt="" width="120" height="80">'
        cards.append(
            f'<div class="card">{image if item.kind != "thread" else ""}'
            f'<h2><a href="{item.link}">{safe(item.title)}</a></h2>'
            f"<p>{safe(item.teaser())}</p>"
            + (f'<p class="price">{price}</p>' if price else "")
            + f'<span class="meta">{item.author} {site.date_words(item.date)}</span>'
            f'<a class="more" href="{item.link}">{site.labels["more"]}</a></div>'
        )
        if at == 1:
            cards.append(noise.ad("middle"))
    main = fill(
        "list",
        title=safe(entry.title),
        cards="\n".join(cards),
        after=site.labels["after"],
        side_ad=noise.ad("side"),
        hot=noise.hot(),
    )
    return Made(framed(noise, main), lines, noise.snippets)


def product(site: Site, entry: Entry) -> Made:
    """Something to buy: name, price, description, and a table of its properties."""
    noise = Noise(site, entry)
    labels = site.labels
    price = f"{entry.price} {labels['currency']}"
    blocks = entry.blocks()
    offer = {"@type": "Offer", "price": entry.price, "availability": "https://schema.org/InStock"}
    data: dict[str, object] = {"@context": "https://schema.org", "@type": "Product"}
    data |= {"name": entry.title, "offers": offer}
    main = fill(
        "product",
        slug=entry.slug,
        title=safe(entry.title),
        home=labels["home"],
        shop=dict(labels["nav"])["shop"],
        price=entry.price,
        currency=labels["currency"],
        basket=labels["basket"],
        share=noise.share(),
        body="\n".join(block.html(Style()) for block in blocks),
        specs_label=labels["specs"],
        specs="\n".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in entry.specs),
        reviews=noise.comments(list(entry.reviews), "reviews"),
        ad=noise.ad("foot"),
        also=_also(noise),
    )
    head = f'<script type="application/ld+json">{script(data)}</script>'
    head += noise.state({"sku": entry.slug, "name": entry.title, "price": entry.price})
    specs = [f"{name} {value}" for name, value in entry.specs]
    lines = [entry.title, price, *gold(blocks), labels["specs"], *specs]
    return Made(framed(noise, main, head=head, og_type="product"), lines, noise.snippets)


def _also(noise: Noise) -> str:
    others = [e for e in noise.site.of("product") if e.slug != noise.entry.slug]
    chosen = noise.dice.sample(others, 3)
    noise.snippets += [other.title for other in chosen]
    cards = "".join(
        f'<div class="also-card"><a href="{other.link}">{other.title}</a>'
        f"<span>{other.price} {noise.labels['currency']}</span></div>"
        for other in chosen
    )
    return f'<div class="box also"><h3>{noise.labels["also"]}</h3>{cards}</div>'


def thread(site: Site, entry: Entry) -> Made:
    """A discussion: its title and every post, but not who wrote them and when."""
    noise = Noise(site, entry)
    labels = site.labels
    posts, records = [], []
    minutes = 60 * 7 + noise.dice.below(120)
    for at, (user, text) in enumerate(entry.posts, 1):
        minutes += 20 + noise.dice.below(140)
        clock = f"{minutes // 60:02}:{minutes % 60:02}"
        posts.append(_post(noise, at, clock))
        records.append({"user": user, "datetime": f"{entry.date} {clock}", "post_text": text})
    posts.insert(1, noise.ad("middle"))
    main = fill(
        "thread",
        title=safe(entry.title),
        home=labels["home"],
        forum=dict(labels["nav"])["forum"],
        reply=labels["reply"],
        views=100 + noise.dice.below(5000),
        posts="\n".join(posts),
        ad=noise.ad("foot"),
        related=noise.related("hot"),
    )
    lines = [entry.title, *(text for _, text in entry.posts)]
    return Made(framed(noise, main), lines, noise.snippets, records)


def _post(noise: Noise, number: int, clock: str) -> str:
    """One post, with the picture, standing and signature that its author has in every thread."""
    site, labels = noise.site, noise.labels
    user, text = noise.entry.posts[number - 1]
    person = Dice(f"{site.host}/user/{user}")
    member = f"{labels['joined']} {2004 + person.below(18)}, {person.below(4000)}"
    signature = person.choice(labels["signatures"])
    noise.snippets.append(signature)
    return (
        f'<div class="post" id="p{number}"><div class="poster"><b class="user">{user}</b>'
        f'<img src="/images/faces/{person.below(99)}.png" alt="" width="64" height="64">'
        f"<small>{member} {labels['posts']}</small></div>"
        f'<div class="post-head"><a href="#p{number}">#{number}</a> <span class="date">'
        f"{site.date_words(noise.entry.date, clock)}</span></div>"
        f'<div class="post-text">{inline(text)}</div>'
        f'<div class="signature">{signature}</div>'
        f'<div class="post-tools"><a>{labels["quote_button"]}</a> <a>{labels["report"]}</a>'
        "</div></div>"
    )


def docs(site: Site, entry: Entry) -> Made:
    """A page of a manual, between the tree of the manual and its own table of contents."""
    noise = Noise(site, entry)
    labels = site.labels
    blocks = entry.blocks()
    others = [e for e in site.of("docs") if e.slug != entry.slug]
    noise.snippets += [labels["edit"], labels["helpful"], *(e.title for e in others)]
    main = fill(
        "docs",
        title=safe(entry.title),
        slug=entry.slug,
        tree="".join(f'<li><a href="{e.link}">{e.title}</a></li>' for e in site.of("docs")),
        body="\n".join(block.html(Style()) for block in blocks),
        edit=labels["edit"],
        helpful=labels["helpful"],
        before_after=noise.before_after(),
        contents=labels["contents"],
        toc="".join(f"<li><a>{b.text}</a></li>" for b in blocks if isinstance(b, Heading)),
    )
    return Made(framed(noise, main), [entry.title, *gold(blocks)], noise.snippets)


def table(site: Site, entry: Entry) -> Made:
    """A page whose content is a data table and a few words on it."""
    noise = Noise(site, entry)
    labels = site.labels
    noise.snippets.append(labels["download"])
    main = fill(
        "table",
        title=safe(entry.title),
        slug=entry.slug,
        home=labels["home"],
        section=entry.section,
        section_name=site.section_name(entry),
        author=entry.author,
        date=entry.date,
        date_words=site.date_words(entry.date),
        body="\n".join(block.html(Style()) for block in entry.blocks()),
        download=labels["download"],
        share=noise.share(),
        ad=noise.ad("foot"),
        related=noise.related(),
    )
    return Made(framed(noise, main), [entry.title, *gold(entry.blocks())], noise.snippets)


KINDS = {
    "article": article,
    "list": listing,
    "product": product,
    "thread": thread,
    "docs": docs,
    "table": table,
    "archive": archive,
}
