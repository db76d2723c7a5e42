//! Exploration with reduction against every interleaving, on random small programs.
//!
//! Both must reach the same final states and report the same findings. Seeds are fixed.

use raddle_interp::choices::FromChoices;
use raddle_interp::{
    ConfirmedTrace, Cut, Event, Exploration, FindingKind, Goal, GuideStep, Settings, TraceStep,
    Wanted, explore, replay_guided,
};
use raddle_ir::{
    AllocKind, FuncId, GlobalId, InputKind, Op, Operand, Program, Property, RegId, Terminator,
};
use raddle_testkit::Random;
use raddle_testkit::build::{ATOMIC, Body, Builder, PLAIN, c, g};

struct Globals {
    data: Vec<GlobalId>,
    mutexes: Vec<GlobalId>,
    pointer: GlobalId,
}

/// Emits random statements; `value` is the thread's one variable.
struct Thread<'a, 'b> {
    random: &'a mut Random,
    globals: &'a Globals,
    body: &'a mut Body<'b>,
    value: RegId,
}

impl Thread<'_, '_> {
    fn data(&mut self) -> GlobalId {
        let n = self.globals.data.len() as u64;
        self.globals.data[self.random.below(n) as usize]
    }

    fn keep(&mut self, from: RegId) {
        let value = raddle_ir::Expr::Use(Operand::Reg(from));
        self.body.op(Op::Assign { dst: self.value, value });
    }

    fn access(&mut self) {
        let access = if self.random.one_in(3) { ATOMIC } else { PLAIN };
        let x = self.data();
        match self.random.below(5) {
            0 | 1 => {
                let r = self.body.load(g(x), 32, access);
                self.keep(r);
            }
            2 => {
                let v = self.random.below(3);
                self.body.store(g(x), c(u128::from(v), 32), access);
            }
            3 => {
                let r = self.body.add(self.value, 1);
                self.body.store(g(x), Operand::Reg(r), access);
            }
            _ => {
                let r = self.body.fetch_add(x, 1);
                self.keep(r);
            }
        }
    }

    fn section(&mut self) {
        self.body.op(Op::AtomicBegin);
        for _ in 0..=self.random.below(2) {
            self.access();
        }
        if self.random.one_in(3) {
            let v = u128::from(self.random.below(3));
            let is = self.body.differs(self.value, v);
            let cond = Operand::Reg(is);
            match self.random.below(4) {
                0 => self.body.op(Op::Assume { cond }),
                1 => self.body.op(Op::Block { cond, spurious: true }),
                2 => self.body.assert(is),
                _ => self.body.op(Op::Block { cond, spurious: false }),
            };
        }
        self.body.op(Op::AtomicEnd);
    }

    fn locked(&mut self) {
        let n = self.globals.mutexes.len() as u64;
        let m = self.globals.mutexes[self.random.below(n) as usize];
        if self.random.one_in(4) {
            let dst = self.body.reg(32);
            self.body.op(Op::TryLock { dst, mutex: g(m) });
            let taken = self.body.equal(dst, 1);
            self.when(taken, |t| {
                t.access();
                t.body.unlock(m);
            });
            return;
        }
        self.body.lock(m);
        if self.random.one_in(3) {
            let other = self.globals.mutexes[self.random.below(n) as usize];
            self.body.lock(other);
            self.access();
            self.body.unlock(other);
        } else {
            self.access();
        }
        if !self.random.one_in(10) {
            self.body.unlock(m);
        }
    }

    fn when(&mut self, cond: RegId, then: impl FnOnce(&mut Self)) {
        let (yes, no) = (self.body.block(), self.body.block());
        self.body.branch(cond, yes, no);
        self.body.at = yes;
        then(self);
        self.body.end(Terminator::Goto(no));
        self.body.at = no;
    }

    fn spin(&mut self) {
        let x = self.data();
        let v = u128::from(self.random.below(2));
        let (head, out) = (self.body.block(), self.body.block());
        self.body.goto(head);
        let r = self.body.load(g(x), 32, ATOMIC);
        let again = self.body.equal(r, v);
        self.body.branch(again, head, out);
        self.body.at = out;
    }

