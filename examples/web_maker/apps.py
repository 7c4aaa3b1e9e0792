"""Pages that scripts build, each with a static twin, and what stands in a browser's way.

/app/N.html      an empty shell; a script fetches /api/N.json and builds the page
/late/N.html     the same, a second later
/state/N.html    the content stands in __NEXT_DATA__; a script builds it from there
/plain/N.html    the static twin of all three
/scroll.html     a list of 120 entries of which more are loaded when it is scrolled down
/plain-scroll.html   its static twin
/wall/N.html     nothing but a cookie wall until its button is pressed
/consent/N.html  the static page below a consent dialog that covers it
/frames/N.html   the article stands in a frame of frame.test
/lazy/N.html     pictures with data-src that a script loads when they are seen
/popup.html      opens windows, alerts, a download; /escape.html tries every way out
"""

import json
import re

from web_maker.answers import Answer, Asked, links, missing, page, text
from web_maker.texts import paragraph, title

COUNT = 40
ENTRIES = 120
STEP = 20
_STYLE = (
    "<style>.dialog{position:fixed;inset:0;background:#fff;z-index:9}"
    ".gone{display:none}nav a{margin:1em}</style>"
)


def _data(number: int) -> dict[str, object]:
    body = [paragraph("en", f"app/{number}/{k}") for k in range(6)]
    return {"title": title("en", "app", number), "body": body}


def _gold(number: int) -> str:
    data = _data(number)
    return "\n".join([str(data["title"]), *map(str, data["body"])])  # type: ignore[call-overload]


def _article(number: int) -> str:
    data = _data(number)
    body = "".join(f"<p>{one}</p>" for one in data["body"])  # type: ignore[attr-defined]
    return f"<article><h1>{data['title']}</h1>{body}</article>"


def _frame(asked: Asked, main: str, script: str = "", title_: str = "The App Post") -> Answer:
    """The page around the app: navigation, main, footer, trackers."""
    menu = "".join(f'<a href="/plain/{k}.html">Story {k}</a>' for k in range(5))
    pixel = asked.url("tracker.test", "/pixel.js")
    body = (
        f"<nav>{menu}</nav><div id=root>{main}</div>"
        "<footer><p>All rights reserved by the App Post.</p></footer>"
        f'<script src="{pixel}" async></script>'
        f"<script>{script}</script>"
    )
    return page(title_, body, head=_STYLE)


_BUILD = """
function build(data) {
  const article = document.createElement('article');
  const head = document.createElement('h1');
  head.textContent = data.title;
  article.append(head);
  for (const one of data.body) {
    const p = document.createElement('p');
    p.textContent = one;
    article.append(p);
  }
  document.getElementById('root').replaceChildren(article);
  document.title = data.title;
}
"""


def app(asked: Asked) -> Answer:
    """The pages above."""
    path = asked.path
    if path == "/robots.txt":
        return text("User-agent: *\nAllow: /\n")
    if found := re.fullmatch(r"/(\w+)/(\d+)\.(html|json)", path):
        number = int(found[2])
        made = _NUMBERED.get(found[1])
        return made(asked, number) if made and number < COUNT else missing()
    if path == "/":
        kinds = [kind for kind in _NUMBERED if kind != "api"]
        every = [f"/{kind}/{k}.html" for kind in kinds for k in range(COUNT)]
        return page("App", links([*every, "/scroll.html", "/plain-scroll.html"]))
    return _ALONE[path](asked) if path in _ALONE else missing()


def _shell(asked: Asked, number: int) -> Answer:
    call = f"fetch('/api/{number}.json').then(r => r.json()).then(build);"
    return _with_gold(_frame(asked, "<p>Loading…</p>", _BUILD + call), _gold(number))


def _late(asked: Asked, number: int) -> Answer:
    call = f"setTimeout(() => fetch('/api/{number}.json').then(r => r.json()).then(build), 1000);"
    return _with_gold(_frame(asked, "", _BUILD + call), _gold(number))


def _state(asked: Asked, number: int) -> Answer:
    data = json.dumps({"props": {"pageProps": _data(number)}}).replace("</", "<\\/")
    state = f'<script id="__NEXT_DATA__" type="application/json">{data}</script>'
    call = "build(JSON.parse(document.getElementById('__NEXT_DATA__').textContent).props.pageProps)"
    found = _frame(asked, "", _BUILD + call)
    body = found.body.replace(b"<script>\nfunction", state.encode() + b"<script>\nfunction", 1)
    return Answer(body=body, gold=_gold(number))


def _plain(asked: Asked, number: int) -> Answer:
    title_ = str(_data(number)["title"])
    return _with_gold(_frame(asked, _article(number), title_=title_), _gold(number))


def _api(_asked: Asked, number: int) -> Answer:
    return text(json.dumps(_data(number)), "application/json")


def _wall(asked: Asked, number: int) -> Answer:
    main = (
        '<div class="dialog" role="dialog"><h2>Cookies first</h2><p>We bake before you read.</p>'
        '<button id="accept">Accept all</button> <button id="refuse">Refuse</button></div>'
    )
    call = (
        f"const go = () => fetch('/api/{number}.json').then(r => r.json()).then(build);"
        "for (const id of ['accept', 'refuse'])"
        " document.getElementById(id).addEventListener('click',"
        " () => { document.cookie = 'seen=1'; go(); });"
        "if (document.cookie.includes('seen=1')) go();"
    )
    return _with_gold(_frame(asked, main, _BUILD + call), _gold(number))


