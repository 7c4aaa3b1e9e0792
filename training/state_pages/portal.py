"""Old portals: tables for layout, upper-case tags, frames, no names; in languages of their own."""

from __future__ import annotations

from training.state_pages.kit import Kit, links

BANK = "third"


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    title, text, action = kit.said(state)
    headline = kit.headline()
    match state:
        case "empty":
            return "<HTML><BODY BGCOLOR=#ffffff><TABLE><TR><TD></TD></TR></TABLE></BODY></HTML>"
        case "content":
            made = _frame(kit, headline, _content(kit, headline))
            return made.replace(f"<TITLE>{headline}</TITLE>", "") if kit.chance(0.2) else made
        case "shell":
            return (
                f"<HTML><HEAD><TITLE>{kit.words(2)}</TITLE></HEAD><BODY ONLOAD='go()'>"
                "<DIV ID=area></DIV><SCRIPT SRC=go.js></SCRIPT><NOSCRIPT>Javascript!</NOSCRIPT></BODY></HTML>"
            )
        case "paywall":
            body = "".join(f"<P>{one}" for one in kit.paragraphs(1, 3))
            cell = (
                f"<TABLE BORDER=1><TR><TD><B>{text}</B> <A HREF=/buy>{action}</A></TD></TR></TABLE>"
            )
            return _frame(
                kit, headline, f"<FONT SIZE=5>{headline}</FONT>{body}<P>{kit.words(20)}...{cell}"
            )
        case "login":
            form = (
                f"<FORM METHOD=POST><TABLE><TR><TD>{kit.words(1)}<TD><INPUT NAME=a></TR>"
                f"<TR><TD><INPUT TYPE=password NAME=b></TR></TABLE><INPUT TYPE=submit VALUE='{action}'></FORM>"
            )
            inner = f"<B>{title}</B><P>{text}{form}"
        case "block_page":
            puzzle = "<IMG SRC=/verify.cgi><INPUT NAME=code>" if kit.chance(0.7) else ""
            inner = (
                f"<B>{title}</B><P>{text}<FORM>{puzzle}<INPUT TYPE=submit VALUE='{action}'></FORM>"
            )
            return _alone(title, inner)
        case "consent_wall":
            more = (
                f"<INPUT TYPE=checkbox> {kit.words(3)}<BR><INPUT TYPE=checkbox> {kit.words(3)}<BR>"
            )
            inner = f"<B>{title}</B><P>{text}<P>{kit.sentence()}<FORM>{more}<INPUT TYPE=submit VALUE='{action}'></FORM>"
            return _alone(title, inner)
        case "parked":
            host = kit.host()
            found = links([kit.words(2) for _ in range(10)], around="<TR><TD>{}</TR>")
            return _alone(
                host,
                f"<FONT SIZE=6>{host}</FONT><P>{text}<P><A HREF=/o>{action}</A><TABLE>{found}</TABLE>",
            )
        case _:
            inner = f"<FONT SIZE=6>{title}</FONT><P>{text}<P><A HREF=/>{action}</A>"
    if kit.chance(0.5):
        return _alone(title, inner)
    return _frame(kit, title, inner)


def _alone(title: str, inner: str) -> str:
    return f"<HTML><HEAD><TITLE>{title}</TITLE></HEAD><BODY><CENTER>{inner}</CENTER></BODY></HTML>"


def _content(kit: Kit, headline: str) -> str:
    if kit.chance(0.3):
        rows = "".join(
            f"<TR><TD><A HREF=/{n}>{kit.headline()}</A><TD>{kit.rng.randrange(1, 29)}.{kit.rng.randrange(1, 13)}.</TR>"
            for n in range(kit.rng.randint(8, 40))
        )
        return f"<TABLE>{rows}</TABLE>"
    body = "".join(f"<P>{one}" for one in kit.paragraphs(1, 15))
    return f"<FONT SIZE=5><B>{headline}</B></FONT>{body}"


def _frame(kit: Kit, title: str, inner: str) -> str:
    sign = "<FORM><INPUT NAME=a><INPUT TYPE=password></FORM>" if kit.chance(0.2) else ""
    menu = links(kit.nav(), around="<TR><TD BGCOLOR=#eeeeee>{}</TR>")
    other = "".join(f"<P><A HREF=/n{n}>{kit.headline()}</A>" for n in range(kit.rng.randint(0, 8)))
    return (
        f"<HTML><HEAD><TITLE>{title}</TITLE></HEAD><BODY><TABLE WIDTH=100%><TR>"
        f"<TD WIDTH=150><TABLE>{menu}</TABLE>{sign}<TD>{inner}<TD WIDTH=200>{other}</TR></TABLE>"
        f"<HR><SMALL>{kit.sentence()}</SMALL></BODY></HTML>"
    )
