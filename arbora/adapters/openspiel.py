"""Games of OpenSpiel under our searches: one player or many, chance, perfect and hidden information.

    arbora.OpenSpiel("hearts")
    arbora.OpenSpiel("go(board_size=9,komi=7.5)")
    arbora.OpenSpiel("phantom_ttt", resample=my_function)

A game becomes one of three kinds of plain object, which the searches call back into: a puzzle, if there is one player and
no chance; a game; or a game that hides something. Which positions its players may hold possible is known of a part of the
games (`_resampler`); of others the user says it, by a function (state, player, rng) that returns another state.
"""

import os
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arbora.adapters.dealing import Dealing, Reading, Resampler, Seen
from arbora.adapters.draws import Resample, can_draw, checked, draw, draw_same_time, view_of
from arbora.adapters.rummy import GinRummy
from arbora.adapters.tricks import Euchre, Hearts, OhHell
from arbora.errors import BadInput
from arbora.spec import load_file

_FORGOTTEN = 50  # moves of chance, at the start of some games, that OpenSpiel does not count
_READINGS: dict[str, Reading] = {"hearts": Hearts, "euchre": Euchre, "oh_hell": OhHell}
_SEEDS = 31  # bits of a seed that OpenSpiel takes
_WHO = re.compile(r"^(Player: -?\d+ Action: |player=-?\d+ move=)")  # which some games put before a move


class SpielState:
    """A state of OpenSpiel as an object that is searched through calls."""

    def __init__(self, game: Any, spec: str, files: tuple[str, ...] = ()) -> None:
        self.game, self.spec, self.files = game, spec, files
        kind = game.get_type()
        chance = kind.chance_mode != type(kind.chance_mode).DETERMINISTIC
        self.max_moves = max(game.num_distinct_actions(), game.max_chance_outcomes() if chance else 0, 1)
        self.max_length = max(game.max_game_length() + (game.max_chance_nodes_in_history() if chance else 0), 1)
        self.max_length += _FORGOTTEN if chance else 0
        self.start = game.new_initial_state()
        self.reset()

    @property
    def identity(self) -> str:
        """What results depend on besides our own code."""
        contents = [Path(file).read_text(encoding="utf-8") for file in self.files]
        return "\n".join(["OpenSpiel " + _version(), self.spec, *contents])

    def reset(self) -> None:
        self.state = self.start.clone()  # a new one takes far longer in some games

    def moves(self) -> list[int]:
        return self.state.legal_actions()

    def play(self, move: int) -> None:
        self.state.apply_action(move)

    def text(self, move: int) -> str:
        return _WHO.sub("", self.state.action_to_string(self.state.current_player(), move)).strip()

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
        self.spiel = _spiel()
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

    def finish(self, rng: random.Random) -> tuple[int, list[float]]:
        """Random bots play on, in OpenSpiel's own code."""
        state, (known, bots) = self.state, self.bots
        if known is not rng:
            seats = range(self.players)
            bots = [self.spiel.make_uniform_random_bot(seat, rng.getrandbits(_SEEDS)) for seat in seats]
            self.bots = rng, bots
        before = state.move_number()
        self.spiel.evaluate_bots(state, bots, rng.getrandbits(_SEEDS))
        return state.move_number() - before, state.returns()


class SpielHiddenGame(SpielGame):
    """Players who do not see everything."""

    def __init__(self, game: Any, spec: str, resample: Resample, files: tuple[str, ...] = ()) -> None:
        super().__init__(game, spec, files)
        self.resample = resample
        self.view, self.has_observations = view_of(game), game.get_type().provides_observation_string

    def determinize(self, player: int, rng: random.Random) -> list[int]:
        self.state = self.resample(self.state, player, rng)
        return self.state.history()

    def seen(self, player: int) -> str:
        return self.view(self.state, player)

    def show(self, player: int) -> str:
        """Observations are shorter, where there are some."""
        return self.state.observation_string(player) if self.has_observations else self.seen(player)


def OpenSpiel(game: str = "", resample: Resample | str | None = None) -> Any:  # noqa: N802, it makes objects
    """A game of OpenSpiel by its name, with its parameters in parentheses.

    `resample(state, player, rng)` returns a state of this game that the player holds possible in place of `state`; on the
    command line it is FILE.py:FUNCTION. Raises BadInput if OpenSpiel is missing, or the game cannot be played.
    """
    if not game:
        raise BadInput("openspiel names no game; write one behind a colon, as in openspiel:hearts")
    made = _loaded(game)
    files: tuple[str, ...] = ()
    if isinstance(resample, str):
        files = (resample.rpartition(":")[0],) if resample else ()
        resample = _user_function(resample) if resample else None
    if resample is not None:
        return SpielHiddenGame(made, game, checked(resample, view_of(made)), files)
    if _hides(made, game):
        return SpielHiddenGame(made, game, _resampler(made, game))
    kind = made.get_type()
    alone = made.num_players() == 1 and kind.chance_mode == type(kind.chance_mode).DETERMINISTIC
    return SpielPuzzle(made, game) if alone else SpielGame(made, game)


