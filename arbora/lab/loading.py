"""Reading experiments: every key is checked, and every mistake is told with its file and what is allowed."""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import arbora
from arbora.batch.job import UNLIMITED, located
from arbora.component import nearest
from arbora.errors import BadInput
from arbora.lab.experiment import OF_MATCHES, ONLY_COLUMN, PLOTS, SCALES, SIDES, VALUES, Claim, Experiment, Layout
from arbora.lab.references import check_references
from arbora.registry import PROBLEMS
from arbora.tune.tuner import Tuning

_TOP = (
    "title", "source", "about", "differs", "grid", "quick", "data", "without-data", "report", "document", "claim",
    "compare", "tune",
)  # fmt: skip
_REPORT = ("rows", "columns", "values", "times", "lower-is-better", "digits", "total", "plots")
_TIMES = re.compile(r"([\d.]+)\*([\d.]+)\^(\d+)-(\d+)")
_NUMBERS = re.compile(r"(\d+)-(\d+)")


def papers() -> Path:
    """The folder of the experiments that come with Arbora: in the package, or beside it in a working copy."""
    package = Path(arbora.__file__).parent
    inside = package / "papers"
    return inside if inside.is_dir() else package.parent / "papers"


def shipped() -> list[str]:
    """The names of the experiments that come with Arbora."""
    return sorted(str(path.relative_to(papers()).with_suffix("")) for path in papers().glob("*/*.toml"))


def load(name: str, scale: str = "quick", data: Sequence[Path] = ()) -> Experiment:
    """An experiment by its name (`002/table-3`) or its file, with data files looked for in the folders of `data` too."""
    if scale not in SCALES:
        raise BadInput(f"unknown scale {scale!r}; known: {', '.join(SCALES)}")
    path = _path(name)
    content = _read(path)
    _known(path, "", content, _TOP)
    folders = _folders(path, data)
    found, missing = _files(path, content.get("data", {}), folders)
    try:
        merged = _at_scale(path, content, scale, missing)
        found += _undeclared(path, merged, (*missing, *(name for name, _ in found)), folders)
        whole = merged if scale == "paper" else _at_scale(path, content, "paper", missing)
        merged["reduced"] = any(merged.get(section) != whole.get(section) for section in ("grid", "tune"))
        experiment = _experiment(name, path, scale, merged, found, missing)
        check_references(experiment)
        return experiment
    except BadInput as error:
        told = str(error)
        raise BadInput(told if told.startswith(str(path)) else f"{path}: {told}") from None


def _path(name: str) -> Path:
    if name.endswith(".toml"):
        return Path(name)
    path = papers() / f"{name}.toml"
    if not path.is_file():
        raise BadInput(f"unknown experiment {name!r}; {nearest(name, shipped())}; or a file, as in mine.toml")
    return path


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot read: {getattr(error, 'strerror', None) or 'not a text file'}") from None
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = re.search(r" \(at line (\d+), column (\d+)\)", message)
        where = f", line {place[1]}, column {place[2]}" if place else ""
        raise BadInput(f"{path}{where}: {message[: place.start()] if place else message}") from None


def _folders(path: Path, data: Sequence[Path]) -> list[Path]:
    """Where data files are looked for."""
    for folder in data:
        if not folder.is_dir():
            raise BadInput(f"--data {folder}: no such folder")
    given = os.environ.get("ARBORA_DATA")
    return [path.parent, *data, *([Path(given)] if given else [])]


