"""A small web of several hosts, every page made from its address alone, for crawls and browsers.

`answer(Asked(...))` gives what a server would send; `server.py` serves it on loopback, with the
misbehaviour that a crawler meets. The same bytes come out on every platform and in every run. The
hosts, all below the reserved name `test`:

    post.test      English news: 2,400 articles, lists, feed, site map, copies for printing
    zh.post.test   Chinese news: 1,600 articles, a third in GBK, some that lie about their encoding
    shop.test      500 products by query, with session ids and tracking keys in links
    forum.test     300 threads in directories of their own
    docs.test      120 pages of a manual, with ETag and Last-Modified
    slow.test      asks for a delay between requests
    faulty.test    500s, resets, half answers, endless streams, 429 with Retry-After, bombs
    trap.test      calendars, sessions, endless queries, deeper and deeper paths, ways out
    opted.test     robots meta tags, X-Robots-Tag, reservations of text and data mining
    app.test       pages built by scripts, each with a static twin; walls, dialogs, frames
    frame.test     what app.test frames
    tracker.test   what app.test loads and a crawler should not
    inner.test     a host that nobody may visit; whoever asks it has escaped
"""

from web_maker.answers import Answer, Asked, answer

HOSTS = (
    "post.test zh.post.test shop.test forum.test docs.test slow.test faulty.test trap.test"
    " opted.test app.test frame.test tracker.test inner.test"
).split()
"""All names that are served."""

__all__ = ["HOSTS", "Answer", "Asked", "answer"]
