//! The terms of the staged engine and the interpreter give the same bits for every floating-point
//! expression, NaNs included.

use raddle_interp::value::arith;
use raddle_ir::{Const, Expr, FloatCmp, FloatKind, FloatOp, Operand};
use raddle_summary::expression;
use raddle_term::{Evaluator, TermId, Terms};
use raddle_testkit::Random;

const KINDS: [FloatKind; 3] = [FloatKind::Half, FloatKind::Single, FloatKind::Double];

/// Bits in runs: exponents that are all ones or zero, sparse and dense fractions, and NaNs of all kinds are frequent.
fn float_bits(random: &mut Random, width: u32) -> u128 {
    let mut bits = (u128::from(random.bits()) << 64) | u128::from(random.bits());
    if random.bits().is_multiple_of(2) {
        let length = random.bits() % 64;
        let run = ((1u128 << length) - 1) << (random.bits() % 64);
        bits = if random.bits().is_multiple_of(2) { bits & run } else { bits | run };
    }
    // Of integers only floating-point widths get such bits.
    let fraction = [(16, 10), (32, 23), (64, 52)].into_iter().find(|f| f.0 == width);
    if let Some((_, fraction)) = fraction
        && random.bits().is_multiple_of(2)
    {
        // Around one, where operands meet.
        let field = (width - fraction - 2) as u64;
        let one = (1u128 << field) - 1 - u128::from(random.bits() % 8);
        bits = bits & ((1 << fraction) - 1) | one << fraction;
        bits ^= u128::from(random.bits() % 2) << (width - 1);
    }
    bits & raddle_ir::expr::mask(width)
}

/// One expression as a term, compared on many operands.
fn compare(random: &mut Random, expr: Expr, widths: [u32; 2]) {
    let mut terms = Terms::new();
    let count = expr.operands().count();
    let args: Vec<TermId> = widths.iter().take(count).map(|&width| terms.fresh(width)).collect();
    let term = expression::evaluate(&mut terms, &expr, &args).expect("modelled");
    let mut evaluator = Evaluator::new();
    for round in 0..400 {
        let mut values = widths.map(|width| float_bits(random, width));
        if round % 8 == 0 && widths[0] == widths[1] {
            values[1] = values[0] ^ (random.bits() % 2) as u128;
        }
        evaluator.reset();
        let found = evaluator.value(&terms, term, &mut |v| values[v.index()]);
        let mut next = 0;
        let wanted = arith::eval(&expr, &mut |_operand| {
            next += 1;
            (values[next - 1], widths[next - 1])
        });
        assert_eq!(Ok(found), wanted, "{expr:?} on {values:x?}");
    }
}

#[test]
fn terms_and_interpreter_agree() {
    let mut random = Random::new(41);
    let unused = Operand::Const(Const { value: 0, width: 1 });
    let (a, b) = (unused, unused);
    for kind in KINDS {
        let widths = [kind.bits(); 2];
        for op in [
            FloatOp::Add,
            FloatOp::Sub,
            FloatOp::Mul,
            FloatOp::Div,
            FloatOp::Min,
            FloatOp::Max,
            FloatOp::CopySign,
        ] {
            compare(&mut random, Expr::Float { op, kind, a, b }, widths);
        }
        compare(&mut random, Expr::FloatNeg { kind, a }, widths);
        compare(&mut random, Expr::FloatAbs { kind, a }, widths);
        for relations in 0..16 {
            let [less, equal, greater, unordered] = [0, 1, 2, 3].map(|i| relations >> i & 1 == 1);
            let cmp = FloatCmp { less, equal, greater, unordered };
            compare(&mut random, Expr::FloatCompare { cmp, kind, a, b }, widths);
        }
        for other in KINDS {
            compare(&mut random, Expr::FloatCast { from: kind, to: other, a }, widths);
        }
        for width in [1, 8, 16, 31, 32, 64, 128] {
            for signed in [false, true] {
                let to = Expr::FloatToInt { from: kind, signed, a, width };
                compare(&mut random, to, widths);
                let from = Expr::IntToFloat { to: kind, signed, a, from_width: width };
                compare(&mut random, from, [width, 1]);
            }
        }
    }
}
