//! Each rule, as a table: what is built, and what it must become.
//!
//! For each line, (1) both sides built with rewriting are one term, so the rule fires; (2) both
//! sides built without rewriting have equal values, on all inputs at small widths and on samples at
//! 32 and 64 bits, so the rule is true. Terms are written as in SMT-LIB: `b c d g` are Booleans,
//! `x y z` vectors of width `w`, `#5` a constant of that width (negative numbers wrap), `#5:w+2`
//! one of another width; `(zext x w+2)` extends to that width.

mod common;

use common::{BINARY, UNARY};
use raddle_term::{Evaluator, TermId, Terms, VarId};
use raddle_testkit::Random;

const NAMES: [&str; 7] = ["b", "c", "d", "g", "x", "y", "z"];
const BOOLEANS: usize = 4;

/// The narrowest width that a line makes sense at, and the two sides.
type Line = (u32, &'static str, &'static str);

const BITWISE: &[Line] = &[
    (1, "(not (not x))", "x"),
    (1, "(and x x)", "x"),
    (1, "(and x #0)", "#0"),
    (1, "(and x #-1)", "x"),
    (1, "(or x #0)", "x"),
    (1, "(or x #-1)", "#-1"),
    (1, "(and x (not x))", "#0"),
    (1, "(or x (not x))", "#-1"),
    (1, "(and x y)", "(and y x)"),
    (1, "(and (and x y) x)", "(and x y)"),
    (1, "(and (and x y) (not x))", "#0"),
    (1, "(or x (and x y))", "x"),
    (1, "(and x (or x y))", "x"),
    (1, "(and x (not (and x y)))", "(and x (not y))"),
    (1, "(or x (and (not x) y))", "(or x y)"),
    (1, "(and x (xor x y))", "(and x (not y))"),
    (1, "(and x (not (xor x y)))", "(and x y)"),
    (3, "(and (and x #5) #6)", "(and x #4)"),
    (2, "(and x #-2)", "(concat (extract x w-1 1) #0:1)"),
    (3, "(and x #2)", "(concat #0:w-2 (concat (extract x 1 1) #0:1))"),
    (2, "(and x #1)", "(zext (extract x 0 0) w)"),
    (2, "(or (concat x #0) (zext y w+w))", "(concat x y)"),
    (2, "(and (concat x y) (concat z #0))", "(concat (and x z) #0)"),
    (2, "(or (concat x #1) (concat y z))", "(concat (or x y) (or z #1))"),
    (2, "(xor (concat x #0) (zext y w+w))", "(concat x y)"),
    (2, "(not (concat #0 x))", "(concat #-1 (not x))"),
    (2, "(not (neg x))", "(add x #-1)"),
    (2, "(not (add x #1))", "(add (neg x) #-2)"),
    (1, "(xor x x)", "#0"),
    (1, "(xor x #0)", "x"),
    (1, "(xor x #-1)", "(not x)"),
    (1, "(xor (not x) y)", "(not (xor x y))"),
    (1, "(xor (xor x y) x)", "y"),
    (1, "(xor x (and x y))", "(and x (not y))"),
    (3, "(xor (xor x #5) #6)", "(xor x #3)"),
    (3, "(xor (not x) #5)", "(xor x #-6)"),
    (3, "(and (ite c #5 #3) #6)", "(ite c #4 #2)"),
    (3, "(not (ite c #5 #3))", "(ite c #-6 #-4)"),
    (2, "(and (eq x #0) (eq x #1))", "#0:1"),
    (2, "(and (eq x #0) (ne x #1))", "(eq x #0)"),
    (1, "(and c (ite c b d))", "(and c b)"),
    (1, "(and (not c) (ite c b d))", "(and (not c) d)"),
    (1, "(and c (not (ite c b d)))", "(and c (not b))"),
];

