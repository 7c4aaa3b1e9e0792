"""What every page of a site has is no content, whatever stands beside it; another host is told."""

import random

import pytest
from click.testing import CliRunner

import chaffinch
from chaffinch import Site
from chaffinch.cli import main

WORDS = "mill river stone flour barn sluice carter baker rope winter oats rye straw loft".split()
RETURNING = [
    "This paper is made by its readers. If you value what we print, give a little each month.",
    "Diese Zeitung lebt von ihren Lesern. Unterstützen Sie uns bitte mit einem Betrag im Monat.",
    "Ce journal vit de ses lecteurs. Si notre travail vous plaît, aidez-nous par un don mensuel.",
    "本报由读者支持。如果您觉得我们的报道有价值,请每月捐助一点,并把本报介绍给您的朋友。",
]


def story(number, returning, *, marked=""):
    dice = random.Random(number)  # noqa: S311
    prose = [" ".join(dice.choices(WORDS, k=45)).capitalize() + "." for _ in range(5)]
    prose.insert(2, returning)
    body = "".join(f"<p{marked}>{one}</p>" for one in prose)
    return (
        f"<html><head><title>Story {number} | Herald</title></head><body><header><a href=/>Herald"
        f"</a></header><main><article><h1>Story {number} of the {WORDS[number % 14]}</h1>{body}"
        "</article></main><footer>Herald</footer></body></html>"
    )


def learned(returning, **options):
    pages = [
        chaffinch.parse(story(n, returning, **options), url=f"https://herald.example/{n}")
        for n in range(12)
    ]
    return Site.learn(pages)


@pytest.mark.parametrize("returning", RETURNING)
@pytest.mark.parametrize("marked", ["", " class=text"])
def test_a_paragraph_of_every_page_is_dropped_amid_its_like(returning, marked):
    site = learned(returning, marked=marked)
    for number in range(20, 26):
        text = site.extract(story(number, returning, marked=marked)).text
        assert returning[:20] not in text
        assert text.count("\n") == 5


def test_a_model_of_another_host_says_so(tmp_path):
    site = learned(RETURNING[0])
    for url in ("https://herald.example/x", "https://www.herald.example/x", None):
        assert site.extract(story(30, RETURNING[0]), url=url).content.verdict.notes.because is None
    assert not site.named_findings()
    found = site.extract(story(31, RETURNING[0]), url="https://other.example/x")
    assert "other.example" in found.content.verdict.notes.because
    assert site.named_findings() == [
        "herald.example: applied to 1 page of another host, other.example"
    ]
    site.save(tmp_path / "site.toml")
    (tmp_path / "page.html").write_text(story(32, RETURNING[0]))
    given = [str(tmp_path / "page.html"), "--site", str(tmp_path / "site.toml")]
    for verb, more in (("extract", []), ("verify", ["Herald"]), ("explain", [])):
        call = [verb, given[0], *more, *given[1:], "--url", "https://other.example/x"]
        assert "another host, other.example" in CliRunner().invoke(main, call).stderr
