"""Twelve pages, one of each kind, written for the gallery (docs/gallery.md).

Each is small, and has what pages of its kind have around their content: navigation, teasers,
advertising, forms, a footer.
"""

from __future__ import annotations

from typing import Final

NAV: Final = """<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/shop">Shop</a> <a href="/about">About us</a></nav>"""
SIDE: Final = """<aside class="sidebar"><h3>Most read</h3><ul><li><a href="/a">Ten hedges to plant</a></li>
<li><a href="/b">Why mills turn left</a></li></ul><div class="ad">Advertisement: Seeds by the sack</div></aside>"""
FOOT: Final = """<footer>© The Barn Courier · <a href="/imprint">Imprint</a> · <a href="/privacy">Privacy</a></footer>"""


def page(title: str, body: str, head: str = "") -> str:
    """Return a page of the gallery's site around a body."""
    return (
        f"<!doctype html>\n<html lang=en><head><title>{title} | The Barn Courier</title>{head}</head>"
        f"<body>\n{NAV}\n{body}\n{SIDE}\n{FOOT}</body></html>\n"
    )


def _comments(*texts: str) -> str:
    return "".join(
        f'<div class="comment"><a class="user" href="/u/{n}">reader{n}</a> '
        f"<time datetime=2024-06-0{n}>June {n}</time><p>{text}</p></div>\n"
        for n, text in enumerate(texts, 1)
    )


_OWLS: Final = (
    "<p>The owls that live in the old barn have been there for as long as it has stood, and have paid their rent in mice"
    " since the days of the farmer's grandfather.</p>\n<p>This spring they found the beams gone and new ones of steel in"
    " their place, so the farmer wrote to the trust for owls, which sent him a plan for nest boxes.</p>\n"
)

