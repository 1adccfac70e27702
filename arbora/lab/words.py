"""Sentences that every form of a report has."""

from arbora.lab.numbers import TITLES, decimals, p_value, shown
from arbora.lab.tables import Report
from arbora.lab.verdicts import Disagreement, Disagreements


def document_heading(report: Report) -> str:
    """The experiment's name, its document and its scale."""
    return " · ".join(part for part in (report.source, report.name, f"{report.scale} scale") if part)


def agreement(found: Disagreements) -> str:
    """`37 of 42 pairs of columns come out in the document's order; the others:`"""
    if not found.different:
        every = "the one pair of columns comes" if found.pairs == 1 else f"all {found.pairs:,} pairs of columns come"
        return f"{every} out in the document's order".capitalize()
    same = found.pairs - len(found.different)
    return f"{same:,} of {found.pairs:,} pairs of columns come out in the document's order; the others:"


def disagreement(each: Disagreement, digits: int) -> str:
    """`0.32: tabu 1,420, t > 10 1,433 (p 0.4); the document has 1,376 and 1,059`"""
    digits = decimals(each.value, digits)
    ours, theirs = ([shown(number, digits) for number in pair] for pair in (each.ours, each.document))
    place = ", ".join(part for part in (each.row, "" if each.value == "score" else TITLES[each.value]) if part)
    p = "" if each.p != each.p else f" (p {p_value(each.p)})"
    text = f"{each.first} {ours[0]}, {each.second} {ours[1]}{p}; the document has {theirs[0]} and {theirs[1]}"
    return f"{place}: {text}" if place else text
