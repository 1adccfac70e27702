"""Games of OpenSpiel under our searches: one player or many, chance, perfect and hidden information.

    arbora.OpenSpiel("hearts")
    arbora.OpenSpiel("go(board_size=9,komi=7.5)")
    arbora.OpenSpiel("phantom_ttt", resample=my_function)

A game becomes one of three kinds of plain object, which the searches call back into: a puzzle, if there is one player and
no chance; a game; or a game that hides something. Which positions its players may hold possible, OpenSpiel itself says of a
part of its games; for others the user does, by a function (state, player, rng) that returns another state, with its history.
"""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arbora.component import nearest
from arbora.errors import BadInput
from arbora.spec import load_file

Resample = Callable[[Any, int, random.Random], Any]
_SEEDS = 31  # bits of a seed that OpenSpiel takes


class SpielState:
    """A state of OpenSpiel as an object that is searched through calls."""

    def __init__(self, game: Any, spec: str, files: tuple[str, ...] = ()) -> None:
        self.game, self.spec, self.files = game, spec, files
        kind = game.get_type()
        chance = kind.chance_mode != type(kind.chance_mode).DETERMINISTIC
        self.max_moves = max(game.num_distinct_actions(), game.max_chance_outcomes() if chance else 0, 1)
        self.max_length = max(game.max_game_length() + (game.max_chance_nodes_in_history() if chance else 0), 1)
        self.state = game.new_initial_state()

    @property
    def identity(self) -> str:
        """What results depend on besides our own code."""
        contents = [Path(file).read_text(encoding="utf-8") for file in self.files]
        return "\n".join(["OpenSpiel " + version("open_spiel"), self.spec, *contents])

    def reset(self) -> None:
        self.state = self.game.new_initial_state()

    def moves(self) -> list[int]:
        return self.state.legal_actions()

    def play(self, move: int) -> None:
        self.state.apply_action(move)

    def text(self, move: int) -> str:
        return self.state.action_to_string(self.state.current_player(), move)

    def render(self) -> str:
        return str(self.state)


class SpielPuzzle(SpielState):
    """One player and no chance."""

    def score(self) -> float:
        return self.state.returns()[0]


class SpielGame(SpielState):
    """Players, with or without chance."""

    def __init__(self, game: Any, spec: str, files: tuple[str, ...] = ()) -> None:
        super().__init__(game, spec, files)
        self.players = game.num_players()
        self.payoffs = (game.min_utility(), game.max_utility())
        self.bots: tuple[random.Random | None, list[Any]] = (None, [])

    def player(self) -> int:
        return self.state.current_player()

    def payoff(self, player: int) -> float:
        return self.state.returns()[player]

    def chance(self, move: int) -> float:
        return dict(self.state.chance_outcomes())[move]

    def snapshot(self) -> Any:
        return self.state.clone()

    def restore(self, snapshot: Any) -> None:
        self.state = snapshot.clone()

    def finish(self, rng: random.Random) -> int:
        """Random bots play on, in OpenSpiel's own code."""
        spiel, state = _spiel(), self.state
        if self.bots[0] is not rng:
            seats = range(self.players)
            self.bots = rng, [spiel.make_uniform_random_bot(seat, rng.getrandbits(_SEEDS)) for seat in seats]
        before = state.move_number()
        spiel.evaluate_bots(state, self.bots[1], rng.getrandbits(_SEEDS))
        return state.move_number() - before


class SpielHiddenGame(SpielGame):
    """Players who do not see everything."""

    def __init__(self, game: Any, spec: str, resample: Resample, files: tuple[str, ...] = ()) -> None:
        super().__init__(game, spec, files)
        self.resample = resample
        self.has_information_states = game.get_type().provides_information_state_string
        self.has_observations = game.get_type().provides_observation_string

    def determinize(self, player: int, rng: random.Random) -> list[int]:
        self.state = self.resample(self.state, player, rng)
        return self.state.history()

    def seen(self, player: int) -> str:
        return self._information(player) if self.has_information_states else self._observation(player)

    def show(self, player: int) -> str:
        """Observations are shorter, where there are some."""
        return self._observation(player) if self.has_observations else self._information(player)

    def _information(self, player: int) -> str:
        return self.state.information_state_string(player)

    def _observation(self, player: int) -> str:
        return self.state.observation_string(player)


