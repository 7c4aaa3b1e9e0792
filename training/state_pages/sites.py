"""Pages of made-up sites: lists, threads, manuals, products, articles, errors, forms to sign in.

The sites are those of the benches of site models (`bench.lib.made_sites`), a page of each kind;
every other one has a box to sign in beside it. Where a site has pages of errors, such pages have a
form to sign in in place of the message, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from bench.lib.made_sites import COUNT, made_site
from training.state_pages.boxed import sign_in_form, with_box
from training.state_pages.kit import Kit, MadePage

NAME: Final = "sites"
_FORMS: Final = 3
"""Pages to sign in of a site that has pages of errors."""
_TITLE: Final = re.compile(r"<title>[^<]{0,400}</title>")
_MESSAGE: Final = re.compile(r"<h1>404</h1>.{0,400}?</form>")


def site_pages(count: int = COUNT) -> Iterator[MadePage]:
    """Yield the first page of each kind of so many sites."""
    for number in range(count):
        kinds: set[str] = set()
        for page in made_site(number):
            if page.kind in kinds:
                continue
            kinds.add(page.kind)
            html = page.html.decode()
            kit = _kit(number, page.kind)
            state = "error_page" if page.kind == "missing" else "content"
            yield _made(kit, html, state, page.lang, page.kind)
            for one in range(_FORMS if page.kind == "missing" else 0):
                kit = _kit(number, f"login {one}")
                yield _made(kit, _with_form(kit, html), "login", page.lang, "login")


def _kit(number: int, kind: str) -> Kit:
    return Kit.of(Random(f"{NAME} {number} {kind}"), "first")


def _made(kit: Kit, html: str, state: str, lang: str, kind: str) -> MadePage:
    html = with_box(kit, html) if kit.chance(0.5) else html
    return MadePage(html, state, NAME, lang, kit.status(kind))


def _with_form(kit: Kit, html: str) -> str:
    """Return the page of an error with a form to sign in in place of its message."""
    title, words, _ = kit.said("login")
    said = f"<p>{words}</p>" if kit.chance(0.6) else ""
    form = f"<h1>{title}</h1>{said}{sign_in_form(kit)}"
    html = _MESSAGE.sub(lambda _: form, html, count=1)
    return _TITLE.sub(f"<title>{title}</title>", html, count=1)
