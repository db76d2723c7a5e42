//! Ownership: memory that each thread of a class is given for itself.
//!
//! Idea: threads that one call creates get arguments that tell them apart, and what a thread
//! accesses by its argument is its own:
//! - *Fresh.* The argument is a heap object that was allocated since the call was executed before.
//!   No two threads get the same one.
//! - *Counted.* The call stands in a loop that is entered once, and its argument moves by the same
//!   number in each iteration: `&args[i]`, or `i` itself. Then `argument->field`, or
//!   `results[argument]`, of two threads lie at least as far apart as two elements, and are apart
//!   if what is accessed fits into one of them.
//!
//! Main may access what it will hand over, in the same function and before the call: since then the
//! object was not allocated, or the iteration not begun, it is nobody's yet. Only addresses count
//! that are the argument times a constant, plus a constant, plus a base that is the same for all: a
//! global, or what a global holds that nobody writes once there are threads. Source: disjoint array
//! sections, as parallelising compilers know them.
//! What it rests on: accesses stay inside their objects; fewer threads than numbers, so that no
//! counter comes back.
//! What it does not see: accesses in functions that the thread's first function calls, arguments
//! that come through memory, what main reads back in the loop that joins.

use raddle_ir::{BinOp, Callee, CastOp, Function, InstrRef, Op, Operand, Program, RegId};

use crate::facts::Facts;
use crate::matches::step;
use crate::paths::Paths;
use crate::sharing::range;
use crate::structure::Access;
use crate::threads::ClassId;
use crate::values::{Kind, Value};

/// Constants beyond are not looked at.
const WIDEST: i128 = 1 << 20;

/// What the arguments of a class are.
struct Handed<'a> {
    call: InstrRef,
    /// The function that creates.
    creator: Paths<'a>,
    /// Where the threads start.
    entry: Paths<'a>,
    how: How,
}

enum How {
    /// The result of this call of an allocating function.
    Fresh(InstrRef),
    /// This sum, with the counter of a loop, that changes by so many in each iteration.
    Counted { index: usize, reg: RegId, sum: Sum, stride: i128 },
}

/// A base, plus a variable times a factor, plus an offset.
#[derive(Clone, PartialEq, Debug)]
struct Sum {
    base: Option<Value>,
    factor: i128,
    offset: i128,
}

/// What threads of each class own.
pub(crate) struct Owned<'a> {
    program: &'a Program,
    facts: &'a Facts,
    classes: Vec<Option<Handed<'a>>>,
}

