//! The operations mean what SMT-LIB and C say: against arithmetic of Rust on all values of small
//! widths.

use raddle_term::{TermId, Terms, evaluate, mask, to_signed};

type Build = fn(&mut Terms, TermId, TermId) -> TermId;
/// Unsigned and signed values of both arguments, and the width, to a mathematical result.
type Meaning = fn(Arguments) -> i128;

#[derive(Clone, Copy)]
struct Arguments {
    a: i128,
    b: i128,
    sa: i128,
    sb: i128,
    width: u32,
}

impl Arguments {
    fn fits_signed(self, value: i128) -> i128 {
        i128::from(to_signed(value as u128 & mask(self.width), self.width) == value)
    }

    fn fits_unsigned(self, value: i128) -> i128 {
        i128::from((0..1 << self.width).contains(&value))
    }

    fn ones(self) -> i128 {
        (1 << self.width) - 1
    }

    /// Shift amounts cut where nothing is left.
    fn amount(self) -> i128 {
        self.b.min(100)
    }
}

const MEANINGS: &[(&str, Build, Meaning)] = &[
    ("and", Terms::and, |x| x.a & x.b),
    ("or", Terms::or, |x| x.a | x.b),
    ("xor", Terms::xor, |x| x.a ^ x.b),
    ("implies", Terms::implies, |x| !x.a | x.b),
    ("iff", Terms::iff, |x| !(x.a ^ x.b)),
    ("eq", Terms::eq, |x| i128::from(x.a == x.b)),
    ("ne", Terms::ne, |x| i128::from(x.a != x.b)),
    ("ult", Terms::ult, |x| i128::from(x.a < x.b)),
    ("ule", Terms::ule, |x| i128::from(x.a <= x.b)),
    ("ugt", Terms::ugt, |x| i128::from(x.a > x.b)),
    ("uge", Terms::uge, |x| i128::from(x.a >= x.b)),
    ("slt", Terms::slt, |x| i128::from(x.sa < x.sb)),
    ("sle", Terms::sle, |x| i128::from(x.sa <= x.sb)),
    ("sgt", Terms::sgt, |x| i128::from(x.sa > x.sb)),
    ("sge", Terms::sge, |x| i128::from(x.sa >= x.sb)),
    ("add", Terms::add, |x| x.a + x.b),
    ("sub", Terms::sub, |x| x.a - x.b),
    ("mul", Terms::mul, |x| x.a * x.b),
    ("udiv", Terms::udiv, |x| if x.b == 0 { x.ones() } else { x.a / x.b }),
    ("urem", Terms::urem, |x| if x.b == 0 { x.a } else { x.a % x.b }),
    ("sdiv", Terms::sdiv, |x| match (x.sa < 0, x.sb) {
        (false, 0) => -1,
        (true, 0) => 1,
        (_sign, b) => x.sa / b,
    }),
    ("srem", Terms::srem, |x| if x.sb == 0 { x.sa } else { x.sa % x.sb }),
    ("shl", Terms::shl, |x| x.a << x.amount()),
    ("lshr", Terms::lshr, |x| x.a >> x.amount()),
    ("ashr", Terms::ashr, |x| x.sa >> x.amount()),
    ("add_overflow_signed", Terms::add_overflow_signed, |x| 1 - x.fits_signed(x.sa + x.sb)),
    ("sub_overflow_signed", Terms::sub_overflow_signed, |x| 1 - x.fits_signed(x.sa - x.sb)),
    ("mul_overflow_signed", Terms::mul_overflow_signed, |x| 1 - x.fits_signed(x.sa * x.sb)),
    ("add_overflow_unsigned", Terms::add_overflow_unsigned, |x| 1 - x.fits_unsigned(x.a + x.b)),
    ("sub_overflow_unsigned", Terms::sub_overflow_unsigned, |x| 1 - x.fits_unsigned(x.a - x.b)),
    ("mul_overflow_unsigned", Terms::mul_overflow_unsigned, |x| 1 - x.fits_unsigned(x.a * x.b)),
    ("concat", Terms::concat, |x| (x.a << x.width) + x.b),
    ("zext", |t, a, _b| t.zext(a, t.width(a) + 3), |x| x.a),
    ("sext", |t, a, _b| t.sext(a, t.width(a) + 3), |x| x.sa),
    ("neg", |t, a, _b| t.neg(a), |x| -x.a),
    ("not", |t, a, _b| t.not(a), |x| -x.a - 1),
    ("sign", |t, a, _b| t.sign(a), |x| i128::from(x.sa < 0)),
    ("extract", |t, a, _b| t.extract(a, t.width(a) / 2, 0), |x| x.a),
    ("upper", |t, a, _b| t.extract(a, t.width(a) - 1, t.width(a) / 2), |x| x.a >> (x.width / 2)),
    (
        "ite",
        |t, a, b| {
            let c = t.ult(a, b);
            t.ite(c, a, b)
        },
        |x| x.a.min(x.b),
    ),
];

/// The four ways a constructor can be called: variables or constants, with rewriting or without.
fn value(rewriting: bool, constants: bool, build: Build, x: Arguments) -> (u128, u32) {
    let mut terms = if rewriting { Terms::new() } else { Terms::raw() };
    let values = [x.a as u128, x.b as u128];
    let [a, b] = values
        .map(|value| if constants { terms.constant(value, x.width) } else { terms.fresh(x.width) });
    let t = build(&mut terms, a, b);
    if rewriting && constants {
        assert!(terms.as_const(t).is_some(), "constants are folded");
    }
    (evaluate(&terms, &[t], &mut |v| values[v.index()])[0], terms.width(t))
}

#[test]
fn operations_mean_what_arithmetic_says() {
    for &(name, build, meaning) in MEANINGS {
        for width in 1..=4 {
            for code in 0u128..1 << (2 * width) {
                let (a, b) = (code & mask(width), code >> width);
                let (sa, sb) = (to_signed(a, width), to_signed(b, width));
                let x = Arguments { a: a as i128, b: b as i128, sa, sb, width };
                for (rewriting, constants) in
                    [(false, false), (false, true), (true, false), (true, true)]
                {
                    let (actual, result_width) = value(rewriting, constants, build, x);
                    let expected = meaning(x) as u128 & mask(result_width);
                    assert_eq!(actual, expected, "{name}({a}, {b}) at width {width}");
                }
            }
        }
    }
}

/// Widths at which products have no further bit to look at.
#[test]
fn overflow_at_the_greatest_width() {
    let cases: &[(i128, i128)] = &[
        (i128::MAX, 1),
        (i128::MAX, 2),
        (i128::MIN, 1),
        (i128::MIN, -1),
        (-1, i128::MIN),
        (0, i128::MIN),
        (i128::MIN, 0),
        (1 << 64, 1 << 62),
        (1 << 64, 1 << 63),
        (-(1 << 64), 1 << 63),
        (-(1 << 64), -(1 << 63)),
        (3, -5),
    ];
    for &(a, b) in cases {
        let expected = [a.checked_mul(b).is_none(), (a as u128).checked_mul(b as u128).is_none()];
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh(128), terms.fresh(128));
        let (k, l) = (terms.constant(a as u128, 128), terms.constant(b as u128, 128));
        for (p, q) in [(x, y), (k, y), (x, l), (k, l)] {
            let roots = [terms.mul_overflow_signed(p, q), terms.mul_overflow_unsigned(p, q)];
            let values = [a as u128, b as u128];
            let actual = evaluate(&terms, &roots, &mut |v| values[v.index()]);
            assert_eq!(actual, expected.map(u128::from), "{a} * {b}");
        }
    }
}
