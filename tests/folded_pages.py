"""Pages whose content waits behind a click or a script, stands in columns, or goes on without end.

Words that belong to the content stand in `CONTENT`, those that don't in `NOISE`: each text of a
page begins with a word of its own that tells which it is.
"""

from itertools import count

_ABOUT = [
    "The chaffinch feeds on seeds and beetles, and sings from the tops of ash trees in spring.",
    "In winter the flocks roam over stubble fields, where they take the grain that was left.",
    "Both parents feed the young with caterpillars, which they find in the crowns of oaks.",
    "The nest is woven of moss and lichen, and hidden well in the fork of a branch.",
    "Ringing has shown that birds of the north cross the sea in the last days of October.",
]


class Texts:
    """Makes texts that all differ and begin with a word that tells what they are."""

    def __init__(self):
        self._numbers = count()
        self.kept = []
        self.dropped = []

    def grain(self, sentences=3):
        at = next(self._numbers)
        self.kept.append(f"grain{at}x")
        body = " ".join(_ABOUT[(at + n) % len(_ABOUT)] for n in range(sentences))
        return f"<p>grain{at}x {body} So it was in {1900 + at}.</p>"

    def chaff(self, words):
        at = next(self._numbers)
        self.dropped.append(f"chaff{at}x")
        return f"chaff{at}x {words}"


MENU = "Home News Birds Shop Forum Contact Imprint".split()
COOKIES = (
    "We use cookies and similar technology to show advertisements. Accept all, or reject them."
)


def framed(texts, main, *, before="", after=""):
    """Return a page with a menu and a footer, noise hidden and shown, around ``main``."""
    menu = "".join(f"<li><a href=/{word}>{texts.chaff(word)}</a>" for word in MENU)
    more = "".join(f"<li><a href=/m/{n}>{texts.chaff('More of it')}</a>" for n in range(6))
    cookies = f"<div id=cookie-consent class=modal hidden><p>{texts.chaff(COOKIES)}"
    small = f"<button>{texts.chaff('Accept')}</button></div>"
    return (
        f"<!doctype html><html lang=en><title>Of finches</title><body>{cookies}{small}"
        f"<nav><ul>{menu}</ul></nav><div class='menu-panel collapse' hidden><ul>{more}</ul></div>"
        f"{before}<main><h1>Of finches</h1>{main}</main>{after}"
        f"<footer><a href=/i>{texts.chaff('Imprint')}</a></footer>"
    )


def _details(texts):
    folds = "".join(
        f"<details><summary>Question {n} about finches?</summary>{texts.grain(2)}</details>"
        for n in range(6)
    )
    return framed(texts, texts.grain() + folds)


def _tabs(texts):
    heads = "".join(f"<li><a role=tab href=#t{n}>Part {n}</a>" for n in range(4))
    panels = "".join(
        f"<div id=t{n} role=tabpanel class=tab-pane{' hidden' if n else ''}>"
        f"<h2>Part {n}</h2>{texts.grain()}{texts.grain()}</div>"
        for n in range(4)
    )
    return framed(texts, f"{texts.grain()}<ul role=tablist>{heads}</ul>{panels}")


def _accordion(texts):
    folds = "".join(
        f"<div class=accordion-item><h3><button aria-expanded=false>Chapter {n}</button></h3>"
        f"<div class='accordion-collapse collapse' aria-hidden=true style='display:none'>"
        f"<div class=accordion-body>{texts.grain(2)}</div></div></div>"
        for n in range(5)
    )
    return framed(texts, texts.grain() + f"<div class=accordion>{folds}</div>")


def _one_short_panel(texts):
    panels = "".join(
        f"<section role=tabpanel hidden><h2>Part {n}</h2>{texts.grain(size)}</section>"
        for n, size in enumerate((3, 3, 1, 3))
    )
    return framed(texts, texts.grain() + panels)


def _script_shows_all(texts):
    return framed(
        texts, f"<div style='display:none' id=app>{''.join(texts.grain() for _ in range(6))}</div>"
    )


def _read_more(texts):
    rest = "".join(texts.grain() for _ in range(3))
    shown = texts.grain() + texts.grain()
    return framed(texts, f"<article>{shown}<div class=rest hidden>{rest}</div></article>")


def _two_columns(texts):
    columns = "".join(
        f"<div class=col-6>{''.join(texts.grain() for _ in range(3))}</div>" for _ in range(2)
    )
    return framed(texts, f"<div class=row>{columns}</div>")


def _several_containers(texts):
    aside = "<aside><a href=/x>" + texts.chaff("Buy the book of birds now") + "</a></aside>"
    parts = aside.join(
        f"<div class=block><div class=inner>{texts.grain()}{texts.grain()}</div></div>"
        for _ in range(4)
    )
    return framed(texts, parts)


def _endless_list(texts):
    pages = "".join(
        f"<article class=story data-page={n}><h2>Story {n}</h2>{texts.grain()}{texts.grain()}"
        "</article>"
        for n in range(8)
    )
    loader = f"<div class=loader aria-hidden=true>{texts.chaff('Loading more')}</div>"
    return framed(texts, f"<div class=infinite-scroll>{pages}</div>", after=loader)


MAKERS = {
    "details": _details,
    "tabs": _tabs,
    "accordion": _accordion,
    "one short panel": _one_short_panel,
    "a script shows all": _script_shows_all,
    "read more": _read_more,
    "two columns": _two_columns,
    "several containers": _several_containers,
    "endless list": _endless_list,
}


def made(name):
    """Return a page and its texts."""
    texts = Texts()
    return MAKERS[name](texts), texts
