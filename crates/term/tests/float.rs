//! Floating-point terms against arithmetic that is known to be right.
//!
//! Small formats: all operands, against the exact result rounded by search among all values of the
//! format. The exact result is a `double`: it holds products of small formats exactly, and of their
//! quotients and sums so many bits that rounding twice does not matter. Single and double
//! precision: special and random operands, against the machine. Each term is built four ways: over
//! variables and over constants, with rewriting and without.

mod common;

use raddle_term::{Evaluator, Format, Relations, TermId, Terms};
use raddle_testkit::Random;

type Build = fn(Format, &mut Terms, TermId, TermId) -> TermId;
type Exact = fn(f64, f64) -> f64;

const ARITHMETIC: [(&str, Build, Exact); 4] = [
    ("add", Format::add, |a, b| a + b),
    ("sub", Format::sub, |a, b| a - b),
    ("mul", Format::mul, |a, b| a * b),
    ("div", Format::div, |a, b| a / b),
];

const LESS: Relations = Relations { less: true, equal: false, greater: false, unordered: false };
const EQUAL: Relations = Relations { less: false, equal: true, greater: false, unordered: false };
const GREATER: Relations = Relations { less: false, equal: false, greater: true, unordered: false };
const UNORDERED: Relations =
    Relations { less: false, equal: false, greater: false, unordered: true };

/// A small format, with the values of all its encodings.
struct Small {
    format: Format,
    exponent: u32,
    significand: u32,
    values: Vec<f64>,
}

impl Small {
    fn new(exponent: u32, significand: u32) -> Small {
        let format = Format::new(exponent, significand);
        let mut small = Small { format, exponent, significand, values: Vec::new() };
        small.values = (0..small.count()).map(|bits| small.defined_value(bits)).collect();
        small
    }

    fn value(&self, bits: u128) -> f64 {
        self.values[bits as usize]
    }

    fn count(&self) -> u128 {
        1 << self.format.width()
    }

    /// From the definition.
    fn defined_value(&self, bits: u128) -> f64 {
        let fraction_bits = self.significand - 1;
        let fraction = (bits & ((1 << fraction_bits) - 1)) as f64;
        let field = (bits >> fraction_bits & ((1 << self.exponent) - 1)) as i32;
        let sign = if bits >> (self.format.width() - 1) == 1 { -1.0 } else { 1.0 };
        let bias = (1 << (self.exponent - 1)) - 1;
        let one = f64::from(1 << fraction_bits);
        if field == (1 << self.exponent) - 1 {
            return if fraction == 0.0 { sign * f64::INFINITY } else { f64::NAN };
        }
        let magnitude = if field == 0 {
            fraction / one * 2f64.powi(1 - bias)
        } else {
            (one + fraction) / one * 2f64.powi(field - bias)
        };
        sign * magnitude
    }

    fn quiet_bit(&self) -> u128 {
        1 << (self.significand - 2)
    }

    fn infinity(&self) -> u128 {
        ((1 << self.exponent) - 1) << (self.significand - 1)
    }

    /// The encoding of the value nearest to `exact`, ties to the even one, by search.
    fn nearest(&self, exact: f64) -> u128 {
        let sign = u128::from(exact.is_sign_negative()) << (self.format.width() - 1);
        if exact.is_nan() {
            return self.infinity() | self.quiet_bit();
        }
        let magnitude = exact.abs();
        // Infinity takes part as the value that would follow the greatest one.
        let greatest = self.value(self.infinity() - 1);
        let beyond = 2.0 * greatest - self.value(self.infinity() - 2);
        let at = |bits: u128| if bits == self.infinity() { beyond } else { self.value(bits) };
        let best = (0..=self.infinity()).min_by(|&x, &y| {
            let (dx, dy) = ((at(x) - magnitude).abs(), (at(y) - magnitude).abs());
            dx.total_cmp(&dy).then((x & 1).cmp(&(y & 1)))
        });
        sign | if magnitude > beyond { self.infinity() } else { best.expect("zero is a value") }
    }

    /// What an operation on two encodings gives.
    fn expected(&self, a: u128, b: u128, exact: Exact) -> u128 {
        let (x, y) = (self.value(a), self.value(b));
        if x.is_nan() {
            a | self.quiet_bit()
        } else if y.is_nan() {
            b | self.quiet_bit()
        } else {
            self.nearest(exact(x, y))
        }
    }
}

/// A term over two variables in both kinds of pool.
struct Twin {
    pools: [Terms; 2],
    roots: [TermId; 2],
    evaluators: [Evaluator; 2],
}