const GUARDS: &[Line] = &[
    (1, "(or (and g c) (and g (not c)))", "g"),
    (1, "(or (and (and g c) d) (and (and g c) (not d)))", "(and g c)"),
    (1, "(or (or (and (and g c) d) (and (and g c) (not d))) (and g (not c)))", "g"),
    (1, "(or (or (and (and g c) d) (and g (not c))) (and (and g c) (not d)))", "g"),
    (1, "(or (or (and g (not c)) (and (and g c) d)) (and (and g c) (not d)))", "g"),
    (1, "(or (and g c) (and (and g (not c)) d))", "(and g (or c d))"),
    (1, "(or (and (and g c) d) (and g (not c)))", "(and g (or (not c) d))"),
    (1, "(or (and g c) (and g d))", "(and g (or c d))"),
    (1, "(or (and g c) g)", "g"),
    (1, "(or (and (and g c) d) (and g d))", "(and g d)"),
    (1, "(and (and (and g c) d) (and g (not c)))", "#0:1"),
    (1, "(and (and g c) (and g d))", "(and (and g c) d)"),
    (1, "(and (and g c) (or (not c) d))", "(and (and g c) d)"),
    (1, "(and (and g c) (or c d))", "(and g c)"),
    (1, "(and (and g c) (not (and c g)))", "#0:1"),
    (1, "(or (and g (not (and c d))) (and (and g c) d))", "g"),
    (1, "(or (and g (not (and c d))) (and (and (and g c) d) b))", "(and g (or (not (and c d)) b))"),
    (1, "(or (or (and g c) b) (and g (not c)))", "(or g b)"),
    (1, "(or (and g (or c d)) (and (and g (not c)) (not d)))", "g"),
];

const CHOICES: &[Line] = &[
    (1, "(ite c x x)", "x"),
    (1, "(ite #1:1 x y)", "x"),
    (1, "(ite #0:1 x y)", "y"),
    (1, "(ite (not c) x y)", "(ite c y x)"),
    (1, "(ite c #1:1 b)", "(or c b)"),
    (1, "(ite c #0:1 b)", "(and (not c) b)"),
    (1, "(ite c b #1:1)", "(or (not c) b)"),
    (1, "(ite c b #0:1)", "(and c b)"),
    (1, "(ite c c b)", "(or c b)"),
    (1, "(ite c b c)", "(and c b)"),
    (1, "(ite c (not b) b)", "(xor c b)"),
    (2, "(ite c #1 #0)", "(zext c w)"),
    (2, "(ite c #0 #1)", "(zext (not c) w)"),
    (1, "(ite c (ite c x y) z)", "(ite c x z)"),
    (1, "(ite c x (ite c y z))", "(ite c x z)"),
    (1, "(ite (and c d) (ite c x y) z)", "(ite (and c d) x z)"),
    (1, "(ite c (ite (and (not c) d) x y) z)", "(ite c y z)"),
    (1, "(ite c x (ite (and c d) y z))", "(ite c x z)"),
    (1, "(ite c (ite d x y) y)", "(ite (and c d) x y)"),
    (1, "(ite c (ite d y x) y)", "(ite (and c (not d)) x y)"),
    (1, "(ite c x (ite d x y))", "(ite (or c d) x y)"),
    (1, "(ite c x (ite d y x))", "(ite (or c (not d)) x y)"),
    (1, "(ite c (not x) (not y))", "(not (ite c x y))"),
    (2, "(ite c (zext x w+3) (zext y w+3))", "(zext (ite c x y) w+3)"),
    (2, "(ite c (zext x w+3) #1:w+3)", "(zext (ite c x #1) w+3)"),
    (2, "(ite c #1:w+3 (zext x w+3))", "(zext (ite c #1 x) w+3)"),
    (3, "(ite c #2 (zext c w))", "(ite c #2 #0)"),
    (3, "(ite c (zext c w) #2)", "(ite c #1 #2)"),
    (3, "(ite c (zext (not c) w) #2)", "(ite c #0 #2)"),
    (2, "(ite c (concat x z) (concat y z))", "(concat (ite c x y) z)"),
];

