"""The problem protocol: what a class must offer to be searched, and what each optional method unlocks.

Required
    layout(self)                     numpy dtype of one state (fields, fixed shapes)
    max_moves(self)                  most moves that `moves` may ever write
    max_length(self)                 most moves an episode may ever have
    reset(self, state)               write the start position into `state`
    moves(self, state, out)          write the legal moves into `out`, return how many; 0 ends the episode
    play(self, state, move)          play a legal move in place
    score(self, state)               value of a finished episode; higher is better

Optional
    candidates(self, state, out)     the moves a play-out may choose (selective policy); never empty while moves remain
    code(self, state, move)          what a move *is* for NRPA: equal codes share one weight
    sample(self, state, out, rng)    one legal move uniformly at random, -1 if none, where listing them all is slow;
                                     `out` is scratch
    kinds(self)                      how many kinds of moves there are (colours, say); with `kind` and `kind_count` the
    kind(self, state, move)          tabu and roulette policies work: the kind of a move,
    kind_count(self, state, kind)    and how much of a kind is left
    bias(self, state, move)          knowledge for NRPA: moves are drawn in proportion to exp(weight + bias)
    bound(self, state)               an optimistic estimate: no way to end from here scores higher
    key(self, state)                 64 random-looking bits, equal for positions with the same future: the same moves, and
                                     the same difference between the score at the end and `score` here; 0 for none
    label(self, state, move)         a name (a whole number) for a move that outlives the position,
    find(self, state, label, out)    and the move it stands for here; -1 if it stands for none any more, -2 if something else
                                     must be played first; `out` is scratch
    eased(self, state, hardness)     the score of a finished episode made easier to climb, for annealing: from hardness 0,
                                     most forgiving, to 1, close to the score
    compact(self)                    the same problem with smaller states, for searches that keep many: same moves, same
                                     scores
    text(self, state, move)          a move for people
    render(self, state)              a position for people: text or anything rich can print

Games are problems with players. Required of them in place of `score`
    players(self)                    how many players there are
    player(self, state)              whose turn it is, 0 .. players - 1; CHANCE (-1) for a throw of dice or a deal of cards
    payoff(self, state, player)      what the end is worth for a player

Optional in games
    payoffs(self)                    the lowest and the highest payoff there may be; (0.0, 1.0) if left out: 1 for a win
    chance(self, state, move)        the probability of a move of chance; needed if chance ever has a turn
    light(self, state, out, rng)     the next move of a quick play-out, -1 at its end; `out` is scratch. May leave out moves
                                     that no sane player makes, and rules that take long to check; `play` takes all it gives
    urgent(self, state, out, rng)    the same for play-outs that look at what the last move threatens; -1 if nothing
    prior(self, state, move)         a guess of the payoff, scaled to 0 .. 1, of a move that nobody has tried yet
    finish(self, state, payoffs, rng)   the rest of a quick play-out at once: write what its end is worth for each player
                                     into `payoffs` and return how many moves that took, -1 if it cannot be done here;
                                     `state` may be left anywhere

Optional in games that hide something from their players (hidden information)
    determinize(self, state, player, rng)   redraw in place what that player cannot see: any position that he holds possible,
                                     each as likely as it is for him. It must not depend on what is really hidden
    worlds(self, state, player)      how many positions that player holds possible; infinite if left out: nobody counts them
    seen(self, state, player)        64 random-looking bits of all that this player has seen: equal for positions that he
                                     cannot tell apart, different for all others
    show(self, state, player)        a position for people as that player sees it, in place of `render`

A game with `determinize` or `seen` hides something; searches that look at the whole state are refused there, as they would
cheat.

`layout`, `max_moves`, `max_length`, `players`, `payoffs`, `compact`, `text`, `render` and `show` are only ever called as
plain Python; everything else must be code that numba can compile. Helper methods may be added freely and called through
`self`.
"""

from functools import cache
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from arbora.component import derived, make_component, param, require_methods, where
from arbora.errors import ProblemError

T = TypeVar("T")

