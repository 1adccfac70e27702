"""Results to make reports from: small ones with known numbers, and three that look like real experiments."""

import random
from pathlib import Path

from arbora.lab.experiment import Claim, Experiment, Layout
from arbora.lab.results import Observation, Results
from arbora.tune.cem import Outcome, tune
from arbora.tune.space import Choice, Range, Space

TIMES = tuple(round(0.01 * 2**power, 9) for power in range(15))
NO_TABU = (156, 251, 340, 404, 466, 546, 648, 807, 1012, 1185, 1286, 1426, 1580, 1781, 2011)
TABU = (352, 708, 928, 1081, 1252, 1376, 1524, 1648, 1747, 1819, 1886, 1983, 2116, 2319, 2484)
T_10 = (258, 505, 678, 822, 939, 1059, 1204, 1357, 1498, 1606, 1712, 1879, 2100, 2384, 2636)


def experiment(**given) -> Experiment:
    return Experiment(**{"name": "mine", "path": Path("mine.toml"), "scale": "paper", "title": "Example", **given})


def run(score, row="", column="a", instance="", seed=1, trace=(), **values) -> Observation:
    return Observation(row, column, instance, seed, {"score": score, "seconds": 1.0, **values}, list(trace))


def results(observations, rows=("",), columns=("a", "b"), **given) -> Results:
    """`given` are fields of the experiment, `wanted` aside."""
    wanted = given.pop("wanted", len(observations))
    own = {name: given.pop(name) for name in ("older", "machines", "versions", "tunings", "command") if name in given}
    return Results(experiment(**given), observations, rows, columns, wanted, len(observations), **own)


def cells_of(scores, column_names=("a", "b"), **given) -> Results:
    """Results from row -> column -> scores; the i-th score of a cell is seed i."""
    observations = [
        run(score, row, column, seed=seed)
        for row, columns in scores.items()
        for column, found in columns.items()
        for seed, score in enumerate(found, 1)
    ]
    return results(observations, tuple(scores), column_names, **given)


def over_time() -> Results:
    """Document 002, Table 3: runs of 20 seconds, the document's of 163."""
    rng = random.Random(1)
    observations = []
    for column, curve in {"no tabu": NO_TABU, "tabu": TABU, "t > 10": T_10}.items():
        for seed in range(1, 31):
            trace = []
            for power in range(12):
                score = round(curve[power] * rng.gauss(1.03, 0.08))
                if not trace or score > trace[-1][2]:
                    trace.append((TIMES[power] * rng.uniform(0.55, 0.99), 100 * 2**power, float(score)))
            observations.append(run(trace[-1][2], column=column, seed=seed, trace=trace, seconds=20.4))
    columns = ("no tabu", "tabu", "t > 10")
    document = {
        f"{time:g}": dict(zip(columns, numbers, strict=True))
        for time, *numbers in zip(TIMES, NO_TABU, TABU, T_10, strict=True)
    }
    return Results(
        experiment(
            name="002/table-3",
            scale="quick",
            reduced=True,
            title="Selective policies for SameGame",
            source="002, Table 3",
            about="NRPA plays the first standard position with three policies: all moves, no moves of the tabu colour, "
            "and moves of the tabu colour only in groups of two after ten moves.",
            differs="Runs of 20 seconds instead of 163, and 30 of them instead of 200; a newer machine gets further.",
            layout=Layout(rows=("time",), columns=("search",), times=TIMES, plots=("time",)),
            document={"score": document},
            document_columns=columns,
            claims=(
                Claim("the tabu policy is the best at the shortest time", ((None, "tabu"), (None, "t > 10")), "first"),
                Claim("tabu is better than no tabu at every time", ((None, "tabu"), (None, "no tabu")), "every"),
                Claim("t > 10 is the best in the end", ((None, "t > 10"), (None, "tabu"), (None, "no tabu"))),
                Claim("four times the time makes up for it", (("5.12", "no tabu"), ("0.32", "tabu"))),
                Claim("t > 10 wins at 163.84 seconds", ((None, "t > 10"), (None, "tabu")), "163.84"),
            ),
            compare=(("t > 10", "tabu"),),
        ),
        observations,
        [f"{time:g}" for time in TIMES],
        columns,
        wanted=96,
        done=90,
        older=12,
        machines=("two cores of an Intel Xeon, 2.8 GHz",),
        versions=("arbora 0.4.0, numba 0.61",),
        command="arbora lab run 002/table-3 --scale quick",
    )