const EQUALITIES: &[Line] = &[
    (1, "(eq x x)", "#1:1"),
    (1, "(eq x y)", "(eq y x)"),
    (1, "(eq b #1:1)", "b"),
    (1, "(eq b #0:1)", "(not b)"),
    (1, "(eq b (not c))", "(xor b c)"),
    (1, "(eq x (not x))", "#0:1"),
    (2, "(eq (ite c #1 #0) #1)", "c"),
    (2, "(eq (ite c #1 #0) #0)", "(not c)"),
    (2, "(eq (ite c #1 #0) #2)", "#0:1"),
    (2, "(ne (zext b w) #0)", "b"),
    (2, "(eq (ite c #3 #2) #3)", "c"),
    (2, "(eq (ite c #3 x) #3)", "(or c (eq x #3))"),
    (2, "(eq (ite c #2 x) #3)", "(and (not c) (eq x #3))"),
    (2, "(eq (ite c #2 (ite d #1 x)) #3)", "(and (not c) (and (not d) (eq x #3)))"),
    (3, "(eq (ite c #3 #0) (zext c w))", "(not c)"),
    (3, "(eq (ite c #3 #0) (zext (not c) w))", "#0:1"),
    (3, "(eq (ite c #3 #0) (ite c #3 #1))", "c"),
    (3, "(ult (zext c w) (ite c #3 #0))", "c"),
    (3, "(slt (ite c #-1 #2) (zext c w))", "c"),
    (3, "(add (zext c w) #2)", "(ite c #3 #2)"),
    (3, "(add (zext (not c) w) #2)", "(ite c #2 #3)"),
    (3, "(add (concat #0:w-2 (concat c #0:1)) #1)", "(ite c #3 #1)"),
    (3, "(add (ite c #3 #1) (zext c w))", "(ite c #4 #1)"),
    (2, "(eq (ite c x y) x)", "(or c (eq x y))"),
    (2, "(eq (ite c x y) y)", "(or (not c) (eq x y))"),
    (2, "(eq (ite c x y) (ite c x z))", "(or c (eq y z))"),
    (2, "(eq (add x #1) #3)", "(eq x #2)"),
    (2, "(eq (add x #1) (add y #3))", "(eq x (add y #2))"),
    (2, "(eq (add x y) x)", "(eq y #0)"),
    (2, "(eq (add x y) (add x z))", "(eq y z)"),
    (2, "(eq (not x) #1)", "(eq x #-2)"),
    (2, "(eq (neg x) #1)", "(eq x #-1)"),
    (2, "(eq (neg x) (neg y))", "(eq x y)"),
    (2, "(eq (not x) (not y))", "(eq x y)"),
    (3, "(eq (xor x #5) #6)", "(eq x #3)"),
    (2, "(eq (concat x y) #1:w+w)", "(and (eq x #0) (eq y #1))"),
    (2, "(eq (concat x y) (concat z y))", "(eq x z)"),
    (2, "(eq (zext x w+2) #-1:w+2)", "#0:1"),
    (2, "(eq (zext x w+2) (zext y w+2))", "(eq x y)"),
    (2, "(eq (zext b w+2) (zext x w+2))", "(eq (zext b w) x)"),
    (
        2,
        "(eq (concat x #0:2) (concat (extract y w-1 1) #0:3))",
        "(eq x (concat (extract y w-1 1) #0:1))",
    ),
    (2, "(eq (concat x #1:2) (concat (extract y w-1 1) #0:3))", "#0:1"),
    (2, "(eq (sext x w+2) #-1:w+2)", "(eq x #-1)"),
    (3, "(eq (sext x w+2) #4:w+2)", "(eq (sext x w+2) #4:w+2)"),
    (2, "(eq (sext x w+2) (sext y w+2))", "(eq x y)"),
];