REQUIRED: dict[str, tuple[str, ...]] = {
    "layout": (),
    "max_moves": (),
    "max_length": (),
    "reset": ("state",),
    "moves": ("state", "out"),
    "play": ("state", "move"),
    "score": ("state",),
}
# What a game has in place of `score`.
REQUIRED_OF_GAMES: dict[str, tuple[str, ...]] = {
    "players": (),
    "player": ("state",),
    "payoff": ("state", "player"),
}
CHANCE = -1  # the player whose moves are drawn by their probabilities
OPTIONAL: dict[str, tuple[str, ...]] = {
    "candidates": ("state", "out"),
    "code": ("state", "move"),
    "sample": ("state", "out", "rng"),
    "kinds": (),
    "kind": ("state", "move"),
    "kind_count": ("state", "kind"),
    "bias": ("state", "move"),
    "bound": ("state",),
    "key": ("state",),
    "label": ("state", "move"),
    "find": ("state", "label", "out"),
    "eased": ("state", "hardness"),
    "compact": (),
    "text": ("state", "move"),
    "render": ("state",),
    "payoffs": (),
    "chance": ("state", "move"),
    "light": ("state", "out", "rng"),
    "urgent": ("state", "out", "rng"),
    "prior": ("state", "move"),
    "finish": ("state", "payoffs", "rng"),
    "determinize": ("state", "player", "rng"),
    "worlds": ("state", "player"),
    "seen": ("state", "player"),
    "show": ("state", "player"),
}


def _candidates(self: Any, state: Any, out: Any) -> Any:
    return self.moves(state, out)


def _code(self: Any, state: Any, move: Any) -> Any:
    return np.uint64(move)


def _sample(self: Any, state: Any, out: Any, rng: Any) -> Any:
    count = self.moves(state, out)
    if count == 0:
        return -1
    return out[rng.below(count)]


def _bias(self: Any, state: Any, move: Any) -> Any:
    return 0.0


def _bound(self: Any, state: Any) -> Any:
    return np.inf


def _key(self: Any, state: Any) -> Any:
    return np.uint64(0)


def _label(self: Any, state: Any, move: Any) -> Any:
    return np.int64(move)


def _find(self: Any, state: Any, label: Any, out: Any) -> Any:
    for i in range(self.moves(state, out)):
        if out[i] == label:
            return np.int64(label)
    return np.int64(-1)


def _eased(self: Any, state: Any, hardness: Any) -> Any:
    return np.float64(self.score(state))


def _text(self: Any, state: Any, move: int) -> str:
    return str(int(move))


def _score_of_a_game(self: Any, state: Any) -> Any:
    return np.float64(self.payoff(state, 0))


def _payoffs(self: Any) -> tuple[float, float]:
    return 0.0, 1.0


def _chance(self: Any, state: Any, move: Any) -> Any:
    return 0.0


def _light(self: Any, state: Any, out: Any, rng: Any) -> Any:
    return self.sample(state, out, rng)


def _urgent(self: Any, state: Any, out: Any, rng: Any) -> Any:
    return -1


def _prior(self: Any, state: Any, move: Any) -> Any:
    return 0.5


def _finish(self: Any, state: Any, payoffs: Any, rng: Any) -> Any:
    return -1


def _determinize(self: Any, state: Any, player: Any, rng: Any) -> None:
    pass


def _worlds(self: Any, state: Any, player: Any) -> Any:
    return np.inf


def _seen(self: Any, state: Any, player: Any) -> Any:
    return np.uint64(0)


_DEFAULTS = {
    "candidates": _candidates,
    "code": _code,
    "sample": _sample,
    "bias": _bias,
    "bound": _bound,
    "key": _key,
    "label": _label,
    "find": _find,
    "eased": _eased,
    "text": _text,
}
_DEFAULTS_OF_GAMES = {
    **_DEFAULTS,
    "score": _score_of_a_game,
    "payoffs": _payoffs,
    "chance": _chance,
    "light": _light,
    "urgent": _urgent,
    "prior": _prior,
    "finish": _finish,
    "determinize": _determinize,
    "worlds": _worlds,
    "seen": _seen,
}


@dataclass_transform(field_specifiers=(param, derived))
def problem(cls: type[T]) -> type[T]:
    """Make a class with the protocol's methods a problem: a named tuple that runs interpreted and compiled.

    Raises ProblemError at once if a method is missing or takes the wrong arguments.
    """
    if any(hasattr(cls, name) for name in REQUIRED_OF_GAMES):
        required = {name: arguments for name, arguments in REQUIRED.items() if name != "score"} | REQUIRED_OF_GAMES
        require_methods(cls, required, {"score": REQUIRED["score"], **OPTIONAL})
        return make_component(cls, "problem", _DEFAULTS_OF_GAMES)
    require_methods(cls, REQUIRED, OPTIONAL)
    return make_component(cls, "problem", _DEFAULTS)


