"""Hidden cards dealt anew: every possible way, each as likely as any other."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.adapters.dealing import NOBODY, Places


def ways(places):
    """Every way to put the cards where they may be, found by trying all orders."""
    spots = [place for place, room in places.room.items() for _ in range(room)]
    found = set()
    for order in permutations(places.cards):
        if all(card not in places.refused.get(place, ()) for card, place in zip(order, spots, strict=True)):
            found.add(as_way(zip(order, spots, strict=True)))
    return found


def as_way(cards_and_places):
    return tuple(sorted(cards_and_places))


def drawn(places, rng):
    return as_way((card, place) for place, cards in places.fill(rng).items() for card in cards)


@pytest.mark.parametrize(
    "places",
    [
        Places([1, 2, 3, 4, 5, 6], {0: 2, 1: 2, NOBODY: 2}),
        Places([1, 2, 3, 4, 5, 6], {0: 2, 1: 2, 3: 2}, {0: frozenset({1, 2})}),
        Places([1, 2, 3, 4, 5, 6], {0: 2, 1: 2, 3: 2}, {0: frozenset({1, 2}), 1: frozenset({2, 3})}),
        Places([1, 2, 3, 4, 5], {0: 1, 1: 3, 3: 1}, {0: frozenset({1, 2, 3}), 1: frozenset({4})}),
        Places([1, 2, 3, 4], {0: 0, 1: 2, 3: 2}, {0: frozenset({1}), 1: frozenset({1, 2}), 3: frozenset({3})}),
    ],
)
def test_all_ways_are_equally_likely(places):
    rng, possible = np.random.default_rng(1), ways(places)
    draws = 120 * len(possible)
    counts = Counter(drawn(places, rng) for _ in range(draws))
    assert set(counts) == possible
    squares = sum((count - 120) ** 2 / 120 for count in counts.values())
    assert squares < len(possible) + 6 * (2 * len(possible)) ** 0.5


@given(data=st.data())
def test_where_one_way_is_possible_it_is_found(data):
    """Even where hardly any is: first a way is made up, then cards are refused almost everywhere else."""
    room = data.draw(st.lists(st.integers(0, 4), min_size=2, max_size=4).filter(any))
    cards = list(range(sum(room)))
    owners = [place for place, count in enumerate(room) for _ in range(count)]
    refused = {
        place: frozenset(card for card in cards if owners[card] != place and data.draw(st.integers(0, 9)) < 7)
        for place in range(len(room))
    }
    places = Places(cards, dict(enumerate(room)), refused)
    rng = np.random.default_rng(1)
    for filled in (places.fill(rng), places._fill_by_exchange(rng)):
        assert sorted(card for there in filled.values() for card in there) == cards
        for place, there in filled.items():
            assert len(there) == room[place]
            assert not refused[place] & set(there)
