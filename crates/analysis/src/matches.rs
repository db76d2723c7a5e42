//! Which joins end the threads of a call: the matches of [`crate::joins`], whose header has the
//! argument.
//!
//! Idea: for each pair of a call that creates and one that joins, in one function, compare the
//! address where the number is put with the one where it is read, and look for writes in between.
//! Two loops are compared by what their heads ask and how their counters count.
//! Limits: those of [`crate::values`]; loops that are not inside each other.

use raddle_ir::{
    BinOp, BlockId, Callee, CastOp, FuncId, Function, InstrRef, Op, Operand, Program, RegId,
    Terminator,
};

use crate::call_graph::{CallGraph, FuncSet};
use crate::joins::{End, Ends, Entry, Match};
use crate::objects::{ObjectId, instructions_of};
use crate::paths::{Paths, Position};
use crate::points_to::PointsTo;
use crate::sharing::{overlap, range};
use crate::threads::{ClassId, Threads};
use crate::values::{Kind, Value};

/// Library functions that create and join threads. The first argument says where the number is, or
/// is it.
const CREATES: [&str; 2] = ["pthread_create", "thrd_create"];
const JOINS: [&str; 2] = ["pthread_join", "thrd_join"];
/// More pairs of calls that create and join are not looked at.
const MOST_PAIRS: usize = 400;
/// Addresses that move further are not looked at.
const WIDEST: i128 = 1 << 16;

/// One function while matches are looked for.
pub(crate) struct View<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    graph: &'a CallGraph,
    threads: &'a Threads,
    paths: Paths<'a>,
    /// The functions that are entered without passing this one.
    elsewhere: FuncSet,
}

/// A stretch of executions: from a position to another one, with the loops at its ends.
struct Span {
    from: Position,
    to: Position,
    loops: Option<[usize; 2]>,
}

