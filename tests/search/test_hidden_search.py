"""PIMC, IIMC, AMCTS and IS-MCTS: what they choose, what they may know, what they count, and who may not play."""

import numpy as np
import pytest
from high_card import DRAW, KEEP, HighCard
from hypothesis import given
from hypothesis import strategies as st
from perft import position

import arbora
from arbora.check import interpreted_checks
from arbora.component import component_methods
from arbora.engine.run import STEPS, make_run, with_records
from arbora.errors import BadInput
from arbora.problem import like_compiled
from arbora.search.is_mcts import back_propagate, choose
from arbora.spec import parse_search

SPECS = [
    "pimc",
    "iimc,opponents=inner,inner.playouts=4",
    "amcts,per_world=0.5,opponents=inner,inner.playouts=4,keep=0.5",
    "is-mcts,nodes=1000",
]


def think(spec, moves, game=None, seed=1, threads=1, compiled=False, **budget):
    with arbora.Player(
        HighCard() if game is None else game, parse_search(spec), seed=seed, threads=threads, compiled=compiled
    ) as player:
        for move in moves:
            player.play(move)
        return player.think(**budget)


def facts(thought):
    return thought.move, thought.playouts, thought.nodes, thought.stopped, thought.moves


def test_the_game_keeps_to_the_protocol():
    assert list(interpreted_checks(HighCard(), 5, 1))


@pytest.mark.parametrize("spec", SPECS)
def test_compiled_equals_interpreted_and_results_repeat(spec):
    for moves in ([3, 1, 5], [3, 1, 5, KEEP], [2, 4, 3, DRAW, 0, KEEP]):
        first, again, plain = (think(spec, moves, compiled=compiled, playouts=90) for compiled in (True, True, False))
        assert facts(first) == facts(again)
        assert facts(first)[:4] == facts(plain)[:4]
        assert [(one.move, one.visits) for one in first.moves] == [(one.move, one.visits) for one in plain.moves]
        assert [one.value for one in first.moves] == pytest.approx([one.value for one in plain.moves])
        other = think(spec, moves, compiled=True, playouts=90, seed=2)
        assert [one.value for one in first.moves] != [one.value for one in other.moves]


@pytest.mark.parametrize("spec", [*SPECS, "iimc,opponents=inner,inner=amcts,inner.per_world=0.1,inner.inner.playouts=2"])
@pytest.mark.parametrize(
    ("moves", "best", "value"),
    [
        ([6, 2, 4], KEEP, 1.0),
        ([0, 3, 5], DRAW, None),
        ([5, 6, 4, KEEP], KEEP, 1.0),
        ([1, 2, 6, DRAW, 3, KEEP], KEEP, 1.0),
        ([4, 5, 0, KEEP, KEEP], DRAW, None),
    ],
    ids=["highest", "lowest", "highest, second", "highest, third", "lowest, third"],
)
def test_the_highest_card_is_kept_and_the_lowest_is_not(spec, moves, best, value):
    thought = think(spec, moves, compiled=spec in SPECS, playouts=200)
    assert thought.move == best
    if value is not None:
        assert thought.value == pytest.approx(value)
    else:
        assert 0 < thought.value < 1
        assert {one.move: one.value for one in thought.moves}[KEEP] == 0


@pytest.mark.parametrize("spec", SPECS)
def test_thoughts_do_not_depend_on_what_is_hidden(spec):
    thoughts = [think(spec, [2, *others, KEEP], playouts=60) for others in ([4, 6], [4, 0], [4, 3])]
    assert facts(thoughts[0]) == facts(thoughts[1]) == facts(thoughts[2])
    assert facts(think(spec, [2, 5, 6, KEEP], playouts=60)) != facts(thoughts[0])


@pytest.mark.parametrize("spec", SPECS)
def test_of_one_move_nothing_is_thought(spec):
    thought = think(spec, [1, 2, 3, DRAW, 4], seconds=600)
    assert (thought.move, thought.playouts, thought.stopped) == (KEEP, 0, "decided")


@pytest.mark.parametrize("spec", [spec for spec in SPECS if not spec.startswith("amcts")])
def test_two_threads_share_the_budget(spec):
    thought = think(spec, [6, 2, 4], threads=2, compiled=True, playouts=401)
    assert (thought.move, thought.playouts) == (KEEP, 401)
    assert sum(one.visits for one in thought.moves) == 401


