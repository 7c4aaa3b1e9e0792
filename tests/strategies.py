"""Random pages for property tests."""

from hypothesis import strategies as st

TAGS = [
    "div", "p", "span", "a", "b", "ul", "li", "table", "tr", "td", "h2", "section", "article",
    "script", "style", "svg", "template", "br", "img", "pre", "foo-bar", "title", "noscript",
    "form", "select", "option",
]  # fmt: skip
WORDS = st.sampled_from(
    [
        "grain",
        " chaff ",
        "\n  ",
        " ",
        "谷物",
        "、。",
        "a b",
        "&amp;",
        "&lt;x&gt;",
        "é",
        "𝒳",
        "\u3000",
        "0",
    ]
)
ATTRIBUTES = st.lists(
    st.tuples(
        st.sampled_from(["id", "class", "href", "hidden", "style", "data-x"]),
        st.sampled_from(["", "a", "a b", "main", "#x", "display:none"]),
    ),
    max_size=2,
)


@st.composite
def markup(draw, max_size=40):
    """Return HTML of random tags, attributes, texts and comments, well nested or not."""
    out = []
    open_tags = []
    for _ in range(draw(st.integers(0, max_size))):
        kind = draw(st.sampled_from(["open", "open", "text", "close", "void", "comment", "stray"]))
        if kind == "open":
            tag = draw(st.sampled_from(TAGS))
            attributes = "".join(f' {n}="{v}"' for n, v in draw(ATTRIBUTES))
            out.append(f"<{tag}{attributes}>")
            open_tags.append(tag)
        elif kind == "text":
            out.append(draw(WORDS))
        elif kind == "close" and open_tags:
            out.append(f"</{open_tags.pop()}>")
        elif kind == "void":
            out.append(draw(st.sampled_from(["<br>", "<img src=x>", "<hr>", "<input>"])))
        elif kind == "comment":
            out.append("<!-- c -->")
        elif kind == "stray":
            out.append(f"</{draw(st.sampled_from(TAGS))}>")
    return "".join(out)
