"""Chinese bylines: every label gives its own field, in any order, on one line or several."""

from hypothesis import given, settings
from hypothesis import strategies as st
from small_pages import read

from rows_of_cases import examples

LABELLED = examples(__file__, "bylines labelled")
BETWEEN = (" ", "  ", "\u3000", " | ", "</span> <span>", "</p><p>", "<br>")
STORY = "<p>今年的雨水来得很早，麦子长得又高又密，农民们从早到晚都在田里忙着收割。</p>" * 6


def page(byline, title="今年的收成很好", end=""):
    return read(
        f"<title>{title}</title>", f"<h1>{title}</h1><p><span>{byline}</span></p>{STORY}{end}"
    )


@st.composite
def bylines(draw):
    """Draw a byline: all labels in any order, each in one of its forms, between any separators."""
    order = draw(st.permutations(list(LABELLED)))
    forms = [draw(st.sampled_from(LABELLED[name])) for name in order]
    # A day without a label is the first thing of a byline; elsewhere it would belong to one.
    forms.sort(key=lambda form: form != "2021-03-04 08:00")
    separators = [draw(st.sampled_from(BETWEEN)) for _ in forms[1:]]
    return "".join(a + b for a, b in zip(forms, [*separators, ""], strict=True))


@settings(max_examples=120, deadline=None)
@given(bylines())
def test_labels_give_their_fields_in_any_order(byline):
    data = page(byline)
    assert set(data.value("authors")) == {"王小明", "李芳"}
    assert data.value("original_source") == "麦田报"
    assert data.value("editors") == ("赵四",)
    assert data.value("published")[:10] == "2021-03-04"
    assert data.value("modified")[:10] == "2021-03-06"


@settings(max_examples=100, deadline=None)
@given(st.sets(st.sampled_from(["source", "editor", "photographer", "modified"])), st.data())
def test_who_is_no_author_is_none(names, data):
    forms = [data.draw(st.sampled_from(LABELLED[name])) for name in sorted(names)]
    assert page(" ".join(forms)).authors is None