    /// Changes a variable to and fro until another one has a value.
    fn toggle(&mut self) {
        let (x, y) = (self.data(), self.data());
        let v = u128::from(self.random.below(2));
        let (head, out) = (self.body.block(), self.body.block());
        self.body.goto(head);
        if self.random.one_in(2) {
            self.locked();
        }
        let r = self.body.load(g(x), 32, ATOMIC);
        let one = self.body.equal(r, 0);
        let next = self.body.resize(Operand::Reg(one), 32, false);
        self.body.store(g(x), Operand::Reg(next), ATOMIC);
        let r = self.body.load(g(y), 32, ATOMIC);
        let again = self.body.equal(r, v);
        self.body.branch(again, head, out);
        self.body.at = out;
    }

    /// Publishes a new object, uses the published one, or frees it.
    fn heap(&mut self) {
        let p = self.globals.pointer;
        match self.random.below(3) {
            0 => {
                let dst = self.body.reg(64);
                let size = c(4, 64);
                let (kind, name) = (AllocKind::Heap, String::new());
                self.body.op(Op::Alloc {
                    dst,
                    size,
                    align: 4,
                    kind,
                    zeroed: true,
                    name,
                    ctype: None,
                });
                self.body.store(Operand::Reg(dst), c(1, 32), PLAIN);
                self.body.store(g(p), Operand::Reg(dst), ATOMIC);
            }
            1 => {
                let r = self.body.load(g(p), 64, ATOMIC);
                let some = self.body.differs(r, 0);
                self.when(some, |t| {
                    let r = t.body.load(Operand::Reg(r), 32, PLAIN);
                    t.keep(r);
                });
            }
            _ => {
                let r = self.body.load(g(p), 64, ATOMIC);
                self.body.op(Op::Free { addr: Operand::Reg(r) });
            }
        }
    }

    fn statement(&mut self) {
        match self.random.below(14) {
            0..=4 => self.access(),
            5 | 6 => self.section(),
            7 | 8 => self.locked(),
            9 => {
                let v = u128::from(self.random.below(3));
                let is = self.body.equal(self.value, v);
                self.when(is, Self::access);
            }
            10 => {
                let v = u128::from(self.random.below(4));
                let not = self.body.differs(self.value, v);
                self.body.assert(not);
            }
            11 => {
                if self.random.one_in(2) {
                    self.spin();
                } else {
                    self.heap();
                }
            }
            12 => self.heap(),
            _ => {
                let dst = self.body.reg(32);
                self.body.op(Op::Input { dst, kind: InputKind::Choice(2), name: "c".into() });
                self.keep(dst);
            }
        }
    }
}

fn program(seed: u64) -> Program {
    program_with(seed, false)
}

/// `restless`: with loops that go on for ever, through few states.
fn program_with(seed: u64, restless: bool) -> Program {
    let mut random = Random::new(seed);
    let all = [
        Property::Assertions,
        Property::Races,
        Property::Deadlocks,
        Property::Memory,
        Property::Leaks,
    ];
    let checked: Vec<Property> = all.into_iter().filter(|_| !random.one_in(3)).collect();
    let mut b = Builder::checking(&checked);
    let globals = Globals {
        data: vec![b.global("x", 4), b.global("y", 4)],
        mutexes: vec![b.global("m", 4), b.global("n", 4)],
        pointer: b.global("p", 8),
    };
    let threads = 2 + random.below(2);
    let length = if threads == 2 { 3 } else { 2 };
    let mut funcs: Vec<FuncId> = Vec::new();
    for _ in 0..threads {
        let inner = funcs.last().copied().filter(|_| random.one_in(8));
        funcs.push(b.thread("t", &[], |f| {
            let value = f.var(0, 32);
            let mut t = Thread { random: &mut random, globals: &globals, body: f, value };
            for _ in 0..1 + t.random.below(length) {
                if restless && t.random.one_in(3) {
                    t.toggle();
                } else {
                    t.statement();
                }
            }
            if let Some(inner) = inner {
                f.create(inner);
            }
        }));
    }
    let join = random.below(3);
    let main = b.thread("main", &[], |f| {
        let started: Vec<RegId> = funcs.iter().map(|t| f.create(*t)).collect();
        if join > 0 {
            for t in started {
                f.join(t);
            }
            f.read(globals.data[0]);
        }
    });
    b.finish(main)
}