def _loaded(game: str) -> Any:
    """The game itself, in which players move in turn; BadInput for one that cannot be played here."""
    spiel = _spiel()
    name = game.partition("(")[0].strip()
    if name not in spiel.registered_names():
        near = get_close_matches(name.lower(), spiel.registered_names(), n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else "pyspiel.registered_names() gives all their names"
        raise BadInput(f"openspiel: unknown game {name!r}; {hint}")
    with _quiet():
        try:
            made = spiel.load_game_as_turn_based(game)
            state, rng = made.new_initial_state(), random.Random(1)
            while state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
            state.legal_actions()
        except Exception as error:
            raise BadInput(f"openspiel:{game}: OpenSpiel cannot load it: {_first_line(error)}") from None
    kind = made.get_type()
    if kind.dynamics == type(kind.dynamics).MEAN_FIELD:
        raise BadInput(f"openspiel:{game}: a game of a mean field has no players who move in turn; it cannot be played here")
    if kind.chance_mode == type(kind.chance_mode).SAMPLED_STOCHASTIC:
        raise BadInput(
            f"openspiel:{game}: OpenSpiel does not say there what chance has done; no position can be played again, so it "
            "cannot be searched"
        )
    return made


def _hides(made: Any, game: str) -> bool:
    """Does somebody not see everything? Who moves at the same time as others does not see their moves."""
    kind = made.get_type()
    return bool(kind.information != type(kind.information).PERFECT_INFORMATION or _is_at_once(game))


@cache
def _is_at_once(game: str) -> bool:
    dynamics = _kind(game).dynamics
    return bool(dynamics != type(dynamics).SEQUENTIAL)


@cache
def _kind(game: str) -> Any:
    with _quiet():
        return _spiel().load_game(game).get_type()


def _resampler(made: Any, game: str) -> Resample:
    """What draws positions that a player may hold possible, if the user gives nothing."""
    name, information = made.get_type().short_name, _kind(game).information
    if name == "gin_rummy":
        return Resampler(made, _gin_rummy(made))
    if name in _READINGS:
        return Resampler(made, _READINGS[name])
    if _is_at_once(game) and information != type(information).IMPERFECT_INFORMATION:
        return draw_same_time
    if _can_draw(game):
        return draw
    raise BadInput(
        f"openspiel:{game}: OpenSpiel cannot say what a player may hold possible there; give resample=FILE.py:FUNCTION, "
        "a function (state, player, rng) that returns such a state"
    )


@cache
def _can_draw(game: str) -> bool:
    with _quiet():
        return can_draw(_loaded(game))


def _gin_rummy(game: Any) -> Reading:
    """What a player knows in gin rummy; which cards a meld is made of, and who may knock, the game says."""
    parameters = game.get_parameters()
    rules = _spiel().gin_rummy.GinRummyUtils(*(parameters[name] for name in ("num_ranks", "num_suits", "hand_size")))
    first_meld = parameters["num_ranks"] * parameters["num_suits"] + 4

    def read(seen: Seen) -> Dealing:
        state = game.new_initial_state()
        for move in seen.history[: 2 * parameters["hand_size"] + 1]:  # the upcard may say who may knock
            state.apply_action(move)
        return GinRummy(seen, lambda move: rules.int_to_meld[move - first_meld], state.knock_card())

    return read


def _user_function(spec: str) -> Resample:
    file, _, name = spec.rpartition(":")
    if not file.endswith(".py") or not name.isidentifier():
        raise BadInput(f"openspiel: resample={spec!r} is not allowed; resample takes FILE.py:FUNCTION")
    function = getattr(load_file(file), name, None)
    if not callable(function):
        raise BadInput(f"{file}: no function {name!r}")
    return function


def _spiel() -> Any:
    if find_spec("pyspiel") is None:
        raise BadInput("games of OpenSpiel need the package open_spiel; pip install 'arbora[adapters]' brings it")
    try:
        return import_module("pyspiel")
    except ImportError as error:
        raise BadInput(f"the package open_spiel cannot be used: {_first_line(error)}") from None


def _version() -> str:
    try:
        return version("open_spiel")
    except PackageNotFoundError:  # built by the user
        return str(_spiel().__version__)


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
