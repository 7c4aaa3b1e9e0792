"""Icons, avatars, buttons, banners, counters and the like: images that are no content.

They are known by class and id, by the file's name if it holds no other words, by an alternative
text that is the name of a button, and by the sizes of banners.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chaffinch.page import Page

_DECORATION: Final = re.compile(
    r"(?:^|[^a-z])(?:g?r?avatars?|user-?pic|emojis?|emoticons?|smil(?:ey|ie|e)s?|favicons?|icons?"
    r"|sprites?|captcha|tracking|pixel|spinner|rating|userphoto|wp-smiley|social"
    r"|author-?(?:image|photo|pic)|profile-?(?:image|photo|pic)\w*|biophoto|badges?|logos?)(?=[^a-z]|$)",
    re.IGNORECASE,
)
_DECORATIVE_FILE: Final = re.compile(
    r"(?:^|[/._-])(?:g?r?avatars?|userpics?|emojis?|emoticons?|smil(?:ey|ie|e)s?|favicons?"
    r"|wp-smiley|sprites?|captcha|doubleclick|adserver)(?=[/._-]|$)|/(?:icons?|flags?|stars?)/",
    re.IGNORECASE,
)
_DECORATION_WORDS: Final = (
    "avatar", "userpic", "user-pic", "emoji", "emoticon", "smil", "icon", "sprite", "captcha",
    "tracking", "pixel", "spinner", "rating", "userphoto", "social", "author", "profile",
    "biophoto", "badge", "logo",
)  # fmt: skip
"""Every name that `_DECORATION` finds has one of these in it; looking for them costs little."""
_FILE_WORDS: Final = (
    "avatar", "userpic", "emoji", "emoticon", "smil", "icon", "sprite", "captcha", "doubleclick",
    "adserver", "/flag", "/star",
)  # fmt: skip
"""The same of `_DECORATIVE_FILE`."""
_BUTTONS: Final = frozenset(
    "share sharing teilen partager compartir condividi condividere delen fenxiang print printer"
    " drucken imprimer imprimir stampa afdrukken dayin facebook fb twitter whatsapp linkedin"
    " pinterest instagram youtube tiktok telegram reddit tumblr vkontakte weibo wechat weixin qzone"
    " rss qr qrcode erweima ewm btn button btns banner dianzan shoucang bookmark favicon"
    " appstore googleplay".split()
)
"""Words of names of images that a page has for itself."""
_DRAWN: Final = frozenset(
    "arrow arrows bullet bullets dot dots divider separator hr line close menu hamburger search"
    " back top totop gotop next prev previous play more like dislike zan email mail envelope pdf"
    " calendar clock user phone tel fax home comment comments reply new hot external counter hit"
    " star stars check quote quotes tag tags pin marker info warning help plus minus".split()
)
"""Words of the same, where the image is drawn and no photograph."""
_BESIDE: Final = frozenset(
    "small big mini white black grey gray blue red green light dark hover on off active round"
    " circle square outline solid fill color img image pic page this to by via up down left right"
    " article footer header top sm md lg x s l m svg png gif mobile pc web follow us".split()
)
"""Words that may stand beside them."""
_LABELS: Final = frozenset(
    "share|print|print this page|email|e-mail|email this|facebook|twitter|x|whatsapp|linkedin"
    "|pinterest|instagram|youtube|telegram|rss|qr code|qrcode|like|menu|close|search|tweet"
    "|follow us|pin it"
    "|share on facebook|share on twitter|drucken|teilen|per e-mail versenden|imprimer|partager"
    "|imprimir|compartir|compartilhar|stampa|condividi|afdrukken|delen|skriv ut|dela|del|udskriv"
    "|drukuj|udostępnij|печать|распечатать|поделиться|друкувати|поділитися|yazdır|paylaş|طباعة|مشاركة"
    "|二维码|二維碼|微信二维码|扫码关注|扫一扫|微信|微博|qq空间|分享|打印|点赞|收藏|列印|印刷|シェア|ツイート"
    "|공유|인쇄".split("|")
)
"""Alternative texts of buttons, in lower case."""
_SCANNED: Final = frozenset("qr qrcode erweima ewm".split())
_COUNTER: Final = re.compile(
    r"/(?:hit|hits|counter|count|cnt|stats?|pixel|beacon|track|logo)\d*(?:\.(?:php|gif|aspx?|cgi|pl))?(?:\?|$)",
    re.IGNORECASE,
)
_BANNERS: Final = frozenset(
    [(468, 60), (728, 90), (970, 90), (88, 31), (320, 50), (120, 600), (160, 600), (234, 60)]
)
"""Sizes of banners that no picture of a text has."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_PHOTOGRAPH: Final = re.compile(r"\.(?:jpe?g|webp|heic|avif)(?=$|[?#!@])", re.IGNORECASE)
_PICTURE: Final = 300
"""Pixels of both declared sides from which on a name alone makes no button."""
_LONG_ALT: Final = 30
"""Characters of an alternative text from which on it describes a picture."""
_SHORT: Final = 200
"""Characters of names that are remembered."""


def is_button(url: str, alt: str, size: tuple[int | None, int | None]) -> bool:
    """Return whether an image is a button, an icon, a banner or a counter of the page itself.

    Args:
        url: its address.
        alt: its alternative text.
        size: its width and height in pixels.
    """
    if size in _BANNERS or _COUNTER.search(url):
        return True
    name = url.partition("?")[0].rpartition("/")[2][-_SHORT:].rpartition(".")[0].lower()
    words = {*_WORD.findall(name)}
    if words & _SCANNED and words <= _SCANNED | _BUTTONS | _BESIDE:
        return True
    if min(side or 0 for side in size) >= _PICTURE or len(alt) >= _LONG_ALT:
        return False
    if " ".join(alt.lower().split()) in _LABELS:
        return True
    known = _BUTTONS if _PHOTOGRAPH.search(url) else _BUTTONS | _DRAWN
    return bool(words & known) and words <= known | _BESIDE


def is_decoration(page: Page, row: int, url: str) -> bool:
    """Return whether the names of an image are those of an icon, an avatar or the like."""
    pairs = page.attributes(row)
    above = page.attribute(int(page.parent[row]), "class")
    names = " ".join((pairs.get("class") or "", pairs.get("id") or "", above or ""))
    decorates = _known_to_decorate if len(names) <= _SHORT else _decorates
    return decorates(names) or (
        has_any(url, _FILE_WORDS) and _DECORATIVE_FILE.search(url) is not None
    )


def _decorates(names: str) -> bool:
    """Return whether names are those of an icon or the like."""
    return has_any(names, _DECORATION_WORDS) and _DECORATION.search(names) is not None


@lru_cache(maxsize=4096)
def _known_to_decorate(names: str) -> bool:
    """Return `_decorates`, cached, since pages repeat names; of long ones the cache would grow."""
    return _decorates(names)


def has_any(text: str, words: tuple[str, ...]) -> bool:
    """Return whether a text holds one of some words in any case."""
    lower = text.lower()
    for word in words:  # noqa: SIM110  a generator for each text would cost more than the search
        if word in lower:
            return True
    return False