fn keys(e: &Exploration) -> Vec<String> {
    let mut keys: Vec<_> = e.findings.iter().map(|t| format!("{:?}", t.key())).collect();
    keys.sort();
    keys
}

/// What an encoder would know of a trace: the order of accesses and synchronisation.
fn guide(trace: &ConfirmedTrace) -> Vec<GuideStep> {
    let address = |event: &Event| match event {
        Event::Read { target, .. } | Event::Write { target, .. } | Event::Update { target, .. } => {
            Some(Some(target.address))
        }
        Event::Lock { mutex } | Event::Unlock { mutex } | Event::TryLock { mutex, .. } => {
            Some(Some(mutex.address))
        }
        Event::Create { .. } | Event::Join { .. } | Event::Free { .. } => Some(None),
        _ => None,
    };
    let step = |s: &TraceStep| {
        let address = address(&s.event)?;
        Some(GuideStep { thread: s.thread, goal: Goal::Over { at: s.at, address } })
    };
    trace.steps().iter().filter_map(step).collect()
}

fn wanted(trace: &ConfirmedTrace) -> Wanted {
    let sites = &trace.finding().sites;
    let (thread, at) = (sites[0].thread, sites[0].at);
    match &trace.finding().kind {
        FindingKind::Check { .. } => Wanted::Check { thread, at },
        FindingKind::Memory(_) => Wanted::Memory { thread, at },
        FindingKind::Leak { .. } => Wanted::Leak { thread },
        FindingKind::Deadlock { local, .. } => {
            let waits = sites.iter().map(|s| (s.thread, s.at)).collect();
            Wanted::Deadlock { local: *local, waits }
        }
        FindingKind::Race { .. } => {
            Wanted::Race { first: (thread, at), second: (sites[1].thread, sites[1].at) }
        }
        FindingKind::Formula { .. } | FindingKind::Starvation => {
            unreachable!("a search over finite executions finds no lasso")
        }
    }
}

/// A guide made from a trace leads to the same finding.
#[test]
fn guides_lead_back() {
    let mut checked = 0;
    for seed in 0..600 {
        let p = program(seed);
        let found = explore(&p, &Settings { max_executions: Some(300), ..Settings::default() });
        for trace in &found.findings {
            let mut oracle = FromChoices::new(trace.choices());
            let again = replay_guided(&p, &guide(trace), &mut oracle, &wanted(trace));
            let text =
                || format!("seed {seed} {:?}\n{}", trace.key(), raddle_ir::print::program(&p));
            let again = again.unwrap_or_else(|e| panic!("{e}\n{}", text()));
            assert_eq!(again.key(), trace.key(), "{}", text());
            checked += 1;
        }
    }
    assert!(checked > 300, "only {checked} findings");
}

