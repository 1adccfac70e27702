"""Component classes: parameters, their conversion and checking, and what a named tuple gives for free."""

import pickle

import numpy as np
import pytest
from small_problems import Walk

import arbora
from arbora.component import derived, fill, is_component, make_component, nearest, param
from arbora.errors import BadInput, ProblemError


@make_component
class Recipe:
    """Some parameters of every kind."""

    cups: int = 2
    heat: float = param("how hot", default=180.0, low=0, high=250)
    rise: bool = False
    grain: str = param("the flour", default="rye", choices=("rye", "spelt", "wheat"))
    steps: np.ndarray = param("minutes of each step", default=None)
    count: int = param("loaves", default=1, low=1)
    total: int = derived(init=False)

    def prepare(self):
        return fill(self, total=self.cups * self.count)


@make_component
class Needy:
    size: int = param("must be given")
    most: int = param("at most ten", default=3, high=10)


def test_defaults_hold_where_nothing_is_given():
    recipe = Recipe()
    assert recipe[:6] == (2, 180.0, False, "rye", None, 1)
    assert (recipe.cups, recipe.count) == (2, 1)


def test_values_are_given_by_place_or_name():
    recipe = Recipe(3, 200, count=4)
    assert (recipe.cups, recipe.heat, recipe.count) == (3, 200.0, 4)


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [
        ("heat", 100, 100.0),
        ("heat", np.float32(0.5), 0.5),
        ("cups", np.int16(7), 7),
        ("cups", 7.0, 7),
        ("rise", np.True_, True),
        ("grain", "wheat", "wheat"),
    ],
)
def test_values_take_the_type_of_their_annotation(name, given, kept):
    value = getattr(Recipe(**{name: given}), name)
    assert value == kept
    assert type(value) is type(kept)


@pytest.mark.parametrize("given", [[1, 2, 3], (1, 2, 3)])
def test_lists_become_arrays(given):
    steps = Recipe(steps=given).steps
    assert isinstance(steps, np.ndarray)
    assert steps.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cups": 2.5}, "Recipe: cups=2.5 is not allowed; cups takes a whole number"),
        ({"cups": "two"}, "Recipe: cups='two' is not allowed; cups takes a whole number"),
        ({"cups": True}, "Recipe: cups=True is not allowed; cups takes a whole number"),
        ({"cups": None}, "Recipe: cups=None is not allowed; cups takes a whole number"),
        ({"cups": float("inf")}, "Recipe: cups=inf is not allowed; cups takes a whole number"),
        ({"heat": "hot"}, "Recipe: heat='hot' is not allowed; heat takes a number from 0 to 250"),
        ({"heat": float("nan")}, "Recipe: heat=nan is not allowed; heat takes a number from 0 to 250"),
        ({"heat": -0.5}, "Recipe: heat=-0.5 is not allowed; heat takes a number from 0 to 250"),
        ({"heat": 251}, "Recipe: heat=251.0 is not allowed; heat takes a number from 0 to 250"),
        ({"rise": 1}, "Recipe: rise=1 is not allowed; rise takes true or false"),
        ({"grain": "oat"}, "Recipe: grain='oat' is not allowed; grain takes rye, spelt, wheat"),
        ({"count": 0}, "Recipe: count=0 is not allowed; count takes a whole number of 1 or more"),
    ],
)
def test_bad_values_are_told_in_one_line_with_what_is_allowed(values, message):
    with pytest.raises(BadInput) as caught:
        Recipe(**values)
    assert str(caught.value) == message


def test_upper_bound_alone_is_told():
    with pytest.raises(BadInput, match="most takes a whole number of 10 or less"):
        Needy(1, most=11)


def test_unknown_parameter_names_the_nearest():
    with pytest.raises(BadInput) as caught:
        Recipe(graim="rye")
    assert str(caught.value) == (
        "Recipe has no parameter 'graim'; did you mean 'grain'? known: count, cups, grain, heat, rise, steps"
    )


def test_derived_fields_cannot_be_given():
    with pytest.raises(BadInput, match="Recipe has no parameter 'total'"):
        Recipe(total=3)


def test_too_many_values_are_told():
    with pytest.raises(BadInput, match="Needy takes at most 2 parameters, not 3"):
        Needy(1, 2, 3)


def test_missing_value_is_told():
    with pytest.raises(BadInput, match="Needy needs a value for 'size'"):
        Needy()


def test_prepare_fills_derived_fields():
    assert Recipe(cups=3, count=4).total == 12


def test_replace_changes_some_parameters_and_derives_again():
    changed = Recipe(cups=3, count=4, steps=[1, 2]).replace(count=5)
    assert (changed.cups, changed.count, changed.total, changed.steps.tolist()) == (3, 5, 15, [1, 2])


def test_replace_checks_like_the_class_itself():
    with pytest.raises(BadInput, match="count=0 is not allowed"):
        Recipe().replace(count=0)
    with pytest.raises(BadInput, match="did you mean 'count'"):
        Recipe().replace(cont=1)


def test_pickling_keeps_class_and_values():
    recipe = Recipe(cups=5, grain="spelt", steps=[4, 5])
    again = pickle.loads(pickle.dumps(recipe))
    assert type(again) is Recipe
    assert again[:4] == recipe[:4]
    assert again.steps.tolist() == [4, 5]
    assert again.total == recipe.total


def test_problems_and_searches_pickle():
    search = arbora.MCTS(exploration=1.5, policy=arbora.TabuColor(epsilon=0.25))
    assert pickle.loads(pickle.dumps(search)) == search
    assert pickle.loads(pickle.dumps(Walk(steps=3))) == Walk(steps=3)


def test_repr_shows_what_would_make_it_again():
    assert repr(Recipe(cups=3)) == "Recipe(cups=3, heat=180.0, rise=False, grain='rye', steps=None, count=1)"
    assert eval(repr(Recipe(cups=3))) == Recipe(cups=3)


def test_class_without_parameters_takes_none():
    @make_component
    class Bare:
        """Nothing to set."""

    assert is_component(Bare())
    assert repr(Bare()) == "Bare()"
    with pytest.raises(BadInput, match="Bare has no parameter 'x'; there are none"):
        Bare(x=1)


def test_components_of_different_classes_are_never_equal():
    assert arbora.Uniform() == arbora.Uniform()
    assert arbora.Uniform() != arbora.Roulette()
    assert arbora.MCTS(policy=arbora.Uniform()) != arbora.MCTS(policy=arbora.Roulette())
    assert Walk(steps=3) != (3,)


def test_components_cannot_be_changed():
    with pytest.raises(AttributeError):
        Recipe().cups = 3


def test_parameters_named_with_an_underscore_are_refused():
    with pytest.raises(ProblemError, match=r"class Hidden \(.*test_component\.py:\d+\): parameter _secret must not start"):

        @make_component
        class Hidden:
            _secret: int = 1


def test_annotations_may_be_strings():
    @make_component
    class Late:
        size: "int" = 1

    with pytest.raises(BadInput, match="size takes a whole number"):
        Late(size=1.5)


def test_nearest_is_silent_about_names_that_resemble_nothing():
    assert nearest("zzz", ["nrpa", "mcts"]) == "known: mcts, nrpa"
    assert nearest("nrap", ["nrpa", "mcts"]) == "did you mean 'nrpa'? known: mcts, nrpa"
