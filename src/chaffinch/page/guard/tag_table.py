"""How tags open and close elements, by their names (HTML Standard, section 13.2.6).

The one place of it: the reading of tags (`chaffinch.kernels.read_tags`) is given this table.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from chaffinch.kernels.tag_codes import FIRST_NAMES, KINDS, TagTable

_HEADINGS: Final = "h1 h2 h3 h4 h5 h6"
_CLOSES_P: Final = (
    f"{_HEADINGS} address article aside blockquote center details dialog dir div dl fieldset "
    "figcaption figure footer form header hgroup hr li dd dt listing main menu nav ol p pre search "
    "section summary ul"
)
_ROWS: Final = "tr tbody thead tfoot colgroup"
_CELLS: Final = "td th caption"
_SCOPES: Final = f"{_CELLS} table object applet marquee template select"
_THIN: Final = "address div p"  # a new list item closes the last one through these
_SPECIAL: Final = f"{_CLOSES_P} {_ROWS} {_SCOPES} button noscript optgroup option"
_VOID: Final = "base basefont bgsound col frame hr link meta param source track"
_VOID_INLINE: Final = "area br embed image img input keygen wbr"
_RUBY_TEXT: Final = "rb rp rt rtc"

_NAMES_OF: Final = {
    "void": f"{_VOID} {_VOID_INLINE}",  # has no content
    "root": "html head body",  # opened once: later ones only add attributes
    "raw": "script style textarea title xmp iframe noembed noframes plaintext",  # text to its end
    "formatting": "a b big code em font i nobr s small strike strong tt u",
    # its start tag doesn't open formatting elements again
    "keeps_formatting": f"{_CLOSES_P} {_ROWS} {_CELLS} {_VOID} {_RUBY_TEXT} table template "
    "frameset",
    "closes_p": _CLOSES_P,  # by its start tag
    "closes_all": f"{_CLOSES_P} {_ROWS} button",  # by its end tag, what is in it
    "closes_select": "input",
    "replaces": "a nobr",  # its start tag closes the last one
    "item": "li dd dt",  # its start tag closes the last of its ring, but through no wall
    "ruby_text": _RUBY_TEXT,  # in a ruby, its start tag closes what is implied
    "implied": f"dd dt li optgroup option p {_RUBY_TEXT}",  # end tags
    "kin": _HEADINGS,  # closed by the end tag of any of its ring
    "table_part": f"{_ROWS} {_CELLS}",  # stands in a table only
    "scope": _SCOPES,  # end tags in it reach nothing beyond
    "shares": "table select",  # a scope with the formatting elements of the one around it
    "svg_scope": "foreignobject desc title",  # HTML within svg
    "math_scope": "mi mo mn ms mtext",  # HTML within math
    "special": _SPECIAL,  # stops the end tag of an ordinary element
    "wall": " ".join({*_SPECIAL.split()} - {*_THIN.split()}),
    "ends_foreign": "br p",  # its end tag closes svg and math; br is empty by its end tag, too
    "choice": "option optgroup",  # counted in a select
    # its start tag closes svg and math; Lexbor leaves sup in them, unlike the standard
    "breaks_out": f"{_HEADINGS} b big blockquote body br center code dd div dl dt em embed head hr "
    "i img li listing menu meta nobr ol p pre ruby s small span strong strike sub table tt u ul"
    " var",
}
_RINGS: Final = (_HEADINGS, "dd dt", "ul ol", "tbody thead tfoot")
_INSIDE: Final = {"td": "tr", "th": "tr", "tr": "tbody"}
_CLOSES_TOP: Final = dict.fromkeys(_HEADINGS.split(), "h1") | {
    "option": "option",
    "optgroup": "option",
}


def _tag_table() -> TagTable:
    named = {word.encode() for words in _NAMES_OF.values() for word in words.split()}
    names = (*FIRST_NAMES, *sorted(named - {*FIRST_NAMES}))
    code = {name.decode(): at for at, name in enumerate(names)}
    kinds = np.zeros(len(names), np.uint32)
    for bit, kind in enumerate(KINDS):
        kinds[[code[name] for name in _NAMES_OF[kind].split()]] |= 1 << bit
    ring = np.arange(len(names), dtype=np.int32)
    for words in _RINGS:
        codes = [code[name] for name in words.split()]
        ring[codes] = [*codes[1:], codes[0]]
    inside, closes_top = np.full((2, len(names)), -1, np.int32)
    for column, pairs in ((inside, _INSIDE), (closes_top, _CLOSES_TOP)):
        column[[code[name] for name in pairs]] = [code[name] for name in pairs.values()]
    html_types = (b"text/html", b"application/xhtml+xml")
    return TagTable(names, kinds, ring, inside, closes_top, html_types)


TAG_TABLE: Final = _tag_table()
