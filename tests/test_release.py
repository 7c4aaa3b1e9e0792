"""What a release is made of: a README for an index, the changelog's section, completion."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib

import pytest

import chaffinch
from printed import ROOT, called

RELEASE = ROOT / "release"
REPOSITORY = "https://git.example/owner/chaffinch"


@pytest.fixture(scope="module")
def index():
    """The module that makes README and metadata fit for an index."""
    sys.path.insert(0, str(RELEASE))
    try:
        import index_readme  # noqa: PLC0415 found only after the line above

        yield index_readme
    finally:
        sys.path.remove(str(RELEASE))


def test_links_of_the_readme_become_absolute(index):
    text = index.for_index((ROOT / "README.md").read_text(encoding="utf-8"), REPOSITORY, "v1.2.3")
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert len(targets) > 15
    assert all(target.startswith("https://") for target in targets)
    assert f"{REPOSITORY}/blob/v1.2.3/docs/index.md" in targets
    assert f"{REPOSITORY}/raw/v1.2.3/docs/pictures/page-kept.png" in targets
    assert "cog" not in text
    for target in targets:
        if target.startswith((f"{REPOSITORY}/blob/", f"{REPOSITORY}/raw/")):
            assert (ROOT / target.partition("/v1.2.3/")[2].partition("#")[0]).exists()
    for name in index.BADGES:
        assert (ROOT / ".github" / "workflows" / f"{name}.yml").exists()
        assert f"{REPOSITORY}/actions/workflows/{name}.yml/badge.svg" in text


def test_the_changelog_has_this_version(index):
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = index.changes_of(changelog, chaffinch.__version__)
    assert found.startswith("- ")
    assert "\n## " not in found
    assert index.changes_of(changelog, "9.9.9") == ""
    assert index.changes_of("## 1.0\n\n- a\n\n## 0.9\n\n- b\n", "1.0") == "- a"


def test_sdist_and_wheel_hold_what_belongs(tmp_path):
    """All of the package, and of what else lies about nothing."""
    own = "pyproject.toml MANIFEST.in README.md LICENSE CHANGELOG.md".split()
    no_source = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "*.egg-info")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=no_source)
    for name in own:
        shutil.copy(ROOT / name, tmp_path)
    files = [one for one in (tmp_path / "src").rglob("*") if one.is_file()]
    package = {str(one.relative_to(tmp_path)) for one in files}
    strays = (".env", "tests/test_a.py", "src/b.py.orig", "src/chaffinch/.env", "release/token")
    strays += ("src/chaffinch/page/notes.txt", "src/chaffinch/kernels/native/a.o", "pages.json")
    for name in strays:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("secret")
    code = "from setuptools import setup; setup()"
    call = [sys.executable, "-c", code, "-q", "sdist", "build_py", "--build-lib", "wheel"]
    subprocess.run(call, cwd=tmp_path, check=True, capture_output=True)
    (sdist,) = (tmp_path / "dist").iterdir()
    with tarfile.open(sdist) as archive:
        names = {one.name.partition("/")[2] for one in archive if one.isfile()}
    made = {one for one in names if ".egg-info/" in one} | {"PKG-INFO", "setup.cfg"}
    assert names - made == package | set(own)
    wheel = {f"src/{one.relative_to(tmp_path / 'wheel')}"
             for one in (tmp_path / "wheel").rglob("*") if one.is_file()}  # fmt: skip
    assert wheel == {one for one in package if not one.endswith((".c", ".h"))}


def test_all_is_all_of_our_own_extras():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = tomllib.loads(text)["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(re.search(r"\[(.+)\]", everything)[1].split(","))
    plugins = {path.stem for path in (ROOT / "src/chaffinch/plugins").glob("*.py")}
    others = {name for name in extras if name.replace("-", "_") in plugins}
    not_all = {"all", "baselines", "ray", "spark"}
    assert named == extras.keys() - others - not_all
    table = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    assert not [one for one in named | not_all if f"`{one}`" not in table]


BUILT = """
import sys
from setuptools.config.expand import read_attr
print(read_attr("chaffinch.version.__version__", {"": "src"}, "."), "numpy" in sys.modules)
"""


def test_the_version_is_written_once_and_read_by_the_build_without_loading_the_package():
    quoted = re.compile(rf"""["']{re.escape(chaffinch.__version__)}["']""")
    files = [ROOT / "pyproject.toml", *ROOT.glob("src/**/*.py")]
    written = [path.name for path in files if quoted.search(path.read_text("utf-8"))]
    assert written == ["version.py"]
    assert called(["-c", BUILT], ROOT).stdout.split() == [chaffinch.__version__, "False"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there(shell):
    done = subprocess.run(
        [sys.executable, "-c", "from chaffinch.cli import main; main(prog_name='chaffinch')"],
        env={"_CHAFFINCH_COMPLETE": f"{shell}_source", "PYTHONPATH": ":".join(sys.path),
             "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "_CHAFFINCH_COMPLETE" in done.stdout, done.stderr


def test_locks_have_hashes():
    for path in (ROOT / "requirements").rglob("*.txt"):
        lines = path.read_text(encoding="utf-8").split("\n")
        pins = [
            n for n, line in enumerate(lines) if "==" in line and not line.startswith((" ", "#"))
        ]
        assert pins, path.name
        assert all("--hash=sha256:" in lines[n] or "--hash=" in lines[n + 1] for n in pins), path


def test_an_audit_that_can_ask_nobody_says_so(tmp_path):
    lock = tmp_path / "none.txt"
    call = [sys.executable, str(ROOT / "release" / "audit.py"), str(lock)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, "none.txt: NOT CHECKED" in done.stdout) == (0, True), done.stdout
    required = subprocess.run([*call, "--require"], capture_output=True, text=True, check=False)
    assert required.returncode == 1
