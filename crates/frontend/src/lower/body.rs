//! The body of a function: blocks, phis, registers.
//!
//! Idea: blocks are lowered as control reaches them, so what follows an instruction that stops the
//! thread is never looked at. Since a definition dominates its uses, each value is known when
//! needed. A phi becomes copies at the end of its predecessors, on a block of its own where the
//! edge needs one; the copies of one edge happen at once, so they go through temporaries when one
//! reads what another writes. Invariant (of the program model): a register that may be read before
//! it is assigned gets an arbitrary value at the start; exactly the registers live at the entry
//! need it.

use std::collections::BTreeSet;

use raddle_ir::{
    Block, BlockId, Expr, FuncId, InputKind, Instr, Liveness, Op, Operand, Place, Property, RegId,
    Register, Terminator, TypeId as CTypeId,
};

use super::Purpose;
use super::compute::{Computes, Parts, constant};
use super::context::Context;
use super::facts::Facts;
use super::link::Address;
use super::refusal::{Lowered, Refusal, refuse};
use super::unit::{Origin, Unit, UnitId};
use crate::llvm::ast as ll;
use crate::llvm::symbols::Symbol;

/// What a local stands for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// Not reached yet.
    Unset,
    /// Scalars, in order.
    Value(Parts),
    /// An alloca that became a register.
    Variable(RegId),
}

/// A function body under construction.
pub(crate) struct Body<'c, 'u> {
    pub cx: &'c mut Context,
    pub unit: &'u Unit,
    pub unit_id: UnitId,
    pub function: &'u ll::Function,
    pub facts: Facts,
    pub regs: Vec<Register>,
    pub bindings: Vec<Binding>,
    /// The instructions of the current block.
    pub instrs: Vec<Instr>,
    /// The place of the current instruction.
    pub place: Place,
    /// The thread does not get past what was emitted last.
    pub stopped: bool,
    /// The local whose value the last instruction emitted was made to compute.
    pub fresh: Option<ll::LocalId>,
    /// Block and position of the current LLVM instruction.
    pub at: (u32, u32),
    /// Instructions for the very start of the function.
    pub prologue: Vec<Instr>,
    /// The hidden parameter of a variadic function: where its other arguments lie.
    pub variadic: Option<RegId>,
    blocks: Vec<Block>,
    ids: Vec<Option<BlockId>>,
    pending: BTreeSet<u32>,
    atomic: bool,
}

impl<'u> Computes<'u> for Body<'_, 'u> {
    fn context(&mut self) -> &mut Context {
        self.cx
    }

    fn unit(&self) -> &'u Unit {
        self.unit
    }

    fn unit_id(&self) -> UnitId {
        self.unit_id
    }

    fn emit(&mut self, expr: Expr, width: u32) -> Lowered<Operand> {
        let dst = self.register(width);
        self.push(Op::Assign { dst, value: expr });
        Ok(Operand::Reg(dst))
    }

    fn undefined(&mut self, width: u32) -> Operand {
        let dst = self.register(width);
        self.push(Op::Input { dst, kind: InputKind::Uninitialised, name: String::new() });
        Operand::Reg(dst)
    }

    fn local(&mut self, id: ll::LocalId) -> Lowered<Parts> {
        match &self.bindings[id.0 as usize] {
            Binding::Value(parts) => Ok(parts.clone()),
            Binding::Variable(_) => refuse("the address of a variable without one"),
            Binding::Unset => refuse("a value that is used before it is defined"),
        }
    }

    fn address(&mut self, symbol: Symbol) -> Lowered<Operand> {
        match self.cx.address(self.unit_id, symbol, self.place)? {
            Address::Fixed(address) => Ok(address),
            Address::ThreadLocal(global) => {
                let dst = self.register(self.unit.pointer_bits());
                self.push(Op::ThreadLocal { dst, global });
                Ok(Operand::Reg(dst))
            }
        }
    }
}