const COMPARISONS: &[Line] = &[
    (1, "(ult x x)", "#0:1"),
    (1, "(ult b c)", "(and (not b) c)"),
    (1, "(slt b c)", "(and b (not c))"),
    (1, "(ult x #0)", "#0:1"),
    (2, "(ult x #1)", "(eq x #0)"),
    (2, "(ult x #-1)", "(ne x #-1)"),
    (1, "(ult #-1 x)", "#0:1"),
    (2, "(ult #-2 x)", "(eq x #-1)"),
    (2, "(ult #0 x)", "(ne x #0)"),
    (2, "(ule x #-1)", "#1:1"),
    (2, "(uge x #1)", "(ne x #0)"),
    (2, "(ult (zext x w+2) (zext y w+2))", "(ult x y)"),
    (2, "(ult (zext b w+2) (zext x w+2))", "(ult (zext b w) x)"),
    (2, "(ult (zext x w+2) #-1:w+2)", "#1:1"),
    (3, "(ult (zext x w+2) #3:w+2)", "(ult x #3)"),
    (2, "(ult (concat x z) (concat y z))", "(ult x y)"),
    (2, "(ult (concat z x) (concat z y))", "(ult x y)"),
    (2, "(ult (sext x w+2) (sext y w+2))", "(ult x y)"),
    (3, "(ult (ite c #2 #5) #4)", "c"),
    (3, "(ult (ite c #2 x) #4)", "(or c (ult x #4))"),
    (2, "(slt x #0)", "(sign x)"),
    (2, "(sgt x #-1)", "(not (sign x))"),
    (2, "(sge x #0)", "(not (sign x))"),
    (3, "(slt (zext x w+1) (zext y w+1))", "(ult x y)"),
    (3, "(slt (sext x w+1) (sext y w+1))", "(slt x y)"),
    (3, "(slt (sext x w+2) #-3:w+2)", "(slt x #-3)"),
    (3, "(slt (ite c #-2 x) #2)", "(or c (slt x #2))"),
];

const ARITHMETIC: &[Line] = &[
    (1, "(add x #0)", "x"),
    (2, "(add (add x #1) #1)", "(add x #2)"),
    (2, "(add (add x #1) y)", "(add (add x y) #1)"),
    (2, "(add (add x #1) (add y #2))", "(add (add x y) #3)"),
    (1, "(sub x x)", "#0"),
    (2, "(sub (add x y) x)", "y"),
    (2, "(add (sub x y) y)", "x"),
    (2, "(sub (add x #3) (add x #1))", "#2"),
    (2, "(add x (not x))", "#-1"),
    (2, "(add (not x) #1)", "(neg x)"),
    (2, "(add x x)", "(mul x #2)"),
    (2, "(add (concat x #0) (zext y w+w))", "(concat x y)"),
    (2, "(add (concat x #0:2) #5:w+2)", "(concat (add x #1) #1:2)"),
    (2, "(add (concat x #3:2) #1:w+2)", "(concat (add x #1) #0:2)"),
    (3, "(add (ite c #1 #4) #2)", "(ite c #3 #6)"),
    (1, "(neg (neg x))", "x"),
    (2, "(neg (not x))", "(add x #1)"),
    (2, "(neg (add x #1))", "(add (neg x) #-1)"),
    (2, "(neg (sub x y))", "(sub y x)"),
    (3, "(neg (mul x #3))", "(mul x #-3)"),
    (1, "(mul x #0)", "#0"),
    (1, "(mul x #1)", "x"),
    (2, "(mul x #-1)", "(neg x)"),
    (3, "(mul x #4)", "(concat (extract x w-3 0) #0:2)"),
    (3, "(mul (mul x #3) #5)", "(mul x #15)"),
    (3, "(mul (add x #1) #3)", "(add (mul x #3) #3)"),
    (3, "(mul (add x #1) #2)", "(add (mul x #2) #2)"),
    (3, "(mul (neg x) #3)", "(mul x #-3)"),
    (2, "(mul (neg x) (neg y))", "(mul x y)"),
    (2, "(mul (zext b w) x)", "(ite b x #0)"),
    (1, "(udiv x #1)", "x"),
    (1, "(udiv x #0)", "#-1"),
    (3, "(udiv x #4)", "(zext (extract x w-1 2) w)"),
    (3, "(udiv (zext x w+2) #3:w+2)", "(zext (udiv x #3) w+2)"),
    (2, "(udiv (zext x w+2) #-1:w+2)", "#0:w+2"),
    (1, "(urem x #0)", "x"),
    (1, "(urem x #1)", "#0"),
    (1, "(urem x x)", "#0"),
    (3, "(urem x #4)", "(zext (extract x 1 0) w)"),
    (3, "(urem (zext x w+2) #3:w+2)", "(zext (urem x #3) w+2)"),
    (2, "(urem (zext x w+2) #-1:w+2)", "(zext x w+2)"),
    (3, "(shl x #1)", "(concat (extract x w-2 0) #0:1)"),
    (1, "(shl x #0)", "x"),
    (3, "(lshr x #1)", "(zext (extract x w-1 1) w)"),
    (3, "(lshr x #-1)", "#0"),
    (3, "(ashr x #1)", "(sext (extract x w-1 1) w)"),
    (3, "(ashr x #-1)", "(sext (sign x) w)"),
    (1, "(shl #0 x)", "#0"),
];

