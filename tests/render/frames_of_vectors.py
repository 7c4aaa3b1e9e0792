"""Many documents in a tab, each in a frame of its own: which of them run something."""

from __future__ import annotations

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

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


class _Documents(BaseHTTPRequestHandler):
    def do_GET(self):
        body, kind = self.server.documents.get(self.path, (b"", ""))
        if self.path == "/":
            body, kind = b"<!doctype html><title>frames</title><body>", "text/html"
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", f"{kind or 'text/html'}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 the library's name

    def handle(self):
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *_):
        pass


class Frames:
    """Loads documents in frames, touches all that they hold, and says which ran something."""

    def __init__(self, program):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Documents)
        self._server.documents = {}
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self._context = program.new_context()
        self._context.add_init_script(TELL)

    def close(self):
        self._context.close()
        self._server.shutdown()
        self._server.server_close()

    def running(self, documents, kind="text/html"):
        """Return the names of those that ran something, in order.

        Args:
            documents: name → source.
            kind: media type of all.
        """
        names, ran = list(documents), []
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            self._server.documents = {
                f"/v/{n}": (documents[name].encode("utf-8", "replace"), kind)
                for n, name in enumerate(some)
            }
            page = self._context.new_page()
            page.on("dialog", lambda one: one.dismiss())
            page.goto(f"http://127.0.0.1:{self._server.server_port}/")
            ran += [
                some[int(n)] for n in page.evaluate(TOUCH_ALL, [str(n) for n in range(len(some))])
            ]
            page.close()
        return ran
