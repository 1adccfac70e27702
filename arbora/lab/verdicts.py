"""What the runs say: differences of columns, the document's claims, and where its order is not ours."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from arbora.lab.cells import Table, row_label
from arbora.lab.experiment import Claim, Experiment
from arbora.lab.numbers import decimals, p_value, shown
from arbora.lab.samples import NO_SAMPLE, TOTAL, Samples
from arbora.lab.statistics import Difference, p_of_sum, paired, summarize, welch

SEEN, WEAK, NOT_SEEN, NO_DATA = "seen", "seen, not significant", "not seen", "no data"
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Comparison:
    """Two columns in one row: the score of the first minus that of the second, run by run."""

    first: str
    second: str
    row: str
    difference: Difference


@dataclass(frozen=True)
class Finding:
    """A claim in one row: the numbers in its order, our means and then what the last should be above or below, and the
    p-value of each step to the next.
    """

    row: str
    word: str
    means: tuple[float, ...]
    p: tuple[float, ...]


@dataclass(frozen=True)
class Verdict:
    """A claim, whether it was seen (`seen`, `seen, not significant`, `not seen`, `no data`), and the numbers for it."""

    text: str
    word: str
    numbers: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Disagreement:
    """Two columns that are in the other order than in the document."""

    value: str
    row: str
    first: str
    second: str
    ours: tuple[float, float]
    document: tuple[float, float]
    p: float  # of our difference


@dataclass(frozen=True)
class Disagreements:
    """How many pairs of columns were compared with the document, and those whose order differs."""

    pairs: int = 0
    different: tuple[Disagreement, ...] = ()


def comparisons(experiment: Experiment, table: Table, samples: Samples) -> list[Comparison]:
    """Paired t-tests of the scores, in every row of their table that has at least two pairs."""
    found = []
    for first, second in experiment.compare:
        for row in table.rows:
            samples_of_both = [samples.get(("score", row, column), NO_SAMPLE) for column in (first, second)]
            difference = paired(*samples_of_both[0].paired(samples_of_both[1]))
            if row == TOTAL:
                # its pairs are those of all rows together; the sums differ by the mean of the pairs, once for each row
                difference = _times(difference, len(table.rows) - 1)
            if difference.n >= 2 and _means(table, [(row, first), (row, second)]):
                found.append(Comparison(first, second, row, difference))
    return found


def verdict(claim: Claim, experiment: Experiment, table: Table, samples: Samples) -> Verdict:
    """Whether a claim holds, in the rows that it asks for."""
    findings = []
    for row in _rows(claim, experiment, table):
        places = _places(claim, experiment, row)
        findings.append(_finding("" if _names_all_rows(claim) else row, places, claim, table, samples))
    if not findings:
        return Verdict(claim.text, NO_DATA, "")
    words = {finding.word for finding in findings}
    word = next(word for word in (NOT_SEEN, WEAK, SEEN) if word in words)
    digits = decimals(claim.value, experiment.layout.digits)
    numbers = [_numbers(finding, digits) for finding in findings]
    text = numbers[0] if len(findings) == 1 else _of_many(findings, numbers)
    return Verdict(claim.text, word, text, tuple(findings))


def disagreements(tables: Sequence[Table], samples: Samples) -> Disagreements:
    """Pairs of columns of one row in another order than in the document; equal numbers of the document have none."""
    pairs, different = 0, []
    for table in tables:
        for row in table.rows:
            cells = {column: table.cells[row, column] for column in table.columns}
            both = {
                column: (cell.summary.mean, cell.document)
                for column, cell in cells.items()
                if cell.summary is not None and cell.document is not None
            }
            for first, second in combinations(both, 2):
                ours, theirs = zip(both[first], both[second], strict=True)
                if theirs[0] == theirs[1]:
                    continue
                pairs += 1
                if (ours[0] - ours[1]) * (theirs[0] - theirs[1]) <= 0:
                    p = _test(samples, table.value, (row, first), (row, second))
                    different.append(Disagreement(table.value, row, first, second, ours, theirs, p))
    return Disagreements(pairs, tuple(different))


def _rows(claim: Claim, experiment: Experiment, table: Table) -> list[str]:
    """The rows a claim is looked at in: those it asks for, of those in which all its cells have data."""
    whole = [row for row in table.rows if _means(table, _places(claim, experiment, row))]
    if _names_all_rows(claim):
        return whole[:1]
    parts = [row for row in whole if row != TOTAL] if _has_limit(claim) else whole
    if claim.at == "every":
        return parts
    chosen = {"first": parts[:1], "last": parts[-1:]}
    return chosen.get(claim.at, [row for row in whole if row == row_label(experiment, claim.at)])


def _has_limit(claim: Claim) -> bool:
    """Whether a claim compares with a number, which means something else in a row of sums."""
    return claim.above is not None or claim.below is not None


def _names_all_rows(claim: Claim) -> bool:
    """Whether a claim says of each of its cells which row it is in, so that it is the same wherever it is looked at."""
    return all(row is not None for row, _ in claim.order)


def _places(claim: Claim, experiment: Experiment, row: str) -> list[tuple[str, str]]:
    """Row and column of a claim's cells, if it is looked at in this row."""
    return [(row if own is None else row_label(experiment, own), column) for own, column in claim.order]


