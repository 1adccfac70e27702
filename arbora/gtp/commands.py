"""The commands: each takes the engine and its arguments, and returns the answer. Refused leaves everything as it was."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from arbora import sgf
from arbora.errors import BadInput
from arbora.gtp import handicap, judging
from arbora.gtp.analysis import Reporter
from arbora.gtp.clock import Clock, Settings
from arbora.gtp.mind import RESIGN
from arbora.gtp.protocol import Arguments, Refused

if TYPE_CHECKING:
    from arbora.gtp.engine import Engine

Function = Callable[["Engine", Arguments], str | None]
COMMANDS: dict[str, Function] = {}
_LONGEST_ANALYSIS = 6 * 3600.0
_SHORTEST_REPORT = 0.1


def command(*names: str) -> Callable[[Function], Function]:
    def add(function: Function) -> Function:
        COMMANDS.update(dict.fromkeys(names, function))
        return function

    return add


# The protocol


@command("protocol_version")
def protocol_version(engine: "Engine", arguments: Arguments) -> str:
    return "2"


@command("name")
def name(engine: "Engine", arguments: Arguments) -> str:
    return "Arbora"


@command("version")
def version(engine: "Engine", arguments: Arguments) -> str:
    from arbora import __version__

    return __version__


@command("known_command")
def known_command(engine: "Engine", arguments: Arguments) -> str:
    return "true" if arguments and arguments.word("a command") in COMMANDS else "false"


@command("list_commands")
def list_commands(engine: "Engine", arguments: Arguments) -> str:
    return "\n".join(sorted(COMMANDS))


@command("quit")
def leave(engine: "Engine", arguments: Arguments) -> None:
    engine.is_running = False


@command("cputime")
def cputime(engine: "Engine", arguments: Arguments) -> str:
    return f"{time.process_time():.3f}"


# The board


@command("boardsize")
def boardsize(engine: "Engine", arguments: Arguments) -> None:
    size = arguments.whole("a board size")
    arguments.end()
    engine.table.resize(size, size)
    engine.mind.new_game()


@command("rectangular_boardsize")
def rectangular_boardsize(engine: "Engine", arguments: Arguments) -> None:
    width, height = arguments.whole("a width"), arguments.whole("a height")
    arguments.end()
    engine.table.resize(width, height)
    engine.mind.new_game()


@command("clear_board")
def clear_board(engine: "Engine", arguments: Arguments) -> None:
    engine.table.clear()
    engine.mind.new_game()


@command("komi")
def komi(engine: "Engine", arguments: Arguments) -> None:
    points = arguments.number("komi")
    arguments.end()
    engine.table.set_komi(points)


@command("get_komi")
def get_komi(engine: "Engine", arguments: Arguments) -> str:
    return f"{engine.table.game.komi:g}"


@command("play")
def play(engine: "Engine", arguments: Arguments) -> None:
    color = arguments.color()
    move = arguments.vertex(engine.table.game)
    arguments.end()
    engine.table.play(color, move)


@command("undo")
def undo(engine: "Engine", arguments: Arguments) -> None:
    engine.table.undo()


@command("showboard")
def showboard(engine: "Engine", arguments: Arguments) -> str:
    table = engine.table
    to_move = "Black" if table.to_move == 0 else "White"
    return f"\n{table.game.render(table.player.state)}\n{to_move} to move, komi {table.game.komi:g}"


@command("loadsgf")
def loadsgf(engine: "Engine", arguments: Arguments) -> None:
    """A file, and the number of the move before which to stop."""
    words = [arguments.word("a file"), *arguments.rest()]
    before = Arguments([words.pop()]).whole("a move number") if len(words) > 1 and words[-1].isdecimal() else None
    try:
        record = sgf.load(Path(" ".join(words)))
    except (BadInput, OSError, ValueError) as error:
        raise Refused(f"cannot load file: {error}") from None
    engine.table.load(record, max(before - 1, 0) if before else None)
    engine.mind.new_game()


# Handicap


@command("fixed_handicap")
def fixed_handicap(engine: "Engine", arguments: Arguments) -> str:
    count = arguments.whole("a number of stones")
    arguments.end()
    game = engine.table.game
    return _place(engine, handicap.fixed_points(game.columns, game.rows, count))


@command("place_free_handicap")
def place_free_handicap(engine: "Engine", arguments: Arguments) -> str:
    """The fixed places are good ones; the specification allows fewer stones than asked for."""
    count = arguments.whole("a number of stones")
    arguments.end()
    game = engine.table.game
    if count < 2:
        raise Refused("invalid number of stones: 2 is the least")
    most = handicap.most_stones(game.columns, game.rows)
    return _place(engine, handicap.fixed_points(game.columns, game.rows, min(count, most) if most else count))


@command("set_free_handicap")
def set_free_handicap(engine: "Engine", arguments: Arguments) -> None:
    game = engine.table.game
    points = []
    while arguments:
        points.append(arguments.vertex(game))
    if len(points) < 2 or len(set(points)) < len(points) or engine.table.passing in points:
        raise Refused("bad vertex list: two or more different points are needed")
    if len(points) >= engine.table.passing:
        raise Refused("bad vertex list: one point must stay empty")
    _place(engine, points)


def _place(engine: "Engine", points: list[int]) -> str:
    engine.table.place_handicap(points)
    return _vertices(engine, points)


def _vertices(engine: "Engine", points: list[int]) -> str:
    return " ".join(engine.table.player.text(point) for point in points)


# Playing


@command("genmove")
def genmove(engine: "Engine", arguments: Arguments) -> str:
    color = arguments.color()
    arguments.end()
    return _generate(engine, color, None)


@command("reg_genmove")
def reg_genmove(engine: "Engine", arguments: Arguments) -> str:
    color = arguments.color()
    arguments.end()
    with engine.table.turn_of(color) as player:
        return str(player.text(engine.mind.choose(engine.table, color, None, may_resign=False)))


@command("kgs-genmove_cleanup")
def genmove_cleanup(engine: "Engine", arguments: Arguments) -> str:
    color = arguments.color()
    arguments.end()
    started = time.perf_counter()
    colors = engine.table.colors()
    dead = {point for point in _dead(engine, colors) if colors[point] != color}
    with engine.table.turn_of(color) as player:
        move = engine.mind.clean_up(engine.table, color, _allowed(engine, color), dead)
        engine.table.play(color, move)
    engine.clock.spend(color, time.perf_counter() - started)
    return str(player.text(move))


def _generate(engine: "Engine", color: int, reporter: Reporter | None) -> str:
    started = time.perf_counter()
    with engine.table.turn_of(color) as player:
        move = engine.mind.choose(engine.table, color, _allowed(engine, color), reporter=reporter)
        if move != RESIGN:
            engine.table.play(color, move)
    engine.clock.spend(color, time.perf_counter() - started)
    return "resign" if move == RESIGN else str(player.text(move))


def _allowed(engine: "Engine", color: int) -> float | None:
    """The seconds that the clock allows for a move."""
    return engine.clock.seconds(color, engine.table.colors().count(-1))


@command("analyze", "lz-analyze")
def analyze(engine: "Engine", arguments: Arguments) -> None:
    """Think, and say what, until there is input."""
    color, seconds = _analysis(engine, arguments)
    engine.begin()
    with engine.table.turn_of(color) as player:
        reporter = Reporter(engine.say, seconds)

        def progress(thinking: object) -> bool:
            reporter(thinking)
            return engine.inputs.waiting()

        if player.legal():
            thought = player.think(seconds=_LONGEST_ANALYSIS, progress=progress)
            reporter.tell(player)
            if thought.stopped == "interrupted":
                raise KeyboardInterrupt
        engine.inputs.wait()


@command("genmove_analyze", "lz-genmove_analyze")
def genmove_analyze(engine: "Engine", arguments: Arguments) -> str:
    color, seconds = _analysis(engine, arguments)
    engine.begin()
    return f"play {_generate(engine, color, Reporter(engine.say, seconds))}"


def _analysis(engine: "Engine", arguments: Arguments) -> tuple[int, float]:
    """Whose turn it is taken to be, and the seconds between two reports: [COLOR] [[interval] CENTISECONDS]."""
    color = arguments.color() if arguments.next_is_color() else engine.table.to_move
    words = arguments.rest()
    left = Arguments(words[1:] if words and words[0] == "interval" else words)
    seconds = left.whole("an interval") / 100 if left else 1.0
    left.end()
    if not engine.table.player.search.plays:
        raise Refused("this search has nothing to show")
    return color, max(seconds, _SHORTEST_REPORT)


# The end of the game


@command("final_score")
def final_score(engine: "Engine", arguments: Arguments) -> str:
    colors = engine.table.colors()
    return sgf.result_text(judging.margin_without(engine.table.game, colors, _dead(engine, colors)))


@command("final_status_list")
def final_status_list(engine: "Engine", arguments: Arguments) -> str:
    """The chains of a status, one a line."""
    status = arguments.word("a status")
    arguments.end()
    if status not in (judging.ALIVE, judging.SEKI, judging.DEAD):
        raise Refused("syntax error: the status is alive, seki or dead")
    found = _statuses(engine, engine.table.colors())
    return "\n".join(_vertices(engine, chain) for having, chain in found if having == status)


def _dead(engine: "Engine", colors: list[int]) -> set[int]:
    return {point for status, chain in _statuses(engine, colors) if status == judging.DEAD for point in chain}


def _statuses(engine: "Engine", colors: list[int]) -> list[tuple[str, list[int]]]:
    owners = engine.judge().owners(engine.table.player.state)
    return judging.statuses(colors, engine.table.game.columns, owners)


# Time


@command("time_settings")
def time_settings(engine: "Engine", arguments: Arguments) -> None:
    main, period, stones = _time(arguments, "main time"), _time(arguments, "byo-yomi time"), arguments.whole("stones")
    arguments.end()
    if stones < 0:
        raise Refused("syntax error: stones are 0 or more")
    unlimited = not stones and (period > 0 or main == 0)
    engine.clock = Clock(None if unlimited else Settings(main, period if stones else 0.0, stones))


@command("kgs-time_settings")
def kgs_time_settings(engine: "Engine", arguments: Arguments) -> None:
    """`none`, `absolute MAIN`, `byoyomi MAIN PERIOD PERIODS` or `canadian MAIN PERIOD STONES`."""
    kind = arguments.word("a time system")
    if kind == "none":
        settings = None
    elif kind == "absolute":
        settings = Settings(_time(arguments, "main time"))
    elif kind in ("byoyomi", "canadian"):
        main, period, number = _time(arguments, "main time"), _time(arguments, "a period"), arguments.whole("a number")
        if number < 1:
            raise Refused("syntax error: there is no period")
        settings = Settings(main, period, 1 if kind == "byoyomi" else number, kind == "byoyomi")
    else:
        raise Refused("syntax error: the time system is none, absolute, byoyomi or canadian")
    arguments.end()
    engine.clock = Clock(settings)


@command("time_left")
def time_left(engine: "Engine", arguments: Arguments) -> None:
    color, seconds, stones = arguments.color(), arguments.number("time left"), arguments.whole("stones")
    arguments.end()
    if stones < 0:
        raise Refused("syntax error: stones are 0 or more")
    engine.clock.report(color, max(seconds, 0.0), stones)


def _time(arguments: Arguments, what: str) -> float:
    seconds = arguments.number(what)
    if seconds < 0:
        raise Refused(f"syntax error: {what} is 0 seconds or more")
    return seconds
