"""Pages that try to run, to call out, to leak their styles or to talk to the service.

{web} is a server that mustn't be asked, {service} the service, and RUN what a script would do.
"""

RUN = (
    "document.documentElement.setAttribute('data-ran','1');"
    "fetch('{web}/ran');parent.postMessage('ran','*');"
    "try{{top.document.title='ran'}}catch(e){{}};try{{top.location='{web}/top'}}catch(e){{}}"
)
_SVG = "<svg xmlns='http://www.w3.org/2000/svg'>{}</svg>"

HOSTILE = {
    # scripts
    "script": f"<script>{RUN}</script>",
    "script from elsewhere": "<script src='{web}/script.js'></script>",
    "module": "<script type=module>import '{web}/module.js'</script>",
    "script of the service": "<script src='{service}/static/main.js' type=module></script>",
    "import map": '<script type=importmap>{{"imports":{{"a":"{web}/a"}}}}</script>',
    "speculation rules": '<script type=speculationrules>{{"prefetch":[{{"urls":'
    '["{web}/speculated"]}}]}}</script>',
    # handlers
    "error of an image": f"<img src='{{web}}/image.png' onerror=\"{RUN}\">",
    "pointer": f'<div onmouseover="{RUN}" onpointerenter="{RUN}" style=\'height:400px\'>a</div>',
    # addresses
    "link to top": "<a href='{web}/link' target=_top ping='{web}/ping'>a</a>",
    "meta refresh": "<meta http-equiv=refresh content='0;url={web}/refresh'><p>a",
    "meta policy": '<meta http-equiv=content-security-policy content="script-src *">'
    f"<script>{RUN}</script>",
    "base": "<base href='{web}/' target=_top><img src=image.png><a href=x>a</a>",
    "image": "<img src='{web}/image.png' srcset='{web}/image2.png 2x'>",
    "picture": "<picture><source srcset='{web}/p.webp'><img src='{web}/p.png'></picture>",
    "background": "<body background='{web}/back.png'><table background='{web}/t.png'><td>a",
    "preloads": "<link rel=preload as=image href='{web}/pre.png'><link rel=prefetch href="
    "'{web}/pre'><link rel=dns-prefetch href='{web}'><link rel=preconnect href='{web}'>",
    "manifest and icon": "<link rel=manifest href='{web}/m.json'><link rel=icon href='{web}/i'>",
    "service": "<img src='{service}/v1/sites'><iframe src='{service}/'></iframe>",
    # frames and forms
    "frame": "<iframe src='{web}/frame' onload=\"" + RUN + '"></iframe>',
    "srcdoc": f"<iframe srcdoc=\"<script>{RUN}</script><img src='{{web}}/doc.png'>\"></iframe>",
    "frameset": "<frameset><frame src='{web}/frameset'></frameset>",
    "objects": "<object data='{web}/o'></object><embed src='{web}/e'><applet code='{web}/x'>",
    "portal and fencedframe": "<portal src='{web}/portal'></portal><fencedframe></fencedframe>",
    "form": "<form action='{service}/v1/extract' method=post id=f><input name=a autofocus>"
    "<button formaction='{web}/form'>a</button></form>",
    # svg
    "svg use": _SVG.format("<use href='{web}/use.svg#a'/><image href='{web}/svg.png'/>"),
    # styles
    "style import": "<style>@import '{web}/import.css'; @import url({web}/import2.css);</style>a",
    "style background": "<style>*{{background:url({web}/b.png)!important;cursor:url({web}/c),auto;"
    "list-style-image:url({web}/l.png);border-image:url({web}/bi.png) 1}}</style><p>a",
    "style attribute": "<p style=\"background:url('{web}/s.png');content:url({web}/t.png)\">a",
    "style font": "<style>@font-face{{font-family:f;src:url({web}/f.woff)}}"
    "*{{font-family:f}}</style>a",
    "style sheet": "<link rel=stylesheet href='{web}/sheet.css'>a",
    "style over all": "<style>html,body,*{{position:fixed!important;inset:0!important;"
    "z-index:2147483647!important;color:rgb(1,2,3)!important}}.bar,.list,main{{display:none"
    "!important}}:root{{--ink:red;--surface:red}}</style><p>a",
    "style of the frame's highlights": "<style>::highlight(kept){{color:transparent}}"
    "@keyframes x{{to{{color:red}}}}</style><p>a",
}
"""What it tries → the page."""


def hostile_pages(web, service):
    """Return what each tries → the page, with the addresses of the servers."""
    body = "<p>The chaffinch sings from the top of a birch, and its song ends with a flourish. " * 4
    return {name: html.format(web=web, service=service) + body for name, html in HOSTILE.items()}


OPEN_ALL = """
async (pages) => {
  const { ask } = await import("/static/dom.js");
  const { PageModel } = await import("/static/model.js");
  window.heard = [];
  addEventListener("message", ({ data }) => window.heard.push(String(data)));
  const place = document.createElement("div");
  place.style.cssText = "position: fixed; inset: 300px 0 0 0; overflow: auto";
  document.body.append(place);
  const built = Object.entries(pages).map(async ([name, html]) => {
    const model = new PageModel(await ask("/v1/inspect/page", { page: { html }, images: true }));
    const frame = document.createElement("page-frame");
    frame.dataset.name = name;
    frame.style.height = "120px";
    place.append(frame);
    await new Promise((done) => {
      frame.addEventListener("built", done, { once: true });
      frame.start(model);
    });
  });
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("not built")), 40_000));
  await Promise.race([Promise.all(built), late]);
  return place.childElementCount;
}
"""
"""Shows pages, by name, below the inspector; returns how many there are."""