impl Twin {
    fn new(widths: [u32; 2], build: impl Fn(&mut Terms, TermId, TermId) -> TermId) -> Twin {
        let mut pools = [Terms::new(), Terms::raw()];
        let roots = [0, 1].map(|i| {
            let (a, b) = (pools[i].fresh(widths[0]), pools[i].fresh(widths[1]));
            build(&mut pools[i], a, b)
        });
        Twin { pools, roots, evaluators: [Evaluator::new(), Evaluator::new()] }
    }

    fn values(&mut self, a: u128, b: u128) -> [u128; 2] {
        [0, 1].map(|i| {
            self.evaluators[i].reset();
            let value_of = &mut |v: raddle_term::VarId| [a, b][v.index()];
            self.evaluators[i].value(&self.pools[i], self.roots[i], value_of)
        })
    }
}

/// The value of an operation on constants, which must fold.
fn folded(
    terms: &mut Terms,
    widths: [u32; 2],
    [a, b]: [u128; 2],
    build: impl Fn(&mut Terms, TermId, TermId) -> TermId,
) -> u128 {
    let (a, b) = (terms.constant(a, widths[0]), terms.constant(b, widths[1]));
    let t = build(terms, a, b);
    terms.as_const(t).expect("constants are folded")
}

#[test]
fn arithmetic_of_small_formats_is_exact_and_rounded_once() {
    for small in [Small::new(2, 2), Small::new(2, 4), Small::new(3, 4), Small::new(4, 3)] {
        let widths = [small.format.width(); 2];
        for (name, build, exact) in ARITHMETIC {
            let build = |t: &mut Terms, a, b| build(small.format, t, a, b);
            let mut twin = Twin::new(widths, build);
            let mut constants = Terms::new();
            for (a, b) in (0..small.count()).flat_map(|a| (0..small.count()).map(move |b| (a, b))) {
                let expected = small.expected(a, b, exact);
                assert_eq!(twin.values(a, b), [expected; 2], "{name} {a:b} {b:b}");
                if (a * 31 + b) % 7 == 0 {
                    let value = folded(&mut constants, widths, [a, b], build);
                    assert_eq!(value, expected, "{name} {a:b} {b:b} as constants");
                }
            }
        }
    }
}

#[test]
fn comparisons_and_choices_of_small_formats() {
    let small = Small::new(3, 3);
    let widths = [small.format.width(); 2];
    let f = small.format;
    let mut relations = [LESS, EQUAL, GREATER, UNORDERED]
        .map(|wanted| Twin::new(widths, |t, a, b| f.compare(t, a, b, wanted)));
    let mut min = Twin::new(widths, |t, a, b| f.min(t, a, b));
    let mut max = Twin::new(widths, |t, a, b| f.max(t, a, b));
    let mut copy_sign = Twin::new(widths, |t, a, b| f.copy_sign(t, a, b));
    let mut neg = Twin::new(widths, |t, a, _b| f.neg(t, a));
    let mut abs = Twin::new(widths, |t, a, _b| f.abs(t, a));
    let sign = 1 << (f.width() - 1);
    for (a, b) in (0..small.count()).flat_map(|a| (0..small.count()).map(move |b| (a, b))) {
        let (x, y) = (small.value(a), small.value(b));
        let wanted = [x < y, x == y, x > y, x.is_nan() || y.is_nan()];
        for (twin, holds) in relations.iter_mut().zip(wanted) {
            assert_eq!(twin.values(a, b), [u128::from(holds); 2], "{x} {y}");
        }
        let least = if x.is_nan() || y < x { b } else { a };
        let greatest = if x.is_nan() || x < y { b } else { a };
        assert_eq!(min.values(a, b), [least; 2]);
        assert_eq!(max.values(a, b), [greatest; 2]);
        assert_eq!(copy_sign.values(a, b), [a & !sign | b & sign; 2]);
        assert_eq!(neg.values(a, b), [a ^ sign; 2]);
        assert_eq!(abs.values(a, b), [a & !sign; 2]);
    }
}