impl<'a> View<'a> {
    pub fn new(
        program: &'a Program,
        points_to: &'a PointsTo,
        graph: &'a CallGraph,
        threads: &'a Threads,
        func: FuncId,
    ) -> View<'a> {
        let mut elsewhere = FuncSet::new(program);
        let entries = threads.classes().iter().map(|c| c.entry);
        let mut work: Vec<FuncId> = entries.filter(|f| *f != func).collect();
        while let Some(f) = work.pop() {
            if elsewhere.insert(f) {
                work.extend(graph.calls(f).iter().map(|c| c.1).filter(|f| *f != func));
            }
        }
        View { program, points_to, graph, threads, paths: Paths::new(program, func), elsewhere }
    }

    /// The calls of one of these library functions, with their arguments.
    fn calls(&self, names: &[&str]) -> Vec<(InstrRef, &'a [Operand])> {
        let all = instructions_of(self.program, self.paths.func).filter_map(|(at, op)| match op {
            Op::Call { callee: Callee::Direct(f), args, .. } => {
                let function = self.program.function(*f);
                let named = function.is_model && names.contains(&function.name.as_str());
                named.then_some((at, args.as_slice()))
            }
            _ => None,
        });
        all.collect()
    }

    pub fn ends(&self) -> Option<Ends> {
        let func = self.paths.func;
        let calls = self.calls(&CREATES);
        let calls_of = |(call, callee): &(InstrRef, FuncId)| {
            (*call, self.graph.reachable(self.program, *callee))
        };
        let mut ends = Ends {
            func,
            calls: Vec::new(),
            alive: Vec::new(),
            matches: Vec::new(),
            elsewhere: self.elsewhere.clone(),
            inside: Vec::new(),
        };
        for class in self.threads.ids().skip(1) {
            let own = |chain: &Vec<InstrRef>| {
                let call = *chain.iter().find(|at| at.func == func)?;
                let at = calls.iter().find(|c| c.0 == call)?;
                // Attributes may say that a thread cannot be joined.
                let plain = at.1.len() == 3
                    || matches!(at.1.get(1), Some(Operand::Const(c)) if c.value == 0);
                plain.then_some((call, class))
            };
            let sites = &self.threads.class(class).sites;
            let all: Option<Vec<(InstrRef, ClassId)>> = sites.iter().map(own).collect();
            ends.calls.extend(all.into_iter().flatten());
        }
        let joins = self.calls(&JOINS);
        if ends.calls.is_empty() || joins.is_empty() || ends.calls.len() * joins.len() > MOST_PAIRS
        {
            return None;
        }
        ends.inside = self.graph.calls(func).iter().map(calls_of).collect();
        for (i, (call, _)) in ends.calls.iter().enumerate() {
            let args = calls.iter().find(|c| c.0 == *call).map(|c| c.1)?;
            for join in &joins {
                ends.matches.extend(self.one_by_one(i, *call, args[0], join.0, join.1[0]));
                ends.matches.extend(self.loop_by_loop(i, *call, args[0], join.0, join.1[0]));
            }
        }
        if ends.matches.is_empty() {
            return None;
        }
        ends.settle(self.program, &self.paths);
        Some(ends)
    }

    fn one_by_one(
        &self,
        call: usize,
        created: InstrRef,
        slot: Operand,
        joined: InstrRef,
        number: Operand,
    ) -> Option<Match> {
        let paths = &self.paths;
        let span = Span { from: paths.before(created), to: paths.before(joined), loops: None };
        let address = paths.value(slot, span.from)?;
        let Value::Load(load, found) = paths.value(number, span.to)? else { return None };
        // What is joined was read after the call.
        let read_between = !paths.lead_past(paths.after(created), span.to, &[paths.before(load)]);
        let same = read_between && self.equal(&address, &found, &span);
        (same && self.keeps(created, slot, &span)).then_some(Match {
            call,
            at: End::After(joined),
            entry: Entry::Before(created),
        })
    }

    fn loop_by_loop(
        &self,
        call: usize,
        created: InstrRef,
        slot: Operand,
        joined: InstrRef,
        number: Operand,
    ) -> Option<Match> {
        let paths = &self.paths;
        let first = paths.cfg.loop_of[created.block.index()]?;
        let second = paths.cfg.loop_of[joined.block.index()]?;
        let [from, to] = [first, second].map(|l| paths.head(l));
        if first == second || paths.contains(first, to.0) || paths.contains(second, from.0) {
            return None;
        }
        let span = Span { from, to, loops: Some([first, second]) };
        let address = paths.value(slot, paths.before(created))?;
        let Value::Load(load, found) = paths.value(number, paths.before(joined))? else {
            return None;
        };
        // Each iteration reads and joins; the number that is joined was read in the same one.
        let skips = |at: InstrRef| paths.lead(to, to, &[paths.before(at)], Some(second));
        let read_before = paths.lead(to, paths.before(joined), &[paths.before(load)], Some(second));
        if skips(joined) || skips(load) || read_before {
            return None;
        }
        // At most one thread in each iteration of the first loop.
        if paths.lead(paths.after(created), paths.before(created), &[from], None) {
            return None;
        }
        let (exit, conditions) = self.conditions(first, second)?;
        let [(a, stays_a), (b, stays_b)] = conditions;
        let in_step = stays_a == stays_b && self.equal(&a, &b, &span);
        let apart = self.stride(&address, first)?.abs() >= i128::from(self.program.pointer_bytes());
        let same = in_step && apart && self.equal(&address, &found, &span);
        (same && self.keeps(created, slot, &span)).then_some(Match {
            call,
            at: End::Edge(to.0, exit),
            entry: Entry::Loop(first),
        })
    }

    /// Under which values the heads of two loops go on (and whether on 1 or 0), and where the
    /// second leads otherwise.
    #[allow(clippy::type_complexity)]
    fn conditions(&self, first: usize, second: usize) -> Option<(BlockId, [(Value, bool); 2])> {
        let mut exit = None;
        let mut of = |index: usize| {
            let block = self.paths.cfg.loops[index].head;
            let Terminator::Branch { cond, then, other } = self.paths.function.block(block).end
            else {
                return None;
            };
            let stays = match (self.paths.contains(index, then), self.paths.contains(index, other))
            {
                (true, false) => true,
                (false, true) => false,
                (true, true) | (false, false) => return None,
            };
            exit = Some(if stays { other } else { then });
            let end = (block, self.paths.function.block(block).instrs.len() as u32);
            Some((self.paths.value(cond, end)?, stays))
        };
        let conditions = [of(first)?, of(second)?];
        Some((exit?, conditions))
    }

    /// Whether a value at the beginning of a span is the other one at its end; for loops, in
    /// iterations of the same number.
    fn equal(&self, a: &Value, b: &Value, span: &Span) -> bool {
        match (a, b) {
            (Value::Const(x, v), Value::Const(y, w)) => x == y && v == w,
            (Value::Global(x, v), Value::Global(y, w)) => x == y && v == w,
            (Value::Function(x), Value::Function(y)) => x == y,
            (Value::Param(x), Value::Param(y)) => x == y,
            (Value::Of(x, r), Value::Of(y, s)) => x == y && r == s && self.is_old(*x, span),
            (Value::Load(x, p), Value::Load(y, q)) => {
                (x == y && self.is_old(*x, span))
                    || (self.equal(p, q, span) && self.is_stable(*x, *y, span))
            }
            (Value::Computed(k, p), Value::Computed(l, q)) => {
                let all = |(p, q): (&Value, &Value)| self.equal(p, q, span);
                k == l && p.len() == q.len() && p.iter().zip(q).all(all)
            }
            (Value::Counter(x, r), Value::Counter(y, s)) => {
                span.loops == Some([*x, *y]) && self.count_alike((*x, *r), (*y, *s), span)
            }
            _ => false,
        }
    }

    /// Whether two counters have the same values in iterations of the same number.
    fn count_alike(
        &self,
        (first, r): (usize, RegId),
        (second, s): (usize, RegId),
        span: &Span,
    ) -> bool {
        let paths = &self.paths;
        let (Some(a), Some(b)) = (paths.counter(first, r), paths.counter(second, s)) else {
            return false;
        };
        let initial = |index: usize, first: InstrRef| {
            let value = paths.defined(first)?;
            paths.is_fresh(&value, paths.head(index), first).then_some(value)
        };
        let (Some(p), Some(q)) = (initial(first, a.first), initial(second, b.first)) else {
            return false;
        };
        let (Some(next), Some(other)) = (paths.defined(a.next), paths.defined(b.next)) else {
            return false;
        };
        // The step of each is a constant: it asks for nothing but the counter itself.
        let steps = (step(&next, first, r), step(&other, second, s));
        let alike = matches!(steps, (Some(x), Some(y)) if x == y);
        // A value from memory may have changed between where it was read and the loop.
        alike && !mentions_memory(&p) && self.equal(&p, &q, span)
    }

    /// Whether an instruction is not executed again between the ends of a span: it may be executed
    /// before the span begins anew.
    fn is_old(&self, at: InstrRef, span: &Span) -> bool {
        let in_loop = span.loops.is_some_and(|l| {
            l.iter().any(|l| at.func == self.paths.func && self.paths.contains(*l, at.block))
        });
        let comes = self.paths.lead_past(span.from, self.paths.before(at), &[]);
        let goes = self.paths.lead_past(self.paths.after(at), span.to, &[span.from]);
        !(in_loop || comes && goes)
    }

    /// Whether two loads of one address at the ends of a span find the same.
    fn is_stable(&self, a: InstrRef, b: InstrRef, span: &Span) -> bool {
        let inside = |at: InstrRef, end: usize, position: Position| match span.loops {
            Some(loops) => self.paths.contains(loops[end], at.block),
            // Read right before, with nothing between that could write.
            None => {
                at.block == position.0
                    && at.index < position.1
                    && (at.index..position.1).all(|index| {
                        let op = self.paths.op(InstrRef { index, ..at });
                        matches!(op, Op::Assign { .. } | Op::Load { .. })
                    })
            }
        };
        if !inside(a, 0, span.from) || !inside(b, 1, span.to) {
            return false;
        }
        let [x, y] = [a, b].map(|at| self.paths.op(at));
        let (Op::Load { dst: r, addr, .. }, Op::Load { dst: s, .. }) = (x, y) else {
            return false;
        };
        let bytes = self.paths.function.reg(*r).width.div_ceil(8);
        let same = bytes == self.paths.function.reg(*s).width.div_ceil(8);
        same && self.is_written_before(*addr, u64::from(bytes), None, span)
    }

    /// Whether the number that a call puts into its slot stays there.
    fn keeps(&self, created: InstrRef, slot: Operand, span: &Span) -> bool {
        self.is_written_before(slot, self.program.pointer_bytes(), Some(created), span)
    }

    /// Whether all writes to where an address may lead, but for those of a call, come before the
    /// span begins.
    fn is_written_before(
        &self,
        addr: Operand,
        bytes: u64,
        but: Option<InstrRef>,
        span: &Span,
    ) -> bool {
        let places = self.points_to.locations(self.paths.func, addr);
        if places.is_empty() || places.iter().any(|(object, _)| *object == ObjectId::UNKNOWN) {
            return false;
        }
        for inside in self.points_to.instances() {
            let instance = self.points_to.instance(inside);
            for (at, op) in instructions_of(self.program, instance.func) {
                let usage = op.memory_use(self.program.function(at.func));
                let Some(usage) = usage.filter(|u| u.writes) else { continue };
                if matches!(op, Op::Free { .. }) {
                    // What is read afterwards is not valid.
                    continue;
                }
                let touched = |&(object, offset): &(ObjectId, Option<u64>)| {
                    places.iter().any(|&(other, place)| {
                        let ranges = [range(offset, usage.bytes), range(place, Some(bytes))];
                        object == other && overlap(ranges[0], ranges[1])
                    })
                };
                let hits = self.points_to.locations_in(inside, usage.addr);
                let touches =
                    hits.iter().any(touched) || hits.iter().any(|l| l.0 == ObjectId::UNKNOWN);
                if touches && !self.happens_before(&instance.chain, at, but, span) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether an instruction in a context is part of a call, or comes before a span begins.
    fn happens_before(
        &self,
        chain: &[InstrRef],
        at: InstrRef,
        but: Option<InstrRef>,
        span: &Span,
    ) -> bool {
        let func = self.paths.func;
        let own = chain.iter().copied().chain([at]).find(|at| at.func == func);
        if let Some(own) = own {
            return Some(own) == but || self.is_old(own, span);
        }
        let outermost = chain.first().map_or(at.func, |call| call.func);
        if self.elsewhere.contains(outermost) {
            return false;
        }
        // It runs inside calls of this function only.
        self.graph.calls(func).iter().all(|&(call, callee)| {
            let enters = self.graph.reachable(self.program, callee).contains(outermost);
            !enters || self.is_old(call, span)
        })
    }

    /// By how many bytes an address moves in each iteration of a loop.
    fn stride(&self, address: &Value, index: usize) -> Option<i128> {
        let (reg, factor) = linear(address, index, self.paths.function)?;
        let counter = self.paths.counter(index, reg?)?;
        let stride = factor.checked_mul(step(&self.paths.defined(counter.next)?, index, reg?)?)?;
        (stride != 0 && stride.abs() <= WIDEST).then_some(stride)
    }
}

fn mentions_memory(value: &Value) -> bool {
    match value {
        Value::Load(..) => true,
        Value::Computed(_, of) => of.iter().any(mentions_memory),
        Value::Const(..)
        | Value::Global(..)
        | Value::Function(_)
        | Value::Param(_)
        | Value::Of(..)
        | Value::Counter(..) => false,
    }
}

/// A small constant as a signed number.
fn small(value: &Value) -> Option<i128> {
    let Value::Const(value, width) = value else { return None };
    let signed = raddle_ir::fold::signed(*value, *width);
    (signed.abs() <= WIDEST).then_some(signed)
}

/// By how much a counter changes in each iteration, if its next value is its last one and a
/// constant.
pub(crate) fn step(next: &Value, index: usize, reg: RegId) -> Option<i128> {
    let Value::Computed(kind, of) = next else { return None };
    let [a, b] = of.as_slice() else { return None };
    let is_counter = |v: &Value| *v == Value::Counter(index, reg);
    match kind {
        Kind::Binary(BinOp::Add) | Kind::Offset if is_counter(a) => small(b),
        Kind::Binary(BinOp::Add) if is_counter(b) => small(a),
        Kind::Binary(BinOp::Sub) if is_counter(a) => small(b).map(|n| -n),
        Kind::Binary(_) | Kind::Cast(..) | Kind::Compare(_) | Kind::Offset => None,
    }
}

/// The counter of a loop that a value depends on, if any, and the factor of it: a sum of one
/// counter times a constant and of what stays the same in the loop.
fn linear(value: &Value, index: usize, function: &Function) -> Option<(Option<RegId>, i128)> {
    let Value::Computed(kind, of) = value else {
        return match value {
            // Counters of fewer bits come back to where they were.
            Value::Counter(l, reg) => {
                (*l == index && function.reg(*reg).width >= 32).then_some((Some(*reg), 1))
            }
            Value::Const(..) | Value::Global(..) | Value::Function(_) | Value::Param(_) => {
                Some((None, 0))
            }
            // Whether they stay the same is asked when addresses are compared.
            Value::Of(..) => Some((None, 0)),
            Value::Load(_, addr) => {
                (linear(addr, index, function)?.0.is_none()).then_some((None, 0))
            }
            Value::Computed(..) => None,
        };
    };
    let parts: Option<Vec<_>> = of.iter().map(|v| linear(v, index, function)).collect();
    let parts = parts?;
    let sum = |a: (Option<_>, i128), b: (Option<_>, i128), sign: i128| match (a.0, b.0) {
        (None, None) => Some((None, 0)),
        (Some(reg), None) => Some((Some(reg), a.1)),
        (None, Some(reg)) => Some((Some(reg), b.1.checked_mul(sign)?)),
        (Some(r), Some(s)) if r == s => Some((Some(r), a.1 + sign * b.1)),
        (Some(_), Some(_)) => None,
    };
    match (kind, parts.as_slice()) {
        (_, parts) if parts.iter().all(|p| p.0.is_none()) => Some((None, 0)),
        (Kind::Binary(BinOp::Add) | Kind::Offset, [a, b]) => sum(*a, *b, 1),
        (Kind::Binary(BinOp::Sub), [a, b]) => sum(*a, *b, -1),
        (Kind::Binary(BinOp::Mul), [(Some(reg), n), (None, _)]) => {
            Some((Some(*reg), n.checked_mul(small(&of[1])?)?))
        }
        (Kind::Binary(BinOp::Mul), [(None, _), (Some(reg), n)]) => {
            Some((Some(*reg), n.checked_mul(small(&of[0])?)?))
        }
        (Kind::Binary(BinOp::Shl), [(Some(reg), n), (None, _)]) => {
            let by = u32::try_from(small(&of[1])?).ok().filter(|by| *by < 16)?;
            Some((Some(*reg), n.checked_mul(1 << by)?))
        }
        (Kind::Cast(CastOp::SignExtend | CastOp::ZeroExtend, _), [part]) => Some(*part),
        _ => None,
    }
}