def _consent(asked: Asked, number: int) -> Answer:
    dialog = (
        '<div class="dialog" id="consent" role="dialog" aria-modal="true"><h2>Your choice</h2>'
        "<p>We and our 412 partners would like to count your steps.</p>"
        "<button onclick=\"this.closest('.dialog').remove()\">Agree</button></div>"
    )
    return _with_gold(_frame(asked, _article(number) + dialog), _gold(number))


def _frames(asked: Asked, number: int) -> Answer:
    source = asked.url("frame.test", f"/part/{number}.html")
    main = f'<h2>Framed</h2><iframe src="{source}" width="800" height="600"></iframe>'
    return _with_gold(_frame(asked, main), _gold(number))


def _lazy(asked: Asked, number: int) -> Answer:
    pictures = "".join(
        f'<figure><img data-src="/picture/{number}-{k}.png" width="600" height="400" alt="">'
        f"<figcaption>Picture {k} of {number}</figcaption></figure>"
        for k in range(8)
    )
    call = (
        "const seen = new IntersectionObserver(all => all.forEach(one => {"
        " if (one.isIntersecting) one.target.src = one.target.dataset.src; }));"
        "document.querySelectorAll('img').forEach(one => seen.observe(one));"
    )
    return _with_gold(_frame(asked, _article(number) + pictures, call), _gold(number))


def _entry(number: int) -> str:
    return f'<li><a href="/plain/{number % COUNT}.html">{title("en", "scroll", number)}</a></li>'


def _scroll(asked: Asked) -> Answer:
    first = "".join(_entry(k) for k in range(STEP))
    call = (
        f"let have = {STEP}, busy = false; const list = document.getElementById('list');"
        "addEventListener('scroll', () => {"
        f" if (busy || have >= {ENTRIES}) return;"
        " if (innerHeight + scrollY < document.body.scrollHeight - 400) return;"
        " busy = true; fetch('/more.html?from=' + have).then(r => r.text()).then(more => {"
        f"  list.insertAdjacentHTML('beforeend', more); have += {STEP}; busy = false; }}); }});"
    )
    style = "<style>li{height:60px}</style>"
    return _frame(asked, f'{style}<h1>All</h1><ul id="list">{first}</ul>', call)


def _plain_scroll(asked: Asked) -> Answer:
    every = "".join(_entry(k) for k in range(ENTRIES))
    return _frame(asked, f'<h1>All</h1><ul id="list">{every}</ul>')


def _more(asked: Asked) -> Answer:
    given = asked.query.get("from", "")
    first = int(given) if given.isdecimal() else ENTRIES
    return text("".join(_entry(k) for k in range(first, min(first + STEP, ENTRIES))), "text/html")


def _popup(asked: Asked) -> Answer:
    call = (
        "alert('hello'); confirm('sure?'); window.open('/plain/1.html');"
        "const a = document.createElement('a'); a.href = '/file.bin'; a.download = 'file.bin';"
        "document.body.append(a); a.click();"
        "addEventListener('beforeunload', e => e.preventDefault());"
    )
    return _frame(asked, _article(0), call)


def _escape(asked: Asked) -> Answer:
    ways = [
        asked.url("inner.test", "/secret.html"),
        asked.url("127.0.0.1", "/secret.html"),
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
    ]
    call = "".join(f"fetch('{way}', {{mode: 'no-cors'}}).catch(() => 0);" for way in ways)
    call += "".join(f"new Image().src = '{way}';" for way in ways)
    call += f"navigator.sendBeacon('{ways[0]}', 'x');"
    call += f"new WebSocket('{ways[0].replace('http', 'ws')}');"
    frames = "".join(f'<iframe src="{way}"></iframe>' for way in ways)
    return _frame(
        asked, _article(0) + frames, call + f"setTimeout(() => location = '{ways[0]}', 50);"
    )


def _file(_asked: Asked) -> Answer:
    return Answer(
        body=bytes(1000),
        kind="application/octet-stream",
        headers=(("Content-Disposition", "attachment; filename=file.bin"),),
    )


def _with_gold(made: Answer, gold: str) -> Answer:
    return Answer(body=made.body, gold=gold)


def frame(asked: Asked) -> Answer:
    """What app.test frames."""
    found = re.fullmatch(r"/part/(\d+)\.html", asked.path)
    if found and int(found[1]) < COUNT:
        return page("Part", _article(int(found[1])))
    return missing()


def tracker(asked: Asked) -> Answer:
    """A script that writes an advertisement into the page, and pictures."""
    if asked.path == "/pixel.js":
        script = (
            "document.body.insertAdjacentHTML('beforeend',"
            " '<div class=ad>Buy the quiet chainsaw today</div>');"
        )
        return text(script, "text/javascript")
    return Answer(body=b"GIF89a", kind="image/gif")


def inner(_asked: Asked) -> Answer:
    """What nobody outside may read."""
    return page("Inner", "<h1>Secret</h1><p>The key hangs behind the clock.")


_NUMBERED = {
    "app": _shell,
    "late": _late,
    "state": _state,
    "plain": _plain,
    "wall": _wall,
    "consent": _consent,
    "frames": _frames,
    "lazy": _lazy,
    "api": _api,
}
_ALONE = {
    "/scroll.html": _scroll,
    "/plain-scroll.html": _plain_scroll,
    "/more.html": _more,
    "/popup.html": _popup,
    "/escape.html": _escape,
    "/file.bin": _file,
}
