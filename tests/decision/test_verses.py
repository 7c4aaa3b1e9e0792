"""Lines of code and of verse that repeat stay; copies for other screens go."""

import pytest

import chaffinch

PROSE = "<p>The chaffinch is a small bird, common in gardens and woods; it sings in spring.</p>" * 3
NAMES = ("one", "two", "three", "four")
REFRAIN = ["Sing, finch, sing in the morning light", "Sing, finch, sing in the evening light"]


def stanza(name):
    return [f"The song of number {name} begins so", "and goes on in the lime tree", *REFRAIN]


VERSES = {
    "div.line": "".join(
        "<div class=stanza>"
        + "".join(f"<div class=line>{line}</div>" for line in stanza(name))
        + "</div>"
        for name in NAMES
    ),
    "stanzas": "".join(
        f"<div class=stanza><div>The song of number {name}</div></div><div class=stanza>"
        + "".join(f"<div>{line}</div>" for line in [*REFRAIN, "and again until the evening comes"])
        + "</div>"
        for name in NAMES
    ),
    "br": "<div>" + "<br><br>".join("<br>".join(stanza(name)) for name in NAMES) + "</div>",
    "p with br": "".join(f"<p>{'<br>'.join(stanza(name))}</p>" for name in NAMES),
}


@pytest.mark.parametrize("verse", VERSES)
def test_a_refrain_is_sung_each_time(verse):
    page = f"<body><article><h1>Songs</h1>{VERSES[verse]}{PROSE}</article>"
    found = chaffinch.extract(page, url="https://x.example/a")
    for line in REFRAIN:
        assert found.text.count(line) == len(NAMES)
        assert found.markdown().count(line) == len(NAMES)


@pytest.mark.parametrize("line", ["<code>{}</code><br>", "<div><code>{}</code></div>"])
def test_lines_of_code_stay(line):
    own = [
        "def sing_in_the_morning(finch):",
        "    finch.sing('in the morning light')",
        "    finch.rest_until('the evening comes')",
        "    return finch.is_still_singing()",
    ]
    parts = "".join(line.format(one) for one in own)
    page = (
        f"<body><article><h1>Songs</h1>{PROSE}<div>{parts}</div><div>{parts}</div>{PROSE}</article>"
    )
    text = chaffinch.extract(page, url="https://x.example/a").text
    assert text.count("finch.rest_until") == 2


def test_a_copy_for_narrow_screens_goes():
    parts = "".join(
        f"<p>Paragraph {name} of a passage that stands on the page twice.</p>" for name in NAMES
    )
    page = (
        f"<body><article><h1>Songs</h1><div class=wide>{parts}</div><div class=narrow>{parts}</div>"
    )
    text = chaffinch.extract(page, url="https://x.example/a").text
    assert text.count("Paragraph two") == 1
