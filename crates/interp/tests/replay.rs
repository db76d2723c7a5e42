//! Steps and replay on programs built by hand.

use raddle_interp::{
    AddressAsk, Ask, Event, FaultKind, FindingKind, Goal, GuideStep, InputAsk, Oracle, Origin,
    ReplayError, ThreadId, Wanted, Zeros, races_on_the_way, replay, replay_guided,
};
use raddle_ir::{AllocKind, BlockId, FuncId, InputKind, InstrRef, Op, Operand, Program, Property};
use raddle_testkit::build::{Builder, PLAIN, c, g};

fn at(func: FuncId, block: u32, index: u32) -> InstrRef {
    InstrRef { func, block: BlockId(block), index }
}

fn step(thread: u32, at: InstrRef) -> GuideStep {
    GuideStep { thread: ThreadId(thread), goal: Goal::Over { at, address: None } }
}

/// Two threads increment `x` by load and store; main checks for 2.
fn lost_update() -> (Program, FuncId, FuncId) {
    let mut b = Builder::checking(&[Property::Assertions, Property::Races]);
    let x = b.global("x", 4);
    let inc = b.thread("inc", &[], |f| {
        let r = f.read(x);
        let r = f.add(r, 1);
        f.store(g(x), Operand::Reg(r), PLAIN);
    });
    let main = b.thread("main", &[], |f| {
        let (p, q) = (f.create(inc), f.create(inc));
        f.join(p);
        f.join(q);
        let r = f.read(x);
        let ok = f.equal(r, 2);
        f.assert(ok);
    });
    (b.finish(main), inc, main)
}

#[test]
fn a_guide_leads_to_a_failed_check() {
    let (program, inc, main) = lost_update();
    let guide = [
        step(2, at(inc, 0, 0)),
        step(3, at(inc, 0, 0)),
        step(2, at(inc, 0, 2)),
        step(3, at(inc, 0, 2)),
    ];
    // Main creates the threads silently only when it is sent somewhere.
    let missing = replay_guided(
        &program,
        &guide,
        &mut Zeros,
        &Wanted::Check { thread: ThreadId(1), at: at(main, 0, 6) },
    );
    assert!(matches!(missing, Err(ReplayError::Diverged { step: 0, .. })), "{missing:?}");
    let mut full = vec![step(1, at(main, 0, 0)), step(1, at(main, 0, 1))];
    full.extend(guide);
    let wanted = Wanted::Check { thread: ThreadId(1), at: at(main, 0, 6) };
    let trace = replay_guided(&program, &full, &mut Zeros, &wanted).unwrap();
    assert_eq!(trace.finding().property, Property::Assertions);
    assert_eq!(trace.finding().sites[0].at, at(main, 0, 6));
    assert_eq!(trace.steps().last().unwrap().event, Event::Violation);
    // The same again from its own choices, also after a round trip through text.
    let text = trace.choices().to_json();
    let again = replay(&program, &raddle_interp::Choices::from_json(&text).unwrap()).unwrap();
    assert_eq!(again, trace);
    let read: Vec<_> = trace
        .steps()
        .iter()
        .filter_map(|s| match &s.event {
            Event::Read { target, value } => Some((s.thread.0, target.name.clone(), value.bits)),
            _ => None,
        })
        .collect();
    let x = || "x".to_string();
    assert_eq!(read, [(2, x(), 0), (3, x(), 0), (1, x(), 1)]);
    // Another program does not accept it.
    let mut other = program.clone();
    other.globals[0].name = "y".into();
    assert_eq!(replay(&other, trace.choices()), Err(ReplayError::OtherProgram));
    // Without interference the check holds.
    let none = replay_guided(&program, &[], &mut Zeros, &wanted);
    assert!(matches!(none, Err(ReplayError::NotShown { .. })), "{none:?}");
}

#[test]
fn a_guide_leads_to_a_race() {
    let (program, inc, main) = lost_update();
    let guide = [step(1, at(main, 0, 1))];
    let wanted =
        Wanted::Race { first: (ThreadId(2), at(inc, 0, 2)), second: (ThreadId(3), at(inc, 0, 0)) };
    let trace = replay_guided(&program, &guide, &mut Zeros, &wanted).unwrap();
    let FindingKind::Race { object, accesses } = &trace.finding().kind else { panic!() };
    assert_eq!(object.object.as_deref(), Some("x"));
    assert_eq!(accesses.map(|a| a.write), [true, false]);
    assert_eq!(replay(&program, trace.choices()).unwrap(), trace);
    // Two reads do not race.
    let wanted =
        Wanted::Race { first: (ThreadId(2), at(inc, 0, 0)), second: (ThreadId(3), at(inc, 0, 0)) };
    assert!(replay_guided(&program, &guide, &mut Zeros, &wanted).is_err());
}