def test_two_threads_of_amcts_do_their_parts_of_the_first_search():
    """30 worlds, two moves, half a play-out for each: 30 in all."""
    thought = think(SPECS[2], [6, 2, 4], threads=2, compiled=True, playouts=10_000)
    assert (thought.move, thought.playouts, thought.stopped) == (KEEP, 30, "decided")


def steps_of_a_playout(spec):
    """How many steps twenty play-outs from the start of the document's tree take, for each."""
    game = arbora.SyntheticTree(trees=1, df=0)
    with arbora.Player(game, parse_search(spec), compiled=False) as player:
        player.play(2)
        player.play(5)
        assert player.think(playouts=20).playouts == 20
        return int(player._running.runs[0].counters[STEPS]) / 20


@pytest.mark.parametrize(
    ("spec", "steps"),
    [
        ("pimc", 6),
        ("is-mcts,nodes=500", 6),
        ("iimc,inner.playouts=3", 6 + 3 * 4 + 3 * 2),  # the inner search thinks with four and with two moves to go
        ("iimc,inner.playouts=3,opponents=inner", 6 + 3 * (5 + 4 + 3 + 2 + 1)),
        ("iimc,inner=iimc,inner.playouts=2,inner.inner.playouts=3", 6 + 2 * (4 + 3 * 2) + 2 * 2),
    ],
)
def test_steps_are_moves_of_play_outs_and_of_those_within(spec, steps):
    assert steps_of_a_playout(spec) == steps
    thought = think(spec, [2, 5], arbora.SyntheticTree(trees=1, df=0), steps=10 * steps + 1)
    assert (thought.playouts, thought.stopped) == (11, "budget")  # the play-out that gets there is the last


def test_amcts_within_play_outs_searches_twice_where_it_is_close():
    """Four play-outs with four moves to go and with two; again as many, with one within each of the former."""
    once = 6 + 4 * 4 + 4 * 2
    assert once < steps_of_a_playout("iimc,inner=amcts,inner.per_world=0.25,inner.inner.playouts=1") <= once + 4 * 6 + 4 * 2


def test_equal_steps_are_far_fewer_play_outs_of_iimc():
    game = arbora.SyntheticTree(trees=1)
    pimc, iimc = (think(spec, [2, 5], game, steps=4_000) for spec in ("pimc", "iimc,inner.playouts=20"))
    assert 0 < iimc.playouts < pimc.playouts / 5


def test_moves_in_turn_or_by_their_bounds():
    equal, tuned = (think(f"pimc,arms={arms}", [6, 2, 4], playouts=301) for arms in ("equal", "tuned"))
    assert sorted(one.visits for one in equal.moves) == [150, 151]
    assert tuned.moves[0].visits > 200
    assert equal.move == tuned.move == KEEP


@pytest.mark.parametrize(("nodes", "actions"), [(2, 2), (3, 2), (7, 2), (64, 2), (2, 3), (3, 3)])
def test_a_full_tree_still_plays(nodes, actions):
    game = arbora.SyntheticTree(trees=1, actions=actions, depth=4)
    thought = think(f"is-mcts,nodes={nodes}", [1, 2], game, playouts=150)
    assert thought.move in range(actions)
    assert thought.playouts == 150
    assert sum(one.visits for one in thought.moves) == (150 if nodes >= actions else 0)


def information_tree(game, moves, playouts):
    """The sets of IS-MCTS after so many play-outs: (visits, available, total) by move."""
    search = arbora.ISMCTS(nodes=5000)
    run = with_records(make_run(game, search, playouts=playouts))
    with like_compiled():
        run.states[0] = position(game, moves)
        search.run(game, run)
    tree = run.work.tree
    used = [tree.sets[i] for i in range(tree.sets.size) if tree.sets[i].used == tree.sizes[2]]
    rows = [[tree.arms[entry.first + i] for i in range(entry.count)] for entry in used]
    sets = [{int(row.move): (int(row.visits), int(row.available), float(row.total)) for row in block} for block in rows]
    return sets, [(int(row.visits), float(row.total)) for row in (run.team.rows[0, i] for i in range(2))]


