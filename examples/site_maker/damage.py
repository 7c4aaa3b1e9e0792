"""Mistakes that real pages make: each takes a whole page and breaks it in one way."""

import re
from collections.abc import Callable


def unclosed(html: str) -> str:
    """Leave out every third `</p>`, every second `</li>` and the last `</div>`."""
    html = _without_every(3, "</p>", _without_every(2, "</li>", html))
    head, tail = html.rsplit("</div>", 1)
    return head + tail


def _without_every(step: int, mark: str, html: str) -> str:
    first, *rest = html.split(mark)
    kept = (("" if at % step == 0 else mark) + part for at, part in enumerate(rest, 1))
    return first + "".join(kept)


def misnested(html: str) -> str:
    """Close b before i around the first words of paragraphs."""
    return re.sub(r"<p>(\u3000*)([^<>]{4,14}?)(?=[ ，、])", r"<p>\1<b><i>\2</b></i>", html)


def no_body(html: str) -> str:
    """No html, head or body tags at all."""
    return re.sub(r"</?(html|head|body)\b[^>]*>\n?", "", html)


def duplicate_ids(html: str) -> str:
    """Boxes and comments bear the id of the article."""
    html = html.replace('<div class="box', '<div id="story" class="box')
    return re.sub(r'id="c\d+"', 'id="story"', html)


def upper_case(html: str) -> str:
    """Tags in capitals, and values of one word without quotes."""

    def tag(match: re.Match[str]) -> str:
        slash, name, rest = match.groups()
        return f"<{slash}{name.upper()}" + re.sub(r'="([\w-]+)"', r"=\1", rest) + ">"

    return re.sub(r"<(/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>", tag, html)


def bare_ampersand(html: str) -> str:
    """Ampersands as they are typed, and some stray end tags."""
    return html.replace("&amp;", "&").replace('<div class="share">', '</span><div class="share">')


def cut(html: str) -> str:
    """The connection broke within the last link of the footer."""
    return html[: html.rindex("HREF=") + 7]


DAMAGES: dict[str, Callable[[str], str]] = {
    damage.__name__: damage
    for damage in (unclosed, misnested, no_body, duplicate_ids, upper_case, bare_ampersand, cut)
}