/// Lowers the body of a function into its place in the program.
pub(crate) fn lower(cx: &mut Context, id: FuncId, unit_id: UnitId, index: u32) {
    let owner = std::rc::Rc::clone(cx.unit(unit_id));
    let function = &owner.module.functions[index as usize];
    let mut body = Body::new(cx, &owner, unit_id, function);
    body.place = body.cx.place(unit_id, function.debug);
    let place = body.place;
    let (params, result) = match body.signature() {
        Ok(signature) => signature,
        Err(refusal) => {
            body.give_up(refusal);
            (Vec::new(), None)
        }
    };
    if body.pending.is_empty() && body.blocks.is_empty() {
        body.block_id(ll::BlockId(0));
    }
    while let Some(next) = body.pending.pop_first() {
        body.block(next);
    }
    let made = body.finish();
    let target = &mut cx.program.functions[id.index()];
    target.params = params;
    target.result = result;
    target.regs = made.regs;
    target.blocks = made.blocks;
    target.place = place;
    super::tidy::tidy(target);
    initialise(target);
}

/// A finished body.
pub(crate) struct Made {
    pub regs: Vec<Register>,
    pub blocks: Vec<Block>,
}

impl<'c, 'u> Body<'c, 'u> {
    pub(crate) fn new(
        cx: &'c mut Context,
        unit: &'u Unit,
        unit_id: UnitId,
        function: &'u ll::Function,
    ) -> Body<'c, 'u> {
        let name = unit.module.name(function.name);
        let atomic = name.starts_with("__VERIFIER_atomic_") && !unit.is_model();
        Body {
            cx,
            unit,
            unit_id,
            function,
            facts: Facts::new(function, unit),
            regs: Vec::new(),
            bindings: vec![Binding::Unset; function.locals.len()],
            instrs: Vec::new(),
            place: Place::UNKNOWN,
            stopped: false,
            fresh: None,
            at: (0, 0),
            prologue: Vec::new(),
            variadic: None,
            blocks: Vec::new(),
            ids: vec![None; function.blocks.len()],
            pending: BTreeSet::new(),
            atomic,
        }
    }

    /// Makes the parameters; gives them and the width of the result.
    fn signature(&mut self) -> Lowered<(Vec<RegId>, Option<u32>)> {
        let mut params = Vec::new();
        for (i, parameter) in self.function.parameters.iter().enumerate() {
            let local = ll::LocalId(i as u32);
            let home = self.facts.seeds.get(&local).copied().unwrap_or(local);
            let mut parts = Parts::new();
            for leaf in self.unit.leaves(parameter.ty)?.iter() {
                let reg = self.variable(leaf.width, home);
                params.push(reg);
                parts.push(Some(Operand::Reg(reg)));
            }
            if home != local
                && let [Some(Operand::Reg(reg))] = parts.as_slice()
            {
                self.bindings[home.0 as usize] = Binding::Variable(*reg);
            }
            self.bindings[i] = Binding::Value(parts);
        }
        if self.function.variadic {
            let reg = self.register(self.unit.pointer_bits());
            params.push(reg);
            self.variadic = Some(reg);
        }
        Ok((params, super::calls::result_width(self.unit, self.function.result)?))
    }

    pub(crate) fn register(&mut self, width: u32) -> RegId {
        self.named_register(width, None, None)
    }

    fn named_register(
        &mut self,
        width: u32,
        name: Option<String>,
        ctype: Option<CTypeId>,
    ) -> RegId {
        self.regs.push(Register { width, name, ctype });
        RegId::new(self.regs.len() - 1)
    }

    /// A register for the C variable that lives in a local.
    pub(crate) fn variable(&mut self, width: u32, local: ll::LocalId) -> RegId {
        let variable = self.facts.variables.get(&local).copied();
        match variable.and_then(|v| self.cx.variable(self.unit_id, v)) {
            Some(v) => self.named_register(width, Some(v.name), v.ctype),
            None => self.register(width),
        }
    }

    pub(crate) fn push(&mut self, op: Op) {
        self.instrs.push(Instr { op, place: self.place });
    }

    /// Whether accesses here can be part of a race.
    pub(crate) fn hides(&self) -> bool {
        matches!(self.unit.origin, Origin::Model { hides: true, .. })
    }

