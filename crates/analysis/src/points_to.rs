//! Points-to analysis: which objects an address may lead to.
//!
//! Idea: inclusion constraints (Andersen), insensitive to flow, sensitive to fields by constant
//! offset, and to the calls of small functions and library models ([`crate::constraints`]); one
//! variable per register. [`crate::inclusion`] solves them. A value may carry an address through
//! any copy, cast, selection or integer arithmetic (masked and tagged pointers), and byte by byte
//! (`memcpy`).
//! Source: Andersen, PhD thesis 1994.
//!
//! **What a set means.** The analysis over-approximates all executions of programs that make
//! addresses only from addresses of objects, and access with them only objects that they came
//! from. An address that comes from an [`raddle_ir::InputKind::External`] input, from the contents
//! of an external global, or from a constant that is no object's address is [`ObjectId::UNKNOWN`].
//! Bytes that were never written, small constants and numbers computed from them are nothing, so an
//! *empty* set means null, garbage, or code that is not reachable. Accesses through unknown
//! addresses are not followed: whoever meets them must decide (see [`ObjectSet::is_known`]).
//! Limits: one object per `Alloc` and context, so recursive structures are one object; at most
//! [`crate::inclusion::MAX_OFFSETS`] offsets per object; elements at computed indices are one.

use raddle_ir::{FuncId, InstrRef, Operand, Program};
use rustc_hash::FxHashMap;

use crate::addresses::Addresses;
use crate::constraints::{Constraints, Creation, Instance, InstanceId};
use crate::inclusion::{Inclusion, Location, Node};
use crate::objects::{ObjectId, ObjectSet, Objects};

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct PointsTo {
    objects: Objects,
    solution: Inclusion,
    instances: Vec<Instance>,
    by_function: Vec<Vec<InstanceId>>,
    /// What ended threads leave to those who join them.
    thread_results: Node,
    callees: FxHashMap<InstrRef, Vec<FuncId>>,
    creations: Vec<Creation>,
    addresses: Addresses,
}

impl PointsTo {
    /// Analyses what is reachable from the entry of a program.
    pub fn new(program: &Program) -> PointsTo {
        let solved = Constraints::solved(program);
        let mut by_function = vec![Vec::new(); program.functions.len()];
        for (i, instance) in solved.instances.iter().enumerate() {
            by_function[instance.func.index()].push(InstanceId(i as u32));
        }
        PointsTo {
            objects: solved.objects,
            solution: solved.system,
            instances: solved.instances,
            by_function,
            thread_results: solved.thread_results,
            callees: solved.callees,
            creations: solved.creations,
            addresses: solved.addresses,
        }
    }

    /// The table of objects.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// The objects that an operand of a function may lead to, in any context.
    pub fn of(&self, func: FuncId, operand: Operand) -> ObjectSet {
        self.locations(func, operand).into_iter().map(|(object, _)| object).collect()
    }

    /// The same with byte offsets inside the objects (`None`: anywhere inside), sorted.
    pub fn locations(&self, func: FuncId, operand: Operand) -> Vec<Location> {
        if !matches!(operand, Operand::Reg(_)) {
            return self.addresses.location(&self.objects, operand).into_iter().collect();
        }
        match self.instances_of(func) {
            [] => Vec::new(),
            [one] => self.locations_in(*one, operand),
            several => {
                let mut all: Vec<Location> =
                    several.iter().flat_map(|&i| self.locations_in(i, operand)).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        }
    }

    /// Where an operand of a function may lead in one context, sorted.
    pub fn locations_in(&self, inside: InstanceId, operand: Operand) -> Vec<Location> {
        match operand {
            Operand::Reg(r) => {
                let node = self.instance(inside).reg(r);
                let mut all: Vec<Location> = self.solution.locations(node).collect();
                all.sort_unstable();
                all
            }
            Operand::Const(_) | Operand::Global(..) | Operand::Function(_) => {
                self.addresses.location(&self.objects, operand).into_iter().collect()
            }
        }
    }

    /// The contexts in which a function is reachable.
    pub fn instances_of(&self, func: FuncId) -> &[InstanceId] {
        &self.by_function[func.index()]
    }

    /// A function in a context.
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[id.index()]
    }

    /// All functions in all contexts.
    pub fn instances(&self) -> impl Iterator<Item = InstanceId> + use<> {
        (0..self.instances.len() as u32).map(InstanceId)
    }

    /// The objects whose addresses an object may hold.
    pub fn contents(&self, object: ObjectId) -> ObjectSet {
        match self.solution.everything(object) {
            Some(node) => self.solution.locations(node).map(|(object, _)| object).collect(),
            None => ObjectSet::default(),
        }
    }

    /// The objects whose addresses threads may return to those who join them.
    pub fn thread_results(&self) -> ObjectSet {
        self.solution.locations(self.thread_results).map(|(object, _)| object).collect()
    }

    /// The functions that a `Call` (direct or not) or a `Create` may enter, sorted.
    pub fn callees(&self, at: InstrRef) -> &[FuncId] {
        self.callees.get(&at).map_or(&[], Vec::as_slice)
    }

    /// All creations of threads.
    pub fn creations(&self) -> &[Creation] {
        &self.creations
    }
}
