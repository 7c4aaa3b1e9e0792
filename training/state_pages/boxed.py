"""Pages with a box to sign in beside what they are: lists, products and threads are content still.

Many sites have such a box on every page: in the header, a sidebar, the footer, a window that a
button opens. Real pages of any kind and length get one, and so do some that are made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.page import parse
from training.state_pages.kit import Kit, links

_BODY: Final = re.compile(r"<body[^>]{0,2000}>", re.IGNORECASE)
_END: Final = re.compile(r"</body\s{0,9}>", re.IGNORECASE)
_BANKS: Final = ("first", "second", "third")
_AROUND: Final = ("aside", "aside", "div", "div", "section", "li", "dialog")
_NAMES: Final = ("sidebar", "widget widget_login", "box", "user-panel", "login-box", "block-user",
                 "account", "members", "c-17", "")  # fmt: skip
_HEADS: Final = ("h2", "h3", "h3", "h4", "strong", "legend", "p", "")


def boxes(labelled: LabelledPage) -> Iterator[tuple[str, str, str]]:
    """Yield (html, state, language of the box) of a labelled page with a box beside its content."""
    rng = Random(f"boxed {labelled.id}")
    try:
        page = parse(labelled.html, url=labelled.url)
    except PageError:
        return
    kit = Kit.of(rng, rng.choice(_BANKS))
    html = labelled.html.decode(page.encoding or "utf-8", "replace")
    if (made := with_box(kit, html)) != html:
        yield made, "content", kit.lang


def with_box(kit: Kit, html: str) -> str:
    """Return a page with a box to sign in at the beginning or the end of its body."""
    box = _box(kit)
    if kit.chance(0.4):
        return _BODY.sub(lambda found: found[0] + box, html, count=1)
    return _END.sub(lambda found: box + found[0], html, count=1)


def _box(kit: Kit) -> str:
    """Return a box to sign in, as themes of blogs, forums and shops write it."""
    rng = kit.rng
    title, words, action = kit.said("login")
    title = rng.choice((title, action, kit.words(2).capitalize()))
    head, around = rng.choice(_HEADS), rng.choice(_AROUND)
    heading = f"<{head}>{title}</{head}>" if head else ""
    said = f"<p>{words}</p>" if kit.chance(0.3) else ""
    name = rng.choice(_NAMES)
    return f'<{around} class="{name}">{heading}{said}{sign_in_form(kit)}</{around}>'


def sign_in_form(kit: Kit) -> str:
    """Return the form of such a box, and links below it."""
    action = kit.said("login")[2]
    name = kit.rng.choice(("email", "text", "text"))
    label = ("<label>{}{}</label>" if kit.chance(0.6) else "{0}{1}").format
    more = f'<label><input type="checkbox"> {kit.words(2)}</label>' if kit.chance(0.4) else ""
    further = links([kit.words(2) for _ in range(kit.rng.randint(0, 3))])
    pressed = (
        f"<button>{action}</button>" if kit.chance(0.6) else f'<input type=submit value="{action}">'
    )
    fields = (
        label(kit.words(1), f"<input type={name} name=u>"),
        label(kit.words(1), "<input type=password name=p>"),
    )
    return f'<form method="post" action="/session">{"".join(fields)}{more}{pressed}</form>{further}'
