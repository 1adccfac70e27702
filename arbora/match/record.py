"""Games of a match as SGF."""

from collections.abc import Sequence

from arbora import sgf
from arbora.match.game import RESIGNED, TO_THE_END
from arbora.problem import like_compiled, new_state
from arbora.problems.go.game import Go


def as_sgf(game: Go, moves: Sequence[int], names: tuple[str, str], black_won: bool, ended: str) -> sgf.Game:
    """A finished game; `names` are those of Black and White, `ended` says how it ended."""
    if ended == TO_THE_END:
        result = sgf.result_text(_margin(game, moves))
    else:
        result = f"{'B' if black_won else 'W'}+{'R' if ended == RESIGNED else 'F'}"
    return sgf.Game(
        width=game.columns,
        height=game.rows,
        komi=game.komi,
        black=names[0],
        white=names[1],
        result=result,
        steps=sgf.steps_of(moves),
    )


def _margin(game: Go, moves: Sequence[int]) -> float:
    state = new_state(game)
    with like_compiled():
        game.reset(state)
        for move in moves:
            game.play(state, move)
        return float(game.area(state) - game.komi)
