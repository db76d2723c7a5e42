//! Facts about the locals of one function, gathered in one pass before lowering.
//!
//! *Promotion*: an `alloca` of the entry block whose address is used only as the direct address of
//! loads and stores of one single width becomes a register. This is what LLVM's `mem2reg` does,
//! without SSA: registers of the program model are mutable. *Forwarding*: a load from a promoted
//! variable needs no copy if all uses of the result stand in the same block before the next store
//! to that variable. Debug records do not count as uses.

use rustc_hash::FxHashMap;

use super::unit::Unit;
use crate::llvm::ast::{
    Argument, Callee, Constant, DebugKind, Function, Instruction, LocalId, Op, Operand,
    TerminatorOp, Value,
};
use crate::llvm::metadata::{MetadataId, Node};
use crate::llvm::types::TypeId;

/// The position of a terminator, and of phi copies at the end of a block.
const END: u32 = u32::MAX;

/// How a local is used.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Uses {
    /// How often.
    pub count: u32,
    /// The block of the last use seen.
    block: u32,
    /// The position of the last use in that block.
    last: u32,
    /// Uses stand in several blocks.
    scattered: bool,
}

/// Whether an alloca can be a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Candidate {
    No,
    Unused,
    Width(u32),
}

/// Facts about the locals of a function.
pub(crate) struct Facts {
    pub uses: Vec<Uses>,
    candidates: Vec<Candidate>,
    /// Positions of stores to candidates, by block, rising.
    stores: FxHashMap<(LocalId, u32), Vec<u32>>,
    /// The C variable that lives in a local.
    pub variables: FxHashMap<LocalId, MetadataId>,
    /// The instruction that defines each local: block and position.
    defined: Vec<Option<(u32, u32)>>,
    /// Parameters whose value goes into a promoted variable at once, and that variable.
    pub seeds: FxHashMap<LocalId, LocalId>,
}

impl Facts {
    /// Gathers the facts.
    pub(crate) fn new(function: &Function, unit: &Unit) -> Facts {
        let n = function.locals.len();
        let mut facts = Facts {
            uses: vec![Uses::default(); n],
            candidates: vec![Candidate::No; n],
            stores: FxHashMap::default(),
            variables: FxHashMap::default(),
            defined: vec![None; n],
            seeds: FxHashMap::default(),
        };
        facts.find_candidates(function, unit);
        for (b, block) in function.blocks.iter().enumerate() {
            for (p, instruction) in block.instructions.iter().enumerate() {
                if let Some(result) = instruction.result {
                    facts.defined[result.0 as usize] = Some((b as u32, p as u32));
                }
                facts.instruction(instruction, b as u32, p as u32, unit);
            }
            facts.terminator(&block.terminator.op, b as u32);
        }
        facts.find_seeds(function);
        facts
    }

    /// The width of the register that an alloca becomes; 0 if it is not used at all.
    pub(crate) fn promoted(&self, local: LocalId) -> Option<u32> {
        match self.candidates[local.0 as usize] {
            Candidate::No => None,
            Candidate::Unused => Some(0),
            Candidate::Width(width) => Some(width),
        }
    }

    /// Whether `result`, loaded from the promoted `variable` at this position, may stand for the
    /// variable itself.
    pub(crate) fn forwards(&self, result: LocalId, variable: LocalId, block: u32, at: u32) -> bool {
        let uses = &self.uses[result.0 as usize];
        if uses.count == 0 {
            return true;
        }
        if uses.scattered || uses.block != block {
            return false;
        }
        let Some(stores) = self.stores.get(&(variable, block)) else { return true };
        let next = stores.partition_point(|&s| s <= at);
        stores.get(next).is_none_or(|&s| s >= uses.last)
    }

