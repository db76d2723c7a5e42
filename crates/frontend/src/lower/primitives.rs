//! Names with a fixed meaning: the primitives of library models, the functions of SV-COMP and CBMC,
//! assertions.
//!
//! A call of one becomes an instruction. Most keep their meaning whatever the user defines
//! (`reach_error` is an error even if its body is `assert(0)`); those in `UNLESS_DEFINED` give way
//! to a definition of the user.

use raddle_ir::{Access, AllocKind, CmpOp, Expr, InputKind, Op, Operand, Order, Property, RegId};

use super::body::Body;
use super::calls::Arguments;
use super::compute::{Computes, Parts, constant, one};
use super::hooks::is_hook;
use super::refusal::{Lowered, refuse};
use crate::MAY_FAIL;
use crate::llvm::types::TypeId;

/// A name with a fixed meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Primitive {
    AtomicBegin,
    AtomicEnd,
    Block {
        spurious: bool,
    },
    Assume,
    /// `(property, condition, message)`.
    Check,
    /// `(property)`.
    Checking,
    MayFail,
    Create,
    Join,
    ThreadExit,
    ThreadSelf {
        place: bool,
    },
    /// `(byte, value)`: a store by which the thread enters or leaves a set of threads.
    StoreSet,
    /// A function of a model, if the program needs it.
    Hook,
    Lock {
        wait: bool,
    },
    Unlock {
        wait: bool,
    },
    TryLock,
    /// Whether the thread holds a mutex: its word, to be compared with the own number.
    Holder,
    Alloc {
        zeroed: bool,
    },
    Free,
    ObjectSize,
    /// Any value of the result's type.
    Input,
    Choice,
    Exit {
        leaks: bool,
    },
    /// `(what)`.
    Refuse,
    Fence,
    /// An error call.
    Error,
    /// A hint to another tool, without meaning here.
    Hint,
    /// `(condition)` must hold.
    Assert,
    /// `(condition, message)` must hold.
    AssertMessage,
    /// A failed assertion; the text is this argument.
    AssertFails {
        text: usize,
    },
}

const ALWAYS: &[(&str, Primitive)] = &[
    ("__raddle_atomic_begin", Primitive::AtomicBegin),
    ("__raddle_atomic_end", Primitive::AtomicEnd),
    ("__raddle_block", Primitive::Block { spurious: false }),
    ("__raddle_block_or_wake", Primitive::Block { spurious: true }),
    ("__raddle_assume", Primitive::Assume),
    ("__raddle_check", Primitive::Check),
    ("__raddle_checking", Primitive::Checking),
    ("__raddle_may_fail", Primitive::MayFail),
    ("__raddle_create", Primitive::Create),
    ("__raddle_create2", Primitive::Create),
    ("__raddle_join", Primitive::Join),
    ("__raddle_thread_exit", Primitive::ThreadExit),
    ("__raddle_self", Primitive::ThreadSelf { place: false }),
    ("__raddle_place", Primitive::ThreadSelf { place: true }),
    ("__raddle_store_set", Primitive::StoreSet),
    ("__raddle_lock", Primitive::Lock { wait: false }),
    ("__raddle_unlock", Primitive::Unlock { wait: false }),
    ("__raddle_trylock", Primitive::TryLock),
    ("__raddle_holder", Primitive::Holder),
    ("__raddle_wait_unlock", Primitive::Unlock { wait: true }),
    ("__raddle_wait_lock", Primitive::Lock { wait: true }),
    ("__raddle_alloc", Primitive::Alloc { zeroed: false }),
    ("__raddle_alloc_zeroed", Primitive::Alloc { zeroed: true }),
    ("__raddle_alloc_aligned", Primitive::Alloc { zeroed: false }),
    ("__raddle_free", Primitive::Free),
    ("__raddle_object_size", Primitive::ObjectSize),
    ("__raddle_choice", Primitive::Choice),
    ("__raddle_exit", Primitive::Exit { leaks: true }),
    ("__raddle_abort", Primitive::Exit { leaks: false }),
    ("__raddle_unsupported", Primitive::Refuse),
    ("__raddle_fence", Primitive::Fence),
    ("__VERIFIER_atomic_begin", Primitive::AtomicBegin),
    ("__VERIFIER_atomic_end", Primitive::AtomicEnd),
    ("__VERIFIER_assume", Primitive::Assume),
    ("__VERIFIER_error", Primitive::Error),
    ("reach_error", Primitive::Error),
    ("__CPROVER_assume", Primitive::Assume),
    ("__CPROVER_assert", Primitive::AssertMessage),
    ("__CPROVER_atomic_begin", Primitive::AtomicBegin),
    ("__CPROVER_atomic_end", Primitive::AtomicEnd),
    ("__CPROVER_fence", Primitive::Fence),
    ("__CPROVER_input", Primitive::Hint),
    ("__CPROVER_output", Primitive::Hint),
    ("__CPROVER_cover", Primitive::Hint),
    ("__ESBMC_assume", Primitive::Assume),
    ("__ESBMC_assert", Primitive::AssertMessage),
    ("__ESBMC_atomic_begin", Primitive::AtomicBegin),
    ("__ESBMC_atomic_end", Primitive::AtomicEnd),
    // Where loops of GenMC and Dartagnan begin, spin and end: how often is for the search to find.
    ("__VERIFIER_loop_bound", Primitive::Hint),
    ("__VERIFIER_loop_begin", Primitive::Hint),
    ("__VERIFIER_spin_start", Primitive::Hint),
    ("__VERIFIER_spin_end", Primitive::Hint),
    ("__VERIFIER_faiSpinEnd", Primitive::Hint),
];