impl<'a> Owned<'a> {
    /// Analyses a program.
    pub fn new(program: &'a Program, facts: &'a Facts) -> Owned<'a> {
        let mut owned = Owned { program, facts, classes: Vec::new() };
        owned.classes = facts.threads.ids().map(|class| owned.handed(class)).collect();
        owned
    }

    /// Whether two accesses are never to the same bytes if they are made by two threads.
    pub fn apart(&self, a: &Access, b: &Access) -> bool {
        let Some(Some(handed)) = self.classes.get(b.class.index()) else { return false };
        if a.class == b.class {
            return self.two_threads(handed, a, b);
        }
        a.class == ClassId::MAIN && self.not_yet(handed, a, b)
    }

    fn handed(&self, class: ClassId) -> Option<Handed<'a>> {
        let Facts { threads, graph, .. } = self.facts;
        let class = threads.class(class);
        let [site] = class.sites.as_slice() else { return None };
        let call = *site.iter().rev().find(|at| !self.program.function(at.func).is_model)?;
        let Op::Call { callee: Callee::Direct(create), args, .. } = &self.program.instr(call)?.op
        else {
            return None;
        };
        let function = self.program.function(*create);
        let is_create = function.is_model && function.name == "pthread_create";
        let entry = self.program.function(class.entry);
        if !is_create || entry.is_model || !graph.callers(class.entry).is_empty() {
            return None;
        }
        let argument = *args.get(3)?;
        let creator = Paths::new(self.program, call.func);
        let how = self.how(&creator, call, argument)?;
        let entry = Paths::new(self.program, class.entry);
        Some(Handed { call, creator, entry, how })
    }

    fn how(&self, paths: &Paths, call: InstrRef, argument: Operand) -> Option<How> {
        let value = paths.value(argument, paths.before(call))?;
        if let Value::Of(made, _) = value
            && self.allocates(paths.op(made))
        {
            let again =
                paths.lead(paths.after(call), paths.before(call), &[paths.before(made)], None);
            return (!again).then_some(How::Fresh(made));
        }
        // Once in each iteration of a loop that is entered once.
        let index = paths.cfg.loop_of[call.block.index()]?;
        let head = paths.head(index);
        let often = paths.lead(paths.after(call), paths.before(call), &[head], None);
        let alone = paths.cfg.loops[index].parent.is_none();
        if often || !alone || !self.facts.threads.runs_once(call.func) {
            return None;
        }
        let mut reg = None;
        let sum = sum(&value, paths.function, &mut |v| match v {
            Value::Counter(l, r) if *l == index && reg.is_none_or(|known| known == *r) => {
                reg = Some(*r);
                Leaf::Variable
            }
            Value::Of(at, _) | Value::Load(at, _) if !paths.contains(index, at.block) => Leaf::Base,
            _ => Leaf::Unknown,
        })?;
        let reg = reg?;
        let counter = paths.counter(index, reg)?;
        let step = step(&paths.defined(counter.next)?, index, reg)?;
        let stride = sum.factor.checked_mul(step)?;
        (stride != 0).then_some(How::Counted { index, reg, sum, stride })
    }

    fn allocates(&self, op: &Op) -> bool {
        let Op::Call { callee: Callee::Direct(f), .. } = op else { return false };
        let function = self.program.function(*f);
        function.is_model && ["malloc", "calloc"].contains(&function.name.as_str())
    }

    /// An access of a thread as a sum with its argument, and how many bytes.
    fn by_argument(&self, handed: &Handed, access: &Access) -> Option<(Sum, i128)> {
        let entry = &handed.entry;
        if access.at.func != entry.func {
            return None;
        }
        let usage = entry.op(access.at).memory_use(entry.function)?;
        let value = entry.value(usage.addr, entry.before(access.at))?;
        let argument = *entry.function.params.first()?;
        let sum = sum(&value, entry.function, &mut |v| match v {
            Value::Param(reg) if *reg == argument => Leaf::Variable,
            Value::Load(at, address) if self.is_constant(entry, *at, address) => Leaf::Base,
            _ => Leaf::Unknown,
        })?;
        Some((sum, i128::from(usage.bytes?)))
    }

    /// Whether a load finds what is not written any more once there are threads.
    fn is_constant(&self, paths: &Paths, at: InstrRef, address: &Value) -> bool {
        let Value::Global(g, offset) = *address else { return false };
        let Op::Load { dst, .. } = paths.op(at) else { return false };
        let object = self.facts.points_to.objects().global(g);
        let bytes = u64::from(paths.function.reg(*dst).width.div_ceil(8));
        let range = range(u64::try_from(offset).ok(), Some(bytes));
        self.facts.sharing.is_read_only_after_start(object, range)
    }

    fn two_threads(&self, handed: &Handed, a: &Access, b: &Access) -> bool {
        let (Some((x, n)), Some((y, m))) =
            (self.by_argument(handed, a), self.by_argument(handed, b))
        else {
            return false;
        };
        let alike = same_base(&x.base, &y.base) && x.factor == y.factor;
        match &handed.how {
            How::Fresh(_) => alike && x.base.is_none() && x.factor == 1,
            How::Counted { stride, .. } => {
                let far = stride.checked_mul(x.factor);
                alike && far.is_some_and(|far| fit((x.offset, n), (y.offset, m), far))
            }
        }
    }

    /// Whether an access of main is to what no thread was given yet.
    fn not_yet(&self, handed: &Handed, a: &Access, b: &Access) -> bool {
        let creator = &handed.creator;
        if a.at.func != creator.func {
            return false;
        }
        let Some((y, m)) = self.by_argument(handed, b) else { return false };
        if y.base.is_some() || y.factor != 1 {
            return false;
        }
        let Some(usage) = creator.op(a.at).memory_use(creator.function) else { return false };
        let here = creator.before(a.at);
        let after = creator.after(handed.call);
        let Some(value) = creator.value(usage.addr, here) else { return false };
        match &handed.how {
            How::Fresh(made) => {
                let own = sum(&value, creator.function, &mut |v| match v {
                    Value::Of(at, _) if at == made => Leaf::Variable,
                    _ => Leaf::Unknown,
                });
                let again = creator.lead_past(after, here, &[creator.before(*made)]);
                own.is_some_and(|own| own.factor == 1 && own.base.is_none()) && !again
            }
            How::Counted { index, reg, sum: given, stride } => {
                if !creator.contains(*index, a.at.block) {
                    return false;
                }
                let own = sum(&value, creator.function, &mut |v| match v {
                    Value::Counter(l, r) if l == index && r == reg => Leaf::Variable,
                    Value::Of(at, _) | Value::Load(at, _)
                        if !creator.contains(*index, at.block) =>
                    {
                        Leaf::Base
                    }
                    _ => Leaf::Unknown,
                });
                let again = creator.lead_past(after, here, &[creator.head(*index)]);
                let (Some(own), Some(bytes)) = (own, usage.bytes) else { return false };
                let alike = own.base == given.base && own.factor == given.factor;
                let windows = ((own.offset, i128::from(bytes)), (given.offset + y.offset, m));
                alike && !again && fit(windows.0, windows.1, *stride)
            }
        }
    }
}