PAGES: Final[dict[str, str]] = {
    "News article": page(
        "Forty owl boxes for the valley",
        '<article><h1>Forty owl boxes for the valley</h1><p class="byline">By <a rel=author href="/jane">Jane Doe</a>,'
        " <time datetime=2024-05-06>6 May 2024</time></p>\n" + _OWLS +
        '<figure><img src="/owl.jpg" width=640 height=480 alt="An owl at dusk"><figcaption>At dusk. Photo: Ann Lee</figcaption>'
        "</figure>\n<h2>Boxes for the mill</h2>\n<p>The mill has <em>four</em> of them now, under the eaves, out of the reach of"
        ' martens. <a href="/plan.html">The plan</a> is free for everybody.</p></article>\n'
        '<section id=comments><h3>Comments</h3>' + _comments("Ours came back at once!", "Where do I get the plan?") + "</section>"
        '<div class=related><h3>Read next</h3><a href="/c">A hedge is a house</a></div>',
    ),
    "Product page": page(
        "Nest box, oak",
        "<main><h1>Nest box, oak</h1><div class=price>49.50 €</div><p>In stock, sent within two days. <button>Add to cart</button></p>\n"
        "<h2>Description</h2><p>Made of oak from the valley, 20 mm thick, with a floor that opens for cleaning. Starlings and tits take it alike,"
        " and the hole can be made smaller by a plate of brass.</p>\n<table><tr><th>Height<td>32 cm<tr><th>Hole<td>45 mm<tr><th>Weight<td>2.1 kg</table></main>\n"
        "<div class=also><h3>Customers also bought</h3><a href=/p/2>Bird table</a> <a href=/p/3>Feeder</a></div>",
        '<script type="application/ld+json">{"@type": "Product", "name": "Nest box, oak", "offers": {"price": "49.50", "priceCurrency": "EUR"}}</script>',
    ),
    "Recipe": page(
        "Rye bread",
        "<article><h1>Rye bread</h1><p>A dark loaf that keeps for a week and gets better on the second day.</p><p><a href=#recipe>Jump to recipe</a></p>\n"
        "<h2>Ingredients</h2><ul><li>500 g rye flour</li><li>400 ml water</li><li>100 g sourdough</li><li>10 g salt</li></ul>\n<h2>Method</h2>"
        "<ol><li>Mix everything and let it stand for a night in a warm place.</li><li>Put it into a tin and let it rise for two hours.</li><li>Bake it for an hour at 220 degrees."
        "</li></ol></article><form>Newsletter: <input name=mail> <button>Subscribe</button></form>",
    ),
    "Forum thread": page(
        "Weevils in stored wheat",
        "<h1>Weevils in stored wheat</h1><p><a href=/forum>Forum</a> » <a href=/forum/storage>Storage</a></p>\n" + _comments(
            "The top hand's breadth of my wheat is moving, and I have no idea since when. Can I still save it, or is it for the hens?",
            "Moisture is fine at that depth, warmth is the trouble. Turn it and cool it below twelve degrees, then sieve what moves.",
            "Did that two years ago, and it worked. Sieve again after a month, for the eggs outlive the cold.") +
        "<p>3 posts · <a href=/reply>Reply</a></p>",
    ),
    "Question and answers": page(
        "How do I oil a scythe blade?",
        '<h1>How do I oil a scythe blade?</h1>\n<div class="question"><p>Mine rusts within a week, though I wipe it dry after mowing. Which oil do people take, and how often?</p>'
        "<p>asked by <a class=user href=/u/4>newmower</a> <time>2024-07-01</time></p></div>\n<h2>2 Answers</h2>"
        '<div class="answer"><p>Linseed, once a week, and thin: rub it in with a rag until the blade looks dry. Anything thicker takes grass along.</p><p>answered by '
        "<a class=user href=/u/5>oldmower</a> <time>2024-07-02</time></p></div>\n<div class=answer><p>Lard has done it here for three generations, and it smells of breakfast.</p><p>answered by"
        " <a class=user href=/u/6>hillside</a> <time>2024-07-03</time></p></div><form>Your answer: <textarea></textarea></form>",
    ),
    "Documentation": page(
        "Sowing a file",
        '<div class=toc><ul><li><a href=#install>Install</a></li><li><a href=#sow>Sow</a></li></ul></div><main><h1>Sowing a file<a class=headerlink href="#top">¶</a></h1>'
        "<p>The command <code>sow</code> spreads the lines of a file over many, as evenly as the wind lets it.</p>\n<h2 id=install>Install<a class=headerlink href=#install>¶</a></h2>"
        '<pre><code class="language-sh">pip install sow\nsow --version\n</code></pre><h2 id=sow>Sow</h2><p>Give it a file and a number of furrows:</p>'
        '<pre><code class="language-sh">sow grain.txt --furrows 12\n</code></pre><p>Each furrow gets a file of its own. With <code>--deep</code> they are hidden.</p></main>'
        "<p><a href=/prev>Previous</a> <a href=/next>Next</a> <a href=/edit>Edit this page</a></p>",
    ),
    "Category of a shop": page(
        "Tools", "<h1>Tools</h1><div class=filter>Sort by: <a href=?s=price>Price</a></div><ul class=products>\n" + "".join(
            f'<li><a href="/p/{n}"><img src="/p/{n}.jpg" width=200 height=200 alt="{name}"></a><h3><a href="/p/{n}">{name}</a></h3><span class=price>{price} €</span></li>\n'
            for n, (name, price) in enumerate([("Scythe, left-handed", 89), ("Rake, twelve teeth", 24), ("Flail, ash", 39), ("Sieve, copper", 17)], 1)) + "</ul><p><a href=?p=2>Next page</a></p>",
    ),
    "Front page": page(
        "The Barn Courier", "<h1>The Barn Courier</h1>\n" + "".join(
            f'<article class=teaser><h2><a href="/s/{n}">{title}</a></h2><p>{text}</p></article>\n' for n, (title, text) in enumerate([
                ("Mill to turn again by autumn", "After nine years the wheel is back on its shaft, and the leat has water."),
                ("Rain halves the harvest of hay", "Farmers cut late this year, and what they cut was wet."),
                ("A school learns to thresh", "Forty children, four flails and a floor of clay.")], 1)),
    ),
    "Table of data": page(
        "Harvests by year", "<main><h1>Harvests by year</h1><p>Tonnes of grain that came to the mill, by the miller's own book.</p><table><caption>Tonnes by kind</caption><thead><tr><th>Year<th>Rye<th>Wheat<th>Oats</thead>\n"
        "<tbody><tr><td>2021<td>310<td>522<td>87<tr><td>2022<td>298<td>540<td>91<tr><td>2023<td>325<td>467<td>102</table><p>Oats are those of the lower fields alone.</p></main>",
    ),
    "Chinese news": page(
        "村里修好了老水磨", "<article lang=zh><h1>村里修好了老水磨</h1><p class=info>来源：谷仓日报　作者：李明　2024年05月06日</p><p>停转九年之后，村里的老水磨本月重新转动。磨坊主人说，水轮的轴是用河边的老橡树做的，一共换了四十八块叶板。</p>"
        "<p>周末来参观的人排起了长队，许多老人说，他们小时候就是吃这里磨的面长大的。</p><p>责任编辑：王芳</p></article>",
    ),
    "Frequent questions": page(
        "Questions about nest boxes", "<main><h1>Questions about nest boxes</h1><details open><summary>When do I clean a box?</summary><p>In late autumn, when nobody sleeps in it, with water and a brush and nothing else.</p></details>"
        "<details><summary>Which way does it face?</summary><p>East or north-east: out of the rain of the west and the sun of noon.</p></details><details><summary>How high?</summary><p>As high as a cat can't jump, three metres at the least.</p></details></main>",
    ),
    "Notes of a release": page(
        "Sow 2.1", "<main><h1>Sow 2.1</h1><p>Released on 6 May 2024.</p><h2>New</h2><ul><li><code>--deep</code> hides the furrows.</li><li>Files of more than 4 GB are sown in parts.</li></ul><h2>Fixed</h2><ul><li>Empty files no longer give one empty furrow.</li></ul></main>",
    ),
}  # fmt: skip
"""Kind → page."""
