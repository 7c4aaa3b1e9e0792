"""Articles in parts that have a version on one page: read there, by a rule that a person wrote."""

import pytest
from click.testing import CliRunner
from running_service import PARAGRAPH

from answering_server import Given
from chaffinch import Site, parse
from chaffinch.cli import main
from chaffinch.site import Rule
from chaffinch.site.configs import read_site_config
from rows_of_cases import examples

PART = "<title>Finches</title>{head}<article><h1>Finches</h1><p>{text}</p>{foot}</article>"
WHOLE = PART.format(head="", text=f"{PARAGRAPH * 6} And the whole of it ends here.", foot="")
ALL = "<a class=all href=/whole>On one page</a>"


def first_part(foot=ALL, head=""):
    return PART.format(head=head, text=PARAGRAPH * 4, foot=foot)


@pytest.fixture
def article(web):
    web.pages["part"] = Given(body=first_part())
    web.pages["gone"] = Given(body=first_part("<a class=all href=/missing>All</a>"))
    web.pages["whole"] = Given(body=WHOLE)
    web.pages["missing"] = Given(body="gone", status=404)
    return web.url


def model(tmp_path, select="a.all"):
    path = tmp_path / "site"
    Site(rules=(Rule(kind="single", select=select, by_hand=True),)).save(path)
    return path


def extracted(address, path):
    command = ["extract", address, "--site", str(path), "--allow-host", "127.0.0.1"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    return done


def test_the_version_on_one_page_is_read_in_its_place(article, tmp_path, web):
    path = model(tmp_path)
    assert "ends here" in extracted(f"{article}/part", path).stdout
    before = len(web.asked("/whole"))
    assert "ends here" not in extracted(f"{article}/part", model(tmp_path, "a.other")).stdout
    assert len(web.asked("/whole")) == before


def test_where_it_can_t_be_had_the_part_will_do(article, tmp_path):
    done = extracted(f"{article}/gone", model(tmp_path))
    assert "top of a birch" in done.stdout
    assert "can't be had" in done.stderr


CASES = examples(__file__, "single page cases")


@pytest.mark.parametrize(("select", "foot", "head", "address"), CASES)
def test_what_configs_of_others_select_or_compute(select, foot, head, address):
    config = read_site_config(
        f"single_page_link: {select}\nhttp_header(Cookie): a=b", "grain.example"
    )
    page = parse(
        first_part(foot, head),
        url="https://www.grain.example/1" if not address else "https://grain.example/1",
    )
    assert config.site.single_page(page) == address
    assert config.taken == 1
    assert config.left == ("2: http_header(Cookie): a=b: no rule says this",)
