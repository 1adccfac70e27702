"""Simulations per second of our IS-MCTS beside OpenSpiel's ISMCTSBot in C++, one thread each, in turn within one run.

    python benchmarks/hidden_information.py --seconds 2 --rounds 5

Both search from the same position, with random roll-outs, `--simulations` at a time in a fresh tree. Leduc poker is our own,
compiled, beside theirs. The other games are OpenSpiel's on both sides, what differs is who searches and who draws: we deal
hidden cards anew so that they fit what was played, theirs do not always. Theirs draws for every simulation, ours for every
`--reuse`.
OpenSpiel comes with `pip install open_spiel`.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from openspiel import Comparison, our_search, rate, show

import arbora

# A name, the game as we have it, what OpenSpiel calls it, and how many moves have been played, at random
GAMES: list[tuple[str, Callable[[], Any], str, int]] = [
    ("Leduc poker, our own", arbora.LeducPoker, "leduc_poker", 2),
    ("Leduc poker", lambda: arbora.OpenSpiel("leduc_poker"), "leduc_poker", 2),
    ("hearts, first pass", lambda: arbora.OpenSpiel("hearts"), "hearts", 53),
    ("hearts, trick 1", lambda: arbora.OpenSpiel("hearts"), "hearts", 66),
    ("hearts, trick 4", lambda: arbora.OpenSpiel("hearts"), "hearts", 78),
    ("hearts, trick 7", lambda: arbora.OpenSpiel("hearts"), "hearts", 90),
    ("hearts, trick 10", lambda: arbora.OpenSpiel("hearts"), "hearts", 102),
    ("euchre, first bid", lambda: arbora.OpenSpiel("euchre"), "euchre", 22),
    ("oh hell, first bid", lambda: arbora.OpenSpiel("oh_hell"), "oh_hell", 30),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="of searching by each in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--simulations", type=int, default=2_000, help="of one search")
    parser.add_argument("--reuse", type=int, default=1, help="simulations of ours from each position that is drawn")
    parser.add_argument("--processor-time", action="store_true", help="count this instead of the time that passes")
    parser.add_argument("--json", action="store_true", help="print one object, with the figures of all rounds")
    given = parser.parse_args()
    if find_spec("pyspiel") is None:
        print("hidden_information.py: OpenSpiel is not installed; pip install open_spiel", file=sys.stderr)
        return 2
    clock = time.process_time if given.processor_time else time.perf_counter
    found = [compare(*game, given, clock) for game in GAMES]
    if given.json:
        print(json.dumps({**vars(given), "games": [{**asdict(row), "ratios": row.ratios} for row in found]}))
    else:
        show(found)
    return 0


def compare(
    name: str, make: Callable[[], Any], their_name: str, played: int, given: Any, clock: Callable[[], float]
) -> Comparison:
    found, moves = Comparison(name, [], []), some_moves(their_name, played)
    with arbora.Player(make(), arbora.ISMCTS(reuse=given.reuse)) as player:
        for move in moves:
            player.play(move)
        we, they = our_search(player, given.simulations), their_search(their_name, moves, given.simulations)
        we()
        they()  # what is done only once is done by now
        for _ in range(given.rounds):
            found.ours.append(rate(we, given.seconds, clock))
            found.theirs.append(rate(they, given.seconds, clock))
    return found


def some_moves(name: str, count: int) -> list[int]:
    """The first moves of a random game."""
    state, rng = import_module("pyspiel").load_game(name).new_initial_state(), random.Random(1)
    for _ in range(count):
        state.apply_action(rng.choice(state.legal_actions()))
    return state.history()


def their_search(name: str, moves: Sequence[int], simulations: int) -> Callable[[], int]:
    """A search by OpenSpiel's bot, which forgets everything from one to the next."""
    pyspiel = import_module("pyspiel")
    state = pyspiel.load_game(name).new_initial_state()
    for move in moves:
        state.apply_action(move)
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, allow_inconsistent_action_sets=True)

    def search() -> int:
        bot.step(state)
        return simulations

    return search


if __name__ == "__main__":
    sys.exit(main())
