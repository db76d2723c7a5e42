//! IC3: an invariant, found clause by clause, or a way to something bad.
//!
//! Idea: frame i holds cubes that are not reached in i steps; each cube was learned because states in
//! it lead to something bad. A state that leads there in frame k is an obligation: either it has no
//! predecessor in the frame before, and then it is excluded, with as many other states as possible;
//! or its predecessor is the next obligation. A frame that excludes what the next one does is an
//! invariant.
//! Where cubes shall speak of few copies ([`Copies`]), one that speaks of more is replaced by a larger
//! one that leaves a copy out: if that is not excluded either it is an obligation by itself, and if it
//! is entered another copy is left out. So there may be no answer, but never a wrong one.
//! Source: Bradley, VMCAI 2011; predecessors are widened by a second solver that refutes the
//! negated step (Chockler et al., FMCAD 2011), frames are deltas in one solver behind activation
//! literals (Eén, Mishchenko, Brayton, FMCAD 2011).
//! Invariants: (1) no cube of a frame contains an initial state; (2) a cube at level i is unreachable
//! in up to i steps; (3) every state of an obligation's cube, with its inputs, leads into the cube
//! that follows, so that any initial state in it begins an execution to something bad.

use std::collections::BinaryHeap;

use raddle_aig::Execution;
use raddle_sat::Lit;

use crate::certify::may_begin;
use crate::unroll::{Begin, Unrolling};
use crate::{Bit, Copies, Cube, Interrupted, Invariant, Limits, Question};

/// Searches after which a solver is made anew: with fewer gates, of what is looked at now only, and
/// without the literals of clauses that were needed once. Of 50, 200, 600 and 3000 on six algorithms for
/// mutual exclusion and a bounded buffer, 200 and 600 took the least time.
const MOST_TEMPORARY: u32 = 600;

/// What a search ends with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Nothing bad is reached.
    Holds(Invariant),
    /// This execution ends in something bad.
    Violated(Execution),
    /// There is no invariant of cubes that speak of few copies only.
    Broad,
}

/// A search for an invariant.
pub struct Ic3<'a> {
    question: Question<'a>,
    /// Parts that are copies, if cubes shall speak of few of them.
    copies: Option<&'a Copies>,
    /// Cubes that no state is in, certainly: an invariant by themselves.
    known: Vec<Cube>,
    /// By level: cubes that are excluded up to there, and not known to be further on.
    frames: Vec<Vec<Cube>>,
    /// One step from any state, with the frames.
    step: Unrolling<'a>,
    /// By level: the literal that switches its cubes on.
    active: Vec<Lit>,
    temporary: u32,
    /// One step from any state, without frames.
    lifting: Unrolling<'a>,
    /// By latch: in how many learned cubes it is, roughly.
    activity: Vec<u32>,
    obligations: Vec<Obligation>,
    /// Cubes about few copies that cannot be excluded, as far as cubes about few copies show.
    entered: Vec<Cube>,
}

/// A set of states that leads to something bad.
struct Obligation {
    cube: Cube,
    /// What leads from each of its states to the next obligation, or is bad.
    inputs: Vec<bool>,
    next: Option<usize>,
    /// It contains more states than those: what it says about a copy was left out.
    widened: bool,
}

/// What is known of an obligation in the end.
enum Blocked {
    /// It is excluded.
    Yes,
    /// It begins an execution.
    No(Execution),
    /// It would be entered if only few copies at a time are looked at.
    Perhaps,
}

/// An obligation that is waiting: low levels first, then short ways to what is bad.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    level: std::cmp::Reverse<usize>,
    distance: std::cmp::Reverse<usize>,
    obligation: usize,
}

/// What relative induction says of a cube.
enum Relative {
    /// It is not entered; neither is this larger set.
    Excluded(Cube),
    /// It is entered from this state with these inputs.
    Entered(Vec<bool>, Vec<bool>),
}

/// What there is of cubes that speak of few copies and contain a given one.
enum Narrowed {
    /// One that is not entered.
    Excluded(Cube),
    /// One that has to be an obligation by itself.
    Open(Cube),
    /// All are entered.
    Entered,
}

