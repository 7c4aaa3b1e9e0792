"""A page that asks an address in every way that a page can ask, and a port that hears datagrams."""

import contextlib
import socket
import threading

ARTICLE = "<article><p>A page that wants to look around at home.</article>"


def escapes(where, udp):
    """A page that asks `where` (http://host:port) in every way that a page can ask."""
    web_socket, turn = where.replace("http", "ws"), where.partition("//")[2]
    return f"""<!doctype html><head>
<link rel=stylesheet href="{where}/css"><link rel=preconnect href="{where}">
<link rel=prefetch href="{where}/prefetch"><link rel=preload as=fetch href="{where}/preload">
<style>@import "{where}/import"; body {{ background: url({where}/background) }}</style>
<script src="{where}/script"></script></head><body>{ARTICLE}
<img src="{where}/image"><iframe src="{where}/frame"></iframe>
<iframe srcdoc='<img src="{where}/inner-image">
<script src="{where}/inner-script"></script>'></iframe>
<object data="{where}/object"></object><embed src="{where}/embed">
<video src="{where}/video"></video><svg><image href="{where}/svg"/></svg>
<form method=post action="{where}/form" target=sink><input name=a value=b></form>
<iframe name=sink></iframe>
<script>
const quietly = way => {{ try {{ const done = way(); if (done && done.catch) done.catch(() => 0); }}
  catch (error) {{}} }};
quietly(() => fetch("{where}/fetch", {{mode: "no-cors"}}));
quietly(() => {{ const x = new XMLHttpRequest(); x.open("GET", "{where}/xhr"); x.send(); }});
quietly(() => navigator.sendBeacon("{where}/beacon", "x"));
quietly(() => new EventSource("{where}/events"));
quietly(() => new WebSocket("{web_socket}/socket"));
quietly(() => import("{where}/module"));
quietly(() => new Worker(URL.createObjectURL(new Blob(["importScripts('{where}/worker')"]))));
quietly(() => document.forms[0].submit());
quietly(() => window.open("{where}/window"));
quietly(() => new WebTransport("https://127.0.0.1:{udp}/transport").ready);
quietly(() => {{
  const peer = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:{udp}"}},
    {{urls: "turn:{turn}?transport=tcp", username: "a", credential: "b"}}]}});
  peer.createDataChannel("x"); peer.createOffer().then(offer => peer.setLocalDescription(offer));
}});
quietly(() => navigator.serviceWorker.register("/service-worker"));
quietly(() => fetch("file:///etc/hostname").then(r => r.text()).then(t => document.body.append(t)));
</script><iframe src="file:///etc/hostname"></iframe><iframe src="chrome://version"></iframe>"""


@contextlib.contextmanager
def datagrams():
    """A port that hears datagrams: (port, list of what came)."""
    heard = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", 0))
        ear.settimeout(0.05)
        over = threading.Event()

        def listen():
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    heard.append(ear.recv(2000))

        thread = threading.Thread(target=listen)
        thread.start()
        yield ear.getsockname()[1], heard
        over.set()
        thread.join()
