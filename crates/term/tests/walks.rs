//! Substitution, printing and repeated evaluation.

use raddle_term::{Evaluator, Terms};

#[test]
fn replacements_are_simultaneous_and_simplify() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh(8), terms.fresh(8));
    let sum = terms.add(x, y);
    let less = terms.ult(x, y);
    let swapped = terms.substitute(&[sum, less, x], &[(x, y), (y, x)].into_iter().collect());
    let greater = terms.ult(y, x);
    assert_eq!(swapped, [sum, greater, y]);

    let (two, three) = (terms.constant(2, 8), terms.constant(3, 8));
    let folded = terms.substitute(&[sum, less], &[(x, two), (y, three)].into_iter().collect());
    let five = terms.constant(5, 8);
    assert_eq!(folded, [five, terms.tru()]);

    // An inner term may be replaced as well as a variable.
    let double = terms.mul(sum, three);
    let replaced = terms.substitute(&[double], &[(sum, two)].into_iter().collect());
    assert_eq!(terms.as_const(replaced[0]), Some(6));
}

#[test]
fn an_evaluator_forgets_on_reset_only() {
    let mut terms = Terms::new();
    let x = terms.fresh(8);
    let square = terms.mul(x, x);
    let mut evaluator = Evaluator::new();
    assert_eq!(evaluator.value(&terms, square, &mut |_v| 3), 9);
    assert_eq!(evaluator.value(&terms, square, &mut |_v| 4), 9);
    evaluator.reset();
    assert_eq!(evaluator.value(&terms, square, &mut |_v| 20), 400 - 256);
    // Terms made after the first call are no problem.
    let more = terms.add(square, x);
    assert_eq!(evaluator.value(&terms, more, &mut |_v| 20), 400 - 256 + 20);
}

#[test]
fn scripts_define_each_term_once() {
    let mut terms = Terms::new();
    let (c, x, y) = (terms.fresh(1), terms.fresh(4), terms.fresh(4));
    let sum = terms.add(x, y);
    let choice = terms.ite(c, sum, x);
    let wide = terms.sext(choice, 6);
    let upper = terms.extract(sum, 3, 1);
    let seven = terms.constant(7, 3);
    let (less, bound) = (terms.ult(upper, seven), terms.constant(9, 6));
    let shifted = terms.shl(wide, bound);
    let zero = terms.constant(0, 6);
    assert_eq!(shifted, zero);
    let product = terms.mul(wide, wide);
    let equal = terms.eq(product, bound);
    let mut script = String::new();
    terms.write_smtlib(&mut script, &[less, equal]).unwrap();
    let expected = "\
(set-logic QF_BV)
(declare-const v0 (_ BitVec 1))
(declare-const v1 (_ BitVec 4))
(declare-const v2 (_ BitVec 4))
(define-fun t5 () (_ BitVec 4) (bvadd v1 v2))
(define-fun t6 () (_ BitVec 4) (ite (= v0 #b1) t5 v1))
(define-fun t7 () (_ BitVec 6) ((_ sign_extend 2) t6))
(define-fun t8 () (_ BitVec 3) ((_ extract 3 1) t5))
(define-fun t10 () (_ BitVec 1) (ite (= t8 #b111) #b1 #b0))
(define-fun t11 () (_ BitVec 1) (bvnot t10))
(define-fun t14 () (_ BitVec 6) (bvmul t7 t7))
(define-fun t15 () (_ BitVec 1) (ite (= t14 #b001001) #b1 #b0))
(assert (= t11 #b1))
(assert (= t15 #b1))
(check-sat)
";
    assert_eq!(script, expected);
    assert_eq!(terms.display(less, 3), "(not (eq (extract 3:1 t5) 7:3))");
}