impl<'a> Ic3<'a> {
    /// Nothing is known but that these cubes are an invariant by themselves ([`crate::Pairs`]). Whoever
    /// asks has seen that no first step is bad.
    pub fn new(question: Question<'a>, known: Vec<Cube>) -> Ic3<'a> {
        Ic3::about_few(question, known, None)
    }

    /// The same with cubes that speak of few copies, as far as possible.
    pub fn about_few(
        question: Question<'a>,
        known: Vec<Cube>,
        copies: Option<&'a Copies>,
    ) -> Ic3<'a> {
        let mut ic3 = Ic3 {
            question,
            copies,
            known,
            frames: vec![Vec::new()],
            step: Unrolling::new(question, Begin::Anywhere),
            active: Vec::new(),
            temporary: 0,
            lifting: Unrolling::new(question, Begin::Anywhere),
            activity: vec![0; question.system.latches.len()],
            obligations: Vec::new(),
            entered: Vec::new(),
        };
        ic3.renew();
        ic3
    }

    /// The level that is being worked on.
    pub fn level(&self) -> usize {
        self.frames.len() - 1
    }

    /// Cubes learned so far.
    pub fn cubes(&self) -> usize {
        self.frames.iter().map(Vec::len).sum()
    }

    /// Searches until there is an answer or the time is up. What was learned is kept.
    pub fn run(&mut self, limits: &Limits) -> Result<End, Interrupted> {
        loop {
            if self.level() == 0 {
                self.add_level();
            }
            match self.block_bad(limits)? {
                Blocked::Yes => {}
                Blocked::No(execution) => return Ok(End::Violated(execution)),
                Blocked::Perhaps => return Ok(End::Broad),
            }
            self.add_level();
            if let Some(level) = self.propagate(limits)? {
                let learned = self.frames[level + 1..].iter().flatten();
                let invariant = self.known.iter().chain(learned).cloned().collect();
                return Ok(End::Holds(invariant));
            }
        }
    }

    fn add_level(&mut self) {
        self.frames.push(Vec::new());
        let lit = self.step.solver.new_var().lit();
        self.active.push(lit);
    }

    /// New solvers with what is known.
    fn renew(&mut self) {
        self.step = Unrolling::new(self.question, Begin::Anywhere);
        self.step.know(&self.known);
        self.step.push();
        self.lifting = Unrolling::new(self.question, Begin::Anywhere);
        self.lifting.know(&self.known);
        self.lifting.push_unconstrained();
        self.temporary = 0;
        self.active = self.frames.iter().map(|_| self.step.solver.new_var().lit()).collect();
        let initial = self.active[0];
        for (i, latch) in self.question.system.latches.iter().enumerate() {
            if let Some(value) = latch.initial {
                let lit = self.step.latch(0, i);
                self.step.solver.add_clause(&[!initial, if value { lit } else { !lit }]);
            }
        }
        for level in 0..self.frames.len() {
            for cube in self.frames[level].clone() {
                self.assert_excluded(level, &cube);
            }
        }
    }

    fn assert_excluded(&mut self, level: usize, cube: &Cube) {
        let mut clause = vec![!self.active[level]];
        clause.extend(self.now(cube).into_iter().map(|l| !l));
        self.step.solver.add_clause(&clause);
    }

    fn now(&mut self, cube: &[Bit]) -> Vec<Lit> {
        let lits = cube.iter().map(|b| signed(self.step.latch(0, b.latch as usize), b.value));
        lits.collect()
    }

    fn after(&mut self, cube: &[Bit]) -> Vec<Lit> {
        let lits = cube.iter().map(|b| signed(self.step.next(0, b.latch as usize), b.value));
        lits.collect()
    }

    /// What switches a frame on: its own cubes and those of later ones.
    fn frame(&self, level: usize) -> Vec<Lit> {
        self.active[level..].to_vec()
    }