const UNLESS_DEFINED: &[(&str, Primitive)] = &[
    ("__VERIFIER_assert", Primitive::Assert),
    ("__assert_fail", Primitive::AssertFails { text: 0 }),
    ("__assert", Primitive::AssertFails { text: 0 }),
    ("__assert_rtn", Primitive::AssertFails { text: 3 }),
    ("__assert_perror_fail", Primitive::AssertFails { text: usize::MAX }),
    ("_assert", Primitive::AssertFails { text: 0 }),
    ("__sync_synchronize", Primitive::Fence),
    // Without its header.
    ("assert", Primitive::Assert),
];

/// Inputs by the beginning of their name.
const INPUTS: &[&str] = &["__raddle_input_", "__VERIFIER_nondet_", "__CPROVER_nondet_"];

/// What a name means, if it has a fixed meaning.
pub(crate) fn find(name: &str, user_defined: bool) -> Option<Primitive> {
    let plain = matches!(name, "reach_error" | "assert") || name.starts_with("nondet_");
    // A function of the library that writes to memory, not an input.
    if (!name.starts_with('_') && !plain) || name == "__VERIFIER_nondet_memory" {
        return None;
    }
    let look = |table: &[(&str, Primitive)]| table.iter().find(|(n, _)| *n == name).map(|t| t.1);
    if let Some(primitive) = look(ALWAYS) {
        return Some(primitive);
    }
    if is_hook(name) {
        return Some(Primitive::Hook);
    }
    if INPUTS.iter().any(|prefix| name.starts_with(prefix)) {
        return Some(Primitive::Input);
    }
    if user_defined {
        return None;
    }
    if name.starts_with("nondet_") {
        return Some(Primitive::Input);
    }
    look(UNLESS_DEFINED)
}

impl Body<'_, '_> {
    /// Emits what a primitive does; gives its result.
    pub(crate) fn primitive(
        &mut self,
        primitive: Primitive,
        name: &str,
        args: &Arguments<'_>,
        result: TypeId,
    ) -> Lowered<Parts> {
        let bits = self.unit.pointer_bits();
        match primitive {
            Primitive::Hint => return hint(name, result),
            Primitive::AtomicBegin => self.push(Op::AtomicBegin),
            Primitive::AtomicEnd => self.push(Op::AtomicEnd),
            Primitive::Fence => self.push(Op::Fence { order: Order::SeqCst }),
            Primitive::Block { spurious } => {
                let cond = self.condition(args, 0)?;
                self.push(Op::Block { cond, spurious });
            }
            Primitive::Assume => {
                let cond = self.condition(args, 0)?;
                self.push(Op::Assume { cond });
                // Nothing follows an assumption that never holds.
                self.stopped = is_zero(cond);
            }
            Primitive::Check => return self.check(args),
            Primitive::Checking | Primitive::MayFail => {
                let on = self.is_on(primitive, args)?;
                return Ok(one(constant(u128::from(on), self.unit.width(result)?)));
            }
            Primitive::Error => self.fail(Property::Unreach, format!("{name}() is called")),
            Primitive::Assert => self.assert(args, None)?,
            Primitive::AssertMessage => self.assert(args, self.text(args, 1))?,
            Primitive::AssertFails { text } => self.assertion_fails(self.text(args, text)),
            Primitive::Refuse => {
                return refuse(self.text(args, 0).unwrap_or_else(|| "a library function".into()));
            }
            Primitive::Exit { leaks } => {
                self.push(Op::Exit { leaks });
                self.stopped = true;
            }
            Primitive::ThreadExit => {
                let value = self.argument(args, 0)?;
                self.push(Op::ThreadExit { value });
                self.stopped = true;
            }
            Primitive::Free | Primitive::Lock { .. } | Primitive::Unlock { .. } => {
                let at = self.argument(args, 0)?;
                self.push(match primitive {
                    Primitive::Lock { wait } => Op::Lock { mutex: at, wait },
                    Primitive::Unlock { wait } => Op::Unlock { mutex: at, wait },
                    _ => Op::Free { addr: at },
                });
            }
            Primitive::TryLock => {
                let mutex = self.argument(args, 0)?;
                return Ok(self.made(32, |dst| Op::TryLock { dst, mutex }));
            }
            Primitive::Holder => return self.holder(args),
            Primitive::Create => return self.create(args),
            Primitive::Join => {
                let thread = self.argument(args, 0)?;
                return Ok(self.made(bits, |dst| Op::Join { dst: Some(dst), thread }));
            }
            Primitive::ThreadSelf { place } => {
                return Ok(self.made(bits, |dst| Op::ThreadSelf { dst, place }));
            }
            Primitive::StoreSet => self.store_set(args)?,
            Primitive::Hook => return self.call_hook(name, args, result),
            Primitive::Alloc { zeroed } => {
                let (size, align) = (self.argument(args, 0)?, self.alignment(args)?);
                return Ok(self.made(bits, |dst| heap_object(dst, size, align, zeroed)));
            }
            Primitive::ObjectSize => {
                let addr = self.argument(args, 0)?;
                return Ok(self.made(bits, |dst| Op::ObjectSize { dst, addr }));
            }
            Primitive::Choice => return self.choice(args),
            Primitive::Input => return self.input(name, result),
        }
        Ok(Parts::new())
    }