    /// The instruction that defines a local.
    pub(crate) fn definition<'f>(
        &self,
        function: &'f Function,
        local: LocalId,
    ) -> Option<&'f Instruction> {
        let (block, at) = self.defined[local.0 as usize]?;
        function.blocks[block as usize].instructions.get(at as usize)
    }

    fn find_candidates(&mut self, function: &Function, unit: &Unit) {
        let Some(entry) = function.blocks.first() else { return };
        for instruction in &entry.instructions {
            let (Some(result), Op::Allocate { ty, count, address_space: 0, .. }) =
                (instruction.result, &instruction.op)
            else {
                continue;
            };
            let single = match count {
                None => true,
                Some(Operand { value: Value::Constant(Constant::Integer(1)), .. }) => true,
                Some(_) => false,
            };
            if single && unit.size(*ty).is_ok() {
                self.candidates[result.0 as usize] = Candidate::Unused;
            }
        }
    }

    /// A load or store of a type, straight at an address.
    fn access(&mut self, address: &Value, ty: TypeId, function_unit: &Unit) {
        let Value::Local(id) = address else { return };
        let candidate = &mut self.candidates[id.0 as usize];
        let width = if function_unit.is_scalar(ty) { function_unit.width(ty).ok() } else { None };
        *candidate = match (*candidate, width) {
            (Candidate::Unused, Some(w)) => Candidate::Width(w),
            (Candidate::Width(before), Some(w)) if before == w => *candidate,
            (Candidate::No | Candidate::Unused | Candidate::Width(_), _) => Candidate::No,
        };
    }

    fn used(&mut self, value: &Value, block: u32, at: u32) {
        let Value::Local(id) = value else { return };
        let uses = &mut self.uses[id.0 as usize];
        if uses.count > 0 && uses.block != block {
            uses.scattered = true;
        }
        uses.count += 1;
        uses.last = if uses.block == block { uses.last.max(at) } else { at };
        uses.block = block;
    }

    /// A use that lets an address escape.
    fn escapes(&mut self, value: &Value, block: u32, at: u32) {
        self.used(value, block, at);
        if let Value::Local(id) = value {
            self.candidates[id.0 as usize] = Candidate::No;
        }
    }

    fn instruction(&mut self, instruction: &Instruction, b: u32, p: u32, unit: &Unit) {
        match &instruction.op {
            Op::Load { ty, pointer, .. } => {
                self.used(&pointer.value, b, p);
                self.access(&pointer.value, *ty, unit);
            }
            Op::Store { value, pointer, .. } => {
                self.escapes(&value.value, b, p);
                self.used(&pointer.value, b, p);
                self.access(&pointer.value, value.ty, unit);
                if let Value::Local(id) = pointer.value {
                    self.stores.entry((id, b)).or_default().push(p);
                }
            }
            Op::Phi { incoming } => {
                for (value, from) in incoming {
                    self.escapes(value, from.0, END);
                }
            }
            Op::Debug(record) => {
                if record.kind == DebugKind::Declare
                    && let Some(Operand { value: Value::Local(id), .. }) = record.value
                    && is_plain(unit, record.expression)
                {
                    self.variables.insert(id, record.variable);
                }
            }
            other => visit(other, &mut |value| self.escapes(value, b, p)),
        }
    }

    fn terminator(&mut self, op: &TerminatorOp, b: u32) {
        match op {
            TerminatorOp::Return(Some(value)) => self.escapes(&value.value, b, END),
            TerminatorOp::Branch { condition, .. } => self.escapes(condition, b, END),
            TerminatorOp::Switch { value, .. } => self.escapes(&value.value, b, END),
            TerminatorOp::IndirectBranch { address, .. } => self.escapes(&address.value, b, END),
            TerminatorOp::Invoke { call, .. } | TerminatorOp::CallBranch { call, .. } => {
                visit_call(&call.callee, &call.arguments, &mut |v| self.escapes(v, b, END));
            }
            TerminatorOp::Return(None)
            | TerminatorOp::Jump(_)
            | TerminatorOp::Unreachable
            | TerminatorOp::Unsupported { .. } => {}
        }
    }

    /// Finds `store %param, ptr %param.addr` where the parameter is not used otherwise and the
    /// variable was not touched before: the parameter's register then is the variable.
    fn find_seeds(&mut self, function: &Function) {
        let Some(entry) = function.blocks.first() else { return };
        let parameters = function.parameters.len() as u32;
        for (p, instruction) in entry.instructions.iter().enumerate() {
            let Op::Store { value, pointer, .. } = &instruction.op else { continue };
            let (Value::Local(from), Value::Local(to)) = (&value.value, &pointer.value) else {
                continue;
            };
            let first = self.stores.get(&(*to, 0)).and_then(|s| s.first()) == Some(&(p as u32));
            if from.0 < parameters
                && self.uses[from.0 as usize].count == 1
                && matches!(self.candidates[to.0 as usize], Candidate::Width(_))
                && first
                && !loaded_before(function, *to, p)
            {
                self.seeds.insert(*from, *to);
            }
        }
    }
}