    /// Excludes all states of the last frame in which something bad can happen, or finds a way.
    fn block_bad(&mut self, limits: &Limits) -> Result<Blocked, Interrupted> {
        let last = self.level();
        loop {
            self.obligations.clear();
            let mut assumptions = self.frame(last);
            assumptions.push(self.step.bad(0));
            if !self.step.solve(&assumptions, limits)? {
                return Ok(Blocked::Yes);
            }
            let (state, inputs) = (self.step.latches(0), self.step.inputs(0));
            let cube = self.lift(&state, &inputs, None, limits)?;
            if self.is_known_as_entered(&cube) {
                return Ok(Blocked::Perhaps);
            }
            self.obligations.push(Obligation { cube, inputs, next: None, widened: false });
            match self.block(last, limits)? {
                Blocked::Yes => {}
                Blocked::No(way) => return Ok(Blocked::No(way)),
                // It was perhaps the wrong copy of which nothing was said: the next round says which
                // cubes are no use.
                Blocked::Perhaps => {}
            }
        }
    }

    /// Works off the first obligation and all that it leads to.
    fn block(&mut self, last: usize, limits: &Limits) -> Result<Blocked, Interrupted> {
        use std::cmp::Reverse;
        let mut waiting = BinaryHeap::new();
        let entry = |level, distance, obligation| Waiting {
            level: Reverse(level),
            distance: Reverse(distance),
            obligation,
        };
        waiting.push(entry(last, 0, 0));
        while let Some(Waiting { level, distance, obligation }) = waiting.pop() {
            let (level, distance) = (level.0, distance.0);
            let cube = self.obligations[obligation].cube.clone();
            if may_begin(self.question.system, &cube) {
                return Ok(self.way(obligation));
            }
            debug_assert!(level > 0, "what is entered from an initial state contains one");
            if self.is_excluded(&cube, level) {
                continue;
            }
            match self.relative(&cube, level - 1, limits)? {
                Relative::Entered(state, inputs) => {
                    let before = self.lift(&state, &inputs, Some(&cube), limits)?;
                    if self.is_known_as_entered(&before) {
                        return Ok(self.entered_from(obligation));
                    }
                    let (next, widened) = (Some(obligation), false);
                    self.obligations.push(Obligation { cube: before, inputs, next, widened });
                    let new = self.obligations.len() - 1;
                    waiting.push(entry(level - 1, distance + 1, new));
                    waiting.push(entry(level, distance, obligation));
                }
                Relative::Excluded(larger) => {
                    let larger = match self.narrowed(larger, level - 1, limits)? {
                        Narrowed::Excluded(larger) => larger,
                        Narrowed::Open(cube) => {
                            let Obligation { ref inputs, next, .. } = self.obligations[obligation];
                            let (inputs, widened) = (inputs.clone(), true);
                            self.obligations.push(Obligation { cube, inputs, next, widened });
                            let new = self.obligations.len() - 1;
                            waiting.push(entry(level, distance, new));
                            waiting.push(entry(level, distance, obligation));
                            continue;
                        }
                        Narrowed::Entered => return Ok(self.entered_from(obligation)),
                    };
                    let larger = self.generalise(larger, level - 1, limits)?;
                    let reached = self.push_up(&larger, level, last, limits)?;
                    self.learn_images(&larger, reached, limits)?;
                    self.learn(larger, reached);
                    if reached < last {
                        waiting.push(entry(reached + 1, distance, obligation));
                    }
                }
            }
        }
        Ok(Blocked::Yes)
    }

    /// A larger cube that speaks of few copies, if possible one that is not entered either.
    fn narrowed(
        &mut self,
        cube: Cube,
        level: usize,
        limits: &Limits,
    ) -> Result<Narrowed, Interrupted> {
        let Some(copies) = self.copies.filter(|c| !c.is_narrow(&cube)) else {
            return Ok(Narrowed::Excluded(cube));
        };
        let mut all = copies.narrower(&cube);
        all.retain(|c| !may_begin(self.question.system, c) && !self.is_known_as_entered(c));
        for cube in &all {
            if let Relative::Excluded(larger) = self.relative(cube, level, limits)? {
                return Ok(Narrowed::Excluded(larger));
            }
        }
        Ok(all.into_iter().next().map_or(Narrowed::Entered, Narrowed::Open))
    }

    /// Whether a cube contains one that cannot be excluded.
    fn is_known_as_entered(&self, cube: &Cube) -> bool {
        self.entered.iter().any(|entered| is_subset(cube, entered))
    }