const SHAPES: &[Line] = &[
    (2, "(concat (concat x y) z)", "(concat x (concat y z))"),
    (2, "(zext (zext x w+1) w+3)", "(zext x w+3)"),
    (2, "(concat (extract x w-1 1) (extract x 0 0))", "x"),
    (3, "(concat (extract x w-1 2) (concat (extract x 1 1) y))", "(concat (extract x w-1 1) y)"),
    (3, "(zext (ite c #3 #5) w+2)", "(ite c #3:w+2 #5:w+2)"),
    (1, "(extract x w-1 0)", "x"),
    (3, "(extract (extract x w-1 1) 1 1)", "(extract x 2 2)"),
    (2, "(extract (concat x y) w-1 0)", "y"),
    (2, "(extract (concat x y) w+w-1 w)", "x"),
    (2, "(extract (concat x y) w 1)", "(concat (extract x 0 0) (extract y w-1 1))"),
    (2, "(extract (zext x w+3) w+2 w)", "#0:3"),
    (2, "(extract (sext x w+3) w-1 0)", "x"),
    (2, "(extract (sext x w+3) w+1 w)", "(sext (sign x) 2)"),
    (2, "(extract (sext x w+3) w+1 1)", "(sext (extract x w-1 1) w+1)"),
    (2, "(extract (not x) 1 0)", "(not (extract x 1 0))"),
    (3, "(extract (xor x #5) 1 0)", "(xor (extract x 1 0) #1:2)"),
    (3, "(extract (ite c #5 x) 1 0)", "(ite c #1:2 (extract x 1 0))"),
    (2, "(extract (add (zext x w+3) (zext y w+3)) w-1 0)", "(add x y)"),
    (2, "(extract (add (sext x w+3) #1:w+3) w-1 0)", "(add x #1)"),
    (2, "(extract (mul (sext x w+3) (sext y w+3)) w-1 0)", "(mul x y)"),
    (2, "(extract (neg (sext x w+3)) w-1 0)", "(neg x)"),
    (2, "(sext (sext x w+1) w+3)", "(sext x w+3)"),
    (2, "(sext (zext x w+1) w+3)", "(zext x w+3)"),
    (3, "(sext (ite c #3 #-1) w+2)", "(sext (ite c #3 #-1) w+2)"),
];

/// Reads terms of the table.
struct Reader<'a> {
    terms: &'a mut Terms,
    variables: &'a [TermId],
    tokens: Vec<&'a str>,
    width: u32,
}

fn tokens(text: &str) -> Vec<&str> {
    let mut result = Vec::new();
    for word in text.split_whitespace() {
        let mut rest = word;
        while let Some(inner) = rest.strip_prefix('(') {
            result.push("(");
            rest = inner;
        }
        let name = rest.trim_end_matches(')');
        result.push(name);
        result.extend(rest[name.len()..].chars().map(|_close| ")"));
    }
    result.reverse();
    result
}

