"""Whatever comes in: one answer for each command, nothing for anything else, and what fails changes nothing."""

from engines import Driver
from hypothesis import given, settings
from hypothesis import strategies as st

from arbora.gtp.commands import COMMANDS
from arbora.gtp.protocol import parse_line

names = st.sampled_from([name for name in sorted(COMMANDS) if name not in ("quit", "loadsgf")])
COLORS_AND_POINTS = ["b", "W", "black", "white", "pass", "resign", "A1", "d4", "Z9", "T19", "A0", "A" + "9" * 5000]
NUMBERS = ["0", "1", "2", "5", "7", "9", "-1", "7.5", "1e99", "nan", "inf", "9" * 5000]
OTHERS = ["alive", "seki", "byoyomi", "canadian", "absolute", "none", "interval", "#", "💀", "\\", "'"]
words = st.sampled_from(COLORS_AND_POINTS + NUMBERS + OTHERS) | st.text(max_size=5)
commands = st.tuples(st.just("") | st.integers(0, 10**20).map(str), names, st.lists(words, max_size=5)).map(
    lambda parts: " ".join((parts[0], parts[1], *parts[2])).replace("\n", " ").encode("utf-8", "surrogatepass")
)
lines = commands | st.binary(max_size=40).map(lambda data: data.replace(b"\n", b" "))


@given(st.lists(lines, max_size=12))
@settings(max_examples=150, deadline=None)
def test_any_lines(given_lines):
    driver = Driver(size=5)
    for line in given_lines:
        command, before = parse_line(line), driver.snapshot()
        answer = driver.send(line)
        if command is None:
            assert answer == ""
            continue
        head, *_ = answer.splitlines()
        assert head.split()[0] in (f"={command.number}", f"?{command.number}")
        assert answer.endswith("\n\n")
        assert "\n\n" not in answer[:-2]
        assert answer.isascii()
        if answer[0] == "?":
            assert len(answer.splitlines()) == 2
            assert len(head.split()) > 1
            assert driver.snapshot() == before
            assert "failed:" not in answer  # the answer to mistakes of ours
    assert driver.ask("name") == "Arbora"


@given(st.lists(st.tuples(st.sampled_from("bw"), st.integers(0, 25)), max_size=60))
@settings(max_examples=50, deadline=None)
def test_any_moves_of_any_colours(moves):
    """A move is refused, or puts a stone of its colour on an empty point."""
    driver = Driver(size=5)
    for color, move in moves:
        before, point = driver.stones(), driver.player.text(move)
        if driver.send(f"play {color} {point}") == "=\n\n":
            assert point == "pass" or (point not in before and driver.stones()[point] == color.upper())
        else:
            assert driver.stones() == before
