//! What of a program can be run: the functions and globals that its entry leads to.
//!
//! Flow-insensitive: a function counts as soon as it is called, started or its address is
//! mentioned.

use raddle_ir::{Callee, FuncId, GlobalId, Op, Operand, Program};

/// The part of a program that is translated.
pub(crate) struct Reached {
    /// Functions in the order of the program.
    pub(crate) functions: Vec<FuncId>,
    /// Those whose addresses are mentioned.
    pub(crate) addressed: Vec<FuncId>,
    /// Globals in the order of the program.
    pub(crate) globals: Vec<GlobalId>,
}

/// Follows calls and addresses from the entry.
pub(crate) fn reach(program: &Program, entry: FuncId) -> Reached {
    let mut work = Work {
        functions: vec![false; program.functions.len()],
        addressed: vec![false; program.functions.len()],
        globals: vec![false; program.globals.len()],
        pending: Vec::new(),
    };
    work.function(entry);
    while let Some(f) = work.pending.pop() {
        for block in &program.function(f).blocks {
            for instr in &block.instrs {
                if let Op::Call { callee: Callee::Direct(callee), .. } = instr.op {
                    work.function(callee);
                }
                if let Op::ThreadLocal { global, .. } = instr.op {
                    work.operand(program, Operand::Global(global, 0));
                }
                instr.op.operands().into_iter().for_each(|o| work.operand(program, o));
            }
            block.end.operand().into_iter().for_each(|o| work.operand(program, o));
        }
    }
    let marked = |marks: &[bool]| -> Vec<usize> {
        marks.iter().enumerate().filter(|(_, m)| **m).map(|(i, _)| i).collect()
    };
    Reached {
        functions: marked(&work.functions).into_iter().map(FuncId::new).collect(),
        addressed: marked(&work.addressed).into_iter().map(FuncId::new).collect(),
        globals: marked(&work.globals).into_iter().map(GlobalId::new).collect(),
    }
}

struct Work {
    functions: Vec<bool>,
    addressed: Vec<bool>,
    globals: Vec<bool>,
    pending: Vec<FuncId>,
}

impl Work {
    fn function(&mut self, f: FuncId) {
        if !std::mem::replace(&mut self.functions[f.index()], true) {
            self.pending.push(f);
        }
    }

    fn operand(&mut self, program: &Program, operand: Operand) {
        let mut operands = vec![operand];
        while let Some(operand) = operands.pop() {
            match operand {
                Operand::Reg(_) | Operand::Const(_) => {}
                Operand::Function(f) => {
                    self.addressed[f.index()] = true;
                    self.function(f);
                }
                Operand::Global(g, _) => {
                    if !std::mem::replace(&mut self.globals[g.index()], true) {
                        operands.extend(program.global(g).pointers.iter().map(|(_, to)| *to));
                    }
                }
            }
        }
    }
}