/// Whether two bases are the same: loads of the same place that is not written any more, wherever
/// they stand.
fn same_base(a: &Option<Value>, b: &Option<Value>) -> bool {
    match (a, b) {
        (Some(Value::Load(_, x)), Some(Value::Load(_, y))) => x == y,
        (a, b) => a == b,
    }
}

/// Whether bytes at two offsets never meet if what the offsets count from is at least so far apart.
fn fit((a, n): (i128, i128), (b, m): (i128, i128), far: i128) -> bool {
    (a + n).max(b + m) - a.min(b) <= far.abs()
}

/// What a part of a sum is.
enum Leaf {
    Variable,
    Base,
    Unknown,
}

/// A value as a sum.
fn sum(value: &Value, function: &Function, leaf: &mut dyn FnMut(&Value) -> Leaf) -> Option<Sum> {
    let constant = |offset| Sum { base: None, factor: 0, offset };
    let Value::Computed(kind, of) = value else {
        return match value {
            Value::Const(value, width) => {
                let offset = raddle_ir::fold::signed(*value, *width);
                (offset.abs() <= WIDEST).then_some(constant(offset))
            }
            Value::Global(g, offset) => {
                let base = Some(Value::Global(*g, 0));
                Some(Sum { base, factor: 0, offset: i128::from(*offset) })
            }
            other => {
                // Variables of fewer bits come back to where they were.
                let narrow = match other {
                    Value::Counter(_, reg) | Value::Param(reg) => function.reg(*reg).width < 32,
                    _ => false,
                };
                match leaf(other) {
                    Leaf::Variable if !narrow => Some(Sum { base: None, factor: 1, offset: 0 }),
                    Leaf::Base => Some(Sum { base: Some(other.clone()), factor: 0, offset: 0 }),
                    Leaf::Variable | Leaf::Unknown => None,
                }
            }
        };
    };
    let parts: Option<Vec<Sum>> = of.iter().map(|v| sum(v, function, leaf)).collect();
    let parts = parts?;
    let times = |part: &Sum, by: i128| {
        let fits = by.abs() <= WIDEST && part.base.is_none();
        let (factor, offset) = (part.factor.checked_mul(by)?, part.offset.checked_mul(by)?);
        let small = factor.abs() <= WIDEST && offset.abs() <= WIDEST;
        (fits && small).then_some(Sum { base: None, factor, offset })
    };
    let number = |part: &Sum| (part.base.is_none() && part.factor == 0).then_some(part.offset);
    match (kind, parts.as_slice()) {
        (Kind::Binary(BinOp::Add) | Kind::Offset, [a, b]) => {
            let base = match (&a.base, &b.base) {
                (Some(_), Some(_)) => return None,
                (Some(base), None) | (None, Some(base)) => Some(base.clone()),
                (None, None) => None,
            };
            Some(Sum { base, factor: a.factor + b.factor, offset: a.offset + b.offset })
        }
        (Kind::Binary(BinOp::Sub), [a, b]) => {
            let b = times(b, -1)?;
            let base = a.base.clone();
            Some(Sum { base, factor: a.factor + b.factor, offset: a.offset + b.offset })
        }
        (Kind::Binary(BinOp::Mul), [a, b]) => match (number(a), number(b)) {
            (_, Some(by)) => times(a, by),
            (Some(by), None) => times(b, by),
            (None, None) => None,
        },
        (Kind::Binary(BinOp::Shl), [a, b]) => {
            let by = u32::try_from(number(b)?).ok().filter(|by| *by < 16)?;
            times(a, 1 << by)
        }
        (Kind::Cast(op, width), [a]) => {
            let keeps = matches!(op, CastOp::SignExtend | CastOp::ZeroExtend);
            let whole = keeps || a.base.is_none();
            (*width >= 32 && whole).then(|| a.clone())
        }
        _ => None,
    }
}