def test_moves_count_how_often_they_were_there():
    sets, root = information_tree(HighCard(), [3, 1, 5], 400)
    assert len(sets) > 20
    for arms in sets:
        assert all(0 <= total <= visits <= available for visits, available, total in arms.values())
        assert sum(visits for visits, _, _ in arms.values()) == max(available for _, available, _ in arms.values())
        assert len({available for _, available, _ in arms.values()}) == 1  # what is legal can be seen in this game
    assert sum(visits for visits, _ in root) == 400
    assert [(visits, total) for visits, _, total in max(sets, key=lambda arms: arms[0][1]).values()] == root


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=6, unique=True), min_size=1, max_size=30),
    st.integers(0, 2**32),
)
def test_where_moves_differ_none_is_lost(legal, seed):
    """A set of which ever more moves become known: each choice counts, and moves never tried are chosen first."""
    search = arbora.ISMCTS(nodes=500)
    run = with_records(make_run(HighCard(), search, seed=seed))
    tree, visits, available = run.work.tree, dict.fromkeys(range(10), 0), dict.fromkeys(range(10), 0)
    with like_compiled():
        tree.begin()
        index = tree.find(np.uint64(5))
        for moves in legal:
            place, move = choose(search, run, index, np.array(moves, np.int32), len(moves))
            assert tree.sets[index].first <= place < tree.sets[index].first + tree.sets[index].count
            assert visits[int(move)] == 0 or all(visits[other] > 0 for other in moves)
            tree.arms[place].visits += 1
            visits[int(move)] += 1
            for other in moves:
                available[other] += 1
    rows = [tree.arms[tree.sets[index].first + i] for i in range(tree.sets[index].count)]
    assert {int(row.move): (int(row.visits), int(row.available)) for row in rows} == {
        move: (visits[move], available[move]) for move in range(10) if available[move]
    }


def test_moves_never_tried_are_all_as_likely():
    chosen = dict.fromkeys(range(4), 0)
    run = with_records(make_run(HighCard(), arbora.ISMCTS(nodes=500)))
    with like_compiled():
        for _ in range(800):
            run.work.tree.begin()
            chosen[int(choose(arbora.ISMCTS(), run, run.work.tree.find(np.uint64(5)), np.arange(4), 4)[1])] += 1
    assert all(150 < count < 250 for count in chosen.values())


def test_every_move_learns_what_the_end_was_worth_for_who_made_it():
    run = with_records(make_run(HighCard(), arbora.ISMCTS(nodes=500)))
    run.team.begin(0, np.array([5, 6, 7], np.int32), 3)
    tree, movers = run.work.tree, [0, 2, 1, 2]
    tree.begin()
    for depth, mover in enumerate(movers):
        run.work.movers[depth] = mover
        run.work.trail[depth] = tree.arm(tree.find(np.uint64(depth)), 0, 3, 6)
    run.work.payoffs[:] = 0.25, 0.5, 1.0
    back_propagate(run, 4)
    arms = [tree.arms[run.work.trail[depth]] for depth in range(4)]
    assert [(int(arm.visits), float(arm.total)) for arm in arms] == [(1, 0.25), (1, 1.0), (1, 0.5), (1, 1.0)]
    assert [float(run.team.rows[0, i].total) for i in range(3)] == [0.0, 0.25, 0.0]


def uncounted():
    """A game whose worlds nobody counts."""
    methods = {name: method for name, method in component_methods(HighCard).items() if name != "worlds"}
    return arbora.problem(type("Uncounted", (), methods))()


@pytest.mark.parametrize(
    ("game", "spec", "told"),
    [
        (HighCard(), "uct", "UCT would look at what HighCard hides from its players; take arbora.ISMCTS"),
        (arbora.TicTacToe(), "pimc", "search PIMC needs .* methods players, determinize; TicTacToe has no determinize"),
        (arbora.TicTacToe(), "amcts", "search AMCTS needs .* TicTacToe has no determinize"),
        (HighCard(), "iimc,inner=is-mcts", r"IIMC: inner=ISMCTS\(.*\) is not allowed; inner takes pimc, iimc or amcts"),
        (HighCard(), "amcts,inner=random", r"AMCTS: inner=Random\(.*\) is not allowed; inner takes pimc"),
        (HighCard(), "iimc,inner.policy=by-kind", "policy ByKind needs .* HighCard has no kinds"),
        (uncounted(), "iimc,inner=amcts", "search IIMC needs .* players, determinize, worlds; Uncounted has no worlds"),
        (uncounted(), "amcts,inner=iimc,inner.inner=amcts", "search AMCTS needs .* Uncounted has no worlds"),
    ],
)
def test_what_cannot_play_is_told_in_one_line(game, spec, told):
    with pytest.raises(BadInput, match=f"^{told}[^\n]*$"):
        think(spec, [], game, playouts=10)


def test_where_worlds_are_not_counted_amcts_is_told_how_many():
    assert think("iimc,inner=amcts,inner.most_worlds=2,inner.per_world=1", [6, 2, 4], uncounted(), playouts=60).move == KEEP