def _means(table: Table, places: Sequence[tuple[str, str]]) -> list[float]:
    """Our means in these cells; empty if one has none."""
    cells = [table.cells.get(place) for place in places]
    means = [cell.summary.mean for cell in cells if cell is not None and cell.summary is not None]
    return means if len(means) == len(places) else []


def _finding(row: str, places: Sequence[tuple[str, str]], claim: Claim, table: Table, samples: Samples) -> Finding:
    means = _means(table, places)
    p = [_test(samples, table.value, *pair) for pair in pairwise(places)]
    better = -1 if table.smaller_is_better else 1
    steps = [better * (mean - following) for mean, following in pairwise(means)]
    limit = claim.above if claim.above is not None else claim.below
    if limit is not None:
        steps.append(means[-1] - limit if claim.above is not None else limit - means[-1])
        means.append(limit)
        p.append(_test_of_limit(samples, table, places[-1], limit))
    if min(steps) <= 0:
        word = NOT_SEEN
    else:
        word = SEEN if all(each < SIGNIFICANT for each in p) else WEAK
    return Finding(row, word, tuple(means), tuple(p))


def _numbers(finding: Finding, digits: int) -> str:
    """`3,038 > 2,737 > 2,069 (p 1e-5, 0.002)`, after the row if it has a name."""
    text = shown(finding.means[0], digits)
    for mean, following in pairwise(finding.means):
        relation = ">" if mean > following else "<" if mean < following else "="
        text += f" {relation} {shown(following, digits)}"
    if not all(math.isnan(p) for p in finding.p):
        text += f" (p {', '.join(p_value(p) for p in finding.p)})"
    return f"{finding.row}: {text}" if finding.row else text


def _of_many(findings: Sequence[Finding], numbers: Sequence[str]) -> str:
    words = [finding.word for finding in findings]
    text = f"in {len(words) - words.count(NOT_SEEN)} of {len(findings)} rows, significant in {words.count(SEEN)}"
    others = [each for finding, each in zip(findings, numbers, strict=True) if finding.word == NOT_SEEN]
    return f"{text}; not in {'; '.join(others)}" if others else text


def _test(samples: Samples, value: str, one: tuple[str, str], other: tuple[str, str]) -> float:
    """The p-value of two cells' difference: paired where all their runs pair, by Welch where not."""
    first, second = (samples.get((value, *place), NO_SAMPLE) for place in (one, other))
    difference = paired(*first.paired(second)) if first.pairs_with(second) else welch(first.values, second.values)
    return difference.p


def _test_of_limit(samples: Samples, table: Table, place: tuple[str, str], limit: float) -> float:
    """The p-value of a cell's difference from a limit; a total is the sum of the means of all other rows."""
    row, column = place
    rows = [other for other in table.rows if other != TOTAL] if row == TOTAL else [row]
    return p_of_sum([summarize(samples.get((table.value, each, column), NO_SAMPLE).values) for each in rows], limit)


def _times(difference: Difference, factor: int) -> Difference:
    return Difference(difference.n, factor * difference.mean, factor * difference.half, difference.p)
