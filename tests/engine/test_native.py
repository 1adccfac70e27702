"""Machine instructions and their portable twins lead to the same play-outs."""

import os
import subprocess
import sys

import arbora

CODE = """
import arbora
from arbora.engine import native
result = arbora.solve(arbora.SameGame(seed=1), arbora.Random(), playouts=200)
print(native.HAS_BMI2, result.score, result.moves)
"""


def test_a_processor_without_bit_extraction_plays_the_same():
    plain = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    said = subprocess.run([sys.executable, "-c", CODE], env=plain, capture_output=True, text=True, check=True).stdout
    here = arbora.solve(arbora.SameGame(seed=1), arbora.Random(), playouts=200)
    assert said.strip() == f"False {here.score} {here.moves}"


def test_features_are_those_numba_compiles_for():
    code = "from arbora.engine import native; print(native.HAS_BMI2)"
    plain = {**os.environ, "NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "-bmi2"}
    said = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False"
