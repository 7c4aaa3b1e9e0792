"""Files that were cut, garbled or edited wrongly are read, or refused by an error that says where.

Each reader gets a file that is well, changed in many ways: bytes cut, flipped, put in; values of
JSON, TOML and arrays replaced by others. What is read must be usable, too.
"""

import io
import json
import random
import shutil
import tomllib
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import chaffinch
from bench.lib.hostile_grammar import mutated
from chaffinch import SetupError, Site
from chaffinch.cli.options import _tables as read_settings_file
from chaffinch.cli.options import read_settings
from chaffinch.corpus import Plan, Recipe, read_report, run
from chaffinch.errors import OptionError, RulesError, WeightsError
from chaffinch.methods import Learned

ROUNDS = 120
VALUES = (
    *(None, True, -1, 0, 3, 10**30, 1.5, float("nan"), "", "x", "\x00\ud800", "ffff" * 20),
    *([], [None], [[]], {}, {"a": None}, [1] * 5),
)
DEEP = b"[" * 100_000
PIECES = (b"\x00", b"\xff\xfe", b"[", b'"', b"}", b"9" * 30, DEEP)
PAGE = "<title>Rye</title><h1 id=top class=head>Rye</h1><div id=main><p>" + "Rye is grown. " * 30


def site_pages():
    rest = "<ul id=menu><li><a href=/a>Home</a><li><a href=/b>More</a></ul><p>Rye News, all rights."
    pages = [PAGE.replace("grown", f"grown in {number}") + rest for number in range(6)]
    return [
        chaffinch.parse(page, url=f"https://rye.example/{number}")
        for number, page in enumerate(pages)
    ]


def of_bytes(data, rng):
    """Return one mutation of bytes."""
    return mutated([data], lambda: rng.choice(PIECES), rng)


def places(value, path=()):
    """Yield the path of each value within nested lists and dicts."""
    yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, one in inner:
        yield from places(one, (*path, key))


def with_value(value, path, new):
    """Return a copy with one value replaced, or taken out where ``new`` is `Ellipsis`."""
    if not path:
        return new if new is not ... else {}
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1 and new is ...:
        del copy[path[0]]
    else:
        copy[path[0]] = with_value(copy[path[0]], path[1:], new)
    return copy


def of_json(data, rng):
    value = json.loads(data)
    new = ... if rng.random() < 0.2 else rng.choice(VALUES)
    return json.dumps(with_value(value, rng.choice(list(places(value))), new)).encode()


