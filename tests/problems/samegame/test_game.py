"""SameGame by exact facts: the rules, the scores, known best solutions, and moves and boards for people."""

from typing import Any

import numpy as np
import pytest

import arbora
from arbora import MCTS, NRPA, BadInput, Random, SameGame
from arbora.problem import Records, new_state, new_states
from arbora.problems.samegame.boards import random_board
from arbora.replay import replay


def play(problem: Any, *texts: str) -> list[float]:
    """The score as it stands at the start and after each move given as `x,y`."""
    moves = [int(x) * 64 + int(y) for x, y in (text.split(",") for text in texts)]
    return [step.score for step in replay(problem, moves)]


def after(problem: Any, *texts: str) -> str:
    """The board as lines of text after some moves."""
    state = new_state(problem)
    with np.errstate(over="ignore"):
        problem.reset(state)
        for x, y in (text.split(",") for text in texts):
            problem.play(state, int(x) * 64 + int(y))
    return "\n".join("".join("." if cell < 0 else chr(97 + cell) for cell in row) for row in problem.cells_of(state))


FIGURE = """
    e a c e d
    d c b d a
    c b b e d
    c c c d d
"""


def test_the_two_example_moves_of_document_001():
    problem = SameGame(board=FIGURE)
    # The b-group of the third column reaches into the second; what lies above it falls: "ca" there, "c" here.
    assert after(problem, "1,1") == "e..ed\nda.da\nccced\ncccdd"
    # Now six c-blocks hang together; without them the third column is empty, and the two right of it move left.
    assert after(problem, "1,1", "0,0") == "..ed.\n..da.\ne.ed.\ndadd."
    assert play(problem, "1,1", "0,0") == [0, 1, 17]


LAYERS = "aaa\nbbb\nccd"  # played from the top: groups of 3, 3 and 2, and the d is left


@pytest.mark.parametrize(
    ("parameters", "scores"),
    [
        ({"rule": "samegame"}, [0, 1, 2, 1]),
        ({"rule": "samegame", "penalty": False}, [0, 1, 2, 2]),
        ({"rule": "clickomania"}, [0, 3, 6, 8]),
        ({"rule": "bubble-breaker"}, [0, 6, 12, 14]),
    ],
)
def test_the_three_rules(parameters, scores):
    assert play(SameGame(board=LAYERS, **parameters), "0,2", "0,1", "0,0") == scores


@pytest.mark.parametrize(
    ("parameters", "score"),
    [({}, 1001), ({"rule": "clickomania"}, 5), ({"rule": "bubble-breaker"}, 8), ({"penalty": False}, 1001)],
)
def test_only_samegame_has_a_bonus_for_a_cleared_board(parameters, score):
    assert play(SameGame(board="aa.\nbbb", **parameters), "0,0", "0,0")[-1] == score


@pytest.mark.parametrize(("board", "penalty"), [("a", 1), ("aba", 1), ("abcbcbd", 3), ("abababa", 5), ("babacacada", 10)])
def test_every_colour_left_counts_as_one_group(board, penalty):
    assert play(SameGame(board=board)) == [-penalty]
    assert play(SameGame(board=board, penalty=False)) == [0]
    assert play(SameGame(board=board, rule="clickomania")) == [0]


def test_nothing_is_deducted_while_there_are_moves():
    assert play(SameGame(board="aabab"), "0,0") == [0, -1 - 0]
    assert play(SameGame(board="aabbab"), "0,0") == [0, 0]


def test_an_empty_board_is_cleared():
    assert play(SameGame(board="..\n..")) == [1000]


def test_a_cleared_board_of_15x15_scores_odd():
    # (n - 2)^2 is odd exactly if n is, and the sizes of the groups add up to 225.
    for seed in range(8):
        result = arbora.solve(SameGame(seed=seed, colors=2), Random(), playouts=200, seed=seed)
        assert result.score > 1000
        assert result.score % 2 == 1


def best_score(problem: Any) -> float:
    """The best final score, by trying every move everywhere."""
    states, known = Records(new_states(problem, problem.max_length() + 1)), {}

    def best_rest(depth: int) -> float:
        """What can still be added to the points of `states[depth]`."""
        state, out = states[depth], np.zeros(problem.max_moves(), np.int32)
        position = problem.cells_of(state).tobytes()
        if position not in known:
            moves = out[: problem.moves(state, out)].tolist()
            rest = [] if moves else [problem.score(state) - state.points]
            for move in moves:
                states[depth + 1] = state
                problem.play(states[depth + 1], move)
                rest.append(states[depth + 1].points - state.points + best_rest(depth + 1))
            known[position] = max(rest)
        return known[position]

    with np.errstate(over="ignore"):
        problem.reset(states[0])
        return best_rest(0)


