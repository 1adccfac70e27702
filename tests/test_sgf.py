"""SGF: what is written is read again, and what cannot be read is told where."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora import sgf
from arbora.errors import BadInput
from arbora.sgf import BLACK, WHITE, Game, Step

# Text as SGF keeps it: any sign, but no white space except blanks and line breaks
letters = st.characters(exclude_categories=("C", "Z"))
comments = st.text(letters | st.sampled_from(" \n]\\[;:()"), max_size=30)
names = st.text(letters | st.sampled_from(" ]\\[:"), max_size=12).map(str.strip)


@st.composite
def games(draw: st.DrawFn) -> Game:
    width, height = draw(st.integers(1, 52)), draw(st.integers(1, 52))
    points = st.integers(0, width * height - 1)
    # On boards up to 19×19, `tt` stands for a pass, but no point has that name there.
    moves = st.none() | st.tuples(st.sampled_from((BLACK, WHITE)), points | st.just(width * height))

    def step() -> Step:
        stones = draw(st.lists(points, unique=True, max_size=6))
        first, second = sorted(draw(st.tuples(st.integers(0, len(stones)), st.integers(0, len(stones)))))
        return Step(
            black=tuple(stones[:first]),
            white=tuple(stones[first:second]),
            empty=tuple(stones[second:]),
            to_play=draw(st.sampled_from((None, BLACK, WHITE))),
            move=draw(moves),
            comment=draw(comments),
        )

    steps = tuple(made for made in (step() for _ in range(draw(st.integers(0, 4)))) if made != Step())
    return Game(
        width=width,
        height=height,
        komi=draw(st.none() | st.integers(-200, 200).map(lambda n: n / 4)),
        handicap=draw(st.integers(0, 9)),
        black=draw(names),
        white=draw(names),
        result=draw(st.sampled_from(("", "B+3.5", "W+R", "0"))),
        rules=draw(st.sampled_from(("", "Chinese"))),
        steps=steps,
    )


@given(games())
def test_what_is_written_is_read_again(game):
    assert sgf.parse(sgf.render(game)) == game


@given(st.text(st.sampled_from("();[]\\BWKMSZACEPL ab19:\n") | st.characters(), max_size=60))
def test_any_text_is_a_game_or_bad_input_in_one_line(text):
    told = "SGF, line 1"
    try:
        sgf.parse("(;" + text)
    except BadInput as error:
        told = str(error)
    assert told.startswith("SGF, line ")
    assert told.isprintable()


def test_a_game_as_it_is_written():
    game = Game(
        width=9,
        height=9,
        komi=7.5,
        black="Me [1]",
        white="You",
        result="B+0.5",
        rules="Chinese",
        steps=(*sgf.steps_of([0, 80, 81]), Step(move=(WHITE, 8), comment="a \\ and a ]")),
    )
    assert sgf.render(game) == (
        "(;GM[1]FF[4]CA[UTF-8]AP[Arbora]SZ[9]KM[7.5]RU[Chinese]PB[Me [1\\]]PW[You]RE[B+0.5]\n"
        ";B[ai]\n;W[ia]\n;B[]\n;W[ii]C[a \\\\ and a \\]])\n"
    )


def test_what_other_programs_write():
    text = """Some words before the game.
    (;GaMe[1]FF[3]SiZe[19]KM[0.50]HA[2]PB[Anna\\
 Bell]PW[x:\\]y]AB[dd]
      [pp]C[first line\r\nsecond\tline]
    ;White[qd](;B[tt];W[](;B[aa])(;B[bb]))(;B[cc]))  (;B[dd])"""
    game = sgf.parse(text)
    assert (game.width, game.height, game.komi, game.handicap) == (19, 19, 0.5, 2)
    assert (game.black, game.white) == ("Anna Bell", "x:]y")
    setup, *moves = game.steps
    assert setup == Step(black=(3 + 15 * 19, 15 + 3 * 19), comment="first line\nsecond line")
    assert [step.move for step in moves] == [(WHITE, 16 + 15 * 19), (BLACK, 361), (WHITE, 361), (BLACK, 18 * 19)]


def test_points_in_rectangles_and_boards_that_are_none_squares():
    game = sgf.parse("(;SZ[5:3]AB[aa:bb]AW[ec]PL[W]AE[cc:ca])")
    assert (game.width, game.height) == (5, 3)
    assert game.steps == (Step(black=(5, 6, 10, 11), white=(4,), empty=(2, 7, 12), to_play=WHITE),)


def test_tt_is_a_point_of_large_boards():
    (step,) = sgf.parse("(;SZ[20];B[tt])").steps
    assert step.move == (BLACK, 19)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1, column 1: no game; a game begins with (;"),
        ("(B[aa])", "line 1, column 1: no game; a game begins with (;"),
        ("(;B[aa]", "line 1, column 8: the game does not end; a ) is missing"),
        ("(;\n B[aa", "line 2, column 3: a value does not end; a ] is missing"),
        ("(;B)", "line 1, column 3: a property has no value; values stand in brackets"),
        ("(;B[aa]\n\n 5)", "line 3, column 2: '5' is out of place; a node begins with ;"),
        ("(;SZ[9]\n;B[jj])", "line 2, column 4: [jj] is no point of a board of 9×9"),
        ("(;SZ[9];B[a])", "line 1, column 11: [a] is no point of a board of 9×9"),
        ("(;SZ[0])", "line 1, column 6: [0] is no size; it is a whole number from 1 to 52"),
        ("(;SZ[9:x])", "line 1, column 6: [x] is no size; it is a number"),
        ("(;KM[nan])", "line 1, column 6: [nan] is no komi; it is a number"),
        ("(;HA[1.5])", "line 1, column 6: [1.5] is no handicap; it is a whole number from 0 to 999"),
        ("(;GM[2])", "line 1, column 6: GM[2] is not Go, which is GM[1]"),
        ("(;PL[x])", "line 1, column 6: PL[x] is no player; B and W are"),
        ("(;B[aa][bb])", "line 1, column 9: B has more than one value"),
        ("(;B[aa]W[bb])", "line 1, column 10: both Black and White move in one node"),
        ("(;AB[aa]AW[aa])", "line 1, column 6: a point is set up twice in one node"),
    ],
)
def test_what_is_wrong_and_where(text, told):
    with pytest.raises(BadInput) as error:
        sgf.parse(text, "game.sgf")
    assert str(error.value) == f"game.sgf, {told}"


def test_files(tmp_path: Path):
    path = tmp_path / "game.sgf"
    game = Game(width=9, height=9, black="Ärger", steps=sgf.steps_of([40]))
    sgf.save(path, game)
    assert sgf.load(path) == game
    path.write_bytes(sgf.render(game).encode("latin-1"))
    assert sgf.load(path) == game
    with pytest.raises(BadInput, match=r"nowhere.sgf: no such file"):
        sgf.load(tmp_path / "nowhere.sgf")


def test_results():
    assert [sgf.result_text(margin) for margin in (3.5, -0.5, 0.0, 12.0)] == ["B+3.5", "W+0.5", "0", "B+12"]