#[test]
fn a_guide_leads_to_a_deadlock() {
    let mut b = Builder::checking(&[Property::Deadlocks]);
    let (m, n) = (b.global("m", 4), b.global("n", 4));
    let two = |first, second| {
        move |f: &mut raddle_testkit::build::Body<'_>| {
            f.lock(first);
            f.lock(second);
            f.unlock(second);
            f.unlock(first);
        }
    };
    let p = b.thread("p", &[], two(m, n));
    let q = b.thread("q", &[], two(n, m));
    let main = b.thread("main", &[], |f| {
        let t = f.create(p);
        f.create(q);
        f.join(t);
    });
    let program = b.finish(main);
    let guide = [step(1, at(main, 0, 1)), step(2, at(p, 0, 0)), step(3, at(q, 0, 0))];
    let waits = vec![(ThreadId(2), at(p, 0, 1)), (ThreadId(3), at(q, 0, 1))];
    let wanted = Wanted::Deadlock { local: true, waits };
    let trace = replay_guided(&program, &guide, &mut Zeros, &wanted).unwrap();
    let FindingKind::Deadlock { local, waits } = &trace.finding().kind else { panic!() };
    assert!(local);
    assert_eq!(waits.iter().map(|w| w.thread.0).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(waits[0].holding[0].mutex, "m");
    // In order, nobody waits for ever.
    let guide = [step(1, at(main, 0, 1)), step(2, at(p, 0, 3))];
    assert!(replay_guided(&program, &guide, &mut Zeros, &wanted).is_err());
}

/// Answers every input with 7, places objects at one address, fills memory with 9.
struct Sevens;

impl Oracle for Sevens {
    fn input(&mut self, _: &InputAsk<'_>) -> u128 {
        7
    }
    fn address(&mut self, ask: &AddressAsk) -> Option<u64> {
        Some(0x50_0000 + 0x1000 * u64::from(ask.nth))
    }
    fn thread_number(&mut self, _: &Ask) -> Option<u32> {
        None
    }
    fn initial_byte(&mut self, _: &Origin, _: u64) -> u8 {
        9
    }
    fn spurious(&mut self, _: &Ask) -> bool {
        false
    }
}

#[test]
fn inputs_addresses_and_unknown_bytes_come_from_the_oracle() {
    let mut b = Builder::checking(&[Property::Assertions, Property::Memory]);
    let main = b.thread("main", &[], |f| {
        let input = f.reg(32);
        f.op(Op::Input { dst: input, kind: InputKind::External, name: "n".into() });
        let p = f.reg(64);
        f.op(Op::Alloc {
            dst: p,
            size: c(4, 64),
            align: 4,
            kind: AllocKind::Heap,
            zeroed: false,
            name: String::new(),
            ctype: None,
        });
        let word = f.load(Operand::Reg(p), 32, PLAIN);
        let (is, good) = (f.equal(word, 0x0909_0909), f.equal(input, 7));
        let address = f.equal(p, 0x50_0000);
        f.assert(is);
        f.assert(good);
        f.assert(address);
        f.op(Op::Free { addr: Operand::Reg(p) });
        f.op(Op::Store { addr: Operand::Reg(p), value: c(1, 32), width: 32, access: PLAIN });
    });
    let program = b.finish(main);
    let wanted = Wanted::Memory { thread: ThreadId(1), at: at(main, 0, 10) };
    let trace = replay_guided(&program, &[], &mut Sevens, &wanted).unwrap();
    let FindingKind::Memory(fault) = &trace.finding().kind else { panic!("{trace:?}") };
    assert_eq!((fault.kind, fault.address), (FaultKind::UseAfterFree, 0x50_0000));
    assert!(fault.object.as_ref().unwrap().freed.is_some());
    assert_eq!(replay(&program, trace.choices()).unwrap(), trace);
    // With other answers another check fails first: that is confirmed instead.
    let trace = replay_guided(&program, &[], &mut Zeros, &wanted).unwrap();
    assert_eq!(trace.finding().property, Property::Assertions);
}

/// Two threads store to `x`, to `y` and to `y` again; each is a line of its own.
fn three_stores() -> (Program, FuncId, FuncId) {
    let mut b = Builder::checking(&[Property::Races]);
    let [x, y] = ["x", "y"].map(|name| b.global(name, 4));
    let body = b.thread("body", &[], |f| {
        for variable in [x, y, y] {
            f.store(g(variable), c(1, 32), PLAIN);
        }
    });
    let main = b.thread("main", &[], |f| {
        f.create(body);
        f.create(body);
    });
    (b.finish(main), body, main)
}

#[test]
fn an_execution_shows_the_races_that_it_passes_and_those_behind() {
    let (program, body, main) = three_stores();
    let guide = [
        step(1, at(main, 0, 0)),
        step(1, at(main, 0, 1)),
        step(2, at(body, 0, 0)),
        step(3, at(body, 0, 0)),
    ];
    let second = at(body, 0, 1);
    let wanted = Wanted::Race { first: (ThreadId(2), second), second: (ThreadId(3), second) };
    let trace = replay_guided(&program, &guide, &mut Zeros, &wanted).unwrap();
    let stores = |race: &raddle_interp::ConfirmedTrace| {
        let mut both: Vec<u32> = race.finding().sites.iter().map(|s| s.at.index).collect();
        both.sort_unstable();
        both
    };
    // On the way both are about to store to `x`. At the end both stand before their first store to
    // `y`; a thread that goes on alone from there comes before its second one.
    let expected: [(bool, &[&[u32]]); 2] = [(false, &[&[0, 0]]), (true, &[&[0, 0], &[1, 2]])];
    for (behind, expected) in expected {
        let mut known = std::collections::BTreeSet::from([trace.key().clone()]);
        let found = races_on_the_way(&program, &trace, behind, &mut known);
        assert_eq!(found.iter().map(stores).collect::<Vec<_>>(), expected);
        for race in &found {
            assert!(known.contains(race.key()));
            assert_eq!(race.key(), replay(&program, race.choices()).unwrap().key());
        }
        assert!(races_on_the_way(&program, &trace, behind, &mut known).is_empty());
    }
}