#[test]
fn integers_to_and_from_small_formats() {
    for small in [Small::new(3, 4), Small::new(4, 3)] {
        let f = small.format;
        for width in 1..=9 {
            for is_signed in [false, true] {
                let number = |bits: u128| {
                    let negative = is_signed && bits >> (width - 1) == 1;
                    bits as f64 - if negative { 2f64.powi(width as i32) } else { 0.0 }
                };
                let mut from = Twin::new([width, 1], |t, a, _b| f.from_int(t, a, is_signed));
                for bits in 0..1 << width {
                    assert_eq!(from.values(bits, 0), [small.nearest(number(bits)); 2], "{bits:b}");
                }
                let mut to = Twin::new([f.width(), 1], |t, a, _b| f.to_int(t, a, is_signed, width));
                for bits in 0..small.count() {
                    let whole = small.value(bits).trunc();
                    let expected = (0..1 << width).find(|&k| number(k) == whole).unwrap_or(0);
                    assert_eq!(to.values(bits, 0), [expected; 2], "{whole} to {width} bits");
                }
            }
        }
    }
}

/// Encodings in which something changes, of single precision; those of double precision are made
/// alike.
fn encodings(random: &mut Random, exponent: u32, significand: u32) -> u128 {
    let largest = (1u128 << exponent) - 1;
    let fraction_mask = (1u128 << (significand - 1)) - 1;
    let bias = largest / 2;
    let field = match random.index(8) {
        0 => 0,
        1 => 1,
        2 => largest,
        3 => largest - 1,
        // Near to one, so that sums cancel and round.
        4 | 5 => bias + random.index(2 * significand as usize) as u128 - u128::from(significand),
        6 => bias.wrapping_sub(random.index(4) as u128),
        _seven => u128::from(random.bits()) & largest,
    };
    let fraction = match random.index(6) {
        0 => 0,
        1 => fraction_mask,
        2 => 1 << random.index(significand as usize - 1),
        3 => fraction_mask << random.index(significand as usize - 1),
        _other => u128::from(random.bits()),
    };
    let sign = random.index(2) as u128;
    (sign << exponent | field & largest) << (significand - 1) | fraction & fraction_mask
}

/// What an operation of the machine gives, but for NaNs, whose bits the machine does not promise.
macro_rules! machine {
    ($float:ty, $bits:ty, $a:expr, $b:expr, $op:tt) => {{
        let (a, b) = ($a as $bits, $b as $bits);
        let (x, y) = (<$float>::from_bits(a), <$float>::from_bits(b));
        let quiet = 1 << (<$float>::MANTISSA_DIGITS - 2);
        let result = if x.is_nan() {
            a | quiet
        } else if y.is_nan() {
            b | quiet
        } else {
            let result = x $op y;
            if result.is_nan() { <$float>::INFINITY.to_bits() | quiet } else { result.to_bits() }
        };
        u128::from(result)
    }};
}

type Machine = fn(u128, u128) -> u128;

const SINGLE: [Machine; 4] = [
    |a, b| machine!(f32, u32, a, b, +),
    |a, b| machine!(f32, u32, a, b, -),
    |a, b| machine!(f32, u32, a, b, *),
    |a, b| machine!(f32, u32, a, b, /),
];
const DOUBLE: [Machine; 4] = [
    |a, b| machine!(f64, u64, a, b, +),
    |a, b| machine!(f64, u64, a, b, -),
    |a, b| machine!(f64, u64, a, b, *),
    |a, b| machine!(f64, u64, a, b, /),
];

#[test]
fn arithmetic_agrees_with_the_machine() {
    let mut random = Random::new(17);
    for (format, exponent, significand, machine) in
        [(Format::SINGLE, 8, 24, SINGLE), (Format::DOUBLE, 11, 53, DOUBLE)]
    {
        let widths = [format.width(); 2];
        for ((name, build, _exact), machine) in ARITHMETIC.into_iter().zip(machine) {
            let build = |t: &mut Terms, a, b| build(format, t, a, b);
            let mut twin = Twin::new(widths, build);
            let mut constants = Terms::new();
            for i in 0..2000 {
                let a = encodings(&mut random, exponent, significand);
                let b = match random.index(6) {
                    // Neighbours cancel.
                    0 => (a ^ (1 << (format.width() - 1))) ^ (random.index(4) as u128),
                    _other => encodings(&mut random, exponent, significand),
                };
                let expected = machine(a, b);
                assert_eq!(twin.values(a, b), [expected; 2], "{name} {a:x} {b:x}");
                if i % 10 == 0 {
                    let value = folded(&mut constants, widths, [a, b], build);
                    assert_eq!(value, expected, "{name} {a:x} {b:x} as constants");
                }
            }
        }
    }
}