    /// What an obligation shows that contains an initial state.
    fn way(&mut self, obligation: usize) -> Blocked {
        let mut at = Some(obligation);
        while let Some(i) = at {
            if self.obligations[i].widened {
                return self.entered_from(obligation);
            }
            at = self.obligations[i].next;
        }
        Blocked::No(self.execution(obligation))
    }

    /// Notes that an obligation is entered, and so are all that follow it, up to one that contains more
    /// states than those that lead there.
    fn entered_from(&mut self, obligation: usize) -> Blocked {
        let mut at = Some(obligation);
        while let Some(i) = at {
            self.entered.push(self.obligations[i].cube.clone());
            at = self.obligations[i].next.filter(|_| !self.obligations[i].widened);
        }
        Blocked::Perhaps
    }

    /// Whether a cube lies in one that is excluded up to a level.
    fn is_excluded(&self, cube: &Cube, level: usize) -> bool {
        self.frames[level..].iter().flatten().any(|known| is_subset(known, cube))
    }

    /// Whether a cube is entered from outside itself in a frame.
    fn relative(
        &mut self,
        cube: &Cube,
        level: usize,
        limits: &Limits,
    ) -> Result<Relative, Interrupted> {
        let outside = self.step.solver.new_var().lit();
        let mut clause: Vec<Lit> = self.now(cube).into_iter().map(|l| !l).collect();
        clause.push(!outside);
        self.step.solver.add_clause(&clause);
        let entered = self.after(cube);
        let mut assumptions = self.frame(level);
        assumptions.push(outside);
        assumptions.extend(&entered);
        let result = if self.step.solve(&assumptions, limits)? {
            Relative::Entered(self.step.latches(0), self.step.inputs(0))
        } else {
            let used: Vec<bool> = entered.iter().map(|&l| self.step.solver.failed(l)).collect();
            let kept = cube.iter().zip(used).filter(|(_, used)| *used).map(|(b, _)| *b).collect();
            Relative::Excluded(self.without_initial(kept, cube))
        };
        self.step.solver.add_clause(&[!outside]);
        self.temporary += 1;
        if self.temporary > MOST_TEMPORARY {
            self.renew();
        }
        Ok(result)
    }

    /// The part of a cube, with a further value if it would contain an initial state.
    fn without_initial(&self, mut part: Cube, whole: &Cube) -> Cube {
        if may_begin(self.question.system, &part) {
            let latches = &self.question.system.latches;
            let apart = |b: &&Bit| latches[b.latch as usize].initial == Some(!b.value);
            part.push(*whole.iter().find(apart).expect("the whole has no initial state"));
            part.sort_unstable();
        }
        part
    }

    /// Learns what a cube says about other copies, where that holds as well.
    fn learn_images(
        &mut self,
        cube: &Cube,
        level: usize,
        limits: &Limits,
    ) -> Result<(), Interrupted> {
        let Some(copies) = self.copies else { return Ok(()) };
        for image in copies.images(cube) {
            if may_begin(self.question.system, &image) || self.is_excluded(&image, level) {
                continue;
            }
            if let Relative::Excluded(_) = self.relative(&image, level - 1, limits)? {
                self.learn(image, level);
            }
        }
        Ok(())
    }

    /// Drops values as long as the cube is not entered.
    fn generalise(
        &mut self,
        mut cube: Cube,
        level: usize,
        limits: &Limits,
    ) -> Result<Cube, Interrupted> {
        let mut order = cube.clone();
        // A latch that is set says more than one that is not: control is one latch of many.
        order.sort_by_key(|b| (b.value, self.activity[b.latch as usize]));
        for bit in order {
            if cube.len() == 1 || !cube.contains(&bit) {
                continue;
            }
            let smaller: Cube = cube.iter().copied().filter(|b| *b != bit).collect();
            if may_begin(self.question.system, &smaller) {
                continue;
            }
            if let Relative::Excluded(larger) = self.relative(&smaller, level, limits)? {
                cube = larger;
            }
        }
        Ok(cube)
    }

