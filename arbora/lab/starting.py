"""The start of an experiment of one's own, as a file with comments."""

from pathlib import Path

from arbora.errors import BadInput
from arbora.files import write_text

TEXT = """\
# An experiment of your own. Try it:    arbora lab run FILE
# In full, as in [grid]:                arbora lab run FILE --scale paper
# A page with plots:                    arbora lab report FILE --html report.html

title = "Which play-outs are best for MCTS on SameGame?"
about = "Three policies on random boards, with equal play-outs."
# source = "001, Table 1"             # a document, if you compare with one
# differs = "What is different from the document, and why."

[grid]                                 # every combination of these values is run
problem = "samegame,seed=1-50"         # a range: fifty boards. Your own: "my_problem.py:Knapsack,capacity=50"
playouts = 100_000                     # the budget of a run; or: seconds = 10
seed = "1-3"                           # seeds of the searches

[grid.search]                          # label = "spec"; `arbora list searches` shows what there is
uniform = "mcts"
"tabu colour" = "mcts,policy=tabu-color"
"tabu bandit" = "mcts,policy=tabu-bandit"

[quick.grid]                           # what is smaller with --scale quick, which is the default
problem = "samegame,seed=1-8"
playouts = 5_000
seed = 1

[report]
columns = "search"
values = ["score", "sd", "rate"]       # mean score, its standard deviation, play-outs per second
plots = ["bars", "time"]

[[compare]]                            # a paired t-test
first = "tabu colour"
second = "uniform"

[[claim]]                              # what you expect; the report says whether it was seen
text = "Sparing a colour helps"
order = ["tabu colour", "uniform"]     # the best first

# [document]                           # numbers to put beside yours
# columns = ["uniform", "tabu colour"]
# score = [2069, 3038]
"""


def write(path: Path) -> None:
    """Write the start to a file that does not exist yet."""
    if path.suffix != ".toml":
        raise BadInput(f"{path}: an experiment's file ends in .toml")
    if path.exists():
        raise BadInput(f"{path}: exists already; give another name")
    write_text(path, TEXT.replace("FILE", str(path)), "experiment")
