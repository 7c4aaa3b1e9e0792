"""Vectors of script injection in a real browser: the outputs run nothing, and what was given does.

Each page is loaded, given time, and all in it is clicked, focused and submitted.
"""

import html

import pytest
from markdown_it import MarkdownIt

import chaffinch
from injection_vectors import MUTATED, RAW
from real_browser import started

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
    with started(browser) as program:
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