impl Reader<'_> {
    fn next(&mut self) -> &str {
        self.tokens.pop().expect("a term ends with the text")
    }

    /// A sum of numbers and `w`.
    fn number(&mut self, text: &str) -> u32 {
        let spaced = text.replace('-', "+-");
        let part = |part: &str| match part {
            "w" => i64::from(self.width),
            number => number.parse().expect("a number"),
        };
        u32::try_from(spaced.split('+').map(part).sum::<i64>()).expect("not negative")
    }

    fn term(&mut self) -> TermId {
        let token = self.next().to_string();
        if token == "(" {
            let term = self.application();
            assert_eq!(self.next(), ")");
            return term;
        }
        if let Some(constant) = token.strip_prefix('#') {
            let (value, width) = constant.split_once(':').unwrap_or((constant, "w"));
            let width = self.number(width);
            let value: i128 = value.parse().expect("a number");
            return self.terms.constant(value as u128, width);
        }
        let index = NAMES.iter().position(|&name| name == token).expect("a variable");
        self.variables[index]
    }

    fn numeral(&mut self) -> u32 {
        let text = self.next().to_string();
        self.number(&text)
    }

    fn application(&mut self) -> TermId {
        let name = self.next().to_string();
        if let Some((_name, f)) = UNARY.iter().find(|(known, _f)| *known == name) {
            let a = self.term();
            return f(self.terms, a);
        }
        let a = self.term();
        match &name[..] {
            "ite" => {
                let (b, c) = (self.term(), self.term());
                self.terms.ite(a, b, c)
            }
            "concat" => {
                let b = self.term();
                self.terms.concat(a, b)
            }
            "extract" => {
                let (hi, lo) = (self.numeral(), self.numeral());
                self.terms.extract(a, hi, lo)
            }
            "zext" => {
                let width = self.numeral();
                self.terms.zext(a, width)
            }
            "sext" => {
                let width = self.numeral();
                self.terms.sext(a, width)
            }
            name => {
                let f = BINARY.iter().find(|(known, _f)| *known == name).expect("an operation").1;
                let b = self.term();
                f(self.terms, a, b)
            }
        }
    }
}

/// Both sides in one pool.
fn read(terms: &mut Terms, width: u32, sides: [&str; 2]) -> [TermId; 2] {
    let variables: Vec<TermId> =
        (0..NAMES.len()).map(|i| terms.fresh(if i < BOOLEANS { 1 } else { width })).collect();
    sides.map(|side| {
        let tokens = tokens(side);
        Reader { terms, variables: &variables, tokens, width }.term()
    })
}

/// Values for all variables that occur in the text, on all inputs or on samples.
fn assignments(text: &str, width: u32) -> Vec<Vec<u128>> {
    let used: Vec<u32> = NAMES
        .iter()
        .enumerate()
        .map(|(i, name)| match tokens(text).contains(name) {
            true if i < BOOLEANS => 1,
            true => width,
            false => 0,
        })
        .collect();
    let bits: u32 = used.iter().sum();
    if bits > 13 {
        let mut random = Random::new(0x5eed);
        return (0..200).map(|_round| used.iter().map(|_v| random.value()).collect()).collect();
    }
    let split = |mut code: u128| {
        let part = |&width: &u32| {
            let value = code & ((1 << width) - 1);
            code >>= width;
            value
        };
        used.iter().map(part).collect()
    };
    (0..1u128 << bits).map(split).collect()
}

fn check(lines: &[Line]) {
    for &(least, from, to) in lines {
        for width in (least..=least + 3).chain([8, 32, 42]) {
            let mut new = Terms::new();
            let [left, right] = read(&mut new, width, [from, to]);
            assert_eq!(
                left,
                right,
                "{from} at {width} is {}, not {}",
                new.display(left, 9),
                new.display(right, 9)
            );
            let mut raw = Terms::raw();
            let [left, right] = read(&mut raw, width, [from, to]);
            let mut evaluator = Evaluator::new();
            for values in assignments(from, width) {
                evaluator.reset();
                let mut value_of = |v: VarId| values[v.index()];
                let [p, q] = [left, right].map(|t| evaluator.value(&raw, t, &mut value_of));
                assert_eq!(p, q, "{from} → {to} at {width} with {values:?}");
            }
        }
    }
}

#[test]
fn bitwise() {
    check(BITWISE);
}

#[test]
fn guards() {
    check(GUARDS);
}

#[test]
fn choices() {
    check(CHOICES);
}

