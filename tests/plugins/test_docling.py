"""Docling: the content is the body of the document, the noise its furniture."""

import pytest
from plugin_cases import PageFailed, case_of

pytestmark = pytest.mark.filterwarnings("default")
GRASS = "Rye is a grass, grown for its grain. "
RYE = f"""<title>Rye</title><nav><a href=/a>Home</a> <a href=/b>Shop</a></nav>
<article><h1>Rye</h1><p>{GRASS * 9}</p><h2>Harvest</h2><ul><li>{GRASS}<li>It is cut late.</ul>
<p>{GRASS * 6}</p><table><tr><th>Year<th>Yield<tr><td>2023<td>4.1 t<tr><td>2024<td>3.9 t</table>
<p>{GRASS * 6}</p></article><footer>Imprint of the field</footer>"""


@pytest.fixture(scope="module")
def driver():
    return case_of("docling").driver()


def test_content_is_body_and_noise_is_furniture(driver):
    from docling_core.types.doc import ContentLayer  # noqa: PLC0415  not installed everywhere

    document = driver.document_of(RYE.encode("utf-16"), "https://grain.example/rye")
    markdown = document.export_to_markdown()
    assert "## Harvest" in markdown
    assert "Shop" not in markdown
    assert "Imprint" not in markdown
    furniture = document.export_to_markdown(included_content_layers={ContentLayer.FURNITURE})
    assert "Shop" in furniture
    assert "Imprint of the field" in furniture
    (table,) = document.tables
    assert (table.data.num_rows, table.data.num_cols) == (3, 2)


def test_options_act(driver):
    assert "Year" not in driver.document_of(RYE.encode(), drop="table").export_to_markdown()
    with pytest.raises(PageFailed):
        driver.document_of(b"%PDF-1.7")
