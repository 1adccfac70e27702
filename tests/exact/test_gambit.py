"""Files for Gambit: read back by a strict small reader, and by Gambit itself where it is installed."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hidden_table import random_table
from small_games import BARGAIN, DICE

import arbora
from arbora import exact
from arbora.exact.gambit import _probabilities

GAMES = [arbora.KuhnPoker(), random_table(1), BARGAIN, DICE]
NAMES = ["kuhn", "table", "bargain", "dice"]

TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{},])|([^\s{},"]+)')


@dataclass
class Node:
    """A node of a file: chance (-1), a player from 0, or an end (-2), and what follows on its moves."""

    player: int
    number: int = 0  # of its information set
    labels: list[str] = field(default_factory=list)
    chances: list[Fraction] = field(default_factory=list)
    payoffs: list[Fraction] = field(default_factory=list)
    below: list["Node"] = field(default_factory=list)


class Reader:
    """Extensive-form games of Gambit, version 2; raises AssertionError for anything that the format does not allow."""

    def __init__(self, text: str) -> None:
        assert text.isascii()
        self.tokens = [(quoted, plain or mark) for quoted, mark, plain in TOKEN.findall(text)]
        self.at = 0
        self.sets: dict[tuple[int, int], list[str]] = {}
        self.outcomes: dict[int, list[Fraction]] = {}
        for word in ("EFG", "2", "R"):
            self.expect(word)
        self.title = self.text()
        self.players = self.texts()
        self.text()  # a comment
        self.root = self.node()
        assert self.at == len(self.tokens)

    def take(self) -> tuple[str, str]:
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, word: str) -> None:
        assert self.take() == ("", word)

    def text(self) -> str:
        quoted, other = self.take()
        assert not other
        return quoted

    def texts(self) -> list[str]:
        self.expect("{")
        found = []
        while self.tokens[self.at] != ("", "}"):
            found.append(self.text())
        self.expect("}")
        return found

    def node(self) -> Node:
        kind = self.take()[1]
        assert kind in ("c", "p", "t")
        assert self.text() == ""
        if kind == "t":
            return self.end()
        player = int(self.take()[1]) - 1 if kind == "p" else -1
        found = Node(player, int(self.take()[1]))
        assert -1 <= found.player < len(self.players)
        assert self.text() == ""
        if kind == "p":
            found.labels = self.texts()
        else:
            self.expect("{")
            while self.tokens[self.at] != ("", "}"):
                found.labels.append(self.text())
                found.chances.append(Fraction(self.take()[1]))
            self.expect("}")
            assert sum(found.chances) == 1
            assert (-1, found.number) not in self.sets
        assert self.sets.setdefault((found.player, found.number), found.labels) == found.labels
        assert len(set(found.labels)) == len(found.labels) > 0
        self.expect("0")
        found.below = [self.node() for _ in found.labels]
        return found

    def end(self) -> Node:
        outcome = int(self.take()[1])
        assert self.text() == ""
        self.expect("{")
        payoffs = []
        for number in range(len(self.players)):
            if number:
                self.expect(",")
            payoffs.append(Fraction(self.take()[1]))
        self.expect("}")
        assert self.outcomes.setdefault(outcome, payoffs) == payoffs
        return Node(-2, payoffs=payoffs)


def uniform_worth(node: Node) -> list[float]:
    if node.player == -2:
        return [float(payoff) for payoff in node.payoffs]
    chances = node.chances or [Fraction(1, len(node.labels))] * len(node.labels)
    below = [uniform_worth(each) for each in node.below]
    return (np.array(chances, float) @ np.array(below)).tolist()


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_what_is_written_is_the_game(game):
    tree = exact.tree_of(game, compiled=False)
    read = Reader(exact.gambit_text(tree, 'a "title"'))
    assert read.title == r"a \"title\""
    assert len(read.players) == tree.players
    assert sum(player >= 0 for player, _ in read.sets) == tree.sets
    for player in range(tree.players):
        numbers = sorted(number for owner, number in read.sets if owner == player)
        assert numbers == list(range(1, int((tree.set_player == player).sum()) + 1))
    assert uniform_worth(read.root) == pytest.approx(list(exact.expected_payoffs(tree, exact.uniform(tree))))


def test_moves_have_their_names():
    read = Reader(exact.gambit_text(exact.tree_of(arbora.KuhnPoker(), compiled=False)))
    assert read.title == "KuhnPoker"
    assert read.root.labels == ["J", "Q", "K"]
    assert read.root.chances == [Fraction(1, 3)] * 3
    assert read.root.below[0].below[0].labels == ["pass", "bet"]


class Unnamed:
    """A game whose moves have names that Gambit would not take: the same twice, spaces, quotes, signs."""

    players, max_moves, max_length = 1, 3, 1

    def reset(self):
        self.left = 1

    def moves(self):
        return range(3 * self.left)

    def play(self, move):
        self.left = 0

    def player(self):
        return 0

    def payoff(self, player):
        return 0.123456789012

    def text(self, move):
        return ("♠  ", "♥\n", 'a "b" \\')[move]


def test_names_are_made_such_as_gambit_takes():
    text = exact.gambit_text(exact.tree_of(Unnamed(), compiled=False))
    read = Reader(text)
    assert read.root.labels == ["? (0)", "? (1)", r"a \"b\" \\ (2)"]
    assert float(read.root.below[0].payoffs[0]) == 0.123456789012


def test_probabilities_sum_to_one():
    assert _probabilities([1 / 3, 1 / 3, 1 / 3]) == ["1/3"] * 3
    assert _probabilities([1.0]) == ["1"]
    odd = np.random.default_rng(1).dirichlet(np.ones(7))
    assert sum(map(Fraction, _probabilities(odd))) == 1
    assert [float(each) for each in _probabilities(odd)] == pytest.approx(list(odd))


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_gambit_reads_it(game, tmp_path):
    gambit: Any = pytest.importorskip("pygambit")
    tree = exact.tree_of(game, compiled=False)
    (tmp_path / "game.efg").write_text(exact.gambit_text(tree))
    read = gambit.read_efg(str(tmp_path / "game.efg"))
    assert [len(player.infosets) for player in read.players] == np.bincount(tree.set_player, minlength=tree.players).tolist()
    assert read.is_perfect_recall
    assert read.is_const_sum == tree.constant_sum
    if isinstance(game, arbora.KuhnPoker):
        (found,) = gambit.nash.lp_solve(read).equilibria
        assert [float(found.payoff(player)) for player in read.players] == pytest.approx([-1 / 18, 1 / 18])