/// Whether the entry block loads the variable before this position.
fn loaded_before(function: &Function, variable: LocalId, position: usize) -> bool {
    function.blocks[0].instructions[..position].iter().any(|i| match &i.op {
        Op::Load { pointer, .. } => pointer.value == Value::Local(variable),
        _ => false,
    })
}

/// A variable that lives at the address itself, not somewhere it points to.
fn is_plain(unit: &Unit, expression: Option<MetadataId>) -> bool {
    match expression.and_then(|e| unit.module.metadata.get(e)) {
        Some(Node::Expression(ops)) => ops.is_empty(),
        Some(_) => false,
        None => true,
    }
}

/// Calls back for each operand of an instruction.
fn visit(op: &Op, f: &mut impl FnMut(&Value)) {
    match op {
        Op::Binary { left, right, .. }
        | Op::CompareInteger { left, right, .. }
        | Op::CompareFloat { left, right, .. } => {
            f(&left.value);
            f(right);
        }
        Op::NegateFloat { value }
        | Op::Cast { value, .. }
        | Op::Freeze { value }
        | Op::ExtractValue { aggregate: value, .. }
        | Op::VariadicArgument { list: value, .. } => f(&value.value),
        Op::Select(all) | Op::InsertElement(all) | Op::ShuffleVector(all) => {
            all.iter().for_each(|o| f(&o.value));
        }
        Op::Phi { incoming } => incoming.iter().for_each(|(v, _)| f(v)),
        Op::ElementPointer(gep) => {
            f(&gep.base.value);
            gep.indices.iter().for_each(|o| f(&o.value));
        }
        Op::Allocate { count, .. } => {
            if let Some(count) = count {
                f(&count.value);
            }
        }
        Op::Load { pointer, .. } => f(&pointer.value),
        Op::Store { value, pointer, .. } => {
            f(&value.value);
            f(&pointer.value);
        }
        Op::CompareExchange(x) => {
            f(&x.pointer.value);
            f(&x.expected.value);
            f(&x.desired.value);
        }
        Op::ReadModifyWrite(x) => {
            f(&x.pointer.value);
            f(&x.value.value);
        }
        Op::InsertValue { aggregate, element, .. } => {
            f(&aggregate.value);
            f(&element.value);
        }
        Op::ExtractElement { vector, index } => {
            f(&vector.value);
            f(&index.value);
        }
        Op::Call(call) => visit_call(&call.callee, &call.arguments, f),
        Op::Fence { .. } | Op::Debug(_) | Op::Unsupported { .. } => {}
    }
}

fn visit_call(callee: &Callee, arguments: &[Argument], f: &mut impl FnMut(&Value)) {
    if let Callee::Pointer(value) = callee {
        f(value);
    }
    arguments.iter().for_each(|a| f(&a.operand.value));
}
