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


def led(count: int) -> str:
    """Return a page whose entries are headings with the siblings behind them."""
    inner = "".join(
        f"<h3><a href=/job/{n}>Miller wanted, number {n}</a></h3>"
        f"<p>Stones, sacks and a good wage at mill number {n}, beside the river.</p>"
        for n in range(count)
    )
    return CARDS.format(inner)


def table(count: int, *, linked: bool = False) -> str:
    """Return a page with a table of jobs."""
    link = "<a href=/job/{n}>Miller {n}</a>" if linked else "Miller {n}"
    lines = "".join(
        f"<tr><td>{link.format(n=n)}</td><td>Sedge Valley {n}</td><td>{n} March 2025</td></tr>"
        for n in range(1, count + 1)
    )
    return CARDS.format(f"<table><tr><th>Post<th>Place<th>From</tr>{lines}</table>")


def years(count: int) -> str:
    """Return an archive with entries below the headings of years."""
    return CARDS.format(
        "".join(
            f"<section><h2>{year}</h2><ul>"
            + "".join(
                f"<li><time>{n:02}-1{n}</time> <a href=/{year}/{n}>Threshing day {n} of {year}</a>"
                for n in range(1, count + 1)
            )
            + "</ul></section>"
            for year in (2023, 2024, 2025)
        )
    )
