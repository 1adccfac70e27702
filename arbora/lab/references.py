"""What an experiment names must be there: a name that means nothing is a slip, and would silently cost runs or claims."""

from collections.abc import Iterator, Sequence
from string import Formatter

from arbora.component import nearest
from arbora.errors import BadInput
from arbora.lab.cells import row_label
from arbora.lab.experiment import GRID_KEYS, Experiment
from arbora.lab.grid import rows_and_columns
from arbora.lab.samples import TOTAL

_ANYWHERE = ("first", "last", "every")


def check_references(experiment: Experiment) -> None:
    """Raise BadInput for a variable that no spec uses, and for a claim or comparison of cells that there are not."""
    variables, used = set(experiment.grid) - set(GRID_KEYS), set(_used(experiment)) - {"seed"}
    if used <= variables:  # else a slip in a spec, which `grid` tells
        for key in sorted(variables - used):
            raise BadInput(f"grid.{key} is used nowhere: no spec or budget has {{{key}}}; {nearest(key, list(GRID_KEYS))}")
    if not (experiment.claims or experiment.compare):
        return
    rows, columns = rows_and_columns(experiment)
    rows = [row_label(experiment, row) for row in rows] + [TOTAL] * experiment.layout.total
    for claim in experiment.claims:
        named = [row for row, _ in claim.order if row is not None]
        for row in (*named, *([] if claim.at in _ANYWHERE else [claim.at])):
            _require("claim", "row", row_label(experiment, row), rows)
        for _, column in claim.order:
            _require("claim", "column", column, columns)
    for pair in experiment.compare:
        for column in pair:
            _require("compare", "column", column, columns)


def _used(experiment: Experiment) -> Iterator[str]:
    """The variables that specs and budgets have in braces."""
    for key in GRID_KEYS:
        for value in experiment.grid.get(key, {}).values():
            if isinstance(value, str):
                try:
                    fields = [field for _, field, _, _ in Formatter().parse(value) if field]
                except ValueError as error:
                    raise BadInput(f"grid.{key}: {value!r} has braces that make no sense ({error})") from None
                yield from (field.partition("[")[0].partition(".")[0] for field in fields)


def _require(section: str, kind: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise BadInput(f"[[{section}]]: the report has no {kind} {name!r}; {nearest(name, list(known))}")