def _files(path: Path, named: Any, folders: Sequence[Path]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Where the data files of `[data]` lie, and which are missing."""
    if not isinstance(named, dict):
        raise BadInput(f"{path}: [data] takes a table: file = what it is")
    places = {name: _place(name, folders) for name in named}
    found = tuple((name, str(place)) for name, place in places.items() if place is not None)
    return found, tuple(name for name, place in places.items() if place is None)


def _undeclared(
    path: Path, content: Mapping[str, Any], declared: Sequence[str], folders: Sequence[Path]
) -> tuple[tuple[str, str], ...]:
    """Where the data files lie that specs name and `[data]` does not; in the folder we are in, if nowhere else."""
    given = _labelled("problem", _table(path, content, "grid").get("problem", "")).values()
    tuned = [tuning.get("problem") for tuning in _table(path, content, "tune").values() if isinstance(tuning, dict)]
    found = {}
    for spec in (*given, *tuned):
        problem, _, instance = str(spec).partition(",")[0].partition(":")
        name = instance.partition("#")[0]
        if (
            not Path(name).suffix or name in declared or "{" in name or problem not in PROBLEMS
        ):  # no suffix: nothing, or a built-in
            continue
        place = _place(name, [*folders, Path()])
        if place is None:
            raise BadInput(f"no data file {name}, which {spec} names; give its folder with --data")
        found[name] = str(place)
    return tuple(found.items())


def _place(name: str, folders: Sequence[Path]) -> Path | None:
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def _at_scale(path: Path, content: dict[str, Any], scale: str, missing: tuple[str, ...]) -> dict[str, Any]:
    """The content with the sections for the scale, and for missing data, laid over it."""
    layers: list[dict[str, Any]] = []
    quick = _table(path, content, "quick")
    _known(path, "quick.", quick, ("grid", "report", "tune"))
    if scale == "quick":
        layers.append(quick)
    substitute = _table(path, content, "without-data")
    _known(path, "without-data.", substitute, ("comparable", "grid", "report", "quick"))
    if missing:
        if not substitute:
            about = "; ".join(f"{name} ({content['data'][name]})" for name in missing)
            raise BadInput(f"{path}: no data file {about}; give its folder with --data")
        layers.append(substitute)
        if scale == "quick":
            layers.append(_table(path, substitute, "quick"))
    merged = dict(content)
    for layer in layers:
        for section in ("grid", "report"):
            merged[section] = {**_table(path, merged, section), **_table(path, layer, section)}
        tunings = _table(path, merged, "tune")
        for name, changes in _table(path, layer, "tune").items():
            if name not in tunings:
                raise BadInput(f"{path}: [quick.tune.{name}] has no [tune.{name}]; {nearest(name, list(tunings))}")
            merged["tune"] = {**tunings, name: {**tunings[name], **changes}}
            tunings = merged["tune"]
    merged["comparable"] = substitute.get("comparable", True) if missing else True
    return merged


def _experiment(
    name: str,
    path: Path,
    scale: str,
    content: dict[str, Any],
    found: tuple[tuple[str, str], ...],
    missing: tuple[str, ...],
) -> Experiment:
    tunings = {key: _tuning(path, key, given, found) for key, given in _table(path, content, "tune").items()}
    grid = _grid(path, _table(path, content, "grid"), bool(tunings))
    layout = _layout(path, _table(path, content, "report"), grid)
    columns, document = _document(path, _table(path, content, "document"), layout)
    title = content.get("title")
    if not isinstance(title, str) or not title:
        raise BadInput("title is missing; give a line of text")
    return Experiment(
        name=name.removesuffix(".toml") if name.endswith(".toml") else name,
        path=path,
        scale=scale,
        title=title,
        source=_text(content, "source"),
        about=_text(content, "about"),
        differs=_text(content, "differs"),
        grid=grid,
        tunings=tunings,
        layout=layout,
        document=document,
        document_columns=columns,
        claims=tuple(_claim(path, given) for given in _tables(content, "claim") if given.get("scale", scale) == scale),
        compare=tuple(_compare(path, given) for given in _tables(content, "compare")),
        files=found,
        missing=missing,
        comparable=bool(content["comparable"]),
        reduced=bool(content["reduced"]),
    )


def _grid(path: Path, given: dict[str, Any], only_tuning: bool) -> dict[str, dict[str, Any]]:
    if not given and only_tuning:
        return {}
    for key in ("problem", "search"):
        if key not in given:
            raise BadInput(f"[grid] has no {key}; give a spec, a list of them, or a table of labels and specs")
    if "seconds" not in given and "playouts" not in given and "against" not in given:  # contestants have their own
        raise BadInput("[grid] has no budget; give seconds or playouts")
    grid = {key: _labelled(key, value) for key, value in {"seed": 1, **given}.items()}
    for key, values in grid.items():
        for label, value in values.items():
            if key in ("problem", "search", "against") and not isinstance(value, str):
                raise BadInput(f"grid.{key}: {label} is not the text of a spec")
    return grid


def _labelled(key: str, value: Any) -> dict[str, Any]:
    """Label -> value, for one value, a list, a range of numbers or a table."""
    if key == "playouts" and value == "unlimited":
        value = UNLIMITED
    if key in ("seed", "threads") and isinstance(value, str):
        numbers = _NUMBERS.fullmatch(value)
        if numbers is None or int(numbers[2]) < int(numbers[1]):
            raise BadInput(f"grid.{key}={value!r} is not allowed; {key} takes a number or a range such as 1-20")
        value = list(range(int(numbers[1]), int(numbers[2]) + 1))
    if isinstance(value, dict):
        labelled = {str(label): each for label, each in value.items()}
    elif isinstance(value, list):
        labelled = {str(each): each for each in value}
    else:
        labelled = {str(value): value}
    if not labelled:
        raise BadInput(f"grid.{key} is empty; give at least one value")
    return labelled


def _layout(path: Path, given: dict[str, Any], grid: Mapping[str, Mapping[str, Any]]) -> Layout:
    _known(path, "report.", given, _REPORT)
    rows, columns = _names(given, "rows"), _names(given, "columns")
    values, plots = _names(given, "values") or ("score",), _names(given, "plots")
    _check_of_matches((*rows, *columns), values, grid)
    known = [*grid, "instance", *(OF_MATCHES if "against" in grid else ())]
    for name in (*rows, *columns):
        if name not in known and not (name == "time" and rows == ("time",)):
            raise BadInput(f"report: {name!r} is neither of the grid nor instance or time; {nearest(name, known)}")
    for key, labelled in grid.items():
        shown = (*rows, *columns, *(SIDES if "side" in (*rows, *columns) else ()))
        if len(labelled) > 1 and key not in (*shown, "seed"):
            raise BadInput(f"report: grid.{key} has {len(labelled)} values; name it in rows or columns")
    for kind, names, allowed in (("values", values, VALUES), ("plots", plots, PLOTS)):
        for name in names:
            if name not in allowed:
                raise BadInput(f"report.{kind}: unknown {name!r}; {nearest(name, list(allowed))}")
    times = _times(given.get("times", []))
    if ("time" in rows) != bool(times):
        raise BadInput('report: rows = "time" and times belong together')
    return Layout(
        rows=rows,
        columns=columns,
        values=values,
        times=times,
        lower_is_better=_is(given, "lower-is-better", bool, False),
        digits=_is(given, "digits", int, 0),
        total=_is(given, "total", bool, False),
        plots=plots,
    )


def _check_of_matches(shown: Sequence[str], values: Sequence[str], grid: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise BadInput unless what is shown of matches has matches to show, and names of its own for them."""
    if "against" not in grid:
        for name in (*shown, *values):
            if (name in OF_MATCHES and name not in grid) or name == "time-ratio":
                raise BadInput(f"report: {name!r} is of games of a match; give [grid] against")
        return
    for name in OF_MATCHES:
        if name in grid:
            raise BadInput(f"grid.{name}: {name} means something else in games of a match; give it another name")
    both = [label for label in grid["search"] if label in grid["against"]]
    if "side" in shown and both:
        raise BadInput(f"report: grid.search and grid.against both have {both[0]!r}; give the sides labels of their own")


def _times(given: Any) -> tuple[float, ...]:
    if isinstance(given, str):
        found = _TIMES.fullmatch(given.replace(" ", ""))
        if found is not None:
            first, factor, low, high = float(found[1]), float(found[2]), int(found[3]), int(found[4])
            return tuple(round(first * factor**power, 9) for power in range(low, high + 1))
    elif isinstance(given, list) and all(type(time) in (int, float) and time > 0 for time in given):
        return tuple(sorted(float(time) for time in given))
    raise BadInput(f'report.times={given!r} is not allowed; give a list of seconds, or text such as "0.01*2^0-14"')


def _document(
    path: Path, given: dict[str, Any], layout: Layout
) -> tuple[tuple[str, ...], dict[str, dict[str, dict[str, float]]]]:
    """The document's columns, and value -> row -> column -> number."""
    columns = _names(given, "columns") or ((ONLY_COLUMN,) if given else ())
    document: dict[str, dict[str, dict[str, float]]] = {}
    for value, numbers in given.items():
        if value == "columns":
            continue
        if value not in (*VALUES, "parameter"):
            raise BadInput(f"[document]: unknown value {value!r}; {nearest(value, [*VALUES, 'parameter'])}")
        by_row = numbers if isinstance(numbers, dict) else {"": numbers}
        document[value] = {}
        for row, listed in by_row.items():
            listed = listed if isinstance(listed, list) else [listed]
            if len(listed) != len(columns) or not all(type(number) in (int, float) for number in listed):
                raise BadInput(f"document.{value}, row {row!r}: give {len(columns)} numbers, one for each of the columns")
            pairs = zip(columns, listed, strict=True)
            document[value][str(row)] = {column: float(number) for column, number in pairs if number == number}
    return columns, document


def _claim(path: Path, given: dict[str, Any]) -> Claim:
    _known(path, "claim.", given, ("text", "order", "above", "below", "at", "value", "scale"))
    order = given.get("order")
    limits = {key: given[key] for key in ("above", "below") if key in given}
    for key, limit in limits.items():
        if type(limit) not in (int, float):
            raise BadInput(f"[[claim]] {key}={limit!r} is not allowed; give a number")
    if len(limits) == 2:
        raise BadInput("[[claim]] takes above or below, not both; write two claims")
    least = 1 if limits else 2
    if not isinstance(order, list) or len(order) < least or not isinstance(given.get("text"), str):
        raise BadInput(
            "[[claim]] takes text and order, a list of two or more columns, the best first; "
            "one is enough with above or below"
        )
    cells = []
    for cell in order:
        if isinstance(cell, str):
            cells.append((None, cell))
        elif isinstance(cell, list) and len(cell) == 2 and all(isinstance(part, str) for part in cell):
            cells.append((cell[0], cell[1]))
        else:
            raise BadInput(f'[[claim]] order: {cell!r} is neither a column nor ["row", "column"]')
    if given.get("value", "score") not in VALUES:
        raise BadInput(f"[[claim]] value: unknown {given['value']!r}; {nearest(str(given['value']), list(VALUES))}")
    if given.get("scale", "quick") not in SCALES:
        raise BadInput(f"[[claim]] scale: unknown {given['scale']!r}; known: {', '.join(SCALES)}")
    return Claim(given["text"], tuple(cells), str(given.get("at", "last")), str(given.get("value", "score")), **limits)


def _compare(path: Path, given: dict[str, Any]) -> tuple[str, str]:
    _known(path, "compare.", given, ("first", "second"))
    if not all(isinstance(given.get(key), str) for key in ("first", "second")):
        raise BadInput("[[compare]] takes first and second, two columns")
    return given["first"], given["second"]


def _tuning(path: Path, name: str, given: Any, files: tuple[tuple[str, str], ...]) -> Tuning:
    if not isinstance(given, dict):
        raise BadInput(f"[tune.{name}] is not a table")
    _known(path, f"tune.{name}.", given, [field.name for field in fields(Tuning)])
    for key in ("problem", "search", "param"):
        if key not in given:
            raise BadInput(f"[tune.{name}] has no {key}")
    for key in ("samples", "elite", "iterations", "positions", "seed", "playouts"):
        if key in given and type(given[key]) is not int:
            raise BadInput(f"tune.{name}.{key}={given[key]!r} is not allowed; give a whole number")
    return Tuning(**{**given, "problem": located(str(given["problem"]), files)})


def _known(path: Path, section: str, given: Mapping[str, Any], allowed: Sequence[str]) -> None:
    for key in given:
        if key not in allowed:
            raise BadInput(f"{path}: unknown key {section}{key}; {nearest(key, list(allowed))}")


def _table(path: Path, content: Mapping[str, Any], key: str) -> dict[str, Any]:
    given = content.get(key, {})
    if not isinstance(given, dict):
        raise BadInput(f"{path}: [{key}] is not a table")
    return given


def _tables(content: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    given = content.get(key, [])
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise BadInput(f"{key} is not a list of tables; write [[{key}]]")
    return given


def _names(given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = given.get(key, [])
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadInput(f"{key}={value!r} is not allowed; give a name or a list of names")
    return tuple(names)


def _text(content: Mapping[str, Any], key: str) -> str:
    return " ".join(str(_is(content, key, str, "")).split())


def _is(given: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = given.get(key, default)
    if type(value) is not kind:
        wanted = {bool: "true or false", int: "a whole number", str: "text"}[kind]
        raise BadInput(f"{key}={value!r} is not allowed; give {wanted}")
    return value