def OpenSpiel(game: str = "", resample: Resample | str | None = None) -> Any:  # noqa: N802, it makes objects
    """A game of OpenSpiel by its name, with its parameters in parentheses.

    `resample(state, player, rng)` returns a state of this game that the player holds possible in place of `state`; on the
    command line it is FILE.py:FUNCTION. Raises BadInput if OpenSpiel is missing, or does not know the game.
    """
    if not game:
        raise BadInput("openspiel names no game; write one behind a colon, as in openspiel:hearts")
    spiel = _spiel()
    name = game.partition("(")[0].strip()
    if name not in spiel.registered_names():
        raise BadInput(f"openspiel: unknown game {name!r}; {nearest(name, spiel.registered_names())}")
    with _quiet():
        try:
            made = spiel.load_game_as_turn_based(game)
        except Exception as error:
            raise BadInput(f"openspiel:{game}: OpenSpiel cannot load it: {_first_line(error)}") from None
    kind = made.get_type()
    if kind.dynamics == type(kind.dynamics).MEAN_FIELD:
        raise BadInput(f"openspiel:{game}: a game of a mean field has no players who move in turn; it cannot be played here")
    files: tuple[str, ...] = ()
    if isinstance(resample, str):
        files = (resample.rpartition(":")[0],) if resample else ()
        resample = _user_function(resample) if resample else None
    if resample is None and not _hides(kind, game):
        alone = made.num_players() == 1 and kind.chance_mode == type(kind.chance_mode).DETERMINISTIC
        return SpielPuzzle(made, game) if alone else SpielGame(made, game)
    if resample is None and not _resamples(made):
        raise BadInput(
            f"openspiel:{game}: OpenSpiel cannot say what a player may hold possible there; give resample=FILE.py:FUNCTION, "
            "a function (state, player, rng) that returns such a state"
        )
    return SpielHiddenGame(made, game, resample or _resample, files)


def _resample(state: Any, player: int, rng: random.Random) -> Any:
    return state.resample_from_infostate(player, rng.random)


def _hides(kind: Any, game: str) -> bool:
    """Does somebody not see everything? Who moves at the same time as others does not see their moves."""
    with _quiet():
        dynamics = _spiel().load_game(game).get_type().dynamics
    return bool(kind.information != type(kind.information).PERFECT_INFORMATION or dynamics != type(dynamics).SEQUENTIAL)


def _resamples(game: Any) -> bool:
    """Can OpenSpiel say for every player what he may hold possible? Tried in the first positions of some games."""
    rng = random.Random(1)
    with _quiet():
        for _ in range(3):
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    try:
                        _resample(state, state.current_player(), rng)
                    except Exception:
                        return False
                state.apply_action(rng.choice(state.legal_actions()))
    return True


def _user_function(spec: str) -> Resample:
    file, _, name = spec.rpartition(":")
    if not file.endswith(".py") or not name:
        raise BadInput(f"openspiel: resample={spec!r} is not allowed; resample takes FILE.py:FUNCTION")
    function = getattr(load_file(file), name, None)
    if not callable(function):
        raise BadInput(f"{file}: no function {name!r}")
    return function


def _spiel() -> Any:
    if find_spec("pyspiel") is None:
        raise BadInput("games of OpenSpiel need the package open_spiel; pip install 'arbora[adapters]' brings it")
    return import_module("pyspiel")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


@contextmanager
def _quiet() -> Iterator[None]:
    """OpenSpiel writes its errors to the terminal besides raising them."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
