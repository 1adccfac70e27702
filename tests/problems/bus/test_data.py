"""Bus lines as files: written, read again, and what is said about files that are no bus line."""

from pathlib import Path

import numpy as np
import pytest

from arbora import Bus
from arbora.cli.main import main
from arbora.errors import BadInput
from arbora.problems.bus.data import c_random, random_line, read_line, write_line
from arbora.spec import parse_problem, spec_of

HEADER = "minute,stop,passengers,travel,incident"


@pytest.fixture(scope="module")
def reference(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("lines") / "reference.csv"
    Bus().save(file)
    return file


def test_numbers_of_the_c_library():
    assert c_random(1, 3) == [1804289383, 846930886, 1681692777]
    assert c_random(42, 3) == [71876166, 708592740, 1483128881]


def test_a_line_comes_back_as_it_was_written(reference, tmp_path):
    line = read_line(str(reference))
    assert np.array_equal(line[:, 1:], random_line(1)[:, 1:])
    Bus(line=line).save(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text() == reference.read_text()
    lines = reference.read_text().splitlines()
    assert lines[0] == HEADER
    assert len(lines) == 1 + 500 * 70
    assert lines[1] == f"0,1,{random_line(1)[0, 1, 0]},{random_line(1)[0, 1, 1]},{random_line(1)[0, 1, 2]}"


def test_a_spec_with_a_file_is_the_line_of_that_file(reference):
    problem = parse_problem(f"bus:{reference},delta=3,model=clean")
    assert (problem.delta, problem.model) == (3, "clean")
    assert np.array_equal(problem.trip[:, 1:], Bus().trip[:, 1:])
    assert spec_of(problem).startswith("Bus(model='clean', delta=3")  # no spec without the file says the same
    assert spec_of(Bus(delta=3)) == "bus,delta=3"
    assert spec_of(parse_problem("bus,seed=7,max_wait=3")) == "bus,max_wait=3,seed=7"


def test_order_comments_and_blank_lines_are_free(reference, tmp_path):
    header, *rows = reference.read_text().splitlines()
    file = tmp_path / "free.csv"
    file.write_text("\n".join(["# a line", "", header, *reversed(rows[:-1]), f" {rows[-1].replace(',', ' , ')}  # last"]))
    assert np.array_equal(read_line(str(file)), read_line(str(reference)))


def changed(file: Path, number: int, text: str) -> str:
    """The content of a file with one line, counted from 1, replaced."""
    lines = file.read_text().splitlines()
    lines[number - 1] = text
    return "\n".join(lines)


FAULTS = {
    "empty": (None, "", ": minute 0, stop 1 is missing; a bus line has minutes 0 to 499 and stops 1 to 70"),
    "no header": (1, "0,1,2,3,4", f", line 1: the first line must name the columns: {HEADER}"),
    "too few columns": (7, "0,6,2,2", f", line 7: 4 columns, not 5: {HEADER}"),
    "too many columns": (7, "0,6,2,2,0,0", f", line 7: 6 columns, not 5: {HEADER}"),
    "not a number": (
        7,
        "0,6,x,2,0",
        ", line 7: passengers 'x' is not allowed; passengers takes a whole number from 0 to 1,000",
    ),
    "no number": (7, "0,6,,2,0", ", line 7: passengers '' is not allowed; passengers takes a whole number from 0 to 1,000"),
    "a fraction": (7, "0,6,1,2.5,0", ", line 7: travel '2.5' is not allowed; travel takes a whole number from 1 to 1,000"),
    "negative": (7, "0,6,1,2,-5", ", line 7: incident '-5' is not allowed; incident takes a whole number from 0 to 1,000"),
    "too much": (7, "0,6,1001,2,0", ", line 7: passengers '1001' is not allowed; passengers takes a whole number from 0 to"),
    "huge": (7, f"0,6,{'9' * 5000},2,0", ", line 7: passengers '999"),
    "no time": (7, "0,6,1,0,0", ", line 7: travel '0' is not allowed; travel takes a whole number from 1 to 1,000"),
    "no such minute": (7, "500,6,1,2,0", ", line 7: minute '500' is not allowed; minute takes a whole number from 0 to 499"),
    "no such stop": (7, "0,71,1,2,0", ", line 7: stop '71' is not allowed; stop takes a whole number from 1 to 70"),
    "twice": (7, "0,5,1,2,0", ", line 7: minute 0, stop 5 is given twice"),
    "a gap": (7, "", ": minute 0, stop 6 is missing; a bus line has minutes 0 to 499 and stops 1 to 70"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_broken_files_on_the_command_line(capsys, reference, tmp_path, fault):
    number, text, told = FAULTS[fault]
    file = tmp_path / "line.csv"
    file.write_text("" if number is None else changed(reference, number, text))
    assert main(["solve", f"bus:{file}", "--playouts", "1"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"arbora: {file}{told}")
    assert said.err.count("\n") == 1


def test_a_truncated_file(reference, tmp_path):
    file = tmp_path / "short.csv"
    file.write_text("\n".join(reference.read_text().splitlines()[:20_001]))
    with pytest.raises(BadInput, match="minute 285, stop 51 is missing"):
        read_line(str(file))
    file.write_text(reference.read_text()[:-3])
    with pytest.raises(BadInput, match=f"line {1 + 500 * 70}: 4 columns, not 5"):
        read_line(str(file))


def test_files_that_cannot_be_read(tmp_path):
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    for file, reason in [
        (tmp_path / "missing.csv", "No such file or directory"),
        (tmp_path, "Is a directory"),
        (binary, "not a text file"),
    ]:
        with pytest.raises(BadInput) as error:
            read_line(str(file))
        assert str(error.value) == f"{file}: cannot read the bus line: {reason}"


def test_bad_parameters_on_the_command_line(capsys):
    for spec, told in [
        ("bus,delta=99", "Bus: delta=99 is not allowed; delta takes a whole number from 0 to 70"),
        ("bus,max_wait=0", "Bus: max_wait=0 is not allowed; max_wait takes a whole number from 1 to 10"),
        ("bus,line=x", "bus has no parameter 'line'; known: delta, max_wait, model, seed"),
    ]:
        assert main(["solve", spec, "--playouts", "1"]) == 2
        assert capsys.readouterr().err.startswith(f"arbora: {told}")


def test_a_written_line_may_be_any_array(tmp_path):
    line = np.ones((500, 71, 3), np.int64)
    write_line(line, tmp_path / "ones.csv")
    assert np.array_equal(read_line(str(tmp_path / "ones.csv"))[:, 1:], line[:, 1:])
