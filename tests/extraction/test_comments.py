"""Comments: the posts below a text, and none of a thread."""

import pytest

import chaffinch

TEXT = "<p>" + "The owls that live in this barn have been there for as long as it has stood. " * 4
COMMENTS = (
    "<section id=comments>"
    + "".join(
        f"<div class=comment><b class=author>Reader {n}</b> "
        f"<time datetime=2024-05-0{n}>May {n}</time>"
        f"<p>Thank you for this, number {n}; my barn is empty since the winter.</p></div>"
        for n in range(1, 4)
    )
    + "</section>"
)
ARTICLE = f"<title>Owls</title><article><h1>Owls</h1>{TEXT}{TEXT}{TEXT}</article>{COMMENTS}"
THREAD = f"<title>Owls?</title><h1>Owls?</h1>{COMMENTS}"


@pytest.mark.parametrize("policy", [None, {"comments": True}, {"comments": False}], ids=str)
def test_comments_are_listed_whatever_the_text_holds(policy):
    found = chaffinch.extract(ARTICLE, policy=policy)
    assert [(one.author, one.date) for one in found.comments] == [
        (f"Reader {n}", f"2024-05-0{n}") for n in range(1, 4)
    ]
    assert ("Thank you" in found.text) == bool(policy and policy["comments"])
    record = found.to_dict(parts=["comments"])
    assert [one["author"] for one in record["comments"]] == [f"Reader {n}" for n in range(1, 4)]


def test_the_posts_of_a_thread_are_none():
    found = chaffinch.extract(THREAD, keep="body")
    assert len(found.posts) == 3
    assert found.comments == []
