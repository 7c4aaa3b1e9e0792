"""Many documents in a tab, each in a frame of its own: which of them run something."""

import contextlib

from answering_server import Given, missing, serving

AT_ONCE = 60
TELL = """
(() => {
window.hit = window.alert = () => {
  let own = window;
  while (own !== top && own.parent !== top) own = own.parent;
  top.postMessage({ran: own.name}, '*');
};
const leads = to => {
  try { return new URL(to, location.href).protocol !== 'javascript:'; } catch { return true; }
};
document.addEventListener('click', event => {
  const link = event.target.closest && event.target.closest('a, area');
  const to = link && link.href && (link.href.animVal ?? link.href);
  if (to && leads(to)) event.preventDefault();
});
document.addEventListener('submit', event => {
  const to = event.submitter?.getAttribute('formaction') || event.target.getAttribute('action');
  if (leads(to || '')) event.preventDefault();
});
})();
"""
TOUCH_ALL = """
async (names) => {
  window.ran = new Set();
  addEventListener('message', ({data}) => data && data.ran && window.ran.add(data.ran));
  const frames = await Promise.all(names.map(name => new Promise(done => {
    const frame = document.createElement('iframe');
    frame.name = name;
    frame.width = 60; frame.height = 60;
    const late = setTimeout(() => done(frame), 20000);
    frame.addEventListener('load', () => { clearTimeout(late); done(frame); }, {once: true});
    frame.src = `/v/${name}`;
    document.body.append(frame);
  })));
  for (const frame of frames) {
    let inner;
    try { inner = frame.contentWindow; inner.document; } catch { continue; }
    const root = [inner.document];
    for (const scope of root) {
      for (const element of scope.querySelectorAll('*')) {
        if (element.shadowRoot) root.push(element.shadowRoot);
        try {
          if (element.focus) element.focus();
          element.dispatchEvent(new inner.MouseEvent('click', {bubbles: true, cancelable: true}));
        } catch {}
      }
    }
  }
  await new Promise(done => setTimeout(done, 250));
  return [...window.ran];
}
"""


class Frames:
    """Loads documents in frames, touches all that they hold, and says which ran something."""

    def __init__(self, program):
        self._documents = {}
        self._served = contextlib.ExitStack()
        self._port = self._served.enter_context(serving(self._answer)).port
        self._context = program.new_context()
        self._context.add_init_script(TELL)

    def _answer(self, target, _root):
        if target == "/":
            return Given(body=b"<!doctype html><title>frames</title><body>")
        return self._documents.get(target, missing())

    def close(self):
        self._context.close()
        self._served.close()

    def running(self, documents, kind="text/html"):
        """Return the names of those that ran something, in order.

        Args:
            documents: name → source.
            kind: media type of all.
        """
        names, ran = list(documents), []
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            sources = (documents[name].encode("utf-8", "replace") for name in some)
            self._documents = {
                f"/v/{n}": Given(body=source, kind=f"{kind}; charset=utf-8")
                for n, source in enumerate(sources)
            }
            page = self._context.new_page()
            page.on("dialog", lambda one: one.dismiss())
            page.goto(f"http://127.0.0.1:{self._port}/")
            ran += [
                some[int(n)] for n in page.evaluate(TOUCH_ALL, [str(n) for n in range(len(some))])
            ]
            page.close()
        return ran
