"""Positions of an OpenSpiel game that a player holds possible: drawn by OpenSpiel or by the user.

OpenSpiel's own draws (`resample_from_infostate`) may forget what others have shown, such as who could not follow suit. So a
draw counts only if its moves are legal, one after the other, from the start.
"""

import random
from collections.abc import Callable
from typing import Any

from arbora.component import where
from arbora.errors import ProblemError

Resample = Callable[[Any, int, random.Random], Any]
_TRIES = 100_000  # draws, until one fits
_PROBED = 20  # games


def draw(state: Any, player: int, rng: random.Random) -> Any:
    """A state that the player holds possible, where OpenSpiel itself can draw one."""
    game, mover = state.get_game(), state.current_player()
    for _ in range(_TRIES):
        found = follow(game, state.resample_from_infostate(player, rng.random).history())
        if found is not None and found.current_player() == mover:
            return found
    raise ProblemError(f"openspiel:{game}: in {_TRIES:,} tries, OpenSpiel has drawn no position that fits; give a resample")


def draw_same_time(state: Any, player: int, rng: random.Random) -> Any:
    """The same where players move at the same time, and nothing is hidden but what the others have just decided."""
    inner, moves = state.simultaneous_game_state(), state.history()
    decided = []
    if inner.is_simultaneous_node():
        decided = [seat for seat in range(state.current_player()) if inner.legal_actions(seat)]
    for place, seat in enumerate(decided, len(moves) - len(decided)):
        if seat != player:
            moves[place] = rng.choice(inner.legal_actions(seat))
    return follow(state.get_game(), moves)


def view_of(game: Any) -> Callable[[Any, int], str]:
    """What tells all that a player has seen of a state, as far as OpenSpiel can.

    An observation is what can be seen now. His moves belong to it, which may follow from what has been seen before.
    """
    kind = game.get_type()
    if kind.provides_information_state_string or kind.short_name == "gin_rummy":  # which has it and does not say so
        return lambda state, player: state.information_state_string(player)
    return lambda state, player: f"{state.observation_string(player)}{state.legal_actions(player)}"


def checked(resample: Resample, view: Callable[[Any, int], str]) -> Resample:
    """A user's function, which is told if what it returns is no state of the game that the player may hold possible."""
    name = f"{where(resample)}: {getattr(resample, '__name__', type(resample).__name__)}"

    def draw_checked(state: Any, player: int, rng: random.Random) -> Any:
        game, mover, seen = state.get_game(), state.current_player(), view(state, player)
        drawn = resample(state, player, rng)
        if not hasattr(drawn, "history"):
            raise ProblemError(f"{name} must return a state of {game}, not {drawn!r}")
        found = follow(game, drawn.history())
        if found is None:
            raise ProblemError(f"{name} has returned a state whose moves are not legal from the start of {game}")
        if found.current_player() != mover or view(found, player) != seen:
            raise ProblemError(f"{name} has returned a state in which player {player} would have seen something else")
        return found

    return draw_checked


def follow(game: Any, moves: list[int]) -> Any | None:
    """The state that these moves lead to; None if one of them is not legal."""
    state = game.new_initial_state()
    for move in moves:
        if move not in state.legal_actions():
            return None
        state.apply_action(move)
    return state


def can_draw(game: Any) -> bool:
    """Can OpenSpiel draw what each player may hold possible? Tried in some games at random.

    Draws that are always the real position, as in its colored_trails, would only tell what is hidden.
    """
    if game.get_type().short_name == "universal_poker" and game.num_players() != 2:
        return False  # OpenSpiel itself would crash
    rng, differs = random.Random(1), False
    for _ in range(_PROBED):
        state, asked = game.new_initial_state(), set()
        while not state.is_terminal():
            mover = state.current_player()
            if mover >= 0 and mover not in asked:
                asked.add(mover)
                try:
                    differs |= draw(state, mover, rng).history() != state.history()
                except Exception:
                    return False
            state.apply_action(rng.choice(state.legal_actions()))
        if differs:
            return True
    return False