def settings() -> Results:
    """Document 001, Table 2 and Table 5: three settings at two budgets, and a tuning."""
    rng = random.Random(2)
    document = {
        "score": {"100,000": (2552, 2388, 2197), "1,000,000": (2674, 2858, 2579)},
        "sd": {"100,000": (572, 501, 450), "1,000,000": (607, 560, 492)},
        "depth": {"100,000": (25, 7, 3), "1,000,000": (36, 14, 6)},
    }
    columns = ("exploitation", "balanced", "exploration")
    rows = ("100,000", "1,000,000")
    observations = []
    for row in rows:
        for i, column in enumerate(columns):
            for instance in range(1, 41):
                level = random.Random(instance).gauss(0, 380)
                score = round(document["score"][row][i] * 1.02 + level + rng.gauss(0, 300))
                depth = document["depth"][row][i] + rng.gauss(0, 2)
                observations.append(run(score, row, column, str(instance), seconds=rng.gauss(6, 1), depth=depth))
    tabled = {
        value: {row: dict(zip(columns, numbers, strict=True)) for row, numbers in by_row.items()}
        for value, by_row in document.items()
    }
    names = ("Manual", "per game", "per move")
    tabled["parameter"] = {
        "exploration": dict(zip(names, (0.1, 5.96, 4.31), strict=True)),
        "threshold": dict(zip(names, (10, 13, 11), strict=True)),
    }
    return Results(
        experiment(
            name="001/table-2",
            title="Exploitation or exploration",
            source="001, Table 2",
            about="SP-MCTS with three settings of C and D on random boards.",
            layout=Layout(
                rows=("playouts",),
                columns=("search",),
                values=("score", "sd", "depth"),
                plots=("lines", "bars", "differences", "boxes"),
            ),
            document=tabled,
            document_columns=(*columns, *names),
            claims=(
                Claim("exploitation is best with little time", tuple((None, column) for column in columns), "first"),
                Claim("its trees are deepest", tuple((None, column) for column in columns), "every", "depth"),
            ),
            compare=(("exploitation", "balanced"), ("balanced", "exploration")),
        ),
        observations,
        rows,
        columns,
        wanted=240,
        done=240,
        machines=("two cores of an Intel Xeon, 2.8 GHz", "eight cores of an AMD EPYC"),
        versions=("arbora 0.4.0",),
        tunings={"per game": tuning()},
        command="arbora lab run 001/table-2 --scale paper",
    )


def tuning() -> Outcome:
    """A short tuning whose best threshold is 12."""
    space: Space = {"exploration": Range(0, 10), "threshold": Range(1, 30, whole=True), "policy": Choice(("tabu", "random"))}

    def evaluate(_, candidates):
        return [(values["policy"] == "tabu") - abs(values["threshold"] - 12) for values in candidates]

    return tune(space, evaluate, samples=40, elite=6, iterations=8)


def positions() -> Results:
    """Document 002, Table 4: scores of single positions and their sum, beside programs that only the document has."""
    rng = random.Random(3)
    names = ("NMCS", "SP-MCTS", "selective NRPA", "js-games.de")
    document, observations = {}, []
    for position in range(1, 21):
        level = rng.gauss(3900, 700)
        scores = [round(level + bonus + rng.gauss(0, 120)) for bonus in (0, 10, 110, 480)]
        document[str(position)] = dict(zip(names, map(float, scores), strict=True))
        for column, bonus in (("selective NRPA", 90), ("beam", 240)):
            for seed in (1, 2, 3):
                observations.append(run(round(level + bonus + rng.gauss(0, 90)), str(position), column, str(position), seed))
    return results(
        observations,
        tuple(document),
        ("selective NRPA", "beam"),
        name="002/table-4",
        title="The standard test set",
        source="002, Table 4",
        about="Twenty boards, each solved by itself.",
        layout=Layout(rows=("instance",), columns=("search",), total=True, plots=("bars",)),
        document={"score": document},
        document_columns=names,
        claims=(Claim("beam search is better in total", ((None, "beam"), (None, "selective NRPA")), "total"),),
        compare=(("beam", "selective NRPA"),),
        missing=("standard20.txt",),
        comparable=False,
    )
