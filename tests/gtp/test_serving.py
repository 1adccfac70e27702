"""The program behind pipes, as a controller starts it."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from arbora.gtp.engine import LONGEST_LINE
from arbora.gtp.serving import Lines

RANDOM = ("--search", "random", "--size", "5")  # needs no compiling


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "arbora", "gtp", *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        watch = threading.Timer(120, process.kill)  # a test must end even if the program does not
        watch.start()
        try:
            yield process
        finally:
            watch.cancel()
            process.kill()


def send(process: subprocess.Popen[bytes], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line.encode() + b"\n")
    process.stdin.flush()


def answer(process: subprocess.Popen[bytes]) -> list[str]:
    """The lines up to the next empty one."""
    assert process.stdout is not None
    lines = []
    while (line := process.stdout.readline()) not in (b"\n", b""):
        lines.append(line.decode().rstrip("\n"))
    return lines


def transcript(data: bytes, *arguments: str) -> tuple[str, str, int]:
    with started(*arguments) as process:
        out, said = process.communicate(data, timeout=120)
        return out.decode(), said.decode(), process.returncode


def test_analysis_ends_with_any_input():
    with started("--search", "uct", "--size", "5", "--playouts", "200") as process:
        send(process, "1 analyze b 10")
        assert process.stdout is not None
        assert process.stdout.readline() == b"=1\n"
        assert process.stdout.readline().startswith(b"info move ")
        send(process, "")
        infos = answer(process)
        send(process, "2 name")
        assert answer(process) == ["=2 Arbora"]
        for line in infos:
            parts = line.split("info move ")[1:]
            orders = [part.split(" order ")[1].split()[0] for part in parts]
            assert orders == [str(number) for number in range(len(parts))]
            for part in parts:
                point, visits, count, winrate, rate, order, _, pv, first = part.split()[:9]
                assert (visits, winrate, order, pv, first) == ("visits", "winrate", "order", "pv", point)
                assert int(count) > 0
                assert 0 <= int(rate) <= 10_000
        send(process, "lz-analyze interval 10")
        send(process, "3 genmove_analyze w 10")
        answer(process)
        head, *infos, last = answer(process)
        assert head == "=3"
        assert infos
        assert all(line.startswith("info move ") for line in infos)
        assert last.startswith("play ")
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_answers_alone_are_on_stdout(tmp_path):
    log = tmp_path / "games.log"
    data = b"\n# hello\n1 name\r\n\xff\xfe\n2 boardsize 1e9\n3 quit\n4 name\n"
    out, said, code = transcript(data, *RANDOM, "--log", str(log))
    told = "syntax error: '1e9' is no whole number, as a board size is"
    assert out == f"=1 Arbora\n\n? unknown command\n\n?2 {told}\n\n=3\n\n"
    assert (said, code) == ("arbora: ready: random on 5×5\n", 0)
    kept = log.read_text().splitlines()
    assert kept[:6] == ["# ready: random on 5×5", "< ", "< # hello", "< 1 name\\r", "> =1 Arbora", "> "]


def test_the_last_line_needs_no_end():
    assert transcript(b"name", *RANDOM)[0] == "= Arbora\n\n"


def test_a_line_without_end_is_refused_once():
    out, _, code = transcript(b"1 " + b"x" * 3_000_000 + b"\n2 name\n", *RANDOM)
    assert out == f"?1 syntax error: the line is longer than {LONGEST_LINE:,} bytes\n\n=2 Arbora\n\n"
    assert code == 0


def test_a_controller_that_goes_away():
    with started(*RANDOM) as process:
        send(process, "name")
        assert answer(process) == ["= Arbora"]
        assert process.stdout is not None
        process.stdout.close()
        send(process, "name")
        assert process.wait(timeout=60) == 0
        assert process.stderr is not None
        assert process.stderr.read().decode() == "arbora: ready: random on 5×5\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it(number):
    with started(*RANDOM) as process:
        send(process, "name")
        assert answer(process) == ["= Arbora"]
        process.send_signal(number)
        assert process.wait(timeout=60) == 130
        assert process.stderr is not None
        assert process.stderr.read().decode() == "arbora: ready: random on 5×5\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_while_it_thinks(number):
    with started("--search", "uct", "--size", "5") as process:
        send(process, "analyze b 10")
        assert process.stdout is not None
        assert process.stdout.readline() == b"=\n"
        assert process.stdout.readline().startswith(b"info move ")
        process.send_signal(number)
        assert process.wait(timeout=60) == 130
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--search", "nrpa"), "NRPA does not play games; take one such as arbora.UCT() or arbora.MCRAVE()"),
        (("--size", "25"), "Go: size=25 is not allowed; size takes a whole number from 1 to 19"),
        (("--seconds", "0"), "seconds=0.0 is not a budget; give a number above 0"),
        (("--log", "no/such/folder.log"), "no/such/folder.log: cannot write the log: No such file or directory"),
    ],
)
def test_bad_options_in_one_line(arguments, told):
    out, said, code = transcript(b"", *arguments)
    assert (out, said, code) == ("", f"arbora: {told}\n", 2)


def test_lines_wait_for_each_other():
    read, write = os.pipe()
    lines = Lines(read)
    assert not lines.waiting()
    os.write(write, b"one\ntw")
    lines.wait()
    assert lines.next() == b"one"
    assert not lines.waiting()
    os.write(write, b"o\nthree")
    os.close(write)
    assert [lines.next(), lines.next(), lines.next()] == [b"two", b"three", None]
    os.close(read)
