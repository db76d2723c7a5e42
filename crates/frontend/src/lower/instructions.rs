//! Instructions other than memory accesses and calls.

use raddle_ir::{CmpOp, Expr, Op, Operand, Property};

use super::body::Body;
use super::compute::{Computes, Parts, constant, one};
use super::memory::order;
use super::refusal::{Lowered, refuse};
use crate::llvm::ast::{self as ll, Constant, Value};
use crate::llvm::metadata::Node;

impl Body<'_, '_> {
    /// Lowers one instruction.
    pub(crate) fn instruction(&mut self, instruction: &ll::Instruction) -> Lowered<()> {
        let result = instruction.result;
        let parts = match &instruction.op {
            ll::Op::Debug(record) => {
                self.label(record);
                return Ok(());
            }
            ll::Op::Phi { .. } => match result {
                // The copies of all predecessors write to its registers.
                Some(local) => return self.reach_phi(local),
                None => return Ok(()),
            },
            ll::Op::Allocate { .. } => return self.allocate(instruction),
            ll::Op::Load { ty, pointer, access } => return self.load(result, *ty, pointer, access),
            ll::Op::Store { value, pointer, access } => return self.store(value, pointer, access),
            ll::Op::Call(call) => return self.call(call, result),
            ll::Op::Fence { ordering, .. } => {
                self.push(Op::Fence { order: order(*ordering) });
                return Ok(());
            }
            ll::Op::Binary { op, flags, left, right } => self.binary(*op, *flags, left, right)?,
            ll::Op::NegateFloat { value } => {
                let element = self.unit.element(value.ty);
                let kind = self.unit.float(element)?;
                self.map(value, kind.bits(), |a| Expr::FloatNeg { kind, a })?
            }
            ll::Op::CompareInteger { predicate, left, right } => {
                self.compare_integer(*predicate, left, right)?
            }
            ll::Op::CompareFloat { predicate, left, right } => {
                self.compare_float(*predicate, left, right)?
            }
            ll::Op::Select(all) => self.select(&all[0], &all[1], &all[2])?,
            ll::Op::Cast { op, value, to, .. } => self.cast(*op, value, *to)?,
            ll::Op::ElementPointer(gep) => one(self.element_pointer(gep)?),
            ll::Op::CompareExchange(x) => self.compare_exchange(x)?,
            ll::Op::ReadModifyWrite(x) => self.read_modify_write(x)?,
            ll::Op::ExtractValue { aggregate, indices } => {
                let parts = self.parts(aggregate.ty, &aggregate.value)?;
                let (first, count, _) = self.unit.leaf_range(aggregate.ty, indices)?;
                match parts.get(first..first + count) {
                    Some(range) => range.iter().copied().collect(),
                    None => return refuse("an index outside its value"),
                }
            }
            ll::Op::InsertValue { aggregate, element, indices } => {
                let mut parts = self.parts(aggregate.ty, &aggregate.value)?;
                let new = self.parts(element.ty, &element.value)?;
                let (first, count, _) = self.unit.leaf_range(aggregate.ty, indices)?;
                match parts.get_mut(first..first + count) {
                    Some(range) if range.len() == new.len() => range.copy_from_slice(&new),
                    _ => return refuse("an index outside its value"),
                }
                parts
            }
            ll::Op::ExtractElement { vector, index } => self.extract_element(vector, index)?,
            ll::Op::InsertElement(all) => self.insert_element(&all[0], &all[1], &all[2])?,
            ll::Op::ShuffleVector(all) => self.shuffle(&all[0], &all[1], &all[2])?,
            ll::Op::Freeze { value } => {
                let parts = self.parts(value.ty, &value.value)?;
                self.define(value.ty, &parts)?.into_iter().map(Some).collect()
            }
            ll::Op::VariadicArgument { .. } => return refuse("va_arg"),
            ll::Op::Unsupported { what } => return refuse(format!("exceptions ({what})")),
        };
        self.bind(result, parts);
        Ok(())
    }