    fn assert(&mut self, args: &Arguments<'_>, text: Option<String>) -> Lowered<()> {
        let cond = self.condition(args, 0)?;
        let message = text.map_or("assertion failed".into(), |t| format!("assertion failed: {t}"));
        if is_zero(cond) {
            self.fail(Property::Assertions, message);
        } else {
            self.push(Op::Check { property: Property::Assertions, cond, message });
        }
        Ok(())
    }

    fn assertion_fails(&mut self, text: Option<String>) {
        let message = match text {
            Some(text) => format!("assertion `{text}` failed"),
            None => "assertion failed".into(),
        };
        self.fail(Property::Assertions, message);
    }

    fn holder(&mut self, args: &Arguments<'_>) -> Lowered<Parts> {
        let addr = self.argument(args, 0)?;
        let access = Access { holder: true, ..self.plain() };
        Ok(self.made(32, |dst| Op::Load { dst, addr, access }))
    }

    fn store_set(&mut self, args: &Arguments<'_>) -> Lowered<()> {
        let (addr, value) = (self.argument(args, 0)?, self.argument(args, 1)?);
        let access = Access { set: true, ..self.plain() };
        self.push(Op::Store { addr, value, width: 8, access });
        Ok(())
    }

    fn choice(&mut self, args: &Arguments<'_>) -> Lowered<Parts> {
        let Operand::Const(n) = self.argument(args, 0)? else {
            return refuse("a choice among a variable number");
        };
        let kind = InputKind::Choice(n.value as u32);
        Ok(self.made(32, |dst| Op::Input { dst, kind, name: String::new() }))
    }

    /// Emits an instruction that makes one value.
    fn made(&mut self, width: u32, op: impl FnOnce(RegId) -> Op) -> Parts {
        let dst = self.register(width);
        self.push(op(dst));
        one(Operand::Reg(dst))
    }

    /// Any value of a type.
    fn input(&mut self, name: &str, result: TypeId) -> Lowered<Parts> {
        if result == TypeId::VOID {
            return refuse(format!("`{name}` without a result"));
        }
        let leaves = self.unit.leaves(result)?;
        let mut parts = Parts::new();
        for leaf in leaves.iter() {
            let (kind, name) = (InputKind::External, name.to_string());
            parts.extend(self.made(leaf.width, |dst| Op::Input { dst, kind, name }));
        }
        Ok(parts)
    }

    /// Whether library functions may fail, or models shall do what a property needs. Infinite executions
    /// need all that deadlocks do: who waits, and who wakes it.
    fn is_on(&mut self, primitive: Primitive, args: &Arguments<'_>) -> Lowered<bool> {
        if let Primitive::MayFail = primitive {
            return self.may_fail(args);
        }
        let (property, checked) = (self.property(args)?, self.cx.checked);
        Ok(checked.contains(property) || property == Property::Deadlocks && checked.is_linear())
    }

    fn check(&mut self, args: &Arguments<'_>) -> Lowered<Parts> {
        let property = self.property(args)?;
        if self.cx.checked.contains(property) || property.unchecked_failure_stops() {
            let message = self.text(args, 2).unwrap_or_default();
            let cond = self.condition(args, 1)?;
            if is_zero(cond) && property.unchecked_failure_stops() {
                self.fail(property, message);
            } else {
                self.push(Op::Check { property, cond, message });
            }
        }
        Ok(Parts::new())
    }

