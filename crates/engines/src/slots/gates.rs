//! Small circuits over literals, with constants folded.

use crate::bounded::formula::{Formula, Lit};

/// One of these holds; nothing is said if that is certain.
pub fn clause(formula: &mut dyn Formula, lits: &[Lit]) {
    let tru = formula.tru();
    let certain = lits.iter().any(|&l| l == tru || lits.contains(&!l));
    if !certain {
        let left: Vec<Lit> = lits.iter().copied().filter(|&l| l != !tru).collect();
        formula.clause(&left);
    }
}

/// A literal that holds if and only if all of these do.
pub fn and(formula: &mut dyn Formula, lits: &[Lit]) -> Lit {
    let tru = formula.tru();
    let mut inputs: Vec<Lit> = lits.iter().copied().filter(|&l| l != tru).collect();
    inputs.sort_unstable_by_key(|l| l.index());
    inputs.dedup();
    if inputs.contains(&!tru) || inputs.windows(2).any(|pair| pair[0] == !pair[1]) {
        return !tru;
    }
    match inputs[..] {
        [] => return tru,
        [one] => return one,
        [..] => {}
    }
    let all = formula.new_lit();
    for &input in &inputs {
        formula.clause(&[!all, input]);
    }
    let mut back: Vec<Lit> = inputs.iter().map(|&l| !l).collect();
    back.push(all);
    formula.clause(&back);
    all
}

/// A literal that holds if and only if one of these does.
pub fn or(formula: &mut dyn Formula, lits: &[Lit]) -> Lit {
    let negated: Vec<Lit> = lits.iter().map(|&l| !l).collect();
    !and(formula, &negated)
}

/// A literal that is the second or the third, as the first says.
pub fn choose(formula: &mut dyn Formula, condition: Lit, yes: Lit, no: Lit) -> Lit {
    let tru = formula.tru();
    if condition == tru || yes == no {
        return yes;
    }
    if condition == !tru {
        return no;
    }
    let chosen = formula.new_lit();
    clause(formula, &[!condition, !yes, chosen]);
    clause(formula, &[!condition, yes, !chosen]);
    clause(formula, &[condition, !no, chosen]);
    clause(formula, &[condition, no, !chosen]);
    chosen
}

/// At most one of these holds. For many, a chain of "one up to here" keeps it linear.
pub fn at_most_one(formula: &mut dyn Formula, lits: &[Lit]) {
    if lits.len() <= 5 {
        for (i, &a) in lits.iter().enumerate() {
            for &b in &lits[i + 1..] {
                clause(formula, &[!a, !b]);
            }
        }
        return;
    }
    let mut earlier = lits[0];
    for &lit in &lits[1..] {
        clause(formula, &[!earlier, !lit]);
        earlier = or(formula, &[earlier, lit]);
    }
}

#[cfg(test)]
mod tests {
    use raddle_sat::Answer;

    use super::*;
    use crate::Budget;
    use crate::bounded::builtin::BuiltIn;

    /// The rows of the truth table of some new literals that a formula over them allows.
    fn table(inputs: usize, say: impl Fn(&mut dyn Formula, &[Lit]) -> Lit) -> Vec<bool> {
        let mut formula = BuiltIn::new(&Budget::default(), false);
        let lits: Vec<Lit> = (0..inputs).map(|_| formula.new_lit()).collect();
        let out = say(&mut formula, &lits);
        let row = |row: usize| {
            let mut assumed: Vec<Lit> = lits
                .iter()
                .enumerate()
                .map(|(i, &l)| if row >> i & 1 == 1 { l } else { !l })
                .collect();
            assumed.push(out);
            let yes = formula.solve(&assumed) == Answer::Satisfiable;
            *assumed.last_mut().expect("the output") = !out;
            let no = formula.solve(&assumed) == Answer::Satisfiable;
            assert!(yes != no, "the output is a function of the inputs");
            yes
        };
        (0..1 << inputs).map(row).collect()
    }

    #[test]
    fn gates_have_their_tables() {
        let all = table(3, |f, l| and(f, l));
        let any = table(3, |f, l| or(f, l));
        let chosen = table(3, |f, l| choose(f, l[0], l[1], l[2]));
        for row in 0..8 {
            let [a, b, c] = [row & 1 == 1, row & 2 == 2, row & 4 == 4];
            assert_eq!(all[row], a && b && c);
            assert_eq!(any[row], a || b || c);
            assert_eq!(chosen[row], if a { b } else { c });
        }
    }

    #[test]
    fn constants_and_complements_fold() {
        let mut f = BuiltIn::new(&Budget::default(), false);
        let (tru, a) = (f.tru(), f.new_lit());
        assert_eq!(and(&mut f, &[tru, a, a]), a);
        assert_eq!(and(&mut f, &[a, !a]), !tru);
        assert_eq!(and(&mut f, &[]), tru);
        assert_eq!(or(&mut f, &[a, tru]), tru);
        assert_eq!(choose(&mut f, tru, a, !a), a);
        assert_eq!(choose(&mut f, !tru, a, !a), !a);
        let before = f.effort().clauses;
        clause(&mut f, &[a, tru]);
        assert_eq!(f.effort().clauses, before, "what is certain is not said");
    }

    #[test]
    fn at_most_one_allows_none_and_one() {
        for n in [1, 2, 5, 6, 9] {
            let mut f = BuiltIn::new(&Budget::default(), false);
            let lits: Vec<Lit> = (0..n).map(|_| f.new_lit()).collect();
            at_most_one(&mut f, &lits);
            for row in 0..1_u32 << n {
                let assumed: Vec<Lit> = lits
                    .iter()
                    .enumerate()
                    .map(|(i, &l)| if row >> i & 1 == 1 { l } else { !l })
                    .collect();
                let allowed = f.solve(&assumed) == Answer::Satisfiable;
                assert_eq!(allowed, row.count_ones() <= 1, "{n} literals, row {row:b}");
            }
        }
    }
}