def offers(problem: Any, name: str) -> bool:
    """Does the problem have this optional method of its own, not just the default that does nothing?"""
    method = getattr(type(problem), name, None)
    return method is not None and method is not _DEFAULTS_OF_GAMES.get(name)


def is_game(problem: Any) -> bool:
    """Does the problem have players?"""
    return hasattr(type(problem), "players")


def compacted(problem: Any) -> Any:
    """The problem's twin with small states, or the problem itself."""
    return problem.compact() if offers(problem, "compact") else problem


def state_dtype(problem: Any) -> np.dtype[Any]:
    """The dtype of one state, checked and laid out so that every field is aligned."""
    name, place = type(problem).__name__, where(type(problem).layout)
    layout = problem.layout()
    try:
        dtype = np.dtype(layout)
    except (TypeError, ValueError) as error:
        raise ProblemError(f"class {name}, {place}: layout must return a numpy dtype, not {layout!r} ({error})") from None
    if not dtype.names:
        raise ProblemError(f"class {name}, {place}: layout must return a dtype with named fields, not {dtype}")
    if dtype.hasobject:
        raise ProblemError(f"class {name}, {place}: layout has a field of Python objects; use numbers, or a simulator")
    return aligned(dtype)


def aligned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same fields, each at its natural alignment; a layout with offsets of its own is left alone.

    Arrays of bools become bytes, which numba can have in a record.
    """
    assert dtype.names is not None
    assert dtype.fields is not None
    packed = 0
    for name in dtype.names:
        field, offset = dtype.fields[name][:2]
        if offset != packed:
            return dtype
        packed += field.itemsize
    return np.dtype([(name, _without_bools(dtype.fields[name][0])) for name in dtype.names], align=True)


def _without_bools(field: np.dtype[Any]) -> Any:
    return (np.uint8, field.shape) if field.shape and field.base == np.bool_ else field


def bounds(problem: Any) -> tuple[int, int]:
    """(max_moves, max_length), checked."""
    sizes = []
    for name in ("max_moves", "max_length"):
        method = getattr(type(problem), name)
        value = getattr(problem, name)()
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
            raise ProblemError(
                f"class {type(problem).__name__}, {where(method)}: {name} must return a whole number of 1 or more, "
                f"not {value!r}"
            )
        sizes.append(int(value))
    return sizes[0], sizes[1]


def like_compiled() -> np.errstate:
    """Within this context numpy's numbers behave as compiled ones: integers wrap around, division by zero raises."""
    return np.errstate(over="ignore", divide="raise")


def new_states(problem: Any, count: int) -> np.ndarray:
    """`count` zeroed states, as compiled code takes them."""
    return np.zeros(count, state_dtype(problem))


def new_state(problem: Any) -> Any:
    """One zeroed state, as plain Python takes it."""
    return Records(new_states(problem, 1))[0]


def copied(problem: Any, state: Any) -> Any:
    """A copy of a state that plain Python has."""
    states = Records(new_states(problem, 1))
    states[0] = state
    return states[0]


class Records:
    """An array of records as plain Python sees it: `records[i].field` reads and writes, `records[i] = records[j]` copies.

    What numba does with structured arrays by itself. numpy's own record arrays come close, but there a field called
    `item` or `size` is hidden by the method of that name.
    """

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.size = array.size
        self.shape = array.shape
        self.record_class = _record_class(array.dtype)

    def __getitem__(self, index: Any) -> Any:
        found = self.array[index]
        return Records(found) if isinstance(found, np.ndarray) else self.record_class(found)

    def __setitem__(self, index: Any, record: Any) -> None:
        self.array[index] = record.arbora_record


@cache
def _record_class(dtype: np.dtype[Any]) -> type:
    def field(name: str) -> property:
        def read(self: Any) -> Any:
            return self.arbora_record[name]

        def write(self: Any, value: Any) -> None:
            self.arbora_record[name] = value

        return property(read, write)

    def construct(self: Any, content: np.void) -> None:
        self.arbora_record = content

    fields = {name: field(name) for name in dtype.names or ()}
    return type("State", (), {"__slots__": ("arbora_record",), "__init__": construct, **fields})
