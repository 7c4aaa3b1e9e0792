"""List pages of all shapes, made here, for tests of entries."""

CARDS = """<html lang=en><body><nav><ul><li><a href=/>Home</a><li><a href=/b>Birds</a></ul></nav>
<main><h1>Mills</h1>{}</main><footer><p>Printed on straw.</footer>"""
CARD = """<div class="card{odd}"><img src="/i/{n}.jpg" width=300 height=200>
<h2><a href="/mills/{n}.html">The mill number {n} grinds again</a></h2>
<p class=teaser>For fifty-one years the wheel at place {n} did not turn, until the miller's
daughter came home.</p><span class=byline>By Joan Pickard</span>
<time datetime="2024-03-{n:02}">{n} March 2024</time><b class=price>{n}9.50 €</b></div>"""


def cards(count: int) -> str:
    """Return a page with so many cards, every second one of another class."""
    return CARDS.format(
        "\n".join(CARD.format(n=n, odd=" odd" if n % 2 else "") for n in range(1, count + 1))
    )
