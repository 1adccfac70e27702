"""The end of the game: dead stones are found by play-outs, and the score is counted without them."""

from typing import Any

import numpy as np
import pytest
from engines import Driver

from arbora.gtp.judging import chains, neighbors
from arbora.gtp.ownership import Judge
from arbora.problem import new_state
from arbora.problems.go.game import Go

# Black has the left, White the right; both have a dead stone in the area of the other.
WITH_DEAD_STONES = """
. X X O . O . . .
X . X O O . O . .
X X X O . O . . .
. X . X O O . . .
. . X X O . O O .
. O X . X O O . O
. . . X X O . O .
X X X X O . O . X
. X . X O O O O .
"""
# Whoever plays between the white and the black stones at the bottom loses there.
SEKI = """
. X X O O . O
X . X O . O O
X X X O O O O
X X X O O O O
X O O X O O O
X O . X O O O
X O . X O O O
"""


def put(driver: Driver, picture: str) -> None:
    rows = [line.split() for line in picture.strip().splitlines()]
    size = len(rows)
    driver.send(f"boardsize {size}")
    for sign, color in (("X", "b"), ("O", "w")):
        for row, signs in enumerate(rows):
            for column, found in enumerate(signs):
                if found == sign:
                    driver.ask(f"play {color} {'ABCDEFGHJ'[column]}{size - row}")


@pytest.fixture(scope="module")
def driver() -> Driver:
    return Driver(judge=Judge)


def test_the_score_without_dead_stones(driver):
    put(driver, WITH_DEAD_STONES)
    assert driver.ask("final_status_list dead") == "J2\nB4"
    driver.send("komi 0.5")  # Black has 35 points, White 46
    assert driver.ask("final_score") == "W+11.5"
    assert {*driver.ask("final_status_list alive").split(), "J2", "B4"} == set(driver.stones())
    assert driver.ask("final_status_list seki") == ""


def test_seki(driver):
    put(driver, SEKI)
    assert driver.ask("final_status_list seki") == "B1 B2 B3 C3\nD1 D2 D3"
    assert driver.ask("final_status_list dead") == ""
    driver.send("komi 0")  # Black has 15 points and 3, White 25 and 4; the two in between are nobody's
    assert driver.ask("final_score") == "W+11"


def test_the_score_after_two_passes_is_the_same(driver):
    put(driver, WITH_DEAD_STONES)
    before = driver.ask("final_score")
    driver.send("play b pass", "play w pass")
    assert driver.ask("final_score") == before


def test_asking_changes_nothing(driver):
    put(driver, WITH_DEAD_STONES)
    before = driver.snapshot()
    driver.ask("final_score")
    driver.ask("final_status_list seki")
    assert driver.snapshot() == before


def test_chains_and_neighbors():
    colors = [0, 0, 1, -1, 0, 1]  # two rows of three
    assert chains(colors, 3) == [[0, 1, 4], [2, 5]]
    assert sorted(neighbors(1, 3, 6)) == [0, 2, 4]
    assert sorted(neighbors(3, 3, 6)) == [0, 4]


def test_play_outs_are_the_same_compiled_and_interpreted():
    game: Any = Go(size=5)
    state = new_state(game)
    with np.errstate(over="ignore"):
        game.reset(state)
        game.play(state, 12)
    owners = [Judge(game, seed=3, compiled=compiled).owners(state, 20) for compiled in (True, False)]
    assert owners[0].tolist() == owners[1].tolist()
    assert len(set(owners[0])) > 1