def toml(value):
    """Return plain values as TOML on as few lines as may be; None becomes text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value.replace("\ud800", "")).replace("\x7f", "")
    return {None: '"None"', True: "true", False: "false"}.get(value, repr(value))


def of_toml(data, rng):
    value = tomllib.loads(data.decode())
    new = ... if rng.random() < 0.2 else rng.choice(VALUES)
    changed = with_value(value, rng.choice(list(places(value))), new)
    if not isinstance(changed, dict):
        return toml(changed).encode()
    return "\n".join(f"{key} = {toml(one)}" for key, one in changed.items()).encode()


def of_arrays(data, rng):
    with np.load(io.BytesIO(data)) as archive:
        arrays = dict(archive)
    name = rng.choice(sorted(arrays))
    own = arrays[name]
    match rng.randrange(7):
        case 0:
            del arrays[name]
        case 1:
            arrays[name] = own[: rng.randrange(len(own) + 1)] if own.ndim else own
        case 2:
            arrays[name] = own.astype(rng.choice([np.float64, np.int8, "S3", np.complex64]))
        case 3:
            arrays[name] = np.concatenate([own, own]) if own.ndim else own
        case 4:
            arrays[name] = own[..., None]
        case 5:
            flat = own.copy().reshape(-1)
            if flat.size:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    flat[rng.randrange(flat.size)] = np.array(
                        rng.choice([0, -1, 7, 1e9, np.nan])
                    ).astype(own.dtype)
            arrays[name] = flat.reshape(own.shape)
        case 6:
            arrays["header"] = np.frombuffer(of_json(arrays["header"].tobytes(), rng), np.uint8)
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def changed(data, rng, *kinds):
    """Return bytes, changed by one of some kinds of mutation."""
    with suppress(UnicodeEncodeError):
        return rng.choice([of_bytes, *kinds])(data, rng)
    return of_bytes(data, rng)


def refused(use, place, kind):
    """Use a changed file; return whether it was refused, by an error of one line that names it."""
    try:
        use()
    except kind as error:
        message = str(error)
        assert message
        assert place in message
        return True
    return False


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Return the folder of a site model with all its files, and a run of its pages."""
    folder = tmp_path_factory.mktemp("model")
    pages = site_pages()
    site = Site.learn(pages, date="2026-01-01")
    for page in pages:
        site(page)
    site.save(folder)
    site.save_counts(folder)
    return folder


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("rules.toml", [of_toml]), ("data.npz", [of_arrays]), ("counts.json", [of_json])],
)
def test_site_models(model, tmp_path, name, kinds):
    rng = random.Random(name)  # noqa: S311
    for path in model.iterdir():
        shutil.copy(path, tmp_path)
    page, count = site_pages()[0], 0
    well = (model / name).read_bytes()

    def use():
        site = Site.load(tmp_path)
        site.extract(page).text.encode()
        site.extract(page, mode="rules").text.encode()
        site.report().to_text()
        site.findings()
        if name != "rules.toml":
            site.update([page]).to_text()

    use()
    for _ in range(ROUNDS):
        (tmp_path / name).write_bytes(changed(well, rng, *kinds))
        count += refused(use, str(tmp_path / name), RulesError)
    assert count > ROUNDS / 3


def test_weights(tmp_path):
    rng = random.Random(1)  # noqa: S311
    well = Path(chaffinch.__file__).with_name("model").joinpath("weights.npz").read_bytes()
    count = 0
    for number in range(40):
        path = tmp_path / f"{number}.npz"  # each is read once a process
        path.write_bytes(changed(well, rng, of_arrays))
        method = Learned(weights=str(path))

        def use(method=method):
            chaffinch.extract(PAGE, method=method).text.encode()

        count += refused(use, str(path), WeightsError)
    assert count > 15


def test_journals_of_runs(tmp_path):
    rng = random.Random(3)  # noqa: S311
    source = tmp_path / "rye.jsonl"
    source.write_text(
        "\n".join(json.dumps({"html": PAGE, "url": f"https://a.example/{n}"}) for n in range(3))
    )
    out = tmp_path / "out"
    plan = Plan(
        out=str(out), form="jsonl", recipe=Recipe(method="block_density"), duplicates="mark"
    )
    run([str(source)], plan, workers=1)
    files = [path for path in out.rglob("*.json") if path.name != "report.json"]
    assert len(files) >= 4
    count = 0
    for _ in range(ROUNDS):
        path = rng.choice(files)
        well = path.read_bytes()
        path.write_bytes(changed(well, rng, of_json))

        def use():
            read_report(str(out)).to_json()
            run([str(source)], plan, workers=1, resume=True)

        if (
            path.parent.name == "done"
        ):  # a marker of another version means that its shard is done anew
            count += refused(lambda: read_report(str(out)).to_json(), str(out), SetupError)
        else:
            count += refused(use, "", SetupError)
        path.write_bytes(well)
    assert count > ROUNDS / 4


def test_settings(tmp_path):
    path = tmp_path / "chaffinch.toml"
    for data in (DEEP, b"a = " + DEEP, b"\xff", b"[extract\n", b"a = 1\na = 2"):
        path.write_bytes(data)
        with pytest.raises(OptionError, match=r"chaffinch\.toml isn't TOML"):
            read_settings_file(path)
    assert read_settings(None, None, ["a=" + "[" * 100_000])["a"].startswith("[[")