#[test]
fn conversions_agree_with_the_machine() {
    let mut random = Random::new(23);
    let quiet_single = |bits: u32| u128::from(bits | 1 << 22);
    let mut widen = Twin::new([32, 1], |t, a, _b| Format::DOUBLE.from_format(t, Format::SINGLE, a));
    let mut narrow =
        Twin::new([64, 1], |t, a, _b| Format::SINGLE.from_format(t, Format::DOUBLE, a));
    let mut to_i32 = Twin::new([64, 1], |t, a, _b| Format::DOUBLE.to_int(t, a, true, 32));
    let mut to_u64 = Twin::new([32, 1], |t, a, _b| Format::SINGLE.to_int(t, a, false, 64));
    let mut from_i64 = Twin::new([64, 1], |t, a, _b| Format::DOUBLE.from_int(t, a, true));
    let mut from_u64 = Twin::new([64, 1], |t, a, _b| Format::SINGLE.from_int(t, a, false));
    for _round in 0..2000 {
        let single = encodings(&mut random, 8, 24);
        let x = f32::from_bits(single as u32);
        let expected = if x.is_nan() {
            let payload = (single & 0x7f_ffff | 1 << 22) << 29;
            single >> 31 << 63 | 0x7ff << 52 | payload
        } else {
            u128::from(f64::from(x).to_bits())
        };
        assert_eq!(widen.values(single, 0), [expected; 2], "{x}");
        let whole = x.trunc();
        let in_range = (0.0..18_446_744_073_709_551_616.0).contains(&whole);
        let expected = if in_range { u128::from(whole as u64) } else { 0 };
        assert_eq!(to_u64.values(single, 0), [expected; 2], "{x}");

        let double = match random.index(3) {
            // Halfway between two singles, or near to that.
            0 => expected_double(x) ^ (1 << 28) ^ (random.index(3) as u128),
            _other => encodings(&mut random, 11, 53),
        };
        let y = f64::from_bits(double as u64);
        let expected = if y.is_nan() {
            let upper = (double >> 63 << 31 | 0x7f80_0000 | double >> 29 & 0x7f_ffff) as u32;
            quiet_single(upper)
        } else {
            u128::from((y as f32).to_bits())
        };
        assert_eq!(narrow.values(double, 0), [expected; 2], "{y}");
        let whole = y.trunc();
        let in_range = (-2_147_483_648.0..2_147_483_648.0).contains(&whole);
        let expected = if in_range { u128::from(whole as i32 as u32) } else { 0 };
        assert_eq!(to_i32.values(double, 0), [expected; 2], "{y}");

        let integer = random.value() as u64;
        let expected = u128::from((integer as i64 as f64).to_bits());
        assert_eq!(from_i64.values(u128::from(integer), 0), [expected; 2], "{integer}");
        let expected = u128::from((integer as f32).to_bits());
        assert_eq!(from_u64.values(u128::from(integer), 0), [expected; 2], "{integer}");
    }
}

fn expected_double(x: f32) -> u128 {
    u128::from(f64::from(x).to_bits())
}

/// A choice between constants stays one: no arithmetic is left.
#[test]
fn operations_move_into_choices_between_constants() {
    let mut t = Terms::new();
    let (c, d) = (t.fresh(1), t.fresh(1));
    let [half, one, two, three] =
        [0.5f64, 1.0, 2.0, 3.0].map(|v| t.constant(u128::from(v.to_bits()), 64));
    let (a, b) = (t.ite(c, half, one), t.ite(d, one, two));
    let sum = Format::DOUBLE.add(&mut t, a, b);
    let size = t.len();
    let is_three = Format::DOUBLE.compare(&mut t, sum, three, EQUAL);
    let not_c = t.not(c);
    let not_d = t.not(d);
    let expected = t.and(not_c, not_d);
    assert_eq!(is_three, expected, "1 + 2 is the only sum that is 3");
    assert!(size < 400, "no circuit: {size}");
}

/// A quotient by a power of two is a product, also where the reciprocal is not a normal number.
#[test]
fn quotients_by_powers_of_two() {
    let mut random = Random::new(5);
    for field in [0, 1, 2, 126, 127, 128, 252, 253, 254, 255u32] {
        for sign in [0, 1u32] {
            let divisor = u128::from(sign << 31 | field << 23);
            let mut twin = Twin::new([32, 1], |t, a, _b| {
                let b = t.constant(divisor, 32);
                Format::SINGLE.div(t, a, b)
            });
            for _round in 0..300 {
                let a = encodings(&mut random, 8, 24);
                assert_eq!(twin.values(a, 0), [SINGLE[3](a, divisor); 2], "{a:x} {divisor:x}");
            }
        }
    }
}
