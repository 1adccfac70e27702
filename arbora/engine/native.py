"""Machine instructions in place of the portable twins of `bits` and `shared`, when compiled.

`pext` and `pdep` exist on x86 with BMI2; elsewhere `extract`, `deposit` and `nth_bit` compile from their plain Python
source.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload, register_jitable

from arbora.engine import bits, shared

# What numba compiles for, which the user may have set lower than what this machine has.
_TRIPLE, _, _FEATURES = cpu_target.target_context.codegen().magic_tuple()
HAS_BMI2 = _TRIPLE.startswith("x86_64") and "+bmi2" in _FEATURES.split(",")

_WORD = ir.IntType(64)


def _unary(name: str, extra: tuple[int, ...] = ()) -> Any:
    """An intrinsic of one uint64 word, with constant flags LLVM wants behind it."""

    @intrinsic
    def operation(typingctx, word):
        def codegen(context, builder, signature, args):
            flags = [ir.Constant(ir.IntType(1), flag) for flag in extra]
            kinds = [_WORD] + [ir.IntType(1)] * len(extra)
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_WORD, kinds), name)
            return builder.call(function, [args[0], *flags])

        return types.uint64(types.uint64), codegen

    return operation


def _binary(name: str) -> Any:
    @intrinsic
    def operation(typingctx, word, mask):
        def codegen(context, builder, signature, args):
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_WORD, [_WORD, _WORD]), name)
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), codegen

    return operation


_ctpop = _unary("llvm.ctpop.i64")
_cttz = _unary("llvm.cttz.i64", (1,))
_pext = _binary("llvm.x86.bmi.pext.64")
_pdep = _binary("llvm.x86.bmi.pdep.64")


@overload(bits.popcount)
def _popcount(word):
    return lambda word: _ctpop(word)


@overload(bits.trailing_zeros)
def _trailing_zeros(word):
    return lambda word: _cttz(word)


if HAS_BMI2:

    @overload(bits.extract)
    def _extract(word, mask):
        return lambda word, mask: _pext(word, mask)

    @overload(bits.deposit)
    def _deposit(word, mask):
        return lambda word, mask: _pdep(word, mask)

    @overload(bits.nth_bit)
    def _nth_bit(word, n):
        one = bits.ONE
        return lambda word, n: _cttz(_pdep(one << n, word))

else:
    register_jitable(bits.extract)
    register_jitable(bits.deposit)
    register_jitable(bits.nth_bit)


@intrinsic
def _fence(typingctx):
    def codegen(context, builder, signature, args):
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), codegen


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of one element of an array."""
    data = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0]).data
    return builder.gep(data, [args[1]])


def _load_atomic(kind: Any) -> Any:
    """An intrinsic that reads one element of an array of 64-bit numbers, never from a register."""

    @intrinsic
    def operation(typingctx, array, index):
        def codegen(context, builder, signature, args):
            return builder.load_atomic(_place(context, builder, signature, args), "monotonic", 8)

        return kind(types.Array(kind, 1, "C"), types.intp), codegen

    return operation


_load_int = _load_atomic(types.int64)
_load_float = _load_atomic(types.float64)


@intrinsic
def _try_acquire(typingctx, array, index):
    def codegen(context, builder, signature, args):
        zero, one = ir.Constant(_WORD, 0), ir.Constant(_WORD, 1)
        outcome = builder.cmpxchg(_place(context, builder, signature, args), zero, one, "seq_cst", "seq_cst")
        return builder.extract_value(outcome, 1)

    return types.boolean(types.Array(types.int64, 1, "C"), types.intp), codegen


@intrinsic
def _release(typingctx, array, index):
    def codegen(context, builder, signature, args):
        builder.store_atomic(ir.Constant(_WORD, 0), _place(context, builder, signature, args), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(types.Array(types.int64, 1, "C"), types.intp), codegen


@intrinsic
def _call_address(typingctx, address, argument):
    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(_WORD, [_WORD])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[1]])

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def _call_address_for_float(typingctx, address, argument):
    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(ir.DoubleType(), [_WORD])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[1]])

    return types.float64(types.int64, types.int64), codegen


@overload(shared.fence)
def _shared_fence():
    return lambda: _fence()


@overload(shared.peek)
def _shared_peek(array, index):
    return lambda array, index: _load_int(array, index)


@overload(shared.peek_float)
def _shared_peek_float(array, index):
    return lambda array, index: _load_float(array, index)


@overload(shared.call_int)
def _shared_call_int(address, argument):
    return lambda address, argument: _call_address(address, argument)


@overload(shared.call_float)
def _shared_call_float(address, argument):
    return lambda address, argument: _call_address_for_float(address, argument)


@overload(shared.try_acquire)
def _shared_try_acquire(locks, index):
    return lambda locks, index: _try_acquire(locks, index)


@overload(shared.release)
def _shared_release(locks, index):
    return lambda locks, index: _release(locks, index)