    pub(crate) fn bind(&mut self, result: Option<ll::LocalId>, parts: Parts) {
        if let Some(local) = result {
            self.bindings[local.0 as usize] = Binding::Value(parts);
        }
    }

    /// A failed check ends the thread, whether or not its property is checked.
    pub(crate) fn fail(&mut self, property: Property, message: String) {
        self.push(Op::Check { property, cond: constant(0, 1), message });
        self.stopped = true;
    }

    fn give_up(&mut self, Refusal(what): Refusal) {
        if !self.unit.is_model() {
            self.cx.refused.note(&what, None, self.place);
        }
        self.push(Op::Unsupported { what });
        self.stopped = true;
    }

    /// An instruction that is refused. A survey looks at what comes after it.
    fn refused(&mut self, refusal: Refusal, result: Option<ll::LocalId>) {
        self.give_up(refusal);
        if self.cx.purpose == Purpose::Survey && !self.unit.is_model() {
            let leaves = result.map(|r| self.unit.leaves(self.function.local(r).ty));
            if let Ok(leaves) = leaves.transpose() {
                let leaves = leaves.iter().flat_map(|l| l.iter());
                let any = leaves.map(|l| Some(self.undefined(l.width))).collect();
                self.bind(result, any);
                self.stopped = false;
            }
        }
    }

    /// The block that an LLVM block becomes, to be lowered if it is new.
    fn block_id(&mut self, block: ll::BlockId) -> BlockId {
        if let Some(id) = self.ids[block.0 as usize] {
            return id;
        }
        let id = self.new_block();
        self.ids[block.0 as usize] = Some(id);
        self.pending.insert(block.0);
        id
    }

    fn new_block(&mut self) -> BlockId {
        let end_place = Place::UNKNOWN;
        self.blocks.push(Block { instrs: Vec::new(), end: Terminator::Stop, end_place });
        BlockId::new(self.blocks.len() - 1)
    }

    fn block(&mut self, index: u32) {
        let function = self.function;
        let block = &function.blocks[index as usize];
        let id = self.ids[index as usize].expect("a pending block has an id");
        self.stopped = false;
        self.fresh = None;
        if index == 0 && self.atomic {
            self.push(Op::AtomicBegin);
        }
        for (position, instruction) in block.instructions.iter().enumerate() {
            self.at = (index, position as u32);
            if let Some(debug) = instruction.debug {
                self.place = self.cx.place(self.unit_id, Some(debug));
            }
            let before = self.instrs.len();
            if let Err(refusal) = self.instruction(instruction) {
                self.refused(refusal, instruction.result);
            }
            if self.stopped {
                break;
            }
            if !matches!(instruction.op, ll::Op::Debug(_)) {
                self.fresh = instruction.result.filter(|_| self.instrs.len() > before);
            }
        }
        let mut end = Terminator::Stop;
        if !self.stopped {
            self.at = (index, u32::MAX);
            if let Some(debug) = block.terminator.debug {
                self.place = self.cx.place(self.unit_id, Some(debug));
            }
            match self.terminator(&block.terminator, ll::BlockId(index)) {
                Ok(terminator) => end = terminator,
                Err(refusal) => self.give_up(refusal),
            }
        }
        let instrs = std::mem::take(&mut self.instrs);
        self.blocks[id.index()] = Block { instrs, end, end_place: self.place };
    }

