"""Boards: text files, random boards by seed, and what is said about bad input."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arbora.errors import BadInput
from arbora.problems.samegame.boards import MAX_COLORS, MAX_SIDE, as_board, load_board, parse_boards, random_board, settle


@pytest.mark.parametrize(
    "text",
    [
        "012\n340",
        "0 1 2\n3 4 0",
        "abc\ndea",
        "A B C\nD E A",
        "  0 1 2  \n\t3 4 0\t",
        "# a comment\n\n012  # the top row\n340# the bottom row\n# the end",
        "\r\n012\r\n340\r\n",
    ],
)
def test_one_board_in_many_spellings(text):
    (board,) = parse_boards(text)
    assert board.tolist() == [[0, 1, 2], [3, 4, 0]]
    assert board.dtype == np.int8


def test_numbers_of_two_digits_need_spaces():
    assert parse_boards("12 3\n25 0")[0].tolist() == [[12, 3], [25, 0]]
    assert parse_boards("123\n250")[0].tolist() == [[1, 2, 3], [2, 5, 0]]


def test_the_last_letter_is_the_last_colour():
    assert parse_boards("az\nZA")[0].tolist() == [[0, 25], [25, 0]]


def test_a_dot_is_an_empty_cell():
    assert parse_boards("..1\n0.2\n0.3")[0].tolist() == [[-1, 1, -1], [0, 2, -1], [0, 3, -1]]


def test_a_board_without_blocks():
    assert parse_boards("...\n...")[0].tolist() == [[-1, -1, -1], [-1, -1, -1]]


def test_blank_lines_and_lines_of_comment_alone_end_a_board():
    found = parse_boards("00\n11\n\n\n# second\nab\n# third\n2")
    assert [board.tolist() for board in found] == [[[0, 0], [1, 1]], [[0, 1]], [[2]]]


@pytest.fixture
def three_boards(tmp_path: Path) -> str:
    path = tmp_path / "boards.txt"
    path.write_text("# three boards\n00\n\n11 # the second\n\n22\n")
    return str(path)


@pytest.mark.parametrize(("number", "color"), [("", 0), ("#1", 0), ("#2", 1), ("#3", 2)])
def test_boards_of_a_file_are_counted_from_one(three_boards, number, color):
    assert load_board(three_boards + number).tolist() == [[color, color]]


@pytest.mark.parametrize("number", ["0", "4", "99", "-1", "x", "", "1.0", "²"])
def test_a_board_the_file_does_not_have(three_boards, number):
    with pytest.raises(BadInput) as error:
        load_board(f"{three_boards}#{number}")
    assert str(error.value) == f"{three_boards}#{number}: no such board; the file has boards #1 to #3"


def test_the_standard_boards(standard_boards):
    found = parse_boards(standard_boards.read_text(), "standard20.txt")
    assert [(board.shape, int(board.min()), int(board.max())) for board in found] == [((15, 15), 0, 4)] * 20
    assert load_board(f"{standard_boards}#20").tolist() == found[19].tolist()
    with pytest.raises(BadInput, match="#99: no such board; the file has boards #1 to #20"):
        load_board(f"{standard_boards}#99")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("012\n01", "f.txt, line 2: 2 cells, but line 1 has 3"),
        ("# c\n01\n\n0 1\n0 1 2", "f.txt, line 5: 3 cells, but line 4 has 2"),
        ("0 26\n1 2", "f.txt, line 1: colour 26: at most 26 colours, 0 to 25"),
        ("012\n0?2", "f.txt, line 2: '?' is not a cell; cells are 0-9, a-z or '.'"),
        ("abc\naäc", "f.txt, line 2: 'ä' is not a cell; cells are 0-9, a-z or '.'"),
        ("0 1\n0 -1", "f.txt, line 2: '-1' is not a cell; cells are 0-9, a-z or '.'"),
        ("0 1\n0 ²", "f.txt, line 2: '²' is not a cell; cells are 0-9, a-z or '.'"),
        ("ab cd", "f.txt, line 1: 'ab' is not a cell; cells are 0-9, a-z or '.'"),
        ("01\n0a", "f.txt, line 2: 'a': a board has digits or letters, not both"),
        ("ab\n.1", "f.txt, line 2: '1': a board has digits or letters, not both"),
        ("", "f.txt: no board found; a board is lines of digits, letters or dots"),
        ("# only\n  \n# comments", "f.txt: no board found; a board is lines of digits, letters or dots"),
        ("0" * 51, "f.txt, line 1: a board of 51x1; allowed are 1x1 to 50x50"),
        ("\n" + "0\n" * 51, "f.txt, line 2: a board of 1x51; allowed are 1x1 to 50x50"),
    ],
)
def test_bad_text_is_told_with_file_line_and_what_is_allowed(text, message):
    with pytest.raises(BadInput) as error:
        parse_boards(text, "f.txt")
    assert str(error.value) == message


def test_a_number_of_any_length_is_one_colour_too_many():
    with pytest.raises(BadInput, match=r"f\.txt, line 1: colour 9+: at most 26 colours, 0 to 25"):
        parse_boards("0 " + "9" * 30, "f.txt")


def test_files_that_cannot_be_read(tmp_path):
    missing, binary = tmp_path / "missing.txt", tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    for instance, reason in [
        (f"{missing}", "No such file or directory"),
        (f"{missing}#2", "No such file or directory"),
        (f"{tmp_path}", "Is a directory"),
        (f"{binary}", "not a text file"),
    ]:
        with pytest.raises(BadInput) as error:
            load_board(instance)
        assert str(error.value) == f"{instance.removesuffix('#2')}: cannot read boards: {reason}"


def test_an_empty_file_is_named(tmp_path):
    (tmp_path / "empty.txt").touch()
    with pytest.raises(BadInput, match=r"empty\.txt: no board found"):
        load_board(str(tmp_path / "empty.txt"))


def test_a_board_as_text_or_rows():
    for value in ("01\n10", [[0, 1], [1, 0]], ((0, 1), (1, 0)), np.array([[0, 1], [1, 0]], np.uint8)):
        assert as_board(value).tolist() == [[0, 1], [1, 0]]
    assert as_board([[-1, 1], [-1, 0]]).tolist() == [[1, -1], [0, -1]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([[0, 1], [2]], "equally long rows of whole numbers"),
        ([0, 1], "equally long rows of whole numbers"),
        ([[0.5]], "equally long rows of whole numbers"),
        ([["a"]], "equally long rows of whole numbers"),
        (7, "equally long rows of whole numbers"),
        ([[0, 26]], "colours are 0 to 25, -1 for empty"),
        ([[0, -2]], "colours are 0 to 25, -1 for empty"),
        (np.zeros((2, 51), int), "a board of 51x2; allowed are 1x1 to 50x50"),
        (np.zeros((0, 3), int), "a board of 3x0; allowed are 1x1 to 50x50"),
    ],
)
def test_values_that_are_no_board(value, message):
    with pytest.raises(BadInput, match="^board: .*" + message):
        as_board(value)


@settings(deadline=None)
@given(arrays(np.int8, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(-1, 3)))
def test_settling_keeps_the_blocks_of_each_column_in_order(board):
    settled = settle(board)
    before = [[cell for cell in column if cell >= 0] for column in board.T.tolist()]
    after = [[cell for cell in column if cell >= 0] for column in settled.T.tolist()]
    filled = [column for column in before if column]
    assert after == filled + [[]] * (len(before) - len(filled))
    for column, blocks in zip(settled.T.tolist(), after, strict=True):
        assert column == [-1] * (len(column) - len(blocks)) + blocks


def test_random_boards_of_every_size_are_full_and_legal():
    for width in range(1, MAX_SIDE + 1):
        for height in range(1, MAX_SIDE + 1):
            colors = 1 + (width * height) % MAX_COLORS
            board = random_board(width, width, height, colors)
            assert board.shape == (height, width)
            assert 0 <= board.min() <= board.max() < colors
            assert as_board(board).tolist() == board.tolist()


def test_a_seed_gives_the_same_board_for_ever():
    assert random_board(1, 6, 4, 5).tolist() == [
        [1, 3, 2, 0, 4, 3],
        [0, 4, 1, 4, 1, 4],
        [3, 2, 3, 4, 3, 1],
        [1, 3, 4, 3, 2, 3],
    ]
    assert random_board(2, 3, 2, 26).tolist() == [[18, 2, 23], [4, 4, 13]]


def test_seeds_give_different_boards_with_every_colour_equally_often():
    boards = [random_board(seed, 15, 15, 5) for seed in range(100)]
    assert len({board.tobytes() for board in boards}) == 100
    counts = np.bincount(np.concatenate(boards).ravel())
    assert np.sum((counts - 4500) ** 2 / 4500) < 18.5  # chi-square, 4 degrees of freedom, 0.1 %
