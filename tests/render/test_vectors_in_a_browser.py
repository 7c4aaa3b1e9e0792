"""Vectors of script injection in a real browser: the outputs run nothing, and what was given does.

Each page is loaded, given time, and all in it is clicked, focused and submitted.
"""

import html

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import sync_playwright

import chaffinch

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
READER.validateLink = lambda _: True
ADDRESS = "http://page.test/"

TELL = "window.hit = window.alert = () => console.log('HIT');"
LEAVE_NOTHING = """
document.addEventListener('click', event => {
  const link = event.target.closest && event.target.closest('a, area');
  const to = link && link.href && (link.href.animVal ?? link.href);
  if (to && !/^\\s*javascript:/i.test(to)) event.preventDefault();
});
document.addEventListener('submit', event => {
  const to = event.submitter.getAttribute('formaction') || event.target.action;
  if (/^https?:/i.test(to)) event.preventDefault();
});
"""
TOUCH = """
() => {
  for (const element of document.querySelectorAll('*')) {
    if (element.focus) element.focus();
    element.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
  }
}
"""


@pytest.fixture(scope="module")
def fires(browser):
    """Return whether a page runs a script when it is loaded and touched."""
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        context = program.new_context()
        context.add_init_script(TELL + LEAVE_NOTHING)
        served, heard = {}, []

        def answer(route):
            if route.request.url == ADDRESS:
                route.fulfill(body=served["page"], content_type="text/html; charset=utf-8")
            else:
                route.fulfill(status=404, body="")

        context.route("**/*", answer)
        page = context.new_page()
        page.on("console", lambda said: heard.append(said.text))

        def fires(source):
            served["page"] = source
            heard.clear()
            page.goto(ADDRESS, wait_until="load")
            page.evaluate(TOUCH)
            page.wait_for_timeout(60)
            return "HIT" in heard

        yield fires
        program.close()


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

TEX = {
    "image": "x<img src=x onerror=hit()>",
    "image behind a backslash": r"x\\<img src=x onerror=hit()>",
    "link": "[a](javascript:hit())",
    "autolink": "<javascript:hit()>",
    "comment": "<!-- --><img src=x onerror=hit()>",
    "CDATA": "<![CDATA[ ]]><img src=x onerror=hit()>",
    "svg": "<svg onload=hit()>",
}
TEX_IN = {  # with entities; {raw} without, for scripts hold none
    "parentheses": r"<p>a \({}\)</p>",
    "brackets": r"<p>\[{}\]</p>",
    "dollars": "<p>$$y={}$$</p>",
    "alttext": '<p>a <math alttext="{}"><mi>x</mi></math></p>',
    "data-tex": '<p>a <span data-tex="{}">x</span></p>',
    "image of a formula": '<p>a <img class="tex" alt="y={}" src="i.png"></p>',
    "mtext": "<p>a <math><mi>x</mi><mtext>{}</mtext></math></p>",
    "script of tex": '<p>a <script type="math/tex">{raw}</script></p>',
    "annotation": (
        '<p>a <span class="katex"><math><semantics><mi>x</mi><annotation'
        ' encoding="application/x-tex">{}</annotation></semantics></math></span></p>'
    ),
    "text": "<p>a {}</p>",
    "title of a link": r'<p><a href="/x" title="{}">a \(]\) b</a></p>',
    "code in a quote": "<blockquote><pre>a&#13;{}</pre></blockquote>",
    "code behind a formula": r"<p>\(`\) <code>{}</code></p>",
    "alternative text": '<p><img src="i.png" alt="{}"></p>',
}

OUTPUTS = {
    "markdown": lambda found: READER.render(found.markdown(front_matter=True)),
    "html": lambda found: found.html(front_matter=True),
    "clean": lambda found: found.clean(),
}


def outputs_of(source):
    found = chaffinch.extract(source, url=ADDRESS, keep=["body"])
    return {name: write(found) for name, write in OUTPUTS.items()}


def test_there_are_enough():
    assert len(RAW) + len(MUTATED) + len(TEX) * len(TEX_IN) >= 60 + len(TEX_IN)


@pytest.mark.parametrize("name", RAW)
def test_what_runs_on_a_page_runs_in_no_output(name, fires):
    assert fires(f"<!DOCTYPE html>{RAW[name]}"), "the page itself has to run"
    page = f"<!DOCTYPE html><title>{html.escape(RAW[name])}</title>{RAW[name]}<p>and words</p>"
    assert [out for out, written in outputs_of(page).items() if fires(written)] == []


@pytest.mark.parametrize("name", MUTATED)
def test_what_another_reading_would_run_does_not(name, fires):
    written = outputs_of(f"<!DOCTYPE html><p>words</p>{MUTATED[name]}<p>and words</p>")
    again = chaffinch.extract(written["clean"], url=ADDRESS, keep=["body"]).clean()
    assert [out for out, own in {**written, "again": again}.items() if fires(own)] == []


@pytest.mark.parametrize("name", TEX)
def test_text_that_is_html_runs_in_no_output(name, fires):
    assert fires(READER.render(f"${TEX[name]}$")), "as it is, it has to run"
    pages = {
        place: own.replace("{}", html.escape(TEX[name])).replace("{raw}", TEX[name])
        for place, own in TEX_IN.items()
    }
    ran = [
        (place, out)
        for place, page in pages.items()
        for out, written in outputs_of(page).items()
        if fires(written)
    ]
    assert ran == []


def test_reports_run_nothing(fires):
    page = f"<!DOCTYPE html><title>{html.escape(RAW['image'])}</title>" + "".join(
        f"<p id='{html.escape(own, quote=True)}'>{html.escape(own)} {own}</p>"
        for name, own in RAW.items()
        if not own.startswith(("<textarea><", "<title><", "<noscript", "<!--"))
    )
    assert fires(page)
    report = chaffinch.compare(page, url=ADDRESS).to_html()
    assert "onerror=hit()" in report
    assert not fires(report)