#[test]
fn equalities() {
    check(EQUALITIES);
}

#[test]
fn comparisons() {
    check(COMPARISONS);
}

#[test]
fn arithmetic() {
    check(ARITHMETIC);
}

#[test]
fn shapes() {
    check(SHAPES);
}

/// The guards of a loop's exits join to the guard of its entry, in the order a program gives them.
#[test]
fn loop_exits_join_to_the_entry() {
    for rounds in 1..=20 {
        let mut terms = Terms::new();
        let entry = terms.fresh(1);
        let (mut inside, mut left) = (entry, terms.fals());
        for _round in 0..rounds {
            let again = terms.fresh(1);
            let stop = terms.not(again);
            let exit = terms.and(inside, stop);
            left = terms.or(left, exit);
            inside = terms.and(inside, again);
        }
        let after = terms.or(left, inside);
        assert_eq!(after, entry, "{rounds} rounds: {}", terms.display(after, 12));
    }
}

/// Beyond what the rules see at once, joins of guards still cost a few terms each.
#[test]
fn long_loops_stay_small() {
    let mut terms = Terms::new();
    let (mut inside, mut left) = (terms.fresh(1), terms.fals());
    let rounds = 20_000;
    for _round in 0..rounds {
        let again = terms.fresh(1);
        let stop = terms.not(again);
        let exit = terms.and(inside, stop);
        left = terms.or(left, exit);
        inside = terms.and(inside, again);
    }
    assert!(terms.len() < 10 * rounds, "{} terms", terms.len());
}

/// A switch over one value: the guards of all cases and the default join to the guard before.
#[test]
fn switch_cases_join_to_the_guard_before() {
    for cases in 1..=10 {
        let mut terms = Terms::new();
        let (guard, value) = (terms.fresh(1), terms.fresh(32));
        let (mut rest, mut joined) = (guard, terms.fals());
        for case in 0..cases {
            let label = terms.constant(case, 32);
            let taken = terms.eq(value, label);
            let branch = terms.and(rest, taken);
            joined = terms.or(joined, branch);
            let skipped = terms.not(taken);
            rest = terms.and(rest, skipped);
        }
        assert_eq!(terms.or(joined, rest), guard, "{cases} cases");
    }
}

/// Rules descend into both parts of a concatenation and both branches of a choice; shared terms
/// must not make that exponential.
#[test]
fn shared_choices_are_not_walked_again_and_again() {
    let mut terms = Terms::new();
    let mut value = terms.fresh(64);
    for _store in 0..200 {
        let (condition, offset, flip) = (terms.fresh(1), terms.fresh(4), terms.fresh(1));
        let upper = terms.extract(value, 47, 0);
        let stored = terms.concat(upper, offset);
        let stored = terms.zext(stored, 64);
        let lower = terms.extract(value, 62, 0);
        let other = terms.concat(lower, flip);
        value = terms.ite(condition, stored, other);
    }
    let part = terms.extract(value, 40, 7);
    let three = terms.constant(3, 34);
    let goal = terms.eq(part, three);
    assert_eq!(terms.width(goal), 1);
    assert!(terms.len() < 200 * 400, "{} terms", terms.len());
}

/// Chains that are far deeper than the stack could hold.
#[test]
fn deep_terms_need_no_recursion() {
    let mut terms = Terms::new();
    let first = terms.fresh(8);
    let mut deep = first;
    for _level in 0..300_000 {
        let x = terms.fresh(8);
        let product = terms.mul(deep, x);
        deep = terms.xor(product, x);
    }
    let expected = raddle_term::evaluate(&terms, &[deep], &mut |_v| 3)[0];
    let three = terms.constant(3, 8);
    let map = std::iter::once((first, three)).collect();
    let replaced = terms.substitute(&[deep], &map)[0];
    assert_eq!(raddle_term::evaluate(&terms, &[replaced], &mut |_v| 3)[0], expected);
    let mut script = String::new();
    let goal = terms.eq(deep, three);
    terms.write_smtlib(&mut script, &[goal]).unwrap();
    assert!(script.ends_with("(check-sat)\n"));
}