/// Programs whose every interleaving is too many are left out; most must remain.
#[test]
fn reduction_loses_nothing() {
    let seeds: u64 =
        std::env::var("RADDLE_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(1500);
    let (mut compared, mut found, mut saved) = (0, 0, 0);
    for seed in 0..seeds {
        let p = program(seed);
        let settings = Settings {
            collect_final_states: true,
            max_executions: Some(2000),
            ..Settings::default()
        };
        let one_by_one = Settings { states: false, ..settings.clone() };
        let full = explore(&p, &Settings { reduction: false, ..one_by_one.clone() });
        if !full.complete() {
            continue;
        }
        let reduced = explore(&p, &one_by_one);
        let every_state = explore(&p, &Settings { reduction: false, ..settings.clone() });
        let remembering = explore(&p, &settings);
        let text = || format!("seed {seed}\n{}", raddle_ir::print::program(&p));
        for less in [&reduced, &every_state, &remembering] {
            assert_eq!(keys(less), keys(&full), "{}", text());
            assert_eq!(less.final_states, full.final_states, "{}", text());
            assert!(less.complete(), "{}", text());
            assert!(less.executions <= full.executions, "{}", text());
        }
        assert!(remembering.states <= every_state.states, "{}", text());
        compared += 1;
        found += full.findings.len();
        saved += full.executions - reduced.executions;
    }
    assert!(compared * 2 > seeds, "only {compared} of {seeds} programs were compared");
    assert!(found as u64 > seeds / 4 && saved > seeds, "{found} findings, {saved} saved");
}

/// Programs with endless loops: with reduction the same is found as in all states, and the same ends.
#[test]
fn cycles_hide_nothing() {
    let (mut compared, mut found, mut fewer) = (0, 0, 0);
    for seed in 0..1000 {
        let p = program_with(seed, true);
        let settings = Settings {
            collect_final_states: true,
            max_steps: 400,
            memory: Some(2 << 20),
            max_executions: Some(500),
            ..Settings::default()
        };
        let every_state = explore(&p, &Settings { reduction: false, ..settings.clone() });
        if !every_state.complete() || every_state.states == 0 {
            continue;
        }
        let reduced = explore(&p, &settings);
        let text = || format!("seed {seed}\n{}", raddle_ir::print::program(&p));
        assert_eq!(keys(&reduced), keys(&every_state), "{}", text());
        assert_eq!(reduced.final_states, every_state.final_states, "{}", text());
        assert!(reduced.complete() && reduced.states <= every_state.states, "{}", text());
        compared += 1;
        found += every_state.findings.len();
        fewer += u32::from(reduced.states < every_state.states);
    }
    assert!(compared > 500 && found > 200 && fewer > 200, "{compared} {found} {fewer}");
}

/// Bounds leave out the same, with and without states: on context switches, on iterations (also of
/// endless loops), and on instructions.
#[test]
fn bounds_mean_the_same() {
    let (mut compared, mut cut) = (0, 0);
    for seed in 0..400 {
        let (calm, restless) = (program(seed), program_with(seed, true));
        let patience = Settings { max_executions: Some(500), ..Settings::default() };
        let switches = Settings { contexts: Some(seed as u32 % 4), ..patience.clone() };
        let rounds = Settings { unwind: Some(seed as u32 % 3), ..patience.clone() };
        let steps = Settings { max_steps: 10 + seed % 40, ..patience };
        for (p, settings) in [(&calm, switches), (&restless, rounds), (&calm, steps)] {
            let one_by_one = explore(p, &Settings { states: false, ..settings.clone() });
            if one_by_one.cuts.contains(&Cut::Time) {
                continue;
            }
            let remembering = explore(p, &settings);
            let text = || format!("seed {seed} {settings:?}\n{}", raddle_ir::print::program(p));
            let (found, expected) = (keys(&remembering), keys(&one_by_one));
            if settings.max_steps < 100 {
                // Which of several equivalent executions is too long depends on who runs last, and
                // what comes after a state may be known from a shorter path to it. But who has seen
                // everything has found everything.
                let all = expected.iter().all(|key| found.contains(key));
                assert!(all || !remembering.complete(), "{}", text());
            } else {
                assert_eq!(remembering.cuts, one_by_one.cuts, "{}", text());
                assert_eq!(found, expected, "{}", text());
            }
            compared += 1;
            cut += u32::from(!one_by_one.complete());
        }
    }
    assert!(compared > 600 && cut > 200, "{compared} {cut}");
}

/// When there is no room for states the search without them is used, and finds the same.
#[test]
fn memory_is_limited() {
    for seed in 0..100 {
        let p = program(seed);
        let settings = Settings { max_executions: Some(500), ..Settings::default() };
        let without = explore(&p, &Settings { states: false, ..settings.clone() });
        if without.complete() {
            let little = explore(&p, &Settings { memory: Some(5000), ..settings });
            assert_eq!(keys(&little), keys(&without), "seed {seed}");
            assert!(little.complete(), "seed {seed}");
        }
    }
}
