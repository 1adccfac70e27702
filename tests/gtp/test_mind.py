"""When the player passes, when it resigns, and how long it thinks."""

import numpy as np
import pytest
from engines import Driver

from arbora.gtp.mind import DEFAULT_SECONDS, Mind


def split_board(driver: Driver) -> None:
    """Black has three columns of a board of five, White the rest."""
    driver.send("boardsize 5", *(f"play b C{row}" for row in range(1, 6)), *(f"play w D{row}" for row in range(1, 6)))


def test_a_pass_is_answered_by_a_pass_if_that_wins():
    driver = Driver(komi=0.5)
    split_board(driver)
    driver.player.script = [("A1", 0.9), ("pass", 0.8)]
    driver.send("play w pass")
    assert driver.ask("genmove b") == "pass"
    assert driver.player.budgets == []


def test_no_pass_into_a_loss():
    driver = Driver(komi=7.5)
    split_board(driver)
    driver.send("play w pass")
    driver.player.script = [("pass", 0.5), ("A1", 0.4)]
    assert driver.ask("genmove b") == "A1"


def test_a_pass_if_nothing_is_left_to_hope_for():
    driver = Driver(komi=7.5)
    split_board(driver)
    driver.player.script = [("pass", 0.1), ("A1", 0.01)]
    assert driver.ask("genmove b") == "pass"


def test_a_pass_because_the_search_says_so():
    driver = Driver(komi=0.5)
    split_board(driver)
    driver.player.script = [("pass", 0.9), ("A1", 0.8)]
    assert driver.ask("genmove b") == "pass"


def bad_moves(driver: Driver, count: int = 5) -> list[str]:
    """Answers to a number of genmoves with almost no hope."""
    answers = []
    for row in range(1, count + 1):
        driver.player.script = [(f"A{row}", 0.04)]
        answers.append(driver.ask("genmove b"))
    return answers


def test_resigns_after_three_bad_moves():
    driver = Driver(komi=7.5)
    split_board(driver)
    before = driver.stones()
    assert bad_moves(driver, 3) == ["A1", "A2", "resign"]
    assert driver.stones() == before | {"A1": "B", "A2": "B"}


def test_never_resigns_if_told_so_nor_on_an_empty_board():
    never = Driver(komi=7.5, mind=Mind(playouts=10, resign=0.0))
    split_board(never)
    assert "resign" not in bad_moves(never)
    early = Driver(size=9)
    assert "resign" not in bad_moves(early)


def test_hope_starts_the_count_anew():
    driver = Driver(komi=7.5)
    split_board(driver)
    bad_moves(driver, 2)
    driver.player.script = [("B1", 0.5)]
    assert driver.ask("genmove b") == "B1"
    driver.player.script = [("B2", 0.01)]
    assert driver.ask("genmove b") == "B2"


@pytest.mark.parametrize(
    ("mind", "lines", "seconds", "playouts"),
    [
        (Mind(), (), DEFAULT_SECONDS, None),
        (Mind(seconds=3), (), 3, None),
        (Mind(playouts=50), (), None, 50),
        (Mind(), ("time_settings 0 30 1",), 30 * 0.95 - 0.5, None),
        (Mind(seconds=3), ("time_settings 0 30 1",), 3, None),
        (Mind(playouts=50), ("time_settings 0 30 1",), 30 * 0.95 - 0.5, 50),
        (Mind(), ("time_settings 0 30 0",), DEFAULT_SECONDS, None),
        (Mind(), ("time_settings 600 0 0", "time_left w 600 0", "time_left b 0 0"), 0.001, None),
    ],
)
def test_budgets(mind, lines, seconds, playouts):
    driver = Driver(mind=mind)
    driver.send(*lines, "genmove b")
    assert driver.player.budgets == [(pytest.approx(seconds), playouts)]


def test_cleaning_up_takes_dead_stones_before_passing():
    class Dead:
        def __init__(self, game):
            self.game = game

        def owners(self, state):
            return np.ones(25)

    driver = Driver(judge=Dead, komi=0.5)
    split_board(driver)
    driver.send("clear_board", "play b B1", "play b C3", "play w D3", "play b pass", "play w pass")
    driver.player.script = [("pass", 0.9), ("A5", 0.8), ("D4", 0.7)]
    assert driver.ask("kgs-genmove_cleanup b") == "D4"