WIDE = "abcab\nbcabc\nddabb\nabbac\naacca"
KNOWN = [
    ("aabbaa", {}, 1004),  # b first
    ("aabaa", {}, -1),
    ("abcde\nbcdea\nabcde\nbbdda", {}, 8),  # cannot be cleared
    ("abca\nbcab\ncabc\nabbc\naacc", {}, 1036),
    (WIDE, {}, 1029),
    (WIDE, {"rule": "clickomania"}, 25),
    (WIDE, {"rule": "bubble-breaker"}, 98),
]


@pytest.mark.parametrize(("board", "parameters", "best"), KNOWN)
def test_searches_find_the_best_score_of_small_boards(board, parameters, best):
    problem = SameGame(board=board, **parameters)
    assert best_score(problem) == best
    for search in (Random(), MCTS(exploration=10), NRPA(level=2, iterations=30)):
        assert arbora.solve(problem, search, playouts=2000).score == best


def test_moves_are_columns_and_rows_from_the_bottom_left():
    problem = SameGame(board="abb\nacc\nadc")
    state, out = new_state(problem), np.zeros(problem.max_moves(), np.int32)
    problem.reset(state)
    count = problem.moves(state, out)
    assert [problem.text(state, move) for move in out[:count]] == ["0,0", "1,1", "1,2"]
    result = arbora.solve(problem, Random(), playouts=20, compiled=False)
    assert result.text == [f"{move // 64},{move % 64}" for move in result.moves]


def test_a_board_is_shown_by_letters():
    problem = SameGame(board="a.c\nabz")
    state = new_state(problem)
    problem.reset(state)
    assert problem.cells_of(state).tolist() == [[0, -1, 2], [0, 1, 25]]
    assert problem.render(state).plain == " a . c\n a b z"


def test_a_board_may_be_text_or_rows_and_decides_size_and_colours():
    for board in ("20\n.1", [[2, 0], [-1, 1]], np.array([[2, 0], [-1, 1]])):
        problem = SameGame(board=board, width=40, colors=9)
        assert problem.grid.tolist() == [[-1, 0], [2, 1]]  # settled
        assert (problem.width, problem.height, problem.colors, problem.cells) == (2, 2, 3, 3)


def test_the_seed_decides_the_board_unless_one_is_given():
    assert SameGame(seed=3, width=4, height=6, colors=7).grid.tolist() == random_board(3, 4, 6, 7).tolist()
    assert SameGame(seed=3, board="ab").grid.tolist() == [[0, 1]]


def test_other_parameters_of_the_same_problem():
    problem = SameGame(seed=3, width=4, height=6, colors=7)
    assert problem.replace(rule="clickomania").grid.tolist() == problem.grid.tolist()
    assert problem.replace(seed=4).grid.tolist() == random_board(4, 4, 6, 7).tolist()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"selective": "x"}, "selective='x' is not allowed; selective takes none, tabu or a whole number"),
        ({"selective": "-1"}, "selective='-1' is not allowed; selective takes none, tabu or a whole number"),
        ({"selective": "²"}, "selective='²' is not allowed; selective takes none, tabu or a whole number"),
        ({"rule": "x"}, "rule='x' is not allowed; rule takes samegame, clickomania, bubble-breaker"),
        ({"width": 0}, "width=0 is not allowed; width takes a whole number from 1 to 50"),
        ({"height": 51}, "height=51 is not allowed; height takes a whole number from 1 to 50"),
        ({"colors": 27}, "colors=27 is not allowed; colors takes a whole number from 1 to 26"),
        ({"penalty": 1}, "penalty=1 is not allowed; penalty takes true or false"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(BadInput) as error:
        SameGame(**parameters)
    assert str(error.value) == f"SameGame: {message}"


def test_a_whole_number_that_no_machine_word_holds():
    with pytest.raises(BadInput, match="seed"):
        SameGame(seed=2**63)
    assert SameGame(selective="9" * 30).tabu_after == SameGame(selective="tabu").tabu_after


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("ab\na", "board, line 2: 1 cells, but line 1 has 2"),
        ("", "board: no board found"),
        ([[0, 99]], "board: colours are 0 to 25"),
    ],
)
def test_bad_boards(board, message):
    with pytest.raises(BadInput, match=message):
        SameGame(board=board)
