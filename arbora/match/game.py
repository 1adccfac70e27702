"""One game of a match, from the start to its end."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass

from arbora.match.contestant import Contestant, Loss, Seated, seated
from arbora.player import Player
from arbora.problem import CHANCE, like_compiled
from arbora.search.random import Random
from arbora.simulator import opened
from arbora.spec import parse_problem

TO_THE_END, RESIGNED = "complete", "resigned"
WIN_OR_LOSE = ((0.0, 1.0), (-1.0, 1.0))  # payoffs of games that are won, lost or drawn


@dataclass(frozen=True)
class Played:
    """A game that is over; what belongs to the contestants is in the order (first, second)."""

    moves: list[int]
    choices: list[int]  # how many moves were legal at each
    score: float  # of the first contestant: 1 for a win, ½ for a draw, 0 for a loss, or the payoff in other games
    ended: str  # "complete", "resigned", or what a program did wrong
    playouts: tuple[int, int]
    seconds: tuple[float, float]


def seat_and_deal(number: int, players: int) -> tuple[int, int]:
    """The first contestant's seat in a game of a match, numbered from 1, and which deal of chance is played.

    Every deal is played from every seat.
    """
    return (number - 1) % players, (number - 1) // players


def players_of(game: str) -> int:
    """How many players a game has."""
    with opened(parse_problem(game)) as made:
        return int(made.players())


def play_game(
    game: str, first: Contestant, second: Contestant, number: int, waiting: Callable[[], None] = lambda: None
) -> Played:
    """Play a game by its number; `first` has one seat, `second` all others. `waiting` is called now and then."""
    with ExitStack() as stack:
        count = players_of(game)
        place, deal = seat_and_deal(number, count)
        # Everybody has a game of their own: a plain Python object is in one position at a time.
        referee = stack.enter_context(Player(parse_problem(game), Random(), seed=deal))
        seats = [
            stack.enter_context(closing(seated(first if seat == place else second, game, seat, number)))
            for seat in range(count)
        ]
        choices: list[int] = []
        try:
            while legal := referee.legal():
                choices.append(len(legal))
                _play_move(referee, seats, legal, waiting)
            loss = None
        except Loss as error:
            loss = error
        others = [seat for seat in range(count) if seat != place]
        return Played(
            moves=referee.moves,
            choices=choices[: len(referee.moves)],
            score=_score(referee, place, loss),
            ended=TO_THE_END if loss is None else loss.reason,
            playouts=(seats[place].playouts, sum(seats[seat].playouts for seat in others)),
            seconds=(seats[place].seconds, sum(seats[seat].seconds for seat in others)),
        )


def _play_move(referee: Player, seats: list[Seated], legal: list[int], waiting: Callable[[], None]) -> None:
    mover = referee.to_move
    with like_compiled():
        move = referee.chance_move() if mover == CHANCE else seats[mover].choose(waiting)
    if move not in legal:
        raise Loss(mover, f"{seats[mover].spec} played {referee.text(move)}, which is not legal here")
    referee.play(move, check=False)
    for seat in seats:
        seat.follow(mover, move)


def _score(referee: Player, seat: int, loss: Loss | None) -> float:
    """What the end is worth for a seat; who loses otherwise than by the rules gets the least, all others the most."""
    low, high = (float(payoff) for payoff in referee.game.payoffs())
    if loss is not None:
        payoff = low if loss.seat == seat else high
    else:
        with like_compiled():
            payoff = referee.game.payoff(referee.state, seat)
    return float((payoff - low) / (high - low) if (low, high) in WIN_OR_LOSE else payoff)
