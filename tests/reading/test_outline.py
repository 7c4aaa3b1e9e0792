import pytest

from chaffinch import PageError, estimate_tokens, extract

HTML = """<title>Grain</title><body><article><p>Before all headings stands a lead of some words.
<h2>Seeds</h2><p>Seeds are kept over the winter in a dry place.<h3>Storage</h3><p>In jars of glass.
<h4>Jars</h4><p>With a lid.<h3>Sowing</h3><p>In spring.<h2>Harvest</h2><p>In late summer.
<h3>Storage</h3><p>In sacks."""
FOUND = extract(HTML, keep="body", url="https://grain.example/")


def test_numbers_levels_and_paths():
    assert [(one.number, one.level, one.heading) for one in FOUND.outline()] == [
        ("0", 1, "Grain"), ("1", 2, "Seeds"), ("1.1", 3, "Storage"), ("1.1.1", 4, "Jars"),
        ("1.2", 3, "Sowing"), ("2", 2, "Harvest"), ("2.1", 3, "Storage"),
    ]  # fmt: skip
    assert FOUND.outline()[3].path == ("Grain", "Seeds", "Storage", "Jars")


def test_sizes_and_rows_are_those_of_the_sections():
    for entry in FOUND.outline():
        text = FOUND.markdown(section=entry.number)
        assert 0 <= entry.tokens - estimate_tokens(text) <= 2 + text.count("\n")
        assert abs(entry.length - len(text)) <= text.count("\n") + 2
    rows = FOUND.outline()[2].rows
    text = FOUND.page.text[FOUND.page.text_at[rows[0]] : FOUND.page.text_at[rows[1]]]
    assert text.startswith("Storage")
    assert text.rstrip().endswith("With a lid.")


def test_sections_hold_those_in_them():
    assert FOUND.markdown(section="1.1") == (
        "### Storage\n\nIn jars of glass.\n\n#### Jars\n\nWith a lid.\n"
    )
    assert FOUND.markdown(section="0") == (
        "# Grain\n\nBefore all headings stands a lead of some words.\n"
    )


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("1.2", "1.2"), (" 2 ", "2"), ("sowing", "1.2"), ("Harvest  > storage", "2.1"),
        (["Seeds", "Storage"], "1.1"), (("Grain", "Seeds"), "1"), (FOUND.outline()[6].id, "2.1"),
    ],
)  # fmt: skip
def test_ways_to_ask_for_a_section(path, number):
    assert FOUND.markdown(section=path) == FOUND.markdown(section=number)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("Storage", "2 sections are called 'Storage': 1.1 Storage; 2.1 Storage"),
        ("9", "no section '9'; the page has 0 Grain; 1 Seeds"),
        ("", "no section ''"),
        ([], "no section"),
    ],
)
def test_unclear_sections_are_an_error_of_the_page(path, message):
    with pytest.raises(PageError, match=message):
        FOUND.markdown(section=path)


def test_notes_keep_their_labels_in_sections_and_chunks():
    page = """<h1>Rye</h1><p>Rye is sown.<sup><a href="#n1" id=m1>1</a></sup><h2>Notes</h2>
    <ol><li id=n1>In autumn. <a href="#m1">↩</a></ol>"""
    found = extract(page, keep="*", url="https://grain.example/")
    assert found.markdown().endswith("\n## Notes\n\n[^1]: In autumn.\n")
    assert found.markdown(section="Notes") == "## Notes\n\n[^1]: In autumn.\n"
    assert found.chunks()[-1].text == "## Notes\n\n[^1]: In autumn."
