"""The language of story worlds: conditions and effects, in the grammar of Python's expressions.

    not dead(who) and at(who) == at(whom)              facts, and comparisons of their values
    police(who) and who != whom                        types and objects
    any(angry(c, who) for c in character if c != who)  and `all`
    count(dead(c) for c in character) >= 2             in goals only; and times(kill) >= 1, how often an action has happened

    dead(whom)      not angry(a, b)      at(who) = where      angry(c, who) for c in character if at(c) == where

Texts become trees (`conditions`), with all names and types checked.
"""

import ast
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from arbora.component import nearest
from arbora.problems.story.conditions import (
    ALWAYS,
    MANY,
    And,
    Change,
    Condition,
    Constant,
    Count,
    Each,
    Effect,
    Fact,
    FactKind,
    IsA,
    Loop,
    Not,
    Or,
    Same,
    SameValue,
    Times,
    Value,
    Vocabulary,
)

_LONE_EQUALS = re.compile(r"(?<![=!<>])=(?!=)")
_DEEPEST = 50
_LONGEST = 10_000
_HIGHEST = 1_000_000


class Wrong(Exception):
    """What is wrong with a text; whoever knows file and line tells the user."""


@dataclass(frozen=True)
class Scope:
    """A vocabulary, and the variables that are bound, with their types."""

    words: Vocabulary
    variables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: bool = False  # may `count` and `times` be used?

    def with_variable(self, name: str, types: tuple[str, ...]) -> "Scope":
        return replace(self, variables={**self.variables, name: types})


def parse_condition(text: str, scope: Scope) -> Condition:
    """The condition that a text says. Raises Wrong."""
    if _LONE_EQUALS.search(text):
        raise Wrong(f"{shortened(text)!r}: write == to compare")
    return _condition(_tree(text, text), scope)


def parse_effect(text: str, scope: Scope) -> Effect:
    """The effect that a text says. Raises Wrong."""
    assigns = _LONE_EQUALS.search(text)
    if assigns and re.search(r"\bfor\b", text[: assigns.start()]):
        raise Wrong(f"{shortened(text)!r}: write == to compare")
    tree = _tree(f"({_LONE_EQUALS.sub('==', text, count=1)})", text)
    loops: tuple[Loop, ...] = ()
    if isinstance(tree, ast.GeneratorExp):
        loops, scope = _loops(tree.generators, scope)
        tree = tree.elt
    if assigns and not isinstance(tree, ast.Compare):
        raise Wrong(f"{shortened(text)!r}: '=' gives a value to a fact, as in at(who) = where")
    if isinstance(tree, ast.Compare) and not assigns:
        raise Wrong(f"{shortened(text)!r}: write = to give a value, as in at(who) = where")
    return Effect(loops, ALWAYS, _change(tree, scope))


def parse_kind(text: str, types: Mapping[str, str]) -> FactKind:
    """The kind of fact that a line of `facts` declares. Raises Wrong."""
    tree = _tree(_LONE_EQUALS.sub("==", text, count=1), text)
    values: tuple[str, ...] = ()
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        values = _types(tree.comparators[0], types)
        tree = tree.left
    if isinstance(tree, ast.Name):  # a fact about the world as a whole
        return FactKind(tree.id, (), values)
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
        raise Wrong(f"{shortened(text)!r}: a fact is name(type, …) or name(type, …) = type")
    return FactKind(tree.func.id, tuple(_types(argument, types) for argument in tree.args), values)


def shortened(text: str) -> str:
    """A text short enough for a message."""
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:77] + "…"


