"""Known results of Go on tiny boards, found by search (values of perfect play: 2×2 +1, 3×3 +9, 5×5 +25)."""

import pytest

import arbora


def thought(size: int, komi: float, playouts: int) -> tuple[arbora.Thought, str]:
    with arbora.Player(arbora.Go(size=size, komi=komi), arbora.MCRAVE(policy=arbora.Tactical()), seed=1) as player:
        found = player.think(playouts=playouts)
        return found, player.text(found.move)


@pytest.mark.parametrize(("komi", "value"), [(0.5, 1.0), (1.5, 0.0)])
def test_two_by_two_is_proved(komi: float, value: float) -> None:
    found, _ = thought(2, komi, 200_000)
    assert found.stopped == "proved"
    assert found.value == value


def test_three_by_three_belongs_to_who_takes_the_centre() -> None:
    found, move = thought(3, 8.5, 20_000)
    assert (move, found.value > 0.8) == ("B2", True)
    assert thought(3, 9.5, 20_000)[0].value < 0.01


def test_five_by_five_belongs_to_who_takes_the_centre() -> None:
    found, move = thought(5, 24.5, 50_000)
    assert (move, found.value > 0.6) == ("C3", True)
    assert thought(5, 25.5, 20_000)[0].value < 0.01


def test_the_same_seed_gives_the_same_thoughts() -> None:
    first, again = thought(5, 24.5, 2_000)[0], thought(5, 24.5, 2_000)[0]
    assert [(each.move, each.visits, each.value) for each in first.moves] == [
        (each.move, each.visits, each.value) for each in again.moves
    ]
