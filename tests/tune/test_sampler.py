"""The sampler for Optuna: its conformance suite, resuming, and tunings that are mirrored in a study."""

import importlib
import sys

import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.storages import InMemoryStorage, JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.testing.pytest_samplers import BasicSamplerTestCase, RelativeSamplerTestCase, SingleOnlySamplerTestCase
from optuna.trial import TrialState, create_trial

from arbora.errors import BadInput
from arbora.tune.cem import tune
from arbora.tune.sampler import CrossEntropySampler, record
from arbora.tune.space import Choice, Range

SAMPLES, ELITE = 10, 3


@pytest.fixture(autouse=True)
def _quiet():
    level = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    yield
    optuna.logging.set_verbosity(level)


@pytest.fixture(params=["memory", "sqlite", "journal"])
def storage(request, tmp_path):
    """A function that opens one and the same storage, each time as a new process would where that is possible."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path}/study.db"
    if request.param == "journal":
        return lambda: JournalStorage(JournalFileBackend(str(tmp_path / "journal.log")))
    memory = InMemoryStorage()
    return lambda: memory


class TestOptunasOwnSuite(BasicSamplerTestCase, RelativeSamplerTestCase, SingleOnlySamplerTestCase):
    @pytest.fixture
    def sampler(self):
        return lambda: CrossEntropySampler(samples=4, elite=2)


def objective(trial):
    """Best, 0, at x=3, log=1, step=0.5, whole=6, count=100, kind=None."""
    x = trial.suggest_float("x", 0, 10)
    log = trial.suggest_float("log", 0.01, 100, log=True)
    step = trial.suggest_float("step", 0, 1, step=0.25)
    whole = trial.suggest_int("whole", 0, 20, step=2)
    count = trial.suggest_int("count", 1, 1000, log=True)
    kind = trial.suggest_categorical("kind", [None, True, "text", 3])
    distance = (x - 3) ** 2 + (step - 0.5) ** 2 + abs(whole - 6) / 4 + abs(count - 100) / 500
    return distance + abs(log - 1) / (log + 1) + (0 if kind is None else 2)


def study_of(storage, direction="minimize", seed=5):
    sampler = CrossEntropySampler(SAMPLES, ELITE, seed=seed)
    return optuna.create_study(storage=storage, sampler=sampler, study_name="s", direction=direction, load_if_exists=True)


def params_of(study):
    return [trial.params for trial in study.trials]


def test_a_study_that_is_stopped_goes_on_as_if_it_were_not(storage):
    whole = study_of(None)
    whole.optimize(objective, n_trials=24)
    for _ in range(3):  # stops within iterations of ten
        study_of(storage()).optimize(objective, n_trials=8)
    assert params_of(study_of(storage())) == params_of(whole)


def test_the_direction_of_the_study_counts():
    down, up = study_of(None, "minimize"), study_of(None, "maximize")
    down.optimize(objective, n_trials=40)
    up.optimize(lambda trial: -objective(trial), n_trials=40)
    assert params_of(down) == params_of(up)


def test_the_optimum_is_found():
    study = optuna.create_study(sampler=CrossEntropySampler(samples=60, elite=8, smoothing=0.8, seed=2))
    study.optimize(objective, n_trials=720)
    last = [trial.params for trial in study.trials[-60:]]
    assert sum(params["x"] for params in last) / 60 == pytest.approx(3, abs=0.3)
    assert sum(params["kind"] is None for params in last) > 45
    assert study.best_value < 0.3


def test_trials_are_drawn_from_what_the_elite_was():
    study = study_of(None, "maximize")
    distributions = {"x": FloatDistribution(0, 10), "n": IntDistribution(0, 9), "kind": CategoricalDistribution(["a", "b"])}
    for number in range(SAMPLES):
        best = number < ELITE
        params = {"x": 7.0 if best else 1.0, "n": 4 if best else 9, "kind": "b" if best else "a"}
        study.add_trial(create_trial(params=params, distributions=distributions, value=1.0 if best else 0.0))
    drawn = [study.ask(distributions).params for _ in range(40)]
    assert {params["x"] for params in drawn} == {7.0}
    assert {params["n"] for params in drawn} <= {3, 4, 5}
    assert sum(params["kind"] == "b" for params in drawn) > 25


def test_failed_and_pruned_trials_do_not_count():
    distributions = {"x": FloatDistribution(0, 10)}
    clean, spoilt = study_of(None, "maximize"), study_of(None, "maximize")
    for number in range(SAMPLES):
        trial = create_trial(params={"x": float(number)}, distributions=distributions, value=float(number))
        clean.add_trial(trial)
        spoilt.add_trial(trial)
        spoilt.add_trial(create_trial(state=TrialState.FAIL, params={"x": 0.5}, distributions=distributions))
        spoilt.add_trial(create_trial(state=TrialState.PRUNED, params={"x": 0.5}, distributions=distributions, value=99.0))
    trial = spoilt.trials[-1]
    drawn = [study.sampler.sample_relative(study, trial, distributions) for study in (clean, spoilt)]
    assert drawn[0] == drawn[1]
    assert 5 < drawn[0]["x"] < 10


def test_unfinished_trials_are_no_obstacle():
    study = study_of(None)
    waiting = [study.ask() for _ in range(25)]
    assert len({objective(trial) for trial in waiting}) == 25
    for trial in waiting:
        study.tell(trial, trial.params["x"])
    study.optimize(objective, n_trials=1)
    assert study.trials[-1].state == TrialState.COMPLETE


def test_parameters_that_only_some_trials_have_are_focused_too():
    def conditional(trial):
        if trial.suggest_categorical("kind", ["a", "b"]) == "a":
            return trial.suggest_float("only_a", 0, 10)
        return trial.suggest_float("only_b", 0, 1)

    study = optuna.create_study(sampler=CrossEntropySampler(20, 5, seed=1), direction="maximize")
    study.optimize(conditional, n_trials=120)
    late = [trial.params["only_a"] for trial in study.trials[-20:] if "only_a" in trial.params]
    assert len(late) > 10
    assert min(late) > 8


def test_several_threads_share_a_study():
    study = study_of(None)
    study.optimize(objective, n_trials=30, n_jobs=3)
    assert len({tuple(params.values()) for params in params_of(study)}) == 30


def test_several_objectives_are_refused():
    study = optuna.create_study(directions=["minimize", "maximize"], sampler=CrossEntropySampler())
    with pytest.raises(BadInput, match="CrossEntropySampler takes studies of one objective, not of 2"):
        study.optimize(lambda trial: (trial.suggest_float("x", 0, 1), 0), n_trials=1)


def test_settings_are_checked():
    with pytest.raises(BadInput, match="elite=20 is not allowed; elite takes a whole number from 1 to samples, which is 10"):
        CrossEntropySampler(samples=10, elite=20)


def test_optuna_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    for module in ("sampler", "cem"):
        monkeypatch.delitem(sys.modules, f"arbora.tune.{module}")
    assert importlib.import_module("arbora.tune.cem").tune is not tune
    with pytest.raises(BadInput, match=r"^optuna is not installed; pip install 'arbora\[tune\]'$"):
        importlib.import_module("arbora.tune.sampler")


SPACE = {
    "exploration": Range(0, 10),
    "deviation": Range(1, 1000, log=True),
    "threshold": Range(0, 30, whole=True),
    "nodes": Range(10, 1000, log=True, whole=True),
    "policy": Choice(("tabu-color", "uniform")),
}


def tuning(seed=1):
    def evaluate(iteration, candidates):
        return [-candidate["exploration"] - candidate["threshold"] for candidate in candidates]

    return tune(SPACE, evaluate, samples=6, elite=2, iterations=2, seed=seed)


def test_a_tuning_is_recorded_once(storage):
    first, second = tuning().iterations
    assert record(first, SPACE, storage(), "tuned") == 6
    assert record(first, SPACE, storage(), "tuned") == 0
    assert record(second, SPACE, storage(), "tuned") == 6
    assert [record(iteration, SPACE, storage(), "tuned") for iteration in (first, second)] == [0, 0]
    study = optuna.load_study(storage=storage(), study_name="tuned")
    samples = [*first.samples, *second.samples]
    assert [trial.params for trial in study.trials] == [sample.values for sample in samples]
    assert [trial.value for trial in study.trials] == [sample.fitness for sample in samples]
    assert [(t.user_attrs["iteration"], t.user_attrs["sample"]) for t in study.trials] == [
        (iteration, sample) for iteration in (1, 2) for sample in range(1, 7)
    ]
    assert {i for i, t in enumerate(study.trials[:6]) if t.user_attrs["elite"]} == set(first.elite)
    assert study.best_value == max(sample.fitness for sample in samples)


def test_a_recording_that_was_cut_off_is_completed(storage):
    first, _ = tuning().iterations
    record(first, SPACE, storage(), "tuned")
    kept = optuna.load_study(storage=storage(), study_name="tuned").trials[:4]
    part = optuna.create_study(storage=storage(), study_name="part", direction="maximize")
    part.add_trials(kept)
    assert record(first, SPACE, storage(), "part") == 2


def test_recording_is_silent(capfd):
    optuna.logging.set_verbosity(optuna.logging.INFO)
    record(tuning().iterations[0], SPACE, InMemoryStorage(), "tuned")
    assert optuna.logging.get_verbosity() == optuna.logging.INFO
    assert capfd.readouterr() == ("", "")


def test_another_tuning_in_the_study_is_told():
    memory = InMemoryStorage()
    record(tuning(seed=1).iterations[0], SPACE, memory, "tuned")
    with pytest.raises(BadInput, match="study 'tuned' holds another tuning; give this one another name"):
        record(tuning(seed=2).iterations[0], SPACE, memory, "tuned")


def test_a_study_that_minimizes_is_told():
    memory = InMemoryStorage()
    optuna.create_study(storage=memory, study_name="down")
    with pytest.raises(BadInput, match="study 'down' does not maximize one objective"):
        record(tuning().iterations[0], SPACE, memory, "down")


@pytest.mark.parametrize(
    ("url", "reason"), [("sqlite:////no/such/folder/x.db", "unable to open database file"), ("nonsense", "parse")]
)
def test_a_storage_that_cannot_be_opened(url, reason):
    with pytest.raises(BadInput) as error:
        record(tuning().iterations[0], SPACE, url, "tuned")
    assert str(error.value).startswith("cannot open study 'tuned': ")
    assert reason in str(error.value)
    assert "\n" not in str(error.value)