def _tree(code: str, text: str) -> ast.expr:
    """The expression that the code says, which was made from the user's text."""
    if len(text) > _LONGEST:
        raise Wrong(f"{shortened(text)!r} is longer than {_LONGEST:,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on things that are refused anyway
            tree = ast.parse(" ".join(code.split()), mode="eval").body
        _check_depth(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = f" ({shortened(error.msg)})" if isinstance(error, SyntaxError) else ""
        raise Wrong(f"{shortened(text)!r} is not a condition or effect{reason}") from None
    return tree


def _check_depth(tree: ast.AST) -> None:
    """Trees are walked by recursion."""
    layer: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        layer = [child for node in layer for child in ast.iter_child_nodes(node)]
        if not layer:
            return
    raise ValueError


def _condition(tree: ast.expr, scope: Scope) -> Condition:
    match tree:
        case ast.BoolOp(op=ast.And(), values=values):
            return And(tuple(_condition(value, scope) for value in values))
        case ast.BoolOp(op=ast.Or(), values=values):
            return Or(tuple(_condition(value, replace(scope, counts=False)) for value in values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Not(_condition(operand, replace(scope, counts=False)))
        case ast.Name(id="true" | "True"):
            return Constant(True)
        case ast.Name(id="false" | "False") | ast.Constant(value=False):
            return Constant(False)
        case ast.Constant(value=True):
            return Constant(True)
        case ast.Call(func=ast.Name(id="any" | "all" as name), args=[ast.GeneratorExp() as inner], keywords=[]):
            loops, within = _loops(inner.generators, replace(scope, counts=False))
            return Each(name == "all", loops, _condition(inner.elt, within))
        case ast.Call(func=ast.Name(id="any" | "all" | "count" as name)) if name not in scope.words.facts:
            raise Wrong(f"{_text(tree)!r}: write {name}(… for c in TYPE if …)" + (" >= 2" if name == "count" else ""))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in scope.words.types:
            return IsA(name, _term(argument, scope)[0])
        case ast.Call() | ast.Name():
            fact = _fact(tree, scope)
            if scope.words.facts[fact.kind].values:
                raise Wrong(f"{_text(tree)!r} has a value, which must be compared: {_text(tree)} == …")
            return fact
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _comparison(left, op, right, scope)
    raise Wrong(f"{_text(tree)!r} is not a condition; conditions are facts, comparisons, and, or, not, any, all")


def _comparison(left: ast.expr, op: ast.cmpop, right: ast.expr, scope: Scope) -> Condition:
    if _is_counted(left):
        return _count(left, op, right, scope)
    if _is_counted(right):
        raise Wrong(f"{_text(right)!r}: the number stands on the right, as in times(kill) >= 2")
    text = f"{_text(left)} … {_text(right)}"
    if not isinstance(op, (ast.Eq, ast.NotEq)):
        raise Wrong(f"{text!r}: only count(…) and times(…) are compared by size; others by == and !=")
    if _is_fact(right, scope) and not _is_fact(left, scope):
        left, right = right, left
    first, second = _either(left, scope), _either(right, scope)
    if not set(scope.words.things_of(first[1])) & set(scope.words.things_of(second[1])):
        raise Wrong(f"{text!r} are never the same: {_listed(first[1])} against {_listed(second[1])}")
    made: Condition
    match first[0], second[0]:
        case Fact() as a, Fact() as b:
            made = SameValue(a, b)
        case Fact() as a, str() as value:
            made = Value(a, value)
        case str() as a, str() as b:
            made = Same(a, b)
    return made if isinstance(op, ast.Eq) else Not(made)


def _is_counted(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in ("count", "times")


def _count(left: ast.expr, op: ast.cmpop, right: ast.expr, scope: Scope) -> Condition:
    assert isinstance(left, ast.Call)
    assert isinstance(left.func, ast.Name)
    if not scope.counts:
        raise Wrong(f"{_text(left)!r}: {left.func.id} is for goals and never, where it may be joined by `and` only")
    if not isinstance(right, ast.Constant) or type(right.value) is not int or right.value > _HIGHEST:
        raise Wrong(f"{_text(left)!r} must be compared with a whole number from 0 to {_HIGHEST:,}, not {_text(right)!r}")
    low, high = _limits(op, right.value, _text(left))
    if left.func.id == "times":
        if len(left.args) != 1 or not isinstance(left.args[0], ast.Name) or left.keywords:
            raise Wrong(f"{_text(left)!r}: times takes the name of an action")
        name = left.args[0].id
        if name not in scope.words.actions:
            raise Wrong(f"{_text(left)!r}: unknown action {name!r}; {nearest(name, list(scope.words.actions))}")
        return Times(name, low, high)
    if len(left.args) != 1 or not isinstance(left.args[0], ast.GeneratorExp):
        raise Wrong(f"{_text(left)!r}: write count(… for c in TYPE if …)")
    loops, within = _loops(left.args[0].generators, replace(scope, counts=False))
    return Count(loops, _condition(left.args[0].elt, within), low, high)


def _limits(op: ast.cmpop, number: int, text: str) -> tuple[int, int]:
    match op:
        case ast.GtE():
            return number, MANY
        case ast.Gt():
            return number + 1, MANY
        case ast.Eq():
            return number, number
        case ast.LtE():
            return 0, number
        case ast.Lt():
            return 0, number - 1
    raise Wrong(f"{text!r}: compare a number by >=, >, ==, <= or <")


def _loops(generators: list[ast.comprehension], scope: Scope) -> tuple[tuple[Loop, ...], Scope]:
    loops = []
    for each in generators:
        if not isinstance(each.target, ast.Name) or each.is_async:
            raise Wrong(f"{_text(each.target)!r}: a loop has one variable, as in `for c in character`")
        name, types = each.target.id, _types(each.iter, scope.words.types)
        if name in scope.variables or name in scope.words.things or name in scope.words.facts:
            raise Wrong(f"variable {name!r} is the name of something else already")
        scope = scope.with_variable(name, types)
        conditions = tuple(_condition(test, scope) for test in each.ifs)
        loops.append(Loop(name, types, And(conditions) if conditions else ALWAYS))
    return tuple(loops), scope


def _change(tree: ast.expr, scope: Scope) -> Change:
    match tree:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Change(_true_or_false(operand, scope), False)
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            fact = _fact(left, scope)
            allowed = scope.words.facts[fact.kind].values
            if not allowed:
                raise Wrong(f"{_text(left)!r} is true or false: write {_text(left)} or not {_text(left)}")
            value, types = _either(right, scope)
            _require_types(_text(right), types, allowed, f"{fact.kind} takes", scope)
            return Change(fact, value)
    return Change(_true_or_false(tree, scope), True)


def _true_or_false(tree: ast.expr, scope: Scope) -> Fact:
    fact = _fact(tree, scope)
    if scope.words.facts[fact.kind].values:
        raise Wrong(f"{_text(tree)!r} has a value: write {_text(tree)} = …")
    return fact


def _is_fact(tree: ast.expr, scope: Scope) -> bool:
    return isinstance(tree, ast.Call) or (isinstance(tree, ast.Name) and tree.id in scope.words.facts)


def _either(tree: ast.expr, scope: Scope) -> tuple[Fact | str, tuple[str, ...]]:
    """A valued fact or a term, with the types that its value may have."""
    if not _is_fact(tree, scope):
        return _term(tree, scope)
    fact = _fact(tree, scope)
    values = scope.words.facts[fact.kind].values
    if not values:
        raise Wrong(f"{_text(tree)!r} is true or false and has no value to compare or give")
    return fact, values


def _fact(tree: ast.expr, scope: Scope) -> Fact:
    arguments: list[ast.expr] = []
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and not tree.keywords:
        name, arguments = tree.func.id, tree.args
    elif isinstance(tree, ast.Name):
        name = tree.id
    else:
        raise Wrong(f"{_text(tree)!r} is not a fact; facts are name(object, …)")
    facts = scope.words.facts
    if name in scope.words.types:
        raise Wrong(f"{_text(tree)!r}: {name} is a type, which takes one object and never changes")
    if not arguments and (name in scope.variables or name in scope.words.things):
        raise Wrong(f"{name!r} is an object and not a fact; facts are name(object, …)")
    if name not in facts:
        known = [*facts, *scope.words.types]
        raise Wrong(f"{_text(tree)!r}: unknown fact {name!r}; {nearest(name, known)}")
    kind = facts[name]
    if len(arguments) != len(kind.parameters):
        wanted = ", ".join(_listed(types) for types in kind.parameters)
        raise Wrong(f"{_text(tree)!r} does not fit {name}({wanted})")
    terms = []
    for argument, allowed in zip(arguments, kind.parameters, strict=True):
        term, types = _term(argument, scope)
        _require_types(term, types, allowed, f"{_text(tree)}: {name} takes", scope)
        terms.append(term)
    return Fact(name, tuple(terms))


def _term(tree: ast.expr, scope: Scope) -> tuple[str, tuple[str, ...]]:
    """A variable or object, with its types."""
    if not isinstance(tree, ast.Name):
        raise Wrong(f"{_text(tree)!r} is not the name of an object")
    if tree.id in scope.variables:
        return tree.id, scope.variables[tree.id]
    if tree.id in scope.words.things:
        return tree.id, (scope.words.things[tree.id],)
    raise Wrong(f"unknown name {tree.id!r}; {nearest(tree.id, [*scope.variables, *scope.words.things])}")


def _types(tree: ast.expr, types: Mapping[str, str]) -> tuple[str, ...]:
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.BitOr):
        return _types(tree.left, types) + _types(tree.right, types)
    if not isinstance(tree, ast.Name) or tree.id not in types:
        hint = nearest(tree.id, list(types)) if isinstance(tree, ast.Name) else "types are joined by |"
        raise Wrong(f"unknown type {_text(tree)!r}; {hint}")
    return (tree.id,)


def _require_types(term: str, types: Sequence[str], allowed: Sequence[str], what: str, scope: Scope) -> None:
    for kind in types:
        if not any(scope.words.is_a(kind, wanted) for wanted in allowed):
            raise Wrong(f"{what} {_listed(allowed)}, but {term} is {_listed(types)}")


def _listed(types: Sequence[str]) -> str:
    return " or ".join(types)


def _text(tree: ast.expr) -> str:
    try:
        return shortened(ast.unparse(tree))
    except ValueError:  # numbers of thousands of digits, braces in quotes
        return "…"