    fn terminator(&mut self, t: &ll::Terminator, here: ll::BlockId) -> Lowered<Terminator> {
        match &t.op {
            ll::TerminatorOp::Return(value) => self.leave(value.as_ref()),
            ll::TerminatorOp::Jump(to) => {
                let to = *to;
                self.copies(here, to)?;
                Ok(Terminator::Goto(self.block_id(to)))
            }
            ll::TerminatorOp::Branch { condition, then, otherwise } => {
                let cond = self.operand(crate::llvm::types::TypeId::I1, condition)?;
                if let Operand::Const(c) = cond {
                    let to = if c.value != 0 { *then } else { *otherwise };
                    self.copies(here, to)?;
                    return Ok(Terminator::Goto(self.block_id(to)));
                }
                let then = self.edge(here, *then)?;
                let other = self.edge(here, *otherwise)?;
                Ok(Terminator::Branch { cond, then, other })
            }
            ll::TerminatorOp::Switch { value, default, cases } => {
                let looked_up = self.typed(value)?;
                let mut list = Vec::with_capacity(cases.len());
                for (case, to) in cases {
                    let parts = self.constant(value.ty, case)?;
                    let [Some(Operand::Const(c))] = parts.as_slice() else {
                        return refuse("a case that is no number");
                    };
                    let number = c.value;
                    list.push((number, self.edge(here, *to)?));
                }
                let default = self.edge(here, *default)?;
                Ok(Terminator::Switch { value: looked_up, cases: list, default })
            }
            ll::TerminatorOp::IndirectBranch { address, targets } => {
                let value = self.typed(address)?;
                let name = self.unit.module.name(self.function.name);
                let mut cases: Vec<(u128, BlockId)> = Vec::new();
                for &to in targets {
                    let number = u128::from(self.cx.label(self.unit_id, name, to));
                    if cases.iter().all(|(n, _)| *n != number) {
                        let edge = self.edge(here, to)?;
                        cases.push((number, edge));
                    }
                }
                let default = self.new_block();
                let message = "computed goto to something that is no label".to_string();
                let op = Op::Check { property: Property::Memory, cond: constant(0, 1), message };
                let block = &mut self.blocks[default.index()];
                block.instrs.push(Instr { op, place: self.place });
                block.end_place = self.place;
                Ok(Terminator::Switch { value, cases, default })
            }
            ll::TerminatorOp::Unreachable => {
                let message = match self.ends_in_noreturn(here) {
                    true => "a function that must not return has returned",
                    false => "unreachable code reached",
                };
                self.fail(Property::Assertions, message.into());
                Ok(Terminator::Stop)
            }
            ll::TerminatorOp::Invoke { .. } => refuse("exceptions (invoke)"),
            ll::TerminatorOp::CallBranch { .. } => refuse("assembly with jumps (asm goto)"),
            ll::TerminatorOp::Unsupported { what } => refuse(format!("exceptions ({what})")),
        }
    }

    /// Whether the last instruction of a block is a call that does not return.
    fn ends_in_noreturn(&self, block: ll::BlockId) -> bool {
        let last = self.function.block(block).instructions.last();
        let Some(ll::Op::Call(call)) = last.map(|i| &i.op) else { return false };
        let module = &self.unit.module;
        let declared = match &call.callee {
            ll::Callee::Global(symbol) => match module.items.get(symbol) {
                Some(ll::Item::Function(f)) => module.functions[*f as usize].attributes.noreturn,
                _ => false,
            },
            ll::Callee::Pointer(_) | ll::Callee::Assembly(_) => false,
        };
        declared || module.call_attributes(call).noreturn
    }

    fn leave(&mut self, value: Option<&ll::Operand>) -> Lowered<Terminator> {
        let result = match value {
            None => None,
            Some(value) => {
                let parts = self.parts(value.ty, &value.value)?;
                let parts = self.define(value.ty, &parts)?;
                if parts.is_empty() { None } else { Some(self.pack(&parts, value.ty)?) }
            }
        };
        if self.atomic {
            self.push(Op::AtomicEnd);
        }
        Ok(Terminator::Return(result))
    }

    /// The block to go to for an edge: the target itself, or copies for its phis first.
    fn edge(&mut self, from: ll::BlockId, to: ll::BlockId) -> Lowered<BlockId> {
        let target = self.block_id(to);
        let has_phi = matches!(
            self.function.block(to).instructions.first().map(|i| &i.op),
            Some(ll::Op::Phi { .. })
        );
        if !has_phi {
            return Ok(target);
        }
        let outside = std::mem::take(&mut self.instrs);
        let copied = self.copies(from, to);
        let instrs = std::mem::replace(&mut self.instrs, outside);
        copied?;
        let id = self.new_block();
        self.blocks[id.index()] =
            Block { instrs, end: Terminator::Goto(target), end_place: self.place };
        Ok(id)
    }

