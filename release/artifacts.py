"""Makes a release: `python release/artifacts.py [--repository URL] [--out dist]`.

From the files under version control: the sdist and this machine's wheel, checked by twine,
check-wheel-contents and (on Linux) auditwheel, installed in fresh environments and tried there; the
version's section of the changelog; a software bill of materials (CycloneDX) of what the wheel is
installed with. Wheels of other systems are built by .github/workflows/wheels.yml.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from index_readme import changes_of, for_index, with_urls

ROOT: Final = Path(__file__).parents[1]


def tool(*call: str | Path, **options: object) -> None:
    """Run a module of this environment, whose programs it finds."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    variables = {**os.environ, "PATH": path}
    subprocess.run([sys.executable, "-m", *map(str, call)], check=True, env=variables, **options)  # type: ignore[call-overload]


def copied(to: Path) -> Path:
    """Return a copy of the files under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def tried(package: Path, environment: Path) -> Path:
    """Install a package in a fresh environment, check it there, and return its Python."""
    tool("venv", "--clear", environment)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-cache-dir", str(package)]
    subprocess.run(install, check=True)
    check = [str(python), "-I", str(ROOT / "release" / "check_wheel.py")]
    subprocess.run(check, cwd=environment, check=True)
    return python


def repaired(wheel: Path, to: Path) -> Path:
    """Return the wheel with the oldest platform tag that it fits, where auditwheel can tell."""
    if sys.platform != "linux":
        return wheel
    tool("auditwheel", "repair", wheel, "--wheel-dir", to)
    wheel.unlink()
    return next(to.glob("*.whl"))


def main() -> None:
    """Build and check everything."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--repository", help="address that the links of the README lead to")
    options = parser.parse_args()
    out = options.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        source = copied(Path(folder, "source"))
        space: dict[str, str] = {}
        exec((source / "src/chaffinch/version.py").read_text(), space)  # noqa: S102  our own file
        version = space["__version__"]
        changes = changes_of((source / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        if not changes:
            raise SystemExit(f"CHANGELOG.md has no section of {version}")
        if options.repository:
            rewrite(source, options.repository.rstrip("/"), f"v{version}")
        made = Path(folder, "made")
        tool("build", "--outdir", made, source, stdout=subprocess.DEVNULL)
        sdist = shutil.copy2(next(made.glob("*.tar.gz")), out)
        wheel = repaired(next(made.glob("*.whl")), out)
        if wheel.parent != out:
            wheel = Path(shutil.copy2(wheel, out))
        tool("twine", "check", "--strict", wheel, sdist)
        tool("check_wheel_contents", wheel)
        python = tried(wheel, Path(folder, "wheel"))
        bill = out / f"chaffinch-{version}.cdx.json"
        tool("cyclonedx_py", "environment", python, "--output-file", bill, "--output-reproducible")
        tried(Path(sdist), Path(folder, "sdist"))
    (out / f"changes-{version}.md").write_text(changes + "\n", encoding="utf-8")
    print("\n".join(sorted(one.name for one in out.iterdir())))


def rewrite(source: Path, repository: str, ref: str) -> None:
    """Make the README and the metadata of a copy fit for an index."""
    readme, project = source / "README.md", source / "pyproject.toml"
    text = for_index(readme.read_text(encoding="utf-8"), repository, ref)
    readme.write_text(text, encoding="utf-8")
    project.write_text(with_urls(project.read_text(encoding="utf-8"), repository), encoding="utf-8")


if __name__ == "__main__":
    main()