    /// The highest level up to which a cube is not entered.
    fn push_up(
        &mut self,
        cube: &Cube,
        mut level: usize,
        last: usize,
        limits: &Limits,
    ) -> Result<usize, Interrupted> {
        while level < last {
            match self.relative(cube, level, limits)? {
                Relative::Excluded(_) => level += 1,
                Relative::Entered(..) => break,
            }
        }
        Ok(level)
    }

    fn learn(&mut self, cube: Cube, level: usize) {
        debug_assert!(!may_begin(self.question.system, &cube), "initial states are reached");
        for bit in &cube {
            self.activity[bit.latch as usize] += 1;
        }
        for frame in &mut self.frames[1..=level] {
            frame.retain(|known| !is_subset(&cube, known));
        }
        self.assert_excluded(level, &cube);
        self.frames[level].push(cube);
    }

    /// Moves cubes to later frames; gives the level whose frame equals the next one.
    fn propagate(&mut self, limits: &Limits) -> Result<Option<usize>, Interrupted> {
        for level in 1..self.level() {
            for cube in self.frames[level].clone() {
                let mut assumptions = self.frame(level);
                let entered = self.after(&cube);
                assumptions.extend(entered);
                if !self.step.solve(&assumptions, limits)? {
                    self.assert_excluded(level + 1, &cube);
                    self.frames[level].retain(|c| *c != cube);
                    self.frames[level + 1].push(cube);
                }
            }
            if self.frames[level].is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The values that suffice for what a state does with these inputs: entering a cube, or, without
    /// one, something bad.
    fn lift(
        &mut self,
        state: &[bool],
        inputs: &[bool],
        target: Option<&Cube>,
        limits: &Limits,
    ) -> Result<Cube, Interrupted> {
        let system = self.question.system;
        let not_there = self.lifting.solver.new_var().lit();
        let mut clause = vec![!not_there];
        match target {
            Some(cube) => {
                for b in cube {
                    clause.push(!signed(self.lifting.next(0, b.latch as usize), b.value));
                }
            }
            None => clause.push(!self.lifting.bad(0)),
        }
        for &constraint in &system.constraints {
            clause.push(!self.lifting.lit(0, constraint));
        }
        self.lifting.solver.add_clause(&clause);
        let mut assumptions = vec![not_there];
        for (input, &value) in system.inputs.iter().zip(inputs) {
            let lit = self.lifting.lit(0, input.now);
            assumptions.push(signed(lit, value));
        }
        let all: Vec<Lit> =
            state.iter().enumerate().map(|(i, &v)| signed(self.lifting.latch(0, i), v)).collect();
        assumptions.extend(&all);
        let refuted = !self.lifting.solve(&assumptions, limits)?;
        assert!(refuted, "a step is determined by state and inputs");
        let bits = (0..).zip(state).map(|(latch, &value)| Bit { latch, value });
        let used: Vec<bool> = all.iter().map(|&l| self.lifting.solver.failed(l)).collect();
        let cube = bits.zip(used).filter(|(_, used)| *used).map(|(b, _)| b).collect();
        self.lifting.solver.add_clause(&[!not_there]);
        Ok(cube)
    }

    /// The execution from an initial state in an obligation's cube.
    fn execution(&self, obligation: usize) -> Execution {
        let system = self.question.system;
        let cube = &self.obligations[obligation].cube;
        let mut first: Vec<bool> =
            system.latches.iter().map(|l| l.initial.unwrap_or(false)).collect();
        for bit in cube {
            first[bit.latch as usize] = bit.value;
        }
        let mut inputs = Vec::new();
        let mut at = Some(obligation);
        while let Some(i) = at {
            inputs.push(self.obligations[i].inputs.clone());
            at = self.obligations[i].next;
        }
        let execution = Execution { first, inputs };
        assert!(system.run(&execution).is_ok_and(|bad| !bad.is_empty()), "obligations are kept");
        execution
    }
}

fn signed(lit: Lit, value: bool) -> Lit {
    if value { lit } else { !lit }
}

/// Whether all values of one cube are in another; both are sorted.
fn is_subset(small: &[Bit], large: &[Bit]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|b| rest.by_ref().any(|c| c == b))
}