    fn property(&mut self, args: &Arguments<'_>) -> Lowered<Property> {
        match self.argument(args, 0)? {
            Operand::Const(c) => match Property::from_code(c.value as u32) {
                Some(property) => Ok(property),
                None => refuse("a check of an unknown property"),
            },
            Operand::Reg(_) | Operand::Global(..) | Operand::Function(_) => {
                refuse("a check of a variable property")
            }
        }
    }

    /// `(size, alignment)`, or what `malloc` gives.
    fn alignment(&mut self, args: &Arguments<'_>) -> Lowered<u32> {
        const MALLOC: u32 = 16;
        if args.len() < 2 {
            return Ok(MALLOC);
        }
        match self.argument(args, 1)? {
            Operand::Const(c) if c.value.is_power_of_two() => {
                u32::try_from(c.value).or_else(|_| refuse("an alignment that large"))
            }
            Operand::Const(_) | Operand::Reg(_) | Operand::Global(..) | Operand::Function(_) => {
                refuse("an alignment that is no constant")
            }
        }
    }

    /// A C condition as one bit.
    fn condition(&mut self, args: &Arguments<'_>, index: usize) -> Lowered<Operand> {
        let a = self.argument(args, index)?;
        let width = self.width_of(a);
        if width == 1 {
            return Ok(a);
        }
        self.compute(Expr::Compare { op: CmpOp::Ne, a, b: constant(0, width) }, 1)
    }

    /// Whether a library function may fail; that it never does is noted.
    fn may_fail(&mut self, args: &Arguments<'_>) -> Lowered<bool> {
        let named = self.text(args, 0);
        let listed = MAY_FAIL.iter().find(|name| Some(**name) == named.as_deref());
        let Some(&name) = listed else { return refuse("a model that may fail") };
        let may = self.cx.may_fail.contains(name);
        if !may {
            self.cx.program.never_fail.insert(name);
        }
        Ok(may)
    }

    pub(crate) fn width_of(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Reg(r) => self.regs[r.index()].width,
            Operand::Const(c) => c.width,
            Operand::Global(..) | Operand::Function(_) => self.unit.pointer_bits(),
        }
    }

    /// `(start, argument…)`: where more happens at the end of a thread, a function of the library runs the
    /// start function.
    fn create(&mut self, args: &Arguments<'_>) -> Lowered<Parts> {
        let mut func = self.argument(args, 0)?;
        let mut list = Vec::new();
        for i in 1..args.len() {
            list.push(self.argument(args, i)?);
        }
        if let [argument] = list.as_slice()
            && let Some(main) = self.cx.hook("__raddle_thread_main")
        {
            list = vec![func, *argument];
            func = Operand::Function(main);
        }
        let bits = self.unit.pointer_bits();
        Ok(self.made(bits, |dst| Op::Create { dst: Some(dst), func, args: list }))
    }
}

/// A hint has no effect, and no result that could be used.
fn hint(name: &str, result: TypeId) -> Lowered<Parts> {
    match result {
        TypeId::VOID => Ok(Parts::new()),
        _ => refuse(format!("a result of `{name}`")),
    }
}

fn heap_object(dst: RegId, size: Operand, align: u32, zeroed: bool) -> Op {
    let (kind, name) = (AllocKind::Heap, String::new());
    Op::Alloc { dst, size, align, kind, zeroed, name, ctype: None }
}

fn is_zero(operand: Operand) -> bool {
    matches!(operand, Operand::Const(c) if c.value == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What library models are written over.
    const HEADER: &str = include_str!("../../../models/c/raddle.h");

    #[test]
    fn models_name_properties_as_the_program_model_does() {
        let (_, rest) = HEADER.split_once("Codes of properties").expect("the enumeration");
        let (_, rest) = rest.split_once("enum {").expect("the enumeration");
        let (names, _) = rest.split_once('}').expect("the enumeration ends");
        let names: Vec<&str> = names.split(',').map(str::trim).filter(|n| !n.is_empty()).collect();
        assert_eq!(names.len(), Property::SAFETY.len(), "others are none of models");
        for (code, name) in (0..).zip(names) {
            let property = Property::from_code(code).expect("as many codes as properties");
            let ours = format!("{property:?}").to_uppercase();
            assert_eq!(name.replace('_', ""), ours, "code {code}");
        }
    }

    #[test]
    fn the_header_of_models_declares_the_primitives() {
        let words = HEADER.split(|c: char| !c.is_alphanumeric() && c != '_');
        let declared: Vec<&str> = words.filter(|w| w.starts_with("__raddle_")).collect();
        for name in &declared {
            assert!(find(name, false).is_some(), "{name} has no meaning");
        }
        for (name, _) in ALWAYS.iter().filter(|(name, _)| name.starts_with("__raddle_")) {
            assert!(declared.contains(name), "{name} is not declared");
        }
    }
}
