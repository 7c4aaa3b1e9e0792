"""Serve the example web on loopback: `python examples/serve_web.py --port 8900 [--log FILE]`.

Names are no matter: a client is told that every host is at 127.0.0.1, and asks it by name:

    curl --resolve post.test:8900:127.0.0.1 http://post.test:8900/
    chromium --host-resolver-rules="MAP *.test 127.0.0.1" http://app.test:8900/app/1.html
    chaffinch crawl http://post.test:8900/ --resolve post.test=127.0.0.1 --allow-host post.test …
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from web_maker import HOSTS
from web_maker.server import WebServer


def main() -> None:
    """Serve until stopped; the port is printed once it listens."""
    parser = argparse.ArgumentParser(description="Serve the example web on loopback.")
    parser.add_argument("--port", type=int, default=8900, help="0 takes a free one")
    parser.add_argument("--log", type=Path, help="write every request to this file, a JSON a line")
    chosen = parser.parse_args()
    with WebServer(chosen.port, chosen.log) as server:
        print(f"serving {len(HOSTS)} hosts at 127.0.0.1:{server.port}", flush=True)
        try:
            server.serve_forever(0.05)
        except KeyboardInterrupt:
            print("stopped")


if __name__ == "__main__":
    main()