    /// A label of the source: an error, if the user says so. Formulas may speak of others: then a check
    /// that never fails marks the place.
    fn label(&mut self, record: &ll::DebugRecord) {
        let marked = self.cx.checked.contains(Property::Linear);
        if self.cx.error_labels.is_empty() && !marked || self.unit.is_model() {
            return;
        }
        let Some(Node::Label { name: Some(name), .. }) =
            self.unit.module.metadata.get(record.variable)
        else {
            return;
        };
        let name = self.unit.module.name(*name);
        if self.cx.error_labels.iter().any(|label| label == name) {
            self.fail(Property::Unreach, format!("the label {name} is reached"));
        } else if marked {
            let message = name.to_string();
            let cond = constant(1, 1);
            self.push(Op::Check { property: Property::Linear, cond, message });
        }
    }

    fn extract_element(&mut self, vector: &ll::Operand, index: &ll::Operand) -> Lowered<Parts> {
        let parts = self.parts(vector.ty, &vector.value)?;
        if let Value::Constant(Constant::Integer(i)) = &index.value {
            return match parts.get(*i as usize) {
                Some(part) => Ok(std::iter::once(*part).collect()),
                None => refuse("an element outside its vector"),
            };
        }
        // A variable index: choose among all elements.
        let parts = self.define(vector.ty, &parts)?;
        let at = self.typed(index)?;
        let index_width = self.unit.width(index.ty)?;
        let width = self.unit.width(self.unit.element(vector.ty))?;
        let Some(mut chosen) = parts.first().copied() else { return refuse("an empty vector") };
        for (i, &part) in parts.iter().enumerate().skip(1) {
            let cond = self.is_index(at, i, index_width)?;
            chosen = self.compute(Expr::Select { cond, a: part, b: chosen }, width)?;
        }
        Ok(one(chosen))
    }

    fn is_index(&mut self, at: Operand, i: usize, width: u32) -> Lowered<Operand> {
        let b = constant(i as u128, width);
        self.compute(Expr::Compare { op: CmpOp::Eq, a: at, b }, 1)
    }

    fn insert_element(
        &mut self,
        vector: &ll::Operand,
        element: &ll::Operand,
        index: &ll::Operand,
    ) -> Lowered<Parts> {
        let mut parts = self.parts(vector.ty, &vector.value)?;
        let new = self.typed(element)?;
        if let Value::Constant(Constant::Integer(i)) = &index.value {
            return match parts.get_mut(*i as usize) {
                Some(part) => {
                    *part = Some(new);
                    Ok(parts)
                }
                None => refuse("an element outside its vector"),
            };
        }
        let old = self.define(vector.ty, &parts)?;
        let at = self.typed(index)?;
        let index_width = self.unit.width(index.ty)?;
        let width = self.unit.width(element.ty)?;
        let mut all = Parts::new();
        for (i, b) in old.into_iter().enumerate() {
            let cond = self.is_index(at, i, index_width)?;
            all.push(Some(self.compute(Expr::Select { cond, a: new, b }, width)?));
        }
        Ok(all)
    }

    fn shuffle(
        &mut self,
        left: &ll::Operand,
        right: &ll::Operand,
        mask: &ll::Operand,
    ) -> Lowered<Parts> {
        let mut all = self.parts(left.ty, &left.value)?;
        all.extend(self.parts(right.ty, &right.value)?);
        let mask = self.parts(mask.ty, &mask.value)?;
        mask.iter()
            .map(|m| match m {
                None => Ok(None),
                Some(Operand::Const(c)) => match all.get(c.value as usize) {
                    Some(part) => Ok(*part),
                    None => refuse("an element outside its vector"),
                },
                Some(_) => refuse("a shuffle by a variable mask"),
            })
            .collect()
    }
}