    /// Assigns the phis of a block as they are when coming from another.
    fn copies(&mut self, from: ll::BlockId, to: ll::BlockId) -> Lowered<()> {
        let function = self.function;
        let mut pairs: Vec<(RegId, Operand)> = Vec::new();
        for instruction in &function.block(to).instructions {
            let (ll::Op::Phi { incoming }, Some(result)) = (&instruction.op, instruction.result)
            else {
                break;
            };
            let ty = function.local(result).ty;
            let Some((value, _)) = incoming.iter().find(|(_, block)| *block == from) else {
                return refuse("a phi without a value for a predecessor");
            };
            let parts = self.parts(ty, value)?;
            let sources = self.define(ty, &parts)?;
            let targets = self.phi_registers(result)?;
            pairs.extend(targets.into_iter().zip(sources));
        }
        pairs.retain(|(dst, src)| *src != Operand::Reg(*dst));
        let clash = pairs.iter().enumerate().any(|(i, (dst, _))| {
            pairs[i + 1..].iter().any(|(_, later)| *later == Operand::Reg(*dst))
        });
        if clash {
            for (dst, src) in &mut pairs {
                let temporary = self.register(self.regs[dst.index()].width);
                self.push(Op::Assign { dst: temporary, value: Expr::Use(*src) });
                *src = Operand::Reg(temporary);
            }
        }
        for (dst, src) in pairs {
            self.push(Op::Assign { dst, value: Expr::Use(src) });
        }
        Ok(())
    }

    /// The registers of a phi, made when its first predecessor (or itself) is met.
    /// A phi whose block is reached.
    pub(crate) fn reach_phi(&mut self, result: ll::LocalId) -> Lowered<()> {
        self.phi_registers(result).map(|_| ())
    }

    fn phi_registers(&mut self, result: ll::LocalId) -> Lowered<Vec<RegId>> {
        if let Binding::Unset = self.bindings[result.0 as usize] {
            let leaves = self.unit.leaves(self.function.local(result).ty)?;
            let parts = leaves.iter().map(|l| Some(Operand::Reg(self.register(l.width)))).collect();
            self.bindings[result.0 as usize] = Binding::Value(parts);
        }
        let parts = self.local(result)?;
        let regs = parts.iter().filter_map(|p| match p {
            Some(Operand::Reg(r)) => Some(*r),
            _ => None,
        });
        Ok(regs.collect())
    }

    /// Ends a body of one block: by returning, or as the last instruction says.
    pub(crate) fn one_block(mut self, outcome: Lowered<Option<Operand>>) -> Made {
        let end = match outcome {
            Ok(result) if !self.stopped => Terminator::Return(result),
            Ok(_) => Terminator::Stop,
            Err(refusal) => {
                self.give_up(refusal);
                Terminator::Stop
            }
        };
        let instrs = std::mem::take(&mut self.instrs);
        self.blocks = vec![Block { instrs, end, end_place: Place::UNKNOWN }];
        self.finish()
    }

    /// Puts the prologue in front.
    fn finish(mut self) -> Made {
        if self.blocks.is_empty() {
            // The signature was refused.
            let instrs = std::mem::take(&mut self.instrs);
            self.blocks.push(Block { instrs, end: Terminator::Stop, end_place: self.place });
        }
        if !self.prologue.is_empty() {
            let first = &mut self.blocks[0].instrs;
            let mut all = std::mem::take(&mut self.prologue);
            all.append(first);
            *first = all;
        }
        Made { regs: self.regs, blocks: self.blocks }
    }
}

/// Gives registers that may be read before they are assigned an arbitrary value at the start.
pub(crate) fn initialise(function: &mut raddle_ir::Function) {
    let liveness = Liveness::new(function);
    let missing: Vec<RegId> =
        liveness.live_at(BlockId(0)).filter(|r| !function.params.contains(r)).collect();
    let inputs = missing.into_iter().map(|dst| {
        let name = function.reg(dst).name.clone().unwrap_or_default();
        let op = Op::Input { dst, kind: InputKind::Uninitialised, name };
        Instr { op, place: function.place }
    });
    let mut all: Vec<Instr> = inputs.collect();
    if !all.is_empty() {
        all.append(&mut function.blocks[0].instrs);
        function.blocks[0].instrs = all;
    }
}
